"""Sums and softmax of many rows of floats, by products with ones.

For rows of 1,000 a million floats are summed so in 0.05 ms where `np.add.reduce` takes 0.17, for rows of 64 in 0.06
where it takes 0.41 (tests/bench, softmax of rows and attention block).
"""

import numpy as np

from dyncore.dtypes.dtypes import F32, F64

from .few import FEW, LARGE

_LONGEST = 1 << 14  # longer rows are summed in pairs, which keeps more digits
_ONES = {}  # by dtype, made when first wanted; nobody writes into them
_SMALL = 1e-6  # of a sum of e^x: what has lost digits by then is below 1e-31 of it


def sums_of_many(array, axis, keepdim=True):
    """The sums along the last dimension of more than a few floats; None for anything else."""
    length = array.shape[-1] if array.ndim > 1 else 0
    if not 1 < length <= _LONGEST or array.size <= FEW or axis not in (-1, array.ndim - 1):
        return None
    kind = array.dtype
    if (kind is not F32 and kind is not F64) or not array.flags.c_contiguous:
        return None
    ones = _ONES.get(kind)
    if ones is None:
        ones = _ONES[kind] = np.ones(_LONGEST, kind)
    made = array.reshape(-1, length).dot(ones[:length])
    return made.reshape(*array.shape[:-1], 1) if keepdim else made.reshape(array.shape[:-1])


def sums(array, axis):
    """The sums along one dimension, kept."""
    found = sums_of_many(array, axis)
    return np.add.reduce(array, axis, keepdims=True) if found is None else found


def softmax_of_many(array, axis):
    """The softmax of more than a few rows without their largest elements; None where e^x might be too large or small.

    The largest of a row takes NumPy 0.1 to 0.9 ns an element, the shorter the row the more, and e^x 0.5.
    """
    if array.size <= FEW or axis != array.ndim - 1 or not array.flags.c_contiguous or array.itemsize < 4:
        return None
    made = np.exp(array)
    totals = sums_of_many(made, axis)
    if totals is None or not (totals.min() >= _SMALL and totals.max() < LARGE):
        return None
    return np.divide(made, totals, made)
