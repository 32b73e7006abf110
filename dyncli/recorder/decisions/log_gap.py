"""The part that is taken out of a decision log: how many decisions it had, and how far the loops went on in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from dyncli.instrument.program import Kind, Program, Role
from dyncli.instrument.runtime.condition_probes import Verdict

_STEPS, _TESTS, _DECIDES, _OPERANDS, _PARTS, _BEGINS, _CALLS = range(1, 8)
_MEANINGS = {
    Kind.STEP: _STEPS, Kind.WHOLE: _DECIDES, Kind.SINGLE: _DECIDES, Kind.CHOICE: _DECIDES, Kind.LAZY: _DECIDES,
    Kind.OPERAND: _OPERANDS, Kind.CONDITION: _PARTS, Kind.LOOP: _BEGINS, Kind.WHILE: _BEGINS, Kind.ENTER: _CALLS,
    Kind.RETURN: _CALLS,
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Gap:
    """The part that was taken out of a log.

    at: where it was.  decisions: how many.  steps: for the loops (call frame, key) that went on in it, whether they
    began anew and how many steps they made since.  calls, returns: of each function.
    """

    at: int
    decisions: int = 0
    steps: dict[tuple[int, int], tuple[bool, int]] = field(default_factory=dict)
    calls: Counter[int] = field(default_factory=Counter)
    returns: Counter[int] = field(default_factory=Counter)

    def skip(self, program: Program, log: list[Any], end: int) -> None:
        """Take log[at:end] out, and count how far its loops went."""
        points = program.points
        means, widths = _table(program)
        decided, count, running = 0, 0, (-1, -1)
        at = self.at
        while at < end:
            number = log[at]
            meaning = means[number]
            if meaning:
                if meaning <= _TESTS:  # of the same loop, mostly
                    loop = log[at + 1], points[number].key
                    if loop != running:
                        self._went_on(running, count)
                        running, count = loop, 0
                    count += 1
                    decided += meaning == _TESTS
                elif meaning == _DECIDES:
                    decided += 1
                else:
                    decided += self._rare(program, log, at, meaning)
                    if meaning == _BEGINS and running == (log[at + 1], points[number].key):
                        count = 0
            at += widths[number]
        self._went_on(running, count)
        self.decisions += decided
        del log[self.at : end]

    def add(self, other: Gap) -> None:
        """Add what was taken out after this gap."""
        self.decisions += other.decisions
        for loop, (anew, count) in other.steps.items():
            before = self.steps.get(loop, (False, 0))
            self.steps[loop] = (True, count) if anew else (before[0], before[1] + count)
        self.calls += other.calls
        self.returns += other.returns

    def _went_on(self, loop: tuple[int, int], count: int) -> None:
        if count:
            anew, before = self.steps.get(loop, (False, 0))
            self.steps[loop] = anew, before + count

    def _rare(self, program: Program, log: list[Any], at: int, meaning: int) -> int:
        """Record an entry that is no step of a loop, and return how many decisions it makes."""
        point = program.points[log[at]]
        if meaning == _PARTS:  # `WHOLE` follows, unless this one raised
            return type(log[at + 4]) is Verdict and log[at + 4].exception is not None
        if meaning == _OPERANDS:
            return _decides(program.constructs[point.key], point.index, log[at + 4])
        if meaning == _BEGINS:
            self.steps[log[at + 1], point.key] = True, 0
            return point.role is not Role.WHILE
        (self.calls if point.role is Role.ENTER else self.returns)[point.function] += 1
        return 0


def beginning(program: Program, log: list[Any], most: int, at: int = 0) -> Gap:
    """Create a gap at the first entry after `most` items of a log.  at: where an earlier entry begins."""
    points = program.points
    while at < most and at < len(log):
        at += points[log[at]].role.width
    return Gap(at)


def _entries(program: Program, log: list[Any], at: int) -> Iterator[int]:
    """Yield where entries begin, from `at` on."""
    while at < len(log):
        yield at
        at += program.points[log[at]].role.width


def _calls_of(program: Program, log: list[Any], start: int, end: int, which: set[int]) -> list[list[Any]]:
    """List the call entries between two places of the log whose call ids are in `which`."""
    points, found = program.points, []
    for at in takewhile(lambda at: at < end, _entries(program, log, start)):
        if points[log[at]].role is Role.ENTER and log[at + 1] in which:
            found.append(log[at : at + Role.ENTER.width])
    return found


def _table(program: Program) -> tuple[list[int], list[int]]:
    """Return what an entry of each point means for a gap, and how many items it has."""
    means, widths = [], []
    for point in program.points:
        role = point.role
        means.append(_MEANINGS.get(role.kind, 0))
        if means[-1] == _DECIDES and program.constructs[point.key].kind == "while":
            means[-1] = _TESTS
        widths.append(role.width)
    return means, widths


def _decides(construct: Any, index: int, outcome: Any) -> bool:
    if isinstance(outcome, Verdict):
        if outcome.exception is not None:
            return True
        outcome = outcome.outcome if outcome.forced is None else outcome.forced
    return outcome is (construct.kind == "or") or index == len(construct.conditions) - 1


def shortened(log: list[Any], program: Program, begun: int, most: int, before: Gap | None) -> Gap:
    """Take the middle out of what was written since `begun`, `most` items being kept, and return the gap.

    before: the gap that is there already.  What began in the gap and goes on at the end keeps the entries of its calls.
    """
    gap = beginning(program, log, begun + most // 2)
    if before is not None:
        gap.at = min(gap.at, before.at)
    middle = gap.at if before is None else before.at
    end = beginning(program, log, len(log) - most // 2, middle).at
    running = {log[place + 1] for place in _entries(program, log, end)}
    kept = _calls_of(program, log, gap.at, end, running)
    if before is not None:
        end -= middle - gap.at
        gap.skip(program, log, middle)
        gap.add(before)
    gap.skip(program, log, end)
    for entry in kept:
        gap.calls[program.points[entry[0]].function] -= 1
    log[gap.at : gap.at] = [item for entry in kept for item in entry]
    gap.at += sum(map(len, kept))
    return gap
