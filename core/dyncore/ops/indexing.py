"""Elements picked by position, and put back: `x[...]`, `index_select`, `take` and their kin."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.dtypes import I64
from dyncore.dtypes.limits import fitted
from dyncore.errors.advice import advise
from dyncore.tensors.strides import laid_like
from dyncore.tensors.subscripts import in_order, in_steps_of_one, out_of_bounds, parts_of, split, title

from .axes import axis_of
from .filling import zeros_like


@op(
    batching="subscript",
    input=lambda g, input_shape, index: index_place(g, tuple(input_shape), index),
    view=True, name="__getitem__", function=False,
    node=lambda index, input_shape: title(index, input_shape),
)  # fmt: skip
def getitem(input, index: object):
    """Elements by position.

    Integers, slices, None and ... make a view; integer and boolean tensors a copy.
    """
    kind = index.__class__
    if kind is int:
        try:
            return input[index, ...]  # NumPy checks the length itself (tests/bench, calls: x[i])
        except IndexError:
            pass  # the code below raises PyTorch's error
    elif input.ndim and (in_steps_of_one(index) if kind is tuple or kind is slice else kind is np.ndarray):
        try:
            if kind is not np.ndarray:
                return input[(*index, ...) if kind is tuple else index]
            if index.dtype is I64 and index.ndim:
                return in_order(input[index])
        except IndexError:
            pass  # the code below raises PyTorch's error
    if kind is list and parts_of(index)[0] is not index:
        advise("list")
    basic, advanced = split(index, input.shape)
    result = input[basic]
    if advanced is None:
        return result
    try:
        # NumPy lays the picked dimensions out first; PyTorch in the order they have, so that the result can be viewed.
        return in_order(result[advanced])
    except IndexError:
        raise out_of_bounds(advanced, result.shape) from None


_PUT_BACK = {
    "SelectBackward0": "SelectBackwardBackward0",
    "SliceBackward0": "SliceBackwardBackward0",
    "UnsqueezeBackward0": "SqueezeBackward1",
    "AliasBackward0": "AliasBackward0",
    "IndexBackward0": "IndexPutImplBackward0",
}


@op(
    input=lambda g, index: g[index],
    private=True,
    node=lambda index, shape: _PUT_BACK[title(index, shape, first=True)],
)
def index_place(input, shape: tuple, index: object):
    """Zeros of `shape` with `input` added at `index`: the derivative of picking."""
    result = np.zeros(shape, input.dtype)
    if in_steps_of_one(index):
        result[index] = input
        return result
    basic, advanced = split(index, shape)
    if advanced is None:
        result[basic] = input
    else:
        add_at(result[basic], advanced, input)
    return result


def add_at(target, index, values):
    """Compute `target[index] += values`, also for repeated positions."""
    rows = index[0]
    if len(index) == 1 and rows.dtype.kind == "b":
        target[index] += values
    elif len(index) > 1 or rows.ndim != 1 or target.ndim == 1 or not target.size or not target.flags.c_contiguous:
        np.add.at(target, index, values)
    else:  # NumPy adds numbers at numbers several times as fast as rows at rows (tests/bench, batches)
        width = target.size // len(target)
        places = (rows % len(target))[:, None] * width + np.arange(width)
        values = np.broadcast_to(values, (len(rows), *target.shape[1:]))
        np.add.at(target.reshape(-1), places.reshape(-1), values.reshape(-1))


def _picked(g, indices):
    """Return the part of `g` at these indices, in PyTorch's shape.

    Numbers are taken first, and lead no dimension.
    """
    if not isinstance(g, np.ndarray):
        return g[tuple(indices)]
    basic, advanced = split(tuple(indices), g.shape)
    return g[basic] if advanced is None else g[basic][advanced]


@op(
    input=lambda g, indices, accumulate: g if accumulate else index_put(g, indices, zeros_like(_picked(g, indices))),
    values=lambda g, indices: _picked(g, indices),
    inplace=True,
)
def index_put(input, indices: tuple, values, accumulate: bool = False):
    """`input` with `values` put at the positions of a tuple of index tensors.

    accumulate: add them instead.
    """
    if values.dtype != input.dtype:
        from dyncore.dtypes.dtypes import of

        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {of(input.dtype).title} for the "
            f"destination and {of(values.dtype).title} for the source."
        )
    result = np.array(input)
    basic, advanced = split(tuple(indices), input.shape)
    target = result[basic]
    if advanced is None:
        target[...] = target + values if accumulate else values
        return result
    try:
        if accumulate:
            np.add.at(target, advanced, values)
        else:
            target[advanced] = values
    except IndexError:
        raise out_of_bounds(advanced, target.shape) from None
    except ValueError:
        picked = list(target[advanced].shape)
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result of "
            f"shape {picked}"
        ) from None
    return result


@op(batching="picked", input=lambda g, input_shape, dim, index: select_place(g, tuple(input_shape), dim, index))
def index_select(input, dim: int, index):
    """Slices of `input` along `dim` at the positions in `index`, a vector."""
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index.dtype != np.int64 and index.dtype != np.int32:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    axis = axis_of(dim, input.ndim)
    index = np.atleast_1d(index)
    size = input.shape[axis] if input.ndim else 1
    if index.size and (np.minimum.reduce(index) < 0 or np.maximum.reduce(index) >= size):
        raise IndexError("index out of range in self")
    if input.ndim:
        return np.take(input, index, axis)
    if len(index) != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {len(index)} value(s)")
    return input.copy()


@op(input=lambda g, dim, index: index_select(g, dim, index), private=True)
def select_place(input, shape: tuple, dim: int, index):
    """Zeros of `shape` with slices of `input` added where `index_select` took them."""
    result = np.zeros(shape, input.dtype)
    if not shape:
        return result + input
    axis = axis_of(dim, len(shape))
    if axis:
        np.add.at(result, (slice(None),) * axis + (np.atleast_1d(index),), input)
    else:
        add_at(result, (np.atleast_1d(index),), input)
    return result


def _flat(index, size):
    """Return positions among all elements, negative ones counted from the end.

    Raises IndexError for a position out of range.
    """
    if index.size and (np.minimum.reduce(index, axis=None) < -size or np.maximum.reduce(index, axis=None) >= size):
        wrong = index[(index < -size) | (index >= size)].flat[0]
        raise IndexError(f"out of range: tried to access index {wrong} on a tensor of {size} elements.")
    return np.where(index < 0, index + size, index)


@op(input=lambda g, input_shape, index: take_place(g, tuple(input_shape), index))
def take(input, index):
    """Elements by their position among all, in the shape of `index`."""
    if index.dtype != np.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {dtypes.of(index.dtype).title}")
    if not input.size and index.size:
        raise IndexError("take(): tried to take from an empty tensor")
    return input.reshape(-1)[_flat(index, input.size)]


@op(input=lambda g, index: take(g, index), private=True)
def take_place(input, shape: tuple, index):
    """Zeros of `shape` with `input` added where `take` took."""
    result = np.zeros(shape, input.dtype)
    np.add.at(result.reshape(-1), _flat(index, result.size), input)
    return result


@op(
    input=lambda g, index, accumulate: g if accumulate else put(g, index, zeros_like(take(g, index))),
    source=lambda g, index, source_shape: np.reshape(take(g, index), source_shape),
    inplace=True,
)
def put(input, index, source, accumulate: bool = False):
    """`input` with elements of `source` put at positions among all elements.

    accumulate: add them instead.
    """
    if source.dtype != input.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{dtypes.of(input.dtype).title} and source.dtype = {dtypes.of(source.dtype).title}"
        )
    if index.dtype != np.int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {dtypes.of(index.dtype).title}")
    result = np.array(input, order="C")
    flat, positions = result.reshape(-1), _flat(np.asarray(index).reshape(-1), result.size)
    if accumulate:
        np.add.at(flat, positions, source.reshape(-1))
    else:
        flat[positions] = source.reshape(-1)
    return laid_like(input, result)


@op(
    input=lambda g, dim, index: index_fill(g, dim, index, 0),
    value=lambda g, dim, index: np.sum(np.where(index_fill(np.isnan(g) & False, dim, index, True), g, 0)),
    inplace=True, node=lambda value: "IndexFillBackward" + ("1" if hasattr(value, "dtype") else "0"),
)  # fmt: skip
def index_fill(input, dim: int, index, value):
    """`input` with `value` in the slices `index` along `dim`."""
    if getattr(value, "ndim", 0):
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    axis = axis_of(dim, input.ndim)
    result = np.array(np.atleast_1d(input), order="C")
    number = value if isinstance(value, (int, float, complex)) else value.item()
    if isinstance(number, complex) and input.dtype.kind != "c":
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    value = fitted(number, input.dtype)
    try:
        result[(slice(None),) * axis + (np.atleast_1d(index),)] = value
    except IndexError:
        raise out_of_bounds((slice(None),) * axis + (np.atleast_1d(index),), result.shape, axis) from None
    return laid_like(input, result.reshape(input.shape))


def _copied(g, dim, index, source_shape):
    return np.reshape(index_select(g, dim, index), source_shape)


def _copied_recorded(g, dim, index, source_shape):
    result = index_select(g, dim, index)
    return np.broadcast_to(result, source_shape) if source_shape else result


_copied.recorded = _copied_recorded


@op(input=lambda g, dim, index: index_fill(g, dim, index, 0), source=_copied, inplace=True)
def index_copy(input, dim: int, index, source):
    """`input` with slices of `source` at the positions `index` along `dim`."""
    if index.dtype != np.int64:
        title = dtypes.of(index.dtype).title
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {title}")
    _same_dtype(input, source, "index_copy_")
    axis = axis_of(dim, input.ndim)
    if source.ndim and source.shape[axis] != index.size:
        raise IndexError(
            f"index_copy_(): Number of indices ({index.size}) should be equal to source.size(dim) "
            f"({source.shape[axis]})"
        )
    result = np.array(np.atleast_1d(input), order="C")
    bad, size = _beyond(index, result.shape[axis]), result.shape[axis]
    if bad is not None:
        raise IndexError(f"index_copy_(): index {bad} is out of bounds for dimension {axis} with size {size}")
    result[(slice(None),) * axis + (np.atleast_1d(index),)] = np.atleast_1d(source)
    return result.reshape(input.shape)


@op(
    input=lambda g: g,
    source=lambda g, dim, index, source_shape, alpha: np.reshape(index_select(g, dim, index), source_shape) * alpha,
    inplace=True,
)
def index_add(input, dim: int, index, source, *, alpha: object = 1):
    """`input` plus `alpha` times slices of `source` at `index` along `dim`."""
    if index.dtype != np.int64 and index.dtype != np.int32:
        title = dtypes.of(index.dtype).title
        raise RuntimeError(f"index_add_(): Expected dtype int32/int64 for index but got: {title}")
    _same_dtype(input, source, "index_add_")
    axis = axis_of(dim, input.ndim)
    if input.ndim > 1 and (source.ndim != input.ndim or _without(source.shape, axis) != _without(input.shape, axis)):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{list(input.shape)} source.shape = {list(source.shape)}"
        )
    if source.ndim and source.shape[axis] != index.size:
        raise RuntimeError(
            f"index_add_(): Number of indices ({index.size}) should be equal to source.size(dim): "
            f"({source.shape[axis]}), for dim: {dim}"
        )
    result = np.array(np.atleast_1d(input), order="C")
    bad = _beyond(index, result.shape[axis])
    if bad is not None and result.ndim == 1:
        raise IndexError("index out of range in self")
    if bad is not None:
        raise RuntimeError(f"index {bad} is out of bounds for dimension {axis} with size {result.shape[axis]}")
    scaled = np.atleast_1d(source) if alpha == 1 else np.atleast_1d(source) * fitted(alpha, result.dtype)
    np.add.at(result, (slice(None),) * axis + (np.atleast_1d(index),), scaled)
    return result.reshape(input.shape)


def _beyond(index, size):
    """Return the first of the numbers that is below 0 or not below `size`, None if there is none."""
    bad = index[(index < 0) | (index >= size)]
    return bad.flat[0] if bad.size else None


def _without(shape, axis):
    return shape[:axis] + shape[axis + 1 :]


def _same_dtype(input, source, name):
    if input.dtype != source.dtype:
        ours, theirs = dtypes.of(input.dtype).title, dtypes.of(source.dtype).title
        if name == "index_add_":
            raise RuntimeError(f"{name}(): self ({ours}) and source ({theirs}) must have the same scalar type")
        raise RuntimeError(
            f"{name}(): self and source expected to have the same dtype, but got (self) {ours} and (source) {theirs}"
        )


@op(
    input=lambda g, input_shape, dim, start, end, step: index_place(
        g, tuple(input_shape), sliced(dim, start, end, step, len(input_shape))
    ),
    view=True, name="slice", method=False, back="SliceBackwardBackward0",
)  # fmt: skip
def slice_along(input, dim: int = 0, start: int = None, end: int = None, step: int = 1):
    """`x[start:end:step]` along `dim`, as a view."""
    return input[sliced(dim, start, end, step, input.ndim)]


def sliced(dim, start, end, step, ndim):
    """Return the index of `start:end:step` along `dim`."""
    return (slice(None),) * axis_of(dim, ndim) + (slice(start, end, step),)


@op()
def unravel_index(indices, shape: tuple):
    """Positions among all elements of a tensor of `shape`, as coordinates.

    One tensor for each dimension.
    """
    return tuple(np.asarray(each)[()] for each in np.unravel_index(indices, shape))
