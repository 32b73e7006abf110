"""Elements moved, repeated, windowed, and the diagonals and triangles of matrices."""

from functools import lru_cache

import numpy as np

from dyncore.dispatch.formulas.matrices import constant, zeros_of
from dyncore.dispatch.registry import op
from dyncore.tensors.strides import laid_like, overlaps, positions_of, restrided, start_of, usual

from .axes import axes_of, axis_of
from .indexing import index_place
from .joining import along
from .shape import permute, reshape, sizes


@op(batching="dims", input=lambda g, dims: flip(g, *dims))
def flip(input, *dims: int):
    """Elements in reverse order along `dims`."""
    given = sizes(dims)
    return laid_like(input, np.flip(input, axes_of(given, input.ndim)).copy() if given and input.ndim else input.copy())


@op(composite=True)
def fliplr(input):
    """Columns in reverse order."""
    if len(input.shape) < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, 1)


@op(composite=True)
def flipud(input):
    """Rows in reverse order."""
    if len(input.shape) < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, 0)


def _listed(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _rolled_back(g, shifts, dims):
    return roll(g, tuple(-s for s in _listed(shifts)), dims)


@op(batching="rolled", input=_rolled_back)
def roll(input, shifts: tuple, dims: tuple = ()):
    """Elements shifted cyclically along `dims`.

    Without `dims`, along the flattened tensor.
    """
    by, along_dims = _listed(shifts), () if dims is None else _listed(dims)
    if not by:
        raise RuntimeError("`shifts` required")
    if along_dims and len(along_dims) != len(by) or not along_dims and len(by) > 1:
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(by)}, dims:{len(along_dims)}")
    if not along_dims:
        if not input.size:
            return input.copy()
        flat, cut = input.reshape(-1), -by[0] % input.size  # faster than `np.roll` (tests/bench, calls: roll)
        return np.concatenate((flat[cut:], flat[:cut])).reshape(input.shape)
    if not input.ndim:
        raise IndexError(f"Dimension specified as {along_dims[0]} but tensor has no dimensions")
    if len(by) == 1 and input.size and input.flags.c_contiguous:
        axis = axis_of(along_dims[0], input.ndim)
        cut = -by[0] % input.shape[axis]
        return np.concatenate((input[along(axis, slice(cut, None))], input[along(axis, slice(0, cut))]), axis)
    return np.roll(usual(input), by, tuple(axis_of(d, input.ndim) for d in along_dims))


@op(input=lambda g, k, dims: rot90(g, -k, dims))
def rot90(input, k: int = 1, dims: tuple = (0, 1)):
    """A plane of the tensor rotated by 90 degrees `k` times.

    The rotation goes from the first of `dims` towards the second.
    """
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if input.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {input.ndim}")
    if dims[0] == dims[1] or abs(dims[0] - dims[1]) == input.ndim:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    return np.rot90(input, k, tuple(axis_of(d, input.ndim) for d in dims)).copy()


def _unrepeat(g, input_shape, repeats):
    """Sum the copies that `repeat` made."""
    times = sizes(repeats)
    shape = (1,) * (len(times) - len(input_shape)) + tuple(input_shape)
    if 0 in times:
        return constant(zeros_of(tuple(input_shape), g), g)
    if times == (1,) * len(input_shape):
        return g
    pairs = tuple(n for pair in zip(times, shape) for n in pair)
    return np.sum(np.reshape(g, pairs), axis=tuple(range(0, len(pairs), 2))).reshape(tuple(input_shape))


@op(batching="size", input=_unrepeat, function=False, back="SumBackward1")
def repeat(input, *repeats: int):
    """Tensor copied so many times along each dimension; new dimensions come first."""
    times = sizes(repeats)
    if len(times) < input.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    for n in times:
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(times)}")
    return usual(np.tile(input, times)) if times else input.copy()


@op(composite=True)
def tile(input, *dims: int):
    """Tensor copied so many times along each of its last dimensions."""
    times = sizes(dims)
    return repeat(input, *((1,) * (len(input.shape) - len(times)) + times))


def _matrices(input, name):
    if input.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return input


