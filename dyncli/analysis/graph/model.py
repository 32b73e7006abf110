"""Data model of a drawing.  Every view of a graph reads these and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dyncli.records.model import Site, Source

Key = tuple[object, ...]


class GraphOptions(NamedTuple):
    """Options of a drawing: its contents and its folding.

    expand, collapse, only: a line number or a name, `*` and `?` stand for anything; the first two also take `all`,
    `loops`, `calls`, `modules`.  depth: how many calls, modules and loops deep to draw.  max_nodes: fold until no more
    are left.
    grads, saved, times, values: what to write on ops and edges besides dtype, shape and small values.
    compact: draw modules of the library, and calls that ran as one drawn above, as one node each in a crowd.
    foldable: what a crowd makes smaller stays whole, in boxes that are to be folded at first.
    room: less than one where the drawing proved too wide: it counts as crowded with so many times fewer nodes.
    one_body: draw one body for a loop even if its iterations differ, so that two runs have their loops in common.
    """

    expand: tuple[str, ...] = ()
    collapse: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    depth: int | None = None
    max_nodes: int = 120
    grads: bool = False
    saved: bool = False
    times: bool = False
    values: bool = False
    one_body: bool = False
    compact: bool = True
    foldable: bool = False
    room: float = 1.0


DEFAULT = GraphOptions()
#: More nodes than any run has.
EVERYTHING = 1 << 40

Words = str | int | Sequence[str | int]


def options_of(
    *,
    expand: Words = (),
    collapse: Words = (),
    only: Words = (),
    depth: int | None = None,
    max_nodes: int | None = None,
    **shown: bool,
) -> GraphOptions:
    """Return the options of a drawing; without `max_nodes` it folds at 120 nodes, and not with `expand="all"`."""
    unfolded = _words(expand)
    most = max_nodes or (EVERYTHING if "all" in unfolded else DEFAULT.max_nodes)
    return GraphOptions(unfolded, _words(collapse), _words(only), depth, most, **shown)


def _words(words: Words) -> tuple[str, ...]:
    return (str(words),) if isinstance(words, str | int) else tuple(map(str, words))


class Line(NamedTuple):
    """One line below a node's name.  tone: a key of `TONES` in `render/graph/dot.py` and `tree.py`."""

    text: str
    tone: str = "muted"


class Node(NamedTuple):
    """One thing drawn.

    key: the same for the same thing in another run.  kind: input, parameter, constant, leaf (a small repeat of one of
    those), op, module (one of the library, with its parameters), decision, output, ghost (an arm left), done (an arm
    taken that ran no op) or fold (a folded box).
    span: the lines of an arm that is drawn as its source.  unrecorded: whether it ran under `no_grad`, if only in part.
    origin: of a decision the one nearest to a tensor of all that it stands for; none where two runs made it.
    name is bold, rest follows it.  ops, decisions, tensors: what of the record it stands for.  side: both, a or b.
    """

    id: str
    key: Key
    kind: str
    name: str
    rest: str = ""
    lines: tuple[Line, ...] = ()
    box: str | None = None
    site: Site | None = None
    ops: tuple[int, ...] = ()
    decisions: tuple[int, ...] = ()
    tensors: tuple[int, ...] = ()
    failed: bool = False
    side: str = "both"
    span: tuple[int, int] | None = None
    unrecorded: bool = False
    origin: str = ""


class FoldedBox(NamedTuple):
    """Text of a folded box, as on a node.

    ops: of a module of the library, which run in turn.
    """

    kind: str
    name: str
    rest: str
    lines: tuple[Line, ...]
    ops: tuple[int, ...] = ()


class Box(NamedTuple):
    """A frame around nodes.

    kind: arm, left (an arm not taken), loop, kind (iterations of one shape, or one of them), call or module.
    folded: of one that is folded at first where boxes can be expanded.  failed: of an arm that ended the run.
    """

    id: str
    key: Key
    kind: str
    name: str
    rest: str = ""
    parent: str | None = None
    site: Site | None = None
    times: int = 1
    side: str = "both"
    folded: FoldedBox | None = None
    failed: bool = False


class Edge(NamedTuple):
    """An arrow.

    kind: data, carried (to a later iteration), predicate (op to decision), asked again (op to the decision of a later
    iteration), taken or left (decision to arm).
    """

    source: str
    target: str
    kind: str = "data"
    label: str = ""
    gradient: str = ""
    side: str = "both"


class Graph(NamedTuple):
    """The whole drawing; boxes come before those inside them.  folded: what was done to make it fit, in words.

    model: the script whose lines are written without its name.
    """

    title: tuple[tuple[str, bool], ...]
    nodes: tuple[Node, ...]
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    note: str = ""
    folded: str = ""
    sources: tuple[Source, ...] = ()
    model: str = ""
