"""Columns of a record: many numbers, elements of tensors, or rows that differ in few numbers, in a few bytes each.

Elements are kept in the dtype of their tensor: a number of Python's takes eight times as much as one of float32.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dyncli.records.model import Gradient, Scope, Site

MOST_UNSIGNED = 2**32
FEW = 4  # elements that take less as a tuple
SMALL = 64  # elements that take less in a column: an object of bytes takes 33 beside these


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


class _Rows(Sequence[Any]):
    """Rows that are made each time they are read; equal to a tuple of the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, _Rows)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Gradients(_Rows):
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

    def _intermediate(self, tensor: int, value: int) -> Gradient:
        return Gradient(self._names.get(tensor) or f"t{tensor}", tensor, "intermediate", value)


class ScopeRows(_Rows):
    """Scopes: what many have in common once, and of each its numbers, of which -1 stands for an absent one."""

    __slots__ = ("_heads", "_known", "_head", "_parents", "_indexes", "_decisions")

    def __init__(self) -> None:
        self._heads: list[tuple[str, str, Site | None]] = []
        self._known: dict[tuple[str, str, int], int] = {}
        self._head, self._parents, self._indexes, self._decisions = (array("i") for _ in range(4))

    def append(
        self, parent: int | None, kind: str, name: str, site: Site | None, index: int | None, decision: int | None
    ) -> None:
        """Add a scope, whose number is how many came before."""
        key = kind, name, id(site)
        head = self._known.get(key)
        if head is None:
            head = self._known[key] = len(self._heads)
            self._heads.append((kind, name, site))
        self._head.append(head)
        self._parents.append(-1 if parent is None else parent)
        self._indexes.append(-1 if index is None else index)
        self._decisions.append(-1 if decision is None else decision)

    def drop_decisions(self, count: int) -> None:
        """Forget the first decisions; the others are numbered from 0."""
        self._decisions = array("i", [max(number - count, -1) for number in self._decisions])

    def __len__(self) -> int:
        return len(self._head)

    def __iter__(self) -> Iterator[Scope]:
        return map(self._scope, range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        places = range(len(self))[index]
        return self._scope(places) if isinstance(places, int) else tuple(map(self._scope, places))

    def _scope(self, number: int) -> Scope:
        parent, index, decision = self._parents[number], self._indexes[number], self._decisions[number]
        return Scope(
            number,
            None if parent < 0 else parent,
            *self._heads[self._head[number]],
            None if index < 0 else index,
            None if decision < 0 else decision,
        )


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
