"""Products of many matrices, tensors as matrices, and other ops of `linalg`."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.errors.advice import advise

from .equations import linalg_inv, linalg_solve
from .matrix import matmul, vdot
from .matrix_checks import check_chain_dtype
from .reduction import sum
from .shape import permute, reshape, view


def cheapest(sizes):
    """Return where to split a chain of matrices, for every part of it.

    Dynamic programming over the costs.
    """
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            options = [(cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)]
            cost[i][j], split[i][j] = min(options)
    return split


@op(composite=True, private=True)
def linalg_multi_dot(tensors):
    """Product of matrices, multiplied in the order that costs least.

    First and last may be vectors.
    """
    if len(tensors) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")
    for number, each in enumerate(tensors[1:-1], 1):
        if len(each.shape) != 2:
            raise RuntimeError(f"multi_dot(): tensor {number} must be 2D but got {len(each.shape)}D")
    check_chain_dtype(tensors)
    first, last = tensors[0], tensors[-1]
    row, column = len(first.shape) == 1, len(last.shape) == 1
    chain = [reshape(first, 1, -1) if row else first, *tensors[1:-1], reshape(last, -1, 1) if column else last]
    split = cheapest([*[each.shape[0] for each in chain], chain[-1].shape[1]])

    def product(i, j):
        if i == j:
            return chain[i]
        return matmul(product(i, split[i][j]), product(split[i][j] + 1, j))

    result = product(0, len(chain) - 1)
    return view(result, tuple(result.shape[1 if row else 0 : 1 if column else 2]))


@op(composite=True, method=False)
def chain_matmul(*matrices):
    """Product of matrices, multiplied in the order that costs least."""
    advise("chain_matmul")
    given = list(matrices[0]) if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)) else list(matrices)
    return given[0] if len(given) == 1 else linalg_multi_dot(given)


@op(composite=True, private=True, node=lambda A: "ReshapeAliasBackward0" if A.numel() > 1 else None)
def linalg_tensorinv(A, ind: int = 2):
    """Inverse of a tensor as a matrix from its last to its first `ind` dimensions."""
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    rows, columns = tuple(A.shape[ind:]), tuple(A.shape[:ind])
    size = math.prod(rows)
    if size != math.prod(columns):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{size} != {math.prod(columns)}"
        )
    return reshape(linalg_inv(reshape(A, size, size)), (*rows, *columns))


@op(composite=True, private=True)
def linalg_tensorsolve(A, B, dims: tuple = None):
    """X with tensordot(A, X) = B."""
    if dims:
        axes = [d % len(A.shape) for d in dims]
        A = permute(A, *[axis for axis in range(len(A.shape)) if axis not in axes], *axes)
    rest = tuple(A.shape[len(B.shape) :])
    size = math.prod(rest)
    return reshape(linalg_solve(reshape(A, -1, size), reshape(B, -1)), rest)


@op(composite=True, private=True)
def linalg_vecdot(x, y, *, dim: int = -1):
    """Sums of the products of vectors along `dim`, the first conjugated."""
    if x.dtype != y.dtype:
        one, two = dtypes.title_of(x.dtype), dtypes.title_of(y.dtype)
        raise RuntimeError(
            f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type {one} and y of type {two} "
            "instead"
        )
    if len(x.shape) == 1 and len(y.shape) == 1:
        return vdot(x, y)
    return sum(x.conj() * y, dim)


@op(composite=True, private=True)
def linalg_vander(x, N: int = None):
    """Powers 0, 1, ..., N - 1 of each element, as rows."""
    x = x if len(x.shape) else np.expand_dims(x, -1)
    size = x.shape[-1] if N is None else N
    if N is not None and N <= 1:
        raise RuntimeError("N must be greater than 1.")
    return _powers(x, size)


@op(composite=True, method=False)
def vander(x, N: int = None, increasing: bool = False):
    """Powers 0, 1, ..., N - 1 of each element of a vector, as rows.

    The highest comes first unless `increasing`.
    """
    if x.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    size = x.shape[0] if N is None else N
    if size < 0:
        raise RuntimeError("N must be non-negative.")
    if not size:
        return np.expand_dims(x, -1)[:, :0]
    result = _powers(x, size)
    return result if increasing else np.flip(result, (-1,))


def _powers(x, size):
    """Return the powers 0, 1, ..., size - 1 along a new last dimension.

    Powers of integers are int64.
    """
    x = np.expand_dims(x, -1)
    ones = x.detach() * 0 + 1
    if ones.dtype.name[0] in "iub":
        x, ones = x.long(), ones.long()
    if size < 2:
        return ones
    return np.concatenate([ones, np.cumprod(np.broadcast_to(x, (*x.shape[:-1], size - 1)), -1)], -1)


@op(composite=True, private=True)
def linalg_diagonal(A, *, offset: int = 0, dim1: int = -2, dim2: int = -1):
    """Diagonals of matrices, as a view."""
    return A.diagonal(offset, dim1, dim2)