@lru_cache(maxsize=64)
def _lower(rows, columns, diagonal):
    """Return a mask of the lower triangle; cached (tests/bench, calls: tril)."""
    return np.tri(rows, columns, diagonal, dtype=bool)


def _triangle(input, diagonal, lower):
    rows, columns = input.shape[-2:]
    if rows * columns > 4096 or diagonal.__class__ is not int:
        return (np.tril if lower else np.triu)(input, diagonal)
    zero = input.dtype.type(0)
    if lower:
        return np.where(_lower(rows, columns, diagonal), input, zero)
    return np.where(_lower(rows, columns, diagonal - 1), zero, input)


@op(batching="rows", input=lambda g, diagonal: tril(g, diagonal), inplace=True)
def tril(input, diagonal: int = 0):
    """Lower triangle of each matrix, zeros elsewhere.

    diagonal: the last diagonal of it, counted from the main one upwards.
    """
    return _triangle(usual(_matrices(input, "tril")), diagonal, True)


@op(batching="rows", input=lambda g, diagonal: triu(g, diagonal), inplace=True)
def triu(input, diagonal: int = 0):
    """Upper triangle of each matrix, zeros elsewhere.

    diagonal: the first diagonal of it, counted from the main one upwards.
    """
    return _triangle(usual(_matrices(input, "triu")), diagonal, False)


def diagonal_view(input, offset, dim1, dim2):
    """Return a writable view of diagonals of planes, as the last dimension."""
    if input.ndim < 2:
        limit = max(input.ndim, 1)
        axis_of(dim1, input.ndim), axis_of(dim2, input.ndim)
        if not -limit <= dim2 < limit or dim1 != dim2:
            axis_of(dim2, input.ndim)
    first, second = axis_of(dim1, input.ndim), axis_of(dim2, input.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    result = input.diagonal(offset, first, second)
    return restrided(input, result.shape, result.strides, start_of(input, result))


@op(
    batching="dims",
    input=lambda g, input_shape, offset, dim1, dim2: _diagonal_place(g, tuple(input_shape), offset, dim1, dim2),
    view=True,
    back="DiagonalBackwardBackward0",
)
def diagonal(input, offset: int = 0, dim1: int = 0, dim2: int = 1):
    """Diagonals of the planes of `dim1` and `dim2`, as a view.

    They are the last dimension of the view.
    """
    return diagonal_view(input, offset, dim1, dim2)


@op(input=lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2), private=True)
def _diagonal_place(input, shape: tuple, offset: int, dim1: int, dim2: int):
    """Zeros of `shape` with `input` on the diagonals."""
    result = np.zeros(shape, input.dtype)
    diagonal_view(result, offset, dim1, dim2)[...] = input
    return result


@op(
    input=lambda g, input_shape, offset: _diagonal_place(g, tuple(input_shape), offset, 0, 1),
    private=True,
    node="DiagonalBackward0_copy",
    back="DiagonalBackwardBackward0",
)
def _diagonal_copy(input, offset: int):
    return diagonal_view(input, offset, 0, 1).copy()


