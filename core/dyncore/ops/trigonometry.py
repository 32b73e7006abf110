"""Circular and hyperbolic functions and their inverses, element by element."""

import math

import numpy as np

from dyncore.dispatch.registry import binary, op, unary
from dyncore.dtypes import dtypes

from .arithmetic import add_number
from .pointwise import rsqrt


@unary(lambda g, input: g * np.cos(input).conj(), floats=True)
def sin(input):
    """Sine of each element, in radians.

    dx = dy cos x.
    """
    return np.sin(input)


@unary(
    lambda g, input: -g * np.sin(input).conj(),
    floats=True, twice=lambda g, input: g * -np.sin(input),
)  # fmt: skip
def cos(input):
    """Cosine of each element, in radians.

    dx = -dy sin x.
    """
    return np.cos(input)


@unary(
    lambda g, result: g * (1 + result * result).conj(),
    floats=True, twice=lambda g, result: g * add_number(result * result, 1),
)  # fmt: skip
def tan(input):
    """Tangent of each element, in radians.

    dx = dy (1 + y^2).
    """
    return np.tan(input)


@unary(
    lambda g, input: g / np.sqrt(1 - input * input).conj(),
    floats=True, aliases=("arcsin",), twice=lambda g, input: g * rsqrt(1 - input * input),
)  # fmt: skip
def asin(input):
    """Inverse sine of each element, in radians; NaN outside [-1, 1].

    dx = dy / sqrt(1 - x^2).
    """
    return np.arcsin(input)


@unary(
    lambda g, input: -g / np.sqrt(1 - input * input).conj(),
    floats=True, aliases=("arccos",), twice=lambda g, input: g * -rsqrt(1 - input * input),
)  # fmt: skip
def acos(input):
    """Inverse cosine of each element, in radians; NaN outside [-1, 1].

    dx = -dy / sqrt(1 - x^2).
    """
    return np.arccos(input)


@unary(
    lambda g, input: g / (1 + input * input).conj(),
    floats=True, aliases=("arctan",), twice=lambda g, input: g / add_number(input * input, 1),
)  # fmt: skip
def atan(input):
    """Inverse tangent of each element, in radians.

    dx = dy / (1 + x^2).
    """
    return np.arctan(input)


@unary(lambda g, input: g * np.cosh(input).conj(), floats=True)
def sinh(input):
    """Hyperbolic sine of each element.

    dx = dy cosh x.
    """
    return np.sinh(input)


@unary(lambda g, input: g * np.sinh(input).conj(), floats=True)
def cosh(input):
    """Hyperbolic cosine of each element.

    dx = dy sinh x.
    """
    return np.cosh(input)


@binary(
    input=lambda g, other: g * (1 - other * other),
    other=lambda g, input, other: g * input * other * -2,
    private=True, inplace=False, node="TanhBackwardBackward0",
)  # fmt: skip
def tanh_backward(input, other):
    """Gradient `input` of y = tanh(x) times its slope; `other` is y."""
    return input * (1 - other * other)


@unary(
    lambda g, result: g * (1 - result * result).conj(),
    floats=True, twice=lambda g, result: tanh_backward(g, result),
)  # fmt: skip
def tanh(input):
    """Hyperbolic tangent of each element.

    y = tanh(x),  dx = dy (1 - y^2).   (*) -> (*).   Integers become the default float.
    """
    return np.tanh(input)


@unary(
    lambda g, input: g / np.sqrt(1 + input * input).conj(),
    floats=True,
    aliases=("arcsinh",),
    inplace={"AsinhBackward0": "AsinhBackward1"},
)
def asinh(input):
    """Inverse hyperbolic sine of each element.

    dx = dy / sqrt(1 + x^2).
    """
    return np.arcsinh(input)


@unary(
    lambda g, input: g / (np.sqrt(input - 1) * np.sqrt(input + 1)).conj(),
    floats=True,
    aliases=("arccosh",),
    inplace={"AcoshBackward0": "AcoshBackward1"},
)
def acosh(input):
    """Inverse hyperbolic cosine of each element; NaN below 1.

    dx = dy / sqrt(x^2 - 1).
    """
    return np.arccosh(input)


@unary(
    lambda g, input: g / (1 - input * input).conj(),
    floats=True,
    aliases=("arctanh",),
    inplace={"AtanhBackward0": "AtanhBackward1"},
)
def atanh(input):
    """Inverse hyperbolic tangent of each element; NaN outside [-1, 1].

    dx = dy / (1 - x^2).
    """
    return np.arctanh(input)


def _sinc_rule(g, input):
    """Return (x cos(pi x) - sin(pi x) / pi) / x^2, 0 at 0."""
    turned = input * math.pi
    square = turned * input  # 0 also of what is too small to be squared
    slope = (turned * np.cos(turned) - np.sin(turned)) / square
    return np.where(square == 0, 0, g * slope.conj())


@unary(_sinc_rule, floats=True)
def sinc(input):
    """sin(pi x) / (pi x) of each element, 1 at 0."""
    turned = input * math.pi
    return np.where(input == 0, 1, np.sin(turned) / np.where(input == 0, 1, turned)).astype(input.dtype)


def _steered(g, input, other):
    """Return dy / (a^2 + b^2), 0 where both are 0."""
    square = input * input + other * other
    return np.where(square == 0, 0, g / np.where(square == 0, 1, square))


@binary(
    input=lambda g, input, other: _steered(g, input, other) * other,
    other=lambda g, input, other: _steered(g, input, other) * -input,
    floats=True, aliases=("arctan2",),
    strict=("input", "other"),
)  # fmt: skip
def atan2(input, other):
    """Angle of the point (other, input), in (-pi, pi].

    da = dy b / (a^2 + b^2),  db = -dy a / (a^2 + b^2), 0 at the origin.
    """
    return np.arctan2(input, dtypes.as_float(other))


@op(
    batching="each",
    input=lambda g, input, result: g * (input / result),
    other=lambda g, other, result: g * (other / result),
    promote=("input", "other"), inplace=True,
    strict=("input", "other"),
)  # fmt: skip
def hypot(input, other):
    """sqrt(a^2 + b^2) without overflow.

    da = dy a / y,  db = dy b / y.
    """
    return np.hypot(input, other)
