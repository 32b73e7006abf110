"""The elements of a tensor, kept in its own dtype: a number of Python's takes eight times as much as one of float32."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dyncli.records.columns import Shared

FEW = 4  # elements that take less as a tuple
SMALL = 64  # elements that take less in a column: an object of bytes takes 33 beside these


class Column:
    """Elements of arrays of one dtype and size, one array after the other."""

    __slots__ = ("dtype", "size", "data")

    def __init__(self, dtype: Any, size: int, data: bytes | bytearray) -> None:
        self.dtype, self.size, self.data = dtype, size, data


class Elements(Sequence[Any]):
    """A sequence of plain numbers over the bytes of an array, which take half as much as a small array.

    An element is converted each time it is read: float32 to the shortest number that reads back the same, complex to
    text.
    """

    __slots__ = ("_column", "_place")

    def __init__(self, column: Column, place: int = 0) -> None:
        self._column, self._place = column, place

    @property
    def key(self) -> tuple[Any, bytes]:
        """Return what is equal for sequences that agree in every bit."""
        return self._column.dtype, self._flat.tobytes()

    @property
    def _flat(self) -> Any:
        from numpy import frombuffer

        column = self._column
        return frombuffer(column.data, column.dtype, column.size, self._place * column.size * column.dtype.itemsize)

    def __len__(self) -> int:
        return self._column.size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return plain(self._flat[index])
        return plain(self._flat[index].reshape(1))[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(plain(self._flat))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Elements) and self._column.dtype == other._column.dtype:
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
    return [] if values._column.dtype.kind == "c" else list(values._flat.tolist())


def elements(values: Any) -> Sequence[Any]:
    """Return the elements of a NumPy array in C order, as they are now."""
    few = values.size <= FEW
    return plain(values.reshape(-1)) if few else Elements(Column(values.dtype, values.size, values.tobytes()))


class Kept:
    """The elements of many tensors: of equal ones one copy, and the small ones in columns.

    shared: the numbers of the record's tables.
    """

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._columns: dict[tuple[Any, int], Column] = {}
        self._known: dict[tuple[Any, bytes], Elements] = {}

    def of(self, values: Elements) -> Elements:
        """Return what stands for elements that agree with these in every bit, as those of a view do."""
        known = self._known.get(key := values.key)
        if known is None:
            known = self._known[key] = self._added(*key) if len(values) <= SMALL else values
        return known

    def _added(self, dtype: Any, data: bytes) -> Elements:
        size = len(data) // dtype.itemsize
        column = self._columns.setdefault((dtype, size), Column(dtype, size, bytearray()))
        place: int = self._shared[len(column.data) // len(data)]
        column.data += data
        return Elements(column, place)
