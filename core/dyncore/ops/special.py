"""Error functions and related ones, element by element.

`erfc`, and `erf` of few numbers or of float64, are the C library's, one call an element; everything else is
vectorized.
"""

import math

import numpy as np

from dyncore.dispatch.registry import op, unary
from dyncore.tensors.strides import laid_like

from .arithmetic import mul_number
from .normal import erf_of_many, many

_ROOT_PI = math.sqrt(math.pi)
_ROOT_2 = math.sqrt(2)


def each(function, array):
    """Apply `function`, of a Python float, to every element."""
    result = np.fromiter(map(function, array.ravel().tolist()), np.float64, array.size)
    if not array.ndim:
        return array.dtype.type(result[0])
    return laid_like(array, result.reshape(array.shape).astype(array.dtype, copy=False))


def doubled(function, input):
    """Apply `function` in float64, and return the dtype of `input`."""
    result = function(np.asarray(input, np.float64))
    return laid_like(input, result.astype(input.dtype)) if np.ndim(result) else input.dtype.type(result)


@unary(
    lambda g, input: g * (2 / _ROOT_PI) * np.exp(-(input * input)),
    floats=True, twice=lambda g, input: mul_number(np.exp(-(input * input)), 2 / _ROOT_PI) * g,
)  # fmt: skip
def erf(input):
    """Error function of each element.

    y = 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x,  dx = dy 2 / sqrt(pi) e^(-x^2).
    """
    if many(input):
        return laid_like(input, erf_of_many(input))
    return each(math.erf, input)


@unary(lambda g, input: g * (-2 / _ROOT_PI) * np.exp(-(input * input)), floats=True)
def erfc(input):
    """1 - erf(x), accurate where erf is near 1.

    dx = -dy 2 / sqrt(pi) e^(-x^2).
    """
    return each(math.erfc, input)


def _scaled(x):
    """Return e^(x^2) erfc(x).

    Below 10 from erfc, with x^2 in two parts; above by its asymptotic series.
    """
    small = np.where(x < 10, x, 0)
    high = np.round(small * 2.0**20) / 2.0**20
    low = (small - high) * (small + high)
    result = np.exp(high * high) * np.exp(low) * each(math.erfc, small)
    inverse = 1 / np.where(x < 10, 10, x)
    term = total = np.ones_like(inverse)
    for k in range(1, 13):
        term = term * (-(2 * k - 1) / 2) * inverse * inverse
        total = total + term
    return np.where(x < 10, np.where(x < -27, np.inf, result), total * inverse / _ROOT_PI)


@unary(
    lambda g, input, result: g * (2 * input * result - 2 / _ROOT_PI),
    floats=True, name="special_erfcx", private=True, inplace=False,
)  # fmt: skip
def erfcx(input):
    """e^(x^2) erfc(x), which neither overflows nor vanishes to the right.

    dx = dy (2 x y - 2 / sqrt(pi)).
    """
    return doubled(_scaled, input)


@unary(
    lambda g, input: g * np.exp(input * input * -0.5) * (1 / math.sqrt(2 * math.pi)),
    floats=True, name="special_ndtr", private=True, inplace=False, node="MulBackward1",
)  # fmt: skip
def ndtr(input):
    """Normal distribution function: the probability of a value below x."""
    return doubled(lambda x: 0.5 * each(math.erfc, x * -(1 / _ROOT_2)), input)


def _log_ndtr(x):
    left = np.where(x < -1, x, -1.0)
    right = np.where(x < -1, 0.0, x)
    return np.where(
        x < -1,
        np.log(_scaled(left * -(1 / _ROOT_2)) / 2) - left * left / 2,
        np.log1p(-each(math.erfc, right * (1 / _ROOT_2)) / 2),
    )


@unary(
    lambda g, input: g / erfcx(input * -(1 / _ROOT_2)) * math.sqrt(2 / math.pi),
    floats=True, name="special_log_ndtr", private=True, inplace=False,
)  # fmt: skip
def log_ndtr(input):
    """Logarithm of the normal distribution function, accurate far to the left."""
    return doubled(_log_ndtr, input)


def _erfc_inverse(q):
    """Return x with erfc(x) = q, for q in (0, 1/2].

    Newton's method on the logarithm, which is concave.
    """
    q = np.where((q > 0) & (q <= 0.5), q, 0.5)
    x = np.sqrt(np.maximum(-np.log(q * np.sqrt(-np.log(q) + 0.1)), 0.05))
    for _ in range(7):
        scaled = _scaled(x)
        x = x + (np.log(scaled) - x * x - np.log(q)) * scaled * (_ROOT_PI / 2)
    return x


def _erf_inverse_small(y):
    """Return x with erf(x) = y, for |y| <= 1/2, by Halley's method."""
    y = np.where(np.abs(y) <= 0.5, y, 0)
    x = y * (_ROOT_PI / 2)
    for _ in range(4):
        step = (each(math.erf, x) - y) * np.exp(x * x) * (_ROOT_PI / 2)
        x = x - step / (1 + x * step)
    return x


def _erfinv(y):
    size = np.abs(y)
    tail = np.copysign(_erfc_inverse(1 - size), y)
    result = np.where(size <= 0.5, _erf_inverse_small(y), tail)
    return np.where(size < 1, result, np.where(size == 1, np.copysign(np.inf, y), np.nan))


@unary(lambda g, result: g * (_ROOT_PI / 2) * np.exp(result * result), floats=True)
def erfinv(input):
    """x with erf(x) = y, for y in (-1, 1); infinite at -1 and 1.

    dy sqrt(pi) / 2 e^(x^2).
    """
    return doubled(_erfinv, input)


def _ndtri(p):
    low = np.minimum(p, 1 - p)
    tail = np.where(p < 0.5, -1, 1) * _erfc_inverse(2 * low)
    result = _ROOT_2 * np.where(low >= 0.25, _erf_inverse_small(2 * p - 1), tail)
    result = np.where(p == 0, -np.inf, np.where(p == 1, np.inf, result))
    return np.where((p >= 0) & (p <= 1), result, np.nan)


@unary(
    lambda g, result: g * math.sqrt(2 * math.pi) * np.exp(result * result * 0.5),
    floats=True, name="special_ndtri", private=True, inplace=False,
)  # fmt: skip
def ndtri(input):
    """Value below which a normal variable lies with probability p."""
    return doubled(_ndtri, input)


@unary(
    lambda g, input: g * (-1 - np.log(input)),
    floats=True, name="special_entr", private=True, inplace=False,
)  # fmt: skip
def entr(input):
    """-x log x, 0 at 0, -inf below.

    dx = -dy (1 + log x).
    """
    result = input * -np.log(np.where(input > 0, input, 1))
    return np.where(np.isnan(input) | (input > 0), result, np.where(input == 0, 0, -np.inf)).astype(input.dtype)


@op(name="special_spherical_bessel_j0", private=True, floats=True)
def spherical_bessel_j0(input):
    """sin(x) / x, 1 at 0."""
    result = np.sin(input) / np.where(input == 0, 1, input)
    return np.where(input == 0, 1, np.where(np.isinf(input), 0, result)).astype(input.dtype)
