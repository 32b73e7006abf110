"""What a tape notes of ops and of backward nodes, flat in lists: no object is made for one that has to be tracked.

A tuple kept for each op costs 0.2 us more than its items in a list (bench tracing, chain).  Long lists are packed:
integers eight bytes each instead of forty.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import call
from threading import Lock
from types import CodeType
from typing import Any

import numpy as np

from dyncli.record.tuples import NamedTuple
from dyncli.trace.packing import Arrays, Integers
from dyncore.events import pack_after

FLOAT32 = np.dtype(np.float32)
NOTHING: dict[str, Any] = {}  # the keywords of an op without any
WIDTH = 10  # items of an op's row
BLOCK = 2048  # rows that are packed at once
ENOUGH = WIDTH * BLOCK
INTEGERS = 6
WHAT = 3  # the place in a block of what the ops made
_OLDEST = slice(0, ENOUGH)


class Noted(NamedTuple):
    """One op as it was heard.

    outputs: (number, what) of each, where `what` is the small array itself, or the shape and dtype of a larger one, and
    of a tape that looks, a copy of it, or shape, dtype and what was seen.
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
    """The ops of a tape, in order.

    A row is `first, made, lasti, started, ended, at, op, second, what, code`, of which the first six are integers.
    An op of one or two operands has their numbers as first and second; second is None if there is no other, and may be
    a float, or a tuple of an integer.  Any other op has a tuple as its second: what each argument was (a tensor's
    number, None, or (keyword or None, the numbers in a list)), the arguments that are no tensors, those by keyword, and
    the rank.
    made: the number of the result, which of an op of operands is the rank of its node as well, unless its lasti is
    negative (inverted), as it recorded none; 0 if there are several, which are in `what` then.
    what: the small array itself, or its bytes if it is a vector of float32; the shape of a larger one of float32; else
    shape, dtype and what was seen.
    """

    __slots__ = ("flat", "blocks", "errors", "packing", "full")

    def __init__(self) -> None:
        self.flat: list[Any] = []
        self.blocks: list[tuple[Any, ...]] = []
        self.errors: dict[int, str] = {}
        self.packing = Lock()
        self.full = ENOUGH  # the length at which `pack` is called

    def __len__(self) -> int:
        return len(self.blocks) * BLOCK + len(self.flat) // WIDTH

    def pack(self) -> bool:
        """Packs the oldest rows, if there are enough, and returns whether; other threads may go on meanwhile."""
        if not self.packing.acquire(blocking=False):
            return False
        try:
            if len(self.flat) >= ENOUGH:
                columns = [self.flat[place:ENOUGH:WIDTH] for place in range(WIDTH)]
                *others, what, code = columns[INTEGERS:]
                made = Arrays(what)
                block = Integers(columns[:INTEGERS]), *others, made, code
                del columns, what
                # Both or neither, whatever signal comes: no bytecode runs between the two.
                list(map(call, (partial(self.blocks.append, block), partial(self.flat.__delitem__, _OLDEST))))
                made.pack()
                return True
            return False
        finally:
            self.packing.release()
            self.wait()

    def wait(self) -> None:
        """Has `pack` called when the list is full."""
        pack_after((self.full - len(self.flat)) // WIDTH)

    def pack_again(self) -> None:
        """Takes in the arrays that the graph held when their rows were packed, once backward is over."""
        for block in self.blocks:
            if block[WHAT].left:
                block[WHAT].pack()

    def __iter__(self) -> Iterator[Noted]:
        seq = 0
        for integers, *others in self.blocks:
            for row in zip(*integers.columns(), *others, strict=True):
                yield noted_of(row, self.errors.get(seq))
                seq += 1
        for start in range(0, len(self.flat), WIDTH):
            yield noted_of(self.flat[start : start + WIDTH], self.errors.get(seq))
            seq += 1

    def last(self) -> Noted:
        """The newest."""
        return noted_of(self.flat[-WIDTH:], self.errors.get(len(self) - 1)) if self.flat else [*self][-1]


def noted_of(row: Any, error: str | None) -> Noted:
    """A row in its parts."""
    first, made, lasti, started, ended, at, op, second, what, code = row
    outputs = ((made, _shaped(what)),) if made else tuple([(number, _shaped(each)) for number, each in what])
    gaps: tuple[tuple[int | str, int], ...] = ()
    if second.__class__ is not tuple or len(second) == 1:
        rank = made if lasti >= 0 else 0
        inputs = [first, second] if second.__class__ is int else [first]
        rest = second if second.__class__ is tuple else (second,) if second.__class__ is float else ()
        gaps = ((1, 0),) if rest else ()
        lasti = lasti if lasti >= 0 else ~lasti
        return Noted(op, inputs, outputs, rest, NOTHING, code, lasti, started, ended, at, rank, error, gaps)
    given, rest, kwargs, rank = second
    inputs = []
    for each in given:
        if each.__class__ is int:
            inputs.append(each)
        else:
            key, found = each or (None, ())
            gaps += ((len(inputs) if key is None else key, len(found)),)
            inputs += found
    return Noted(op, inputs, outputs, rest, kwargs, code, lasti, started, ended, at, rank, error, gaps)


def _shaped(what: Any) -> Any:
    """The array, or the shape, dtype and whatever else is known of it."""
    if what.__class__ is bytes:
        return np.frombuffer(what, FLOAT32)
    return (what, FLOAT32) if what.__class__ is tuple and what[0].__class__ is int else what


class Nodes:
    """The backward nodes of one pass, in order.

    A row is the rank, the small gradient that came to it or its bytes if that is a vector of float32, or what was seen
    of it, when it started, and when it ended.
    pieces: what a tape that looks keeps of gradients handed on, flat: the row, whose output it belongs to by rank and
    place, and the small array or what was seen.
    handed: of a tape that looks, gradients handed on that were not looked at yet: the row, the edge, the array.
    looked: how many rows were.
    """

    __slots__ = ("flat", "blocks", "pieces", "handed", "looked")

    def __init__(self) -> None:
        self.flat: list[Any] = []
        self.blocks: list[tuple[Integers, Arrays]] = []
        self.pieces: list[Any] = []
        self.handed: list[Any] = []
        self.looked = 0

    def pack(self) -> None:
        """Packs a long pass that is over, from its end on, so that no more is held meanwhile."""
        while len(self.flat) >= 4 * BLOCK:
            ranks, got, started, ended = [self.flat[place - 4 * BLOCK :: 4] for place in range(4)]
            self.blocks.insert(0, (Integers((ranks, started, ended)), Arrays(got)))
            del self.flat[-4 * BLOCK :], got
            self.blocks[0][1].pack()

    def __iter__(self) -> Iterator[tuple[int, Any, int, int]]:
        for rank, got, *times in zip(*[self.flat[place::4] for place in range(4)], strict=True):
            yield rank, _shaped(got), *times
        for integers, arrays in self.blocks:
            ranks, started, ended = integers.columns()
            yield from zip(ranks, map(_shaped, arrays), started, ended, strict=True)

    def forget(self) -> None:
        """Leaves of the nodes only which they were, and their times."""
        self.flat[1::4] = [None] * (len(self.flat) // 4)
        self.blocks = [(integers, Arrays([None] * BLOCK)) for integers, _ in self.blocks]
        self.pieces.clear()
