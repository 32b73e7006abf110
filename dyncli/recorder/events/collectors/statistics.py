"""The collector of norms, bad values and former values of parameters, by which the first bad value is found.

A larger array is not kept: its norm is taken, one pass over the memory that was just written.  Only where that is not
an ordinary number are its elements looked at one by one.
Arrays of no more than `MOST` elements are looked at together, some time after they were made but before anything is
written in place (benchmark `tracing`, rnn).  Elements of vectors of float32 among them are kept apart until then.
Beside a collector that looks at every array at once there is no need for that, and bad ones are found in its results.
"""

from __future__ import annotations

import math
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, chain, compress, cycle
from operator import attrgetter
from typing import Any

import numpy as np
from numpy import ndarray, vdot

from dyncli.recorder.engine import AGAIN, MOST, ROWS, SMALL, AccumulateGrad, Tensor, owner
from dyncli.recorder.events.collectors import Collector, Retention
from dyncli.recorder.events.rows import (
    BLOCK,
    ENOUGH,
    NODE,
    WHAT,
    WIDTH,
    Bytes,
    Nodes,
    RecordedOp,
    Rows,
    are_lengths,
    recorded_op,
    sorted_out,
    vectors_of,
)
from dyncli.recorder.events.summary import WHOLE, statistics
from dyncli.records.model import Stats

FLOAT32 = np.dtype(np.float32)
LARGE = 4_096  # elements of an array that is asked whether it is one number, stretched
FEW = 16  # arrays that are looked at one by one: six in a loop of other things take 6 us so, together 12
FLOATS = (FLOAT32, np.dtype(np.float64))
_shape, _size, _dtype = attrgetter("shape"), attrgetter("size"), attrgetter("dtype")
Norm = Any  # the norm of an array, or its Stats; None if it holds no floats


def norm_of(array: Any) -> Norm:
    """Return the norm of an array, its statistics if that is no ordinary number, None without floats that are known."""
    if array.dtype is not FLOAT32:
        if array.dtype.kind != "f":
            return statistics(array) if array.dtype.kind == "c" else None
        if array.itemsize < 4:
            array = array.astype(np.float32)
    if array.size > LARGE and not any(array.strides):  # one number, stretched: a million 0.82 ms to 1 us
        norm = abs(float(array[(0,) * array.ndim])) * math.sqrt(array.size)
        if norm < math.inf:
            return norm
    try:
        square = float(array.dot(array) if array.ndim == 1 else vdot(array, array))  # 1.5x on 64 elements, by timeit
    except NotImplementedError:  # a meta tensor
        return None
    if not 0.0 < square < math.inf:  # all zero, not finite, or too small or large to be squared in its own precision
        if not square and not array.tobytes().strip(b"\0"):  # 4x where gradients have died away
            return 0.0
        wide = array.astype(np.float64)
        square = float(vdot(wide, wide))
    return math.sqrt(square) if square < math.inf else statistics(array)


def norms_of(arrays: Any) -> list[Norm]:
    """Return what `norm_of` says of arrays: a fifth of its time where they are 64 of 64 elements.

    They may be the rows of one array.
    """
    if arrays.__class__ is ndarray:
        return _norms(arrays, arrays)
    dtypes = set(map(_dtype, arrays))
    if len(arrays) < 4 or len(dtypes) > 1 or dtypes.isdisjoint(FLOATS):
        return [*map(norm_of, arrays)]
    sizes = [*map(_size, arrays)]
    if sizes.count(sizes[0]) == len(sizes):
        return _norms(_joined(arrays, *dtypes).reshape(len(arrays), -1), arrays)
    if len(arrays) < FEW or 0 in sizes:  # none is what `reduceat` takes for the element that follows
        return [*map(norm_of, arrays)]
    wide = _joined(arrays, *dtypes).astype(np.float64)
    wide *= wide
    starts = [0, *accumulate(sizes[:-1])]  # 100 of five sizes 53 to 20 us: not size by size
    return _checked(np.sqrt(np.add.reduceat(wide, starts)).tolist(), arrays, dtypes == {FLOAT32})


