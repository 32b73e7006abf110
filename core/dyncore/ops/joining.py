"""Tensors joined, stacked, broadcast against each other and combined."""

import numpy as np
from numpy import broadcast_shapes

from dyncore.dispatch.formulas.matrices import constant, zeros_of
from dyncore.dispatch.registry import op
from dyncore.errors.advice import advise
from dyncore.tensors.numpy_direct import concatenate
from dyncore.tensors.strides import usual

from .axes import axis_of
from .indexing import slice_along
from .shape import expand, reshape, unsqueeze, view


def along(axis, index):
    """Return the index that picks `index` along `axis`, and all before."""
    return (slice(None),) * axis + (index,)


def _cut(g, axis, start, stop):
    return g[along(axis, slice(start, stop))]


_cut.recorded = lambda g, axis, start, stop: slice_along(g, axis, start, stop)


def _pieces(g, tensors_shape, dim):
    """Split a joined gradient into the parts of each tensor."""
    axis, start, parts = axis_of(dim, len(g.shape)), 0, []
    first = not axis and isinstance(g, np.ndarray)  # without a tuple of slices
    for shape in tensors_shape:
        if shape == (0,):
            parts.append(constant(zeros_of(shape, g), g))
            continue
        stop = start + shape[axis]
        parts.append(g[start:stop] if first else _cut(g, axis, start, stop))
        start = stop
    return parts


@op(batching="dims", tensors=_pieces, promote=("tensors",), aliases=("concat", "concatenate"), method=False)
def cat(tensors, dim: int = 0):
    """Tensors joined along an existing dimension; they agree in all others."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    if isinstance(tensors, list):
        first = tensors[0]
        join = concatenate if type(first) is np.ndarray else np.concatenate  # which a capture records
        try:
            result = join(tensors, dim if dim >= 0 and first.ndim else axis_of(dim, first.ndim))
            return result if result.flags.c_contiguous else usual(result)
        except (ValueError, IndexError):
            pass  # the code below raises PyTorch's error, or joins what NumPy would not
    for number, each in enumerate(tensors):
        if not each.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {number}) cannot be concatenated")
    # An empty vector joins with anything, as it always did in PyTorch.
    full = [each for each in tensors if each.shape != (0,)] or tensors
    axis = axis_of(dim, full[0].ndim)
    try:
        return usual(np.concatenate(full, axis))
    except ValueError:
        raise _mismatch(full, axis) from None


def _mismatch(tensors, axis):
    first = tensors[0].shape
    for number, each in enumerate(tensors):
        if each.ndim != len(first):
            return RuntimeError(f"Tensors must have same number of dimensions: got {len(first)} and {each.ndim}")
        for d, (a, b) in enumerate(zip(first, each.shape)):
            if d != axis and a != b:
                return RuntimeError(
                    f"Sizes of tensors must match except in dimension {axis}. Expected size {a} but got size {b} for "
                    f"tensor number {number} in the list."
                )
    return RuntimeError("torch.cat(): the tensors cannot be joined")


def _layers(g, tensors_shape, dim):
    axis = axis_of(dim, len(g.shape))
    if not axis and isinstance(g, np.ndarray):
        return list(g)
    return [g[along(axis, number)] for number in range(len(tensors_shape))]


@op(batching="dims", tensors=_layers, promote=("tensors",), method=False)
def stack(tensors, dim: int = 0):
    """Tensors of one shape joined along a new dimension."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    shape = tensors[0].shape
    for number, each in enumerate(tensors):
        if each.shape != shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and "
                f"{list(each.shape)} at entry {number}"
            )
    axis = axis_of(dim, len(shape) + 1)
    # np.stack is slower than joining views; np.array is best for the first dimension.
    if not axis:
        return np.array(tensors)
    index = along(axis, None)
    return usual(np.concatenate([each[index] for each in tensors], axis))


def _each(tensors):
    """Return the tensors of `f(a, b)` or `f([a, b])`."""
    return list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)


def _raised(tensors, raised):
    """Return one result for `f(a)`, several for `f(a, b)` and `f([a, b])`."""
    if len(tensors) == 1 and not isinstance(tensors[0], (list, tuple)):
        return raised(tensors[0])
    return tuple(raised(each) for each in _each(tensors))


def _one_dim(x):
    return x if len(x.shape) else reshape(x, 1)


def _two_dims(x):
    return x if len(x.shape) > 1 else unsqueeze(x, 0) if len(x.shape) else reshape(x, 1, 1)


def _three_dims(x):
    return x if len(x.shape) > 2 else unsqueeze(_two_dims(x), -1) if len(x.shape) else reshape(x, 1, 1, 1)


@op(composite=True, method=False)
def atleast_1d(*tensors):
    """Each tensor with at least one dimension: a number becomes a vector of one."""
    return _raised(tensors, _one_dim)


