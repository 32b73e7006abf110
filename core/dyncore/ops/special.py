"""The error functions and their relatives, element by element.

`erf`, `erfc` and `lgamma` are the C library's, one call an element (50 ns); everything else is vectorised.
"""

import math

import numpy as np

from ..registry import unary


def each(function, array):
    """`function`, of a Python float, of every element."""
    made = np.fromiter(map(function, array.ravel().tolist()), np.float64, array.size)
    return made.reshape(array.shape).astype(array.dtype, copy=False) if array.ndim else array.dtype.type(made[0])


@unary(lambda g, input: g * (2 / math.sqrt(math.pi)) * np.exp(-(input * input)), floats=True)
def erf(input):
    """The error function of each element.

    y = 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x,  dx = dy 2 / sqrt(pi) e^(-x^2).
    """
    return each(math.erf, input)


@unary(lambda g, input: g * (-2 / math.sqrt(math.pi)) * np.exp(-(input * input)), floats=True)
def erfc(input):
    """1 - erf(x), accurate where erf is near 1.  dx = -dy 2 / sqrt(pi) e^(-x^2)."""
    return each(math.erfc, input)
