"""The tables of ops and of backward nodes, flat in lists: no object that has to be tracked is made for one.

A tuple kept for each op costs 0.2 us more than its items in a list (bench tracing, chain).  Elements of small vectors
lie in one row of bytes, an object for each costs 33 bytes and 0.02 us more.  Long lists are packed: numbers eight bytes
each instead of forty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import chain, compress, count, repeat
from operator import attrgetter, call
from struct import Struct
from sys import getrefcount
from threading import Lock
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from dyncli.recorder.engine import AGAIN, SMALL, pack_after

_shape, _dtype = attrgetter("shape"), attrgetter("dtype")
(_ALONE,) = [getrefcount(each) for each in [object()]]  # what only a column and the loop over it refer to


class Numbers:
    """Columns of integers, of kind `q`, or of floats, of kind `d`."""

    __slots__ = ("kind", "data", "count")

    def __init__(self, kind: str, columns: Sequence[Sequence[float]]) -> None:
        self.kind, self.count = kind, len(columns)
        self.data = Struct(f"{sum(map(len, columns))}{kind}").pack(*chain.from_iterable(columns))

    def columns(self) -> list[tuple[Any, ...]]:
        """Unpack the columns."""
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
        """Pack the small arrays that nothing else refers to any more."""
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
        """Return how long the list is, and what was written since the last call."""
        buffer = self.buffer
        end = len(rows)
        if not buffer.tell():  # asked after the length, as rows come before their elements
            return end, b""
        start = partial(buffer.seek, 0)
        steps: list[Any] = [rows.__len__, buffer.tell, start, buffer.read, start]
        end, size, _, data, _ = map(call, steps)  # no bytecode runs between them, so no other thread does
        return end, memoryview(data)[:size]

    def keep(self, rows: list[Any]) -> bytearray:
        """Move what was written into the kept elements, and return these."""
        self.kept += self.taken(rows)[1]
        return self.kept


def vectors(column: Iterable[Any], elements: Bytes) -> Iterator[Any]:
    """Yield the column with vectors in place of their lengths."""
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
    """View elements as the rows of an array, each a vector of `size`."""
    return np.frombuffer(elements, FLOAT32).reshape(-1, size)


def sorted_out(lengths: Sequence[int], elements: Bytes) -> tuple[bytes, list[tuple[list[int], Any]]]:
    """Separate the elements of small vectors from larger ones.

    The second part lists, for each larger size, the places of its vectors and these as rows of one array.

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
    """Return how many bytes the elements of a column's vectors take."""
    whole: Any = column if set(map(type, column)) == {int} else filter(is_vector, column)
    return 4 * int(sum(whole))


def are_lengths(column: Sequence[Any]) -> bool:
    """Return whether vectors alone stand in a column.  Lengths are few: half the time of the type of each."""
    if column and column[-1].__class__ is not int:
        return False
    try:
        return set(map(type, set(column))) <= {int}
    except TypeError:  # an array has no hash
        return False


def is_vector(what: Any) -> bool:
    """Return whether it stands for a vector of its own."""
    return what.__class__ is int and what != AGAIN


NOTHING: dict[str, Any] = {}  # the keywords of an op without any
WIDTH = 10  # items of an op's row
NODE = 3  # and of a backward node's
BLOCK = 512  # rows that are packed at once
ENOUGH = 4 * BLOCK  # rows of which the oldest are packed
WHAT, CODE = 8, 9  # places in a row
MADE_IN_BLOCK = 4  # the place in a block of what the ops made
AWHILE = 0.1  # seconds that a write waits for another thread to pack
_OLDEST = slice(0, WIDTH * BLOCK)


class RecordedOp(NamedTuple):
    """One op as the listener received it.

    outputs: (number, what) of each, where `what` is the small array itself, or the shape and dtype of a larger one, and
    of larger arrays that a collector looks at, shape, dtype and what it returned.
    rank: of the node it recorded, 0 if none.  at: the length of the decision log then.
    gaps: (place in inputs, how many) of each argument that was a list of tensors, or none, with 0; of those given by
    keyword, which come last, (keyword, how many).
    """

    op: Any
    inputs: list[int]
    outputs: tuple[tuple[int, Any], ...]
    rest: tuple[Any, ...]
    kwargs: dict[str, Any]
    code: CodeType
    lasti: int
    started: int
    ended: int
    at: int
    rank: int
    error: str | None
    gaps: tuple[tuple[int | str, int], ...]


