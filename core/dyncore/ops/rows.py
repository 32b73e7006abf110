"""Sums and softmax of many rows of floats, by products with ones.

They are several times as fast as `np.add.reduce` (tests/bench, softmax of rows and attention block).
"""

import numpy as np

from dyncore.dtypes.dtypes import F32, F64

from .few import FEW, LARGE

_LONGEST = 1 << 14  # longer rows are summed in pairs, which keeps more digits
_ONES = {}  # by dtype, made when first needed; read-only
_SMALL = 1e-6  # of a sum of e^x: what has lost digits by then is below 1e-31 of it


def sums_of_many(array, axis, keepdim=True):
    """Return the sums along the last dimension of more than a few floats.

    None for anything else.
    """
    length = array.shape[-1] if array.ndim > 1 else 0
    if not 1 < length <= _LONGEST or array.size <= FEW or axis not in (-1, array.ndim - 1):
        return None
    kind = array.dtype
    if (kind is not F32 and kind is not F64) or not array.flags.c_contiguous:
        return None
    ones = _ONES.get(kind)
    if ones is None:
        ones = _ONES[kind] = np.ones(_LONGEST, kind)
    result = array.reshape(-1, length).dot(ones[:length])
    return result.reshape(*array.shape[:-1], 1) if keepdim else result.reshape(array.shape[:-1])


def sums(array, axis):
    """Return the sums along one dimension, which stays."""
    result = sums_of_many(array, axis)
    return np.add.reduce(array, axis, keepdims=True) if result is None else result


def softmax_of_many(array, axis):
    """Return the softmax of many rows without subtracting their largest elements.

    None if e^x might be too large or small.  The largest of a row takes NumPy as long as e^x, or longer.
    """
    if array.size <= FEW or axis != array.ndim - 1 or not array.flags.c_contiguous or array.itemsize < 4:
        return None
    result = np.exp(array)
    totals = sums_of_many(result, axis)
    if totals is None or not (totals.min() >= _SMALL and totals.max() < LARGE):
        return None
    return np.divide(result, totals, result)