def _norms(rows: Any, arrays: Any) -> list[Norm]:
    """Return what `norm_of` says of arrays whose elements are these rows."""
    sure = rows.dtype is FLOAT32  # that zero is zero
    wide = rows.astype(np.float64, copy=False)  # as small numbers squared in float32 take ten times as long
    return _checked(np.sqrt(np.vecdot(wide, wide)).tolist(), arrays, sure)  # 10 to 8 us for 128 of 64, taken by NumPy


def _checked(norms: list[Norm], arrays: Any, sure: bool) -> list[Norm]:
    """Replace norms that are no ordinary numbers by what `norm_of` returns for their arrays."""
    if math.isfinite(sum(norms)) and (sure or 0.0 < min(norms)):
        return norms
    return [
        norm if 0.0 < norm < math.inf or (sure and not norm) else norm_of(array)
        for norm, array in zip(norms, arrays, strict=True)
    ]


class Batch:
    """The statistics of arrays that were summarised together: it is kept in the place of each.

    A tuple for each costs 0.3 us an op of bench tracing, RNN.
    """

    __slots__ = ("forms", "norms")

    def __init__(self, arrays: Any) -> None:
        try:
            self.norms = norms_of(arrays)
        except NotImplementedError:  # a meta tensor
            self.norms = [*map(norm_of, arrays)]
        if arrays.__class__ is ndarray:
            self.forms: list[Any] = [(arrays.shape[1:], arrays.dtype)]
            return
        shapes, dtypes = set(map(_shape, arrays)), set(map(_dtype, arrays))
        alike = len(shapes) == len(dtypes) == 1
        self.forms = [(*shapes, *dtypes)] if alike else [(array.shape, array.dtype) for array in arrays]

    def odd(self) -> list[int]:
        """Return the places of arrays that are all zero or bad."""
        with suppress(TypeError):  # some are no numbers
            if min(self.norms) > 0.0:
                return []
        return [place for place, norm in enumerate(self.norms) if norm == 0.0 or norm.__class__ is Stats]

    def each(self) -> Iterator[tuple[Any, Any, Norm]]:
        """Yield the shape and dtype of each array, and what was seen of it."""
        return ((*form, norm) for form, norm in zip(cycle(self.forms), self.norms))


def all_finite(arrays: Sequence[Any]) -> bool:
    """Return whether no element is NaN or infinite."""
    dtypes = set(map(_dtype, arrays))
    if len(dtypes) > 1 or dtypes.isdisjoint(FLOATS):
        return all(bool(np.isfinite(array).all()) for array in arrays)
    if len(arrays) < FEW:
        return all(math.isfinite(vdot(array, array)) or bool(np.isfinite(array).all()) for array in arrays)
    return bool(np.isfinite(_joined(arrays, *dtypes)).all())


def _joined(arrays: Sequence[Any], dtype: Any) -> Any:
    """Concatenate all elements in any order within each array; faster than `np.concatenate`."""
    try:
        return np.frombuffer(b"".join(arrays), dtype)
    except (BufferError, TypeError, ValueError):  # not in C order
        return np.concatenate(arrays, axis=None)


NUMBERS = {int, np.float32, np.float64, type(None)}  # stored gradients that need no look
MOST_LAST = 8  # returned gradients that are still known when a node gets them
MOST_RECENT = 2  # batches whose arrays are still known when something bad was made of them
MOST_FORMER = 2_000  # former values of one parameter that are kept; of more every second goes
FEW_ROWS = 12 * WIDTH  # items of rows that are looked at one by one if none is of a vector
MADE = 1  # the place in a row of the number of what the op made


