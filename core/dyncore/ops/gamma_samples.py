"""Gamma and Dirichlet samples whose gradient reaches the concentration.

`distributions` imports them.
"""

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE, op
from dyncore.rng.generator import default_generator
from dyncore.rng.rejection import gamma as draw

from .gamma import digamma, lgamma


@op(input=lambda g, input, result: g * _standard_gamma_grad(input, result), private=True)
def _standard_gamma(input):
    """Number of the gamma distribution of scale 1 for each concentration."""
    array = np.asarray(input)
    numbers = np.array(draw(array.ravel().tolist(), default_generator), array.dtype).reshape(array.shape)
    return np.maximum(numbers, np.finfo(array.dtype).tiny)


def _refused(g):
    raise NotImplementedError("derivative for aten::_standard_gamma_grad is not implemented")


@op(input=_refused, output=_refused, private=True)
def _standard_gamma_grad(input, output):
    """Derivative of a sample by its concentration, at a constant probability.

    dx/da = -(dP/da) / (dP/dx) with P(a, x) = sum over n of x^(a+n) e^-x / Gamma(a+n+1), each term differentiated.
    """
    a, x = np.asarray(input, np.float64), np.asarray(output, np.float64)
    slope_of_gamma = np.asarray(digamma(a + 1.0))
    term = np.exp(a * np.log(x) - x - np.asarray(lgamma(a + 1.0)))
    slope = term * (np.log(x) - slope_of_gamma)
    n = 1.0
    while True:
        term = term * (x / (a + n))
        slope_of_gamma = slope_of_gamma + 1.0 / (a + n)
        change = term * (np.log(x) - slope_of_gamma)
        slope = slope + change
        n += 1.0
        if not ((a + n <= x) | (np.abs(change) > 1e-17 * np.abs(slope))).any():
            break
    density = np.exp((a - 1.0) * np.log(x) - x - np.asarray(lgamma(a)))
    return (-slope / density).astype(np.asarray(input).dtype)


def _dirichlet_rule(g, result, input):
    return _dirichlet_grad(result, input) * (g - np.sum(g * result, axis=-1, keepdims=True))


@op(input=_dirichlet_rule, private=True, node="_DirichletBackward")
def _sample_dirichlet(input):
    """Positive numbers that sum to 1 along the last dimension.

    One for each concentration along it.
    """
    parts = _standard_gamma(input)
    return parts / np.add.reduce(parts, axis=-1, keepdims=True)


def _no_second(g):
    raise NotImplementedError("derivative for aten::_dirichlet_grad is not implemented")


@op(input=_no_second, concentration=_no_second, private=True)
def _dirichlet_grad(input, concentration):
    """dx/da / (1 - x) for each part x alone, at a constant probability.

    x is Beta(a, b) distributed.
    dx/da = -(dP/da) / (dP/dx), P by its continued fraction, whose derivative is its imaginary part at a + i h.
    """
    a = np.asarray(concentration, np.float64)
    tiny = np.finfo(np.asarray(input).dtype).tiny
    x = np.clip(np.asarray(input, np.float64), tiny, 1 - 1e-16)
    b = np.maximum(np.add.reduce(a, axis=-1, keepdims=True) - a, tiny)
    left = x < (a + 1) / (a + b + 2)
    fraction = np.where(left, _beta_fraction(a + _STEP, b + 0j, x), _beta_fraction(b + 0j, a + _STEP, 1 - x))
    spread = np.log(x) - np.asarray(digamma(a)) + np.asarray(digamma(a + b))
    direct = (spread - 1 / a) * fraction.real + fraction.imag / 1e-30
    mirrored = spread * fraction.real + fraction.imag / 1e-30
    return np.where(left, -x / a * direct, x / b * mirrored).astype(np.asarray(input).dtype)


_STEP = 1e-30j


def _beta_fraction(a, b, x):
    """Return the continued fraction F of the incomplete beta function.

    P = x^a (1 - x)^b / (a B(a, b)) F.
    """
    inside = x < (a.real + 1) / (a.real + b.real + 2)  # elsewhere the other one is asked
    x = np.where(inside, x, 0.0)
    c, d = np.ones_like(a), 1 / (1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 200 + int(10 * np.sqrt(np.maximum.reduce(a.real + b.real, axis=None, initial=1.0)))):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + even * d), 1 + even / c
        result = result * d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + odd * d), 1 + odd / c
        result = result * d * c
        if not (np.abs(d * c - 1) > 1e-15).any():
            break
    return result


def sample_gamma(concentration: Any) -> Any:
    """Return a tensor of gamma distributed numbers of scale 1, with history."""
    return TABLE["_standard_gamma"].entry(concentration)


def sample_dirichlet(concentration: Any) -> Any:
    """Return a tensor of Dirichlet samples, with history."""
    return TABLE["_sample_dirichlet"].entry(concentration)
