"""Reductions over all elements or some dimensions, and scans along one."""

import math

import numpy as np

from .. import dtypes
from ..registry import op


def axes_of(dim, ndim):
    """The dimensions meant by `dim` (None or () for all, a number or several), as non-negative axes.

    Raises IndexError for a dimension out of range, RuntimeError for one given twice.
    """
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    axes = tuple(axis_of(d, ndim) for d in (dim if isinstance(dim, (tuple, list)) else (dim,)))
    if len(set(axes)) != len(axes):
        twice = next(a for a in axes if axes.count(a) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    return axes if ndim else ()


def axis_of(dim, ndim):
    """`dim` as a non-negative axis.  Raises IndexError when out of range; a 0-d tensor has dimensions 0 and -1."""
    limit = ndim or 1
    dim = dim.__index__()
    if not -limit <= dim < limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})")
    return dim + limit if dim < 0 else dim


def spread(g, shape, dim, keepdim):
    """The gradient of a reduction's result over what was reduced: broadcast to `shape`."""
    if not keepdim and g.shape != shape:
        for axis in sorted(axes_of(dim, len(shape))):
            g = np.expand_dims(g, axis)
    return np.broadcast_to(g, shape)


def kept(value, shape, dim, keepdim):
    """A reduction's result with the reduced dimensions put back as 1, so that it broadcasts over `shape`."""
    if not keepdim:
        for axis in sorted(axes_of(dim, len(shape))):
            value = np.expand_dims(value, axis)
    return value


def _sum_dtype(input, dtype):
    if dtype is not None:
        return dtypes.to_numpy(dtype)
    return dtypes.I64 if input.dtype.kind in "iub" else input.dtype


def _by_dim(dim):
    return "1" if dim is not None else "0"


