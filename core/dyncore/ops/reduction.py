"""Reductions over all elements or some dimensions: sums, products, means, truth."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.dtypes import F32
from dyncore.tensors.numpy_direct import copyto
from dyncore.tensors.strides import usual

from .axes import axes_of, axis_of, shrunk
from .few import ONES32, largest_of, rows_of, sum_of, sums_along, sums_of_rows
from .rows import sums, sums_of_many
from .shape import broadcast_to, expand

__all__ = ["axes_of", "axis_of", "kept", "spread"]


FEW = 4096
_LARGE = 1e30  # far from float32's largest number
_log = math.log
_NUMBERS = frozenset((np.float32, np.float64))
_ARRAYS = (np.ndarray, np.generic)


def spread(g, shape, dim, keepdim):
    """Broadcast the gradient of a reduction's result to `shape`."""
    if dim is None and g.__class__ in _NUMBERS:
        if math.prod(shape) > FEW:
            return broadcast_to(g, shape)
        result = np.empty(shape, g.dtype)  # faster than a view of stride 0 (tests/bench, branch)
        result.fill(g)
        return result
    if dim is not None and keepdim and g.__class__ is np.ndarray and math.prod(shape) <= FEW:
        result = np.empty(shape, g.dtype)  # faster than such a view (tests/bench, TreeLSTM of layers)
        copyto(result, g)
        return result
    if dim is None and not keepdim and not isinstance(g, _ARRAYS) and math.prod(shape) <= FEW:
        return filled(g, tuple(shape))  # no view to be recorded (tests/bench, Hessian-vector product)
    if not keepdim and dim is not None:
        g = g.reshape(shrunk(shape, dim))
    return broadcast_to(g, tuple(shape))


@op(number=lambda g: sum(g), private=True, node="ExpandBackward0")
def filled(number, shape: tuple):
    """Array of `shape` with a 0-d tensor's number everywhere.

    d number = sum dy.
    """
    result = np.empty(shape, number.dtype)
    result.fill(number)
    return result


def kept(value, shape, dim, keepdim):
    """Put the reduced dimensions of a result back as 1.

    It broadcasts over `shape` then.
    """
    return value if keepdim else value.reshape(shrunk(shape, dim))


def over(value, shape, dim, keepdim):
    """Compute `kept` for a derivative.

    Tensors get a dimension at a time, and none if all were reduced by default.
    """
    return kept(value, shape, dim, keepdim)


def _over_recorded(value, shape, dim, keepdim):
    if keepdim or not dim and dim != 0 or not len(shape):
        return value
    for axis in sorted(axes_of(dim, len(shape))):
        value = np.expand_dims(value, axis)
    return value


over.recorded = _over_recorded


def count(shape, dim):
    """Return how many elements of a tensor of `shape` are reduced to one."""
    return math.prod([shape[axis] for axis in axes_of(dim, len(shape))])


def sum_dtype(input, dtype):
    """Return the dtype of a sum or product: int64 for integers and booleans."""
    if dtype is not None:
        return dtypes.to_numpy(dtype)
    return dtypes.I64 if input.dtype.kind in "iub" else input.dtype


def by_dim(name):
    """Return the rule for a node's name: 0 for all elements, 1 for some dimensions."""
    return lambda dim: name + ("1" if dim is not None else "0")


def _sum_rule(g, input_shape, dim, keepdim):
    return spread(g, input_shape, dim, keepdim)


def _sum_recorded(g, input_shape, dim, keepdim):
    """Return a view of the gradient of the sum, of stride 0 along `dim`."""
    for axis in () if keepdim or dim is None else sorted(axes_of(dim, len(input_shape))):
        g = np.expand_dims(g, axis)
    return expand(g, tuple(input_shape))


_sum_rule.recorded = _sum_recorded


def _only(dim):
    """Return the one dimension that is named, or None."""
    if dim.__class__ is tuple and len(dim) == 1:
        dim = dim[0]
    return dim if dim.__class__ is int else None


