"""Losses of scores against class numbers."""

import functools

import numpy as np

from dyncore.dispatch.recompute import recomputed
from dyncore.dispatch.registry import UNDERIVED, keep, op
from dyncore.dtypes import dtypes
from dyncore.dtypes.dtypes import I64
from dyncore.ops.few import largest_of, sum_of
from dyncore.ops.filling import zeros_like
from dyncore.ops.gathering import gather, gather_place
from dyncore.ops.loss import reduced, share


def _class_axis(ndim):
    return 1 if ndim > 1 else 0


def _nll_title(input):
    return "NllLoss2DBackward0" if input.ndim == 4 else "NllLossBackward0"


def _nll_rule(g, input, index, factor, target, weight, reduction, ignore_index):  # the last four only shown
    axis = _class_axis(len(input.shape))
    if index.shape == (1, 1):  # one row, as at each step of a character RNN
        result = np.zeros(input.shape, g.dtype)
        result[0, index.item(0)] = (g * factor).item(0)
        return result
    return gather_place(np.expand_dims(g * factor, axis), tuple(input.shape), axis, index)


def _nll_recorded(g, input, index, factor, target, weight, reduction, ignore_index):
    return nll_backward(g, input, index, factor)


_nll_rule.recorded = _nll_recorded


def _nll_again(g, other, index, factor):
    axis = _class_axis(len(other.shape))
    return np.squeeze(gather(g, axis, index), axis) * factor


def _nll_back_title(other):
    return "NllLoss2DBackwardBackward0" if other.ndim == 4 else "NllLossBackwardBackward0"


@op(input=_nll_again, other=lambda g: zeros_like(g), private=True, node=_nll_back_title)
def nll_backward(input, other, index: object, factor: object):
    """Gradient `input` through `nll_loss` of `other`, whose derivative is zeros."""
    return _nll_rule(input, other, index, factor, None, None, None, None)


@op(input=_nll_rule, node=_nll_title, method=False, function=False)
def nll_loss(input, target, weight=None, reduction: str = "mean", ignore_index: int = -100):
    """Minus the entry of each row that its target names, weighted by class.

    input: (N, C, ...) or (C,) log-probabilities.  target: (N, ...) or () class numbers.
    Returns () or, for `reduction="none"`, the target's shape; the mean is over the weights.
    Raises IndexError if a target is outside [0, C) and is not `ignore_index`.
    """
    if weight is None and input.ndim == 2 and target.ndim == 1 and target.dtype is I64 and input.dtype.kind == "f":
        result = _nll_of_rows(input, target, reduction, ignore_index)
        if result is not None:
            return result
    _check_nll(input, target, weight)
    if input.ndim == 1 and target.ndim == 1:
        target = target.reshape(())
    axis = _class_axis(input.ndim)
    classes = input.shape[axis]
    valid = target != ignore_index
    wrong = valid & ((target < 0) | (target >= classes))
    if wrong.any():
        raise IndexError(f"Target {np.asarray(target)[wrong].flat[0]} is out of bounds.")
    index = np.where(valid, target, 0).astype(np.int64)
    weights = np.ones((), input.dtype) if weight is None else weight[index]
    factor = np.where(valid, -weights, 0).astype(input.dtype)
    spread = np.expand_dims(index, axis)
    picked = np.take_along_axis(input, spread, axis).squeeze(axis)
    values = np.where(valid, picked * factor, 0).astype(input.dtype)
    if reduction == "none":
        return keep(values, index=spread, factor=factor)
    total = np.add.reduce(values, axis=None)
    if reduction == "sum":
        return keep(total, index=spread, factor=factor)
    if reduction != "mean":
        raise ValueError(f"{reduction} is not a valid value for reduction")
    scale = -np.add.reduce(factor, axis=None)
    factor = np.where(valid, factor / scale, factor)  # zeros, not NaN, where all are ignored
    return keep(total / scale if values.size else total * np.nan, index=spread, factor=factor)


