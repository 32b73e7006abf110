"""Orthogonal polynomials of degree n at x, by their recurrences; 0 for negative n."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes


def _degree(n):
    """Return n without its fraction; -1 for what no 64-bit integer holds."""
    n = np.trunc(np.asarray(n, np.float64))
    return np.where(np.abs(n) < 2.0**63, n, -1.0)


def _climb(x, n, second, following):
    """Return p_n(x) for each element by recurrence.

    p_0 = 1, p_1 = `second`, p_(k+1) = following(k, p_k, p_(k-1)).
    """
    x, n = np.broadcast_arrays(x, n)
    dtype = dtypes.as_float(x).dtype
    x = np.asarray(x, np.float64)
    degree = _degree(n)
    result = np.where(degree == 0, 1.0, np.where(degree == 1, second(x), 0.0))
    before, now = np.ones(x.shape), second(x) + 0.0
    for k in range(1, int(np.maximum.reduce(degree, axis=None, initial=0))):
        before, now = now, following(x, k, now, before)
        result = np.where(degree == k + 1, now, result)
        if not k % 64:  # what has overflowed stays so, however high the degree
            left = degree > k + 1
            if not np.any(left & np.isfinite(now)):
                result = np.where(left, now, result)
                break
    return result.astype(dtype)[()]


def _chebyshev(second, edges, at_one, at_minus_one):
    """Return the function of Chebyshev's recurrence with another p_1.

    Beyond degree 8, inside (-1, 1), it is computed by cosines as `edges` says.
    At 1 and, but for its sign, at -1 the value is 1 or follows from the degree.
    """

    def evaluate(x, n):
        wide, degree = np.broadcast_arrays(np.asarray(x, np.float64), _degree(n))
        inside, end = (np.abs(wide) < 1) & (degree > 8), (np.abs(wide) == 1) & (degree > 8)
        kind = dtypes.as_float(np.asarray(x)).dtype
        steps = np.where(inside | end, 0, degree)
        result = _climb(np.asarray(x, kind), steps, second, lambda v, k, now, before: 2 * v * now - before)
        value = np.where(wide > 0, at_one(degree), at_minus_one(degree) * np.where(degree % 2 == 0, 1, -1))
        result = np.where(end, value, result).astype(kind)[()]
        if not np.any(inside):
            return result
        angle = np.arccos(np.where(inside, wide, 0.5))
        return np.where(inside, edges(angle, degree), result).astype(result.dtype)[()]

    return evaluate


def _one(n):
    return 1.0


def _next(n):
    return n + 1


def _odd(n):
    return 2 * n + 1


_T = _chebyshev(lambda x: x, lambda a, n: np.cos(n * a), _one, _one)
_U = _chebyshev(lambda x: 2 * x, lambda a, n: np.sin((n + 1) * a) / np.sin(a), _next, _next)
_V = _chebyshev(lambda x: 2 * x - 1, lambda a, n: np.cos((n + 0.5) * a) / np.cos(a / 2), _one, _odd)
_W = _chebyshev(lambda x: 2 * x + 1, lambda a, n: np.sin((n + 0.5) * a) / np.sin(a / 2), _odd, _one)


def _shifted(x):
    return 2 * np.asarray(x, dtypes.as_float(np.asarray(x)).dtype) - 1


@op(promote=("input", "n"), floats=True, name="special_chebyshev_polynomial_t", private=True)
def chebyshev_polynomial_t(input, n):
    """Chebyshev's polynomial of the first kind: p_1 = x."""
    return _T(input, n)


@op(promote=("input", "n"), floats=True, name="special_chebyshev_polynomial_u", private=True)
def chebyshev_polynomial_u(input, n):
    """Chebyshev's polynomial of the second kind: p_1 = 2 x."""
    return _U(input, n)


@op(promote=("input", "n"), floats=True, name="special_chebyshev_polynomial_v", private=True)
def chebyshev_polynomial_v(input, n):
    """Chebyshev's polynomial of the third kind: p_1 = 2 x - 1."""
    return _V(input, n)


@op(promote=("input", "n"), floats=True, name="special_chebyshev_polynomial_w", private=True)
def chebyshev_polynomial_w(input, n):
    """Chebyshev's polynomial of the fourth kind: p_1 = 2 x + 1."""
    return _W(input, n)


@op(promote=("input", "n"), floats=True, name="special_shifted_chebyshev_polynomial_t", private=True)
def shifted_chebyshev_polynomial_t(input, n):
    """Chebyshev's polynomial of the first kind at 2 x - 1."""
    return _T(_shifted(input), n)


@op(promote=("input", "n"), floats=True, name="special_shifted_chebyshev_polynomial_u", private=True)
def shifted_chebyshev_polynomial_u(input, n):
    """Chebyshev's polynomial of the second kind at 2 x - 1."""
    return _U(_shifted(input), n)


@op(promote=("input", "n"), floats=True, name="special_shifted_chebyshev_polynomial_v", private=True)
def shifted_chebyshev_polynomial_v(input, n):
    """Chebyshev's polynomial of the third kind at 2 x - 1."""
    return _V(_shifted(input), n)


@op(promote=("input", "n"), floats=True, name="special_shifted_chebyshev_polynomial_w", private=True)
def shifted_chebyshev_polynomial_w(input, n):
    """Chebyshev's polynomial of the fourth kind at 2 x - 1."""
    return _W(_shifted(input), n)


@op(promote=("input", "n"), floats=True, name="special_hermite_polynomial_h", private=True)
def hermite_polynomial_h(input, n):
    """Hermite's polynomial of the physicists: p_(k+1) = 2 x p_k - 2 k p_(k-1)."""
    return _climb(input, n, lambda x: 2 * x, lambda x, k, now, before: 2 * x * now - 2 * k * before)


@op(promote=("input", "n"), floats=True, name="special_hermite_polynomial_he", private=True)
def hermite_polynomial_he(input, n):
    """Hermite's polynomial of the statisticians: p_(k+1) = x p_k - k p_(k-1)."""
    return _climb(input, n, lambda x: x, lambda x, k, now, before: x * now - k * before)


@op(promote=("input", "n"), floats=True, name="special_laguerre_polynomial_l", private=True)
def laguerre_polynomial_l(input, n):
    """Laguerre's polynomial: (k + 1) p_(k+1) = (2 k + 1 - x) p_k - k p_(k-1)."""
    return _climb(input, n, lambda x: 1 - x, lambda x, k, now, before: ((2 * k + 1 - x) * now - k * before) / (k + 1))


@op(promote=("input", "n"), floats=True, name="special_legendre_polynomial_p", private=True)
def legendre_polynomial_p(input, n):
    """Legendre's polynomial: (k + 1) p_(k+1) = (2 k + 1) x p_k - k p_(k-1)."""
    return _climb(input, n, lambda x: x, lambda x, k, now, before: ((2 * k + 1) * x * now - k * before) / (k + 1))