@op(
    batching="dims",
    input=_sum_rule,
    node=by_dim("SumBackward"),
    at_once=(
        "dim is None and keepdim is False and (ones := ONES32.get(input.shape)) is not None",
        "input.dot(ones)",
        {"ONES32": ONES32},
    ),
)
def sum(input, dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """Sum of all elements, or over `dim`.

    dx = dy, broadcast back.   Integers and booleans are summed in int64.
    """
    if dtype is None:
        result = sums_along(input, dim, keepdim) if dim is not None else None if keepdim else sum_of(input)
        if result is not None:
            return result
        if dim is not None and input.size > FEW and (result := sums_of_many(input, _only(dim), keepdim)) is not None:
            return result
    kind = sum_dtype(input, dtype)
    if dim is None and not keepdim:
        return np.add.reduce(input, axis=None, dtype=kind)
    return usual(np.add.reduce(input, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=kind))


@op(input=lambda g, input_shape: broadcast_to(g, tuple(input_shape)), private=True, node="SumBackward1")
def sum_along(input, dim: int):
    """Sum along `dim`, kept as a dimension: `sum` for derivatives."""
    if rows_of(input) and (dim == -1 or dim == input.ndim - 1):
        return sums_of_rows(input)
    return sums(input, dim if input.ndim else None)


@op(
    batching="dims",
    input=lambda g, input, dim, keepdim: np.where(np.isnan(input), 0, spread(g, input.shape, dim, keepdim)),
    node="NansumBackward0",
)
def nansum(input, dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """`sum` with NaN counted as 0."""
    if dtype is None and input.dtype.kind == "c":
        raise RuntimeError("nansum on CPU does not support complex inputs")
    filled = np.where(np.isnan(input), input.dtype.type(0), input)
    kind = sum_dtype(input, dtype)
    return usual(np.add.reduce(filled, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=kind))


def _mean_kind(input, dtype):
    kind = input.dtype if dtype is None else dtypes.to_numpy(dtype)
    if kind.kind not in "fc":
        title = dtypes.of(kind).title
        which = "Input" if dtype is None else "Optional"
        raise RuntimeError(
            f"mean(): could not infer output dtype. {which} dtype must be either a floating point or complex dtype. "
            f"Got: {title}"
        )
    return kind


def _mean_rule(g, input_shape, dim, keepdim):
    return spread(g / count(input_shape, dim), input_shape, dim, keepdim)


def _mean_recorded(g, input_shape, dim, keepdim):
    """Return the gradient of the mean step by step, if each step is recorded.

    Otherwise a number is divided, not a row.
    """
    if not g.requires_grad:
        return spread(g / count(input_shape, dim), input_shape, dim, keepdim)
    return _sum_recorded(g, input_shape, dim, keepdim) / count(input_shape, dim)


_mean_rule.recorded = _mean_recorded


@op(batching="dims", input=_mean_rule, node=by_dim("MeanBackward"), back="DivBackward1")
def mean(input, dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """Mean of all elements, or over `dim`.

    dx = dy / n, broadcast back.   Raises RuntimeError for integers.
    """
    kind = _mean_kind(input, dtype)
    if kind == np.float16:
        return np.mean(input, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=np.float32).astype(kind)
    if dim is None and not keepdim:
        whole = sum_of(input) if dtype is None else np.add.reduce(input, axis=None, dtype=kind)
        return whole / kind.type(input.size)
    if dtype is None and dim is not None:
        result = sums_along(input, dim, keepdim)
        if result is not None:
            return np.divide(result, kind.type(input.size // result.size), result)
    number = kind.type(count(input.shape, dim))
    return usual(np.add.reduce(input, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=kind)) / number


@op(composite=True)
def nanmean(input, dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """`mean` of the elements that are not NaN."""
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {input.dtype.title}"
        )
    total = nansum(input, dim, keepdim, dtype=dtype)
    return total / sum(np.logical_not(np.isnan(input.detach())), dim, keepdim)


def _prod_rule(g, input, result, dim, keepdim):
    """Return dy y / x.

    Where elements are 0, dy times the product of the others, from both ends.
    """
    if not len(input.shape):
        return g
    if dim is None:
        if np.all(input != 0):
            return g * (result / input).conj()
        return _others(g.reshape((1,)), input.reshape((-1,)), 0).reshape(input.shape)
    g, result = over(g, input.shape, dim, keepdim), over(result, input.shape, dim, keepdim)
    if np.all(input != 0):
        return g * (result / input).conj()
    return _others(g, input, dim)


def _others(g, input, dim):
    axis = axis_of(dim, len(input.shape))
    before, ahead = (slice(None),) * axis, input.shape[axis]
    one = input[(*before, slice(0, 1))] * 0 + 1
    left = np.cumprod(np.concatenate([one, input[(*before, slice(0, ahead - 1))]], axis), axis)
    backwards = np.flip(input[(*before, slice(1, None))], (axis,))
    right = np.flip(np.cumprod(np.concatenate([one, backwards], axis), axis), (axis,))
    return g * (left * right).conj()


@op(batching="dims", input=_prod_rule, node=by_dim("ProdBackward"))
def prod(input, dim: int = None, keepdim: bool = False, *, dtype: object = None):
    """Product of all elements, or along `dim`.

    dx_i = dy times the product of the others.   Integers and booleans are multiplied in int64.
    """
    kind = sum_dtype(input, dtype)
    return np.multiply.reduce(usual(input), axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=kind)


@op(batching="dims")
def all(input, dim: tuple = None, keepdim: bool = False):
    """True if all elements are nonzero, of all or over `dim`."""
    return _reduced(np.logical_and, input, dim, keepdim)


@op(batching="dims")
def any(input, dim: tuple = None, keepdim: bool = False):
    """True if an element is nonzero, of all or over `dim`."""
    return _reduced(np.logical_or, input, dim, keepdim)


def _reduced(ufunc, input, dim, keepdim):
    axes = axes_of(dim, input.ndim) if dim is None or dim.__class__ is int or dim else ()  # () is none of them here
    result = usual(ufunc.reduce(input, axis=axes, keepdims=keepdim))
    return result.astype(np.uint8) if input.dtype == np.uint8 else np.asarray(result)[()]


@op(batching="dims")
def count_nonzero(input, dim: tuple = None):
    """Number of elements that are nonzero, of all or over `dim`."""
    return usual(np.add.reduce(input != 0, axis=axes_of(dim, input.ndim), dtype=np.int64))


@op(
    batching="dims",
    input=lambda g, input, result, dim, keepdim: (
        over(g, input.shape, dim, keepdim) * np.exp(input - over(result, input.shape, dim, keepdim)).conj()
    ),
    floats=True,
)
def logsumexp(input, dim: tuple, keepdim: bool = False):
    """log of the sum of exponentials over `dim`, without overflow.

    dx = dy softmax(x).
    """
    ndim, size, kind = input.ndim, input.size, input.dtype
    axes = axes_of(dim, ndim)
    shape = input.shape
    reduced = shape[axes[0]] if len(axes) == 1 else math.prod([shape[n] for n in axes])
    if 0 < size <= FEW and reduced == size and (kind is F32 or kind.kind == "f"):
        total = float(sum_of(np.exp(input)))
        if 1.0 <= total < _LARGE:
            total = _log(total)
        else:  # without the largest taken away e^x might be too large, or lose digits
            top = largest_of(input)
            total = _log(sum_of(np.exp(input - top))) + float(top) if np.isfinite(top) else None
        if total is not None:
            left = ndim if keepdim else ndim - len(axes)  # dimensions of size 1
            return kind.type(total) if not left else np.array(total, kind, ndmin=left)
    input = usual(input)
    top = np.maximum.reduce(input.real, axis=axes, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(input.real.dtype)
    total = np.log(np.add.reduce(np.exp(input - top), axis=axes, keepdims=True)) + top
    return total if keepdim else total.reshape(shrunk(input.shape, dim, False))[()]
