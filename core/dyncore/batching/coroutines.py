"""Coroutines that can be left from any depth of calls: greenlets where they are installed, threads otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

try:
    import greenlet
except ImportError:
    greenlet = None


class Greenlet:
    """A function that runs until it ends or pauses."""

    def __init__(self, body: Callable[[], None]) -> None:
        self.made = idle.greenlets.pop() if idle.greenlets else greenlet.greenlet(_one_after_another)
        self.made.parent, self.made.gr_context = greenlet.getcurrent(), copy_context()
        self.given: tuple[Any, ...] = (body,)

    def resume(self) -> bool:
        """Run until the next pause; return whether the function has not ended."""
        given, self.given = self.given, ()
        if self.made.switch(*given):
            return True
        self.made.gr_context = None
        idle.greenlets.append(self.made)
        return False

    def pause(self) -> None:
        """Leave the function, to whoever resumed it."""
        self.made.parent.switch(True)

    def close(self) -> None:
        """End the function where it paused."""
        self.made.throw()


class _Idle(threading.local):
    """Greenlets of this thread whose function has ended: a new one costs pages of memory."""

    def __init__(self) -> None:
        self.greenlets: list[Any] = []


idle = _Idle()


def _one_after_another(body: Any) -> None:
    """Run the functions that a greenlet is given."""
    while True:
        body()
        body = None  # what it holds is free
        body = greenlet.getcurrent().parent.switch(False)


class Thread:
    """The same on a thread of its own, which runs only while nobody else does."""

    def __init__(self, body: Callable[[], None]) -> None:
        self.body, self.context = body, copy_context()
        self.mine, self.theirs = threading.Semaphore(0), threading.Semaphore(0)
        self.alive, self.closed = True, False
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.mine.acquire()
        try:
            if not self.closed:
                self.context.run(self.body)
        except BaseException as error:  # it is the resumer's
            self.error = error
        self.alive = False
        self.theirs.release()

    def resume(self) -> bool:
        """Run until the next pause; return whether the function has not ended."""
        self.mine.release()
        self.theirs.acquire()
        if self.error is not None:
            raise self.error
        return self.alive

    def pause(self) -> None:
        """Leave the function, to whoever resumed it."""
        self.theirs.release()
        self.mine.acquire()
        if self.closed:
            raise SystemExit

    def close(self) -> None:
        """End the function where it paused."""
        self.closed = True
        self.mine.release()
        self.thread.join()


def coroutine(body: Callable[[], None]) -> Greenlet | Thread:
    """Return a coroutine that has not begun, in a copy of this context."""
    return Thread(body) if greenlet is None else Greenlet(body)
