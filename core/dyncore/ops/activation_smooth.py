"""Smooth activations: gelu, silu, elu and their like."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes.limits import check_computed
from dyncore.dtypes.supported import refusal
from dyncore.ops.activation import floating
from dyncore.ops.arithmetic import add_number
from dyncore.ops.normal import gelu_of_many, gelu_slope_of_many, many
from dyncore.ops.pointwise import sigmoid
from dyncore.ops.special import erf
from dyncore.tensors.strides import laid_like

_SQRT_HALF = math.sqrt(0.5)
_ROOT = math.sqrt(2.0 / math.pi)


def _gelu_slope(g, input, approximate):
    if approximate == "tanh":
        inner = np.tanh(_ROOT * (input + 0.044715 * input * input * input))
        slope = (1 - inner * inner) * (_ROOT * (1 + 3 * 0.044715 * input * input))
        return g * (0.5 * (1 + inner) + 0.5 * input * slope)
    if many(input) and g.dtype is input.dtype and g.shape == input.shape:
        return laid_like(input, gelu_slope_of_many(g, input))
    density = np.exp(-0.5 * input * input) * (1 / math.sqrt(2 * math.pi))
    return g * (0.5 * (1 + erf(input * _SQRT_HALF)) + input * density)


@op(batching="each", input=_gelu_slope, method=False, function=False, inplace=True, back="GeluBackwardBackward0")
def gelu(input, *, approximate: str = "none"):
    """x times the probability that a normal number is below x.

    `approximate="tanh"` computes it approximately.
    """
    if floating(input, "GeluKernelImpl").dtype.kind == "c":
        raise refusal("GeluKernelImpl", input.dtype)
    if approximate == "tanh":
        return (0.5 * input * (1 + np.tanh(_ROOT * (input + 0.044715 * input * input * input)))).astype(input.dtype)
    if approximate != "none":
        raise RuntimeError("approximate argument must be either none or tanh.")
    if many(input):
        return laid_like(input, gelu_of_many(input))
    return (0.5 * input * (1 + erf(input * input.dtype.type(_SQRT_HALF)))).astype(input.dtype)


def _silu_slope(g, input):
    s = sigmoid(input)
    return g * (s * (1 + input * (1 - s)))


def _silu_recorded(g, input):
    s = sigmoid(input)
    return g * s * add_number(input * (1 - s), 1)


_silu_slope.recorded = _silu_recorded


@op(batching="each", input=lambda g, input: _silu_slope(g, input), method=False, function=False, inplace=True)
def silu(input):
    """x sigmoid(x), also called swish."""
    return input * sigmoid(floating(input, "silu_cpu"))


def _mish_slope(g, input):
    t = np.tanh(softplus(input))
    return g * (t + input * sigmoid(input) * (1 - t * t))


@op(batching="each", input=lambda g, input: _mish_slope(g, input), method=False, function=False, inplace=True)
def mish(input):
    """x tanh(softplus(x))."""
    floating(input, "mish_cpu")
    return input * np.tanh(softplus(input))


def _elu_slope(g, input, alpha, scale, input_scale):
    negative = input <= 0
    low = np.where(negative, input, input * 0)
    return np.where(negative, g * (np.exp(low * input_scale) * (input_scale * alpha * scale)), g * scale)


def _elu_recorded(g, input, alpha, scale, input_scale):
    return elu_backward(g, input, alpha, scale, input_scale)


_elu_slope.recorded = _elu_recorded


def _elu_again(g, input, other, alpha, scale, input_scale):
    low = np.where(other <= 0, other, 0)
    bend = np.exp(low * input_scale) * (input_scale * input_scale * alpha * scale)
    return np.where(other < 0, g * input * bend, 0)


@op(
    input=lambda g, other, alpha, scale, input_scale: _elu_slope(g, other, alpha, scale, input_scale),
    other=_elu_again,
    private=True,
    node="EluBackwardBackward0",
)
def elu_backward(input, other, alpha: float, scale: float, input_scale: float):
    """Gradient `input` through `elu` of `other`."""
    return _elu_slope(input, other, alpha, scale, input_scale)


@op(batching="each", input=_elu_slope, method=False, function=False, inplace={"EluBackward0": "EluBackward1"})
def elu(input, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0):
    """x where positive, alpha (e^x - 1) elsewhere."""
    floating(input, "elu_cpu")
    for number in (alpha, scale, input_scale):
        if number != 1:
            check_computed(number, input.dtype)
    low = np.minimum(0, input)
    return np.where(input <= 0, np.expm1(low * input_scale) * (alpha * scale), input * scale).astype(input.dtype)


SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


@op(
    batching="each",
    input=lambda g, input: _elu_slope(g, input, SELU_ALPHA, SELU_SCALE, 1.0),
    node="EluBackward0",
    inplace={"EluBackward0": "EluBackward1"},
)
def selu(input):
    """elu with the alpha and scale that keep mean 0 and variance 1."""
    return elu(input, SELU_ALPHA, SELU_SCALE)


@op(
    batching="each",
    input=lambda g, input, alpha: _elu_slope(g, input, alpha, 1.0, 1.0 / alpha),
    inplace={"CeluBackward0": "CeluBackward1"},
)
def celu(input, alpha: float = 1.0):
    """x where positive, alpha (e^(x / alpha) - 1) elsewhere."""
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return elu(input, alpha, 1.0, 1.0 / alpha)


def _softplus_slope(g, input, beta, threshold):
    return np.where(input * beta > threshold, g, g * sigmoid(input * beta))


_softplus_slope.recorded = lambda g, input, beta, threshold: softplus_backward(g, input, beta, threshold)


def _softplus_again(g, input, other, beta, threshold):
    gate = sigmoid(other * beta)
    return np.where(other * beta > threshold, 0, g * input * (gate * (1 - gate) * beta))


@op(
    input=lambda g, other, beta, threshold: _softplus_slope(g, other, beta, threshold),
    other=_softplus_again,
    private=True,
    node="SoftplusBackwardBackward0",
)
def softplus_backward(input, other, beta: float, threshold: float):
    """Gradient `input` through `softplus` of `other`."""
    return _softplus_slope(input, other, beta, threshold)


@op(batching="each", input=_softplus_slope, method=False, function=False)
def softplus(input, beta: float = 1.0, threshold: float = 20.0):
    """log(1 + e^(beta x)) / beta; x itself where beta x is above the threshold."""
    floating(input, "softplus_cpu")
    check_computed(beta, input.dtype)
    check_computed(threshold, input.dtype)
    scaled = input if beta == 1.0 else input * input.dtype.type(beta)
    soft = np.log1p(np.exp(np.minimum(scaled, input.dtype.type(max(threshold, 0.0)))))
    if beta != 1.0:
        soft = soft / input.dtype.type(beta)
    return np.where(scaled > threshold, input, soft)


def _log_sigmoid_slope(g, input):
    return g * sigmoid(-input)


_log_sigmoid_slope.recorded = lambda g, input: log_sigmoid_backward(g, input)


def _log_sigmoid_again(g, input, other):
    gate = sigmoid(-other)
    return g * input * (gate * (gate - 1))


@op(
    input=lambda g, other: g * sigmoid(-other),
    other=_log_sigmoid_again,
    private=True,
    node="LogSigmoidBackwardBackward0",
)
def log_sigmoid_backward(input, other):
    """Gradient `input` through `logsigmoid` of `other`."""
    return input * sigmoid(-other)


@op(batching="each", input=_log_sigmoid_slope, method=False, function=False, node="LogSigmoidBackward0")
def logsigmoid(input):
    """log sigmoid(x), without overflow.

    dx = dy sigmoid(-x).
    """
    floating(input, "log_sigmoid_cpu")
    return np.minimum(input, 0) - np.log1p(np.exp(-np.abs(input)))


def _halves(x, dim):
    axis = dim % len(x.shape)
    half = x.shape[axis] // 2
    before = (slice(None),) * axis
    return x[(*before, slice(0, half))], x[(*before, slice(half, 2 * half))]


def _glu_rule(g, input, dim):
    first, second = _halves(input, dim)
    gate = sigmoid(second)
    return np.concatenate([g * gate, g * first * gate * (1 - gate)], axis=dim % len(input.shape))


@op(batching="dims", input=_glu_rule, method=False, function=False, back="GluBackwardBackward0")
def glu(input, dim: int = -1):
    """First half of `input` along `dim` times the sigmoid of the second half."""
    if not input.ndim:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    from dyncore.ops.reduction import axis_of

    axis = axis_of(dim, input.ndim)
    if input.shape[axis] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {axis} is size {input.shape[axis]}")
    first, second = _halves(input, axis)
    return first * sigmoid(floating(second, "glu_cpu"))
