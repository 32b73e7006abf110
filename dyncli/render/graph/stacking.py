"""Which boxes of a picture stand one above the other, so that what ran later is further down and not further right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from dyncli.analysis.graph import Graph
from dyncli.render.graph.rows import DOWNWARDS, below_each_other, columns, rows

#: In points: 1,900 pixels of a screen.
WIDEST = 1425.0


def stacked(graph: Graph, tall: bool = False) -> Iterator[tuple[str, str]]:
    """Yield pairs of nodes, the second to stand below the first: the ends of one box and the beginnings of the next.

    A box is below another beside it if an edge leads from that one to it; a layout program would else put every two
    side by side that have a row in common.  The steps of a loop, drawn one by one, go down like stairs.  A test that no
    op feeds is below what came before it.
    tall: so are calls, loops, kinds of step and tests that came one after the other, and whatever has nothing to do
    with what stands beside it; many leaves of one op, and results that nothing reads, stand in columns.
    """
    parents = {box.id: box.parent for box in graph.boxes}
    around = {node.id: chain(node.box, parents) for node in graph.nodes}
    edges = [
        (edge.source, edge.target) for edge in graph.edges if edge.kind in DOWNWARDS and edge.source != edge.target
    ]
    inside: dict[str, list[str]] = {box.id: [] for box in graph.boxes}
    for node in graph.nodes:
        for name in around[node.id]:
            inside[name].append(node.id)
    beside: dict[str | None, dict[str, set[str]]] = {}
    for source, target in edges:
        place, one, other = _apart(source, target, around)
        beside.setdefault(place, {}).setdefault(one, set()).add(other)
    turns = _in_turn(graph)
    if not tall:
        fed = {edge.target for edge in graph.edges if edge.kind in ("predicate", "asked again", "taken", "left")}
        floating = {node.id for node in graph.nodes if node.kind == "decision" and node.id not in fed}
        turns = {place: [pair for pair in pairs if pair[1] in floating] for place, pairs in turns.items()}
    tests = {node.id: [node.id] for node in graph.nodes if node.kind == "decision"}
    inside |= tests if tall else {}
    ends = inside | tests
    steps = {box.id for box in graph.boxes if box.kind == "kind" and box.name.startswith("iteration ")}
    pairs: list[tuple[str, str]] = []
    for place in dict.fromkeys([*beside, *turns]):
        leads = beside.setdefault(place, {})
        wanted = [(one, other) for one in leads for other in sorted(leads[one]) if one in inside and other in inside]
        wanted = [pair for pair in wanted if tall or not steps.issuperset(pair)]
        wanted += turns.get(place, ())
        for one, other in dict.fromkeys(wanted):
            if not _reaches(other, one, leads):
                leads.setdefault(one, set()).add(other)
                pairs += below_each_other(graph, ends[one], ends[other])
    yield from pairs
    if tall:
        yield from rows(graph, around, WIDEST, pairs)
        yield from columns(graph)


def _in_turn(graph: Graph) -> dict[str | None, list[tuple[str, str]]]:
    """Return for each box the pairs of boxes and of tests in it that came one after the other."""
    parents = {box.id: box.parent for box in graph.boxes}
    boxes = {box.id for box in graph.boxes if box.kind in ("call", "module", "loop", "kind")}
    turns: dict[str | None, dict[str, None]] = {}
    for node in graph.nodes:
        inside = chain(node.box, parents)
        for place, name in zip((None, *inside), (*inside, node.id)):
            if name in boxes or (name == node.id and node.kind == "decision"):
                turns.setdefault(place, {})[name] = None
    return {place: list(pairwise(names)) for place, names in turns.items()}


def chain(box: str | None, parents: dict[str, str | None]) -> tuple[str, ...]:
    """Return the boxes around a node, the outermost first."""
    found: list[str] = []
    while box is not None:
        found.append(box)
        box = parents[box]
    return tuple(reversed(found))


def _apart(source: str, target: str, around: dict[str, tuple[str, ...]]) -> tuple[str | None, str, str]:
    """Return the innermost box around both nodes, and what stands in it that is or holds each of them."""
    one, other = (*around[source], source), (*around[target], target)
    depth = next(place for place, (a, b) in enumerate(zip(one, other)) if a != b)
    return (one[depth - 1] if depth else None), one[depth], other[depth]


def _reaches(start: str, end: str, leads: dict[str, set[str]]) -> bool:
    seen, pending = {start}, [start]
    while pending:
        for each in leads.get(pending.pop(), ()):
            if each == end:
                return True
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return False
