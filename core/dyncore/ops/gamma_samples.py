"""Gamma distributed numbers whose gradient reaches the concentration; imported by `distributions`, not before."""

from typing import Any

import numpy as np

from .. import dispatch
from ..generator import default_generator
from ..registry import TABLE, op
from ..rejection import gamma as draw
from .gamma import digamma, lgamma

__dyncore__ = True


@op(input=lambda g, input, result: g * _standard_gamma_grad(input, result), private=True)
def _standard_gamma(input):
    """A number of the gamma distribution of scale 1 for each concentration."""
    array = np.asarray(input)
    numbers = np.array(draw(array.ravel().tolist(), default_generator), array.dtype).reshape(array.shape)
    return np.maximum(numbers, np.finfo(array.dtype).tiny)


def _refused(g):
    raise NotImplementedError("derivative for aten::_standard_gamma_grad is not implemented")


@op(input=_refused, output=_refused, private=True)
def _standard_gamma_grad(input, output):
    """How a sample moves with its concentration when its place in the distribution stays.

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
        if bool((a + n > x).all()) and not (np.abs(change) > 1e-17 * np.abs(slope)).any():
            break
    density = np.exp((a - 1.0) * np.log(x) - x - np.asarray(lgamma(a)))
    return (-slope / density).astype(np.asarray(input).dtype)


for _name in ("_standard_gamma", "_standard_gamma_grad"):
    TABLE[_name].entry = dispatch.entry(TABLE[_name])


def sample_gamma(concentration: Any) -> Any:
    """A tensor of gamma distributed numbers of scale 1, with history."""
    return TABLE["_standard_gamma"].entry(concentration)
