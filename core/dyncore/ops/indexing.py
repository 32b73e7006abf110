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
    input=lambda g, input_shape, index: index_place(g, tuple(input_shape), index),
    view=True, name="__getitem__", function=False, linear=True,
    node=lambda index, input_shape: title(index, input_shape),
)  # fmt: skip
def getitem(input, index: object):
    """Elements by position: integers, slices, None and ... give a view; integer and boolean tensors a copy."""
    kind = index.__class__
    if kind is int:
        try:
            return input[index, ...]  # NumPy asks for the length itself: 1.18 to 0.99 us (bench, calls: x[i])
        except IndexError:
            pass  # what follows says it in PyTorch's words
    elif input.ndim and (in_steps_of_one(index) if kind is tuple or kind is slice else kind is np.ndarray):
        try:
            if kind is not np.ndarray:
                return input[(*index, ...) if kind is tuple else index]
            if index.dtype is I64 and index.ndim:
                return in_order(input[index])
        except IndexError:
            pass  # what follows says it in PyTorch's words
    if kind is list and parts_of(index)[0] is not index:
        advise("list")
    basic, advanced = split(index, input.shape)
    found = input[basic]
    if advanced is None:
        return found
    try:
        # NumPy lays the picked dimensions out first; PyTorch in the order they have, so that the result can be viewed.
        return in_order(found[advanced])
    except IndexError:
        raise out_of_bounds(advanced, found.shape) from None


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
    linear=True,
    node=lambda index, shape: _PUT_BACK[title(index, shape, first=True)],
)
def index_place(input, shape: tuple, index: object):
    """Zeros of `shape` with `input` added at `index`: the derivative of picking."""
    made = np.zeros(shape, input.dtype)
    if in_steps_of_one(index):
        made[index] = input
        return made
    basic, advanced = split(index, shape)
    if advanced is None:
        made[basic] = input
    else:
        add_at(made[basic], advanced, input)
    return made


def add_at(target, index, values):
    """`target[index] += values`, also where places repeat."""
    if len(index) == 1 and index[0].dtype.kind == "b":
        target[index] += values
    else:
        np.add.at(target, index, values)


def _picked(g, indices):
    """The part of `g` at these indices as PyTorch shapes it: numbers are taken first, and lead no dimension."""
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
    """`input` with `values` put, or added with `accumulate`, at the positions given by a tuple of index tensors."""
    if values.dtype != input.dtype:
        from dyncore.dtypes.dtypes import of

        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {of(input.dtype).title} for the "
            f"destination and {of(values.dtype).title} for the source."
        )
    made = np.array(input)
    basic, advanced = split(tuple(indices), input.shape)
    target = made[basic]
    if advanced is None:
        target[...] = target + values if accumulate else values
        return made
    try:
        if accumulate:
            np.add.at(target, advanced, values)
        else:
            target[advanced] = values
    except IndexError:
        raise out_of_bounds(advanced, target.shape) from None
    except ValueError:
        found = list(target[advanced].shape)
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result of "
            f"shape {found}"
        ) from None
    return made


@op(
    input=lambda g, input_shape, dim, index: select_place(g, tuple(input_shape), dim, index),
    linear=True,
)
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
    return np.take(input, index, axis) if input.ndim else np.broadcast_to(input, index.shape)[:1].reshape(()).copy()


@op(input=lambda g, dim, index: index_select(g, dim, index), private=True, linear=True)
def select_place(input, shape: tuple, dim: int, index):
    """Zeros of `shape` with slices of `input` added where `index_select` took them."""
    made = np.zeros(shape, input.dtype)
    if not shape:
        return made + input
    np.add.at(made, (slice(None),) * axis_of(dim, len(shape)) + (np.atleast_1d(index),), input)
    return made


def _flat(index, size, name):
    """Positions among all elements, negative ones counted from the end."""
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
    return input.reshape(-1)[_flat(index, input.size, "take")]


@op(input=lambda g, index: take(g, index), private=True)
def take_place(input, shape: tuple, index):
    """Zeros of `shape` with `input` added where `take` took."""
    made = np.zeros(shape, input.dtype)
    np.add.at(made.reshape(-1), _flat(index, made.size, "take"), input)
    return made


