"""Losses as single ops, where a composition would lose accuracy or speed."""

import numpy as np

from ..registry import op


def reduced(values, reduction):
    """`values` by PyTorch's `reduction`: "none", "mean" or "sum".  Raises ValueError for anything else."""
    if reduction == "none":
        return values
    if reduction == "mean":
        return np.mean(values)
    if reduction == "sum":
        return np.sum(values)
    raise ValueError(f"{reduction} is not a valid value for reduction")


@op(
    input=lambda g, input, target, reduction: g * (input - target) * _scale(input, reduction),
    target=lambda g, input, target, reduction: g * (target - input) * _scale(input, reduction),
    promote=("input", "target"),
    method=False,
    function=False,
)
def mse_loss(input, target, reduction: str = "mean"):
    """Squared difference, its mean by default.

    y = mean (x - t)^2,  dx = 2 (x - t) dy / n.
    """
    difference = input - target
    return reduced(difference * difference, reduction)


def _scale(input, reduction):
    return 2.0 / _count(input.shape) if reduction == "mean" else 2.0


def _count(shape):
    count = 1
    for n in shape:
        count *= n
    return count
