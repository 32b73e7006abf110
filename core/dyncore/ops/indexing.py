"""Elements picked, placed and masked."""

import numpy as np

from ..registry import op
from .reduction import axis_of


def _index(index):
    """A NumPy index from a Python one; a boolean 0-d stays boolean, a list of booleans or integers becomes an array."""
    if isinstance(index, tuple):
        return tuple(_index(each) for each in index)
    if isinstance(index, list):
        array = np.asarray(index)
        return array if array.size else array.astype(np.int64)
    if isinstance(index, range):
        return np.asarray(index, dtype=np.int64)
    return index


def _is_basic(index):
    parts = index if isinstance(index, tuple) else (index,)
    return all(p is None or p is Ellipsis or isinstance(p, (int, slice)) and not isinstance(p, bool) for p in parts)


def _index_title(index):
    parts = index if isinstance(index, tuple) else (index,)
    if not _is_basic(_index(index)):
        return "IndexBackward0"
    last = [p for p in parts if p is not Ellipsis and not (isinstance(p, slice) and p == slice(None))]
    if not last:
        return "AliasBackward0" if any(p is Ellipsis for p in parts) else "SliceBackward0"
    return {int: "SelectBackward0", slice: "SliceBackward0"}.get(type(last[-1]), "UnsqueezeBackward0")


def _place(g, input_shape, index):
    return index_place(g, tuple(input_shape), index)


@op(input=_place, view=True, name="__getitem__", function=False, node=_index_title, linear=True)
def getitem(input, index: object):
    """Elements by position: integers, slices, None and ... give a view; integer and boolean tensors a copy."""
    found = _index(index)
    if _is_basic(found):
        parts = found if isinstance(found, tuple) else (found,)
        if Ellipsis not in parts:
            found = (*parts, Ellipsis)
        try:
            return input[found]
        except IndexError as error:
            raise _index_error(input, parts, error) from None
    try:
        return input[found]
    except IndexError as error:
        raise _index_error(input, found if isinstance(found, tuple) else (found,), error) from None


def _index_error(input, parts, error):
    used = [p for p in parts if p is not None and p is not Ellipsis]
    if len(used) > input.ndim and not any(getattr(p, "dtype", None) == bool for p in used):
        if not input.ndim:
            return IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert "
                "a 0-dim tensor to a number"
            )
        return IndexError(f"too many indices for tensor of dimension {input.ndim}")
    for dim, part in enumerate(used):
        size = input.shape[dim] if dim < input.ndim else 0
        if isinstance(part, int) and not -size <= part < size:
            return IndexError(f"index {part} is out of bounds for dimension {dim} with size {size}")
        if isinstance(part, np.ndarray) and part.dtype.kind in "iu" and part.size:
            bad = part[(part < -size) | (part >= size)]
            if bad.size:
                return IndexError(f"index {bad.flat[0]} is out of bounds for dimension {dim} with size {size}")
        if isinstance(part, np.ndarray) and part.dtype.kind == "b" and part.shape != input.shape[dim : dim + part.ndim]:
            return IndexError(
                f"The shape of the mask {list(part.shape)} at index {dim} does not match the shape of the indexed tensor "
                f"{list(input.shape)} at index {dim}"
            )
    return IndexError(str(error))


@op(input=lambda g, index: g[index], private=True, linear=True)
def index_place(input, shape: tuple, index: object):
    """Zeros of `shape` with `input` added at `index`: the derivative of picking."""
    found = _index(index)
    made = np.zeros(shape, input.dtype)
    if _is_basic(found):
        made[found] = input
    else:
        np.add.at(made, found, input)
    return made


@op(
    input=lambda g, condition: np.where(condition, g, g * 0),
    other=lambda g, condition: np.where(condition, g * 0, g),
    promote=("input", "other"),
    method=False,
)
def where(condition, input=None, other=None):
    """Elements of `input` where `condition` holds, else of `other`; with `condition` alone, its nonzero positions."""
    if input is None:
        return tuple(np.nonzero(condition))
    return np.where(condition, input, other)


def _pick(input, dim, index):
    return np.take_along_axis(input, index, axis_of(dim, input.ndim)) if input.ndim and index.ndim else input


@op(input=lambda g, input_shape, dim, index: gather_place(g, tuple(input_shape), dim, index))
def gather(input, dim: int, index, *, sparse_grad: bool = False):
    """Elements picked along `dim` by an index tensor of the result's shape."""
    axis = axis_of(dim, input.ndim)
    trimmed = input[tuple(slice(None) if d == axis else slice(n) for d, n in enumerate(index.shape))]
    if index.size and (np.min(index) < 0 or np.max(index) >= input.shape[axis]):
        bad = index[(index < 0) | (index >= input.shape[axis])].flat[0]
        raise RuntimeError(f"index {bad} is out of bounds for dimension {axis} with size {input.shape[axis]}")
    return _pick(trimmed, dim, index)


@op(input=lambda g, dim, index: gather(g, dim, index), private=True)
def gather_place(input, shape: tuple, dim: int, index):
    """Zeros of `shape` with `input` added where `gather` picked."""
    made = np.zeros(shape, input.dtype)
    axis = axis_of(dim, len(shape))
    if not index.ndim:
        made += input
        return made
    positions = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    positions[axis] = index
    np.add.at(made, tuple(positions), input)
    return made


@op(
    input=lambda g, mask: np.where(mask, g * 0, g),
    value=lambda g, mask: np.sum(np.where(mask, g, g * 0)),
    inplace=True, node="MaskedFillBackward0",
)  # fmt: skip
def masked_fill(input, mask, value):
    """`input` with `value` where `mask` is True."""
    if mask.dtype.kind != "b":
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got dtype {mask.dtype}")
    return np.where(mask, np.asarray(value).astype(input.dtype), input)


@op(input=lambda g, input_shape, dim, index: _select_place(g, input_shape, dim, index), linear=True)
def index_select(input, dim: int, index):
    """Slices of `input` along `dim` at the positions in `index`, a vector."""
    if not input.ndim:
        return input
    return np.take(input, index, axis_of(dim, input.ndim))


def _select_place(g, input_shape, dim, index):
    axis = axis_of(dim, len(input_shape))
    return index_place(g, tuple(input_shape), (slice(None),) * axis + (index,))


@op(
    input=lambda g, indices, accumulate: g if accumulate else index_put(g, indices, g[tuple(indices)] * 0),
    values=lambda g, indices: g[tuple(indices)],
    inplace=True,
)
def index_put(input, indices: tuple, values, accumulate: bool = False):
    """`input` with `values` put, or added with `accumulate`, at the positions given by a tuple of index tensors."""
    made = input.copy()
    if accumulate:
        np.add.at(made, tuple(indices), values)
    else:
        made[tuple(indices)] = values
    return made


@op()
def nonzero(input, *, as_tuple: bool = False):
    """The positions of the nonzero elements, one row each; with `as_tuple`, one vector a dimension."""
    if as_tuple:
        return tuple(np.nonzero(input))
    return np.argwhere(input)
