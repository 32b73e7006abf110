"""Bessel and Airy functions, element by element, from the Chebyshev series in `special_tables.txt`."""

import math

import numpy as np

from dyncore.dispatch.registry import op, unary
from dyncore.errors.lists import sections

from .special import doubled

SERIES = {name: tuple(map(float, numbers)) for name, numbers in sections(__file__, "special_tables.txt").items()}


def chebyshev(coefficients, t):
    """Return the sum of c_k T_k(t), by Clenshaw's recurrence."""
    before = now = np.zeros_like(t)
    twice = t + t
    for c in coefficients[:0:-1]:
        before, now = now, twice * now - before + c
    return t * now - before + coefficients[0]


def _two(size, limit, small, large):
    """Apply `small` to elements up to `limit`, `large` to those beyond."""
    near = size <= limit
    return np.where(near, small(np.where(near, size, limit)), large(np.where(near, limit, size)))


def _i0e(x):
    return _two(
        np.abs(x), 8.0,
        lambda v: chebyshev(SERIES["I0_SMALL"], v / 4 - 1),
        lambda v: chebyshev(SERIES["I0_LARGE"], 16 / v - 1) / np.sqrt(v),
    )  # fmt: skip


def _i1e(x):
    result = _two(
        np.abs(x), 8.0,
        lambda v: chebyshev(SERIES["I1_SMALL"], v / 4 - 1) * v,
        lambda v: chebyshev(SERIES["I1_LARGE"], 16 / v - 1) / np.sqrt(v),
    )  # fmt: skip
    return np.where(x < 0, -result, result)


def _i0(x):
    return _i0e(x) * np.exp(np.abs(x))


def _i1(x):
    return _i1e(x) * np.exp(np.abs(x))


@unary(lambda g, input: g * i1(input), floats=True)
def i0(input):
    """Modified Bessel function of the first kind of order 0.

    dx = dy I1(x).
    """
    return doubled(_i0, input)


@unary(
    lambda g, input, result: g * (i1e(input) - np.sign(input) * result),
    floats=True, name="special_i0e", private=True, inplace=False, node="SpecialI0EBackward0",
)  # fmt: skip
def i0e(input):
    """e^-|x| I0(x)."""
    return doubled(_i0e, input)


@unary(
    lambda g, input, result: g * np.where(input == 0, 0.5, i0(input) - result / np.where(input == 0, 1, input)),
    floats=True, name="special_i1", private=True, inplace=False,
)  # fmt: skip
def i1(input):
    """Modified Bessel function of the first kind of order 1.

    dx = dy (I0(x) - I1(x) / x), 1/2 at 0.
    """
    return doubled(_i1, input)


@unary(
    lambda g, input, result: g
    * np.where(input == 0, 0.5, i0e(input) - result * (np.sign(input) + 1 / np.where(input == 0, 1, input))),
    floats=True, name="special_i1e", private=True, inplace=False, node="SpecialI1EBackward0",
)  # fmt: skip
def i1e(input):
    """e^-|x| I1(x)."""
    return doubled(_i1e, input)


def _k(x, order, scaled):
    small_table, large_table = SERIES[f"K{order}_SMALL"], SERIES[f"K{order}_LARGE"]
    positive = np.where(x > 0, x, 1.0)

    def small(v):
        series = chebyshev(small_table, v * v / 2 - 1)
        result = series / v + np.log(v / 2) * _i1(v) if order else series - np.log(v / 2) * _i0(v)
        return result * np.exp(v) if scaled else result

    def large(v):
        result = chebyshev(large_table, 4 / v - 1) / np.sqrt(v)
        return result if scaled else result * np.exp(-v)

    result = _two(positive, 2.0, small, large)
    return np.where(x > 0, result, np.where(x == 0, np.inf, np.nan))


@op(name="special_modified_bessel_i0", private=True, floats=True)
def modified_bessel_i0(input):
    """Modified Bessel function of the first kind of order 0."""
    return doubled(_i0, input)


@op(name="special_modified_bessel_i1", private=True, floats=True)
def modified_bessel_i1(input):
    """Modified Bessel function of the first kind of order 1."""
    return doubled(_i1, input)


@op(name="special_modified_bessel_k0", private=True, floats=True)
def modified_bessel_k0(input):
    """Modified Bessel function of the second kind of order 0."""
    return doubled(lambda x: _k(x, 0, False), input)


@op(name="special_modified_bessel_k1", private=True, floats=True)
def modified_bessel_k1(input):
    """Modified Bessel function of the second kind of order 1."""
    return doubled(lambda x: _k(x, 1, False), input)


@op(name="special_scaled_modified_bessel_k0", private=True, floats=True)
def scaled_modified_bessel_k0(x):
    """e^x K0(x)."""
    return doubled(lambda v: _k(v, 0, True), x)


