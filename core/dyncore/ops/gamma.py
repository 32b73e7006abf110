"""Logarithm of the gamma function, its derivatives, incomplete gamma, zeta."""

import math

import numpy as np

from dyncore.dispatch.registry import op, unary
from dyncore.dtypes import dtypes
from dyncore.dtypes.supported import refusal
from dyncore.tensors.strides import laid_like

from .blending import overloaded
from .special import doubled, each


def _lgamma(x):
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


@unary(lambda g, input: g * digamma(input), floats=True)
def lgamma(input):
    """Logarithm of the absolute value of the gamma function.

    dx = dy digamma(x).   inf at 0 and the negative integers.
    """
    return each(_lgamma, input)


def _digamma(x):
    """Return digamma by reflection, recurrence and the asymptotic series.

    Reflected to the right half, then moved beyond 8 by psi(x) = psi(x + 1) - 1/x.
    """
    left = x < 0.5
    z = np.where(left, 1 - x, x)
    moved = np.zeros_like(z)
    for _ in range(8):
        small = z < 8
        moved = np.where(small, moved - 1 / np.where(small, z, 1), moved)
        z = np.where(small, z + 1, z)
    w = 1 / (z * z)
    tail = w * (1 / 12 - w * (1 / 120 - w * (1 / 252 - w * (1 / 240 - w * (5 / 660 - w * (691 / 32760 - w / 12))))))
    result = np.where(np.isinf(z), z, moved + np.log(z) - 0.5 / z - tail)
    fraction = x - np.round(x)
    result = np.where(left, result - math.pi / np.tan(math.pi * np.where(fraction == 0, 0.25, fraction)), result)
    result = np.where(left & (fraction == 0), np.nan, result)
    return np.where(x == 0, np.copysign(np.inf, -x), result)


@unary(lambda g, input: g * polygamma(1, input), floats=True)
def digamma(input):
    """Derivative of lgamma; NaN at the negative integers.

    dx = dy polygamma(1, x).
    """
    return doubled(_digamma, input)


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


def hurwitz(s, q):
    """Return the sum of (q + k)^-s over k >= 0, by Euler and Maclaurin.

    The terms below 10, then an integral and corrections.
    """
    s, q = np.broadcast_arrays(np.asarray(s, np.float64), np.asarray(q, np.float64))
    whole = np.floor(q) == q
    usable = (s > 1) & ~np.isnan(q) & ((q > 0) | (~whole & (np.floor(s) == s)))
    base, power = np.where(usable, q, 1.0), np.where(usable, s, 2.0)
    total = np.zeros_like(base)
    steps = int(np.ceil(max(10 - np.minimum.reduce(base, axis=None, initial=10), 0)))
    for _ in range(steps):
        small = base < 10
        total = np.where(small, total + np.where(small, base, 1) ** -power, total)
        base = np.where(small, base + 1, base)
    last = base**-power
    total = total + base * last / (power - 1) + last / 2
    term, below = power * last / base, 1.0
    for k, number in enumerate(_BERNOULLI):
        below *= (2 * k + 1) * (2 * k + 2)
        total = total + term * (number / below)
        term = term * (power + 2 * k + 1) * (power + 2 * k + 2) / (base * base)
    total = np.where(usable, total, np.where((s == 1) | ((q <= 0) & whole & (s > 1)), np.inf, np.nan))
    total = np.where(np.isposinf(q), 0.0, total)
    total = np.where(np.isnan(s) | np.isnan(q) | (s < 1), np.nan, total)
    return np.where(s == 1, np.inf, total)


def _no_derivative(name):
    def refuse(g):
        raise NotImplementedError(f"the derivative for '{name}' is not implemented.")

    return refuse


@op(
    input=_no_derivative("zeta"),
    other=lambda g, input, other: g * -input * special_zeta(input + 1, other),
    promote=("input", "other"), floats=True, private=True, node=overloaded("SpecialZeta"),
)  # fmt: skip
def special_zeta(input, other):
    """Hurwitz's zeta function: the sum of (other + k)^-input over k >= 0.

    dq = -s dy zeta(s + 1, q).
    """
    return hurwitz(input, other).astype(dtypes.as_float(np.asarray(input)).dtype)[()]


def _polygamma(n, x):
    if n == 0:
        return _digamma(x)
    if n == 1:
        fraction = x - np.round(x)
        sine = np.sin(math.pi * np.where(fraction == 0, 0.25, fraction))
        left = math.pi**2 / (sine * sine) - hurwitz(2, np.where(x < 0.5, 1 - x, 1))
        return np.where(x >= 0.5, hurwitz(2, np.where(x < 0.5, 1, x)), np.where(fraction == 0, np.inf, left))
    return (-1) ** (n + 1) * float(math.factorial(n)) * hurwitz(n + 1, x)


@op(input=lambda g, n, input: g * polygamma(n + 1, input), method=False)
def polygamma(n: int, input):
    """The n-th derivative of digamma.

    dx = dy polygamma(n + 1, x).
    """
    if input.dtype.kind == "c":
        kernel = ("digamma", "trigamma", "polygamma")[min(n, 2)]
        raise refusal(kernel, input.dtype)
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return doubled(lambda x: _polygamma(n, x), dtypes.as_float(input))