@op(composite=True, method=False)
def atleast_2d(*tensors):
    """Each tensor with at least two dimensions: a vector becomes a row."""
    return _raised(tensors, _two_dims)


@op(composite=True, method=False)
def atleast_3d(*tensors):
    """Each tensor with at least three dimensions.

    A vector becomes (1, n, 1), a matrix (n, m, 1).
    """
    return _raised(tensors, _three_dims)


def _some(tensors, name):
    if not len(tensors):
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return tensors


@op(composite=True, method=False)
def hstack(tensors):
    """Tensors joined along the second dimension, vectors along the first."""
    raised = [_one_dim(each) for each in _some(tensors, "hstack")]
    return cat(raised, 0 if len(raised[0].shape) == 1 else 1)


@op(composite=True, method=False, aliases=("row_stack",))
def vstack(tensors):
    """Tensors joined along the first dimension, vectors as rows."""
    return cat([_two_dims(each) for each in _some(tensors, "vstack")], 0)


@op(composite=True, method=False)
def dstack(tensors):
    """Tensors joined along the third dimension."""
    return cat([_three_dims(each) for each in _some(tensors, "dstack")], 2)


@op(composite=True, method=False)
def column_stack(tensors):
    """Tensors joined along the second dimension, vectors and numbers as columns."""
    columns = [each if len(each.shape) > 1 else reshape(each, -1, 1) for each in _some(tensors, "column_stack")]
    return cat(columns, 1)


def joint_shape(shapes):
    """Return the shape that all `shapes` broadcast to.

    Raises RuntimeError if there is none.
    """
    from dyncore.errors.explain import broadcast_sentence

    result = ()
    for shape in shapes:
        try:
            result = broadcast_shapes(result, tuple(shape))
        except ValueError:
            raise RuntimeError(broadcast_sentence(result, tuple(shape))) from None
    return result


@op(composite=True, method=False)
def broadcast_tensors(*tensors):
    """Tensors, all expanded to the shape they broadcast to, as views."""
    given = _each(tensors)
    shape = joint_shape([each.shape for each in given])
    return tuple(each if each.shape == shape else expand(each, *shape) for each in given)


@op(composite=True, method=False)
def meshgrid(*tensors, indexing: str = None):
    """Grids of coordinates, one for each vector.

    `indexing="xy"` swaps the first two dimensions.
    """
    vectors = _each(tensors)
    if not vectors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if len({each.dtype for each in vectors}) > 1:
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing is None:
        advise("meshgrid")
        indexing = "ij"
    if indexing not in ("ij", "xy"):
        raise RuntimeError('torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + str(indexing))
    for each in vectors:
        if len(each.shape) > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {each}")
    swap = indexing == "xy" and len(vectors) > 1
    order = [1, 0, *range(2, len(vectors))] if swap else list(range(len(vectors)))
    vectors = [vectors[k] for k in order]
    shape = tuple(each.shape[0] if len(each.shape) else 1 for each in vectors)
    grids = [
        expand(view(each, (1,) * k + (-1,) + (1,) * (len(shape) - k - 1)), shape) for k, each in enumerate(vectors)
    ]
    return tuple(grids[k] for k in order)


def _blocks(g, tensors_shape):
    parts, row, column = [], 0, 0
    for shape in tensors_shape:
        n, m = (1,) * (2 - len(shape)) + tuple(shape)
        parts.append(g[row : row + n, column : column + m].reshape(tuple(shape)))
        row, column = row + n, column + m
    return parts


def _blocks_recorded(g, tensors_shape):
    parts, row, column = [], 0, 0
    for shape in tensors_shape:
        n, m = (1,) * (2 - len(shape)) + tuple(shape)
        part = slice_along(slice_along(g, 0, row, row + n), 1, column, column + m)
        parts.append(part if len(shape) == 2 else np.squeeze(part, -1) if len(shape) else np.squeeze(part))
        row, column = row + n, column + m
    return parts


_blocks.recorded = _blocks_recorded


@op(tensors=_blocks, promote=("tensors",), private=True, node="BlockDiagBackward0")
def _block_diag(tensors):
    matrices = [each.reshape((1,) * (2 - each.ndim) + each.shape) for each in tensors]
    result = np.zeros((sum(m.shape[0] for m in matrices), sum(m.shape[1] for m in matrices)), tensors[0].dtype)
    row = column = 0
    for each in matrices:
        n, m = each.shape
        result[row : row + n, column : column + m] = each
        row, column = row + n, column + m
    return result


@op(composite=True, method=False)
def block_diag(*tensors):
    """Matrix with the given matrices on its diagonal and zeros elsewhere.

    A number counts as a matrix, a vector as a row.
    """
    for number, each in enumerate(tensors):
        if len(each.shape) > 2:
            raise RuntimeError(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                f"{number} has {len(each.shape)} dimensions"
            )
    return _block_diag(list(tensors))
