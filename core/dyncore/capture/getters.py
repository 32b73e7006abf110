"""Where values that a function can name are looked up: items, cells, lengths, contents."""

from __future__ import annotations

from typing import Any


class Getter:
    """Finds a value in its owner: `getter(key, default)`."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner


class Length(Getter):
    """How many elements there are."""

    def __call__(self, key: Any, default: Any) -> Any:
        return len(self.owner)


class Item(Getter):
    """The element at a position."""

    def __call__(self, key: Any, default: Any) -> Any:
        return self.owner[key] if key < len(self.owner) else default


class Contents(Getter):
    """The elements of a set."""

    def __call__(self, key: Any, default: Any) -> Any:
        return frozenset(self.owner)


class Cell(Getter):
    """What a closure's variable holds."""

    def __call__(self, key: Any, default: Any) -> Any:
        try:
            return self.owner.cell_contents
        except ValueError:
            return default
