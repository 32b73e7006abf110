"""Losses."""

from __future__ import annotations

from typing import Any

from dyncore.nn.functional.reductions import broadcast_pair, reduction_of
from dyncore.registry import TABLE
from dyncore.size import Size
from dyncore.tensor import Tensor


def reduce(values: Any, reduction: str) -> Any:
    """`values` by `reduction`: "none", "mean" or "sum".  Raises ValueError for anything else."""
    if reduction == "mean":
        return values.mean()
    if reduction == "sum":
        return values.sum()
    if reduction == "none":
        return values
    raise ValueError(f"{reduction} is not a valid value for reduction")


def mse_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """Squared difference, its mean by default."""
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = broadcast_pair(input, target)
    if weight is None:
        return TABLE["mse_loss"].entry(input, target, reduction)
    return _weighted(TABLE["mse_loss"].entry(input, target, "none"), input, weight, reduction)


def _weighted(values: Any, input: Tensor, weight: Tensor, reduction: str) -> Any:
    if weight._array.shape != input._array.shape:
        raise ValueError("Inputs and weight must have the same size.")
    if reduction == "mean":
        return (values * weight).sum() / weight.sum()  # type: ignore[attr-defined]
    return reduce(values * weight, reduction)


def l1_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    """Absolute difference, its mean by default."""
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = broadcast_pair(input, target)
    values = (input - target).abs()
    if weight is not None:
        return _weighted(values, input, weight, reduction)
    return globals()["reduce"](values, reduction)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Any:
    """Squared difference / (2 beta) where it is below beta, the absolute difference - beta / 2 elsewhere."""
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = broadcast_pair(input, target)
    if beta == 0.0:
        return l1_loss(input, target, reduction=reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return TABLE["smooth_l1_loss"].entry(input, target, reduction, beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Any = None) -> Any:
    """Half the squared difference where it is below delta, delta (|x - t| - delta / 2) elsewhere."""
    input, target = broadcast_pair(input, target)
    if weight is None:
        return TABLE["huber_loss"].entry(input, target, reduction, delta)
    return _weighted(TABLE["huber_loss"].entry(input, target, "none", delta), input, weight, reduction)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """-(t log p + (1 - t) log(1 - p)) of probabilities."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(
            f"Using a target size ({Size(target._array.shape)}) that is different to the input size "
            f"({Size(input._array.shape)}) is deprecated. Please ensure they have the same size."
        )
    return TABLE["binary_cross_entropy"].entry(input, target, weight, reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    """Binary cross entropy of sigmoid(x), computed from x without overflow."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(
            f"Target size ({Size(target._array.shape)}) must be the same as input size ({Size(input._array.shape)})"
        )
    return TABLE["binary_cross_entropy_with_logits"].entry(input, target, weight, pos_weight, reduction)


def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """log(1 + e^(-t x)) with targets of 1 and -1."""
    return TABLE["soft_margin_loss"].entry(input, target, reduction_of(size_average, reduce, reduction))
