"""A tape that also looks at every value and gradient, so that the first bad one can be told.

A larger array is not kept: its norm is taken, one pass over the memory that was just written.  Only where that is not
an ordinary number are its elements looked at one by one.
Arrays of no more than `MOST` elements are looked at together, some time after they were made but before anything is
written in place: 2.1x to 1.5x of the unheard RNN of bench tracing.  Elements of vectors of float32 among them are kept
apart until then, where nobody writes them.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, compress
from typing import Any

import numpy as np
from numpy import ndarray

from dyncli.record.model import Stats
from dyncli.trace.norms import Batch, Seen, all_finite, all_seen, seen
from dyncli.trace.rows import BLOCK, ENOUGH, NODE, WHAT, WIDTH, Noted, Rows, noted_of
from dyncli.trace.summary import WHOLE, statistics
from dyncli.trace.tape import Tape
from dyncli.trace.written import Bytes, are_lengths, sorted_out, vectors_of
from dyncore.events import AGAIN, MOST, ROWS, SMALL
from dyncore.graph import AccumulateGrad
from dyncore.tensor import Tensor
from dyncore.versions import owner

NUMBERS = {int, np.float32, np.float64, type(None)}  # what is noted of a gradient that needs no look
MOST_LAST = 8  # gradients handed on that are still known when a node gets them
MOST_RECENT = 2  # batches whose arrays are still known when something bad was made of them
MOST_FORMER = 2_000  # former values of one parameter that are kept; of more every second goes
FEW_ROWS = 12 * WIDTH  # items of rows that are looked at one by one if none is of a vector
MADE = 1  # the place in a row of the number of what the op made


class LookedRows(Rows):
    """The ops of a tape that looks: at so many of them together.

    looked: the length of `flat` that was looked at.
    """

    __slots__ = ("watch", "looked")

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch
        self.looked = 0
        self.full = WIDTH * ROWS

    def __iter__(self) -> Iterator[Noted]:
        self.settle()
        batches: dict[int, Iterator[Any]] = {}
        for noted in super().__iter__():
            ((number, what),) = noted.outputs if len(noted.outputs) == 1 else ((0, None),)
            if what.__class__ is Batch:
                batch = batches.get(id(what)) or batches.setdefault(id(what), what.each())
                noted = noted._replace(outputs=((number, next(batch)),))
            yield noted

    def pack(self) -> bool:
        """Looks at the newest, and packs the oldest if there are enough."""
        self.settle()
        packed = len(self.flat) >= WIDTH * ENOUGH and super().pack()
        if packed:
            self.looked -= WIDTH * BLOCK
        self.full = self.looked + WIDTH * ROWS
        self.wait()
        return packed

    def settle(self) -> None:
        """Looks at the newest ops' results; in the place of each larger array is their batch then."""
        flat, start = self.flat, self.looked
        end, data = self.written.taken(flat)
        self.looked = end
        if end - start <= FEW_ROWS and not data:
            self._look_at_few(range(start, end, WIDTH))
            return
        rows, made, whats = range(start, end, WIDTH), flat[start + MADE : end : WIDTH], flat[start + WHAT : end : WIDTH]
        if are_lengths(whats):
            self._look_at_vectors(data, rows, made, whats)
            return
        kinds = set(map(type, whats))  # nothing else asked of numbers: 111 to 26 us for 696 (bench tracing, items)
        if int in kinds:
            vector = [what.__class__ is int for what in whats]
            self._look_at_vectors(data, *([*compress(column, vector)] for column in (rows, made, whats)))
        larger = [*map(_is_larger, whats)] if ndarray in kinds else []
        if any(larger):
            of_rows, of_made, arrays = ([*compress(column, larger)] for column in (rows, made, whats))
            self._look([(of_rows, of_made, arrays)])

    def _look_at_few(self, rows: range) -> None:
        """Looks at the results of few ops one by one: 22 to 9 us for the seven of a step (bench tracing, steps)."""
        flat = self.flat
        groups: list[tuple[list[int], Any]] = []
        for row in rows:
            array = flat[row + WHAT]
            if array.__class__ is ndarray and array.size > SMALL:
                if not groups:
                    self.watch.recent.append(groups)
                groups.append(([flat[row + MADE]], [array]))
                what = seen(array)
                flat[row + WHAT] = array.shape, array.dtype, what
                if what == 0 or what.__class__ is Stats:
                    self.watch.look_closer_at(noted_of(flat[row : row + WIDTH], None).inputs)

    def _look_at_vectors(self, data: Bytes, rows: Sequence[int], made: list[int], lengths: list[int]) -> None:
        """Looks at vectors with these elements, and keeps those of small ones."""
        sizes = set(lengths)
        if max(sizes, default=0) <= SMALL:
            self.written.kept += data
        elif len(sizes) == 1:  # one question for many: 0.1 us an op of bench tracing, RNN
            self._look([(rows, made, vectors_of(data, *sizes))])
        else:
            small, larger = sorted_out(lengths, data)
            self.written.kept += small
            self._look([([rows[at] for at in places], [made[at] for at in places], alike) for places, alike in larger])

    def _look(self, groups: list[tuple[Sequence[int], list[int], Any]]) -> None:
        """Looks at what ops made: of each group the rows, the results' numbers and their arrays.

        It has that looked at of which bad ones were made.
        """
        flat = self.flat
        self.watch.recent.append([(made, arrays) for _, made, arrays in groups])
        for rows, _, arrays in groups:
            batch = Batch(arrays)
            if rows.__class__ is range:  # all of the newest: 3 us for 128 less than one by one
                flat[rows.start + WHAT : rows.stop : WIDTH] = [batch] * len(rows)
            else:
                for row in rows:
                    flat[row + WHAT] = batch
            for place in batch.odd():
                self.watch.look_closer_at(noted_of(flat[rows[place] : rows[place] + WIDTH], None).inputs)

    def secure(self) -> None:
        """Copies the small arrays that may be written from now on, once all were looked at."""
        self.settle()
        super().secure()