class Rows:
    """The ops of a run, in order.

    A row is `first, made, lasti, started, ended, at, op, second, what, code`.
    An op of one or two operands has their numbers as first and second; second is None if there is no other, and may be
    a float, or a tuple of an integer.  Any other op has a tuple as its second: what each argument was (a tensor's
    number, None, or (keyword or None, the numbers in a list)), the arguments that are no tensors, those by keyword, and
    the rank.
    made: the number of the result, which of an op of operands is the rank of its node as well, unless its lasti is
    negative (inverted), as it recorded none; 0 if there are several, which are in `what` then.
    what: the small array itself, or its length if it is a vector of float32, whose elements are `written`; the shape of
    a larger one of float32; else shape, dtype and what was seen.
    safe: how many ops, from the first, have small arrays that nobody can write.
    is_timed: whether times are kept.
    """

    __slots__ = ("flat", "written", "blocks", "errors", "packing", "full", "safe", "is_timed")

    def __init__(self) -> None:
        self.flat: list[Any] = []
        self.written = Written()
        self.blocks: list[tuple[Any, ...]] = []
        self.errors: dict[int, str] = {}
        self.safe = 0
        self.is_timed = True
        self.packing = Lock()
        self.full = WIDTH * ENOUGH  # the length at which `pack` is called

    def __len__(self) -> int:
        return len(self.blocks) * BLOCK + len(self.flat) // WIDTH

    def pack(self) -> bool:
        """Pack the oldest rows if there are enough, and return whether; other threads may go on meanwhile."""
        if not self.packing.acquire(blocking=False):
            return False
        try:
            if len(self.flat) >= WIDTH * ENOUGH:
                self._pack_oldest()
                return True
            return False
        finally:
            self.packing.release()
            self.wait()

    def _pack_oldest(self) -> None:
        kept = self.written.keep(self.flat)
        first, made, lasti, started, ended, at, op, second, what, code = [
            self.flat[place : WIDTH * BLOCK : WIDTH] for place in range(WIDTH)
        ]
        end = size_of(what)
        arrays = Arrays(what)
        integers, times = Numbers("q", (first, made, lasti, at)), Numbers("d", (started, ended))
        block = integers, times, op, second, arrays, code, kept[:end]
        del what
        # All or none, whatever signal comes: no bytecode runs between them.
        rows, elements = partial(self.flat.__delitem__, _OLDEST), partial(kept.__delitem__, slice(0, end))
        list(map(call, (partial(self.blocks.append, block), rows, elements)))
        arrays.pack()

    def secure(self) -> None:
        """Copy the small arrays that may be written in place from now on."""
        if not self.packing.acquire(timeout=AWHILE):  # a finalizer of the script's may write while these lines run
            return
        try:
            count = len(self)
            for block in self.blocks[self.safe // BLOCK :]:
                block[MADE_IN_BLOCK].column = [*map(_copied, block[MADE_IN_BLOCK].column)]
            start = max(0, self.safe - len(self.blocks) * BLOCK) * WIDTH + WHAT
            whats = self.flat[start::WIDTH]
            if not set(map(type, whats)) <= {int}:
                self.flat[start : start + len(whats) * WIDTH : WIDTH] = map(_copied, whats)
            self.safe = count
        finally:
            self.packing.release()

    def wait(self) -> None:
        """Arrange that `pack` is called when the list is full."""
        pack_after((self.full - len(self.flat)) // WIDTH)

    def pack_again(self) -> None:
        """Pack the arrays that the graph still held when their rows were packed, once backward is over."""
        for block in self.blocks:
            if block[MADE_IN_BLOCK].left:
                block[MADE_IN_BLOCK].pack()

    def __iter__(self) -> Iterator[RecordedOp]:
        return map(recorded_op, self._rows(), map(self.errors.get, count()), repeat(self.is_timed))

    def places(self) -> Iterator[tuple[int, CodeType, int]]:
        """Yield of each op where it is in the log of decisions, its code and its instruction."""
        for _, _, lasti, _, _, at, _, second, _, code in self._rows():
            is_short = second.__class__ is not tuple or len(second) == 1
            yield at, code, ~lasti if is_short and lasti < 0 else lasti

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows, with vectors in place of their lengths."""
        for integers, times, op, second, what, code, elements in self.blocks:
            first, made, lasti, at = integers.columns()
            yield from zip(first, made, lasti, *times.columns(), at, op, second, vectors(what, elements), code)
        columns = [self.flat[place::WIDTH] for place in range(WIDTH)]
        columns[WHAT : WHAT + 1] = [[*vectors(columns[WHAT], self.written.keep(self.flat))]]
        yield from zip(*columns)

    @property
    def error(self) -> str | None:
        """Return what the newest raised, if it did."""
        return self.errors.get(len(self) - 1)


def _copied(what: Any) -> Any:
    if what.__class__ is ndarray:
        return what.copy()
    if what.__class__ is tuple and what and what[-1].__class__ is tuple:  # of an op with several results
        return tuple([(number, _copied(each)) for number, each in what])
    return what


def nanoseconds(seconds: float) -> int:
    """Convert a reading of the clock in seconds to whole nanoseconds."""
    return round(seconds * 1e9)


def recorded_op(row: Any, error: str | None, is_timed: bool = True) -> RecordedOp:
    """Convert a row to a RecordedOp; error: the message of an op that raised."""
    first, made, lasti, started, ended, at, op, second, what, code = row
    started, ended = (nanoseconds(started), nanoseconds(ended)) if is_timed else (0, 0)
    outputs = ((made, _shaped(what)),) if made else tuple([(number, _shaped(each)) for number, each in what])
    gaps: tuple[tuple[int | str, int], ...] = ()
    if second.__class__ is not tuple or len(second) == 1:
        rank = made if lasti >= 0 else 0
        inputs = [first, second] if second.__class__ is int else [first]
        rest = second if second.__class__ is tuple else (second,) if second.__class__ is float else ()
        gaps = ((1, 0),) if rest else ()
        lasti = lasti if lasti >= 0 else ~lasti
        return RecordedOp(op, inputs, outputs, rest, NOTHING, code, lasti, started, ended, at, rank, error, gaps)
    given, rest, kwargs, rank = second
    inputs = []
    for each in given:
        if each.__class__ is int:
            inputs.append(each)
        else:
            key, found = each or (None, ())
            gaps += ((len(inputs) if key is None else key, len(found)),)
            inputs += found
    return RecordedOp(op, inputs, outputs, rest, kwargs, code, lasti, started, ended, at, rank, error, gaps)


def shape_dtype(what: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and dtype of an output as a row has it."""
    return what[:2] if what.__class__ is tuple else (what.shape, what.dtype)


def _shaped(what: Any) -> Any:
    """Return the array, or its shape, dtype and whatever else is known of it."""
    if what.__class__ is bytes:  # one of several
        return np.frombuffer(what, FLOAT32)
    return (what, FLOAT32) if what.__class__ is tuple and (not what or what[0].__class__ is int) else what


class Nodes:
    """The backward nodes of one pass, in order.

    A row is the rank, the small gradient that came to it, or what was seen of it, and when it ended: the node began
    when the row before ended.  Rank 0 is that of what ran before or between nodes.
    Of a vector of float32 there is the length, and its elements are `written`; AGAIN stands for that of the row before.
    along: gradients along every edge, flat: the node's rank, rank and place of the output that it belongs to, and the
    small array or its summary.
    bad: the same of the gradients with NaN or Inf that nodes returned.
    parts: gradients of outputs of nodes that have several, flat: the rank, the output, what.
    handed: returned gradients that were not looked at yet, flat: the node's rank, the edge, the array.
    looked: the length of `flat` that was looked at.
    """

    __slots__ = ("flat", "written", "blocks", "along", "bad", "parts", "handed", "looked")

    def __init__(self) -> None:
        self.flat: list[Any] = []
        self.written = Written()
        self.blocks: list[tuple[Numbers, Numbers, Arrays]] = []
        self.along: list[Any] = []
        self.bad: list[Any] = []
        self.parts: list[Any] = []
        self.handed: list[Any] = []
        self.looked = 0

    def note(self, rank: int, got: Any, started: float, ended: float) -> None:
        """Record a node."""
        self.flat += (0, None, started, rank, got, ended)

    def pack(self) -> None:
        """Pack a finished long pass from its end, so that no more memory is used meanwhile."""
        while len(self.flat) >= NODE * ENOUGH:
            ranks, got, ended = [self.flat[place - NODE * BLOCK :: NODE] for place in range(NODE)]
            self.blocks.insert(0, (Numbers("q", (ranks,)), Numbers("d", (ended,)), Arrays(got)))
            del self.flat[-NODE * BLOCK :], got
            self.blocks[0][-1].pack()

    def __iter__(self) -> Iterator[tuple[int, Any, int, int]]:
        """Rank, gradient, start and end of each, in nanoseconds."""
        ranks, gots, times = [self.flat[place::NODE] for place in range(NODE)]
        for of_ranks, of_times, arrays in self.blocks:
            ranks += of_ranks.columns()[0]
            gots += arrays
            times += of_times.columns()[0]
        started = 0
        for rank, got, ended in zip(ranks, vectors(gots, self.written.keep(self.flat)), map(nanoseconds, times)):
            if rank:
                yield rank, _shaped(got), started, ended
            started = ended

    def forget(self) -> None:
        """Keep of the nodes only their ranks and times."""
        self.flat[1::NODE] = [None] * (len(self.flat) // NODE)
        self.blocks = [(integers, times, Arrays([None] * BLOCK)) for integers, times, _ in self.blocks]
        self.along.clear()
        self.bad.clear()
        self.parts.clear()
        self.written = Written()