def _multi(x, p, function):
    total = function(x)
    for j in range(1, p):
        total = total + function(x - j / 2)
    return total


@op(input=lambda g, input, p: g * _multi(input, p, digamma), inplace=True, floats=True)
def mvlgamma(input, p: int):
    """Logarithm of the gamma function of p variables.

    The sum of lgamma(x - j/2), j = 0, ..., p - 1, and p (p - 1) / 4 log pi.
    """
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    constant = p * (p - 1) / 4 * math.log(math.pi)
    return doubled(lambda x: _multi(x, p, lambda v: each(_lgamma, v)) + constant, input)


def _series(a, x, steps):
    """Return the lower incomplete gamma function over gamma, by its power series.

    For x below a + 1.
    """
    term = total = np.ones_like(x)
    for k in range(1, steps):
        term = term * x / (a + k)
        total = total + term
        if np.all(term <= total * 1e-17):
            break
    return total


def _fraction(a, x, steps):
    """Return the upper incomplete gamma function's continued fraction, by Lentz.

    For x from a + 1 on.
    """
    b = x + 1 - a
    c = np.full_like(x, 1e300)
    d = 1 / b
    result = d
    for k in range(1, steps):
        factor = -k * (k - a)
        b = b + 2
        d = 1 / np.where(factor * d + b == 0, 1e-300, factor * d + b)
        c = np.where(b + factor / c == 0, 1e-300, b + factor / c)
        result = result * d * c
        if np.all(np.abs(d * c - 1) < 1e-16):
            break
    return result


_TEMME = (-1 / 3, 1 / 12, -2 / 135, 1 / 864, 1 / 2835)


def _far(a, x, upper):
    """Return the incomplete gamma function for a above 100,000.

    Temme's expansion: erfc of the distance of x from a.
    """
    off = (x - a) / a
    half = np.where(np.abs(off) < 1e-4, off * off * (0.5 - off * (1 / 3 - off / 4)), off - np.log1p(off))
    eta = np.copysign(np.sqrt(2 * np.maximum(half, 0)), off)
    near = np.polynomial.polynomial.polyval(np.clip(eta, -0.1, 0.1), _TEMME)
    far = np.abs(eta) > 0.1
    rest = np.where(far, 1 / np.where(far, off, 1) - 1 / np.where(far, eta, 1), near)
    rest = rest * np.exp(-a * half) / np.sqrt(2 * math.pi * a)
    sign = 1.0 if upper else -1.0
    return 0.5 * each(math.erfc, sign * eta * np.sqrt(a / 2)) + sign * rest


def _incomplete(a, x, upper):
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    good = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    large = good & (a > 1e5)
    p, v = np.where(good & ~large, a, 1.0), np.where(good & ~large, x, 1.0)
    low = v < p + 1
    steps = 200 + int(12 * math.sqrt(np.maximum.reduce(p, axis=None, initial=1.0)))
    scale = np.exp(p * np.log(v) - v - each(_lgamma, p))
    lower = _series(np.where(low, p, 1), np.where(low, v, 0.5), steps) * scale / p
    higher = _fraction(np.where(low, 1, p), np.where(low, 3, v), steps) * scale
    result = np.where(low, 1 - lower, higher) if upper else np.where(low, lower, 1 - higher)
    one, nought = (0.0, 1.0) if upper else (1.0, 0.0)
    if np.any(large):
        result = np.where(large, _far(np.where(large, a, 1e6), np.where(large, x, 1e6), upper), result)
    result = np.where(good, result, np.nan)
    edge = (x == 0) | (np.isinf(a) & (a > 0) & np.isfinite(x) & (x > 0))
    result = np.where((a >= 0) & (x >= 0) & edge & ~((a == 0) & (x == 0)), nought, result)
    full = ((a == 0) & (x > 0)) | (np.isinf(x) & (x > 0) & np.isfinite(a) & (a >= 0))
    return np.where(full, one, result)


def _density(a, x):
    """Return x^(a - 1) e^-x / gamma(a), the slope of the incomplete gamma function."""
    return np.exp((a - 1) * np.log(x) - x - lgamma(a))


def _laid(input, other, made):
    made = made.astype(dtypes.as_float(input).dtype)
    like = input if input.shape == made.shape else other
    return laid_like(like, made) if made.ndim > 1 and like.shape == made.shape else made[()]


@op(
    input=_no_derivative("igamma: input"),
    other=lambda g, input, other: g * _density(input, other),
    promote=("input", "other"), inplace=True,
    strict=("input", "other"),
)  # fmt: skip
def igamma(input, other):
    """Lower incomplete gamma function of (a, x), divided by gamma(a)."""
    return _laid(input, other, _incomplete(input, other, False))


@op(
    input=_no_derivative("igammac: input"),
    other=lambda g, input, other: -g * _density(input, other),
    promote=("input", "other"), inplace=True,
    strict=("input", "other"),
)  # fmt: skip
def igammac(input, other):
    """Upper incomplete gamma function of (a, x), divided by gamma(a)."""
    return _laid(input, other, _incomplete(input, other, True))
