"""Runs with changed inputs: whether a change that is proposed really flips its test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from dyncli.analysis.decisions import operand
from dyncli.recorder.sensitivity.dual_numbers import Slope, Slopes
from dyncli.records.model import Condition, Reach, Record, Sensitivity

MOST_TRIALS = 100  # further runs for one record
MOST_SECONDS = 20  # of a processor that they are to take together
BEYOND = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0)  # where a test is looked for that the step to first order does not flip
EPSILON = {"float16": 1e-3, "float32": 1.2e-7, "float64": 2.3e-16}


class Again(Protocol):
    """Runs the same once more, with derivatives or with other inputs: additions by the names of the leaves."""

    def __call__(self, slopes: Slopes | None = None, moved: Mapping[str, Any] | None = None) -> Any:
        """Run the model once more; return the run and its record."""


class Found(NamedTuple):
    """A sensitivity before it is tried out, with the gradients as arrays."""

    what: Sensitivity
    slope: Slope


class Trials:
    """Runs with changed inputs: whether a proposed change really flips its test."""

    def __init__(self, record: Record, again: Again) -> None:
        self.record, self.again = record, again
        affordable = int(MOST_SECONDS * 1e9 / max(record.processor_ns, 1))
        self.left = max(4, min(MOST_TRIALS, affordable))

    def tried(self, found: Sequence[Found], movable: bool) -> list[Sensitivity]:
        """Return what trials say of each, the nearest of each test first."""
        tried = [each.what for each in found]
        for rank, place in sorted(self._ranked(tried)) if movable else ():
            if self.left > 0:
                tried[place] = self._try(*found[place], search=rank == 0)
        return tried

    def _ranked(self, found: Sequence[Sensitivity]) -> list[tuple[int, int]]:
        """Return how many of its site and condition are nearer, and its place."""
        tests: dict[tuple[str, int | None], list[tuple[float, int]]] = {}
        for place, one in enumerate(found):
            if one.distance is not None:
                key = self.record.decisions[one.decision].site.id, one.condition
                tests.setdefault(key, []).append((one.distance, place))
        return [(rank, place) for test in tests.values() for rank, (_, place) in enumerate(sorted(test))]

    def _try(self, one: Sensitivity, slope: Slope, search: bool) -> Sensitivity:
        squared = sum(float(np.vdot(gradient, gradient)) for gradient in slope.values())
        steps = {reach.name: slope[reach.tensor] / squared for reach in one.inputs}
        flips, factor, becomes = None, None, None
        if all(map(self._is_input, one.inputs)):
            flips, factor, becomes = self._moved(one, steps, search)
        reaches = []
        for reach in one.inputs:
            if reach.change is not None and self._is_input(reach):
                if len(one.inputs) == 1 and not reach.element:
                    reach = reach._replace(flips=flips)
                elif self.left > 0:
                    alone = np.zeros_like(slope[reach.tensor])
                    alone[reach.element] = 1.0 / slope[reach.tensor][reach.element]
                    reach = reach._replace(flips=self._moved(one, {reach.name: alone}, False)[0])
            reaches.append(reach)
        return one._replace(flips=flips, factor=factor, becomes=becomes, inputs=tuple(reaches))

    def _is_input(self, reach: Reach) -> bool:
        """Return whether a run can be given another value of this leaf: the script makes its own anew."""
        tensor = self.record.tensors[reach.tensor]
        return tensor.role == "input" and tensor.op is None

    def _moved(self, one: Sensitivity, steps: Mapping[str, Any], search: bool) -> tuple[bool, float | None, str | None]:
        """Return whether the decision flips on moved inputs, at which factor of the step, and its new test.

        steps: what moves the margin by one.  On the edge itself `>` and `>=` differ and numbers are rounded: where the
        step does not flip the test, a little more is tried.
        """
        assert one.margin is not None and one.condition is not None
        condition = self.record.decisions[one.decision].conditions[one.condition]
        away = 1.0 if condition.outcome else -1.0  # where the margin is, or would be if it were not zero
        more = max(abs(one.margin) * 1e-3, 64 * EPSILON[self.record.dtype] * max(1.0, _size(condition)))
        flips, becomes = False, None
        for change in (abs(one.margin), abs(one.margin) + more):
            if change:
                flips, becomes = self._trial(one, steps, -away * change)
            if flips:
                return True, change / abs(one.margin) if one.margin else None, becomes
        for factor in BEYOND if search and one.margin else ():
            if self.left > 0 and self._trial(one, steps, -one.margin * factor)[0]:
                return False, factor, becomes
        return flips, None, becomes

    def _trial(self, one: Sensitivity, steps: Mapping[str, Any], change: float) -> tuple[bool, str]:
        self.left -= 1
        _, moved = self.again(moved={name: step * change for name, step in steps.items()})
        return self._compared(one, moved)

    def _compared(self, one: Sensitivity, moved: Record) -> tuple[bool, str]:
        """Return whether the decision went the other way in a run, and what its test was there."""
        assert one.condition is not None
        for before, after in zip(self.record.decisions[: one.decision], moved.decisions):
            if (before.site.id, before.arm) != (after.site.id, after.arm):
                return False, f"line {before.site.line} goes the other way before"
        target = self.record.decisions[one.decision]
        rest = moved.decisions[one.decision :]
        if not any(each.site.id == target.site.id for each in rest):
            return False, "it is not reached any more"
        if rest[0].site.id != target.site.id:
            return False, f"line {rest[0].site.line} is tested once more before"
        now, tested = rest[0], target.conditions[one.condition]
        condition = next((each for each in now.conditions if each.text == tested.text), None)
        if condition is None:
            return now.arm != target.arm, "it is not tested any more"
        text = _said(condition)
        if now.arm == target.arm and condition.outcome != tested.outcome:
            return False, f"{text}, which alone does not flip the test"
        return now.arm != target.arm, text


def _size(condition: Condition) -> float:
    """Return the largest absolute value in a condition, 1 if it has no number."""
    sides = (condition.lhs, condition.rhs, condition.value)
    return max(
        (abs(float(side)) for side in sides if isinstance(side, (int, float)) and math.isfinite(side)), default=1.0
    )


def _said(condition: Condition) -> str:
    """Format `-0.002 > 0`, or the value of a bare truth test, with as many digits as tell both sides apart."""
    if condition.op is None:
        return operand(condition.value)
    left, right = operand(condition.lhs), operand(condition.rhs)
    if left == right and condition.lhs != condition.rhs:
        left, right = (
            f"{side:.9g}" if type(side) is float else operand(side) for side in (condition.lhs, condition.rhs)
        )
    return f"{left} {condition.op} {right}"
