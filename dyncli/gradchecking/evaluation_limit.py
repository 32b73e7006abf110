"""A limit on evaluations beside the point: a loop that ends at the point need not end there."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from types import FrameType
from typing import Any

from dyncli.recorder.engine import grad_mode
from dyncli.recorder.settings import Patience, Stopped

PERIOD_SECONDS = 0.05
LEAST_SECONDS = 0.5
AGAIN_SECONDS = 0.1  # once one has run away, others do
TIMES = 50.0  # the point's own time
MOST_ITEMS = 50_000_000  # of the decision log, at the point as well: 400 MB


class EvaluationTooLong(BaseException):
    """An evaluation beside the point goes on for much longer than the point's own."""


class Guard:
    """Looks now and then, by a timer, how much processor time went by.  until: when EvaluationTooLong is raised."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.until = float("inf")
        self.point = 0.0
        self.seconds = LEAST_SECONDS
        self.patience = Patience()
        self.mode = grad_mode.current()
        self._owner = 0

    def took(self, seconds: float) -> None:
        """Tell how long the point itself took."""
        self.point = TIMES * seconds
        self.seconds = max(self.seconds, self.point)

    def begin(self) -> None:
        """Start the time limit of one evaluation, in processor seconds."""
        self.mode = grad_mode.current()
        self.until = process_time() + self.seconds

    def end(self) -> None:
        """Lift the limit; the grad mode is that of the beginning, also if the limit struck where a `no_grad` ended."""
        self.until = float("inf")
        if grad_mode.current() is not self.mode:
            grad_mode.set_mode(self.mode)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Run the timer while the context lasts; off the main thread or without `setitimer` ops alone are counted."""
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGVTALRM, self._look)
        self.wake()
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    def wake(self) -> None:
        """Start the timer anew in a forked process, which does not inherit it."""
        if self._owner != os.getpid() and hasattr(signal, "setitimer"):
            self._owner = os.getpid()
            signal.setitimer(signal.ITIMER_VIRTUAL, PERIOD_SECONDS, PERIOD_SECONDS)

    def _look(self, number: int, frame: FrameType | None) -> None:
        if process_time() > self.until and not self.patience.lasts(frame):
            self.until = float("inf")
            self.seconds = max(AGAIN_SECONDS, self.point)
            raise EvaluationTooLong
        if len(self.log) > MOST_ITEMS:
            raise Stopped("limit", "stopped after some ten million decisions: the model does not come to an end")
