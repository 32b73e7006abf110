"""Functions of one tensor, element by element."""

import math

import numpy as np

from ..registry import op, unary


@unary(lambda g, result: g * result.conj(), floats=True)
def exp(input):
    """e to the power of each element.

    y = e^x,  dx = dy y.   Integers become the default float.
    """
    return np.exp(input)


@unary(lambda g, result: g * (result + 1).conj(), floats=True)
def expm1(input):
    """e^x - 1, accurate near 0.  dx = dy (y + 1)."""
    return np.expm1(input)


@unary(lambda g, input: g / input.conj(), floats=True)
def log(input):
    """Natural logarithm of each element.

    y = log x,  dx = dy / x.   -inf at 0, NaN below.
    """
    return np.log(input)


@unary(lambda g, input: g / (input * math.log(2)).conj(), floats=True)
def log2(input):
    """Logarithm to base 2 of each element.  dx = dy / (x log 2)."""
    return np.log2(input)


@unary(lambda g, input: g / (input * math.log(10)).conj(), floats=True)
def log10(input):
    """Logarithm to base 10 of each element.  dx = dy / (x log 10)."""
    return np.log10(input)


@unary(lambda g, input: g / (input + 1).conj(), floats=True)
def log1p(input):
    """log(1 + x), accurate near 0.  dx = dy / (1 + x)."""
    return np.log1p(input)


@unary(lambda g, result: g / (2 * result).conj(), floats=True)
def sqrt(input):
    """Square root of each element.

    y = sqrt x,  dx = dy / (2 y).   NaN below 0.
    """
    return np.sqrt(input)


@unary(lambda g, result: g * (result * result * result * -0.5).conj(), floats=True)
def rsqrt(input):
    """One over the square root of each element.  dx = -dy y^3 / 2."""
    return 1 / np.sqrt(input)


@unary(lambda g, input: g * (2 * input).conj())
def square(input):
    """Square of each element.  dx = 2 x dy."""
    return input * input


@unary(lambda g, input: g * np.cos(input).conj(), floats=True)
def sin(input):
    """Sine of each element, in radians.  dx = dy cos x."""
    return np.sin(input)


@unary(lambda g, input: -g * np.sin(input).conj(), floats=True)
def cos(input):
    """Cosine of each element, in radians.  dx = -dy sin x."""
    return np.cos(input)


@unary(lambda g, result: g * (1 + result * result).conj(), floats=True)
def tan(input):
    """Tangent of each element, in radians.  dx = dy (1 + y^2)."""
    return np.tan(input)


@unary(lambda g, result: g * (1 - result * result).conj(), floats=True)
def tanh(input):
    """Hyperbolic tangent of each element.

    y = tanh(x),  dx = dy (1 - y^2).   (*) -> (*).   Integers become the default float.
    """
    return np.tanh(input)


@unary(lambda g, result: g * (result * (1 - result)).conj(), floats=True)
def sigmoid(input):
    """1 / (1 + e^-x), element by element.

    dx = dy y (1 - y).   Accurate on both sides: only e^-|x| is computed.
    """
    if input.dtype.kind == "c":
        return 1 / (1 + np.exp(-input))
    small = np.exp(-np.abs(input))
    return np.where(input >= 0, 1 / (1 + small), small / (1 + small)).astype(input.dtype)


@unary(lambda g: g * 0)
def floor(input):
    """The largest integer not above each element; derivative 0."""
    return np.floor(input) if input.dtype.kind != "b" else input


@unary(lambda g: g * 0)
def ceil(input):
    """The smallest integer not below each element; derivative 0."""
    return np.ceil(input)


@unary(lambda g: g * 0, aliases=("fix",))
def trunc(input):
    """Each element without its fraction; derivative 0."""
    return np.trunc(input)


@op(input=lambda g: g * 0, inplace=True)
def round(input, *, decimals: int = 0):
    """Each element rounded to the nearest integer, halves to even; derivative 0."""
    return np.round(input, decimals) if input.dtype.kind in "fc" else input


@unary(lambda g: g * 0)
def sign(input):
    """-1, 0 or 1 by the sign of each element; derivative 0."""
    if input.dtype.kind == "c":
        raise RuntimeError("Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.")
    return np.sign(input) if input.dtype.kind != "b" else input


def _inside(g, input, min, max):
    """The gradient where min <= x <= max, both bounds included, as PyTorch."""
    mask = True
    if min is not None:
        mask = mask & (input >= min)
    if max is not None:
        mask = mask & (input <= max)
    return np.where(mask, g, g * 0)


def _below(g, input, min, max):
    mask = input < min if max is None else (input < min) & (min < max)
    return np.where(mask, g, g * 0)


def _above(g, input, min, max):
    mask = input > max if min is None else (input > max) | (max < min)
    return np.where(mask, g, g * 0)


@op(
    input=_inside, min=_below, max=_above, promote=("input", "min", "max"), aliases=("clip",), inplace=True,
    node="ClampBackward1",
)  # fmt: skip
def clamp(input, min=None, max=None):
    """Each element limited to [min, max]; either bound may be left out, or be a tensor.

    The gradient passes where the element lies within the bounds.
    """
    if min is None and max is None:
        raise ValueError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if min is not None:
        input = np.maximum(input, min)
    return input if max is None else np.minimum(input, max)


@op()
def isnan(input):
    """Whether each element is NaN."""
    return np.isnan(input)


@op()
def isinf(input):
    """Whether each element is infinite."""
    return np.isinf(input)


@op()
def isfinite(input):
    """Whether each element is neither infinite nor NaN."""
    return np.isfinite(input)
