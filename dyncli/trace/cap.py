"""A bound on the decision log: a script that decides for ever must not fill the memory.

The log is looked at now and then, by a timer that counts processor time and so disturbs no waiting; past its bound the
probes report nothing more, and the script goes on.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from types import FrameType
from typing import Any

from dyncli.load import probes

MOST_ITEMS = 3_000_000  # some 400,000 decisions, 5 s to play again
_PERIOD_SECONDS = 0.05


class Cap:
    """Whether the bound was reached."""

    def __init__(self) -> None:
        self.reached = False


@contextmanager
def capped(log: Sized, most: int = MOST_ITEMS) -> Iterator[Cap]:
    """Stops reporting once `log` holds more than `most` items; only where a timer can be had, in the main thread."""
    cap = Cap()
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield cap
        return

    def look(number: int, frame: FrameType | None) -> None:
        if len(log) > most and not cap.reached:
            cap.reached = True
            probes.pause()

    before: Any = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, _PERIOD_SECONDS, _PERIOD_SECONDS)
    try:
        yield cap
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
