"""Differences, slopes and areas of sampled functions; all composed of other ops."""

import numpy as np

from dyncore.dispatch.registry import op

from .axes import axes_of, axis_of
from .comparison import logical_xor
from .scan import cumsum


def _cut(input, axis, start, stop):
    """Return `input[..., start:stop, ...]` along `axis`."""
    return input[(slice(None),) * axis + (slice(start, stop),)]


@op(composite=True, node=lambda n: None if n else "torch::autograd::CopyBackwards")
def diff(input, n: int = 1, dim: int = -1, prepend=None, append=None):
    """Differences of neighbours along `dim`, taken `n` times.

    Of booleans, True where they differ.
    """
    if not len(input.shape):
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    axis = axis_of(dim, len(input.shape))
    if not n:
        return input.clone()
    parts = [each for each in (prepend, input, append) if each is not None]
    result = np.concatenate(parts, axis) if len(parts) > 1 else input
    for _ in range(n if n < result.shape[axis] else result.shape[axis]):
        ahead, behind = _cut(result, axis, 1, None), _cut(result, axis, 0, -1)
        result = logical_xor(ahead, behind) if str(result.dtype) == "torch.bool" else ahead - behind
    return result


def _steps(y, x, axis):
    """Return the widths between samples, to multiply with along `axis` of `y`."""
    if len(x.shape) == 1:
        if x.shape[0] != y.shape[axis]:
            raise RuntimeError("trapezoid: There must be one `x` value for each sample point")
        x = x.reshape((1,) * axis + (-1,) + (1,) * (len(y.shape) - axis - 1))
        return _cut(x, axis, 1, None) - _cut(x, axis, 0, -1)
    missing = len(y.shape) - len(x.shape)
    if missing > 0:
        x = x.reshape((1,) * missing + tuple(x.shape))
    return _cut(x, axis, 1, None) - _cut(x, axis, 0, -1)


def _no_booleans(name, y, x):
    result = "bool" in [each.dtype.name for each in (y, x) if each is not None]
    if result:
        which = "`y`" if x is None else "`x` or `y`"
        raise RuntimeError(f"{name}: received a bool input for {which}, but bool is not supported")


@op(composite=True, aliases=("trapz",), method=False, node=lambda x: "MulBackward1" if x is None else "DivBackward1")
def trapezoid(y, x=None, *, dx: object = None, dim: int = -1):
    """Area under the samples `y` along `dim`, by the trapezoid rule.

    x: the positions of the samples.  dx: their distance.
    """
    _no_booleans("trapezoid", y, x)
    axis = axis_of(dim, len(y.shape))
    if not y.shape[axis]:
        return np.sum(y * 1.0, axis)
    if x is not None:
        return np.sum(_steps(y, x, axis) * (_cut(y, axis, 0, -1) + _cut(y, axis, 1, None)), axis) / 2.0
    ends = y.select(axis, 0) + y.select(axis, -1)
    return (np.sum(y, axis) - ends * 0.5) * (1.0 if dx is None else dx)


@op(composite=True, method=False, node=lambda x: None if x is None else "DivBackward1")
def cumulative_trapezoid(y, x=None, *, dx: object = None, dim: int = -1):
    """Running area under the samples `y` along `dim`, by the trapezoid rule."""
    _no_booleans("cumulative_trapezoid", y, x)
    axis = axis_of(dim, len(y.shape))
    pairs = _cut(y, axis, 0, -1) + _cut(y, axis, 1, None)
    if x is not None:
        return cumsum(_steps(y, x, axis) * pairs, axis) / 2.0
    return cumsum(pairs * ((1.0 if dx is None else dx) / 2.0), axis)


def _even(input, axis, width, order):
    """Return slopes of samples `width` apart.

    Central differences inside, one-sided ones of first or second order at the ends.
    """
    inner = (_cut(input, axis, 2, None) - _cut(input, axis, 0, -2)) / (2 * width)
    if order == 1:
        first = (_cut(input, axis, 1, 2) - _cut(input, axis, 0, 1)) / width
        last = (_cut(input, axis, -1, None) - _cut(input, axis, -2, -1)) / width
    else:
        first = (_cut(input, axis, 0, 1) * -1.5 + _cut(input, axis, 1, 2) * 2 - _cut(input, axis, 2, 3) * 0.5) / width
        last = (
            _cut(input, axis, -1, None) * 1.5 - _cut(input, axis, -2, -1) * 2 + _cut(input, axis, -3, -2) * 0.5
        ) / width
    return np.concatenate([first, inner, last], axis)


def _uneven(input, axis, positions, order):
    """Return slopes of samples at `places`.

    Central differences inside, one-sided ones of first or second order at the ends.
    """
    shape = (1,) * axis + (-1,) + (1,) * (len(input.shape) - axis - 1)
    widths = (positions[1:] - positions[:-1]).reshape(shape)
    a, b = _cut(widths, axis, 0, -1), _cut(widths, axis, 1, None)
    inner = (
        _cut(input, axis, 0, -2) * (-b / (a * (a + b)))
        + _cut(input, axis, 1, -1) * ((b - a) / (a * b))
        + _cut(input, axis, 2, None) * (a / (b * (a + b)))
    )
    if order == 1:
        first = (_cut(input, axis, 1, 2) - _cut(input, axis, 0, 1)) / _cut(widths, axis, 0, 1)
        last = (_cut(input, axis, -1, None) - _cut(input, axis, -2, -1)) / _cut(widths, axis, -1, None)
        return np.concatenate([first, inner, last], axis)
    a, b = _cut(widths, axis, 0, 1), _cut(widths, axis, 1, 2)
    first = (
        _cut(input, axis, 0, 1) * (-(2.0 * a + b) / (a * (a + b)))
        + _cut(input, axis, 1, 2) * ((a + b) / (a * b))
        + _cut(input, axis, 2, 3) * (-a / (b * (a + b)))
    )
    a, b = _cut(widths, axis, -2, -1), _cut(widths, axis, -1, None)
    last = (
        _cut(input, axis, -3, -2) * (b / (a * (a + b)))
        + _cut(input, axis, -2, -1) * (-(b + a) / (a * b))
        + _cut(input, axis, -1, None) * ((2.0 * b + a) / (b * (a + b)))
    )
    return np.concatenate([first, inner, last], axis)


@op(composite=True, method=False)
def gradient(input, *, spacing: object = None, dim: object = None, edge_order: int = 1):
    """Slopes of a sampled function along each of `dim`, second order inside.

    edge_order: the order at the ends.
    spacing: one distance, one a dimension, or the positions of the samples as one tensor a dimension.
    """
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    dims = range(len(input.shape)) if dim is None else (dim if isinstance(dim, (tuple, list)) else (dim,))
    axes = axes_of(tuple(dims), len(input.shape))
    several = isinstance(spacing, (tuple, list))
    if several and len(spacing) != len(axes):
        wanted = (
            "spacing and dim arguments to have the same length"
            if dim is not None
            else ("a list of length equal to 'self.dim()'")
        )
        raise RuntimeError(
            f"torch.gradient expected spacing to be unspecified, a scalar or it's {wanted}, but got a spacing argument "
            f"of length {len(spacing)} and a dim argument of length {len(axes)}."
        )
    for axis in axes:
        if input.shape[axis] < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    result = []
    for number, axis in enumerate(axes):
        width = spacing[number] if several else 1.0 if spacing is None else spacing
        result.append((_uneven if hasattr(width, "dtype") else _even)(input, axis, width, edge_order))
    return tuple(result)