@op(
    input=lambda g, input_shape, dim, keepdim: spread(g, input_shape, dim, keepdim),
    node=lambda dim: "SumBackward" + _by_dim(dim),
    linear=True,
)
def sum(input, dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """Sum of all elements, or over `dim`.

    dx = dy, broadcast back.   Integers and booleans are summed in int64.
    """
    kind = _sum_dtype(input, dtype)
    if dim is None and not keepdim:
        return np.add.reduce(input, axis=None, dtype=kind)
    return np.add.reduce(input, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=kind)


def _count(shape, dim):
    return math.prod(shape[axis] for axis in axes_of(dim, len(shape)))


def _mean_kind(input, dtype, name="mean"):
    kind = input.dtype if dtype is None else dtypes.to_numpy(dtype)
    if kind.kind not in "fc":
        title = dtypes.of(kind).title
        raise RuntimeError(
            f"{name}(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {title}"
        )
    return kind


@op(
    input=lambda g, input_shape, dim, keepdim: spread(g, input_shape, dim, keepdim) / _count(input_shape, dim),
    node=lambda dim: "MeanBackward" + _by_dim(dim),
    linear=True,
)
def mean(input, dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """Mean of all elements, or over `dim`.

    dx = dy / n, broadcast back.   Raises RuntimeError for integers.
    """
    kind = _mean_kind(input, dtype)
    count = _count(input.shape, dim)
    total = np.add.reduce(input, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=kind)
    return (total / count if count else total * np.nan).astype(kind)


def _var_rule(g, input, dim, correction, keepdim):
    n = _count(input.shape, dim)
    center = input - kept(np.mean(input, dim, keepdims=True), input.shape, dim, True)
    return (2.0 / max(n - correction, 0) if n != correction else math.inf) * spread(g, input.shape, dim, keepdim) * center


def _variance(input, dim, correction, keepdim):
    axes = axes_of(dim, input.ndim)
    n = _count(input.shape, dim)
    center = input - np.add.reduce(input, axis=axes, keepdims=True) / max(n, 1)
    total = np.add.reduce((center * center.conj()).real, axis=axes, keepdims=keepdim)
    return (total / max(n - correction, 0)).astype(center.real.dtype)


@op(input=_var_rule, node="VarBackward0")
def var(input, dim: tuple = None, unbiased: bool = True, keepdim: bool = False, *, correction: int = None):
    """Variance over all elements or `dim`, divided by n - correction (1 by default)."""
    return _variance(_real(input, "var"), dim, _correction(unbiased, correction), keepdim)


def _correction(unbiased, correction):
    return (1 if unbiased else 0) if correction is None else correction


def _real(input, name):
    if input.dtype.kind not in "fc":
        raise RuntimeError(f"{name} only support floating point and complex dtypes")
    return input


def _argument(values, dim, keepdim, choose):
    if dim is None:
        found = choose(values.reshape(-1)) if values.ndim else 0
        return np.int64(found) if not keepdim else np.full((1,) * values.ndim, found)
    if not values.ndim:
        return np.int64(0)
    return choose(values, axis=axis_of(dim, values.ndim), keepdims=keepdim)


@op()
def argmax(input, dim: int = None, keepdim: bool = False):
    """Index of the largest element, of all elements flattened or along `dim`; the first of equal ones."""
    if not input.size and dim is None:
        raise IndexError("argmax(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.")
    return _argument(input, dim, keepdim, np.argmax)


@op()
def argmin(input, dim: int = None, keepdim: bool = False):
    """Index of the smallest element, of all elements flattened or along `dim`; the first of equal ones."""
    if not input.size and dim is None:
        raise IndexError("argmin(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.")
    return _argument(input, dim, keepdim, np.argmin)


def _shared(g, input, result, dim, keepdim):
    """The gradient of an extreme value, in equal parts to all elements that reach it."""
    mask = input == kept(result, input.shape, dim, keepdim)
    count = np.sum(mask, axis=axes_of(dim, len(input.shape)), keepdims=True)
    return mask * (kept(g, input.shape, dim, keepdim) / count)


@op(input=lambda g, input, result, dim, keepdim: _shared(g, input, result, dim, keepdim))
def amax(input, dim: tuple = (), keepdim: bool = False):
    """The largest element, of all or over `dim`; equal ones share the gradient."""
    return np.max(_some(input, "amax", dim), axis=axes_of(dim, input.ndim), keepdims=keepdim)


@op(input=lambda g, input, result, dim, keepdim: _shared(g, input, result, dim, keepdim))
def amin(input, dim: tuple = (), keepdim: bool = False):
    """The smallest element, of all or over `dim`; equal ones share the gradient."""
    return np.min(_some(input, "amin", dim), axis=axes_of(dim, input.ndim), keepdims=keepdim)


def _some(input, name, dim):
    if not input.size and not dim:
        raise RuntimeError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.")
    return input


@op()
def all(input, dim: tuple = None, keepdim: bool = False):
    """Whether all elements are nonzero, of all or over `dim`."""
    result = np.all(input, axis=axes_of(dim, input.ndim), keepdims=keepdim)
    return result.astype(np.uint8) if input.dtype == np.uint8 else result


@op()
def any(input, dim: tuple = None, keepdim: bool = False):
    """Whether any element is nonzero, of all or over `dim`."""
    result = np.any(input, axis=axes_of(dim, input.ndim), keepdims=keepdim)
    return result.astype(np.uint8) if input.dtype == np.uint8 else result


@op(
    input=lambda g, input, result, dim, keepdim: (
        kept(g, input.shape, dim, keepdim) * np.exp(input - kept(result, input.shape, dim, keepdim))
    )
)
def logsumexp(input, dim: tuple, keepdim: bool = False):
    """log of the sum of exponentials over `dim`, without overflow.

    dx = dy softmax(x).
    """
    input = dtypes.as_float(input)
    axes = axes_of(dim, input.ndim)
    top = np.max(input, axis=axes, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(input.dtype)
    total = np.log(np.sum(np.exp(input - top), axis=axes, keepdims=True)) + top
    return total if keepdim else total.reshape([n for axis, n in enumerate(total.shape) if axis not in axes])[()]


def _flip(g, dim):
    return np.flip(g, (dim,))


@op(input=lambda g, dim: _flip(np.cumsum(_flip(g, dim), dim), dim), inplace=True, linear=True)
def cumsum(input, dim: int, *, dtype: object = None):
    """Running sum along `dim`.

    dx_i = sum of dy_j for j >= i.
    """
    axis = axis_of(dim, input.ndim)
    return np.cumsum(input, axis, dtype=_sum_dtype(input, dtype)).reshape(input.shape)


