"""Distinct elements, histograms and positions in sorted sequences."""

import math

import numpy as np

from dyncore.creation.ranges import evenly
from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.supported import check as check_kernel, refusal

from .axes import axis_of


def _several(first, inverse, counts, return_inverse, return_counts):
    """Return the first alone, or a tuple of what was asked for in PyTorch's order."""
    result = [first]
    if return_inverse:
        result.append(inverse)
    if return_counts:
        result.append(counts)
    return result[0] if len(result) == 1 else tuple(result)


def _none_of_unique(grads, dim):
    raise _no_derivative("_unique2" if dim is None else "unique_dim")


def _none_of_consecutive(grads, dim):
    raise _no_derivative("unique_consecutive" if dim is None else "unique_dim_consecutive")


def _no_derivative(name):
    return NotImplementedError(f"the derivative for '{name}' is not implemented.")


@op(input=_none_of_unique, node=lambda dim: "Unique2Backward0" if dim is None else "UniqueDimBackward0")
def unique(input, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int = None):
    """Distinct elements in order, or the distinct slices along `dim`.

    With `return_inverse` also where each element went, with `return_counts` how often each occurs.
    """
    _check_sizes(input.shape, dim if dim is None else axis_of(dim, input.ndim))
    if dim is None:
        values, inverse, counts = np.unique(input, return_inverse=True, return_counts=True, equal_nan=False)
        inverse = inverse.reshape(input.shape)
    else:
        axis = axis_of(dim, input.ndim)
        values, inverse, counts = np.unique(input, return_inverse=True, return_counts=True, axis=axis, equal_nan=False)
        inverse = inverse.reshape(-1)
    return _several(values, inverse, counts, return_inverse, return_counts)


def _check_sizes(shape, dim):
    """Raise RuntimeError if slices along `dim` have no elements."""
    if dim is None or 0 not in shape:
        return
    if shape.count(0) > 1:
        raise RuntimeError("Number of zero sized dimensions is more than one, so unique cannot be applied ")
    if shape[dim]:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")


@op(input=_none_of_consecutive)
def unique_consecutive(input, return_inverse: bool = False, return_counts: bool = False, dim: int = None):
    """Elements, or slices along `dim`, without those equal to the one before."""
    _check_sizes(input.shape, dim if dim is None else axis_of(dim, input.ndim))
    rows = input.reshape(-1) if dim is None else np.moveaxis(input, axis_of(dim, input.ndim), 0)
    differs = rows[1:] != rows[:-1]
    starts = np.ones(len(rows), bool)
    starts[1:] = differs.any(tuple(range(1, differs.ndim)))
    values = rows[starts]
    inverse = np.cumsum(starts) - 1
    counts = np.diff(np.append(np.flatnonzero(starts), len(rows)))
    if dim is None:
        inverse = inverse.reshape(input.shape)
    else:
        values = np.moveaxis(values, 0, axis_of(dim, input.ndim))
    return _several(values, inverse, counts, return_inverse, return_counts)