@op(batching="dims", input=lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2))
def diag_embed(input, offset: int = 0, dim1: int = -2, dim2: int = -1):
    """Matrices with the last dimension of `input` on their diagonals.

    The matrices are in the planes of `dim1` and `dim2`.
    """
    ndim = input.ndim + 1
    first, second = axis_of(dim1, ndim), axis_of(dim2, ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    size = input.shape[-1] + abs(offset)
    rest = iter(input.shape[:-1])
    result = np.zeros([size if axis in (first, second) else next(rest) for axis in range(ndim)], input.dtype)
    diagonal_view(result, offset, first, second)[...] = input
    return result


@op(composite=True)
def diag(input, diagonal: int = 0):
    """Diagonal of a matrix, copied; or the matrix with a vector on its diagonal."""
    if len(input.shape) not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {len(input.shape)}D")
    return diag_embed(input, diagonal) if len(input.shape) == 1 else _diagonal_copy(input, diagonal)


@op(composite=True)
def diagflat(input, offset: int = 0):
    """A matrix with all elements of `input` on its diagonal."""
    return diag_embed(reshape(input, -1), offset)


@op(
    input=lambda g, input_shape, dimension, size, step: _unfold_place(g, tuple(input_shape), dimension, size, step),
    view=True,
    function=False,
)
def unfold(input, dimension: int, size: int, step: int):
    """All windows of `size` elements, `step` apart, along a dimension, as a view.

    The window is the last dimension.
    """
    axis = axis_of(dimension, input.ndim)
    length = input.shape[axis] if input.ndim else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not input.ndim:
        return input.reshape(1)[:size]
    shape, strides = list(input.shape), list(input.strides)
    shape[axis] = (length - size) // step + 1
    shape.append(size)
    strides.append(strides[axis])
    strides[axis] *= step
    return restrided(input, tuple(shape), tuple(strides))


@op(input=lambda g, dimension, size, step: unfold(g, dimension, size, step), private=True)
def _unfold_place(input, shape: tuple, dimension: int, size: int, step: int):
    """Zeros of `shape` with the windows added where they came from."""
    result = np.zeros(shape, input.dtype)
    if not shape:
        return result + input.sum()
    axis = axis_of(dimension, len(shape))
    count = input.shape[axis]
    for k in range(size):
        result[along(axis, slice(k, k + (count - 1) * step + 1, step))] += input[..., k]
    return result


def _as_strided_back(g, source, target):
    """Return the gradient of `as_strided`.

    It is added where the elements came from, and shared where the input overlaps itself.
    """
    extent = 1 + max(int(source.max(initial=0)), int(target.max(initial=0)))
    memory = index_place(g, (extent,), (target,))
    times = overlaps(source)
    return memory[(source,)] if times is None else memory[(source,)] / times


def _as_strided_rule(g, input_geometry, size, stride, storage_offset):
    shape, strides, offset = input_geometry
    start = offset if storage_offset is None else storage_offset
    low = min(offset, start)
    source = positions_of(shape, strides, offset - low)
    return _as_strided_back(g, source, positions_of(tuple(size), tuple(stride), start - low))


@op(input=_as_strided_rule, view=True, inplace={"AsStridedBackward0": "AsStridedBackward1"})
def as_strided(input, size: tuple, stride: tuple, storage_offset: int = None):
    """The tensor's memory seen with any shape and strides (in elements), as a view."""
    from dyncore.dispatch.registry import keep
    from dyncore.graph.versions import owner

    item = input.itemsize
    root = owner(input)
    offset = start_of(root, input) // item if input.size else 0
    start = offset if storage_offset is None else storage_offset
    if start < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {start}")
    reach = 0 if 0 in size else start + 1 + sum((n - 1) * s for n, s in zip(size, stride))
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(s < 0 for s in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: " + str(list(stride))
        )
    if reach * item > root.nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start}, and itemsize {item} "
            f"requiring a storage size of {reach * item} are out of bounds for storage of size {root.nbytes}"
        )
    strides = tuple(s // item for s in input.strides)
    result = restrided(input, tuple(size), tuple(s * item for s in stride), (start - offset) * item)
    return keep(result, input_geometry=(input.shape, strides, offset))


@op(composite=True, aliases=("moveaxis",))
def movedim(input, source: int, destination: int):
    """Dimensions `source` moved to the positions `destination`, as a view.

    The others stay in their order.
    """
    one, two = (d if isinstance(d, (tuple, list)) else (d,) for d in (source, destination))
    if len(one) != len(two):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(one)} dims) should contain the same number of "
            f"dims as destination ({list(two)} dims)"
        )
    ndim = len(input.shape)
    from_, to = axes_in_order(one, ndim, "source"), axes_in_order(two, ndim, "destination")
    order = [-1] * ndim
    for a, b in zip(from_, to):
        if ndim:
            order[b] = a
    rest = iter([a for a in range(ndim) if a not in from_])
    return permute(input, *[next(rest) if a < 0 else a for a in order])


def axes_in_order(dims, ndim, name):
    """Return the dimensions as axes, in the order given.

    Raises RuntimeError for one given twice.
    """
    axes = tuple(axis_of(d, ndim) for d in dims)
    if len(set(axes)) != len(axes):
        raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(dims)})")
    return axes
