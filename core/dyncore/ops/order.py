"""Sorting, and ops that use it: the largest few, medians, modes, quantiles."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.tensors.strides import laid_like, usual

from . import selection
from .arithmetic import times
from .axes import axis_of, filled_axis, shrunk
from .blending import lerp
from .extrema import of_all, refuse_complex, selected
from .gathering import along, gather
from .pointwise import round


def _ordered_only(input):
    """Raise RuntimeError for complex numbers, which have no order."""
    if input.dtype.kind == "c":
        raise RuntimeError(" Sort does not support complex dtypes on CPU")


def _sorted_places(input, axis, descending):
    """Return the positions of the elements in order.

    Equal ones stay in their order, NaN counts as largest.
    """
    if not descending:
        return input.argsort(axis=axis, kind="stable")
    size = input.shape[axis]
    turn = (slice(None),) * axis + (slice(None, None, -1),)
    return size - 1 - input[turn].argsort(axis=axis, kind="stable")[turn]


@op(
    batching="dims",
    input=lambda g0, input_shape, dim, result1: selected(g0, input_shape, dim, True, result1),
    returns=("values", "indices"),
    node=lambda stable: "SortBackward0" if stable is None else "SortBackward1",
    back="ScatterBackward0",
)
def sort(input, dim: int = -1, descending: bool = False, *, stable: bool = None):
    """Elements in order along `dim`, and the positions they had.

    Equal ones keep their order, NaN counts as the largest.
    """
    _ordered_only(input)
    axis = axis_of(dim, input.ndim)
    if not input.ndim:
        return input.copy(), np.int64(0)
    index = _sorted_places(input, axis, descending)
    return laid_like(input, along(input, index, axis)), laid_like(input, index)


@op(composite=True)
def msort(input):
    """`sort` along the first dimension, without the positions."""
    return sort(input, 0)[0]


@op(batching="dims")
def argsort(input, dim: int = -1, descending: bool = False, *, stable: bool = False):
    """Positions of the elements in order along `dim`."""
    _ordered_only(input)
    axis = axis_of(dim, input.ndim)
    return _sorted_places(input, axis, descending) if input.ndim else np.int64(0)


@op(
    batching="dims",
    input=lambda g0, input_shape, dim, result1: selected(g0, input_shape, dim, True, result1),
    returns=("values", "indices"),
    back="ScatterBackward0",
)
def topk(input, k: int, dim: int = -1, largest: bool = True, sorted: bool = True):
    """`k` largest (or smallest) elements along `dim`, in order, and their positions."""
    refuse_complex(input, "topk")
    axis = axis_of(dim, input.ndim)
    if not 0 <= k <= (input.shape[axis] if input.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if not input.ndim:
        return (input.copy(), np.int64(0)) if k else (np.empty(0, input.dtype), np.empty(0, np.int64))
    order = _sorted_places(input, axis, largest)
    index = usual(order[(slice(None),) * axis + (slice(0, k),)])
    if type(input) is np.ndarray and selection.fits(input.shape, input.shape[axis], k):
        rows, order, chosen = (np.moveaxis(each, axis, -1) for each in (input, order, index))
        _order_as_pytorch(rows, order, chosen, largest, sorted)
    return usual(along(input, index, axis)), index


def _order_as_pytorch(rows, order, index, largest, in_order):
    """Write into `index` the places that PyTorch takes where elements are equal, or are not to be sorted."""
    k = index.shape[-1]
    found = np.take_along_axis(rows, order[..., : k + 1], -1)
    differs = (found[..., 1:] == found[..., :-1]).any(-1) if in_order else np.ones(found.shape[:-1], bool)
    for place in map(tuple, np.argwhere(differs & ~(rows != rows).any(-1))):
        index[place] = selection.places(rows[place], k, largest, in_order)


def _at(input, order, axis, rank, keepdim):
    """Return (values, indices) of the element at `rank` of each slice in `order`."""
    index = np.take_along_axis(order, np.asarray(rank).reshape(shrunk(np.shape(rank), axis)), axis)
    values = np.take_along_axis(input, index, axis)
    return (values, index) if keepdim else (np.squeeze(values, axis)[()], np.squeeze(index, axis)[()])


def _full(input, axis, rank):
    return np.full(shrunk(input.shape, axis), rank)


@op(
    input=lambda g0, input_shape, dim, keepdim, result1: selected(g0, input_shape, dim, keepdim, result1),
    returns=("values", "indices"),
    back="ScatterBackward0",
)
def kthvalue(input, k: int, dim: int = -1, keepdim: bool = False):
    """`k`-th smallest element along `dim`, counted from 1, and its position."""
    refuse_complex(input, "kthvalue")
    axis = axis_of(dim, input.ndim)
    if not 1 <= k <= (input.shape[axis] if input.ndim else 1):
        raise RuntimeError("kthvalue(): selected number k out of range for dimension " + str(axis))
    if not input.ndim:
        return input.copy(), np.int64(0)
    return _at(input, _sorted_places(input, axis, False), axis, _full(input, axis, k - 1), keepdim)


def _median_along(input, dim, keepdim, name, ignore):
    axis = filled_axis(input, dim, name)
    if not input.ndim:
        return input.copy(), np.int64(0)
    rank = _full(input, axis, (input.shape[axis] - 1) // 2)
    if input.dtype.kind == "f":
        nans = np.isnan(input)
        number = np.add.reduce(nans, axis=axis, keepdims=True)
        # NaN sorts last: it is the median where any is there, or is not counted.
        last = input.shape[axis] - number
        rank = np.maximum((last - 1) // 2, 0) if ignore else np.where(number > 0, last, rank)
    return _at(input, _sorted_places(input, axis, False), axis, rank, keepdim)


@op(input=of_all, private=True, node="MedianBackward0", back="MaskedFillBackward1")
def median_of_all(input):
    """Lower of the two middle elements; NaN if one is NaN.

    Equal ones share the gradient.
    """
    if not input.size:
        return np.asarray(np.nan).astype(input.dtype)[()]  # of integers what NaN is cast to
    flat, middle = input.reshape(-1), (input.size - 1) // 2
    if input.dtype.kind == "f" and np.isnan(top := np.maximum.reduce(flat)):
        return top
    return np.partition(flat, middle)[middle]


@op(input=of_all, private=True, node="NanmedianBackward0", back="MaskedFillBackward1")
def nanmedian_of_all(input):
    """Lower of the two middle elements of those that are not NaN.

    Equal ones share the gradient.
    """
    if not input.size:
        return np.asarray(np.nan).astype(input.dtype)[()]  # of integers what NaN is cast to
    return _median_along(input.reshape(-1), 0, False, "nanmedian", True)[0]


@op(
    input=lambda g0, input_shape, dim, keepdim, result1: selected(g0, input_shape, dim, keepdim, result1),
    returns=("values", "indices"), private=True, node="MedianBackward1", back="ScatterBackward0"
)  # fmt: skip
def median_along(input, dim: int, keepdim: bool = False):
    """Lower middle elements along `dim`, and their positions.

    The gradient goes to these positions.
    """
    return _median_along(input, dim, keepdim, "median", False)


@op(
    input=lambda g0, input_shape, dim, keepdim, result1: selected(g0, input_shape, dim, keepdim, result1),
    returns=("values", "indices"), private=True, node="NanmedianBackward1", back="ScatterBackward0"
)  # fmt: skip
def nanmedian_along(input, dim: int, keepdim: bool = False):
    """Lower middle elements along `dim`, NaN not counted, and their positions."""
    return _median_along(input, dim, keepdim, "nanmedian", True)


@op(composite=True)
def median(input, dim: int = None, keepdim: bool = False):
    """Lower of the two middle elements, of all; or (values, indices) along `dim`."""
    return median_of_all(input) if dim is None else median_along(input, dim, keepdim)


@op(composite=True)
def nanmedian(input, dim: int = None, keepdim: bool = False):
    """`median` of the elements that are not NaN."""
    return nanmedian_of_all(input) if dim is None else nanmedian_along(input, dim, keepdim)


@op(
    input=lambda g0, input_shape, dim, keepdim, result1: selected(g0, input_shape, dim, keepdim, result1),
    returns=("values", "indices"),
    back="ScatterBackward0",
)
def mode(input, dim: int = -1, keepdim: bool = False):
    """Most frequent element along `dim`, the smallest of several, and its position.

    The position is the last one.
    """
    refuse_complex(input, "mode_cpu")
    axis = filled_axis(input, dim, "mode")
    if not input.ndim:
        return input.copy(), np.int64(0)
    order = np.argsort(input, axis=axis, kind="stable")
    ranked = np.swapaxes(np.take_along_axis(input, order, axis), 0, axis)
    run = longest = np.ones(ranked.shape[1:], np.int64)
    rank = longest - 1
    for number in range(1, len(ranked)):
        run = np.where(ranked[number] == ranked[number - 1], run + 1, 1)
        better = run > longest
        longest, rank = np.where(better, run, longest), np.where(better, number, rank)
    return _at(input, order, axis, np.swapaxes(rank[None], 0, axis), keepdim)


def _rank(ordered, q, interpolation, ignore):
    """Return the fractional positions of the quantiles in each sorted row.

    The rows lie along the last dimension.
    """
    last, nans = ordered.shape[-1] - 1, np.isnan(ordered.detach())
    if ignore:
        rank = q * (np.sum(np.logical_not(nans), axis=-1, keepdims=True) - 1)
        rank = np.masked_fill(rank, rank < 0, 0)
    else:
        rank = np.masked_fill(times(q, last), np.any(nans, axis=-1, keepdims=True), last)
    if interpolation == "lower":
        return np.floor(rank)
    if interpolation == "higher":
        return np.ceil(rank)
    return round(rank) if interpolation == "nearest" else rank


def _quantile(input, q, dim, keepdim, interpolation, ignore, name):
    q, shape = _check_quantile(input, q, interpolation, name), tuple(input.shape)
    if dim is None:
        rows = input.flatten()
    else:
        axis = axis_of(dim, len(shape))
        rows = input if axis == len(shape) - 1 else np.swapaxes(np.expand_dims(input, -1), axis, -1)
    if not rows.shape[-1]:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    ordered = sort(rows, -1)[0].view((*shrunk(shape, dim, keepdim), rows.shape[-1]))
    rank = _rank(ordered, q if len(q.shape) else np.expand_dims(q, 0), interpolation, ignore)
    below = np.floor(rank.detach())
    result = gather(ordered, -1, below.long())
    if interpolation in ("linear", "midpoint"):
        weight = rank - below if interpolation == "linear" else below * 0 + 0.5
        result = lerp(result, gather(ordered, -1, np.ceil(rank.detach()).long()), weight)
    if len(q.shape):  # the quantiles become the first dimension
        result = np.swapaxes(np.expand_dims(result, 0), 0, -1)
    return np.squeeze(result, -1)


def _check_quantile(input, q, interpolation, name):
    if str(input.dtype) not in ("torch.float32", "torch.float64"):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    number = (q,) if isinstance(q, (int, float)) else ()
    q = q if hasattr(q, "dtype") else input.new_tensor(q)
    if q.dtype != input.dtype:
        raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
    if len(q.shape) > 1:
        raise RuntimeError(f"{name}() q must be a scalar or 1D tensor")
    if not bool(np.all((q >= 0) & (q <= 1))):
        text = "must be in the range [0, 1] but got" if number else "values must be in the range [0, 1]"
        raise RuntimeError(f"{name}() q {text}{f' {number[0]:g}' if number else ''}")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )
    return q


@op(composite=True, node="SqueezeBackward4")
def quantile(input, q, dim: int = None, keepdim: bool = False, *, interpolation: str = "linear"):
    """Values below which a fraction `q` of the elements lies.

    Of all elements or along `dim`; NaN if one is NaN.
    q: a number or a vector of them, which becomes the first dimension.
    interpolation: between two elements: linear, lower, higher, midpoint or nearest.
    """
    return _quantile(input, q, dim, keepdim, interpolation, False, "quantile")


@op(composite=True, node="SqueezeBackward4")
def nanquantile(input, q, dim: int = None, keepdim: bool = False, *, interpolation: str = "linear"):
    """`quantile` of the elements that are not NaN."""
    return _quantile(input, q, dim, keepdim, interpolation, True, "nanquantile")
