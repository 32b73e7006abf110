"""The elements of a tensor, kept in its own dtype: a number of Python's takes eight times as much as one of float32."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

FEW = 4  # elements that take less as a tuple


class Elements(Sequence[Any]):
    """A sequence of plain numbers over the bytes of an array, which take half as much as a small array.

    An element is converted each time it is read: float32 to the shortest number that reads back the same, complex to
    text.
    """

    __slots__ = ("_data", "_dtype")

    def __init__(self, values: Any) -> None:
        self._data, self._dtype = values.tobytes(), values.dtype

    @property
    def key(self) -> tuple[Any, bytes]:
        """Return what is equal for sequences that agree in every bit."""
        return self._dtype, self._data

    @property
    def _flat(self) -> Any:
        from numpy import frombuffer

        return frombuffer(self._data, self._dtype)

    def __len__(self) -> int:
        return len(self._data) // int(self._dtype.itemsize)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return plain(self._flat[index])
        return plain(self._flat[index].reshape(1))[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(plain(self._flat))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Elements) and self._dtype == other._dtype:
            return len(self) == len(other) and bool((self._flat == other._flat).all())
        return isinstance(other, (tuple, Elements)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def plain(flat: Any) -> tuple[Any, ...]:
    """List the elements of a flat array as Python numbers, or as text if they are complex."""
    if flat.dtype.kind == "c":
        return tuple(map(str, flat.tolist()))
    if flat.dtype.kind == "f" and flat.dtype.itemsize < 8:
        return tuple(map(float, map(str, flat)))
    return tuple(flat.tolist())


def floats(values: Sequence[Any]) -> list[float]:
    """Return a tensor's real values, as exact as they were: a float32's shortest text takes long to find."""
    if not isinstance(values, Elements):
        return [value for value in values if isinstance(value, (bool, int, float))]
    return [] if values._dtype.kind == "c" else list(values._flat.tolist())


def elements(values: Any) -> Sequence[Any]:
    """Return the elements of a NumPy array in C order, as they are now."""
    return plain(values.reshape(-1)) if values.size <= FEW else Elements(values)


def integers(values: Sequence[int]) -> Sequence[int]:
    """Return many whole numbers in 8 bytes each; raises OverflowError for one that does not fit."""
    return array("q", values) if values else ()
