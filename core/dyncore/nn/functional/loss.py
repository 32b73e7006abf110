"""Losses."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.graph.capture_marks import REFUSED, capture_as
from dyncore.graph.modes import is_grad_enabled
from dyncore.nn.functional.reductions import broadcast_pair, reduction_of
from dyncore.ops.loss import check_found
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor


def reduce(values: Any, reduction: str) -> Any:
    """Reduce `values`: "none", "mean" or "sum".

    Raises ValueError for another reduction.
    """
    if reduction == "mean":
        return values.mean()
    if reduction == "sum":
        return values.sum()
    if reduction == "none":
        return values
    raise ValueError(f"{reduction} is not a valid value for reduction")


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Any:
    """Return the squared difference, its mean by default."""
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = broadcast_pair(input, target)
    if weight is None:
        return TABLE["mse_loss"].entry(input, target, reduction)
    return _weighted(TABLE["mse_loss"].entry(input, target, "none"), input, weight, reduction)


def _weighted(values: Any, input: Tensor, weight: Tensor, reduction: str, *, of_weights: bool = True) -> Any:
    """Return the weighted values, their sum or their mean: of the weights' sum, or of as many as there are."""
    if weight._array.shape != input._array.shape:
        raise ValueError("Weights and input must have the same size.")
    if reduction == "mean" and of_weights:
        return (values * weight).sum() / weight.sum()
    return reduce(values * weight, reduction)


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Any:
    """Return the absolute difference, its mean by default."""
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
    """Return the squared difference / (2 beta) below beta, else linear.

    The linear part is the absolute difference - beta / 2.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = broadcast_pair(input, target)
    if beta == 0.0:
        return l1_loss(input, target, reduction=reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return TABLE["smooth_l1_loss"].entry(input, target, reduction, beta)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Any = None) -> Any:
    """Return half the squared difference below delta, else linear.

    The linear part is delta (|x - t| - delta / 2).
    """
    input, target = broadcast_pair(input, target)
    if weight is None:
        return TABLE["huber_loss"].entry(input, target, reduction, delta)
    values = TABLE["huber_loss"].entry(input, target, "none", delta)
    return _weighted(values, input, weight, reduction, of_weights=False)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return -(t log p + (1 - t) log(1 - p)) of probabilities."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(
            f"Using a target size ({Size(target._array.shape)}) that is different to the input size "
            f"({Size(input._array.shape)}) is deprecated. Please ensure they have the same size."
        )
    check_found(target._array.dtype, input._array.dtype)  # before the op says that it takes no integers
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
    """Return the binary cross entropy of sigmoid(x), without overflow."""
    reduction = reduction_of(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(
            f"Target size ({Size(target._array.shape)}) must be the same as input size ({Size(input._array.shape)})"
        )
    return TABLE["binary_cross_entropy_with_logits"].entry(input, target, weight, pos_weight, reduction)


def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """Return log(1 + e^(-t x)) with targets of 1 and -1.  Raises RuntimeError for targets that require grad."""
    if target.requires_grad and is_grad_enabled():
        raise RuntimeError(
            "The function 'soft_margin_loss' is not differentiable with respect to argument 'target'. This input "
            "cannot have requires_grad True."
        )
    return TABLE["soft_margin_loss"].entry(input, target, reduction_of(size_average, reduce, reduction))


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    """Return t (log t - x) of log-probabilities x.

    `reduction="batchmean"` divides the sum by the first size.
    """
    import warnings

    reduction = reduction_of(size_average, reduce, reduction)
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides "
            "only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the "
            "same as 'batchmean' in the next major release.",
            stacklevel=2,
        )
    if reduction != "batchmean":
        return TABLE["kl_div"].entry(input, target, reduction, log_target=log_target)
    total = TABLE["kl_div"].entry(input, target, "sum", log_target=log_target)
    return total / input._array.shape[0] if input._array.ndim else total


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return e^x - t x, or x - t log(x + eps) with `log_input=False`."""
    reduction = reduction_of(size_average, reduce, reduction)
    return TABLE["poisson_nll_loss"].entry(input, target, log_input, full, eps, reduction)


@capture_as(REFUSED)
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    """Return (log var + (x - t)^2 / var) / 2; `var` is a tensor or a number."""
    if isinstance(var, (int, float)):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = input.detach() * 0 + var
    elif (var._array < 0).any():
        raise ValueError("var has negative entry/entries")
    shape, var_shape = input._array.shape, var._array.shape
    if var_shape != shape:
        if shape[:-1] == var_shape:
            var = var.unsqueeze(-1)
        elif not (shape[:-1] == var_shape[:-1] and var_shape[-1] == 1):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return TABLE["gaussian_nll_loss"].entry(input, target, var, full, eps, reduction)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return x where the target is 1, max(0, margin - x) where it is -1."""
    return TABLE["hinge_embedding_loss"].entry(input, target, margin, reduction_of(size_average, reduce, reduction))


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return max(0, -t (x1 - x2) + margin)."""
    reduction = reduction_of(size_average, reduce, reduction)
    return TABLE["margin_ranking_loss"].entry(input1, input2, target, margin, reduction)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return 1 - cos(x1, x2) for a target of 1, max(0, cos(x1, x2) - margin) for -1."""
    reduction = reduction_of(size_average, reduce, reduction)
    return TABLE["cosine_embedding_loss"].entry(input1, input2, target, margin, reduction)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return the binary cross entropy of sigmoid(x), averaged over the classes."""
    reduction = reduction_of(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    return TABLE["multilabel_soft_margin_loss"].entry(input, target, weight, reduction)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return max(0, d(anchor, positive) - d(anchor, negative) + margin)."""
    reduction = reduction_of(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return TABLE["triplet_margin_loss"].entry(anchor, positive, negative, margin, p, eps, swap, reduction)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    """Compute `triplet_margin_loss` with any distance function."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    counts = [each._array.ndim for each in (anchor, positive, negative)]
    if len(set(counts)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {counts[0]}D, positive {counts[1]}D, and negative {counts[2]}D inputs"
        )
    distance = distance_function or TABLE["pairwise_distance"].entry
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = TABLE["minimum"].entry(far, distance(positive, negative))
    return globals()["reduce"]((margin + near - far).clamp_min(0), reduction)
