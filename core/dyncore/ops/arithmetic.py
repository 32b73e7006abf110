"""Arithmetic of two tensors, or a tensor and a number, element by element."""

import operator

import numpy as np

from dyncore.dispatch.registry import UNDERIVED, binary, op, unary
from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import check_fits
from dyncore.dtypes.supported import TWO_BOOLEANS, refusal

from .filling import zeros_like


@binary(input=lambda g: g, other=lambda g: g)
def add(input, other):
    """Sum of two tensors, element by element; `alpha` multiplies `other` first.

    y = a + b,  da = dy,  db = dy.   Shapes broadcast, dtypes promote.
    """
    return input + other


@binary(input=lambda g: g, other=lambda g: -g, aliases=("subtract",))
def sub(input, other):
    """Difference of two tensors, element by element.

    y = a - b,  da = dy,  db = -dy.   `alpha` multiplies `other` first.   Raises RuntimeError for booleans.
    """
    if input.dtype.kind == "b":
        raise RuntimeError(TWO_BOOLEANS)
    return input - other


@binary(
    input=lambda g: -g,
    other=lambda g: g,
    inplace=False,
    strict=("input",),
    node=lambda other: "RsubBackward0" if hasattr(other, "dtype") else "RsubBackward1",
)
def rsub(input, other):
    """`other - input`, what `number - tensor` runs.

    y = b - a,  da = -dy,  db = dy.
    """
    return other - input


def _times(other, alpha, sign=1):
    """Return `alpha` times `other`.

    Raises RuntimeError for an `alpha` that, with its sign, does not fit the dtype.
    """
    kind = other.dtype.kind
    if sign < 0 and kind == "b":
        return other
    if isinstance(alpha, bool) and kind != "b":
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, (float, complex)) and kind not in "fc":
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if isinstance(alpha, complex) and kind != "c":
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")
    check_fits(sign * alpha, other.dtype)
    return other * np.asarray(alpha).astype(other.dtype)


@op(input=lambda g, number: times(g, number.conjugate()), private=True, node="MulBackward1")
def times(input, number: object):
    """Tensor times a number, in derivatives where PyTorch has an op for that."""
    return input * number


@binary(input=lambda g, other: mul_number(g, other), private=True, inplace=False, node="MulBackward1")
def mul_number(input, other):
    """`times` as an elementwise op, for real numbers."""
    return input * other


@binary(input=lambda g: g, private=True, inplace=False, node="AddBackward1")
def add_number(input, other):
    """Tensor plus a number, in derivatives as `times`."""
    return input + other


_SCALED = {"promote": ("input", "other"), "method": False, "function": False}


@op(input=lambda g: g, other=lambda g, alpha: times(g, alpha.conjugate()), node="AddBackward0", **_SCALED)
def add_scaled(input, other, alpha: object):
    """input + alpha other, what `add` runs for an `alpha`.

    da = dy,  db = alpha dy.
    """
    return input + _times(other, alpha)


@op(input=lambda g: g, other=lambda g, alpha: times(-g, alpha.conjugate()), node="SubBackward0", **_SCALED)
def sub_scaled(input, other, alpha: object):
    """input - alpha other, what `sub` runs for an `alpha`.

    da = dy,  db = -alpha dy.
    """
    return sub(input, _times(other, alpha, -1))


@op(input=lambda g, alpha: times(-g, alpha.conjugate()), other=lambda g: g, node="RsubBackward0", **_SCALED)
def rsub_scaled(input, other, alpha: object):
    """other - alpha input, what `rsub` runs for an `alpha`.

    da = -alpha dy,  db = dy.
    """
    return sub(other, _times(input, alpha, -1))


@binary(input=lambda g, other: g * other.conj(), other=lambda g, input: g * input.conj(), aliases=("multiply",))
def mul(input, other):
    """Product of two tensors, element by element.

    y = a b,  da = dy conj(b),  db = dy conj(a).
    """
    return input * other


@binary(
    input=lambda g, other: g / other.conj(),
    other=lambda g, input, other: -g * ((input / other) / other).conj(),
    floats=True,
    aliases=("divide", "true_divide"),
)
def div(input, other):
    """Quotient of two tensors, element by element; integers become the default float.

    y = a / b,  da = dy / conj(b),  db = -dy conj(a / b^2).   `rounding_mode` is None, "trunc" or "floor".
    """
    return input / other


