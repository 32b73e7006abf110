"""The limit on one input: a timer that runs all the time and looks whether the present run has gone on for too long.

Setting a timer anew for each of 100,000 short runs would cost as much as the runs.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

from dyncli.recorder.engine import Listener, grad_mode
from dyncli.recorder.settings import Patience, Stopped, time_limit

LONGEST_LOG = 200_000
SHORTEST_PERIOD_SECONDS = 0.02
LONGEST_PERIOD_SECONDS = 0.25
AGAIN_SECONDS = 0.5  # from one Stopped to the next: a run may swallow it, but what it does as it ends is not disturbed
ORPHAN_SECONDS = 2.0  # what an input still gets when nobody waits for it any more, so that it need not be run again


class Watch:
    """Raises Stopped in a run that goes on past `seconds`; calls `drain` when the log has grown long.

    parent: the process without which this one ends, if any.
    """

    def __init__(
        self, seconds: float | None, log: list[Any], drain: Callable[[list[Any]], None], parent: int | None = None
    ) -> None:
        self.seconds = seconds
        self.log = log
        self.drain = drain
        self.deadline: float | None = None
        self.outside: FrameType | None = None
        self.mode = grad_mode.current()
        self.is_running = self.is_draining = False
        self.parent = parent
        self.orphaned_at: float | None = None
        self.patience = Patience()
        self.has_timer = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def begin(self) -> None:
        """Start the limit of a run; it may interrupt what the caller calls, not the caller."""
        self.outside = sys._getframe(1)
        self.mode = grad_mode.current()
        self.is_running = True
        if self.seconds:
            self.deadline = monotonic() + self.seconds

    def end(self) -> None:
        """End the limit; the grad mode is that of the beginning, also if the limit struck where a `no_grad` ended."""
        self.is_running = False
        self.deadline = self.outside = None
        if grad_mode.current() is not self.mode:
            grad_mode.set_mode(self.mode)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Limit one run where there is no timer signal."""
        if self.has_timer:
            yield
        else:
            with time_limit(self.seconds):
                yield

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Run the timer while the context lasts."""
        if not self.has_timer:
            yield
            return
        before: Any = signal.signal(signal.SIGALRM, self._tick)
        period = min(max((self.seconds or 1.0) / 8, SHORTEST_PERIOD_SECONDS), LONGEST_PERIOD_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, period, period)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self.parent is not None and os.getppid() != self.parent:
            self.orphaned_at = self.orphaned_at or monotonic()
            if monotonic() - self.orphaned_at > ORPHAN_SECONDS:
                os._exit(1)
        if not self.is_running or self.is_draining:  # the timer goes on while the log is gone through
            return
        is_over = frame is self.outside or frame is not None and frame.f_code is Watch.end.__code__
        is_late = self.deadline is not None and not is_over and monotonic() > self.deadline
        if is_late and not self.patience.lasts(frame):
            self.deadline = monotonic() + AGAIN_SECONDS
            raise Stopped("timeout", f"stopped after {self.seconds:g} s")
        if len(self.log) > LONGEST_LOG:
            self.is_draining = True
            try:
                self.drain(self.log)
            finally:
                self.is_draining = False


class Counting(Listener):
    """Raises Stopped after so many ops."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        self.count += 1
        if self.count >= self.most:
            raise Stopped("limit", f"stopped after {self.most} ops")
