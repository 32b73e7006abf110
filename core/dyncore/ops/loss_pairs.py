"""Losses of two or three tensors composed of other ops, as in PyTorch."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.ops.activation_smooth import logsigmoid
from dyncore.ops.blending import xlogy
from dyncore.ops.filling import zeros_like
from dyncore.ops.limits import clamp_min, minimum
from dyncore.ops.measure import pairwise_distance
from dyncore.ops.where import where


def _reduced(values, reduction):
    if reduction == "mean":
        return np.mean(values)
    if reduction == "sum":
        return np.sum(values)
    if reduction == "none":
        return values
    raise ValueError(f"{reduction} is not a valid value for reduction")


@op(composite=True, method=False)
def kl_div(input, target, reduction: str = "mean", *, log_target: bool = False):
    """t (log t - x) of log-probabilities x.

    log_target: the target is log t.
    """
    if not (target.is_floating_point() or target.is_complex()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    values = np.exp(target) * (target - input) if log_target else xlogy(target, target) - target * input
    return _reduced(values, reduction)


@op(composite=True, method=False)
def poisson_nll_loss(
    input, target, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean"
):
    """e^x - t x, or x - t log(x + eps) with `log_input=False`.

    full: add Stirling's term where t > 1.
    """
    values = np.exp(input) - target * input if log_input else input - target * np.log(input + eps)
    if full:
        stirling = target * np.log(target) - target + 0.5 * np.log(2 * math.pi * target)
        values = values + where(target > 1, stirling, zeros_like(target))
    return _reduced(values, reduction)


@op(composite=True, method=False, function=False)
def gaussian_nll_loss(input, target, var, full: bool = False, eps: float = 1e-6, reduction: str = "mean"):
    """(log var + (x - t)^2 / var) / 2.

    The variance is at least eps, without gradient there.
    """
    bounded = where(var.detach() < eps, eps, var.detach()) + (var - var.detach())
    difference = input - target
    values = 0.5 * (np.log(bounded) + np.square(difference) / bounded)
    if full:
        values = values + 0.5 * math.log(2 * math.pi)
    return _reduced(values, reduction)


@op(composite=True, method=False)
def hinge_embedding_loss(input, target, margin: float = 1.0, reduction: str = "mean"):
    """x where the target is 1, max(0, margin - x) where it is -1."""
    zero = zeros_like(input)
    far = where(target != 1, clamp_min(margin - input, 0), zero)
    return _reduced(far + where(target != -1, input, zero), reduction)


@op(composite=True, method=False)
def margin_ranking_loss(input1, input2, target, margin: float = 0.0, reduction: str = "mean"):
    """max(0, -t (x1 - x2) + margin)."""
    if len(input1.shape) != len(input2.shape) or len(input1.shape) != len(target.shape):
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return _reduced(clamp_min(-target * (input1 - input2) + margin, 0), reduction)


@op(composite=True, method=False)
def cosine_embedding_loss(input1, input2, target, margin: float = 0.0, reduction: str = "mean"):
    """1 - cos(x1, x2) for a target of 1, max(0, cos(x1, x2) - margin) for -1."""
    if not (len(target.shape) + 1 == len(input1.shape) == len(input2.shape)):
        raise RuntimeError(
            f"{len(target.shape)}D target tensor expects {len(target.shape) + 1}D input tensors, but found inputs with "
            f"sizes {list(input1.shape)} and {list(input2.shape)}."
        )
    eps = 1e-12
    first, second = np.sum(input1 * input1, axis=-1) + eps, np.sum(input2 * input2, axis=-1) + eps
    cosine = np.sum(input1 * input2, axis=-1) / np.sqrt(first * second)
    zero = zeros_like(cosine)
    near = where(target == 1, 1 - cosine, zero)
    return _reduced(near + where(target == -1, clamp_min(cosine - margin, 0), zero), reduction)


@op(composite=True, method=False, function=False)
def multilabel_soft_margin_loss(input, target, weight=None, reduction: str = "mean"):
    """Binary cross entropy of sigmoid(x), averaged over the classes."""
    values = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        values = values * weight
    return _reduced(np.sum(values, axis=-1) / input.shape[-1], reduction)


@op(composite=True, method=False)
def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin).

    d is the p-norm of the difference.
    """
    counts = [len(each.shape) for each in (anchor, positive, negative)]
    if len(set(counts)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {counts[0]}D, positive {counts[1]}D, and negative {counts[2]}D inputs"
        )
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = minimum(far, pairwise_distance(positive, negative, p, eps))
    near = pairwise_distance(anchor, positive, p, eps)
    return _reduced(clamp_min(margin + near - far, 0), reduction)
