"""Gamma distributed numbers whose gradient reaches the concentration: an op, since no formula of others gives it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dispatch
from ..generator import default_generator
from ..registry import TABLE, op
from ..rejection import gamma as draw

__dyncore__ = True


def _derivative(g, input, result):  # type: ignore[no-untyped-def]
    return g * standard_gamma_slope(input, result)  # type: ignore[no-untyped-call]


@op(input=_derivative, private=True, name="_standard_gamma")
def standard_gamma(input):  # type: ignore[no-untyped-def]
    """A number of the gamma distribution of scale 1 for each concentration."""
    array = np.asarray(input)
    numbers = np.array(draw(array.ravel().tolist(), default_generator), array.dtype).reshape(array.shape)
    return np.maximum(numbers, np.finfo(array.dtype).tiny)


@op(private=True, name="_standard_gamma_grad")
def standard_gamma_slope(input, output):  # type: ignore[no-untyped-def]
    """How a sample moves with its concentration when its place in the distribution stays.

    dx/da = -(dP/da) / (dP/dx) with P(a, x) = sum over n of x^(a+n) e^-x / Gamma(a+n+1), each term differentiated.
    """
    a, x = np.asarray(input, np.float64), np.asarray(output, np.float64)
    log_gamma = TABLE["lgamma"].forward
    digamma = np.asarray(TABLE["digamma"].forward(a + 1.0))
    with np.errstate(all="ignore"):
        term = np.exp(a * np.log(x) - x - np.asarray(log_gamma(a + 1.0)))
        slope = term * (np.log(x) - digamma)
        n = 1.0
        while True:
            term = term * (x / (a + n))
            digamma = digamma + 1.0 / (a + n)
            change = term * (np.log(x) - digamma)
            slope = slope + change
            n += 1.0
            if not (np.abs(change) > 1e-17 * np.abs(slope)).any() and bool((a + n > x).all()):
                break
        density = np.exp((a - 1.0) * np.log(x) - x - np.asarray(log_gamma(a)))
        found = -slope / density
    return found.astype(np.asarray(input).dtype)


for _name in ("_standard_gamma", "_standard_gamma_grad"):
    TABLE[_name].entry = dispatch.entry(TABLE[_name])


def sample_gamma(concentration: Any) -> Any:
    """A tensor of gamma distributed numbers of scale 1, with history."""
    return TABLE["_standard_gamma"].entry(concentration)