def _nll_of_rows(input, target, reduction, ignore_index):
    """Return the loss of rows whose targets are all classes.

    None for any other target.
    """
    rows, classes = input.shape
    if len(target) != rows or not rows or 0 <= ignore_index < classes or reduction not in ("mean", "sum"):
        return None
    if rows == 1:  # (tests/bench, calls: nll_loss)
        position = target.item(0)
        if not 0 <= position < classes:
            return None
        factor = np.empty(1, input.dtype)
        factor.fill(-1)
        kind = input.dtype.type
        return keep((input[0, position] + kind(0)) / kind(-1), index=target.reshape(1, 1).copy(), factor=factor)
    if largest_of(target.view(np.uint64)) >= classes:  # a negative number is a large one without a sign
        return None
    total = sum_of(input[row_numbers(rows), target])
    scale = input.dtype.type(-rows if reduction == "mean" else -1)
    factor = np.empty(rows, input.dtype)  # faster than `np.full`
    factor.fill(1 / scale)
    return keep(total / scale, index=target.reshape(-1, 1).copy(), factor=factor)


@functools.lru_cache(maxsize=16)
def row_numbers(rows):
    """Return 0, 1, ... as a read-only index."""
    return np.arange(rows)


def _check_nll(input, target, weight):
    if input.ndim == 0:
        raise ValueError(f"Expected 1 or more dimensions (got {input.ndim})")
    if input.ndim == 1 and target.ndim == 1 and target.size != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.size}")
    if input.ndim > 1 and input.shape[0] != (target.shape[0] if target.ndim else 0):
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size "
            f"({target.shape[0] if target.ndim else 0})."
        )
    if input.ndim <= 2 and target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input.ndim == 4 and target.ndim != 3:
        raise RuntimeError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {target.ndim}"
        )
    if input.ndim == 4 and target.shape[1:] != input.shape[2:]:
        raise RuntimeError(f"size mismatch (got input: {list(input.shape)} , target: {list(target.shape)}")
    if input.ndim > 2 and target.shape != (input.shape[0], *input.shape[2:]):
        wanted = [input.shape[0], *input.shape[2:]]
        raise RuntimeError(f"Expected target size {wanted}, got {list(target.shape)}")
    if target.dtype != np.int64 and target.dtype != np.uint8:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {dtypes.of(target.dtype).title}")
    if weight is not None and weight.dtype != input.dtype:
        one, two = dtypes.of(input.dtype).title, dtypes.of(weight.dtype).title
        raise RuntimeError(f"expected scalar type {one} but found {two}")
    classes = input.shape[_class_axis(input.ndim)]
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {list(weight.shape)}"
        )


def _rows(input):
    """Return scores as (N, C)."""
    return input if len(input.shape) > 1 else np.reshape(input, (1, -1))


@op(
    input=lambda g, input, index, inside, factor, p, margin, reduction: _multi_margin(
        g, input, index, inside, factor, p, margin, reduction
    ),
    method=False,
    function=False,
    back=UNDERIVED,
)
def multi_margin_loss(input, target, p: float = 1, margin: float = 1.0, weight=None, reduction: str = "mean"):
    """Sum over the other classes of max(0, margin - x[t] + x[c])^p / C.

    Weighted by the target's class.
    """
    _check_margin(input, target, p, weight, reduction)
    scores, classes = _rows(input), np.reshape(target, -1)
    index = np.expand_dims(classes, 1)
    if index.size and ((index < 0) | (index >= scores.shape[1])).any():
        raise RuntimeError("target out of range")
    away = margin - np.take_along_axis(scores, index, 1) + scores
    inside = (away > 0).astype(scores.dtype)
    np.put_along_axis(inside, index, 0, 1)
    weights = np.ones(len(scores), scores.dtype) if weight is None else weight[classes]
    factor = (weights / max(scores.shape[1], 1))[:, None]
    values = np.add.reduce(inside * away**p * factor, axis=1)
    if input.ndim < 2:
        values = values[0]
        return keep(values[()], index=index, inside=inside, factor=factor)
    return keep(reduced(values, reduction), index=index, inside=inside, factor=factor)


