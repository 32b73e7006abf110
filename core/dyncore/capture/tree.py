"""The tree of recorded paths: straight runs of steps, and at the end of each a decision or what the call returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .steps import Decision, Node, Refused, Slot, slots_in


class Segment:
    """A part of a path's graph that is one node of the user's graph: its entries, newest last.

    outputs: (entry, output number) of the gradients that come in.  ends: where gradients go: ("tensor", number), or
    ("segment", number, output) in an older part.  sources: where a run finds the edges of these.
    repeated: the ends that several gradients go to.
    """

    def __init__(self, number: int, entries: list[Any]) -> None:
        self.number = number
        self.entries = entries
        self.outputs: list[tuple[Any, int]] = []
        self.ends: list[Any] = []
        self.frees = any(entry.op.frees for entry in entries)
        self.wants = {slot.number for entry in entries for slot in slots_in(entry.saved)}
        self.repeated: list[int] = []
        self.plans: dict[Any, Any] = {}
        self.straight: dict[Any, Any] = {}  # by the class of a loss's number: its backward, False if there is none
        self.watched: list[tuple[str, int]] = []
        self.path: Any = None
        self.kind: Any = None  # the class of its nodes
        self.sources: list[Any] = []

    def output(self, entry: Any, index: int) -> int:
        """Return the number of an output, added if it is new."""
        for number, (own, place) in enumerate(self.outputs):
            if own is entry and place == index:
                return number
        self.outputs.append((entry, index))
        return len(self.outputs) - 1

    def end(self, key: Any) -> int:
        if key not in self.ends:
            self.ends.append(key)
        return self.ends.index(key)


def segments_of(graph: list[Any], outputs: list[Any]) -> list[Segment]:
    """Return the graph cut behind every output that another output was computed from.

    Such an output's gradient is complete only when what came after it has run; hooks on it, `retain_grad` and
    `autograd.grad` with respect to it then see what they see without `compile`.
    """
    consumed = {to[1].number for entry in graph for to in entry.to if to is not None and to[0] == "node"}
    cuts = sorted({e.entry.number for e in outputs if e.entry is not None and e.entry.number in consumed})
    bounds = [*(cut + 1 for cut in cuts), graph[-1].number + 1]
    made: list[Segment] = []
    start = 0
    for bound in bounds:
        entries = [entry for entry in graph if start <= entry.number < bound]
        start = bound
        if entries:
            made.append(Segment(len(made), entries))
    of = {entry.number: segment for segment in made for entry in segment.entries}
    for each in outputs:
        if each.entry is not None:
            segment = of[each.entry.number]
            each.segment, each.output = segment.number, segment.output(each.entry, each.index)
    for segment in reversed(made):
        counts: Counter[int] = Counter()
        for entry in segment.entries:
            for to in entry.to:
                if to is None:
                    continue
                if to[0] == "tensor":
                    counts[segment.end(to)] += 1
                elif of[to[1].number] is not segment:
                    older = of[to[1].number]
                    counts[segment.end(("segment", older.number, older.output(to[1], to[2])))] += 1
        segment.repeated = [end for end, count in counts.items() if count > 1]
    return made


class Path:
    """One recorded way through the function.

    result: the tree of what it returns.  outputs: the `Returned` of its fresh tensors in order.  saved: slots that
    backward wants; `kept` are handed over at each run, the others are in buffers at `places`.
    """

    def __init__(self, number: int, tape: Any, result: Any, outputs: list[Any], positions: list[int]) -> None:
        self.number = number
        self.result = result
        self.outputs = outputs
        self.graph = _reached(tape.graph, [each.entry for each in outputs if each.entry is not None])
        self.random = tape.trace.random
        self.decisions = [each for each in tape.trace.steps if each.__class__ is Decision]
        self.steps = len(tape.trace.steps) - len(self.decisions)
        self.positions = positions
        self.writes = [(each.slot.place, each.writes) for each in tape.externals if each.writes]
        self.written = set(tape.writes)
        self.alias: dict[int, Slot] = {}
        self.hits = [0]
        self.buffers: Any = None  # where `places` are
        self.renew()

    def renew(self) -> Path:
        """Drop what belongs to the text it was written to."""
        self.places: dict[int, int] = {}
        self.holds = False  # whether backward wants something of the workspace
        self.kept: list[int] = []
        self.watched: list[tuple[str, int]] = []
        self.saved = _saved(self.graph)
        self.segments = segments_of(self.graph, self.outputs) if self.graph else []
        for segment in self.segments:
            segment.path = self
            segment.sources = [self.positions[e[1]] if e[0] == "tensor" else (e[1], e[2]) for e in segment.ends]
        return self


def _reached(graph: list[Any], ends: list[Any]) -> list[Any]:
    """Return the nodes that lead to what is returned: the others are gone when an ordinary call is over."""
    found = {entry.number for entry in ends}
    for entry in reversed(graph):
        if entry.number in found:
            found.update(to[1].number for to in entry.to if to is not None and to[0] == "node")
    return [entry for entry in graph if entry.number in found]


def _saved(graph: list[Any]) -> list[Slot]:
    found: dict[int, Slot] = {}
    for entry in graph:
        for slot in slots_in(entry.saved):
            if slot.kind != "constant" or slot.fresh:
                found[slot.number] = slot
    return list(found.values())


class Branch:
    """Steps that always run together.  Then `decision` with one child for each outcome seen, or `end`.

    nodes: of a recorded branch, what the function did; `recorded_steps` are the steps of these.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.steps: list[Any] = []
        self.decision: Decision | None = None
        self.outcome: Any = None  # the value that led here
        self.children: dict[Any, Branch] = {}
        self.end: Path | None = None

    def recorded_steps(self) -> list[Any]:
        """Return the steps of the nodes."""
        return [step for node in self.nodes for step in node.steps]

    def size(self) -> int:
        """Return the number of steps in this branch and below."""
        return sum(len(each.steps) + 1 for each in self.walk())

    def walk(self) -> Iterator[Branch]:
        """Yield this branch and all below it."""
        stack = [self]
        while stack:
            each = stack.pop()
            yield each
            stack.extend(each.children.values())