@op(
    input=lambda g, other, rounding_mode: np.zeros_like(g),
    other=lambda g, input, other, rounding_mode: np.zeros_like(g),
    promote=("input", "other"),
    method=False,
    function=False,
    node="DivBackward2",
)
def div_rounded(input, other, rounding_mode: str | None = None):
    """`div` rounded towards zero ("trunc") or down ("floor"); its derivative is zero."""
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + str(rounding_mode) + "'"
        )
    if input.dtype.kind in "bc":
        raise refusal(f"div_{rounding_mode}_cpu", input.dtype)
    if rounding_mode == "floor":
        return _floor_divide(input, other)
    if input.dtype.kind in "iu":
        quotient = _floor_divide(input, other)
        inexact = quotient * other != input
        return (quotient + (inexact & ((input < 0) != (other < 0)))).astype(input.dtype)
    return np.trunc(input / other)


def _floor_divide(input, other):
    if input.dtype.kind in "iub":
        if not np.all(other):
            raise RuntimeError("ZeroDivisionError")
        return np.floor_divide(input, other).astype(input.dtype)
    rest = np.fmod(input, other)
    whole = (input - rest) / other
    whole = np.where((rest != 0) & ((other < 0) != (rest < 0)), whole - 1, whole)
    quotient = input / other
    return np.where(other == 0, quotient, np.copysign(np.rint(whole), quotient))


def _underived_quotient(g):
    raise RuntimeError("derivative for aten::floor_divide is not implemented")


@binary(input=_underived_quotient, other=_underived_quotient, node=UNDERIVED)
def floor_divide(input, other):
    """Quotient rounded down, element by element; the dtype stays."""
    return _floor_divide(input, other)


def _remainder_title(input, other):
    if not hasattr(input, "dtype"):
        return UNDERIVED
    return "RemainderBackward1" if hasattr(other, "dtype") else "RemainderBackward0"


@binary(
    input=lambda g: g,
    other=lambda g, input, other: -g * div_rounded(input, other, rounding_mode="floor"),
    node=_remainder_title,
)
def remainder(input, other):
    """Remainder with the sign of the divisor, as Python's `%`.

    y = a - floor(a / b) b,  da = dy,  db = -dy floor(a / b), of a number `input` none.
    """
    if input.dtype.kind in "iu" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")
    rest = np.remainder(input, other)
    if rest.dtype.kind == "f" and not rest.all():
        return np.where(rest == 0, np.copysign(rest, input), rest)  # of a whole multiple, as C's `fmod` signs it
    return rest


def _fmod_other(g, input, other):
    return -g * np.trunc(input / other)


_fmod_other.recorded = lambda g, input, other: -g * div_rounded(input, other, "trunc")


@binary(
    input=lambda g: g,
    other=_fmod_other,
    node=lambda other: "FmodBackward1" if hasattr(other, "dtype") else "FmodBackward0",
    strict=("input",),
)
def fmod(input, other):
    """Remainder with the sign of the dividend, as C's `fmod`."""
    if input.dtype.kind in "iu" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")
    return np.fmod(input, other)


@unary(lambda g: -g, aliases=("negative",))
def neg(input):
    """Negative of each element.

    y = -x,  dx = -dy.
    """
    if input.dtype.kind == "b":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
            "the `~` or `logical_not()` operator instead."
        )
    return operator.neg(input)


@op(input=lambda g: g, itself=True)
def positive(input):
    """`input` itself.

    Raises RuntimeError for booleans.
    """
    if input.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@unary(lambda g, result: -g * (result * result).conj(), floats=True)
def reciprocal(input):
    """One over each element.

    y = 1 / x,  dx = -dy y^2.   Integers become the default float.
    """
    return np.reciprocal(input)


@op(
    input=lambda g, input, result: g * np.where(input == 0, 0, result / input),
    other=zeros_like,
    promote=("input", "other"), floats=True, inplace=True,
    node=lambda other: "CopysignBackward0" if hasattr(other, "dtype") else "CopysignBackward1",
    strict=("input",),
)  # fmt: skip
def copysign(input, other):
    """Magnitude of `input` with the sign of `other`, also of -0.

    The gradient of `other` is 0.
    """
    return np.copysign(dtypes.as_float(input), dtypes.as_float(other))


def _underived_step(g):
    raise RuntimeError("derivative for aten::heaviside is not implemented")


@op(input=_underived_step, values=_underived_step, strict=("input", "values"), inplace=True, node=UNDERIVED)
def heaviside(input, values):
    """0 where `input` is negative, 1 where it is positive, `values` where it is 0."""
    if input.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return np.where(input == 0, values, input > 0).astype(input.dtype)


@op(
    input=lambda g, input, other: np.where(input == other, 0, g),
    other=zeros_like,
    promote=("input", "other"), inplace=True, strict=("input", "other"),
)  # fmt: skip
def nextafter(input, other):
    """Next floating-point number from `input` towards `other`."""
    return np.nextafter(input, other)
