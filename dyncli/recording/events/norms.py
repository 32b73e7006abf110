"""Norms of arrays, by which bad values are found: one pass over each, and those of small arrays taken together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, cycle
from operator import attrgetter
from typing import Any

import numpy as np
from numpy import ndarray, vdot

from dyncli.recording.events.summary import statistics
from dyncli.records.model import Stats

FLOAT32 = np.dtype(np.float32)
LARGE = 4_096  # elements of an array that is asked whether it is one number, stretched
FEW = 16  # arrays that are looked at one by one: six in a loop of other things take 6 us so, together 12
FLOATS = (FLOAT32, np.dtype(np.float64))
_shape, _size, _dtype = attrgetter("shape"), attrgetter("size"), attrgetter("dtype")
Seen = Any  # the norm of an array, or its Stats; None if it holds no floats


def seen(array: Any) -> Seen:
    """Return the norm of an array, or its statistics if the norm is no ordinary number; None if it holds no floats."""
    if array.dtype is not FLOAT32:
        if array.dtype.kind != "f":
            return statistics(array) if array.dtype.kind == "c" else None
        if array.itemsize < 4:
            array = array.astype(np.float32)
    if array.size > LARGE and not any(array.strides):  # one number, stretched: a million 0.82 ms to 1 us
        norm = abs(float(array[(0,) * array.ndim])) * math.sqrt(array.size)
        if norm < math.inf:
            return norm
    square = float(array.dot(array) if array.ndim == 1 else vdot(array, array))  # 1.5x on 64 elements, as timeit has it
    if not 0.0 < square < math.inf:  # all zero, not finite, or too small or large to be squared in its own precision
        if not square and not array.tobytes().strip(b"\0"):  # 4x where gradients have died away
            return 0.0
        wide = array.astype(np.float64)
        square = float(vdot(wide, wide))
    return math.sqrt(square) if square < math.inf else statistics(array)


def all_seen(arrays: Any) -> list[Seen]:
    """Return what `seen` says of arrays: a fifth of its time where they are 64 of 64 elements.

    They may be the rows of one array.
    """
    if arrays.__class__ is ndarray:
        return _norms(arrays, arrays)
    dtypes = set(map(_dtype, arrays))
    if len(arrays) < 4 or len(dtypes) > 1 or dtypes.isdisjoint(FLOATS):
        return [*map(seen, arrays)]
    sizes = [*map(_size, arrays)]
    if sizes.count(sizes[0]) == len(sizes):
        return _norms(_joined(arrays, *dtypes).reshape(len(arrays), -1), arrays)
    if len(arrays) < FEW or 0 in sizes:  # none is what `reduceat` takes for the element that follows
        return [*map(seen, arrays)]
    wide = _joined(arrays, *dtypes).astype(np.float64)
    wide *= wide
    starts = [0, *accumulate(sizes[:-1])]  # 100 of five sizes 53 to 20 us: not size by size
    return _checked(np.sqrt(np.add.reduceat(wide, starts)).tolist(), arrays, dtypes == {FLOAT32})


def _norms(rows: Any, arrays: Any) -> list[Seen]:
    """What `seen` says of arrays whose elements are these rows."""
    sure = rows.dtype is FLOAT32  # that zero is zero
    wide = rows.astype(np.float64, copy=False)  # as small numbers squared in float32 take ten times as long
    return _checked(np.sqrt(np.vecdot(wide, wide)).tolist(), arrays, sure)  # 10 to 8 us for 128 of 64, taken by NumPy


def _checked(norms: list[Seen], arrays: Any, sure: bool) -> list[Seen]:
    """The norms of arrays with what `seen` says where they are no ordinary numbers."""
    if math.isfinite(sum(norms)) and (sure or 0.0 < min(norms)):
        return norms
    return [
        norm if 0.0 < norm < math.inf or (sure and not norm) else seen(array)
        for norm, array in zip(norms, arrays, strict=True)
    ]


class Batch:
    """What was seen of arrays that were looked at together: it is kept in the place of each.

    A tuple for each costs 0.3 us an op of bench tracing, RNN.
    """

    __slots__ = ("forms", "norms")

    def __init__(self, arrays: Any) -> None:
        self.norms = all_seen(arrays)
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

    def each(self) -> Iterator[tuple[Any, Any, Seen]]:
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
    """The elements of all, in any order within each: a quarter of the time of `np.concatenate`."""
    try:
        return np.frombuffer(b"".join(arrays), dtype)
    except (BufferError, TypeError, ValueError):  # not in C order
        return np.concatenate(arrays, axis=None)
