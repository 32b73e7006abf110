"""LDL decomposition: a symmetric or Hermitian matrix as L D L^T.

D has blocks of one or two (Bunch and Kaufman's pivoting).
"""

import math

import numpy as np

from dyncore.dispatch.registry import UNDERIVED, op
from dyncore.dtypes import dtypes

from .equations import check_square

_LEAST = (1 + math.sqrt(17)) / 8  # how small a pivot may be beside the largest element of its column


def _size(x):
    """Return the size of an element as LAPACK takes it: |re| + |im|."""
    return np.abs(x.real) + np.abs(x.imag)


def _pivot(A, k, hermitian):
    """Return (row to exchange, rows of the block).

    None if the whole column is zero.
    """
    head = abs(A[k, k].real) if hermitian else _size(A[k, k])
    below = _size(A[k + 1 :, k])
    most = below.max(initial=0)
    if not max(head, most) > 0:
        return None
    if head >= _LEAST * most:
        return k, 1
    row = k + 1 + int(below.argmax())
    across = max(_size(A[row, k:row]).max(), _size(A[row + 1 :, row]).max(initial=0))
    if head >= _LEAST * most * (most / across):
        return k, 1
    corner = abs(A[row, row].real) if hermitian else _size(A[row, row])
    return (row, 1) if corner >= _LEAST * across else (row, 2)


def _exchange(A, one, two, hermitian):
    """Exchange rows and columns `one` < `two` of the trailing matrix.

    Only its lower triangle is stored.
    """
    A[two + 1 :, [one, two]] = A[two + 1 :, [two, one]]
    left, low = A[one + 1 : two, one].copy(), A[two, one + 1 : two].copy()
    A[one + 1 : two, one], A[two, one + 1 : two] = (low.conj(), left.conj()) if hermitian else (low, left)
    A[one, one], A[two, two] = A[two, two], A[one, one]
    if hermitian:
        A[two, one] = A[two, one].conj()


def _factored(A, hermitian):
    """Factor a matrix in place.

    Returns the row exchanges, and 0 or 1 plus the position of the first pivot that is zero.
    """
    n = len(A)
    exchanges, info, k = np.zeros(n, np.int32), 0, 0
    turned = np.conj if hermitian else np.asarray
    while k < n:
        result = _pivot(A, k, hermitian)
        if result is None:
            info = info or k + 1
            exchanges[k] = k + 1
            k += 1
            continue
        row, width = result
        last = k + width - 1
        if row != last:
            _exchange(A, last, row, hermitian)
            if width == 2:
                A[k + 1, k], A[row, k] = A[row, k], A[k + 1, k]
        if hermitian:
            for each in range(k, last + 1):
                A[each, each] = A[each, each].real
        rest, block = A[last + 1 :, last + 1 :], A[last + 1 :, k : last + 1]
        lower = block / A[k, k] if width == 1 else _over(block, A[k, k], A[k + 1, k], A[k + 1, k + 1], hermitian)
        rest -= np.tril(block @ turned(lower).T)
        if hermitian:
            np.fill_diagonal(rest, rest.diagonal().real)
        block[...] = lower
        exchanges[k : last + 1] = row + 1 if width == 1 else -(row + 1)
        k = last + 1
    return exchanges, info


def _over(rows, first, beside, second, hermitian):
    """Return `rows`, of two columns, times the inverse of a block.

    The block is [[first, beside^T], [beside, second]].
    """
    across = np.conj(beside) if hermitian else beside
    one, two = second / beside, first / across
    scale = 1 / (one * two - 1)
    x, y = rows[..., 0], rows[..., 1]
    return np.stack([(one * x - y) * scale / across, (two * y - x) * scale / beside], -1)


def _underived(g0):
    raise RuntimeError("derivative for aten::linalg_ldl_factor_ex is not implemented")


def _underived_solution(g):
    raise RuntimeError("derivative for aten::linalg_ldl_solve is not implemented")


