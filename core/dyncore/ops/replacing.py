"""Tensors with a view of them replaced: diagonals, slices, strided parts."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.tensors.strides import positions_of

from .axes import axis_of
from .filling import zeros_like
from .indexing import slice_along


def _cut(axis, part):
    return (slice(None),) * axis + (part,)


def _replaced(input, src, index):
    result = np.array(input)
    _check_slice(result[index], src)
    result[index] = src
    return result


def _check_slice(part, src):
    if part.shape != src.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(src.shape)}, slice size = "
            f"{list(part.shape)}"
        )


def _select_index(dim, index, ndim):
    return _cut(axis_of(dim, ndim), index)


@op(
    input=lambda g, src, dim, index: select_scatter(g, zeros_like(src), dim, index),
    src=lambda g, dim, index: g[_select_index(dim, index, len(g.shape))],
)
def select_scatter(input, src, dim: int, index: int):
    """`input` with `src` as its slice number `index` along `dim`."""
    return _replaced(input, src, _select_index(dim, index, input.ndim))


def _slice_index(dim, start, end, step, ndim):
    return _cut(axis_of(dim, ndim), slice(start, end, step))


@op(
    input=lambda g, src, dim, start, end, step: slice_scatter(g, zeros_like(src), dim, start, end, step),
    src=lambda g, dim, start, end, step: slice_along(g, dim, start, end, step),
)
def slice_scatter(input, src, dim: int = 0, start: int = None, end: int = None, step: int = 1):
    """`input` with `src` in its slices `start:end:step` along `dim`."""
    return _replaced(input, src, _slice_index(dim, start, end, step, input.ndim))


@op(
    input=lambda g, src, offset, dim1, dim2: diagonal_scatter(g, zeros_like(src), offset, dim1, dim2),
    src=lambda g, offset, dim1, dim2: np.diagonal(g, offset, dim1, dim2),
)
def diagonal_scatter(input, src, offset: int = 0, dim1: int = 0, dim2: int = 1):
    """`input` with `src` on its diagonal over `dim1` and `dim2`."""
    result = np.array(input)
    first, second = axis_of(dim1, input.ndim), axis_of(dim2, input.ndim)
    diagonal = np.diagonal(result, offset, first, second)
    _check_slice(diagonal, src)
    diagonal.flags.writeable = True
    diagonal[...] = src
    return result


def _strided_places(like, size, stride, storage_offset):
    """Return the position of each element of the strided part; -1 for none.

    It counts in C order among the elements of the tensor.
    """
    steps = [s // like.itemsize for s in like.strides]
    before = max(0, -(storage_offset or 0))  # the part begins before the tensor does
    memory = positions_of(like.shape, steps, before)
    wanted = positions_of(tuple(size), tuple(stride), before + (storage_offset or 0))
    table = np.full(max(memory.max(initial=0), wanted.max(initial=0)) + 1, -1)
    table[memory] = np.arange(memory.size).reshape(memory.shape)
    return np.where(wanted < 0, -1, table[wanted])


@op(
    input=lambda g, src, places: strided_place(g, zeros_like(src), places),
    src=lambda g, places: strided_take(g, places),
    private=True, node="AsStridedScatterBackward0", back="AsStridedBackward0",
)  # fmt: skip
def strided_place(input, src, places):
    """`input` with `src` at positions among all elements that are not -1."""
    result = np.array(input, order="C")
    flat = result.reshape(-1)
    inside = places >= 0
    flat[places[inside]] = np.broadcast_to(src, places.shape)[inside]
    return result


@op(input=lambda g, input_shape, places: strided_add(g, places, tuple(input_shape)), private=True)
def strided_take(input, places):
    """Elements at positions among all, 0 where the position is -1."""
    return np.where(places >= 0, np.asarray(input).reshape(-1)[places], input.dtype.type(0))


@op(input=lambda g, places: strided_take(g, places), private=True)
def strided_add(input, places, shape: tuple):
    """Zeros of `shape` with `input` added at positions that are not -1."""
    result = np.zeros(shape, input.dtype)
    inside = places >= 0
    np.add.at(result.reshape(-1), places[inside], np.asarray(input)[inside])
    return result


@op(private=True)
def strided_places(input, size: tuple, stride: tuple, storage_offset: int):
    """Positions of the elements of `as_strided`, in C order of `input`."""
    return _strided_places(np.asarray(input), size, stride, storage_offset)


@op(composite=True)
def as_strided_scatter(input, src, size: tuple, stride: tuple, storage_offset: int = None):
    """`input` with `src` in the view `as_strided(size, stride, storage_offset)`."""
    start = storage_offset - input.storage_offset() if storage_offset is not None else 0
    input.detach().as_strided(tuple(size), tuple(stride), storage_offset)  # raises for places outside the memory
    return strided_place(input, src, strided_places(input.detach(), tuple(size), tuple(stride), start))
