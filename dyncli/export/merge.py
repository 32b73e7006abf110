"""Paths of one model become one ONNX graph: decisions are `If`, arms meet where their state is equal, loops are `Loop`.

The paths run side by side, a `Cursor` each.  While they do the same, one node stands for all of them.
At a decision they part; an arm that no path took says `captured = False`.
Where a region ends in the same state of Python in all of its paths, what follows is the same function of the tensors:
the arms meet there, and what differs are the outputs of the `If`.  Iterations that begin in one state are one body.
Where states differ, paths stay apart: the graph is larger, and still right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dyncli.export.cursors import (
    Cursor,
    Operand,
    Summary,
    Target,
    agree,
    common,
    define,
    find,
    numpy_of,
    pass_mark,
    pass_marks,
)
from dyncli.export.loops import merge_loop
from dyncli.export.nodes import Nodes, SizesDiffer, has_shape
from dyncli.export.onnx_graph import BOOL, DOUBLE, INT64, Graph, element_type
from dyncli.export.ops import Mismatch, Refusal
from dyncli.export.runs import Run

DEEPEST = 30  # nested arms: Protocol Buffers refuse more
_ENDS = {"begin": ("end",), "loop": ("exit",), "iteration": ("iteration", "exit")}  # marks that end a region
_COMPARE = {"<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual", "==": "Equal", "!=": "Equal"}


class Merger:
    """Merges runs of one structure.

    merging: let arms and iterations meet.  depth: in how many nodes the graph stands.
    """

    def __init__(self, runs: list[Run], nodes: Nodes, summary: Summary, *, merging: bool, depth: int) -> None:
        self.nodes = nodes
        self.weights = nodes.weights
        self.summary = summary
        self._runs = runs
        self._merging = merging
        self.depth = depth  # of nodes inside one another

    def build(self, graph: Graph, names: list[str]) -> list[str]:
        """Add the nodes of all paths; return the names of the outputs, in this order, and of `captured`."""
        first = self._runs[0]
        values = [first.outputs[name] for name in names]
        for run in self._runs[1:]:
            for name, value in zip(names, values):
                other = run.outputs.get(name)
                if other is None or set(run.outputs) != set(names):
                    raise Refusal("returns other outputs for other inputs", "?")
                if other.dtype != value.dtype:
                    kinds = numpy_of(value), numpy_of(other)
                    raise Refusal("returns `{}` as {} for some inputs and as {} for others".format(name, *kinds), "?")
        types = [element_type(numpy_of(each)) for each in values]

        def end(inner: Graph, cursors: list[Cursor]) -> list[str]:
            made = [self.nodes.same(cursors, [c.run.outputs[name] for c in cursors]) for name in names]
            self.nodes.guard_arrays(inner, cursors, made)
            return [*made, self.nodes.captured(inner, cursors)]

        def unseen(inner: Graph, label: str) -> list[str]:
            made = [self.nodes.unseen(inner, self._runs, [run.outputs[name] for run in self._runs]) for name in names]
            return [*made, self.weights.constant(np.array(False))]

        cursors = [self.nodes.cursor(run) for run in self._runs]
        return self.run(graph, cursors, Target([*types, BOOL], end, unseen))

    # -- nodes

    def run(self, graph: Graph, cursors: list[Cursor], target: Target) -> list[str]:
        """Add what the cursors do from here to the end of their nodes."""
        while True:
            self._iterations(graph, cursors)
            for cursor in cursors:
                pass_marks(cursor)
            heads = [cursor.head for cursor in cursors]
            if all(each is None for each in heads):
                return target.end(graph, cursors)
            kinds = {type(each).__name__ for each in heads}
            if "Mark" in kinds:
                self._enter(graph, cursors, heads)
            elif len(kinds) > 1:
                site = next((each.site for each in heads if hasattr(each, "site")), None)
                raise Mismatch("paths go on differently without a decision", self.nodes.shown(site) if site else "")
            elif kinds == {"Decided"}:
                return self._decide(graph, cursors, heads, target)
            else:
                before = self._state(graph, cursors)
                try:
                    self.nodes.add(graph, cursors, heads)
                except SizesDiffer as error:
                    self._back_to(before, graph, cursors)
                    return self._parted_by_shape(graph, cursors, error.values, target)
                except Mismatch as error:
                    error.line = self.nodes.shown(heads[0].site)
                    raise
                for cursor in cursors:
                    cursor.pos += 1

    def _state(self, graph: Graph, cursors: list[Cursor]) -> Any:
        counts = self.summary.branches, self.summary.loops, self.weights.nodes
        return len(graph.nodes), counts, [each.captured for each in cursors]

    def _back_to(self, state: Any, graph: Graph, cursors: list[Cursor]) -> None:
        """Forget what was added since `_state`."""
        nodes, counts, captured = state
        del graph.nodes[nodes:]
        graph.required.clear()
        self.summary.branches, self.summary.loops, self.weights.nodes = counts
        for cursor, names in zip(cursors, captured):
            cursor.captured = names

    def _enter(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> None:
        """Enter a region: as one where all paths do, else step over the mark."""
        marks = {(each.kind, each.key) for each in heads if type(each).__name__ == "Mark"}
        alike = self._merging and len(marks) == 1 and all(type(each).__name__ == "Mark" for each in heads)
        if alike and heads[0].kind == "loop" and self._attempt(merge_loop, graph, cursors, heads):
            return
        if alike and self._attempt(Merger._region, graph, cursors, heads):
            return
        for cursor, head in zip(cursors, heads):
            if type(head).__name__ == "Mark":
                cursor.pos += 1

    def _iterations(self, graph: Graph, cursors: list[Cursor]) -> None:
        """Let arms meet at the end of an iteration of a loop that is unrolled, as `continue` leads there."""
        heads: list[Any] = [cursor.head for cursor in cursors]
        if not self._merging or any(type(each).__name__ != "Mark" or each.kind != "iteration" for each in heads):
            return
        if len({each.key for each in heads}) > 1:
            return
        for cursor in cursors:
            pass_mark(cursor)
            cursor.pos -= 1  # a region begins at its mark
        while heads[0].kind == "iteration" and self._attempt(Merger._region, graph, cursors, heads):
            for cursor in cursors:
                cursor.pos -= 1
            heads = [cursor.head for cursor in cursors]
        for cursor in cursors:
            cursor.pos += 1

    def _attempt(self, merge: Callable[..., bool], graph: Graph, cursors: list[Cursor], heads: list[Any]) -> bool:
        """Merge what begins at these marks; return False, and leave nothing behind, where that is not possible."""
        before = self._state(graph, cursors)
        try:
            return merge(self, graph, cursors, heads)
        except Mismatch:
            self._back_to(before, graph, cursors)
            return False

    # -- decisions

    def _decide(self, graph: Graph, cursors: list[Cursor], heads: list[Any], target: Target) -> list[str]:
        """Part the paths by the outcome of their decision."""
        first = heads[0].decision
        if any((each.decision.how, each.decision.comparison) != (first.how, first.comparison) for each in heads):
            raise Mismatch("decisions differ")
        operands = [
            self.nodes.meet(cursors, [each.decision.operands[k] for each in heads]) for k in range(len(first.operands))
        ]
        graph.at(first.site, self.nodes.display(first.site.file))
        arms: dict[Any, list[Cursor]] = {}
        for cursor, head in zip(cursors, heads):
            arms.setdefault(head.outcome, []).append(cursor)
            cursor.pos += 1
        if len(arms) == 1 and all(each.name in self.nodes.fixed for each in operands):
            return self.run(graph, cursors, target)
        return self._parted(graph, first, operands, arms, target)

    @contextmanager
    def nested(self, line: str) -> Iterator[None]:
        """Add what stands inside one more node.  Raises Refusal where a file cannot hold that."""
        if self.depth >= DEEPEST:
            raise Refusal(f"has more than {DEEPEST} decisions inside one another", line)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def _parted(self, graph: Graph, decision: Any, operands: list[Operand], arms: Any, target: Target) -> list[str]:
        label = graph.line

        def arm(outcome: Any) -> tuple[Graph, list[str]]:
            inner = graph.inner()
            known = outcome in arms
            key = label, str(outcome)
            self.summary.arms[key] = known or self.summary.arms.get(key, False)
            return inner, self.run(inner, arms[outcome], target) if known else target.unseen(inner, label)

        if decision.how == "bool" or decision.comparison is not None or decision.how == "equal":
            condition = self._condition(graph, decision, operands)
            self.summary.branches += 1
            with self.nested(label):
                return graph.branch(condition, arm(True), arm(False), target.types)
        if decision.how not in ("item", "float", "int", "index"):
            raise Refusal(f"takes values out with `{decision.how}`", label)

        if len(arms) > DEEPEST:
            raise Refusal(f"reads a number that had {len(arms)} values, each its own path", label)
        is_it = lambda inner, outcome: _is_number(inner, operands[0], outcome)
        return self._chain(graph, sorted(arms, key=repr), is_it, arm, target)

    def _chain(
        self, graph: Graph, outcomes: list[Any], condition: Callable[[Graph, Any], str],
        arm: Callable[[Any], tuple[Graph, list[str]]], target: Target,
    ) -> list[str]:  # fmt: skip
        """Add an `If` for each outcome inside the one before; none of them was never seen."""
        label = graph.line
        if not outcomes:
            return target.unseen(graph, label)
        other = graph.inner()
        self.summary.branches += 1
        found = condition(graph, outcomes[0])
        with self.nested(label):
            rest = other, self._chain(other, outcomes[1:], condition, arm, target)
            return graph.branch(found, arm(outcomes[0]), rest, target.types)

    def _parted_by_shape(self, graph: Graph, cursors: list[Cursor], values: list[Any], target: Target) -> list[str]:
        """Part the paths by the shape of a value."""
        if not target.types:
            raise Mismatch("the loop's start decides something")
        name = self.nodes.same(cursors, values)
        arms: dict[Any, list[Cursor]] = {}
        for cursor, value in zip(cursors, values):
            arms.setdefault(tuple(value.shape), []).append(cursor)
        if len(arms) > DEEPEST:
            raise Refusal(f"reads a shape that differed in {len(arms)} ways, each its own path", graph.line)

        def arm(shape: Any) -> tuple[Graph, list[str]]:
            inner = graph.inner()
            self.summary.arms[graph.line, f"shape {list(shape)}"] = True
            return inner, self.run(inner, arms[shape], target)

        return self._chain(graph, sorted(arms), lambda inner, shape: has_shape(inner, name, shape), arm, target)

    @staticmethod
    def _condition(graph: Graph, decision: Any, operands: list[Operand]) -> str:
        name = operands[0].name
        if decision.how == "equal":
            same = graph("Equal", name, operands[1].name)
            whole = graph("ReduceMin", graph("Cast", same, to=INT64), keepdims=0)
            return graph("Cast", whole, to=BOOL)
        if operands[0].rank:
            name = graph("Reshape", name, np.zeros(0, np.int64))
        if decision.comparison is None:
            return graph("Cast", name, to=BOOL) if operands[0].dtype != np.bool_ else name
        symbol, number = decision.comparison
        found = graph(_COMPARE[symbol], graph("Cast", name, to=DOUBLE), np.float64(number))
        return graph("Not", found) if symbol == "!=" else found

    # -- regions

    def _region(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> bool:
        """Merge an `if`, a function, a loop or an iteration: True if its arms meet in one state."""
        found_places = [find(cursor, head, *_ENDS[head.kind]) for cursor, head in zip(cursors, heads)]
        places = [each for each in found_places if each is not None]
        if len(places) < len(cursors) or not any(
            type(node).__name__ == "Decided" for c, k in zip(cursors, places) for node in c.nodes[c.pos : k]
        ):
            return False
        ends = [cursor.nodes[place] for cursor, place in zip(cursors, places)]
        if len({each.kind for each in ends}) > 1 or not agree(ends):
            return False
        subs = [
            Cursor(c.run, c.nodes[:place], c.pos + 1, dict(c.env), (), end)
            for c, place, end in zip(cursors, places, ends)
        ]
        outside = common(subs)
        varying = [name for name, known in outside.items() if known is None]
        kinds = [[numpy_of(end.leaves[name][0]) for name in varying] for end in ends]
        if any(each != kinds[0] for each in kinds):
            return False

        def end(inner: Graph, found: list[Cursor]) -> list[str]:
            made = [self.nodes.same(found, [c.end.leaves[name][0] for c in found]) for name in varying]
            self.nodes.guard_arrays(inner, found, made)
            return [*made, self.nodes.captured(inner, found)]

        def unseen(inner: Graph, label: str) -> list[str]:
            runs = [cursor.run for cursor in cursors]
            zeros = [self.nodes.unseen(inner, runs, [end.leaves[name][0] for end in ends]) for name in varying]
            return [*zeros, self.weights.constant(np.array(False))]

        made = self.run(graph, subs, Target([*map(element_type, kinds[0]), BOOL], end, unseen))
        for cursor, place, mark in zip(cursors, places, ends):
            cursor.pos = place + 1
            cursor.captured = (*cursor.captured, made[-1])
            define(cursor, mark, {**outside, **dict(zip(varying, made))})
        return True


def _is_number(graph: Graph, operand: Operand, outcome: Any) -> str:
    """Return whether a value is the number that Python read."""
    name = graph("Reshape", operand.name, np.zeros(0, np.int64)) if operand.rank else operand.name
    if isinstance(outcome, (bool, int)):
        return graph("Equal", graph("Cast", name, to=INT64), np.int64(outcome))
    number = np.float64(outcome[1])
    double = graph("Cast", name, to=DOUBLE)
    if np.isnan(number):
        return graph("IsNaN", double)
    return graph("Equal", double, number)
