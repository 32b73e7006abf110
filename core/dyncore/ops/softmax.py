"""Softmax, its logarithm, and their derivatives."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.dtypes import F32, F64
from dyncore.dtypes.supported import refusal
from dyncore.ops.activation import floating
from dyncore.ops.few import (
    FEW,
    LARGE,
    SQUARES32,
    divide,
    exp,
    largest_of,
    log_softmax_of_one,
    ones_of,
    over_sums,
    rows_of,
    softmax_of_few,
    square_of,
    sum_of,
)
from dyncore.ops.reduction import axis_of, sum_along
from dyncore.ops.rows import softmax_of_many, sums
from dyncore.tensors.strides import usual


def _softmax(input, axis):
    if not input.ndim:
        return np.exp(input - input)  # 1, and NaN for what is not finite
    if not input.size or input.dtype.kind != "f":
        e = np.exp(input - highest(input, axis))
        return e / np.add.reduce(e, axis, keepdims=True)
    input = usual(input)
    if axis == input.ndim - 1 <= 1 and input.shape[-1] <= 32 and rows_of(input):
        result = softmax_of_few(input, input.shape[-1], input.dtype)
        if result is not None:
            return result
    if input.shape[axis] == input.size:
        return _softmax_of_one(input)
    result = softmax_of_many(input, axis)
    if result is not None:
        return result
    e = input - np.maximum.reduce(input, axis, keepdims=True)
    np.exp(e, e)
    if axis == input.ndim - 1 and rows_of(e):
        return over_sums(e)
    return np.divide(e, sums(e, axis), e)


def _softmax_of_one(row):
    """Return the softmax of all elements."""
    # Of few the largest is taken as an array without dimensions, which broadcasts faster (tests/bench, early exit).
    e = row - (row[row.argmax(), ...] if row.ndim == 1 and 0 < row.size <= FEW else largest_of(row))
    np.exp(e, e)
    return np.divide(e, sum_of(e), e)


def highest(input, axis):
    """Return the largest element along `axis`, which stays; -inf if there is none."""
    # Faster for few elements than `np.max` with `initial` (tests/bench, early exit).
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
    """Gradient `input` through `softmax`, whose result is `other`."""
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
    """Gradient `input` through `log_softmax`, whose result is `other`."""
    return _log_softmax_rule(input, other, dim)


def _float_kind(input, dtype, name):
    if dtype is not None:
        kind = dtypes.to_numpy(dtype)
        input = (input.real if kind.kind != "c" else input).astype(kind)
    result = floating(input, name)
    if result.dtype.kind == "c":
        raise refusal(name, result.dtype)
    return result


@op(
    batching="dims",
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
            result = exp(input)
            totals = result.dot(squares)
            if 1.0 <= totals.item(0) < LARGE:
                return divide(result, totals, result)
            if ndim == 1:  # which `softmax_of_few` would check again
                return _softmax_of_one(input)
    if dtype is None and (dim == -1 or dim == ndim - 1) and 0 < ndim < 3:
        kind, size = input.dtype, input.size
        if 0 < size <= 32 and (kind is F32 or kind is F64) and (ndim == 1 or input.flags.c_contiguous):
            result = softmax_of_few(input, size if ndim == 1 else input.shape[1], kind)
            if result is not None:
                return result
        if size and ndim == 1 and kind.kind == "f":
            return _softmax_of_one(input)
    axis = axis_of(dim, input.ndim)
    if dtype is not None or input.dtype.kind != "f":
        input = _float_kind(input, dtype, "softmax_lastdim_kernel_impl")
    return _softmax(input, axis)


def _softmax_writer(input, dim, dtype=None):
    """Return a function that writes the softmax of one short row to an array.

    input: the layout of the arrays to come.  None unless it is a short row of float32.
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
        else:  # as `_softmax_of_one`
            np.subtract(input, input[input.argmax(), ...], out)
            exp(out, out)
            divide(out, sum_of(out), out)

    write.scratch = input.shape, (4,), F32
    return write


softmax.writer = _softmax_writer


@op(
    batching="dims",
    input=_log_softmax_rule,
    at_once=(  # one row (tests/bench, calls)
        "(squares := SQUARES32.get(input.size)) is not None and (dim == -1 or dim == input.ndim - 1) and "
        "(input.ndim == 1 or input.ndim == 2 and len(input) == 1)",
        "log_of_one(input, squares)",
        {"SQUARES32": SQUARES32, "log_of_one": log_softmax_of_one},
    ),
)
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
        if input.dtype is F32 and input.ndim <= 2 and axis == input.ndim - 1 and input.size <= 32:
            return log_softmax_of_one(input, square_of(input.size))
        flat = input if input.ndim == 1 else input.reshape(-1)
        shifted = input - flat[flat.argmax(), ...]
        result = np.exp(shifted)
        return np.subtract(shifted, np.log(sum_of(result)), result)
    input = usual(input)
    shifted = input - highest(input, axis)
    if axis == input.ndim - 1 and rows_of(shifted):
        result = np.exp(shifted)
        length = result.shape[-1]
        totals = result.dot(ones_of(length, length if length <= 32 else 1, result.dtype))
        return np.subtract(shifted, np.log(totals, totals), result)
    result = np.exp(shifted)
    return np.subtract(shifted, np.log(sums(result, axis)), result)