def _check_margin(input, target, p, weight, reduction):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if weight is not None and weight.ndim != 1:
        raise ValueError("weight must be one-dimensional")
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if input.ndim > 2 or (input.ndim and not input.shape[-1]):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(input.shape)}"
        )
    rows = input.shape[0] if input.ndim == 2 else 1
    classes = input.shape[-1] if input.ndim else 1
    if weight is not None and weight.size != classes:
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {list(weight.shape)}")
    if target.ndim > 1 or target.size != rows:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size [{rows}], but got {list(target.shape)}. Input has shape {list(input.shape)}."
        )
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtypes.of(target.dtype).title}")


def _multi_margin(g, input, index, inside, factor, p, margin, reduction):
    scores = _rows(input)
    each = share(g, scores[:, 0], reduction)
    each = each if len(each.shape) == 0 else np.expand_dims(each, -1)
    slope = inside * factor
    if p == 2:
        slope = slope * 2 * (margin - np.take_along_axis(scores, index, axis=1) + scores)
    slope = slope * each
    back = slope - gather_place(np.sum(slope, axis=1, keepdims=True), tuple(scores.shape), 1, index)
    return np.reshape(back, tuple(input.shape))


def _multilabel(input, chosen, is_target, count):
    """Return the sum of max(0, 1 - (x[t] - x[c])) / C for each row.

    Over targets t and other classes c.
    """
    picked = np.take_along_axis(input, chosen, axis=1)
    away = 1 - np.expand_dims(picked, 2) + np.expand_dims(input, 1)
    inside = np.expand_dims(count, 2) * np.expand_dims(1 - is_target, 1)
    return np.sum(np.maximum(away, 0 * away) * inside, axis=(1, 2)) / input.shape[1]


def _multilabel_rule(g, input, chosen, is_target, count, reduction, wanted):
    rows = _rows(input)
    each = share(g, rows[:, 0], reduction)
    each = np.broadcast_to(each, (rows.shape[0],))
    return recomputed(_multilabel_rows, each, wanted, {"input": input}, chosen, is_target, count)


def _multilabel_rows(input, chosen, is_target, count):
    return _multilabel(_rows(input), chosen, is_target, count)


@op(joint=_multilabel_rule, method=False, function=False, back=UNDERIVED)
def multilabel_margin_loss(input, target, reduction: str = "mean"):
    """max(0, 1 - (x[t] - x[c])) over all targets t and other classes c.

    Targets are listed up to the first -1.
    """
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if input.ndim in (1, 2) and not input.shape[-1]:
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(input.shape)}"
        )
    if input.ndim > 2 or input.ndim != target.ndim or input.shape != target.shape:
        raise RuntimeError(f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}")
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtypes.of(target.dtype).title}")
    scores, classes = (_rows(each) for each in (input, target))
    listed = np.cumprod(classes >= 0, axis=1).astype(bool)
    if (classes >= scores.shape[1]).any():
        raise RuntimeError("target index out of range")
    chosen = np.where(listed, classes, 0)
    is_target = np.zeros(scores.shape, scores.dtype)
    rows, positions = np.nonzero(listed)
    is_target[rows, classes[rows, positions]] = 1
    count = listed.astype(scores.dtype)
    values = _multilabel(scores, chosen, is_target, count).astype(input.dtype)
    result = values[0] if input.ndim < 2 else reduced(values, reduction)
    return keep(result, chosen=chosen, is_target=is_target, count=count)


@op(input=lambda g, count: g / count, private=True, node="DivBackward1")
def averaged(input, count: float):
    """`input` over the number of elements it was summed from."""
    return input / input.dtype.type(count)
