"""The path of one evaluation, read straight from the decision log, and the same path forced on another.

path = read(program, log)
path.key == other.key                                # whether two evaluations went the same way
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any, NamedTuple

from dyncli.instrument.program import Program, Role
from dyncli.instrument.runtime.condition_probes import RecordedOperand, Verdict
from dyncli.instrument.runtime.force import Forced
from dyncli.records.model import Site

_WIDTH = [role.width for role in Role]
_TESTS = (Role.CONDITION, Role.SINGLE, Role.OPERAND)


class Test(NamedTuple):
    """One comparison or truth test: its point, where it stands in the log and in the key, its sides, its outcome."""

    point: int
    at: int
    step: int
    left: Any
    right: Any
    outcome: bool


class Path(NamedTuple):
    """key: a number for every step, equal for equal ways.  at: where each step stands in the log."""

    key: list[int]
    at: list[int]
    tests: list[Test]


def read(program: Program, log: list[Any], most: int = sys.maxsize) -> Path:
    """Read the first `most` steps of a decision log as a path."""
    key: list[int] = []
    where: list[int] = []
    tests: list[Test] = []
    points = program.points
    at, length = 0, len(log)
    while at < length and len(key) < most:
        number = log[at]
        role = points[number].role
        step = 2 * number
        if role in _TESTS:
            outcome = _outcome(log[at + 4])
            tests.append(Test(number, at, len(key), log[at + 2], log[at + 3], outcome))
            step += outcome
        elif role is Role.WHOLE:
            step += _outcome(log[at + 2])
        key.append(step)
        where.append(at)
        at += _WIDTH[role]
    return Path(key, where, tests)


def _outcome(value: Any) -> bool:
    return value.outcome if isinstance(value, Verdict) else bool(value)


def margin(program: Program, test: Test) -> float | None:
    """Return how far the sides of a test are apart, left less right; None where that means nothing."""
    left, right = _number(test.left), _number(test.right)
    construct = program.constructs[program.points[test.point].key]
    index = program.points[test.point].index
    symbol = construct.conditions[index].op if index < len(construct.conditions) else None
    if left is None or symbol in ("is", "is not", "in", "not in"):
        return None
    if symbol is None:
        return None if _is_truth(test.left) else left
    return None if right is None else left - right


def site_of(program: Program, point: int) -> Site | None:
    """Return the site of a point; None where nothing is decided."""
    key = program.points[point].key
    return None if key < 0 else program.constructs[key].site


def _is_truth(value: Any) -> bool:
    """Return whether a value is true or false and nothing between: how far `x.all()` is from flipping, its op knows."""
    return type(value.value if isinstance(value, RecordedOperand) else value) is bool


def _number(value: Any) -> float | None:
    if isinstance(value, RecordedOperand):
        value = value.value
    if type(value) in (int, float, bool):
        return float(value)
    return None


class Pinned(Forced):
    """The probes that make every test of the script turn out as it did at the point, whatever is true."""

    def __init__(self, program: Program, log: list[Any], outcomes: dict[int, list[bool]]) -> None:
        super().__init__((), program, log)
        self.outcomes = outcomes
        self.seen: dict[int, int] = defaultdict(int)

    def _forced(self, key: int, call_id: int, outcome: bool, first: bool = True) -> bool:
        wanted = self.outcomes.get(key, ())
        number = self.seen[key]
        self.seen[key] = number + 1
        return wanted[number] if number < len(wanted) else outcome


def outcomes(program: Program, path: Path, log: list[Any]) -> dict[int, list[bool]]:
    """Return how the tests of each construct turned out, in order, as `Pinned` wants them."""
    found: dict[int, list[bool]] = defaultdict(list)
    for step, at in zip(path.key, path.at):
        point = program.points[log[at]]
        if point.role in (Role.SINGLE, Role.OPERAND, Role.WHOLE):
            found[point.key].append(bool(step & 1))
    return dict(found)
