"""Arithmetic of two tensors, or a tensor and a number, element by element."""

import operator

import numpy as np

from ..registry import binary, op, unary


@binary(input=lambda g: g, other=lambda g: g)
def add(input, other):
    """Sum of two tensors, element by element; `alpha` multiplies `other` first.

    y = a + b,  da = dy,  db = dy.   Shapes broadcast, dtypes promote.
    """
    return input + other


@binary(input=lambda g: g, other=lambda g: -g, aliases=("subtract",))
def sub(input, other):
    """Difference of two tensors, element by element; `alpha` multiplies `other` first.

    y = a - b,  da = dy,  db = -dy.   Raises RuntimeError for booleans.
    """
    if input.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    return input - other


@binary(input=lambda g: -g, other=lambda g: g, inplace=False, node="RsubBackward1")
def rsub(input, other):
    """`other - input`, what `number - tensor` runs.

    y = b - a,  da = -dy,  db = dy.
    """
    return other - input


@binary(
    input=lambda g, other: g * other.conj(),
    other=lambda g, input: g * input.conj(),
    aliases=("multiply",),
)
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
    input=lambda g: g * 0,
    other=lambda g: g * 0,
    promote=("input", "other"),
    method=False,
    function=False,
    node="DivBackward1",
)
def div_rounded(input, other, rounding_mode: str | None = None):
    """`div` rounded towards zero ("trunc") or down ("floor"); its derivative is zero."""
    if rounding_mode == "floor":
        return _floor_divide(input, other)
    if rounding_mode != "trunc":
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + str(rounding_mode) + "'"
        )
    if input.dtype.kind in "iub":
        quotient = _floor_divide(input, other)
        inexact = quotient * other != input
        return (quotient + (inexact & ((input < 0) != (other < 0)))).astype(input.dtype)
    return np.trunc(input / other)


def _floor_divide(input, other):
    if input.dtype.kind in "iub" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")
    return np.floor_divide(input, other)


@binary(input=lambda g: g * 0, other=lambda g: g * 0)
def floor_divide(input, other):
    """Quotient rounded down, element by element; the dtype stays."""
    return _floor_divide(input, other)


@binary(
    input=lambda g: g,
    other=lambda g, input, other: -g * np.floor(input / other),
)
def remainder(input, other):
    """Remainder with the sign of the divisor, as Python's `%`.

    y = a - floor(a / b) b,  da = dy,  db = -dy floor(a / b).
    """
    if input.dtype.kind in "iu" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")
    return np.remainder(input, other)


@binary(
    input=lambda g: g,
    other=lambda g, input, other: -g * np.trunc(input / other),
)
def fmod(input, other):
    """Remainder with the sign of the dividend, as C's `fmod`."""
    if input.dtype.kind in "iu" and not np.all(other):
        raise RuntimeError("ZeroDivisionError")
    return np.fmod(input, other)


def _power_input(g, input, exponent):
    """d/da a^b = b a^(b-1), and zero where b is zero, also at a = 0."""
    if isinstance(exponent, (int, float, complex)):
        if exponent == 0:
            return g * 0
        return g * (exponent * input ** (exponent - 1)).conj()
    return g * np.where(exponent == 0, exponent * 0, exponent * input ** (exponent - 1)).conj()


def _power_exponent(g, input, exponent, result):
    """d/db a^b = a^b log a, and zero at a = 0 where b >= 0."""
    if isinstance(input, (int, float, complex)):
        import cmath

        if input == 0:
            return g * np.where(exponent >= 0, result * 0, result * -np.inf)
        return g * (result * (cmath.log(input) if input < 0 or isinstance(input, complex) else cmath.log(input).real)).conj()
    return g * np.where((input == 0) & (exponent >= 0), result * 0, result * np.log(input)).conj()


def _power_title(exponent):
    return "PowBackward0" if isinstance(exponent, (int, float, complex)) else "PowBackward1"


@op(input=_power_input, exponent=_power_exponent, inplace=True, node=_power_title)
def pow(input, exponent):
    """`input` to the power of `exponent`, element by element; either may be a number.

    y = a^b,  da = dy b a^(b-1) (0 where b = 0),  db = dy a^b log a (0 at a = 0, b >= 0).
    Raises RuntimeError for integers to negative integer powers.
    """
    from .. import dtypes

    target = dtypes.result_type(input, exponent)
    kinds = [getattr(each, "dtype", None) for each in (input, exponent)]
    if target.kind in "iub" and isinstance(exponent, int) and exponent < 0 and kinds[0] is not None:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    base, power = (each.astype(target) if hasattr(each, "astype") else target.type(each) for each in (input, exponent))
    if target.kind == "f" and isinstance(exponent, (int, float)):
        if exponent == 2:
            return base * base
        if exponent == 1:
            return base.copy()
        if exponent == 0.5:
            return np.sqrt(base)
        if exponent == 3:
            return base * base * base
    if target.kind in "iu":
        return _integer_power(base, power)
    return np.power(base, power)


def _integer_power(base, power):
    """Integer powers that wrap like C's, with 1 / a for negative exponents rounded to zero."""
    negative = power < 0
    if np.any(negative):
        whole = np.power(base, np.where(negative, 0, power))
        fraction = np.where(base == 1, 1, np.where(base == -1, np.where(power % 2 == 0, 1, -1), 0))
        return np.where(negative, fraction, whole).astype(base.dtype)
    return np.power(base, power)


@unary(lambda g: -g, aliases=("negative",))
def neg(input):
    """Negative of each element.

    y = -x,  dx = -dy.
    """
    if input.dtype.kind == "b":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
            "`~` or `logical_not()` operator instead."
        )
    return operator.neg(input)


@unary(lambda g: g, inplace=False)
def positive(input):
    """`input` itself.  Raises RuntimeError for booleans."""
    if input.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@unary(lambda g, result: -g * (result * result).conj(), floats=True)
def reciprocal(input):
    """One over each element.

    y = 1 / x,  dx = -dy y^2.   Integers become the default float.
    """
    return np.reciprocal(input)


@unary(lambda g, input: g * np.sign(input), aliases=("absolute",))
def abs(input):
    """Absolute value of each element; of a complex number its length.

    y = |x|,  dx = dy sign(x), 0 at 0.
    """
    if input.dtype.kind == "b":
        raise RuntimeError("\"abs_cpu\" not implemented for 'Bool'")
    return np.abs(input)


@binary(
    input=lambda g, input, other: g * ((input > other) + (input == other) / 2),
    other=lambda g, input, other: g * ((other > input) + (input == other) / 2),
    inplace=False,
)
def maximum(input, other):
    """The larger of two elements; NaN where either is NaN.

    The gradient goes to the larger; halves where they are equal.
    """
    return np.maximum(input, other)


@binary(
    input=lambda g, input, other: g * ((input < other) + (input == other) / 2),
    other=lambda g, input, other: g * ((other < input) + (input == other) / 2),
    inplace=False,
)
def minimum(input, other):
    """The smaller of two elements; NaN where either is NaN.

    The gradient goes to the smaller; halves where they are equal.
    """
    return np.minimum(input, other)
