"""Losses that compare elements: each one op, with its reduction."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.supported import TWO_BOOLEANS, refusal
from dyncore.ops.activation_smooth import logsigmoid
from dyncore.ops.pointwise import sigmoid


def reduced(values, reduction):
    """Reduce `values`: "none", "mean" or "sum".

    Raises ValueError for another reduction.
    """
    if reduction == "mean":
        total = np.add.reduce(values, axis=None)
        return total / values.dtype.type(values.size) if values.size else total * np.nan
    if reduction == "none":
        return values
    if reduction == "sum":
        return np.add.reduce(values, axis=None)
    raise ValueError(f"{reduction} is not a valid value for reduction")


def share(g, input, reduction):
    """Return the gradient of each element's loss from that of the reduced one."""
    return g / max(math.prod(input.shape), 1) if reduction == "mean" else g


def _mse_input(g, input, target, reduction):
    return share(2.0 * g, input, reduction) * (input - target)


def _mse_target(g, input, target, reduction):
    return share(2.0 * g, input, reduction) * (target - input)


_mse_input.recorded = lambda g, input, target, reduction: mse_backward(g, input, target, reduction)
_mse_target.recorded = lambda g, input, target, reduction: mse_backward(g, target, input, reduction)


@op(
    input=lambda g, one, other, reduction: share(2.0 * g, one, reduction) * (one - other),
    one=lambda g, input, other, reduction: share(2.0 * input, other, reduction) * g,
    other=lambda g, input, one, reduction: share(-2.0 * input, one, reduction) * g,
    private=True,
    node="MseLossBackwardBackward0",
)
def mse_backward(input, one, other, reduction: str):
    """Gradient `input` through the mean squared difference, for `one`."""
    return _mse_input(input, one, other, reduction)


@op(input=_mse_input, target=_mse_target, promote=("input", "target"), method=False, function=False)
def mse_loss(input, target, reduction: str = "mean"):
    """Squared difference, its mean by default.

    y = mean (x - t)^2,  dx = 2 (x - t) dy / n.
    """
    difference = input - target
    return reduced(difference * difference, reduction)


def _smooth(g, input, target, reduction, beta):
    if beta == 0:
        return share(g, input, reduction) * np.sign(input - target)
    apart = input - target
    # Not `clip`: at the very bend the second derivative is 0.
    return share(g, input, reduction) * np.where(np.abs(apart) >= beta, np.sign(apart), apart / beta)


def _smooth_again(g, input, one, other, reduction, beta):
    slope = share(input, one, reduction) * g
    return np.where(np.abs(one - other) >= beta, 0, slope / beta) if beta else slope * 0


@op(
    input=lambda g, one, other, reduction, beta: _smooth(g, one, other, reduction, beta),
    one=_smooth_again,
    other=lambda g, input, one, other, reduction, beta: -_smooth_again(g, input, one, other, reduction, beta),
    private=True,
    node="SmoothL1LossBackwardBackward0",
)
def smooth_backward(input, one, other, reduction: str, beta: float):
    """Gradient `input` through `smooth_l1_loss` of `one` and `other`, for `one`."""
    return _smooth(input, one, other, reduction, beta)


def _smooth_input(g, input, target, reduction, beta):
    return _smooth(g, input, target, reduction, beta)


def _smooth_target(g, input, target, reduction, beta):
    return _smooth(g, target, input, reduction, beta)


_smooth_input.recorded = lambda g, input, target, reduction, beta: smooth_backward(g, input, target, reduction, beta)
_smooth_target.recorded = lambda g, input, target, reduction, beta: smooth_backward(g, target, input, reduction, beta)


@op(
    input=_smooth_input,
    target=_smooth_target,
    promote=("input", "target"),
    method=False,
    function=False,
    node="SmoothL1LossBackward0",
)
def smooth_l1_loss(input, target, reduction: str = "mean", beta: float = 1.0):
    """Squared difference / (2 beta) below beta, else absolute difference - beta / 2."""
    away = np.abs(input - target)
    if beta == 0:
        return reduced(away, reduction)
    return reduced(np.where(away < beta, 0.5 * away * away / beta, away - 0.5 * beta), reduction)


def check_found(found, expected):
    """Raise PyTorch's error unless the dtype of the other operand is the one expected."""
    if found != expected:
        raise RuntimeError(f"Found dtype {dtypes.of(found).title} but expected {dtypes.of(expected).title}")


def _check_cast(computed, output):
    """Raise PyTorch's error where results of the dtype `computed` do not fit into an integer `output`."""
    if computed.kind in "fc" and output.kind not in "fc":
        titles = dtypes.of(computed).title, dtypes.of(output).title
        raise RuntimeError("result type {} can't be cast to the desired output type {}".format(*titles))


