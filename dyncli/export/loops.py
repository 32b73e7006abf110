"""Iterations of a loop that begin in one state become the body of one ONNX `Loop`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import helper

from dyncli.export.cursors import Cursor, Target, agree, common, define, find, numpy_of, unchanged
from dyncli.export.onnx_graph import BOOL, INT64, Graph, element_type
from dyncli.export.ops import Mismatch

Merger = Any  # `merge.Merger`, which imports this module


def merge_loop(merger: Merger, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> bool:
    """Add a loop that all cursors enter; return False if its iterations do not begin in one state.

    Raises Mismatch where iterations in one state do different things without a decision.
    """
    found = [find(cursor, head, "exit") for cursor, head in zip(cursors, heads)]
    exits = [each for each in found if each is not None]
    if len(exits) < len(cursors):
        return False
    starts, turns = [], []
    for cursor, head, last in zip(cursors, heads, exits):
        marks = [k for k in range(cursor.pos, last) if _begins_iteration(cursor.nodes[k], head)]
        starts.append(marks[0])
        for begin, stop in zip(marks, [*marks[1:], last]):
            turn = Cursor(cursor.run, cursor.nodes[:stop], begin + 1, {}, (), cursor.nodes[stop], stop == last)
            turn.start = cursor.nodes[begin]
            turns.append((cursor, turn))
    if not agree([turn.start for _, turn in turns]) or not agree([turn.end for _, turn in turns if turn.leaves_loop]):
        return False
    _add_front(merger, graph, cursors, starts)
    _Loop.of(merger, cursors, turns, starts).add(graph, cursors, exits)
    return True


def _begins_iteration(node: Any, head: Any) -> bool:
    return type(node).__name__ == "Mark" and node.instance == head.instance and node.kind == "iteration"


def _add_front(merger: Merger, graph: Graph, cursors: list[Cursor], starts: list[int]) -> None:
    """Add what stands before the first iteration: constants made values, and the start of the source."""
    fronts = [Cursor(c.run, c.nodes[:start], c.pos + 1, c.env) for c, start in zip(cursors, starts)]
    if any(type(node).__name__ == "Decided" for front in fronts for node in front.nodes[front.pos :]):
        raise Mismatch("the loop's start decides something")
    merger.run(graph, fronts, Target([], lambda inner, found: [], lambda inner, label: []))
    for cursor, front in zip(cursors, fronts):
        cursor.captured = (*cursor.captured, *front.captured)


@dataclass(frozen=True, slots=True)
class _Loop:
    """Variables of a loop by name.

    carried: those that an iteration changes, with their name in the body.  late: those that the last iteration makes.
    behind: what variables are behind the loop, by a name in the body or from before.  initial: names before the loop.
    types: the element types of carried and late variables.
    """

    merger: Merger
    turns: list[Cursor]
    carried: dict[str, str]
    late: dict[str, str]
    behind: dict[str, str]
    initial: dict[str, str]
    types: list[int]

    @classmethod
    def of(cls, merger: Merger, cursors: list[Cursor], turns: list[Any], starts: list[int]) -> _Loop:
        """Return the loop of these turns, (cursor, iteration) each; names every variable in them."""
        every = [turn for _, turn in turns]
        names = list(every[0].start.leaves)
        # Also what only last iterations change: a further input may go on after what they did.
        changing = [n for n in names if not all(_keeps(turn, n) for turn in every)]
        first = [cursor.nodes[start] for cursor, start in zip(cursors, starts)]
        initial = {n: merger.nodes.same(cursors, [mark.leaves[n][0] for mark in first]) for n in names}
        lasts = [turn for turn in every if turn.leaves_loop]
        carried = {n: merger.weights.fresh(f"{n}_before") for n in changing}
        for cursor, turn in turns:
            turn.env = dict(cursor.env)
            define(turn, turn.start, {n: carried.get(n, initial[n]) for n in names})
        found = common(lasts)
        late = {name: merger.weights.fresh(f"{name}_last") for name, known in found.items() if known is None}
        behind = {name: known or late[name] for name, known in found.items()}
        first_values = [every[0].start.leaves[n][1] for n in changing], [lasts[0].end.leaves[n][0] for n in late]
        kinds = [[numpy_of(value) for value in values] for values in first_values]
        for turn in every:
            made = [numpy_of(turn.end.leaves[n][0]) for n in (late if turn.leaves_loop else changing)]
            if made != kinds[turn.leaves_loop]:
                raise Mismatch("a number is whole after some iterations and a float after others")
        types = [element_type(kind) for kind in kinds[0] + kinds[1]]
        return cls(merger, every, carried, late, behind, initial, types)

    def add(self, graph: Graph, cursors: list[Cursor], exits: list[int]) -> None:
        """Add the `Loop` and move the cursors behind it."""
        merger = self.merger
        site = cursors[0].head.site
        graph.at(site, merger.nodes.display(site.file))
        body = self._body(graph)
        runs, ends = [cursor.run for cursor in cursors], [cursor.nodes[last] for cursor, last in zip(cursors, exits)]
        unmade = [merger.nodes.unseen(graph, runs, [end.leaves[n][0] for end in ends]) for n in self.late]
        starting = [*(self.initial[n] for n in self.carried), *unmade]
        true = merger.weights.constant(np.array(True))
        going = merger.nodes.captured(graph, cursors)
        made = graph("Loop", "", going, *starting, true, outputs=len(starting) + 1, body=body)
        made = made if isinstance(made, list) else [made]
        merger.summary.loops += 1
        known = dict(zip((*self.carried.values(), *self.late.values()), made))
        names = {name: known.get(each, each) for name, each in self.behind.items()}
        for cursor, last in zip(cursors, exits):
            cursor.captured = (*cursor.captured, made[-1])
            define(cursor, cursor.nodes[last], names)
            cursor.pos = last + 1

    def _body(self, graph: Graph) -> Any:
        """Return the graph of one iteration."""
        merger, weights = self.merger, self.merger.weights
        before = weights.fresh("captured_before")
        passed = [*self.carried.values(), *self.late.values()]
        false = weights.constant(np.array(False))

        def end(inner: Graph, found: list[Cursor]) -> list[str]:
            if len({c.leaves_loop for c in found}) > 1:
                raise Mismatch("some iterations end the loop and others do not, without a decision")
            names = self.late if found[0].leaves_loop else self.carried
            made = [merger.nodes.same(found, [c.end.leaves[n][0] for c in found]) for n in names]
            merger.nodes.guard_arrays(inner, found, made)
            captured = merger.nodes.captured(inner, found, before)
            if found[0].leaves_loop:
                return [false, *self.carried.values(), *made, captured]
            return [captured, *made, *self.late.values(), captured]  # what is not captured may never end

        def unseen(inner: Graph, label: str) -> list[str]:
            return [false, *passed, false]

        body = graph.inner()
        with merger.nested(graph.line):
            outs = merger.run(body, self.turns, Target([BOOL, *self.types, BOOL], end, unseen))
        infos = [
            helper.make_tensor_value_info(weights.fresh("iteration"), INT64, []),
            helper.make_tensor_value_info(weights.fresh("going"), BOOL, []),
            *(helper.make_tensor_value_info(name, kind, None) for name, kind in zip(passed, self.types)),
            helper.make_tensor_value_info(before, BOOL, []),
        ]
        return body.sealed("body", outs, [BOOL, *self.types, BOOL], infos)


def _keeps(turn: Cursor, name: str) -> bool:
    """Return whether an iteration ends with the value that it began with."""
    start: int = turn.start.leaves[name][1].number
    return unchanged(turn, _last(turn, name), (start,)) == start


def _last(turn: Cursor, name: str) -> Any:
    """Return the value at the end, or where the name last stood if nothing behind the loop reads it."""
    if name in turn.end.leaves:
        return turn.end.leaves[name][0]
    marks = [node for node in turn.nodes[turn.pos :] if type(node).__name__ == "Mark" and name in node.leaves]
    return (marks[-1] if marks else turn.start).leaves[name][1]
