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
        self.made = own.greenlets.pop() if own.greenlets else greenlet.greenlet(_one_after_another)
        self.made.parent, self.made.gr_context = greenlet.getcurrent(), copy_context()
        self.given: tuple[Any, ...] = (body,)

    def resume(self) -> None:
        """Run until this coroutine, or one that followed it, ends or pauses for none."""
        given, self.given = self.given, ()
        self.made.switch(*given)

    def pause(self, following: Greenlet | None) -> None:
        """Leave the function for another that paused, or for whoever resumed the first."""
        (self.made.parent if following is None else following.made).switch()

    def close(self) -> None:
        """End the function where it paused."""
        self.made.throw()


class _Own(threading.local):
    """A thread's own.

    greenlets: those whose function has ended: a new one costs pages of memory.
    turn, errors: what its coroutines on threads release when they leave, and what they raised.
    """

    def __init__(self) -> None:
        self.greenlets: list[Any] = []
        self.turn = threading.Semaphore(0)
        self.errors: list[BaseException] = []


own = _Own()


def _one_after_another(body: Any) -> None:
    """Run the functions that a greenlet is given."""
    while True:
        body()
        body = None  # what it holds is free
        current = greenlet.getcurrent()
        current.gr_context = None
        own.greenlets.append(current)
        body = current.parent.switch()


class Thread:
    """The same on a thread of its own, which runs only while nobody else does."""

    def __init__(self, body: Callable[[], None]) -> None:
        self.body, self.context = body, copy_context()
        self.mine, self.turn, self.errors = threading.Semaphore(0), own.turn, own.errors
        self.closed = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.mine.acquire()
        try:
            if not self.closed:
                self.context.run(self.body)
        except BaseException as error:  # it is the resumer's
            self.errors.append(error)
        self.turn.release()

    def resume(self) -> None:
        """Run until this coroutine, or one that followed it, ends or pauses for none."""
        self.mine.release()
        self.turn.acquire()
        if self.errors:
            raise self.errors.pop()

    def pause(self, following: Thread | None) -> None:
        """Leave the function for another that paused, or for whoever resumed the first."""
        (self.turn if following is None else following.mine).release()
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
