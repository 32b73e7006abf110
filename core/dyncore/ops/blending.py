"""Tensors mixed: weighted, multiplied and added, added as logarithms."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import check_computed, fitted

from .arithmetic import times


def conjugated(value):
    """Return the complex conjugate of a tensor or a number."""
    return value.conjugate() if isinstance(value, (int, float, complex)) else value.conj()


def _weighed(g, weight):
    number = isinstance(weight, (int, float, complex))
    return times(g, weight.conjugate()) if number else g * weight.conj()


def _lerp_title(weight):
    return "LerpBackward0" if isinstance(weight, (int, float, complex)) else "LerpBackward1"


@op(
    batching="each",
    input=lambda g, weight: _weighed(g, 1 - weight),
    end=lambda g, weight: _weighed(g, weight),
    weight=lambda g, input, end: g * (end - input).conj(),
    inplace=True, node=_lerp_title,
)  # fmt: skip
def lerp(input, end, weight):
    """Point between `input` (weight 0) and `end` (weight 1).

    y = input + weight (end - input),  da = dy (1 - w),  db = dy w,  dw = dy (b - a).
    """
    if input.dtype != end.dtype:
        raise RuntimeError(f"expected dtype {_word(input)} for `end` but got dtype {_word(end)}")
    if not isinstance(weight, (int, float, complex)) and weight.dtype != input.dtype and weight.ndim:
        raise RuntimeError(f"expected dtype {_word(input)} for `weight` but got dtype {_word(weight)}")
    if isinstance(weight, (int, float, complex)):
        check_computed(weight, input.dtype)
    near = np.abs(weight) < 0.5
    if isinstance(weight, (int, float, complex)):
        return input + weight * (end - input) if near else end - (end - input) * (1 - weight)
    weight = weight if weight.dtype == input.dtype else weight.astype(input.dtype)
    return np.where(near, input + weight * (end - input), end - (end - input) * (1 - weight)).astype(input.dtype)


def _word(array):
    return dtypes.in_c(array.dtype)


@op(
    batching="each",
    input=lambda g: g,
    tensor1=lambda g, tensor2, value: g * conjugated(tensor2 * value),
    tensor2=lambda g, tensor1, value: g * conjugated(tensor1 * value),
    promote=("input", "tensor1", "tensor2"), inplace=True,
)  # fmt: skip
def addcmul(input, tensor1, tensor2, *, value: object = 1):
    """input + value tensor1 tensor2, element by element."""
    if input.dtype.kind in "iu":
        value = fitted(value, input.dtype)
    elif value != 1:
        check_computed(value, input.dtype)
    return input + tensor1 * tensor2 * value


@op(
    batching="each",
    input=lambda g: g,
    tensor1=lambda g, tensor2, value: g * conjugated(value / tensor2),
    tensor2=lambda g, tensor1, tensor2, value: -g * conjugated(value * tensor1 / (tensor2 * tensor2)),
    promote=("input", "tensor1", "tensor2"), inplace=True,
)  # fmt: skip
def addcdiv(input, tensor1, tensor2, *, value: object = 1):
    """input + value tensor1 / tensor2, element by element.

    Raises RuntimeError for integers.
    """
    if input.dtype.kind in "iub":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a "
            "true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value "
            "* torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
            "tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value "
            "* tensor1 / tensor2), for all dtypes."
        )
    if value != 1:
        check_computed(value, input.dtype)
    return input + value * (tensor1 / tensor2)


@op(
    batching="each",
    input=lambda g, input, other: g / (1 + np.exp(other - input)).conj(),
    other=lambda g, input, other: g / (1 + np.exp(input - other)).conj(),
    promote=("input", "other"),
    strict=("input", "other"),
)  # fmt: skip
def logaddexp(input, other):
    """log(e^a + e^b) without overflow.

    da = dy / (1 + e^(b - a)),  db = dy / (1 + e^(a - b)).
    """
    if input.dtype.kind != "c":
        return np.logaddexp(dtypes.as_float(input), dtypes.as_float(other))
    high = np.where(input.real >= other.real, input, other)
    low = np.where(input.real >= other.real, other, input)
    return np.where(high == low, high + math.log(2), high + np.log1p(np.exp(low - high)))


@op(
    input=lambda g, input, other: g / (1 + np.exp2(other - input)),
    other=lambda g, input, other: g / (1 + np.exp2(input - other)),
    promote=("input", "other"),
    strict=("input", "other"),
)
def logaddexp2(input, other):
    """log2(2^a + 2^b) without overflow."""
    return np.logaddexp2(dtypes.as_float(input), dtypes.as_float(other))


def overloaded(name):
    """Return the rule for a node's name by which operand is a number.

    0 none, 1 the first, 2 the second.
    """

    def title(input, other):
        number = 1 if not hasattr(input, "dtype") else 2 if not hasattr(other, "dtype") else 0
        return f"{name}Backward{number}"

    return title


@op(
    input=lambda g, input, other: np.where((input == 0) & (other <= 0), 0, g * np.log(other)),
    other=lambda g, input, other: g * input / other,
    promote=("input", "other"), floats=True, inplace=True, node=overloaded("Xlogy"),
)  # fmt: skip
def xlogy(input, other):
    """a log b, 0 where a is 0, unless b is NaN.

    da = dy log b,  db = dy a / b.
    """
    input, other = dtypes.as_float(input), dtypes.as_float(other)
    result = input * np.log(other)
    return np.where(np.isnan(other), other, np.where(input == 0, 0, result)).astype(result.dtype)


@op(
    input=lambda g, input, other: np.where((input == 0) & (other <= -1), 0, g * np.log1p(other)),
    other=lambda g, input, other: g * input / (other + 1),
    promote=("input", "other"), floats=True, name="special_xlog1py", private=True, node=overloaded("SpecialXlog1Py"),
)  # fmt: skip
def xlog1py(input, other):
    """a log(1 + b), 0 where a is 0, unless b is NaN."""
    input, other = dtypes.as_float(input), dtypes.as_float(other)
    result = input * np.log1p(other)
    return np.where(np.isnan(other), other, np.where(input == 0, 0, result)).astype(result.dtype)
