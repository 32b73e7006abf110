"""Activations made of straight pieces, and the softmax family."""

import numpy as np

from dyncore import dtypes
from dyncore.dtypes import F32, F64
from dyncore.fitting import check_computed, check_fits, fitted
from dyncore.ops.few import (
    FEW,
    LARGE,
    SQUARES32,
    divide,
    exp,
    largest_of,
    ones_of,
    over_sums,
    rows_of,
    softmax_of_few,
    sum_of,
)  # fmt: skip
from dyncore.ops.filling import zeros_like
from dyncore.ops.reduction import axis_of, sum_along
from dyncore.ops.select import picked, select, unless_zero
from dyncore.registry import UNDERIVED, op, unary
from dyncore.strides import usual


def floating(input, name):
    """`input`, which must be a float.  Raises RuntimeError as PyTorch does for a kernel that has no integer form."""
    if input.dtype.kind not in "fc":
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtypes.of(input.dtype).title}'")
    return input


@unary(
    unless_zero,  # a product would make NaN of an infinite gradient: log(relu(x))
    twice=lambda g, result: threshold_backward(g, result, 0),
)
def relu(input):
    """max(x, 0), element by element; derivative 0 at 0."""
    if input.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    return np.maximum(0, input)  # the second of two zeros: -0 stays


@op(
    input=lambda g, input, negative_slope: leaky_relu_backward(g, input, negative_slope),
    inplace={"LeakyReluBackward0": "LeakyReluBackward1"},
    method=False,
    function=False,
)
def leaky_relu(input, negative_slope: float = 0.01):
    """x where positive, negative_slope * x elsewhere."""
    check_computed(negative_slope, floating(input, "leaky_relu_cpu").dtype)
    return select(input > 0, input, input * input.dtype.type(negative_slope))


@op(
    input=lambda g, other, negative_slope: leaky_relu_backward(g, other, negative_slope),
    other=lambda g: g * 0,
    private=True,
    node="LeakyReluBackwardBackward0",
)
def leaky_relu_backward(input, other, negative_slope: float):
    """`input`, a gradient, times the slope of `leaky_relu` at `other`."""
    return select(other > 0, input, input * negative_slope)