class BatchedRows(Rows):
    """The ops of a run whose results are looked at many together.

    looked: the length of `flat` that was looked at.
    """

    __slots__ = ("collector", "looked")

    def __init__(self, collector: Statistics) -> None:
        super().__init__()
        self.collector = collector
        self.looked = 0
        self.full = WIDTH * ROWS

    def __iter__(self) -> Iterator[RecordedOp]:
        self.flush()
        batches: dict[int, Iterator[Any]] = {}
        for recorded in super().__iter__():
            ((number, what),) = recorded.outputs if len(recorded.outputs) == 1 else ((0, None),)
            if what.__class__ is Batch:
                batch = batches.get(id(what)) or batches.setdefault(id(what), what.each())
                recorded = recorded._replace(outputs=((number, next(batch)),))
            yield recorded

    def pack(self) -> bool:
        """Look at the newest, and pack the oldest if there are enough."""
        self.flush()
        packed = len(self.flat) >= WIDTH * ENOUGH and super().pack()
        if packed:
            self.looked -= WIDTH * BLOCK
        self.full = self.looked + WIDTH * ROWS
        self.wait()
        return packed

    def flush(self) -> None:
        """Look at the newest ops' results; their batch takes the place of each larger array."""
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
        kinds = set(map(type, whats))  # numbers need no look: benchmark `tracing`, items
        if int in kinds:
            vector = [what.__class__ is int for what in whats]
            self._look_at_vectors(data, *([*compress(column, vector)] for column in (rows, made, whats)))
        larger = [*map(_is_larger, whats)] if ndarray in kinds else []
        if any(larger):
            of_rows, of_made, arrays = ([*compress(column, larger)] for column in (rows, made, whats))
            self._look([(of_rows, of_made, arrays)])

    def _look_at_few(self, rows: range) -> None:
        """Look at the results of few ops one by one."""
        flat = self.flat
        groups: list[tuple[list[int], Any]] = []
        for row in rows:
            array = flat[row + WHAT]
            if array.__class__ is ndarray and array.size > SMALL:
                if not groups:
                    self.collector.recent.append(groups)
                groups.append(([flat[row + MADE]], [array]))
                what = norm_of(array)
                flat[row + WHAT] = array.shape, array.dtype, what
                if what == 0 or what.__class__ is Stats:
                    self.collector.look_closer_at(recorded_op(flat[row : row + WIDTH], None).inputs)

    def _look_at_vectors(self, data: Bytes, rows: Sequence[int], made: list[int], lengths: list[int]) -> None:
        """Look at vectors with these elements, and keep those of small ones."""
        sizes = set(lengths)
        if max(sizes, default=0) <= SMALL:
            self.written.kept += data
        elif len(sizes) == 1:
            self._look([(rows, made, vectors_of(data, *sizes))])
        else:
            small, larger = sorted_out(lengths, data)
            self.written.kept += small
            self._look([([rows[at] for at in places], [made[at] for at in places], alike) for places, alike in larger])

    def _look(self, groups: list[tuple[Sequence[int], list[int], Any]]) -> None:
        """Look at what ops made, and closer at the operands of bad results.

        groups: of each the rows, the results' numbers and their arrays.
        """
        flat = self.flat
        self.collector.recent.append([(made, arrays) for _, made, arrays in groups])
        for rows, _, arrays in groups:
            batch = Batch(arrays)
            if rows.__class__ is range:
                flat[rows.start + WHAT : rows.stop : WIDTH] = [batch] * len(rows)
            else:
                for row in rows:
                    flat[row + WHAT] = batch
            for place in batch.odd():
                self.collector.look_closer_at(recorded_op(flat[rows[place] : rows[place] + WIDTH], None).inputs)

    def secure(self) -> None:
        """Copy the small arrays that may be written from now on, once all were looked at."""
        self.flush()
        super().secure()


