"""One run, read straight off its decision log: which path it took, how deep it went, how near it came to a flip.

    observer = Observer(program)
    observer.begin()
    ...                                  # run instrumented code that writes to `log`
    observer.follow(log, turn)           # or `feed(log)` now and then while the run goes on: it takes the log away
    observer.path, observer.deepest, observer.near

A path is a tuple of integers (`tables`): equal runs give equal tuples, so what follows from it is worked out once.
Nothing but integers is kept; an entry costs 0.3 us, a tenth of what replaying it into a record does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from dyncli.coverage.path_cache import Known, Recall
from dyncli.coverage.point_tables import (
    BACKWARD,
    FIRST,
    LEFT_OUT,
    LOOP,
    RAISED,
    SPAN,
    VALUE,
    WHILE,
    Tables,
)  # fmt: skip
from dyncli.instrument.program import Kind, Program
from dyncli.instrument.runtime.condition_probes import RecordedOperand, Verdict
from dyncli.recorder.decisions.finish import condition_margin, formula_margin
from dyncli.recorder.provenance.call_frames import Caller
from dyncli.recorder.provenance.provenance import Comparisons, comparison_of, is_data

LONGEST_PATH = 4_000_000  # tokens; what a longer run decides after that is counted only
FAR = math.inf
Near = tuple[float, float, str]


class Observer:
    """Follows the log of one run after another.

    worst: for each construct, the distance that a run must come below to be kept.
    calls: how often each function was called since the observer was made, but for runs that were recognised.
    known: what the run was recognised as, if it was.
    deepest: function -> how many call frames of itself lay below the deepest, where any did.
    near: construct -> (distance, margin, arm) of the evaluation nearest to a flip, where it is below `worst`; of a
    test of several comparisons, of those evaluations that came to one of data, if any did.
    behind: places in the log of tested truths, and of the comparisons whose results they are, with the operators.
    look: called with the log of each run before it is read.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.tables = Tables(program)
        self.worst: list[float] = []
        self.calls: list[int] = []
        self.recall = Recall(self.tables)
        self.look: Callable[[list[Any]], None] | None = None
        self.begin()

    def begin(self) -> None:
        """Reset the state of the run before."""
        self.tokens: list[Any] = []
        self.opened: dict[tuple[int, int], int] = {}
        self.waiting: dict[tuple[int, int], list[tuple[int, str | None, Any, Any, bool]]] = {}
        self.comparisons = Comparisons(self.program)
        self.behind: dict[int, tuple[int, str | None]] = {}
        self.before = 0  # items of the log that were read and taken away
        self.stack: list[int] = []
        self.places: dict[int, int] = {}
        self.function_of: dict[int, int] = {}
        self.callers: dict[int, Caller] = {}
        self.active: dict[int, int] = {}
        self.deepest: dict[int, int] = {}
        self.near: dict[int, Near] = {}
        self.on_data: dict[int, set[int]] = {}  # construct -> its comparisons of data
        self.reached: dict[int, dict[tuple[int, ...], Near]] = {}  # construct -> the comparisons made -> the nearest
        self.left_out = 0
        self.path: tuple[Any, ...] = ()
        self.is_fed = False
        if len(self.tables.kinds) != len(self.program.points):
            self.tables.grow()
        if len(self.worst) != len(self.program.constructs):
            self.worst += [FAR] * (len(self.program.constructs) - len(self.worst))
        self.calls += [0] * (len(self.program.functions) - len(self.calls))
        self.known: Known | None = None
        self.called_before = self.calls[:]

    def called(self) -> dict[int, int]:
        """Return how often each function was called in a run that was not recognised."""
        before = self.called_before + [0] * (len(self.calls) - len(self.called_before))
        return {number: now - then for number, (now, then) in enumerate(zip(self.calls, before)) if now != then}

    def follow(self, log: list[Any], turn: int | None = None) -> None:
        """Read the log of a finished run, and empty it.

        turn: how long the log was when backward began: what is decided after that is no part of the path, though its
        arms are taken.
        """
        if self.look is not None:
            self.look(log)
        if self.is_fed:
            self.feed_all(log, turn)
            self._nearest()
            self.path = (*self.tokens, LEFT_OUT, self.left_out) if self.left_out else tuple(self.tokens)
            return
        known = self.known = self.recall.find(log, turn)
        if known is not None:
            known.count += 1
            self.path, self.deepest, self.near = known.path, known.deepest, known.nearer(log, self.worst)
            log.clear()
            return
        whole = log[:]
        self.feed_all(log, turn)
        self._nearest()
        self.path = (*self.tokens, LEFT_OUT, self.left_out) if self.left_out else tuple(self.tokens)
        if not self.left_out:
            self.recall.learn(whole, turn, self.path, self.deepest, self.behind)

    def feed_all(self, log: list[Any], turn: int | None) -> None:
        """Read the log so far and empty it; backward began when it had `turn` items."""
        if turn is None:
            self.feed(log)
            return
        after = log[turn:]
        del log[turn:]
        self.feed(log)
        self.tokens.append(BACKWARD)
        self.feed(after)

    def feed(self, log: list[Any]) -> None:
        """Go through the log, which holds whole entries, and empty it."""
        self.is_fed = True
        tables = self.tables
        if len(tables.kinds) != len(self.program.points):
            self._grow()
        kinds, keys, widths = tables.kinds, tables.keys, tables.widths
        measures, is_while, constants = tables.measures, tables.is_while, self.program.constants
        tokens, opened = self.tokens, self.opened
        current = self.stack[-1] if self.stack else None
        at, end = 0, len(log)
        while at < end:
            point, call_id = log[at], log[at + 1]
            kind = kinds[point]
            if kind == Kind.ENTER:
                self._enter(call_id, tables.functions[point], (log[at + 4], log[at + 5]))
                current = call_id
                at += 6
                continue
            if call_id != current:
                self._switch(call_id)
                current = call_id
            if kind == Kind.SINGLE:
                left, right, outcome = log[at + 2], log[at + 3], log[at + 4]
                key = keys[point]
                if outcome is True:
                    tokens.append(tables.true[point])
                elif outcome is False:
                    tokens.append(tables.false[point])
                else:
                    outcome = self._verdict(point, outcome)
                if measures[point] and outcome is not None:
                    if measures[point] == VALUE:
                        op, left, right = self._behind(point, call_id, left, at)
                    else:
                        op = tables.ops[point]
                    self._measure(key, op, left, right, outcome, point)
                if outcome and is_while[point]:
                    self._step(call_id, key)
                at += 5
                continue
            if kind == Kind.STEP:
                place = opened.get((call_id, keys[point]))
                tokens[self._loop(call_id, keys[point]) if place is None else place] += 1
                if keys[point] in constants:
                    self.comparisons.begin_step(call_id, keys[point])
            elif kind == Kind.RETURN:
                self._return(point, call_id, at)
                current = self.stack[-1] if self.stack else None
            elif kind == Kind.LEAVE:
                self._leave(call_id)
                current = self.stack[-1] if self.stack else None
            elif kind != Kind.NOTHING:
                self._other(kind, point, call_id, log, at)
            at += widths[point]
        del log[:end]
        self.before += end
        if len(tokens) > LONGEST_PATH:
            self._cut()

    def _grow(self) -> None:
        """Add the points, constructs and functions of modules imported since."""
        self.tables.grow()
        self.worst += [FAR] * (len(self.program.constructs) - len(self.worst))
        self.calls += [0] * (len(self.program.functions) - len(self.calls))

    def _other(self, kind: int, point: int, call_id: int, log: list[Any], at: int) -> None:
        """Follow the entry at `at`: a part of a test, the beginning of a loop, or a choice."""
        key = self.tables.keys[point]
        if kind == Kind.CONDITION:
            self._condition(point, call_id, log, at)
        elif kind == Kind.VALUED:
            self._valued(point, call_id, log, at)
        elif kind == Kind.WHOLE:
            self._whole(point, call_id, log[at + 2])
        elif kind == Kind.OPERAND:
            self._operand(point, call_id, log, at)
        elif kind == Kind.CHOICE:
            self.tokens.append(key * SPAN + FIRST + self.tables.indices[point])
        else:
            self.opened[log[at + 2] if kind == Kind.LAZY else call_id, key] = len(self.tokens) + 1
            self.tokens += [key * SPAN + (WHILE if kind == Kind.WHILE else LOOP), 0]

    # Who is running

    def _enter(self, call_id: int, function: int, caller: Caller) -> None:
        self.places[call_id] = len(self.stack)
        self.stack.append(call_id)
        self.function_of[call_id] = function
        self.callers[call_id] = caller
        self.calls[function] += 1
        below = self.active.get(function, 0)
        self.active[function] = below + 1
        if below and below > self.deepest.get(function, 0):
            self.deepest[function] = below

    def _leave(self, call_id: int) -> None:
        if self.places.pop(call_id, None) is None:
            return
        self.stack.pop()
        function = self.function_of.get(call_id)
        if function is not None:
            self.active[function] -= 1

    def _return(self, point: int, call_id: int, at: int) -> None:
        """End a call, and follow the comparison that it may return."""
        tables, at = self.tables, self.before + at
        if tables.keys[point] >= 0:
            construct, caller = self.program.constructs[tables.keys[point]], self.callers.get(call_id, (None, 0))
            self.comparisons.leave(call_id, construct, caller, at, at + tables.widths[point])
        self.comparisons.end(call_id)
        self._leave(call_id)

    def _switch(self, call_id: int) -> None:
        """Another function goes on: those above it were left by an exception; one not on the stack was suspended."""
        if call_id in self.places:
            while self.stack[-1] != call_id:
                self._leave(self.stack[-1])
            return
        self.places[call_id] = len(self.stack)
        self.stack.append(call_id)
        function = self.function_of.get(call_id)
        if function is not None:
            self.active[function] = self.active.get(function, 0) + 1

    # What it decided

    def _loop(self, call_id: int, key: int) -> int:
        """Return the index of the token that counts an open loop's iterations; open one that began before the run."""
        place = self.opened.get((call_id, key))
        if place is None:
            place = self.opened[call_id, key] = len(self.tokens) + 1
            self.tokens += (key * SPAN + WHILE, 0)
        return place

    def _step(self, call_id: int, key: int) -> None:
        """Begin a step of a `while`."""
        self.tokens[self._loop(call_id, key)] += 1
        self.comparisons.begin_step(call_id, key)

    def _verdict(self, point: int, verdict: Verdict) -> bool | None:
        """Append the decision of a test that has a verdict; None if the test raised."""
        tables = self.tables
        if verdict.exception is not None:
            self.tokens.append(tables.keys[point] * SPAN + RAISED)
            return None
        self.tokens.append(tables.true[point] if verdict.outcome else tables.false[point])
        return verdict.outcome

    def _valued(self, point: int, call_id: int, log: list[Any], at: int) -> None:
        tables = self.tables
        construct, outcome = self.program.constructs[tables.keys[point]], log[at + 4]
        truth = outcome.outcome if outcome.__class__ is Verdict else outcome
        comparison = comparison_of(construct, log[at + 2], log[at + 3], truth, self.before + at)
        self.comparisons.keep(comparison, construct, call_id, comparison.at + tables.widths[point])

    def _condition(self, point: int, call_id: int, log: list[Any], at: int) -> None:
        left, right, outcome = log[at + 2], log[at + 3], log[at + 4]
        tables = self.tables
        key, index = tables.keys[point], tables.indices[point]
        if outcome.__class__ is Verdict:
            if outcome.exception is not None:
                self.waiting.pop((call_id, key), None)
                self.tokens.append(key * SPAN + RAISED)
                return
            outcome = outcome.outcome
        self.tokens.append(-(key * SPAN + index * 2 + outcome) - 1)
        conditions = self.waiting.get((call_id, key))
        if conditions is None or conditions[-1][0] >= index:  # the rest of a test that raised is dropped
            conditions = self.waiting[call_id, key] = []
        op = tables.ops[point]
        if tables.measures[point] == VALUE:
            op, left, right = self._behind(point, call_id, left, at)
        conditions.append((index, op, left, right, outcome))

    def _whole(self, point: int, call_id: int, outcome: Any) -> None:
        if outcome.__class__ is Verdict:
            outcome = outcome.outcome
        tables = self.tables
        key = tables.keys[point]
        self.tokens.append(tables.true[point] if outcome else tables.false[point])
        if outcome and tables.is_while[point]:
            self._step(call_id, key)
        self._measure_all(key, call_id, tables.true[point] if outcome else tables.false[point])

    def _operand(self, point: int, call_id: int, log: list[Any], at: int) -> None:
        self._condition(point, call_id, log, at)
        tables = self.tables
        key = tables.keys[point]
        conditions = self.waiting.get((call_id, key))
        if not conditions or conditions[-1][0] != tables.indices[point]:
            return
        outcome = conditions[-1][-1]
        stops = outcome is tables.stops[point]
        if stops or tables.indices[point] == tables.last[point]:
            token = tables.false[point] if stops else tables.true[point]
            self.tokens.append(token)
            self._measure_all(key, call_id, token)

    # How near it was

    def _behind(self, point: int, call_id: int, value: Any, at: int) -> tuple[str | None, Any, Any]:
        """Return operator and sides of the comparison whose result a tested value is; the value alone of any other."""
        truth = value.value if value.__class__ is RecordedOperand else value
        if truth is True or truth is False:
            tables = self.tables
            condition = self.program.constructs[tables.keys[point]].conditions[tables.indices[point]]
            function = tables.functions[point]
            found = self.comparisons.of_truth(call_id, condition, function, self.before + at, truth)
            if found is not None and found.alone:
                self.behind[self.before + at] = found.at, found.text.op
                return found.text.op, found.left, found.right
        return None, value, None

    def _measure(self, key: int, op: str | None, left: Any, right: Any, outcome: bool, point: int) -> None:
        """Keep a single test if it was nearer to a flip than what is kept."""
        left = left.value if left.__class__ is RecordedOperand else left
        if left.__class__ is not float and left.__class__ is not int:
            return
        if op is None:
            if left < self.worst[key] and -left < self.worst[key]:
                self._keep(key, abs(float(left)), abs(float(left)), point, outcome)
            return
        right = right.value if right.__class__ is RecordedOperand else right
        if right.__class__ is not float and right.__class__ is not int:
            return
        try:
            distance = left - right
            if distance < 0:
                distance = -distance
            if distance >= self.worst[key]:
                return
        except OverflowError:
            return
        if distance != distance and left != right:
            return
        margin = condition_margin(op, left, right)
        if margin is not None:
            self._keep(key, abs(margin), margin, point, outcome)

    def _measure_all(self, key: int, call_id: int, token: int) -> None:
        """Measure the margin of a test of several comparisons, from its conditions."""
        conditions = self.waiting.pop((call_id, key), None)
        if not conditions:
            return
        construct = self.program.constructs[key]
        margins: dict[int, float | None] = {}
        outcomes: dict[int, bool] = {}
        for index, op, left, right, outcome in conditions:
            if is_data(left) or is_data(right):
                self.on_data.setdefault(key, set()).add(index)
            left = left.value if left.__class__ is RecordedOperand else left
            right = right.value if right.__class__ is RecordedOperand else right
            margins[index], outcomes[index] = condition_margin(op, left, right), outcome
        margin = formula_margin(construct.formula, margins, outcomes)
        if margin is not None and abs(margin) < self.worst[key]:
            self._note(self.reached.setdefault(key, {}), tuple(outcomes), abs(margin), margin, token)

    def _keep(self, key: int, distance: float, margin: float, point: int, outcome: bool) -> None:
        token = self.tables.true[point] if outcome else self.tables.false[point]
        self._note(self.near, key, distance, margin, token)

    def _note(self, near: dict[Any, Near], key: Any, distance: float, margin: float, token: int) -> None:
        """Keep an evaluation if it was nearer to a flip than what is kept of its kind."""
        known = near.get(key)
        if distance == distance and (known is None or distance < known[0]):
            site = self.program.constructs[token // SPAN].site
            assert site is not None
            near[key] = distance, margin, site.arms[token % SPAN - FIRST]

    def _nearest(self) -> None:
        """Choose what is nearest of each test of several comparisons."""
        for key, reached in self.reached.items():
            data = self.on_data.get(key)
            counting = [near for made, near in reached.items() if data is None or not data.isdisjoint(made)]
            if counting:
                self.near[key] = min(counting, key=itemgetter(0))

    def _cut(self) -> None:
        """Truncate a path at LONGEST_PATH; later loop turns are counted elsewhere."""
        self.behind.clear()
        self.left_out += len(self.tokens) - LONGEST_PATH
        del self.tokens[LONGEST_PATH:]
        self.opened = {loop: place for loop, place in self.opened.items() if place < LONGEST_PATH}