@op(
    input=lambda g, input, min_val, max_val: hardtanh_backward(g, input, min_val, max_val),
    inplace=True,
    method=False,
    function=False,
)
def hardtanh(input, min_val: float = -1.0, max_val: float = 1.0):
    """x limited to [min_val, max_val]; derivative 0 at and beyond the bounds."""
    if input.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if input.dtype.kind == "u" and (min_val < 0 or max_val < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    low, high = fitted(min_val, input.dtype), fitted(max_val, input.dtype)
    return np.minimum(high, np.maximum(low, input))


@op(
    input=lambda g, other, min_val, max_val: hardtanh_backward(g, other, min_val, max_val),
    other=lambda g: g * 0,
    private=True,
    node="HardtanhBackwardBackward0",
)
def hardtanh_backward(input, other, min_val: float, max_val: float):
    """`input`, a gradient, where `other` is between the bounds: the derivative of `hardtanh`."""
    return picked((other > min_val) & (other < max_val), input)


@op(
    input=lambda g, input, threshold: threshold_backward(g, input, threshold),
    inplace={"ThresholdBackward0": "ThresholdBackward1"},
    name="threshold",
)
def threshold(input, threshold: float, value: float):
    """x where above the threshold, `value` elsewhere."""
    if input.dtype.kind == "b":
        raise NotImplementedError("\"threshold_cpu\" not implemented for 'Bool'")
    return np.where(input <= _limit(threshold, input.dtype), fitted(_number(value), input.dtype), input)


def _number(given):
    """A number, or the element of a tensor."""
    return given.item() if hasattr(given, "item") else given


def _limit(given, dtype):
    """A number to compare with, of the dtype."""
    number = _number(given)
    check_computed(number, dtype)
    return fitted(number, dtype) if dtype.kind in "iu" else _real(number)


def _real(number):
    """What stands for a number in a comparison: the real part of a complex one, the element of a tensor."""
    number = _number(number)
    return number.real if isinstance(number, complex) else number


@op(
    input=lambda g: g,
    other=lambda g: zeros_like(g),
    private=True,
    node=lambda name: name,
)
def level(input, other, name: str):
    """`input`, a gradient that does not change with `other`: its derivative there is zeros."""
    return input.copy()


@op(
    input=lambda g, other, threshold: threshold_backward(g, other, threshold),
    other=lambda g: g * 0,
    private=True,
    node="ThresholdBackwardBackward0",
)
def threshold_backward(input, other, threshold: float):
    """`input`, a gradient, where `other` is above the threshold: the derivative of `threshold`."""
    return np.where(other <= _real(threshold), input.dtype.type(0), input)


@op(input=lambda g, input, lambd: picked((input > lambd) | (input < -lambd), g), function=True)
def hardshrink(input, lambd: float = 0.5):
    """x where |x| is above lambd, 0 elsewhere."""
    check_fits(lambd, floating(input, "hardshrink_cpu").dtype)
    return np.where((input >= -lambd) & (input <= lambd), input.dtype.type(0), input)


@op(
    input=lambda g, input, lambd: picked((input > lambd) | (input < -lambd), g),
    method=False,
    function=False,
)
def softshrink(input, lambd: float = 0.5):
    """x moved towards 0 by lambd, and 0 where that passes it."""
    floating(input, "softshrink_check")
    if not 0 <= lambd < np.inf:
        limit = np.finfo(input.dtype).max
        title = dtypes.of(input.dtype).title
        raise RuntimeError(f"lambda must be in range [0, {limit:g}] for input dtype {title}, but found {lambd:g}")
    check_fits(lambd, input.dtype)
    return np.where(input > lambd, input - lambd, np.where(input < -lambd, input + lambd, input * 0)).astype(
        input.dtype
    )


@op(
    input=lambda g, input: np.where((input > -3) & (input < 3), g * (1 / 6), 0),
    inplace=True,
    method=False,
    function=False,
    back=UNDERIVED,
)
def hardsigmoid(input):
    """(x + 3) / 6 limited to [0, 1]."""
    floating(input, "hardsigmoid")
    return np.minimum(np.maximum(input + 3, 0), 6) / input.dtype.type(6)


def _hardswish_slope(g, input):
    return np.where(input <= -3, 0, np.where(input < 3, g * (input / 3 + 0.5), g))


@op(input=_hardswish_slope, inplace=True, method=False, function=False, back="HardswishBackwardBackward0")
def hardswish(input):
    """x hardsigmoid(x)."""
    floating(input, "hardswish")
    return input * np.minimum(np.maximum(input + 3, 0), 6) / input.dtype.type(6)


def _kernel_slope(g, input, weight):
    return np.where(input > 0, g, g * weight)


@op(
    input=_kernel_slope,
    weight=lambda g, input: np.where(input > 0, 0, g * input),
    private=True,
    node="PreluKernelBackward0",
    promote=(),
)
def prelu_kernel(input, weight):
    """x where positive, weight * x elsewhere; the weight broadcasts."""
    return np.where(input > 0, input, input * weight)


@op(
    input=lambda g, noise: g * noise,
    private=True,
    inplace={"RreluWithNoiseBackward0": "RreluWithNoiseBackward1"},
    node="RreluWithNoiseBackward0",
)
def rrelu_with_noise(input, noise):
    """`input` times `noise`, whose factors are 1 where the input is positive and a random slope elsewhere."""
    return input * noise


def _softmax(input, axis):
    if not input.ndim:
        return np.exp(input - input)  # 1, and NaN for what is not finite
    if not input.size or input.dtype.kind != "f":
        e = np.exp(input - highest(input, axis))
        return e / np.add.reduce(e, axis, keepdims=True)
    input = usual(input)
    if axis == input.ndim - 1 <= 1 and input.shape[-1] <= 32 and rows_of(input):
        made = softmax_of_few(input, input.shape[-1], input.dtype)
        if made is not None:
            return made
    if input.shape[axis] == input.size:
        return _softmax_of_one(input)
    e = input - np.maximum.reduce(input, axis, keepdims=True)
    np.exp(e, e)
    if axis == input.ndim - 1 and rows_of(e):
        return over_sums(e)
    return np.divide(e, np.add.reduce(e, axis, keepdims=True), e)


def _softmax_of_one(row):
    """The softmax of all elements."""
    # Of few the largest is taken as an array without dimensions, which broadcasts 0.15 us sooner (bench, early exit).
    e = row - (row[row.argmax(), ...] if row.ndim == 1 and 0 < row.size <= FEW else largest_of(row))
    np.exp(e, e)
    return np.divide(e, sum_of(e), e)


def highest(input, axis):
    """The largest element along `axis`, kept as a dimension; -inf where there is none."""
    # 1.1 us for 64 elements where `np.max` with `initial` takes 3.5 (tests/bench, early exit).
    if input.size:
        return np.maximum.reduce(input, axis, keepdims=True)
    return np.maximum.reduce(input, axis, keepdims=True, initial=-np.inf)


def _softmax_rule(g, result, dim):
    weighted = g * result
    return weighted - result * sum_along(weighted, dim)


_softmax_rule.recorded = lambda g, result, dim: softmax_backward(g, result, dim)


@op(
    input=lambda g, other, dim: softmax_backward(g, other, dim),
    other=lambda g, input, other, dim: (
        g * input - g * sum_along(input * other, dim) - input * sum_along(g * other, dim)
    ),
    private=True,
    node="SoftmaxBackwardDataBackward0",
)
def softmax_backward(input, other, dim: int):
    """`input`, a gradient, through `softmax`, whose result is `other`."""
    return _softmax_rule(input, other, dim)


def _log_softmax_rule(g, result, dim):
    return g - np.exp(result) * sum_along(g, dim)


_log_softmax_rule.recorded = lambda g, result, dim: log_softmax_backward(g, result, dim)


@op(
    input=lambda g, other, dim: g - sum_along(g * np.exp(other), dim),
    other=lambda g, input, other, dim: -(g * (np.exp(other) * sum_along(input, dim))),
    private=True,
    node="LogSoftmaxBackwardDataBackward0",
)
def log_softmax_backward(input, other, dim: int):
    """`input`, a gradient, through `log_softmax`, whose result is `other`."""
    return _log_softmax_rule(input, other, dim)


def _float_kind(input, dtype, name):
    if dtype is not None:
        kind = dtypes.to_numpy(dtype)
        input = (input.real if kind.kind != "c" else input).astype(kind)
    made = floating(input, name)
    if made.dtype.kind == "c":
        raise NotImplementedError(f"\"{name}\" not implemented for '{dtypes.of(made.dtype).title}'")
    return made


@op(
    input=_softmax_rule,
    at_once=(  # one row: what `softmax_of_few` does, with fewer questions
        "(squares := SQUARES32.get(input.size)) is not None and (dim == -1 or dim == input.ndim - 1) and "
        "(input.ndim == 1 or input.ndim == 2 and len(input) == 1)",
        "(divide(made, totals, made) if 1.0 <= (totals := (made := exp(input)).dot(squares)).item(0) < LARGE "
        "else shifted(input))",
        {"SQUARES32": SQUARES32, "LARGE": LARGE, "exp": exp, "divide": divide, "shifted": _softmax_of_one},
    ),
)
def softmax(input, dim: int, dtype: object = None):
    """e^x divided by its sum along `dim`, without overflow.

    dx = y (dy - sum(dy y)).
    """
    ndim = input.ndim
    if dtype is None and input.dtype is F32:
        squares = SQUARES32.get(input.size)
        # One row: what `softmax_of_few` does, with fewer questions (tests/bench, early exit).
        if squares is not None and (dim == -1 or dim == ndim - 1) and (ndim == 1 or (ndim == 2 and len(input) == 1)):
            made = exp(input)
            totals = made.dot(squares)
            if 1.0 <= totals.item(0) < LARGE:
                return divide(made, totals, made)
            if ndim == 1:  # which `softmax_of_few` would find out again: 0.7 us
                return _softmax_of_one(input)
    if dtype is None and (dim == -1 or dim == ndim - 1) and 0 < ndim < 3:
        kind, size = input.dtype, input.size
        if 0 < size <= 32 and (kind is F32 or kind is F64) and (ndim == 1 or input.flags.c_contiguous):
            made = softmax_of_few(input, size if ndim == 1 else input.shape[1], kind)
            if made is not None:
                return made
        if size and ndim == 1 and kind.kind == "f":
            return _softmax_of_one(input)
    axis = axis_of(dim, input.ndim)
    if dtype is not None or input.dtype.kind != "f":
        input = _float_kind(input, dtype, "softmax_lastdim_kernel_impl")
    return _softmax(input, axis)


def _softmax_writer(input, dim, dtype=None):
    """What writes the softmax of one row of few into an array, while none is too large or too small; else None.

    input: the layout of the arrays to come.  1.0 us where the op with its questions takes 1.4 (bench, replay: early
    exit).
    """
    ndim = len(input.shape)
    if dtype is not None or input.dtype is not F32 or ndim != 1 or dim not in (-1, 0):
        return None
    squares = SQUARES32.get(input.shape[0])
    if squares is None:
        return None

    def write(input, out, totals):
        exp(input, out)
        out.dot(squares, totals)
        if 1.0 <= totals.item(0) < LARGE:
            divide(out, totals, out)
        else:
            out[...] = _softmax_of_one(input)

    write.scratch = input.shape, (4,), F32
    return write


softmax.writer = _softmax_writer


@op(input=_log_softmax_rule)
def log_softmax(input, dim: int, dtype: object = None):
    """Logarithm of softmax along `dim`, without overflow.

    dx = dy - softmax(x) sum(dy).
    """
    if dtype is not None or input.dtype.kind != "f":
        input = _float_kind(input, dtype, "log_softmax_lastdim_kernel_impl")
    axis = axis_of(dim, input.ndim)
    if not input.ndim:
        return input - input
    if input.shape[axis] == input.size and 0 < input.size <= FEW:
        flat = input if input.ndim == 1 else input.reshape(-1)
        shifted = input - flat[flat.argmax(), ...]
        made = np.exp(shifted)
        return np.subtract(shifted, np.log(sum_of(made)), made)
    input = usual(input)
    shifted = input - highest(input, axis)
    if axis == input.ndim - 1 and rows_of(shifted):
        made = np.exp(shifted)
        length = made.shape[-1]
        totals = made.dot(ones_of(length, length if length <= 32 else 1, made.dtype))
        return np.subtract(shifted, np.log(totals, totals), made)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis, keepdims=True))
