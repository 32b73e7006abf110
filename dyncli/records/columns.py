"""Columns of a record: many numbers, or rows that differ in few of them, in a few bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dyncli.records.model import Gradient

MOST_UNSIGNED = 2**32


class Shared(dict[Any, Any]):
    """Whole numbers, and tuples of these: `shared[value]` is the object that stands for its equals.

    Most of a long run's numbers are in several rows, and an operand is mostly the only result of another op.
    """

    def __missing__(self, value: Any) -> Any:
        self[value] = value
        return value


def integers(values: Sequence[int]) -> Sequence[int]:
    """Return many whole numbers in 4 bytes each, or 8; raises OverflowError for one that fits in neither."""
    if not values:
        return ()
    return array("I" if min(values) >= 0 and max(values) < MOST_UNSIGNED else "q", values)


class Gradients(Sequence[Gradient]):
    """Gradients of a backward: rows, then those of intermediate values as the numbers of both tensors.

    names: of the intermediate values that have one; others are called by their number.
    """

    __slots__ = ("_rows", "_names", "_tensors", "_values")

    def __init__(self, rows: Iterable[Gradient], pairs: Sequence[tuple[int, int]], names: Mapping[int, str]) -> None:
        self._rows, self._names = tuple(rows), names
        self._tensors = integers([tensor for tensor, _ in pairs])
        self._values = integers([value for _, value in pairs])

    def __len__(self) -> int:
        return len(self._rows) + len(self._tensors)

    def __iter__(self) -> Iterator[Gradient]:
        yield from self._rows
        yield from map(self._intermediate, self._tensors, self._values)

    def __getitem__(self, index: Any) -> Any:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, Gradients)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _intermediate(self, tensor: int, value: int) -> Gradient:
        return Gradient(self._names.get(tensor) or f"t{tensor}", tensor, "intermediate", value)
