"""Losses of scores against class numbers or probabilities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes.dtypes import I64
from dyncore.errors.explain import called
from dyncore.graph.capture_marks import REFUSED, capture_as
from dyncore.nn.functional.reductions import reduction_of
from dyncore.tensors.tensor import Tensor, wrap


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return minus the log-probability of each target class.

    input: (N, C, ...), target: (N, ...).
    """
    reduction = reduction_of(size_average, reduce, reduction)
    return _nll(input, target, weight, reduction, ignore_index)


def _nll(input: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    run = TABLE["nll_loss"].entry
    shape = input._array.shape
    if len(shape) in (0, 1, 2, 4) or len(shape) != target._array.ndim + 1 or shape[0] != target._array.shape[0]:
        return run(input, target, weight, reduction, ignore_index)
    sizes = target._array.shape
    if sizes[1:] != shape[2:]:
        from dyncore.tensors.size import Size

        raise RuntimeError(f"Expected target size {[shape[0], *shape[2:]]}, got {list(Size(sizes))}")
    flat = run(
        input.reshape(shape[0], shape[1], 1, -1), target.reshape(shape[0], 1, -1), weight, reduction, ignore_index
    )
    return flat.view(*sizes) if reduction == "none" else flat


def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """Return the negative log-likelihood of `target` under softmax(`input`).

    input: (N, C, ...) or (C,) scores.  target: class numbers (N, ...) or (), or probabilities of the input's shape.

    >>> round(cross_entropy(tensor([[0., 0.]]), tensor([1])).item(), 4)
    0.6931
    """
    if size_average is None and reduce is None and label_smoothing == 0.0:
        try:
            scores, numbers = input._array, target._array
        except AttributeError:  # raised below
            numbers = None
        if numbers is not None and numbers.dtype is I64 and scores.ndim == numbers.ndim + 1 < 3:
            # Rows and their classes: a shorter way to the result of the code below (tests/bench, calls).
            logs = TABLE["log_softmax"].entry(input, scores.ndim - 1)
            return TABLE["nll_loss"].entry(logs, target, weight, reduction, ignore_index)
    reduction = reduction_of(size_average, reduce, reduction)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    for number, each in enumerate((input, target)):
        if not isinstance(each, Tensor):
            name = ("input", "target")[number]
            raise TypeError(
                f"cross_entropy_loss(): argument '{name}' (position {number + 1}) must be Tensor, not {called(each)}"
            )
    axis = 0 if input._array.ndim == 1 else 1
    if target._array.shape == input._array.shape and input._array.size != 1:
        if target._array.dtype.kind != "f":
            title = target.dtype.title
            raise RuntimeError(f"Expected floating point type for target with class probabilities, got {title}")
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        classes = input._array.shape[axis]
        if weight is not None and weight._array.shape != (classes,):
            raise RuntimeError(
                f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but "
                f"got weight tensor of shape: {list(weight._array.shape)}"
            )
    if target._array.dtype.kind == "f" and target._array.shape == input._array.shape:
        logs = TABLE["log_softmax"].entry(input, axis)
        return _soft(logs, target, weight, reduction, label_smoothing, axis)
    logs = TABLE["log_softmax"].entry(input, axis)
    if label_smoothing == 0.0:
        return _nll(logs, target, weight, reduction, ignore_index)
    return _smoothed(logs, target, weight, reduction, ignore_index, label_smoothing, axis)


def _per_class(weight: Any, ndim: int, axis: int) -> Any:
    return weight.view(*(-1 if dim == axis else 1 for dim in range(ndim)))


def _soft(logs: Any, target: Any, weight: Any, reduction: str, smoothing: float, axis: int) -> Any:
    """Return the cross entropy against probabilities."""
    classes = logs._array.shape[axis]
    if smoothing:
        target = target * (1 - smoothing) + smoothing / classes
    products = logs * target
    if weight is not None:
        products = products * _per_class(weight, products._array.ndim, axis)
    if reduction == "none":
        return -products.sum(axis)
    total = -products.sum()
    if reduction == "sum":
        return total
    return TABLE["averaged"].entry(total, logs._array.size // max(classes, 1))


def _smoothed(
    logs: Any, target: Any, weight: Any, reduction: str, ignore_index: int, smoothing: float, axis: int
) -> Any:
    """Return the cross entropy against class numbers, with label smoothing.

    Each target shares a part of its probability with all classes.
    """
    nll = _nll(logs, target, weight, reduction, ignore_index)
    weighted = logs if weight is None else logs * _per_class(weight, logs._array.ndim, axis)
    spread = -weighted.sum(axis)
    ignored = target == ignore_index
    spread = spread.masked_fill(ignored, 0.0)
    if reduction == "mean":
        if weight is None:
            count = (~ignored).sum()
        else:
            count = weight[target.masked_fill(ignored, 0)].masked_fill(ignored, 0.0).sum()
        spread = spread.sum() / count
    elif reduction == "sum":
        spread = spread.sum()
    return nll * (1 - smoothing) + spread * (smoothing / logs._array.shape[axis])


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Sum max(0, margin - x[t] + x[c])^p / C over the other classes."""
    reduction = reduction_of(size_average, reduce, reduction)
    return TABLE["multi_margin_loss"].entry(input, target, p, margin, weight, reduction)


def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """Sum max(0, 1 - (x[t] - x[c])) over all targets t and other classes c."""
    return TABLE["multilabel_margin_loss"].entry(input, target, reduction_of(size_average, reduce, reduction))


def _check_linear(input: Tensor, weight: Tensor, bias: Any) -> None:
    """Raise RuntimeError unless input, weight and bias fit `linear_cross_entropy`."""
    given, wide = input._array.shape, weight._array.shape
    if len(given) not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {len(given)}")
    if len(wide) < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {len(wide)}")
    if given[-1] != wide[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{given[-1]} and {wide[-1]}, respectively"
        )
    if len(wide) > 2 and len(given) == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {wide} requires batched input, (N, {given[-1]}), got "
            f"unbatched input with shape {given}"
        )
    if bias is not None and bias._array.shape != wide[:-1]:
        raise RuntimeError(f"expected linear_bias shape {wide[:-1]}, got {bias._array.shape}")


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Any = None,
    weight: Any = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Any:
    """Return `cross_entropy` of `linear(input, linear_weight, linear_bias)`.

    linear_weight: (C, in), or (C, d1, ..., dK, in) for the loss in K dimensions.
    options: how PyTorch saves memory; accepted without effect.
    """
    _check_linear(input, linear_weight, linear_bias)
    if ignore_index is not None and target._array.dtype.kind == "f":
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    *wide, size = linear_weight._array.shape
    if len(wide) > 1:
        linear_weight = linear_weight.reshape(math.prod(wide), size)
        linear_bias = None if linear_bias is None else linear_bias.reshape(-1)
    scores = TABLE["linear"].entry(input, linear_weight, linear_bias).view(*input._array.shape[:-1], *wide)
    ignored = -100 if ignore_index is None else ignore_index
    return cross_entropy(
        scores, target, weight, ignore_index=ignored, reduction=reduction, label_smoothing=label_smoothing
    )


@capture_as(REFUSED)
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """Return minus the log-likelihood of label sequences over all alignments.

    log_probs: (T, N, C) or (T, C).  targets: (N, S), or all after one another.
    """
    whole = log_probs._array.ndim == 3
    inputs, labels = (_lengths(each) for each in (input_lengths, target_lengths))
    if not whole:
        log_probs, targets = log_probs.unsqueeze(1), targets.unsqueeze(0) if targets._array.ndim == 1 else targets
    each = TABLE["ctc_likelihood"].entry(log_probs, targets, inputs, labels, blank, zero_infinity)
    if zero_infinity:
        each = TABLE["where"].entry(each == float("inf"), wrap(np.zeros((), each._array.dtype), None), each)
    if reduction == "mean":
        lengths = wrap(np.array([max(n, 1) for n in labels], each._array.dtype), None)
        return (each / lengths).mean()
    if reduction == "sum":
        return each.sum()
    if reduction == "none":
        return each if whole else each.squeeze(0)
    raise ValueError(f"{reduction} is not a valid value for reduction")


def _lengths(given: Any) -> tuple[int, ...]:
    if isinstance(given, Tensor):
        return tuple(int(n) for n in given._array.reshape(-1))
    return tuple(int(n) for n in given) if isinstance(given, (tuple, list)) else (int(given),)