@op()
def bincount(input, weights=None, minlength: int = 0):
    """Counts of 0, 1, 2, ... in a vector of integers, or sums of its weights."""
    if input.dtype.kind not in "iu":
        raise refusal("bincount_cpu", input.dtype)
    if input.ndim != 1 or (input.size and np.minimum.reduce(input) < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None and weights.shape != input.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    result = np.bincount(input, weights, minlength)
    if weights is None:
        return result.astype(np.int64)
    return result.astype(weights.dtype if weights.dtype == np.float32 else np.float64)


def _range(input, low, high, name, margin=1.0):
    low, high = float(low), float(high)
    if low == high and not input.size and margin != 1:
        return low, low + 1
    if low == high and input.size:
        low, high = float(np.minimum.reduce(input, axis=None)), float(np.maximum.reduce(input, axis=None))
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"{name}: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(f"{name}: max must be larger than min")
    return (low - margin, high + margin) if low == high else (low, high)


@op()
def histc(input, bins: int = 100, min: float = 0, max: float = 0):
    """Counts of elements in each of `bins` equal parts of [min, max].

    If both are 0, of the range of the elements.
    """
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    span = _range(input, min, max, "torch.histc")
    return np.histogram(input.reshape(-1), bins, span)[0].astype(input.dtype)


@op(returns=("hist", "bin_edges"))
def histogram(input, bins: object = 100, *, range: tuple = None, weight=None, density: bool = False):
    """(hist, bin_edges): the number or weight of elements between each two edges.

    bins: the number of parts of `range`, or the edges themselves.
    """
    if isinstance(bins, int):
        bins = np.linspace(*_range(input, *(range or (0, 0)), "torch.histogram", 0.5), bins + 1).astype(input.dtype)
    weights = None if weight is None else weight.reshape(-1)
    result = np.histogram(input.reshape(-1), bins, weights=weights, density=density)[0]
    return result.astype(input.dtype), np.array(bins)


@op(private=True)
def histogram_cells(input, bins: tuple, range: tuple, weight, density: bool):
    """Counts of `histogramdd` followed by the edges of each dimension."""
    points = input.reshape(-1, input.shape[-1])
    edges, positions, inside = [], [], np.ones(len(points), bool)
    for axis, each in enumerate(bins):
        column = points[:, axis]
        if isinstance(each, int):
            span = (0, 0) if range is None else range[2 * axis : 2 * axis + 2]
            each = evenly(*_range(column, *span, "torch.histogramdd", 0.5), each + 1, input.dtype)
        position = np.searchsorted(each, column, "right") - 1
        position = np.where(column == each[-1], len(each) - 2, position)
        inside &= (column >= each[0]) & (column <= each[-1]) & (position >= 0) & (position < len(each) - 1)
        edges.append(each)
        positions.append(position)
    sizes = [len(each) - 1 for each in edges]
    flat = np.ravel_multi_index([each[inside] for each in positions], sizes)
    weights = None if weight is None else weight.reshape(-1)[inside]
    result = np.bincount(flat, weights, math.prod(sizes)).reshape(sizes).astype(input.dtype)
    if density:
        result = result / np.add.reduce(result, axis=None)
        for axis, each in enumerate(edges):
            result = result / np.diff(each).reshape((1,) * axis + (-1,) + (1,) * (len(sizes) - axis - 1))
    return (result.astype(input.dtype), *edges)


@op(composite=True, returns=("hist", "bin_edges"), method=False)
def histogramdd(input, bins: object, *, range: tuple = None, weight=None, density: bool = False):
    """(hist, bin_edges) of points (..., dimensions).

    hist: the number of points in each cell between the edges of each dimension.
    """
    numbers = (bins,) * input.shape[-1] if isinstance(bins, int) else tuple(bins)
    if len(numbers) != input.shape[-1]:
        raise RuntimeError("histogramdd: The size of bins must be equal to the innermost dimension of the input.")
    hist, *edges = histogram_cells(input, numbers, range, weight, density)
    return hist, tuple(edges)


_SEARCHED = (("c", "searchsorted_out_cpu"),)


@op(method=False)
def bucketize(input, boundaries, *, out_int32: bool = False, right: bool = False):
    """Position of each element among sorted `boundaries`.

    It is the number of boundaries that are less, or not greater with `right`.
    """
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    for each in (boundaries, np.asarray(input)):
        check_kernel(_SEARCHED, each.dtype)
    result = np.searchsorted(boundaries, input, "right" if right else "left")
    return result.astype(np.int32 if out_int32 else np.int64)


@op(method=False)
def searchsorted(
    sorted_sequence, input, *, out_int32: bool = False, right: bool = False, side: str = None, sorter=None
):
    """Positions at which to insert elements into a sorted sequence, row by row."""
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    kind = np.int32 if out_int32 else np.int64
    where = "right" if right or side == "right" else "left"
    values = np.asarray(input)
    for each in (sorted_sequence, values):
        check_kernel(_SEARCHED, each.dtype)
    if not sorted_sequence.ndim:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if not values.ndim:
        if sorted_sequence.ndim != 1:
            raise RuntimeError(
                "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we "
                f"got boundaries tensor dim({sorted_sequence.ndim}) and input value's dim(0) numel(1)"
            )
        if sorted_sequence.dtype.kind == "u" and values.dtype.kind in "iu":
            values = values.astype(sorted_sequence.dtype)
    if sorter is not None and sorter.dtype != np.int64:
        title = dtypes.of(sorter.dtype).title
        raise RuntimeError(f"torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {title}")
    if sorter is not None and sorter.shape != sorted_sequence.shape:
        raise RuntimeError(
            "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor "
            f"{list(sorted_sequence.shape)}and got sorter tensor {list(sorter.shape)}"
        )
    if sorter is not None:
        sorted_sequence = np.take_along_axis(sorted_sequence, sorter, -1)
    if sorted_sequence.ndim == 1:
        return np.searchsorted(sorted_sequence, values, where).astype(kind)
    if sorted_sequence.shape[:-1] != values.shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
            f"tensor and input value tensor must match, but we got boundaries tensor {list(sorted_sequence.shape)} and "
            f"input value tensor {list(values.shape)}"
        )
    result = np.empty(values.shape, kind)
    for row in np.ndindex(values.shape[:-1]):
        result[row] = np.searchsorted(sorted_sequence[row], values[row], where)
    return result


@op()
def isin(elements, test_elements, *, assume_unique: bool = False, invert: bool = False):
    """True where an element is one of `test_elements`."""
    for each in (elements, test_elements):
        dtype = np.asarray(each).dtype
        if dtype.kind in "bc":
            raise RuntimeError(f"Unsupported input type encountered for isin(): {dtypes.of(dtype).title}")
    return np.asarray(np.isin(elements, test_elements, invert=invert))[()]