@op(A=_underived, private=True, returns=("LD", "pivots", "info"), node=UNDERIVED)
def linalg_ldl_factor_ex(A, *, hermitian: bool = False, check_errors: bool = False):
    """L and D in one triangle, the rows exchanged, and 0 or a zero pivot's position.

    Only the lower triangle of A is read.  A pivot of -n, twice, is a block of two whose second row was exchanged.
    """
    check_square(A, "torch.linalg.ldl_factor_ex")
    LD = np.tril(A)
    flat = LD.reshape(math.prod(A.shape[:-2]), *A.shape[-2:])
    result = [_factored(each, hermitian and A.dtype.kind == "c") for each in flat]
    pivots = np.array([each for each, _ in result], np.int32).reshape(A.shape[:-1])
    info = np.array([each for _, each in result], np.int32).reshape(A.shape[:-2])[()]
    if check_errors and np.any(info):
        raise RuntimeError(f"linalg.ldl_factor_ex: the pivot {np.ravel(info)[np.flatnonzero(info)[0]]} is zero")
    return LD, pivots, info


@op(composite=True, private=True, returns=("LD", "pivots"))
def linalg_ldl_factor(A, *, hermitian: bool = False):
    """`ldl_factor_ex` without the position.

    Raises RuntimeError if a pivot is zero.
    """
    return linalg_ldl_factor_ex(A, hermitian=hermitian, check_errors=True)[:2]


def _solved(LD, exchanges, X, hermitian):
    """Solve A X' = X in place of X.

    Through L downwards, D on the way, and L^T upwards.
    """
    n, turned, k = len(LD), np.conj if hermitian else np.asarray, 0
    starts = []
    while k < n:
        width = 1 if exchanges[k] > 0 else 2
        last, row = k + width - 1, abs(int(exchanges[k])) - 1
        X[[last, row]] = X[[row, last]]
        X[last + 1 :] -= LD[last + 1 :, k : last + 1] @ X[k : last + 1]
        if width == 1:
            X[k] /= LD[k, k]
        else:
            X[k : last + 1] = _over(X[k : last + 1].T, LD[k, k], turned(LD[k + 1, k]), LD[k + 1, k + 1], hermitian).T
        starts.append((k, last, row))
        k = last + 1
    for k, last, row in reversed(starts):
        X[k : last + 1] -= turned(LD[last + 1 :, k : last + 1]).T @ X[last + 1 :]
        X[[last, row]] = X[[row, last]]


@op(LD=_underived_solution, B=_underived_solution, private=True, node=UNDERIVED)
def linalg_ldl_solve(LD, pivots, B, *, hermitian: bool = False):
    """X with A X = B, from the result of `ldl_factor` for A."""
    name = "torch.linalg.ldl_solve"
    check_square(LD, name)
    if B.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)")
    if LD.shape[-1] != B.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {LD.shape[-1]} by {LD.shape[-1]} but each b "
            f"matrix is {B.shape[-2]} by {B.shape[-1]}"
        )
    if LD.shape[:-1] != pivots.shape:
        raise RuntimeError(
            f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
            f"{list(pivots.shape)} instead"
        )
    if pivots.dtype.kind not in "iu":
        raise RuntimeError(f"{name}: Expected pivots to be integers. Got {dtypes.of(pivots.dtype).title}")
    if LD.dtype != B.dtype:
        one, two = dtypes.of(B.dtype).title, dtypes.of(LD.dtype).title
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {one} and A of type {two} instead."
        )
    lead = np.broadcast_shapes(LD.shape[:-2], B.shape[:-2])
    count = math.prod(lead)
    X = np.array(np.broadcast_to(B, (*lead, *B.shape[-2:])), order="C")
    lower = np.broadcast_to(LD, (*lead, *LD.shape[-2:])).reshape(count, *LD.shape[-2:])
    exchanges = np.broadcast_to(pivots, (*lead, pivots.shape[-1])).reshape(count, pivots.shape[-1])
    for number, each in enumerate(X.reshape(count, *B.shape[-2:])):
        _solved(lower[number], exchanges[number], each, hermitian and LD.dtype.kind == "c")
    return X
