"""Elements of small vectors: one object for all, where one for each takes 33 bytes more (bench tracing, chain)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from operator import call
from typing import Any

import numpy as np

from dyncli.trace.engine import AGAIN, SMALL

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
