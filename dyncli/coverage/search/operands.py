"""The values that tests compare, run after run: which tests have ever compared others than in their first run."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dyncli.coverage.point_tables import Tables
from dyncli.instrument.program import Kind
from dyncli.instrument.runtime.condition_probes import RecordedOperand

_TESTS = (Kind.SINGLE, Kind.CONDITION, Kind.OPERAND)


class Operands:
    """The tests that the logs of runs hold.

    varied: sites of tests that compared something new since their first run.  runs: in how many the others were.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.first: dict[str, set[Any]] = {}
        self.varied: set[str] = set()
        self.runs: Counter[str] = Counter()

    def look(self, log: list[Any]) -> None:
        """Compare what the tests in the log of a run compared with what they did in their first run."""
        tables = self.tables
        kinds, keys, widths = tables.kinds, tables.keys, tables.widths
        constructs = tables.program.constructs
        compared: dict[str, set[Any]] = {}
        at, end = 0, len(log)
        while at < end and log[at] < len(kinds):
            point = log[at]
            if kinds[point] in _TESTS:
                site = constructs[keys[point]].site
                if site is not None and site.id not in self.varied:
                    is_identity = constructs[keys[point]].conditions[tables.indices[point]].op in ("is", "is not")
                    values = map(type if is_identity else _comparable, log[at + 2 : at + 4])
                    compared.setdefault(site.id, set()).add((point, *values))
            at += widths[point]
        self.runs.update(compared.keys())
        for name, new in compared.items():
            if not new <= self.first.setdefault(name, new):
                self.varied.add(name)


def _comparable(value: Any) -> Any:
    """Return a value that is equal for equal operands of two runs; for one that is not recorded, a new object."""
    if value.__class__ is RecordedOperand:
        if value.value is None:
            return object()
        value = tuple(value.value.items()) if isinstance(value.value, dict) else value.value
    return value if value == value else float
