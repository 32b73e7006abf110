"""Activations made of straight pieces."""

import numpy as np

from dyncore.dispatch.registry import UNDERIVED, op, unary
from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import check_computed, check_fits, fitted
from dyncore.dtypes.supported import refusal
from dyncore.ops.filling import zeros_like
from dyncore.ops.select import picked, select, unless_zero
from dyncore.tensors.numpy_direct import clip


def floating(input, name):
    """Return `input`, which must be a float.

    Raises NotImplementedError as PyTorch does for a kernel that has no integer form.
    """
    if input.dtype.kind not in "fc":
        raise refusal(name, input.dtype)
    return input


@unary(
    unless_zero,  # a product would make NaN of an infinite gradient: log(relu(x))
    twice=lambda g, result: threshold_backward(g, result, 0),
)
def relu(input):
    """max(x, 0), element by element; derivative 0 at 0."""
    if input.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    if input.dtype.kind == "f":
        return clip(input, input.dtype.type(0), input.dtype.type(np.inf))
    return np.maximum(0, input)  # the second of two zeros: -0 stays


@op(
    batching="each",
    input=lambda g, input, negative_slope: leaky_relu_backward(g, input, negative_slope),
    inplace={"LeakyReluBackward0": "LeakyReluBackward1"},
    method=False,
    function=False,
)
def leaky_relu(input, negative_slope: float = 0.01):
    """x where positive, negative_slope * x elsewhere."""
    check_computed(negative_slope, floating(input, "leaky_relu_cpu").dtype)
    low = input * input.dtype.type(negative_slope)
    if 0 < negative_slope <= 1:  # faster than a choice; infinity times 0 is NaN
        return np.maximum(input, low)
    return select(input > 0, input, low)


@op(
    input=lambda g, other, negative_slope: leaky_relu_backward(g, other, negative_slope),
    other=lambda g: g * 0,
    private=True,
    node="LeakyReluBackwardBackward0",
)
def leaky_relu_backward(input, other, negative_slope: float):
    """Gradient `input` times the slope of `leaky_relu` at `other`."""
    return select(other > 0, input, input * negative_slope)


@op(
    batching="each",
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
    if input.dtype.kind == "f":
        return clip(input, low, high)
    return np.minimum(high, np.maximum(low, input))


@op(
    input=lambda g, other, min_val, max_val: hardtanh_backward(g, other, min_val, max_val),
    other=lambda g: g * 0,
    private=True,
    node="HardtanhBackwardBackward0",
)
def hardtanh_backward(input, other, min_val: float, max_val: float):
    """Gradient `input` where `other` is between the bounds: slope of `hardtanh`."""
    return picked((other > min_val) & (other < max_val), input)


@op(
    batching="each",
    input=lambda g, input, threshold: threshold_backward(g, input, threshold),
    inplace={"ThresholdBackward0": "ThresholdBackward1"},
    name="threshold",
)
def threshold(input, threshold: float, value: float):
    """x where above the threshold, `value` elsewhere."""
    if input.dtype.kind == "b":
        raise refusal("threshold_cpu", input.dtype)
    return np.where(input <= _limit(threshold, input.dtype), fitted(_number(value), input.dtype), input)


def _number(given):
    """Return a number, or the element of a tensor."""
    return given.item() if hasattr(given, "item") else given


def _limit(given, dtype):
    """Return a bound as a number of the dtype.

    Raises RuntimeError if it does not fit.
    """
    number = _number(given)
    check_computed(number, dtype)
    return fitted(number, dtype) if dtype.kind in "iu" else _real(number)


def _real(number):
    """Return the real part of a number, or of the element of a tensor."""
    number = _number(number)
    return number.real if isinstance(number, complex) else number


@op(input=lambda g: g, other=lambda g: zeros_like(g), private=True, node=lambda name: name)
def level(input, other, name: str):
    """Gradient `input` that does not depend on `other`, whose derivative is zeros."""
    return input.copy()


@op(
    input=lambda g, other, threshold: threshold_backward(g, other, threshold),
    other=lambda g: g * 0,
    private=True,
    node="ThresholdBackwardBackward0",
)
def threshold_backward(input, other, threshold: float):
    """Gradient `input` where `other` is above the threshold: slope of `threshold`."""
    return np.where(other <= _real(threshold), input.dtype.type(0), input)


@op(batching="each", input=lambda g, input, lambd: picked((input > lambd) | (input < -lambd), g), function=True)
def hardshrink(input, lambd: float = 0.5):
    """x where |x| is above lambd, 0 elsewhere."""
    check_fits(lambd, floating(input, "hardshrink_cpu").dtype)
    return np.where((input >= -lambd) & (input <= lambd), input.dtype.type(0), input)


@op(
    batching="each",
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
    batching="each",
    input=lambda g, input: np.where((input > -3) & (input < 3), g * (1 / 6), 0),
    inplace=True,
    method=False,
    function=False,
    back=UNDERIVED,
)
def hardsigmoid(input):
    """(x + 3) / 6 limited to [0, 1]."""
    floating(input, "hardsigmoid_cpu")
    return np.minimum(np.maximum(input + 3, 0), 6) / input.dtype.type(6)


def _hardswish_slope(g, input):
    return np.where(input <= -3, 0, np.where(input < 3, g * (input / 3 + 0.5), g))


@op(
    batching="each",
    input=_hardswish_slope,
    inplace=True,
    method=False,
    function=False,
    back="HardswishBackwardBackward0",
)
def hardswish(input):
    """x hardsigmoid(x)."""
    floating(input, "hardswish_cpu")
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
    """`input` times `noise`: 1 where positive, a random slope elsewhere."""
    return input * noise
