"""Running sums, products and extremes along a dimension."""

import numpy as np

from dyncore.dispatch.formulas.matrices import is_complex
from dyncore.dispatch.registry import op
from dyncore.graph.names import named as called
from dyncore.tensors.strides import usual

from .axes import axis_of
from .blending import logaddexp
from .gathering import gather_place
from .reduction import sum_dtype


def _wide(kind):
    """Return the dtype that PyTorch runs sums and products in."""
    return {"f": np.float64, "c": np.complex128}.get(kind.kind, kind)


def _backwards(g, dim):
    return np.flip(g, (dim,)) if len(g.shape) else g


@op(
    batching="dims",
    input=lambda g, dim: _backwards(np.cumsum(_backwards(g, dim), dim), dim) if len(g.shape) else g,
    inplace=True,
)
def cumsum(input, dim: int, *, dtype: object = None):
    """Running sum along `dim`.

    dx_i = sum of dy_j for j >= i.
    """
    axis = axis_of(dim, input.ndim)
    kind = sum_dtype(input, dtype)
    if not input.ndim:
        return input.astype(kind)
    result = np.add.accumulate(usual(input), axis, dtype=_wide(kind))
    result += 0  # PyTorch starts at 0, to which -0 adds nothing
    return result.astype(kind, copy=False)


def _cumprod_rule(g, input, result, dim):
    """Return the sum of dy_j y_j / x_i for j >= i.

    Where elements are 0, without the division.
    """
    if not len(input.shape) or input.shape[dim] == 1 or 0 in input.shape:
        return g
    if np.all(input != 0):
        return _backwards(np.cumsum(_backwards(g * result.conj(), dim), dim), dim) / input.conj()
    axis = axis_of(dim, len(input.shape))
    before = (slice(None),) * axis
    first = (*before, slice(0, 1))
    left = np.concatenate([input[first] * 0 + 1, np.cumprod(input[(*before, slice(0, -1))], axis)], axis)
    ahead = np.concatenate([input[first], _backwards(input[(*before, slice(1, None))], axis)], axis)
    gradient = _backwards(recurrence(_backwards(g, axis), ahead.conj(), axis), axis) * left.conj()
    # PyTorch writes it slice by slice.
    return gradient if isinstance(g, np.ndarray) else called(gradient, "torch::autograd::CopySlices")


@op(batching="dims", input=_cumprod_rule, inplace=True)
def cumprod(input, dim: int, *, dtype: object = None):
    """Running product along `dim`."""
    axis = axis_of(dim, input.ndim)
    kind = sum_dtype(input, dtype)
    if not input.ndim:
        return input.astype(kind)
    return np.multiply.accumulate(usual(input), axis, dtype=_wide(kind)).astype(kind, copy=False)


def _back_through(g, factor, dim):
    """Return the gradient of `recurrence`'s input.

    It is the recurrence run from the end, with the factors one step later.
    """
    before = (slice(None),) * dim
    later = np.concatenate([factor[(*before, slice(0, 1))], _backwards(factor[(*before, slice(1, None))], dim)], dim)
    return _backwards(recurrence(_backwards(g, dim), later.conj(), dim), dim)


def _to_factor(g, result, factor, dim):
    before = (slice(None),) * dim
    earlier = np.concatenate(
        [result[(*before, slice(0, 1))] * 0, result[(*before, slice(0, result.shape[dim] - 1))]], dim
    )
    return _back_through(g, factor, dim) * earlier.conj()


@op(
    input=lambda g, factor, dim: _back_through(g, factor, dim),
    factor=lambda g, result, factor, dim: _to_factor(g, result, factor, dim),
    private=True,
)
def recurrence(input, factor, dim: int):
    """y_i = x_i + f_i y_(i-1) along a non-negative `dim`.

    The first factor is not used.
    """
    running = np.array(input, dtype=np.result_type(input, factor))
    steps = np.swapaxes(running, 0, dim)
    factors = np.swapaxes(np.asarray(factor), 0, dim)
    for number in range(1, len(steps)):
        steps[number] += factors[number] * steps[number - 1]
    return running


def _running(input, dim, accumulate):
    axis = axis_of(dim, input.ndim)
    if not input.ndim:
        return input.copy(), np.int64(0)
    input = usual(input)
    values = accumulate(input, axis)
    reached = input == values
    if input.dtype.kind == "f":
        reached |= np.isnan(input)
    shape = (1,) * axis + (-1,) + (1,) * (input.ndim - axis - 1)
    positions = np.arange(input.shape[axis]).reshape(shape)
    return values, np.maximum.accumulate(np.where(reached, positions, 0), axis)


@op(batching="dims", input=lambda g0, input_shape, dim, result1: gather_place(g0, tuple(input_shape), dim, result1),
    returns=("values", "indices"))  # fmt: skip
def cummax(input, dim: int):
    """Running maximum along `dim`, and the last position that reached it.

    The gradient goes to that position.
    """
    return _running(input, dim, np.maximum.accumulate)


@op(batching="dims", input=lambda g0, input_shape, dim, result1: gather_place(g0, tuple(input_shape), dim, result1),
    returns=("values", "indices"))  # fmt: skip
def cummin(input, dim: int):
    """Running minimum along `dim`, and the last position that reached it.

    The gradient goes to that position.
    """
    return _running(input, dim, np.minimum.accumulate)


def _logcumsumexp_rule(g, input, result, dim):
    """Return the sum of dy_j e^(x_i - y_j) for j >= i.

    As e^(x_i - y_i) s_i with s_i = dy_i + e^(y_i - y_(i+1)) s_(i+1).
    """
    if not len(input.shape):
        return g
    axis = axis_of(dim, len(input.shape))
    before = (slice(None),) * axis
    now, following = result[(*before, slice(0, -1))], result[(*before, slice(1, None))]
    fall = np.exp(np.where(now == following, 0, now - following)).conj()
    factor = np.concatenate([result[(*before, slice(0, 1))] * 0, _backwards(fall, axis)], axis)
    carried = _backwards(recurrence(_backwards(g, axis), factor, axis), axis)
    gradient = carried * np.exp(np.where(input == result, 0, input - result)).conj()
    if isinstance(g, np.ndarray):
        return gradient
    return called(gradient, "ExpBackward0" if is_complex(input) else "SubBackward0")  # PyTorch keeps it in logarithms


@op(input=_logcumsumexp_rule, floats=True)
def logcumsumexp(input, dim: int):
    """log of the running sum of exponentials along `dim`, without overflow."""
    axis = axis_of(dim, input.ndim)
    if not input.ndim:
        return input.copy()
    if input.dtype.kind == "f":
        result = np.logaddexp.accumulate(usual(input), axis, dtype=np.float64)
        result += 0
        return result.astype(input.dtype, copy=False)
    result = np.array(input, order="C")
    steps = np.swapaxes(result, 0, axis)
    for number in range(1, len(steps)):
        steps[number] = logaddexp(steps[number - 1], steps[number])
    return result
