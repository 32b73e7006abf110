"""The progress of a long run on stderr: how much is done, how fast, how long it will take."""

from __future__ import annotations

import sys
from collections import deque
from time import monotonic

from dyncli.commands.console import is_terminal

LINE_SECONDS = 10.0  # between two lines where stderr is no terminal
FIRST_SECONDS = 0.5
LOOKED_BACK = 40  # moments over which the rate is taken


class Meter:
    """already: inputs done before, which took no time now."""

    def __init__(self, *, quiet: bool, already: int = 0) -> None:
        self.quiet = quiet
        self.already = already
        self.started = self.shown = monotonic()
        self.is_terminal = is_terminal(sys.stderr)
        self.moments: deque[tuple[float, int]] = deque([(self.started, already)], LOOKED_BACK)
        self.is_drawn = self.is_told = False

    def show(self, done: int, expected: float | None) -> None:
        """Shows how far it is, if that was not done just now.  expected: how many inputs there will be."""
        now = monotonic()
        if self.quiet or now - self.shown < (FIRST_SECONDS if self.is_terminal else LINE_SECONDS):
            return
        self.shown = now
        self.is_told = True
        self.moments.append((now, done))
        text = progress_text(done, expected, self._rate())
        if self.is_terminal:
            sys.stderr.write(f"\r{text}\x1b[K")
            self.is_drawn = True
        else:
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def end(self, done: int) -> None:
        """Takes the line away and says how long it took, if there was one."""
        elapsed = monotonic() - self.started
        if self.is_drawn:
            sys.stderr.write("\r\x1b[K")
        ran = done - self.already
        if self.is_told and ran:
            sys.stderr.write(f"{ran:,} inputs in {duration(elapsed)}, {_rate_text(ran / elapsed)}\n")
        sys.stderr.flush()

    def _rate(self) -> float:
        (before, first), (now, last) = self.moments[0], self.moments[-1]
        return (last - first) / max(now - before, 1e-9)


def progress_text(done: int, expected: float | None, rate: float) -> str:
    """The line of progress.

    >>> progress_text(41_200, 98_000.0, 18_300.0), progress_text(7, None, 0.5)
    ('42% · 41,200 inputs · 18,300/s · 3.1 s left', '7 inputs · 0.5/s')
    """
    words = [f"{done:,} inputs", _rate_text(rate)]
    if expected and done <= expected:
        words.insert(0, f"{int(100 * done / expected)}%")
        if rate > 0:
            words.append(f"{duration((expected - done) / rate)} left")
    return " · ".join(words)


def duration(seconds: float) -> str:
    """A time for people: `3 s`, `2 min 5 s`, `3 h 10 min`.

    >>> duration(125.2), duration(11400)
    ('2 min 5 s', '3 h 10 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _rate_text(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