@op(name="special_scaled_modified_bessel_k1", private=True, floats=True)
def scaled_modified_bessel_k1(x):
    """e^x K1(x)."""
    return doubled(lambda v: _k(v, 1, True), x)


def _wave(v, order, kind):
    """Return J (kind 0) or Y (kind 1) from 8 on.

    sqrt(2 / (pi x)) (P cos - Q sin) or (P sin + Q cos).
    """
    p, q = SERIES[f"P{order}"], SERIES[f"Q{order}"]
    t = 128 / (v * v) - 1
    real, imaginary = chebyshev(p, t), chebyshev(q, t) / v
    # cos and sin of x - pi/4 (or 3 pi/4) from those of x, so that the phase of a large x is not rounded.
    c, s = np.cos(v), np.sin(v)
    cosine, sine = ((c + s), (s - c)) if not order else ((s - c), (-s - c))
    result = real * cosine - imaginary * sine if not kind else real * sine + imaginary * cosine
    return result / np.sqrt(math.pi * v)


def _j(x, order):
    table = SERIES[f"J{order}_SMALL"]

    def small(v):
        series = chebyshev(table, v * v / 32 - 1)
        return series * v if order else series

    result = _two(np.abs(x), 8.0, small, lambda v: _wave(v, order, 0))
    result = np.where(np.isinf(x), 0, result)
    return np.where(x < 0, -result, result) if order else result


def _y(x, order):
    positive = np.where(x > 0, x, 1.0)

    def small(v):
        if order:
            series = chebyshev(SERIES["Y1_SMALL"], v * v / 32 - 1) * v
            return series + 2 / math.pi * (np.log(v) * _j(v, 1) - 1 / v)
        return chebyshev(SERIES["Y0_SMALL"], v * v / 32 - 1) + 2 / math.pi * np.log(v) * _j(v, 0)

    result = _two(positive, 8.0, small, lambda v: _wave(v, order, 1))
    result = np.where(np.isposinf(x), 0, result)
    return np.where(x > 0, result, np.where(x == 0, -np.inf, np.nan))


@op(name="special_bessel_j0", private=True, floats=True)
def bessel_j0(input):
    """The Bessel function of the first kind of order 0."""
    return doubled(lambda x: _j(x, 0), input)


@op(name="special_bessel_j1", private=True, floats=True)
def bessel_j1(input):
    """The Bessel function of the first kind of order 1."""
    return doubled(lambda x: _j(x, 1), input)


@op(name="special_bessel_y0", private=True, floats=True)
def bessel_y0(input):
    """The Bessel function of the second kind of order 0."""
    return doubled(lambda x: _y(x, 0), input)


@op(name="special_bessel_y1", private=True, floats=True)
def bessel_y1(input):
    """The Bessel function of the second kind of order 1."""
    return doubled(lambda x: _y(x, 1), input)


_AI_0, _AI_SLOPE = 0.3550280538878172, -0.2588194037928068


def _airy_middle(x):
    """Return Ai by the power series about 0.

    The two solutions are combined with Ai's value and slope there.
    """
    cube = x * x * x
    f, h = np.ones_like(x), x
    first, second = f, h
    for k in range(1, 40):
        f = f * cube / ((3 * k - 1) * (3 * k))
        h = h * cube / ((3 * k) * (3 * k + 1))
        first, second = first + f, second + h
    return _AI_0 * first + _AI_SLOPE * second


def _airy_right(v):
    zeta = 2 / 3 * v * np.sqrt(v)
    scaled = chebyshev(SERIES["AIRY_RIGHT"], 2 * (2 / 3 * 2**1.5) / zeta - 1)
    return scaled * np.exp(-zeta) / (2 * math.sqrt(math.pi) * np.sqrt(np.sqrt(v)))


def _airy_left(v):
    zeta = 2 / 3 * v * np.sqrt(v)
    t = 2 * (2 / 3 * 5**1.5 / zeta) ** 2 - 1
    c, s = np.cos(zeta - math.pi / 4), np.sin(zeta - math.pi / 4)
    result = c * chebyshev(SERIES["AIRY_P"], t) + s * chebyshev(SERIES["AIRY_Q"], t) / zeta
    return result / (math.sqrt(math.pi) * np.sqrt(np.sqrt(v)))


def _airy(x):
    middle = _airy_middle(np.where((x > -5) & (x < 2), x, 0))
    right = _airy_right(np.where(x >= 2, np.minimum(x, 200), 2))
    result = np.where(x >= 2, right, np.where(x > -5, middle, _airy_left(np.where(x <= -5, -x, 5))))
    return np.where(np.isnan(x), x, np.where(np.isinf(x), np.where(x > 0, 0, np.nan), result))


@op(name="special_airy_ai", private=True, floats=True)
def airy_ai(x):
    """The Airy function Ai."""
    return doubled(_airy, x)