class Watch(Tape):
    """A Tape that looks at every result, and at what each backward node got and handed on.

    Of the gradients handed on those are noted that have NaN or Inf.
    memory: the tensors from before the run, and other leaves, by the id of the array that holds their memory.
    recent: the numbers and arrays of the results that were looked at last, in groups.  last: larger gradients.
    """

    kept_for_now = MOST

    def __init__(self, log: list[Any], max_ops: int | None = None) -> None:
        super().__init__(log, max_ops)
        self.last: dict[int, tuple[weakref.ref[Any], Seen]] = {}
        self.memory: dict[int, Tensor] = {}
        self.recent: deque[list[tuple[list[int], Any]]] = deque(maxlen=MOST_RECENT)

    def rows_of_ops(self) -> Rows:
        """Where the ops are noted until they are looked at, and then."""
        return LookedRows(self)

    def before_write(self, root: Any, first: bool, silent: bool) -> None:
        """Looks at all that was not looked at yet, and keeps what is about to be written over."""
        if first:
            self.secure()
        if silent:
            rows = self.ops
            assert isinstance(rows, LookedRows)
            if len(rows.flat) > rows.looked:  # not for each parameter of a step: 4 us (bench tracing, steps)
                rows.pack()
            self._keep(root)

    def secure(self) -> None:
        """Looks at all that was not looked at yet, and keeps copies of small arrays."""
        super().secure()
        self.recent.clear()
        if self.open:
            self.settle()

    def _keep(self, root: Any) -> None:
        """Keeps what a parameter held until now: an optimizer's step, of which no op is heard, writes over it."""
        tensor = self.memory.get(id(root))
        if tensor is None or (tensor._array is not root and owner(tensor._array) is not root):
            leaves = [leaf for reference in self.leaves.values() if (leaf := reference()) is not None]
            self.memory = {id(owner(each._array)): each for each in (*self.sources.values(), *leaves)}
            tensor = self.memory.get(id(root))
            if tensor is None:
                return
        number = self.number(tensor)
        closer = self.closer.pop(number, None)
        former = self.former.setdefault(number, [])
        count = len(self.ops.blocks) * BLOCK + len(self.ops.flat) // WIDTH
        if former and former[-1][0] == count:
            return  # nobody has read it
        array = tensor._array
        if array.size <= (SMALL if former else WHOLE):
            former.append((count, array.copy()))
        else:
            former.append((count, closer or (seen(array) if former else statistics(array))))
        if len(former) > MOST_FORMER:
            del former[1:-1:2]

    # -- results of ops

    def look(self, array: Any, args: Any) -> Any:
        """Gives shape, dtype and what was seen of a larger array."""
        what = seen(array)
        if what == 0 or what.__class__ is Stats:
            self._look_closer(args)
        return array.shape, array.dtype, what

    def _look_closer(self, args: Any) -> None:
        """Takes the statistics of what something bad was made of: whether it had zeros, and where it ended."""
        for value in args:
            if isinstance(value, Tensor):
                self._take(self.number(value), value._array)
            elif isinstance(value, (list, tuple)):
                self._look_closer(value)

    def _take(self, number: int, array: Any) -> None:
        """Takes the statistics of one larger array."""
        if number not in self.closer and array.__class__ is ndarray and array.size > SMALL:
            self.closer[number] = statistics(array)

    def look_closer_at(self, numbers: list[int]) -> None:
        """Takes the statistics of tensors with these numbers, as far as their arrays are known."""
        for number in numbers:
            if number in self.sources:
                self._take(number, self.sources[number]._array)
            for made, arrays in chain.from_iterable(self.recent):
                if number in made:
                    self._take(number, arrays[made.index(number)])

    # -- gradients

    def begin_backward(self, roots: Any, grads: Any) -> Any:
        """Begins a pass, whose nodes are noted as they are and looked at by `settle`."""
        super().begin_backward(roots, grads)
        nodes = self.open[-1].nodes
        self.handed = nodes.handed
        return nodes.flat, nodes.written.write

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        """Notes the node with what it got and what it hands on."""
        nodes = self.open[-1].nodes
        nodes.note(node.rank, grad, started, ended)
        for edge, piece in ((node.e0, result),) if node.single else result or ():
            if edge is not None and piece is not None and piece is not grad:
                nodes.handed += (node.rank, edge, piece)
        if len(nodes.flat) >= nodes.looked + NODE * ROWS or getattr(_array(grad), "size", MOST + 1) > MOST:
            self.settle()

    def settle(self) -> int:
        """Looks at what the newest nodes got and handed on."""
        nodes = self.open[-1].nodes
        flat, handed = nodes.flat, nodes.handed
        start = nodes.looked
        if len(flat) > start and not flat[start]:  # what ran before the first of them
            start += NODE
        newest = slice(start + 1, None, NODE)
        gots = flat[newest]
        if gots:
            flat[newest], kept = self._gots(gots, nodes.written.taken(flat)[1])
            nodes.written.kept += kept
        nodes.looked = len(flat)
        if handed:
            self._note(nodes.pieces, handed[::3], handed[1::3], [*map(_array, handed[2::3])])
            handed.clear()
        return len(flat)

    def _gots(self, grads: list[Any], data: Bytes) -> tuple[list[Any], Bytes]:
        """What is noted of the gradients that nodes got, and the elements that are kept.

        That is a small array itself, and what was seen of a larger one.
        """
        if are_lengths(grads):
            return _vectors_seen(grads, data)
        if not data:  # no vector: 26 to 16 us for the seven nodes of a step (bench tracing, steps)
            return self._others(grads) if set(map(type, grads)) - NUMBERS else grads, b""
        vector = [grad.__class__ is int for grad in grads]
        lengths, kept = _vectors_seen([*compress(grads, vector)], data)
        of_vectors, of_others = iter(lengths), iter(self._others([g for g in grads if g.__class__ is not int]))
        return [next(of_vectors if each else of_others) for each in vector], kept

    def _others(self, grads: list[Any]) -> list[Any]:
        """What is noted of gradients that are no vectors of float32; numbers stay what they are."""
        found: list[Any] = [g if g.__class__ is ndarray or g.__class__ in NUMBERS else _array(g) for g in grads]
        places = [place for place, array in enumerate(found) if array.__class__ is ndarray and array.size > SMALL]
        norms = iter(all_seen([found[place] for place in places if found[place].size <= MOST]))
        for place in places:
            found[place] = next(norms) if found[place].size <= MOST else self.at(found[place])
        return found

    def _note(self, pieces: list[Any], ranks: list[int], edges: list[Any], arrays: list[Any]) -> None:
        """Notes of the gradients that were handed on those that are bad."""
        fine = all_finite([array for array in arrays if array is not None and array.size <= MOST])
        if fine and not any(array is not None and array.size > MOST for array in arrays):
            return
        for rank, edge, array in zip(ranks, edges, arrays, strict=True):
            if array is None or (fine and array.size <= MOST):
                continue
            if array.size > SMALL:
                what = self.at(array) if array.size > MOST else seen(array)
                if what.__class__ is Stats:
                    pieces += (rank, edge.node.rank, edge.index, what)
            elif not np.isfinite(array).all():
                kept = array.copy() if edge.__class__ is AccumulateGrad else array
                pieces += (rank, edge.node.rank, edge.index, kept)

    def at(self, array: Any) -> Seen:
        """What is seen of a large gradient; the next node mostly gets what the last ones handed on."""
        known = self.last.get(id(array))
        if known is not None and known[0]() is array:
            return known[1]
        if len(self.last) >= MOST_LAST:
            self.last.clear()
        what = seen(array)
        self.last[id(array)] = weakref.ref(array), what
        return what

    def end_backward(self, leaves: Any, node: Any) -> None:
        """Looks at what is left, and lets go of the last gradients."""
        self.settle()
        self.last.clear()
        super().end_backward(leaves, node)


def _vectors_seen(lengths: list[Any], data: Bytes) -> tuple[list[Any], Bytes]:
    """What is noted of vectors of float32 that nodes got, and the elements that are kept."""
    sizes = set(lengths) - {AGAIN}
    if max(sizes, default=0) <= SMALL:
        return lengths, data
    if len(sizes) == 1:
        norms = all_seen(vectors_of(data, *sizes))
        each = iter(norms)
        return norms if len(norms) == len(lengths) else [g if g == AGAIN else next(each) for g in lengths], b""
    small, larger = sorted_out(lengths, data)
    found = [*lengths]
    for places, alike in larger:
        for place, norm in zip(places, all_seen(alike), strict=True):
            found[place] = norm
    return found, small


def _is_larger(what: Any) -> bool:
    return what.__class__ is ndarray and what.size > SMALL


def _array(gradient: Any) -> Any:
    """The array of a gradient, None of one that has parts."""
    if isinstance(gradient, (ndarray, np.generic)):
        return gradient
    array = getattr(gradient, "_array", None)
    return array if isinstance(array, (ndarray, np.generic)) else None
