"""Coroutines that can be left from any depth of calls: greenlets where they are installed, threads otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context

try:
    import greenlet
except ImportError:
    greenlet = None


class Greenlet:
    """A function that runs until it ends or pauses."""

    def __init__(self, body: Callable[[], None]) -> None:
        self.made = greenlet.greenlet(body)
        self.made.gr_context = copy_context()

    def resume(self) -> bool:
        """Run until the next pause; return whether the function has not ended."""
        self.made.switch()
        return not self.made.dead

    def pause(self) -> None:
        """Leave the function, to whoever resumed it."""
        self.made.parent.switch()

    def close(self) -> None:
        """End the function where it paused."""
        self.made.throw()


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
