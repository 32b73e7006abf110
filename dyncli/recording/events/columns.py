"""Columns of the tables, packed, and elements of small vectors: one object for all instead of one for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import chain, compress
from operator import attrgetter, call
from struct import Struct
from sys import getrefcount
from typing import Any

import numpy as np
from numpy import ndarray

from dyncli.recording.engine import AGAIN, SMALL

_shape, _dtype = attrgetter("shape"), attrgetter("dtype")
(_ALONE,) = [getrefcount(each) for each in [object()]]  # what only a column and the loop over it refer to


class Numbers:
    """Columns of integers, of kind `q`, or of floats, of kind `d`."""

    __slots__ = ("kind", "data", "count")

    def __init__(self, kind: str, columns: Sequence[Sequence[float]]) -> None:
        self.kind, self.count = kind, len(columns)
        self.data = Struct(f"{sum(map(len, columns))}{kind}").pack(*chain.from_iterable(columns))

    def columns(self) -> list[tuple[Any, ...]]:
        """The columns again."""
        length = len(self.data) // 8 // self.count
        return [
            Struct(f"{length}{self.kind}").unpack_from(self.data, 8 * length * place) for place in range(self.count)
        ]


class Elements:
    """Arrays: the elements of all, the forms that there are, a shape and a dtype, and which of them each has."""

    __slots__ = ("data", "forms", "kinds")

    def __init__(self, arrays: Sequence[Any]) -> None:
        forms: dict[Any, int] = {}
        if len(set(map(_shape, arrays))) == 1 == len(set(map(id, map(_dtype, arrays)))):
            forms[arrays[0].shape, arrays[0].dtype] = 0
            self.kinds = [0] * len(arrays)
        else:
            self.kinds = [forms.setdefault(form, len(forms)) for form in zip(map(_shape, arrays), map(_dtype, arrays))]
        self.forms = [*forms]
        try:
            self.data = b"".join(arrays)
        except (BufferError, TypeError):  # not in C order
            self.data = b"".join(map(ndarray.tobytes, arrays))

    def __iter__(self) -> Iterator[Any]:
        start = 0
        for kind in self.kinds:
            shape, dtype = self.forms[kind]
            array: Any = np.ndarray(shape, dtype, self.data, start)
            start += array.nbytes
            yield array


class Arrays:
    """A column with arrays in it.  Those are taken in that nobody else holds, so that nobody can write them any more.

    column: in the place of each that was taken in, the elements that it is among.
    left: whether it may be worth while to look again, which is done once.
    """

    __slots__ = ("column", "left", "again")

    def __init__(self, column: list[Any]) -> None:
        self.column = column
        self.left = True
        self.again = False

    def pack(self) -> None:
        """Takes in what nobody else holds by now."""
        if ndarray in set(map(type, self.column)):
            taken = [a.__class__ is ndarray and getrefcount(a) == _ALONE and a.base is None for a in self.column]
            if any(taken):
                elements = Elements([*compress(self.column, taken)])
                self.column = [elements if each else what for each, what in zip(taken, self.column)]
        self.left = not self.again and ndarray in map(type, self.column)
        self.again = True

    def __iter__(self) -> Iterator[Any]:
        taken: dict[int, Iterator[Any]] = {}
        for what in self.column:
            if what.__class__ is Elements:
                what = next(taken.get(id(what)) or taken.setdefault(id(what), iter(what)))
            yield what


FLOAT32 = np.dtype(np.float32)
Bytes = bytes | bytearray | memoryview


class Written:
    """The elements of vectors of float32, as they come.

    A list of rows has the length of each, or AGAIN for that of the row before.
    write: takes a vector, right after its row was added to the list, so that no other thread comes in between.
    kept: the elements that were taken in, of rows that are still in the list.
    """

    __slots__ = ("buffer", "write", "kept")

    def __init__(self) -> None:
        self.buffer = BytesIO()  # never cut short, as it would grow again and again: 2 us an op of bench tracing, RNN
        self.write = self.buffer.write
        self.kept = bytearray()

    def taken(self, rows: list[Any]) -> tuple[int, Bytes]:
        """How long the list is, and what was written since the last call."""
        buffer = self.buffer
        end = len(rows)
        if not buffer.tell():  # asked after the length, as rows come before their elements
            return end, b""
        start = partial(buffer.seek, 0)
        steps: list[Any] = [rows.__len__, buffer.tell, start, buffer.read, start]
        end, size, _, data, _ = map(call, steps)  # no bytecode runs between them, so no other thread does
        return end, memoryview(data)[:size]

    def keep(self, rows: list[Any]) -> bytearray:
        """Takes all in that was written, and gives what is kept."""
        self.kept += self.taken(rows)[1]
        return self.kept


def vectors(column: Iterable[Any], elements: Bytes) -> Iterator[Any]:
    """The column with vectors in the place of their lengths."""
    whole: Any = np.frombuffer(bytes(elements), FLOAT32)
    start = 0
    last = None
    for what in column:
        if what.__class__ is not int:
            last = what
        elif what != AGAIN:
            last = whole[start : start + what]
            start += what
        yield last


def vectors_of(elements: Bytes, size: int) -> Any:
    """The vectors of one size that these elements make up, as rows of one array."""
    return np.frombuffer(elements, FLOAT32).reshape(-1, size)


def sorted_out(lengths: Sequence[int], elements: Bytes) -> tuple[bytes, list[tuple[list[int], Any]]]:
    """The elements of small vectors, and for each larger size the places of its vectors, and these as rows of an array.

    Picked by NumPy, as 128 vectors of two sizes take 40 us so, and 70 one by one.
    """
    sizes = np.maximum(lengths, 0)  # no elements where there is AGAIN
    starts = np.cumsum(sizes) - sizes
    whole: Any = np.frombuffer(elements, FLOAT32)
    larger = []
    for size in sorted({size for size in lengths if size > SMALL}):
        places = np.flatnonzero(sizes == size)
        at_each = np.ndarray(
            (len(whole) - size + 1, size), FLOAT32, elements, 0, (4, 4)
        )  # the vector that starts there
        larger.append((places.tolist(), at_each[starts[places]]))
    small = sizes <= SMALL
    return whole[np.repeat(small, sizes)].tobytes() if sizes[small].any() else b"", larger


def size_of(column: Sequence[Any]) -> int:
    """How many bytes the elements of a column's vectors take."""
    whole: Any = column if set(map(type, column)) == {int} else filter(is_vector, column)
    return 4 * int(sum(whole))


def are_lengths(column: Sequence[Any]) -> bool:
    """Whether vectors alone stand in a column.  Lengths are few: half the time of the type of each."""
    if column and column[-1].__class__ is not int:
        return False
    try:
        return set(map(type, set(column))) <= {int}
    except TypeError:  # an array has no hash
        return False


def is_vector(what: Any) -> bool:
    """Whether it stands for a vector of its own."""
    return what.__class__ is int and what != AGAIN
