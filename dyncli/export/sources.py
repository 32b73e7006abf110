"""Iterables of `for` loops: counted by a number that stays a value, or stepped through as Python does."""

from __future__ import annotations

from typing import Any

from dyncli.export.numbers import Number, number

__dyncore__ = True

LONGEST_UNROLLED = 16


class Range:
    """`range` of numbers of which one is a value of the path."""

    def __init__(self, start: Any, stop: Any, step: Any = 1) -> None:
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self) -> Any:
        return iter(
            range(*(each.exact() if isinstance(each, Number) else each for each in (self.start, self.stop, self.step)))
        )


class Pairs:
    """`zip` or `enumerate` of iterables of which one is counted."""

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts

    def __iter__(self) -> Any:
        return zip(*self.parts)


class Counted:
    """Source whose position is a `Number`; `read` is the element there."""

    def __init__(self, recording: Any, start: Any, stop: Any, step: int, read: Any) -> None:
        self.position: Any = start.again() if isinstance(start, Number) else number(recording, start)
        self.start = start
        self.stop = stop if isinstance(stop, Number) else int(stop)
        self.step = step
        self.read = read

    def more(self) -> bool:
        """Return whether there is another element: a decision."""
        return bool(self.position < self.stop if self.step > 0 else self.position > self.stop)

    def next(self) -> Any:
        """Return the next element."""
        here = self.position
        self.position = here + self.step
        return self.read(here)

    def has_turned(self) -> bool:
        """Return whether an element was taken: a decision."""
        return bool(self.position > self.start if self.step > 0 else self.position < self.start)

    def last(self) -> Any:
        """Return the element that was taken last."""
        return self.read(self.position - self.step)


class Together:
    """Several sources at once."""

    def __init__(self, sources: list[Any]) -> None:
        self.sources = sources

    def more(self) -> bool:
        """Return whether every source has another element."""
        return all(each.more() for each in self.sources)

    def next(self) -> tuple[Any, ...]:
        """Return the next element of each."""
        return tuple(each.next() for each in self.sources)

    def has_turned(self) -> bool:
        """Return whether elements were taken: a decision."""
        return bool(self.sources[0].has_turned())

    def last(self) -> tuple[Any, ...]:
        """Return the elements that were taken last."""
        return tuple(each.last() for each in self.sources)


class Stepped:
    """Source that Python steps through: its position is part of the state, so that its loop is unrolled."""

    def __init__(self, iterable: Any) -> None:
        self.iterator = iter(iterable)
        self.position = 0
        self._ahead: list[Any] = []
        self._last: Any = None

    @property
    def state(self) -> tuple[Any, ...]:
        """Return what is left, and what was taken last."""
        return self.position, self._last, self._ahead, self.iterator

    def more(self) -> bool:
        """Return whether there is another element."""
        if not self._ahead:
            for each in self.iterator:
                self._ahead.append(each)
                break
        return bool(self._ahead)

    def next(self) -> Any:
        """Return the next element."""
        self.position += 1
        self._last = self._ahead.pop()
        return self._last

    def has_turned(self) -> bool:
        """Return whether an element was taken."""
        return self.position > 0

    def last(self) -> Any:
        """Return the element that was taken last."""
        return self._last
