"""Error function of many float32 numbers, and gelu, by blocks that fit the cache.

erf(x) = tanh(x p(x^2)), where p is a polynomial fitted to artanh(erf(x)) / x up to 4.3; beyond, erf is 1 in float32.
An error of p counts for little where erf is near 1, and none leads above 1: at most 3 units in the last place are lost,
on an average 0.4, and the absolute error stays below 1.2e-7.  The C library is called for one number at a time and is
much slower (tests/bench, large).
"""

import numpy as np

from dyncore.dtypes.dtypes import F32
from dyncore.tensors.numpy_direct import clip

MANY = 256  # fewer are asked for one by one
_BLOCK = 1 << 14
_LOW, _HIGH = np.array(-4.3, F32), np.array(4.3, F32)
_FIRST, *_NEXT, _LAST = (
    np.array(each, F32)
    for each in (
        1.5617657409943458e-10, -7.655818888942156e-09, 1.446255388696619e-07, -1.2059785338625156e-06,
        1.0002453623761726e-06, 7.002391928523213e-05, -5.960972901397302e-4, -2.0624399370433287e-4,
        1.0277208998711379e-1, 1.1283791804909906,
    )
)  # fmt: skip
_ROOT_HALF, _HALF, _ONE = (np.array(each, F32) for each in (0.5**0.5, 0.5, 1))
_DENSITY = np.array(1 / np.sqrt(2 * np.pi), F32)


def many(array):
    """Return True for an array of enough float32 numbers."""
    return array.dtype is F32 and array.size >= MANY


def _blocks(*arrays):
    """Yield blocks of flat arrays of one length, and two that are written over."""
    size = arrays[0].size
    spare = np.empty((2, min(size, _BLOCK)), F32)
    for start in range(0, size, _BLOCK):
        blocks = [array[start : start + _BLOCK] for array in arrays]
        yield *blocks, *spare[:, : blocks[0].size]


def _erf_into(out, x, limited, square):
    """Write erf(x) to an array.

    limited, square: memory that is written over; `limited` may be `x`.
    """
    clip(x, _LOW, _HIGH, limited)
    np.square(limited, square)
    np.multiply(square, _FIRST, out)
    for factor in _NEXT:
        np.add(out, factor, out)
        np.multiply(out, square, out)
    np.add(out, _LAST, out)
    np.multiply(out, limited, out)
    np.tanh(out, out)


def _probability_into(out, x, limited, square):
    """Write the probability that a normal number is below x."""
    np.multiply(x, _ROOT_HALF, limited)
    _erf_into(out, limited, limited, square)
    np.add(out, _ONE, out)
    np.multiply(out, _HALF, out)


def erf_of_many(array):
    """Return erf of each element, in the shape of the array."""
    flat = array.reshape(-1)
    result = np.empty(flat.size, F32)
    for block in _blocks(result, flat):
        _erf_into(*block)
    return result.reshape(array.shape)


def gelu_of_many(array):
    """Return x times the probability that a normal number is below x."""
    flat = array.reshape(-1)
    out = np.empty(flat.size, F32)
    for result, x, limited, square in _blocks(out, flat):
        _probability_into(result, x, limited, square)
        np.multiply(result, x, result)
    return out.reshape(array.shape)


def gelu_slope_of_many(g, array):
    """Return the gradient `g` times the slope of gelu.

    The slope is that probability, and x times the density at x.
    """
    flat = array.reshape(-1)
    out = np.empty(flat.size, F32)
    for result, grad, x, limited, square in _blocks(out, g.reshape(-1), flat):
        _probability_into(result, x, limited, square)
        np.square(x, square)
        np.multiply(square, -_HALF, square)
        np.exp(square, square)
        np.multiply(square, _DENSITY, square)
        np.multiply(square, x, square)
        np.add(result, square, result)
        np.multiply(result, grad, result)
    return out.reshape(array.shape)
