"""A bound on the decision log: a script that decides for ever must not fill the memory.

The log is looked at now and then, by a timer that counts processor time and so disturbs no waiting.  Past its bound the
middle is taken out, again and again: how a run began and how it went on last are both kept.
"""

from __future__ import annotations

import signal
import threading
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from types import FrameType
from typing import Any

from dyncli.instrument.program import Program, Role
from dyncli.instrument.runtime.condition_probes import Verdict

MOST_ITEMS = 2_000_000  # some 300,000 decisions, 2 s to play again
MOST_OF_STOPPED = 70_000  # some 10,000 decisions: 20 MB of `--json`, 500 MB without
_INTERRUPTING = [number for name in ("SIGALRM", "SIGINT") if (number := getattr(signal, name, None)) is not None]
_PERIOD_SECONDS = 0.02
_STEPS, _TESTS, _DECIDES, _OPERANDS, _PARTS, _BEGINS, _CALLS = range(1, 8)
_MEANINGS = {
    Role.ITERATION: _STEPS, Role.WHOLE: _DECIDES, Role.SINGLE: _DECIDES, Role.CASE: _DECIDES, Role.HANDLER: _DECIDES,
    Role.LAZY: _DECIDES, Role.OPERAND: _OPERANDS, Role.CONDITION: _PARTS, Role.LOOP: _BEGINS, Role.WHILE: _BEGINS,
    Role.ENTER: _CALLS, Role.LEAVE: _CALLS,
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Gap:
    """The part that was taken out of a log.

    at: where it was.  decisions: how many.  steps: for the loops (activation, key) that went on in it, whether they
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
        means.append(_MEANINGS.get(role, 0))
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


class Cap:
    """The limit on a log's length.  noted: lists that grow with the log and hold its length then, such as the ops."""

    def __init__(self, log: list[Any], program: Program, noted: Iterable[Sized] = (), most: int | None = None) -> None:
        self.log, self.program, self.most = log, program, MOST_ITEMS if most is None else most
        self.noted = list(noted)
        self.gap: Gap | None = None
        self.bounds: list[int] = []  # lengths of the log, where an entry begins
        self.cuts: list[tuple[list[int], int]] = []

    def look(self) -> None:
        """Take the middle out of a log longer than its bound, keeping a tenth of the bound at the end if possible."""
        length = len(self.log)
        if length >= self.most * 2 // 3:
            if self.gap is None:
                self.gap = Gap(length)
            self.bounds.append(length)
        if length <= self.most or self.gap is None:
            return
        ends = [bound for bound in self.bounds[:-1] if bound <= length - self.most // 10] or self.bounds[:-1]
        if not ends or ends[-1] <= self.gap.at:
            return
        taken = ends[-1] - self.gap.at
        self.gap.skip(self.program, self.log, ends[-1])
        self.cuts.append(([len(each) for each in self.noted], taken))
        self.bounds = [bound - taken for bound in self.bounds if bound >= ends[-1]]

    def shorten(self, begun: int, most: int | None = None) -> None:
        """Take out more of the middle of what was written since `begun`, once the run is over.

        What began there and goes on at the end keeps the entries of its calls.
        """
        log, program, before = self.log, self.program, self.gap if self.cuts else None
        most = MOST_OF_STOPPED if most is None else most
        if len(log) - begun <= most:
            return
        gap = beginning(program, log, begun + most // 2)
        if before is not None:
            gap.at = min(gap.at, before.at)
        middle = gap.at if before is None else before.at
        end = beginning(program, log, len(log) - most // 2, middle).at
        running = {log[place + 1] for place in _entries(program, log, end)}
        length = len(log)
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
        self.gap = gap
        self.cuts.append(([len(each) for each in self.noted], length - len(log)))

    def positions(self, which: int, lengths: Iterable[int]) -> list[int]:
        """Convert the positions of `noted[which]` to the log of now; `lengths` were the log's when they were made."""
        lengths = list(lengths)
        if self.gap is None or not self.cuts:
            return lengths
        counts = [cut[0][which] for cut in self.cuts]
        before = [0, *accumulate(taken for _, taken in self.cuts)]
        head, total = self.gap.at, before[-1]
        whole = (length + before[bisect_right(counts, place)] for place, length in enumerate(lengths))
        return [at if at <= head else max(head, at - total) for at in whole]


@contextmanager
def capped(cap: Cap) -> Iterator[Cap]:
    """Check the log's length on a timer; without one, or off the main thread, never."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield cap
        return

    looking = False

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal looking
        if looking:  # the timer goes on meanwhile
            return
        looking = True
        try:
            masked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
            try:  # blocking runs handlers that are due, which may raise once the signals are blocked
                signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTING)
                cap.look()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        finally:
            looking = False

    before: Any = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, _PERIOD_SECONDS, _PERIOD_SECONDS)
    try:
        yield cap
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
