"""Stops of a run from outside: `--timeout` and Ctrl-C, both of which leave the record of what ran before."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any, NoReturn

#: The modules whose functions run as objects go; an exception there is printed and dropped, and ends nothing.
FINALIZERS = frozenset(
    {"weakref", "_weakrefset", "dyncore.graph.versions", "dyncore.tensors.set_data", "dyncore.tensors.lazy_conj"}
)
SOON = 0.01  # seconds until a limit is looked at again
PATIENCE_SECONDS = 1.0  # how long a limit waits for a finalizer to end


class Stopped(BaseException):
    """Ends a run at a limit; no `except Exception` of the script holds it up."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def enough_steps(steps: int) -> Stopped:
    """Return what ends a run after as many backwards as were asked for: not at a limit, and well."""
    return Stopped("ok", f"stopped after {steps} {'backward' if steps == 1 else 'backwards'}, as asked")


def held_too_long(pin: str, times: int) -> NoReturn:
    """Raise Stopped for an arm that was forced against its test so often that a loop may never end."""
    stopped = Stopped("limit", f"stopped: `--force {pin}` went against its test {times:,} times in a row")
    line, _, arm = pin.partition("=")
    once = f"{line.strip().removeprefix('line ')} iteration 3 = {arm.strip()}"
    stopped.add_note(f"hint: a loop may never end so; `--force 'line {once}'` takes the arm in one iteration alone")
    raise stopped


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise Stopped in the running script after `seconds`, even in a loop that runs no op."""
    if not seconds:
        yield
        return
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        with _by_thread(seconds):
            yield
        return

    deadline = monotonic() + seconds

    def late(number: int, frame: FrameType | None) -> None:
        if waits(frame, monotonic() - deadline):
            signal.setitimer(signal.ITIMER_REAL, SOON, 0.5)
            return
        raise Stopped("timeout", f"stopped after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def waits(frame: FrameType | None, late_seconds: float) -> bool:
    """Return whether a limit that is over waits: what is raised in a finalizer would be printed and dropped."""
    return late_seconds <= PATIENCE_SECONDS and finalizing(frame)


def finalizing(frame: FrameType | None) -> bool:
    """Return whether a frame runs in a `__del__`, a callback of the collector or of a weak reference."""
    of_collector = [getattr(each, "__code__", None) for each in gc.callbacks]
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or code in of_collector or frame.f_globals.get("__name__") in FINALIZERS:
            return True
        frame = frame.f_back
    return False


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    """Limit the time where there is no alarm signal: another thread raises Stopped in this one."""
    import ctypes

    target = threading.get_ident()
    reason = type(
        "Late", (Stopped,), {"__init__": lambda self: Stopped.__init__(self, "timeout", f"stopped after {seconds:g} s")}
    )
    raise_in: Any = ctypes.pythonapi.PyThreadState_SetAsyncExc
    timer = threading.Timer(seconds, lambda: raise_in(ctypes.c_ulong(target), ctypes.py_object(reason)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Restore the recursion limit that a script may have changed."""
    limit = sys.getrecursionlimit()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