def _huber(g, input, target, reduction, delta):
    check_found(target.dtype, input.dtype)
    apart = input - target
    return share(g, input, reduction) * np.where(np.abs(apart) >= delta, np.sign(apart) * delta, apart)


@op(
    input=lambda g, input, target, reduction, delta: _huber(g, input, target, reduction, delta),
    target=lambda g, input, target, reduction, delta: _huber(g, target, input, reduction, delta),
    method=False,
    function=False,
    back="HuberLossBackwardBackward0",
)
def huber_loss(input, target, reduction: str = "mean", delta: float = 1.0):
    """Half the squared difference below delta, else delta (|x - t| - delta / 2), in the dtype of x.

    Of two dtypes there is no gradient, as in PyTorch.
    """
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    computed = dtypes.result_type(input, target)
    _check_cast(computed, input.dtype)
    if computed.kind != "f":
        raise refusal("huber_cpu", computed)
    away = np.abs(np.subtract(input, target, dtype=computed))
    values = np.where(away < delta, 0.5 * away * away, delta * (away - 0.5 * delta))
    return reduced(values.astype(input.dtype, copy=False), reduction)


def _weighted(g, weight):
    return g if weight is None else g * weight


def _cross_input(g, input, target, weight, reduction):
    room = np.maximum(input * (1 - input), 1e-12 + 0 * input)
    return _weighted(share(g, input, reduction), weight) * (input - target) / room


def _cross_target(g, input, target, weight, reduction):
    return share(_weighted(g, weight) * (np.log(1 - input) - np.log(input)), input, reduction)


@op(
    input=_cross_input,
    target=_cross_target,
    method=False,
    function=False,
    back={"input": "BinaryCrossEntropyBackwardBackward0", "DivBackward0": "DivBackward1"},
)
def binary_cross_entropy(input, target, weight=None, reduction: str = "mean"):
    """-(t log p + (1 - t) log(1 - p)) of probabilities, logarithms not below -100.

    dp = dy (p - t) / (p (1 - p)).   Raises RuntimeError for p outside [0, 1].
    """
    check_found(target.dtype, input.dtype)
    if input.size and not ((input >= 0) & (input <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    if target.size and not ((target >= 0) & (target <= 1)).all():
        raise RuntimeError("all elements of target should be between 0 and 1")
    floor = input.dtype.type(-100)
    values = (target - 1) * np.maximum(np.log1p(-input), floor) - target * np.maximum(np.log(input), floor)
    return reduced(values if weight is None else values * weight, reduction)


def _logits_input(g, input, target, weight, pos_weight, reduction):
    scaled = _weighted(g, weight)
    if pos_weight is None:
        return share(scaled * (sigmoid(input) - target), input, reduction)
    positive = pos_weight * target
    return share(scaled * ((positive + 1 - target) * sigmoid(input) - positive), input, reduction)


def _logits_target(g, input, weight, pos_weight, reduction):
    scaled = _weighted(g, weight)
    if pos_weight is None:
        return share(scaled * -input, input, reduction)
    return share(scaled * (logsigmoid(-input) - pos_weight * logsigmoid(input)), input, reduction)


@op(input=_logits_input, target=_logits_target, method=False, node="BinaryCrossEntropyWithLogitsBackward0")
def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction: str = "mean"):
    """Binary cross entropy of sigmoid(x), computed from x without overflow.

    dx = dy (sigmoid(x) - t).   `pos_weight` multiplies the part of t.   In the dtype of t, as in PyTorch.
    """
    if target.dtype.kind == "b":
        raise RuntimeError(TWO_BOOLEANS)
    _check_cast(input.dtype, target.dtype)
    small = np.log1p(np.exp(-np.abs(input)))
    if pos_weight is None:
        values = (1 - target) * input + np.maximum(-input, 0) + small
    else:
        factor = 1 + (pos_weight - 1) * target
        values = (1 - target) * input + factor * (small + np.maximum(-input, 0))
    values = values.astype(target.dtype, copy=False)
    return reduced(values if weight is None else values * weight, reduction)


@op(
    input=lambda g, input, target, reduction: -(share(g, input, reduction) * target) * sigmoid(-(target * input)),
    method=False,
    function=False,
    back="SoftMarginLossBackwardBackward0",
)
def soft_margin_loss(input, target, reduction: str = "mean"):
    """log(1 + e^(-t x)) with targets of 1 and -1, in the dtype of x."""
    computed = dtypes.result_type(input, target)
    _check_cast(computed if computed.kind in "fc" else np.dtype("f4"), input.dtype)
    values = np.log1p(np.exp(-np.multiply(target, input, dtype=computed)))
    return reduced(values.astype(input.dtype, copy=False), reduction)
