"""The arms of `match` that are forced, and loops that are made to end: what the script then really goes through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

#: Marks frames of this module as none of the user's.
__dyncore__ = True


class Arm:
    """The subject of a `match` when an arm is forced: equal to itself alone."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class Arms:
    """One `Arm` for each number: `arms.arm3`."""

    _made: ClassVar[dict[str, Arm]] = {}

    def __getattr__(self, name: str) -> Arm:
        return self._made.setdefault(name, Arm())


ARMS = Arms()


class Cut:
    """The first items of something, and a note when there might have been more."""

    __slots__ = ("_items", "_left", "_note")

    def __init__(self, items: Any, most: int, note: Callable[[], None]) -> None:
        self._items = iter(items)
        self._left = most
        self._note = note

    def __iter__(self) -> Cut:
        return self

    def __next__(self) -> Any:
        if self._left <= 0:
            self._note()
            raise StopIteration
        self._left -= 1
        return next(self._items)