class Statistics(Collector):
    """Looks at every result, and at what each backward node got and returned.

    Of the gradients that nodes return those are kept that have NaN or Inf; small results are kept as they are.
    is_batched: whether arrays are looked at together.
    memory: the tensors from before the run, and other leaves, by the id of the array that holds their memory.
    recent: the numbers and arrays of the results that were looked at last, in groups.  last: larger gradients.
    """

    def __init__(self) -> None:
        self.is_batched = False
        self.last: dict[int, tuple[weakref.ref[Any], Norm]] = {}
        self.memory: dict[int, Tensor] = {}
        self.recent: deque[list[tuple[list[int], Any]]] = deque(maxlen=MOST_RECENT)

    def refine(self, retention: Retention) -> Retention:
        """Put results and gradients off, unless another collector looks at each at once."""
        self.is_batched = retention.is_direct and retention.summarize is None
        if not self.is_batched:
            retention = retention._replace(is_direct=False, skips_nodes=False)
            if retention.summarize is not None:
                return retention
            return retention._replace(rows=Rows, keeps_values=True, result_elements=SMALL, summarize=self.result)
        return retention._replace(
            rows=lambda: BatchedRows(self),
            keeps_values=True,
            result_elements=MOST,
            summarize=self.result,
            gradient=_as_it_is,
            skips_nodes=False,
        )

    def secure(self) -> None:
        """Look at all that was put off."""
        self.recent.clear()
        if self.log.backward.open:
            self.flush()

    # -- former values of parameters

    def overwrite(self, root: Any) -> None:
        """Keep what a parameter held until now, before an optimizer's step writes over it."""
        log = self.log
        rows = log.ops
        if isinstance(rows, BatchedRows) and len(rows.flat) > rows.looked:  # not for each parameter of a step
            rows.pack()
        tensor = self._tensor_in(root)
        if tensor is None:
            return
        number = log.tensors.number(tensor)
        closer = log.inspected.pop(number, None)
        former = log.writes.former.setdefault(number, [])
        count = len(rows)
        if former and former[-1][0] == count:
            return  # nobody has read it
        array = tensor._array
        if array.size <= (SMALL if former else WHOLE):
            former.append((count, array.copy()))
        else:
            former.append((count, closer or (norm_of(array) if former else statistics(array))))
        if len(former) > MOST_FORMER:
            del former[1:-1:2]

    def _tensor_in(self, root: Any) -> Tensor | None:
        """Return the tensor from before the run, or leaf, whose memory an array holds."""
        tensor = self.memory.get(id(root))
        if tensor is None or (tensor._array is not root and owner(tensor._array) is not root):
            tensors = self.log.tensors
            leaves = [leaf for reference in tensors.leaves.values() if (leaf := reference()) is not None]
            self.memory = {id(owner(each._array)): each for each in (*tensors.sources.values(), *leaves)}
            tensor = self.memory.get(id(root))
        return tensor

    # -- results of ops

    def result(self, array: Any, args: Any) -> Any:
        """Return shape, dtype and norm of a larger array."""
        what = norm_of(array)
        if what == 0 or what.__class__ is Stats:
            self._look_closer(args)
        return array.shape, array.dtype, what

    def _look_closer(self, args: Any) -> None:
        """Take the statistics of what something bad was made of: whether it had zeros, and its range."""
        for value in args:
            if isinstance(value, Tensor):
                self._take(self.log.tensors.number(value), value._array)
            elif isinstance(value, (list, tuple)):
                self._look_closer(value)

    def _take(self, number: int, array: Any) -> None:
        """Take the statistics of one larger array."""
        inspected = self.log.inspected
        if number not in inspected and array.__class__ is ndarray and array.size > SMALL:
            inspected[number] = statistics(array)

    def look_closer_at(self, numbers: list[int]) -> None:
        """Take the statistics of tensors with these numbers, as far as their arrays are known."""
        sources = self.log.tensors.sources
        for number in numbers:
            if number in sources:
                self._take(number, sources[number]._array)
            for made, arrays in chain.from_iterable(self.recent):
                if number in made:
                    self._take(number, arrays[made.index(number)])

    # -- gradients

    def node(self, nodes: Nodes, node: Any, gradient: Any, result: Any) -> None:
        """Put off looking at what a node got and returned, unless it is large."""
        for edge, piece in ((node.e0, result),) if node.single else result or ():
            if edge is not None and piece is not None and piece is not gradient:
                nodes.handed += (node.rank, edge, piece)
        if len(nodes.flat) >= nodes.looked + NODE * ROWS or getattr(_array(gradient), "size", MOST + 1) > MOST:
            self.flush()

    def flush(self) -> None:
        """Look at what the newest nodes got and returned."""
        nodes = self.log.backward.open[-1].nodes
        flat, handed = nodes.flat, nodes.handed
        start = nodes.looked
        if len(flat) > start and not flat[start]:  # what ran before the first of them
            start += NODE
        newest = slice(start + 1, None, NODE)
        gots = flat[newest] if self.is_batched else None
        if gots:
            flat[newest], kept = self._gots(gots, nodes.written.taken(flat)[1])
            nodes.written.kept += kept
        nodes.looked = len(flat)
        if handed:
            self._keep_bad(nodes.bad, handed[::3], handed[1::3], [*map(_array, handed[2::3])])
            handed.clear()

    def _gots(self, grads: list[Any], data: Bytes) -> tuple[list[Any], Bytes]:
        """Return what is kept of the gradients that nodes got, and the elements of vectors among them.

        That is a small array itself, and the norm of a larger one.
        """
        if are_lengths(grads):
            return _vectors_seen(grads, data)
        if not data:
            return self._others(grads) if set(map(type, grads)) - NUMBERS else grads, b""
        vector = [grad.__class__ is int for grad in grads]
        lengths, kept = _vectors_seen([*compress(grads, vector)], data)
        of_vectors, of_others = iter(lengths), iter(self._others([g for g in grads if g.__class__ is not int]))
        return [next(of_vectors if each else of_others) for each in vector], kept

    def _others(self, grads: list[Any]) -> list[Any]:
        """Return what is kept of gradients that are no vectors of float32; numbers stay what they are."""
        found: list[Any] = [g if g.__class__ is ndarray or g.__class__ in NUMBERS else _array(g) for g in grads]
        places = [place for place, array in enumerate(found) if array.__class__ is ndarray and array.size > SMALL]
        norms = iter(norms_of([found[place] for place in places if found[place].size <= MOST]))
        for place in places:
            found[place] = next(norms) if found[place].size <= MOST else self._seen(found[place])
        return found

    def _keep_bad(self, bad: list[Any], ranks: list[int], edges: list[Any], arrays: list[Any]) -> None:
        """Keep, of the gradients that nodes returned, those that are bad."""
        fine = all_finite([array for array in arrays if array is not None and array.size <= MOST])
        if fine and not any(array is not None and array.size > MOST for array in arrays):
            return
        for rank, edge, array in zip(ranks, edges, arrays, strict=True):
            if array is None or (fine and array.size <= MOST):
                continue
            if array.size > SMALL:
                what = self._seen(array) if array.size > MOST else norm_of(array)
                if what.__class__ is Stats:
                    bad += (rank, edge.node.rank, edge.index, what)
            elif not np.isfinite(array).all():
                kept = array.copy() if edge.__class__ is AccumulateGrad else array
                bad += (rank, edge.node.rank, edge.index, kept)

    def _seen(self, array: Any) -> Norm:
        """Return the norm of a large gradient; the next node mostly gets what the last ones returned."""
        known = self.last.get(id(array))
        if known is not None and known[0]() is array:
            return known[1]
        if len(self.last) >= MOST_LAST:
            self.last.clear()
        what = norm_of(array)
        self.last[id(array)] = weakref.ref(array), what
        return what

    def end_backward(self) -> None:
        """Look at what is left, and let go of the last gradients."""
        self.flush()
        self.last.clear()


def _as_it_is(gradient: Any) -> Any:
    return gradient


def _vectors_seen(lengths: list[Any], data: Bytes) -> tuple[list[Any], Bytes]:
    """Return what is kept of vectors of float32 that nodes got, and the elements that are kept."""
    sizes = set(lengths) - {AGAIN}
    if max(sizes, default=0) <= SMALL:
        return lengths, data
    if len(sizes) == 1:
        norms = norms_of(vectors_of(data, *sizes))
        each = iter(norms)
        return norms if len(norms) == len(lengths) else [g if g == AGAIN else next(each) for g in lengths], b""
    small, larger = sorted_out(lengths, data)
    found = [*lengths]
    for places, alike in larger:
        for place, norm in zip(places, norms_of(alike), strict=True):
            found[place] = norm
    return found, small


def _is_larger(what: Any) -> bool:
    return what.__class__ is ndarray and what.size > SMALL


def _array(gradient: Any) -> Any:
    """Return the array of a gradient, None of one that has parts."""
    if isinstance(gradient, (ndarray, np.generic)):
        return gradient
    array = getattr(gradient, "_array", None)
    return array if isinstance(array, (ndarray, np.generic)) else None
