"""Runs that went as one before: recognised by comparing the log with what that one left, without going through it.

Two logs of one path have their points, outcomes and operands at the same places.  So a known path is a `Layout`, which
places matter, and what stood there; taking and comparing them happens in C, twenty times faster than following entries.
How near such a run came to a flip is bounded in the same way; only tests nearer than what is kept are measured.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, itemgetter, sub
from typing import Any

from dyncli.coverage.point_tables import DIFFERENCE, FIRST, SPAN, Tables
from dyncli.instrument.program import Kind, Role
from dyncli.instrument.runtime.condition_probes import RecordedOperand
from dyncli.recorder.decisions.finish import condition_margin, formula_margin
from dyncli.recorder.provenance.provenance import is_data

MOST_PLACES = 2_000_000  # of all known paths: some 50 MB
MOST_LAYOUTS = 8  # of logs that are equally long
_value = attrgetter("value")
_SUSPENDING = (Role.SUSPEND, Role.LAZY, Role.DELEGATE, Role.AWAITED)

Get = Callable[[Any], tuple[Any, ...]]
Near = dict[int, tuple[float, float, str]]
Behind = dict[int, tuple[int, str | None]]


class Layout:
    """The places of a log that make its path.  known: what stood there -> the path."""

    def __init__(self, places: tuple[int, ...]) -> None:
        self.places = places
        self.get = _getter(places)
        self.known: dict[tuple[Any, ...], Known] = {}


class Known:
    """One path.

    turn: how long the log was when backward began.  path, calls, deepest, behind: as the observer gives them.
    count: how many runs were recognised since somebody asked.
    """

    def __init__(self, tables: Tables, log: list[Any], turn: int | None, path: tuple[Any, ...], behind: Behind) -> None:
        self.tables = tables
        self.turn = turn
        self.path = path
        self.calls: dict[int, int] = {}
        self.deepest: dict[int, int] = {}
        self.count = 0
        self.is_usable = True
        self.fixed: list[int] = []
        self.tests: dict[int, list[tuple[int, list[int]]]] = {}
        self.behind = behind
        own = self._gather(log)
        self._drop_without_data(log)
        self.own = _getter(own) if own else None
        self.relative = _relative(self.own(log)) if self.own is not None else ()
        self._group(log)
        self.size = 2 * len(log)

    def is_like(self, log: list[Any], turn: int | None) -> bool:
        """Return whether a log whose fixed places agree is of this path in all else."""
        if turn != self.turn or (self.own is not None and _relative(self.own(log)) != self.relative):
            return False
        return self.others is None or list(map(_kind, self.others(log))) == self.kinds

    def nearer(self, log: list[Any], worst: list[float]) -> Near:
        """Find the tests that came nearer to a flip than `worst` has, as `Observer.near` does."""
        near: Near = {}
        for key, get_left, get_right, left_seen, right_seen in self.groups:
            if key in near:
                continue
            try:
                left: Any = get_left(log)
                if left_seen:
                    left = map(_value, left)
                if get_right is not None:
                    right: Any = get_right(log)
                    left = map(sub, left, map(_value, right) if right_seen else right)
                if min(map(abs, left)) >= worst[key]:
                    continue
            except (AttributeError, TypeError, OverflowError):
                pass
            self._measure(key, log, worst[key], near)
        return near

    def _measure(self, key: int, log: list[Any], worst: float, near: Near) -> None:
        """Measure every evaluation of one test."""
        construct = self.tables.program.constructs[key]
        assert construct.site is not None
        indices = self.tables.indices
        for token, places in self.tests[key]:
            margins: dict[int, float | None] = {}
            outcomes: dict[int, bool] = {}
            for at in places:
                index = indices[log[at]]
                source, op = self.behind.get(at) or (at, self.tables.ops[log[at]])
                left, right = log[source + 2], log[source + 3]
                left = left.value if left.__class__ is RecordedOperand else left
                right = right.value if right.__class__ is RecordedOperand else right
                margins[index] = condition_margin(op, left, right)
                outcomes[index] = log[at + 4]
            margin = margins[0] if construct.formula == 0 else formula_margin(construct.formula, margins, outcomes)
            if margin is not None and abs(margin) < worst:
                worst = abs(margin)
                near[key] = worst, margin, construct.site.arms[token % SPAN - FIRST]

    def _gather(self, log: list[Any]) -> list[int]:
        """Find the log places that make up the path, and its tests; return the places of call ids that matter."""
        tables = self.tables
        suspends = any(point.role in _SUSPENDING for point in tables.program.points)
        fixed, own, compared = self.fixed, [], {source for source, _ in self.behind.values()}
        waiting: dict[tuple[int, int], list[int]] = {}
        at = 0
        while at < len(log):
            point = log[at]
            kind = tables.kinds[point]
            fixed.append(at)
            if kind == Kind.ENTER:
                fixed += (at + 2, at + 3)
                function = tables.functions[point]
                self.calls[function] = self.calls.get(function, 0) + 1
            elif kind in (Kind.SINGLE, Kind.CONDITION, Kind.OPERAND):
                fixed.append(at + 4)
                self.is_usable &= log[at + 4].__class__ is bool
                self._test(log, at, kind, waiting)
            elif kind == Kind.WHOLE:
                fixed.append(at + 2)
                self.is_usable &= log[at + 2].__class__ is bool
                self._decided(waiting.pop((log[at + 1], tables.keys[point]), []), point, bool(log[at + 2]))
            elif at in compared:
                fixed.append(at + 4)
            if suspends:
                own.append(at + 1)
                self.is_usable &= log[at + 1] > 0
                if kind == Kind.LAZY:
                    own.append(at + 2)
            at += tables.widths[point]
        return own

    def _test(self, log: list[Any], at: int, kind: int, waiting: dict[tuple[int, int], list[int]]) -> None:
        tables = self.tables
        point, call_id, outcome = log[at], log[at + 1], log[at + 4]
        if kind == Kind.SINGLE:
            self._decided([at], point, outcome)
            return
        places = waiting.setdefault((call_id, tables.keys[point]), [])
        if places and tables.indices[log[places[-1]]] >= tables.indices[point]:
            places.clear()
        places.append(at)
        if kind == Kind.OPERAND:
            stops = outcome is tables.stops[point]
            if stops or tables.indices[point] == tables.last[point]:
                self._decided(waiting.pop((call_id, tables.keys[point])), point, not stops)

    def _decided(self, places: list[int], point: int, outcome: bool) -> None:
        token = self.tables.true[point] if outcome else self.tables.false[point]
        self.tests.setdefault(self.tables.keys[point], []).append((token, places))

    def _compared(self, at: int) -> int:
        """Return the place of the comparison whose result was tested at a place, or the place itself."""
        source, _ = self.behind.get(at, (at, None))
        return source

    def _drop_without_data(self, log: list[Any]) -> None:
        """Keep, of a test of several comparisons, those evaluations that came to one of data, if any did."""
        constructs, indices = self.tables.program.constructs, self.tables.indices
        for key, tests in self.tests.items():
            if constructs[key].formula == 0:
                continue
            sides = ((at, self._compared(at)) for _, places in tests for at in places)
            data = {indices[log[at]] for at, source in sides if is_data(log[source + 2]) or is_data(log[source + 3])}
            if data:
                self.tests[key] = [each for each in tests if any(indices[log[at]] in data for at in each[1])]

    def _group(self, log: list[Any]) -> None:
        """Group the operands of one test by type, so that each group is measured at once."""
        tables = self.tables
        groups: dict[tuple[int, bool, bool, bool], tuple[list[int], list[int]]] = {}
        others: list[int] = []
        for key, tests in self.tests.items():
            for _, places in tests:
                for at in map(self._compared, places):
                    measure = tables.measures[log[at]]
                    difference = measure == DIFFERENCE
                    sides = (at + 2, at + 3) if difference else (at + 2,)
                    if not measure:
                        continue
                    if not all(_kind(log[place]) in (int, float) for place in sides):
                        others += sides
                        continue
                    group = (
                        key,
                        difference,
                        log[at + 2].__class__ is RecordedOperand,
                        log[at + 3].__class__ is RecordedOperand,
                    )
                    lefts, rights = groups.setdefault(group, ([], []))
                    lefts.append(at + 2)
                    rights.append(at + 3)
        self.others = _getter(others) if others else None
        self.kinds = list(map(_kind, self.others(log))) if self.others is not None else []
        self.groups = [
            (key, _getter(lefts), _getter(rights) if difference else None, left_seen, right_seen)
            for (key, difference, left_seen, right_seen), (lefts, rights) in groups.items()
        ]


class Recall:
    """The known paths, by the length of their logs.  `calls`: in runs that were recognised, until they are taken."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.layouts: dict[int, list[Layout]] = {}
        self.met: set[tuple[Any, ...]] = set()
        self.size = 0
        self.points = len(tables.kinds)
        self.dropped: dict[int, int] = {}

    def find(self, log: list[Any], turn: int | None) -> Known | None:
        """Look up the path of a log; None if it is unknown."""
        layouts = self.layouts.get(len(log))
        if layouts is None:
            return None
        for place, layout in enumerate(layouts):
            known = layout.known.get(layout.get(log))
            if known is not None and known.is_like(log, turn):
                if place:
                    del layouts[place]
                    layouts.insert(0, layout)
                return known
        return None

    def learn(
        self,
        log: list[Any],
        turn: int | None,
        path: tuple[Any, ...],
        deepest: dict[int, int],
        behind: Behind,
    ) -> None:
        """Store a path the second time that it is met."""
        if path not in self.met:
            if len(self.met) > 1000:
                self.met.clear()
            self.met.add(path)
            return
        if self.size > MOST_PLACES or self.points != len(self.tables.kinds):
            self._forget()
        known = Known(self.tables, log, turn, path, behind)
        if not known.is_usable or not log:
            return
        known.deepest = deepest
        places = tuple(known.fixed)
        layouts = self.layouts.setdefault(len(log), [])
        layout = next((each for each in layouts if each.places == places), None)
        if layout is None:
            layout = Layout(places)
            layouts.insert(0, layout)
            for dropped in layouts[MOST_LAYOUTS:]:
                self._count(dropped)
            del layouts[MOST_LAYOUTS:]
        expected = layout.get(log)
        if expected in layout.known:
            self._add(layout.known[expected])
        layout.known[expected] = known
        self.size += known.size

    def calls(self) -> dict[int, int]:
        """Return, and reset, the calls of each function in all recognised runs."""
        for layouts in self.layouts.values():
            for layout in layouts:
                self._count(layout)
        found, self.dropped = self.dropped, {}
        return found

    def _count(self, layout: Layout) -> None:
        for known in layout.known.values():
            self._add(known)

    def _add(self, known: Known) -> None:
        if known.count:
            for function, times in known.calls.items():
                self.dropped[function] = self.dropped.get(function, 0) + times * known.count
            known.count = 0

    def _forget(self) -> None:
        """Drop all paths but keep their calls."""
        for layouts in self.layouts.values():
            for layout in layouts:
                self._count(layout)
        self.layouts.clear()
        self.met.clear()
        self.size = 0
        self.points = len(self.tables.kinds)


def _getter(places: list[int] | tuple[int, ...]) -> Get:
    """Return what takes the items at these places out of a list.

    One place is taken twice, so that it is always a tuple.
    """
    return itemgetter(*places, *(places[:1] if len(places) < 2 else ()))


def _kind(operand: Any) -> Any:
    """Return the type of an operand's value, of a `RecordedOperand` the type of the value in it."""
    return operand.value.__class__ if operand.__class__ is RecordedOperand else operand.__class__


def _relative(call_ids: tuple[int, ...]) -> list[int]:
    base = call_ids[0]
    return [call_id - base for call_id in call_ids]
