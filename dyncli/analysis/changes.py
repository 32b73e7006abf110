"""Differences of two runs of one model: outputs and gradients by name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from dyncli.analysis.values import TensorRow, gradient_rows, value_rows
from dyncli.records.model import Record


class Change(NamedTuple):
    """One output or gradient in both runs, None where a run has none of that name."""

    name: str
    before: TensorRow | None
    after: TensorRow | None

    @property
    def is_same(self) -> bool:
        """True if both runs had exactly the same value."""
        if self.before is None or self.after is None:
            return False
        if self.before.tensor is None or self.after.tensor is None:
            return (self.before.tensor, self.before.value, self.before.reason) == (
                self.after.tensor, self.after.value, self.after.reason,
            )  # fmt: skip
        known = self.before.tensor, self.after.tensor
        return all(_facts(known[0], part) == _facts(known[1], part) for part in ("shape", "dtype", "values", "stats"))

    @property
    def difference(self) -> float | None:
        """The largest difference between two elements; None where the shapes differ or values were not kept."""
        first, second = (row.tensor if row is not None else None for row in (self.before, self.after))
        if first is None or second is None or first.shape != second.shape:
            return None
        if first.values is None or second.values is None:
            return None
        largest = 0.0
        for a, b in zip(first.values, second.values):
            if not isinstance(a, (bool, int, float)) or not isinstance(b, (bool, int, float)):
                return None
            if a != b:
                gap = abs(float(a) - float(b))
                if math.isnan(gap):
                    return gap
                largest = max(largest, gap)
        return largest


def output_changes(before: Record, after: Record) -> list[Change]:
    """Return the outputs of both runs, paired by name."""
    return _paired(value_rows(before, before.outputs), value_rows(after, after.outputs))


def input_changes(before: Record, after: Record) -> list[Change]:
    """Return the inputs of both runs, paired by name."""
    return _paired(value_rows(before, before.inputs), value_rows(after, after.inputs))


def gradient_changes(before: Record, after: Record, last: bool = True) -> list[Change]:
    """Return the gradients of both runs, paired by name: of the last backward, or of each in turn."""
    first, second = before.backwards, after.backwards
    if last or max(len(first), len(second)) <= 1:
        rows = [gradient_rows(record, record.backwards[-1]) if record.backwards else [] for record in (before, after)]
        return _paired(*rows)
    return [
        change._replace(name=f"{change.name} · backward {number}")
        for number in range(max(len(first), len(second)))
        for change in _paired(
            gradient_rows(before, first[number]) if number < len(first) else [],
            gradient_rows(after, second[number]) if number < len(second) else [],
        )
    ]


def _paired(before: Iterable[TensorRow], after: Iterable[TensorRow]) -> list[Change]:
    first, second = ({row.name: row for row in rows} for rows in (before, after))
    names = dict.fromkeys([*second, *first])
    return [Change(name, first.get(name), second.get(name)) for name in names]


def _facts(tensor: object, part: str) -> str:
    return repr(getattr(tensor, part))  # by text: two NaN are the same