@op(
    input=lambda g, index, accumulate: g if accumulate else put(g, index, zeros_like(take(g, index))),
    source=lambda g, index, source_shape: np.reshape(take(g, index), source_shape),
    inplace=True,
)
def put(input, index, source, accumulate: bool = False):
    """`input` with the elements of `source` put, or added, at positions among all elements."""
    if source.dtype != input.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{dtypes.of(input.dtype).title} and source.dtype = {dtypes.of(source.dtype).title}"
        )
    if index.dtype != np.int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {dtypes.of(index.dtype).title}")
    made = np.array(input, order="C")
    flat, places = made.reshape(-1), _flat(np.asarray(index).reshape(-1), made.size, "put_")
    if accumulate:
        np.add.at(flat, places, source.reshape(-1))
    else:
        flat[places] = source.reshape(-1)
    return laid_like(input, made)


@op(
    input=lambda g, dim, index: index_fill(g, dim, index, 0),
    value=lambda g, dim, index: np.sum(np.where(index_fill(np.isnan(g) & False, dim, index, True), g, 0)),
    inplace=True, node=lambda value: "IndexFillBackward" + ("1" if hasattr(value, "dtype") else "0"),
)  # fmt: skip
def index_fill(input, dim: int, index, value):
    """`input` with `value` in the slices along `dim` that `index` names."""
    if getattr(value, "ndim", 0):
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    axis = axis_of(dim, input.ndim)
    made = np.array(np.atleast_1d(input), order="C")
    number = value if isinstance(value, (int, float, complex)) else value.item()
    if isinstance(number, complex) and input.dtype.kind != "c":
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    value = fitted(number, input.dtype)
    try:
        made[(slice(None),) * axis + (np.atleast_1d(index),)] = value
    except IndexError:
        raise out_of_bounds((slice(None),) * axis + (np.atleast_1d(index),), made.shape) from None
    return laid_like(input, made.reshape(input.shape))


def _copied(g, dim, index, source_shape):
    return np.reshape(index_select(g, dim, index), source_shape)


def _copied_recorded(g, dim, index, source_shape):
    found = index_select(g, dim, index)
    return np.broadcast_to(found, source_shape) if source_shape else found


_copied.recorded = _copied_recorded


@op(input=lambda g, dim, index: index_fill(g, dim, index, 0), source=_copied, inplace=True)
def index_copy(input, dim: int, index, source):
    """`input` with the slices of `source` in the places along `dim` that `index` names."""
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
    made = np.array(np.atleast_1d(input), order="C")
    made[(slice(None),) * axis + (np.atleast_1d(index),)] = np.atleast_1d(source)
    return made.reshape(input.shape)


@op(
    input=lambda g: g,
    source=lambda g, dim, index, source_shape, alpha: np.reshape(index_select(g, dim, index), source_shape) * alpha,
    inplace=True,
)
def index_add(input, dim: int, index, source, *, alpha: object = 1):
    """`input` with `alpha` times the slices of `source` added in the places along `dim` that `index` names."""
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
    made = np.array(np.atleast_1d(input), order="C")
    scaled = np.atleast_1d(source) if alpha == 1 else np.atleast_1d(source) * fitted(alpha, made.dtype)
    try:
        np.add.at(made, (slice(None),) * axis + (np.atleast_1d(index),), scaled)
    except IndexError:
        raise IndexError("index out of range in self") from None
    return made.reshape(input.shape)


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
    view=True, name="slice", method=False, linear=True, back="SliceBackwardBackward0",
)  # fmt: skip
def slice_along(input, dim: int = 0, start: int = None, end: int = None, step: int = 1):
    """`x[start:end:step]` along `dim`, as a view."""
    return input[sliced(dim, start, end, step, input.ndim)]


def sliced(dim, start, end, step, ndim):
    """The index of `start:end:step` along `dim`."""
    return (slice(None),) * axis_of(dim, ndim) + (slice(start, end, step),)


@op()
def unravel_index(indices, shape: tuple):
    """Positions among all elements of a tensor of `shape` as one tensor of coordinates a dimension."""
    return tuple(np.asarray(each)[()] for each in np.unravel_index(indices, shape))
