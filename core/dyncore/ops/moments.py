"""Variance and standard deviation, alone or with the mean."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.errors.explain import warn
from dyncore.tensors.strides import usual

from .arithmetic import times
from .axes import axes_of
from .few import FEW, sum_of, sums_along
from .reduction import count, spread


def _asked(dim, unbiased, correction):
    """Return (dim, correction).

    Of `var(dim, unbiased)`, `var(unbiased)` and `var(dim, correction=)`.
    """
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    elif isinstance(dim, (tuple, list)):
        dim = tuple(dim) or None
    return dim, (0 if unbiased is False else 1) if correction is None else correction


def _moments(input, dim, correction, keepdim, name):
    if input.dtype.kind not in "fc":
        name = name if name.endswith("_mean") else "std and var"
        raise RuntimeError(f"{name} only support floating point and complex dtypes")
    quick = _of_few(input, dim, correction, keepdim)
    if quick is not None:
        return quick
    input = usual(input)
    axes = axes_of(dim, input.ndim)
    n = count(input.shape, dim)
    if n - correction <= 0:
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
            "(input numel divided by output numel)."
        )
    mean = np.add.reduce(input, axis=axes, keepdims=True) / input.dtype.type(n)
    center = input - mean
    squares = center * center if input.dtype.kind == "f" else (center * center.conj()).real
    real = squares.dtype.type
    variance = np.add.reduce(squares, axis=axes, keepdims=keepdim) / real(max(n - correction, 0))
    if not keepdim:
        mean = mean.reshape(variance.shape)[()]
    return variance, mean


def _of_few(input, dim, correction, keepdim):
    """Return the variance and the mean of few floats.

    Of all, or along one dimension of a matrix; None for others (tests/bench, calls: var and std of rows).
    """
    kind, size = input.dtype.type, input.size
    if not 0 < size <= FEW or (kind is not np.float32 and kind is not np.float64):
        return None
    if dim is None:
        if keepdim or not input.ndim or size <= correction:
            return None
        flat = input if input.ndim == 1 else input.reshape(-1)
        mean = sum_of(flat) / kind(size)
        center = flat - mean
        return center.dot(center) / kind(size - correction), mean
    total = sums_along(input, dim, True)
    if total is None:
        return None
    n = size // total.size
    if n <= correction:
        return None
    mean = total / kind(n)
    center = input - mean
    variance = sums_along(np.multiply(center, center, center), dim, keepdim) / kind(n - correction)
    return variance, mean if keepdim else mean.reshape(-1)


def _var_rule(g, input, dim, unbiased, correction, keepdim):
    dim, correction = _asked(dim, unbiased, correction)
    n = count(input.shape, dim)
    center = input - np.mean(input, dim if len(input.shape) else None, keepdims=True)
    scale = 2.0 / (n - correction) if n > correction else math.inf
    return times(spread(g, input.shape, dim, keepdim), scale) * center


def _std_rule(g, input, result, dim, unbiased, correction, keepdim):
    slope = np.where(result == 0, 0, g / (2 * result))
    return _var_rule(slope, input, dim, unbiased, correction, keepdim)


def _mean_rule(g, input, dim, unbiased, keepdim):
    dim, _ = _asked(dim, unbiased, None)
    return spread(g / count(input.shape, dim), input.shape, dim, keepdim)


@op(batching="dims", input=_var_rule)
def var(input, dim: tuple = None, unbiased: bool = True, keepdim: bool = False, *, correction: int = None):
    """Variance over all elements or `dim`, divided by n - correction (1 by default)."""
    dim, correction = _asked(dim, unbiased, correction)
    return _moments(input, dim, correction, keepdim, "var")[0]


@op(batching="dims", input=_std_rule)
def std(input, dim: tuple = None, unbiased: bool = True, keepdim: bool = False, *, correction: int = None):
    """Standard deviation over all elements or `dim`: the root of `var`.

    Derivative 0 where it is 0.
    """
    dim, correction = _asked(dim, unbiased, correction)
    return np.sqrt(_moments(input, dim, correction, keepdim, "std")[0])


@op(
    input=lambda g0, g1, input, dim, unbiased, correction, keepdim: (
        _var_rule(g0, input, dim, unbiased, correction, keepdim) + _mean_rule(g1, input, dim, unbiased, keepdim)
    )
)
def var_mean(input, dim: tuple = None, unbiased: bool = True, keepdim: bool = False, *, correction: int = None):
    """`var` and `mean`, both at once."""
    dim, correction = _asked(dim, unbiased, correction)
    return _moments(input, dim, correction, keepdim, "var_mean")


@op(
    input=lambda g0, g1, input, result0, dim, unbiased, correction, keepdim: (
        _std_rule(g0, input, result0, dim, unbiased, correction, keepdim)
        + _mean_rule(g1, input, dim, unbiased, keepdim)
    )
)
def std_mean(input, dim: tuple = None, unbiased: bool = True, keepdim: bool = False, *, correction: int = None):
    """`std` and `mean`, both at once."""
    dim, correction = _asked(dim, unbiased, correction)
    variance, mean = _moments(input, dim, correction, keepdim, "std_mean")
    return np.sqrt(variance), mean
