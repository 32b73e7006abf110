"""Elements chosen and placed by masks."""

import itertools

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import fitted
from dyncore.dtypes.supported import refusal
from dyncore.errors.advice import advise
from dyncore.tensors.size import contiguous_format
from dyncore.tensors.strides import usual

from .axes import axis_of
from .filling import zeros_like
from .select import picked, select


def _truth(condition):
    if condition.dtype.kind != "b" and condition.dtype != np.uint8:
        from dyncore.dtypes.dtypes import of

        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {of(condition.dtype).title}"
        )
    if condition.dtype.kind == "b":
        return condition
    advise("where")
    return condition.astype(bool)


def _elsewhere(g, condition):
    return picked(np.logical_not(condition), g)


_elsewhere.recorded = lambda g, condition: np.where(condition, 0, g)


@op(
    batching="each",
    input=lambda g, condition: picked(condition, g),
    other=_elsewhere,
    promote=("input", "other"),
    method=False,
)
def where(condition, input=None, other=None):
    """Elements of `input` where `condition` holds, else of `other`.

    With `condition` alone, its nonzero positions.
    """
    if input is None and other is None:
        return _places(condition)
    if input is None or other is None:
        raise TypeError("where() received an invalid combination of arguments - got (Tensor, Tensor)")
    return select(_truth(condition), input, other)


def _places(input):
    return tuple(np.nonzero(np.atleast_1d(input)))


@op()
def nonzero(input, *, as_tuple: bool = False):
    """Positions of the nonzero elements, one row each.

    as_tuple: one vector a dimension.
    """
    if as_tuple:
        return _places(input)
    return np.argwhere(input) if np.ndim(input) else np.empty((int(bool(input)), 0), np.int64)


@op()
def argwhere(input):
    """Positions of the nonzero elements, one row each."""
    return np.argwhere(input) if np.ndim(input) else np.empty((int(bool(input)), 0), np.int64)


@op(
    batching="each",
    input=lambda g, mask: np.where(mask, 0, g),
    value=lambda g, mask: np.sum(np.where(mask, g, 0)),
    inplace=True, node=lambda value: "MaskedFillBackward" + ("1" if hasattr(value, "dtype") else "0"),
    back={"input": "MaskedFillBackward0"},
)  # fmt: skip
def masked_fill(input, mask, value):
    """`input` with `value` where `mask` is True."""
    if mask.dtype.kind != "b":
        from dyncore.dtypes.dtypes import in_c

        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {in_c(mask.dtype)}")
    if getattr(value, "ndim", 0):
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    number = value if isinstance(value, (int, float, complex)) else np.asarray(value).item()
    return usual(np.where(mask, fitted(number, input.dtype), input))


@op(input=lambda g, input_shape, mask: _chosen_place(g, tuple(input_shape), mask))
def masked_select(input, mask):
    """Elements where `mask` is True, as a vector."""
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    input, mask = np.broadcast_arrays(input, mask)
    return input[mask]


def _chosen_place(g, shape, mask):
    wide = np.broadcast_shapes(shape, tuple(mask.shape)) if isinstance(mask, np.ndarray) else _joined(shape, mask.shape)
    return masked_scatter(np.broadcast_to(zeros_like(np.sum(g)), wide), mask, g)


def _joined(first, second):
    """Return the shape that two shapes broadcast to."""
    pairs = itertools.zip_longest(reversed(tuple(first)), reversed(tuple(second)), fillvalue=1)
    return tuple([m if n == 1 else n for n, m in pairs])[::-1]


@op(
    input=lambda g, mask: np.where(mask, 0, g),
    source=lambda g, mask, source_shape: mask_take(g, mask, tuple(source_shape)),
    inplace=True,
)
def masked_scatter(input, mask, source):
    """`input` with the elements of `source`, in order, where `mask` is True."""
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_scatter_ only supports boolean masks, but got mask with dtype " + str(mask.dtype))
    if input.dtype != source.dtype:
        one, two = dtypes.title_of(input.dtype), dtypes.title_of(source.dtype)
        raise RuntimeError(f"masked_scatter: expected self and source to have same dtypes but got{one} and {two}")
    shape = _joined(input.shape, mask.shape)
    result, mask = np.array(np.broadcast_to(input, shape), order="C"), np.broadcast_to(mask, shape)
    number = int(np.add.reduce(mask, axis=None))
    if source.size < number:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    result[mask] = source.reshape(-1)[:number]
    return result


@op(input=lambda g, mask, input: masked_scatter(zeros_like(input), mask, g), private=True)
def mask_take(input, mask, shape: tuple):
    """Elements where `mask` is True, in order, in zeros of `shape`."""
    result = np.zeros(shape, input.dtype)
    chosen = input[np.broadcast_to(mask, input.shape)]
    result.reshape(-1)[: chosen.size] = chosen
    return result


@op(private=True)
def repeated_places(repeats, size: int):
    """0 repeated `repeats[0]` times, then 1, ...; a single number counts for all."""
    if repeats.dtype != np.int64 and repeats.dtype != np.int32:
        raise refusal("repeat_interleave_cpu", repeats.dtype)
    if repeats.size and np.minimum.reduce(repeats, axis=None) < 0:
        raise RuntimeError("repeats can not be negative")
    if repeats.ndim and repeats.shape[0] not in (1, size):
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.shape[0]} and "
            f"input.size(0) = {size}"
        )
    return np.repeat(np.arange(size), repeats)


@op(composite=True, node=lambda repeats: "ViewBackward0" if isinstance(repeats, int) else None)
def repeat_interleave(input, repeats=None, dim: int = None, *, output_size: int = None):
    """Each element, or slice along `dim`, repeated.

    With `repeats` alone, its positions repeated.
    """
    if repeats is None:
        return repeated_places(input, input.shape[0])
    if dim is None:
        input, dim = input.reshape((-1,)), 0
    if not len(input.shape):
        input = input.reshape((1,))
    axis = axis_of(dim, len(input.shape))
    shape = tuple(input.shape)
    if isinstance(repeats, int):
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        wide = np.expand_dims(input, axis + 1).expand(*shape[: axis + 1], repeats, *shape[axis + 1 :])
        wide = wide.clone(memory_format=contiguous_format)
        return wide.reshape((*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :]))
    places = repeated_places(repeats, shape[axis])
    if output_size is not None and output_size != places.shape[0]:
        raise RuntimeError("allocated size does not match required size")
    return input.index_select(axis, places)


@op()
def nonzero_static(input, *, size: int, fill_value: int = -1):
    """Positions of nonzero elements, cut or filled up to `size` rows."""
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    positions = np.argwhere(np.asarray(input))[:size].astype(np.int64)
    result = np.full((size, positions.shape[1]), fill_value, np.int64)
    result[: len(positions)] = positions
    return result
