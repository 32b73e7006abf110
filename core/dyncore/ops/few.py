"""Sum, largest and smallest of few numbers, without a NumPy reduction.

Most of the time of a NumPy reduction of few numbers is its start; a product with ones and `argmax` start faster
(tests/bench, branch and early exit).  NaN comes through all of them.
"""

import numpy as np

from dyncore.dtypes.dtypes import F32, F64, I64

FEW = 1024
_MANY = 1 << 14
exp, divide, _add, _reduce = np.exp, np.divide, np.add, np.add.reduce
_ZEROS = np.zeros((), F64), np.zeros((), F32)
LARGE = 1e30  # far from float32's largest number
_ONES = {}, {}  # of float64 and of float32: by shape, read-only arrays of 2 to `FEW`
ONES32 = _ONES[True]


def sum_of(array):
    """Return the sum of all elements as a scalar, of integers in int64."""
    size, kind = array.size, array.dtype
    if 0 < size <= FEW and (kind is F32 or kind is F64) and array.ndim:
        result = _ONES[kind is F32]
        ones = result.get((size,))
        if ones is None:
            if size == 1:
                return array.reshape(-1)[0] + kind.type(0)  # of -0 alone the sum is 0, as PyTorch starts at 0
            ones = result[size,] = np.ones(size, kind)
        return (array if array.ndim == 1 else array.reshape(-1)).dot(ones)
    if kind is F32 and size >= _MANY and array.flags.c_contiguous:
        return _sum_of_many(array.reshape(-1))
    return np.add.reduce(array, axis=None, dtype=I64 if kind.kind in "iub" else kind)


def _sum_of_many(flat):
    """Return the sum of many floats.

    Rows are added to each other, then the sums of their columns, in pairs.
    """
    width = _MANY >> 3
    while width * width < flat.size:  # as many rows as columns, so that no sum has many terms
        width <<= 1
    whole = flat.size - flat.size % width
    columns = _reduce(flat[:whole].reshape(-1, width), 0)
    if whole < flat.size:
        columns[: flat.size - whole] += flat[whole:]
    return _reduce(columns)


_COLUMNS = {}, {}  # the same by length and width
_SQUARES = {}, {}  # the same by length, as wide as long
SQUARES32 = _SQUARES[True]


def square_of(length):
    """Return read-only ones of float32, as wide as long."""
    result = SQUARES32.get(length)
    if result is None:
        result = SQUARES32[length] = np.ones((length, length), F32)
    return result


def ones_of(length, width, kind):
    """Return read-only ones; a vector for width 0."""
    result = _COLUMNS[kind is F32]
    ones = result.get((length, width))
    if ones is None:
        ones = result[length, width] = np.ones((length, width) if width else length, kind)
    return ones


def rows_of(array):
    """Return True for a few rows of few floats.

    A product with ones sums them.
    """
    kind = array.dtype
    return array.ndim > 1 and 0 < array.size <= FEW and (kind is F32 or kind is F64)


def sums_of_rows(array):
    """Return the sums along the last dimension, which stays, for `rows_of` arrays."""
    return array.dot(ones_of(array.shape[-1], 1, array.dtype))


def sums_along(array, dim, keepdim):
    """Return the sums of a small matrix of floats along one dimension.

    None for anything else.
    """
    if array.ndim != 2 or dim.__class__ is not int or not -2 <= dim < 2 or not rows_of(array):
        return None
    axis = dim & 1
    if array.shape[axis] == 1:
        result = _add(array, _ZEROS[array.dtype is F32])  # of -0 alone the sum is 0, as PyTorch starts at 0
        return result if keepdim else result.reshape(-1)
    if axis:
        return array.dot(ones_of(array.shape[1], 1 if keepdim else 0, array.dtype))
    length = array.shape[0]
    ones = ones_of(1, length, array.dtype) if keepdim else ones_of(length, 0, array.dtype)
    return ones.dot(array) if type(array) is np.ndarray else np.dot(ones, array)  # a symbol of `compile`


def over_sums(array):
    """Divide an array in place by the sums of its rows.

    For rows of at most 32 a product returns each sum as often as the row is long, so that the division need not
    broadcast (tests/bench, calls: softmax of rows).
    """
    length = array.shape[-1]
    return np.divide(array, array.dot(ones_of(length, length if length <= 32 else 1, array.dtype)), array)


def softmax_of_few(rows, length, kind):
    """Return the softmax of few short rows without subtracting the largest elements.

    None if e^x might be too large or too small.
    While no sum is below 1, e^x has all digits wherever the result has them.
    """
    result = exp(rows)
    squares = _SQUARES[kind is F32]
    if length not in squares:
        squares[length] = np.ones((length, length), kind)
    totals = result.dot(squares[length])
    if rows.ndim == 1 or rows.size == length:
        if not 1.0 <= totals.item(0) < LARGE:
            return None
    else:
        sums = totals[:, 0].tolist()
        if not (1.0 <= min(sums) and max(sums) < LARGE):
            return None
    return divide(result, totals, result)


def log_softmax_of_one(row, squares):
    """Return the logarithm of the softmax of all elements, which are one row.

    squares: `square_of` their number, so that the sum comes as often as the row is long and nothing broadcasts.
    """
    shifted = row - (row if row.ndim == 1 else row[0])[row.argmax(), ...]
    totals = exp(shifted).dot(squares)
    return np.subtract(shifted, np.log(totals, totals), totals)


def largest_of(array):
    """Return the largest of all elements as a scalar; NaN if one is NaN."""
    return _extremum(array, np.ndarray.argmax, np.maximum)


def smallest_of(array):
    """Return the smallest of all elements as a scalar; NaN if one is NaN."""
    return _extremum(array, np.ndarray.argmin, np.minimum)


def _extremum(array, place, larger):
    if 0 < array.size <= FEW and array.ndim:
        flat = array if array.ndim == 1 else array.reshape(-1)
        return flat[place(flat)]
    return larger.reduce(array, axis=None)