def insert(root: Branch, items: list[Any], path: Path) -> None:
    """Add a recorded path.  Raises Refused if it differs from another before a decision between them differs."""
    branch, at = root, 0
    new = not root.nodes and root.decision is None
    for item in items:
        if new:
            if item.__class__ is Node:
                branch.nodes.append(item)
                continue
            branch.decision = item
        elif item.__class__ is Node and item.kind == "read":
            continue  # what is read of shapes follows from the arguments
        else:
            while at < len(branch.nodes) and branch.nodes[at].kind == "read":
                at += 1
            if item.__class__ is Node:
                _agree(branch.nodes[at] if at < len(branch.nodes) else None, item)
                at += 1
                continue
            if at != len(branch.nodes) or branch.decision is None or item.signature() != branch.decision.signature():
                raise Refused("did other things after the same decisions")
            _share_copies(branch.decision.slots, item.slots)
        child = branch.children.get(item.outcome)
        if child is None:
            child = branch.children[item.outcome] = Branch()
            child.outcome = item.value
            new = True
        branch, at = child, 0
    if not new:
        raise Refused("did other things after the same decisions")
    branch.end = path


def _agree(held: Node | None, node: Node) -> None:
    """Raise Refused unless two nodes have the same steps."""
    if held is None or len(held.steps) != len(node.steps):
        raise Refused("did other things after the same decisions")
    for first, second in zip(held.steps, node.steps, strict=True):
        if first.signature() != second.signature():
            raise Refused("did other things after the same decisions")
        _share_copies((first.args, first.kwargs, first.outs), (second.args, second.kwargs, second.outs))


def _share_copies(held: Any, given: Any) -> None:
    """Let a constant that one path has to copy be copied by all."""
    for first, second in zip(slots_in(held), slots_in(given), strict=True):
        first.fresh = second.fresh = first.fresh or second.fresh
        first.root.fresh = second.root.fresh = first.root.fresh or second.root.fresh
