"""The values that tests compare, run after run: which tests have ever compared others than in their first run."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dyncli.coverage.point_tables import Kind, Tables
from dyncli.instrument.runtime.condition_probes import RecordedOperand

_TESTS = (Kind.SINGLE, Kind.CONDITION, Kind.OPERAND)
_PLAIN = (bool, int, float, str, type(None))


class Operands:
    """Looks at the logs of runs.

    varied: sites of tests that compared something new since their first run.  runs: in how many the others were.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.first: dict[str, set[Any]] = {}
        self.varied: set[str] = set()
        self.runs: Counter[str] = Counter()

    def look(self, log: list[Any]) -> None:
        """Take in the log of a run."""
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
                    sides = log[at + 2 : at + 4]
                    values = map(type, sides) if is_identity else map(_plain, sides)
                    compared.setdefault(site.id, set()).add((point, *values))
            at += widths[point]
        self.runs.update(compared.keys())
        for name, new in compared.items():
            if not new <= self.first.setdefault(name, new):
                self.varied.add(name)


def _plain(value: Any) -> Any:
    """Return a value that can be compared with that of another run: a number, a text, or else the class alone."""
    value = value.value if value.__class__ is RecordedOperand else value
    return value if value.__class__ in _PLAIN and value == value else value.__class__
