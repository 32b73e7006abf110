"""LU decomposition: a permutation, a lower and an upper triangle; reflections."""

import numpy as np

from dyncore.dispatch.formulas.matrices import (
    absent,
    all_nonzero,
    constant,
    eye_of,
    factor,
    permutation,
    zeros_of,
)
from dyncore.dispatch.registry import op
from dyncore.dtypes.dtypes import title_of
from dyncore.errors.advice import advise

from .arrange import tril, triu
from .cloning import clone
from .equations import check_floats, is_vector, linalg_solve, linalg_solve_triangular
from .joining import cat
from .shape import reshape


def _h(x):
    """Return the conjugate transpose of each matrix."""
    return np.swapaxes(x, -1, -2).conj()


def _lu_rule(gL, gU, P, L, U):
    """Return the gradient of A = P L U."""
    m, n = L.shape[-2], U.shape[-1]
    k = min(m, n)
    L1, U1 = L[..., :k, :], U[..., :, :k]
    low = _h(L) @ gL if m <= n else _h(L1) @ gL[..., :k, :]
    high = gU @ _h(U) if m >= n else gU[..., :, :k] @ _h(U1)
    if m < n:
        low = low - gU[..., :, k:] @ _h(U[..., :, k:])
    if m > n:
        high = high - _h(L[..., k:, :]) @ gL[..., k:, :]
    core = tril(low, -1) + triu(high)
    if m <= n:
        half = linalg_solve_triangular(_h(L1), core, upper=True, unitriangular=True)
        result = linalg_solve_triangular(_h(U1), half, upper=False, left=False)
        if m < n:
            result = cat([result, linalg_solve_triangular(_h(L1), gU[..., :, k:], upper=True, unitriangular=True)], -1)
    else:
        half = linalg_solve_triangular(_h(U1), core, upper=False, left=False)
        first = linalg_solve_triangular(_h(L1), half, upper=True, unitriangular=True)
        second = linalg_solve_triangular(_h(U1), gL[..., k:, :], upper=False, left=False)
        result = cat([first, second], -2)
    return P @ result


def _lower_part(LU):
    """Return L, with ones on its diagonal, of a packed LU."""
    k = min(LU.shape[-2:])
    return tril(LU[..., :, :k], -1) + eye_of(LU.shape[-2], k, LU)


def _upper_part(LU):
    """Return U of a packed LU."""
    return triu(LU[..., : min(LU.shape[-2:]), :])


def _packed_rule(g0, result0, result1):
    P = permutation(result1, result0)
    k = min(result0.shape[-2:])
    return _lu_rule(g0[..., :, :k], g0[..., :k, :], P, _lower_part(result0), _upper_part(result0))


def _check_pivot(pivot):
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")


@op(A=_packed_rule, private=True, returns=("LU", "pivots", "info"))
def linalg_lu_factor_ex(A, *, pivot: bool = True, check_errors: bool = False):
    """L and U in one matrix, the rows exchanged, and 0 or a zero pivot's position."""
    check_floats(A, "linalg.lu_factor_ex")
    _check_pivot(pivot)
    LU, pivots, info = factor(A)
    if check_errors and np.any(info):
        position = info[info != 0].flat[0]
        raise RuntimeError(
            f"torch.linalg.lu_factor_ex: U[{position},{position}] is zero and using it on lu_solve would result in a "
            "division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
            "linalg.lu_factor_ex(A, pivot)"
        )
    return LU, pivots, np.asarray(info, np.int32)


@op(composite=True, private=True, returns=("LU", "pivots"))
def linalg_lu_factor(A, *, pivot: bool = True):
    """L and U packed in one matrix, and the rows exchanged."""
    return linalg_lu_factor_ex(A, pivot=pivot)[:2]


@op(composite=True)
def lu(input, pivot: bool = True, get_infos: bool = False):
    """L and U in one matrix, and the rows exchanged.

    On demand, also the position of a zero pivot.
    """
    advise("lu")
    result = linalg_lu_factor_ex(input, pivot=pivot)
    return tuple(result) if get_infos else tuple(result)[:2]


@op(
    A=lambda g1, g2, result0, result1, result2: _lu_rule(g1, g2, result0, result1, result2),
    private=True,
    returns=("P", "L", "U"),
)
def linalg_lu(A, *, pivot: bool = True):
    """P, L and U with A = P L U.

    A permutation, a lower triangle with ones on its diagonal, an upper triangle.
    """
    check_floats(A, "linalg.lu")
    _check_pivot(pivot)
    LU, pivots, _ = factor(A)
    return permutation(pivots, LU), _lower_part(LU), _upper_part(LU)


@op(LU_data=lambda g1, g2, LU_data_shape: _repacked(g1, g2, LU_data_shape), method=False, returns=("P", "L", "U"))
def lu_unpack(LU_data, LU_pivots, unpack_data: bool = True, unpack_pivots: bool = True):
    """P, L and U from a packed LU and the rows exchanged.

    Empty tensors for those not asked for.
    """
    nothing = np.empty(0, LU_data.dtype)
    P = permutation(LU_pivots, LU_data) if unpack_pivots else nothing
    if not unpack_data:
        return P, nothing, nothing
    return P, _lower_part(LU_data), _upper_part(LU_data)


def _repacked(gL, gU, shape):
    m, n = shape[-2:]
    k = min(m, n)
    if m <= n and absent(gL):
        return triu(gU)
    if m >= n and absent(gU):
        return tril(gL, -1)
    if m < n:
        return cat([tril(gL, -1) + triu(gU[..., :k]), gU[..., k:]], -1)
    if m > n:
        return cat([tril(gL[..., :k, :], -1) + triu(gU), gL[..., k:, :]], -2)
    return tril(gL, -1) + triu(gU)


def _solve_packed(g, LU, pivots, left, adjoint, result):
    """Return the gradient of the packed L and U.

    A X = B, or A^H X = B, was solved for X with A = P L U.
    """
    P, L, U = lu_unpack(LU, pivots)
    if not left:
        g, result, adjoint = _h(g), _h(result), not adjoint
    if adjoint:
        inner = -(_h(P) @ result @ (_h(g) @ P))
        low = linalg_solve_triangular(_h(L), inner, upper=True, left=False, unitriangular=True)
        high = linalg_solve_triangular(_h(U), _h(L) @ low, upper=False, left=False)
    else:
        high = linalg_solve_triangular(_h(U), -(g @ _h(result)), upper=False)
        low = linalg_solve_triangular(_h(L), high @ _h(U), upper=True, unitriangular=True)
    return tril(low, -1) + triu(high)


@op(
    LU=_solve_packed,
    B=lambda g, LU, pivots, left, adjoint: linalg_lu_solve(LU, pivots, g, left=left, adjoint=not adjoint),
    private=True,
)
def linalg_lu_solve(LU, pivots, B, *, left: bool = True, adjoint: bool = False):
    """X with A X = B, or X A = B unless `left`, from the packed LU of A.

    adjoint: of its conjugate transpose.
    """
    if LU.dtype != B.dtype:
        one, two = title_of(LU.dtype), title_of(B.dtype)
        raise RuntimeError(
            f"linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type {one} and B of type "
            f"{two} instead"
        )
    P = permutation(pivots, LU)
    L, U = _lower_part(LU), _upper_part(LU)
    if not left:
        B, adjoint = _h(B), not adjoint
    if adjoint:
        X = linalg_solve_triangular(_h(U), B, upper=False)
        X = linalg_solve_triangular(_h(L), X, upper=True, unitriangular=True)
        X = P @ X
    else:
        X = np.swapaxes(P, -1, -2) @ B
        X = linalg_solve_triangular(L, X, upper=False, unitriangular=True)
        X = linalg_solve_triangular(U, X, upper=True)
    return X if left else _h(X)


@op(composite=True)
def lu_solve(input, LU_data, LU_pivots):
    """X with A X = input, from the packed LU of A."""
    return linalg_lu_solve(LU_data, LU_pivots, input)


@op(composite=True, private=True, returns=("result", "info"))
def linalg_solve_ex(A, B, *, left: bool = True, check_errors: bool = False):
    """X with A X = B, and 0 or the position of a zero pivot.

    In the latter case X is divided by zero.
    """
    LU, pivots, info = linalg_lu_factor_ex(A)
    if check_errors or all_nonzero(info == 0):
        return linalg_solve(A, B, left=left), info
    right = np.expand_dims(B, -1) if is_vector(A, B) else B
    result = linalg_lu_solve(LU, pivots, right, left=left)
    return reshape(result, B.shape) if right is not B else result, info


@op(input=lambda g, some: tril(g, -1) if some else None, private=True)
def below(input, some: bool):
    """Copy of which only the part below the diagonal is read, if `some`."""
    return input.copy()


@op(input=lambda g, some: clone(g) if some else None, private=True, back="torch::autograd::CopySlices")
def one_by_one(input, some: bool):
    """Copy whose elements are read one after the other, if `some`."""
    return input.copy()


def _seen(A, tau):
    """Return the reflections, to which gradients come in PyTorch's shape.

    There is no gradient if there is no element.
    """
    some = bool(A.numel() and tau.numel())
    return below(A, some), one_by_one(tau, some)


@op(
    Q=lambda g, other, left: np.matmul(g, _h(other)) if left else np.matmul(_h(other), g),
    other=lambda g, Q, left: np.matmul(_h(Q), g) if left else np.matmul(g, _h(Q)),
    private=True,
    back={"other": "OrmqrBackward0"},
)
def turned(Q, other, left: bool):
    """`other` multiplied by Q from the left or the right."""
    return np.matmul(Q, other) if left else np.matmul(other, Q)


@op(composite=True, private=True, node="LinalgHouseholderProductBackward0")
def linalg_householder_product(A, tau):
    """First columns of the product of the reflections 1 - tau v v^H.

    The vectors v are below the diagonal of A.
    """
    if tau.dtype != A.dtype:
        raise RuntimeError(
            f"torch.linalg.householder_product: tau dtype {title_of(tau.dtype)} does not match input dtype "
            f"{title_of(A.dtype)}"
        )
    m, n = A.shape[-2:]
    k = tau.shape[-1]
    A, tau = _seen(A, tau)
    result = (A * 0)[..., :, :n] + eye_of(m, n, A)
    for i in reversed(range(k)):
        above = (A[..., :i, i] * 0).detach()
        one = (A[..., i : i + 1, i] * 0).detach() + 1
        v = np.expand_dims(cat([above, one, A[..., i + 1 :, i]], -1), -1)
        result = result - np.expand_dims(np.expand_dims(tau[..., i], -1), -1) * (v @ (_h(v) @ result))
    return result


@op(returns=("a", "tau"))
def geqrf(input):
    """Reflections of a QR decomposition.

    Returns their vectors, below the diagonal of the first result, and their factors.
    """
    check_floats(input, "geqrf")
    h, tau = np.linalg.qr(input, mode="raw")
    return np.ascontiguousarray(np.swapaxes(h, -1, -2)), tau


@op(composite=True, node="OrmqrBackward0")
def ormqr(input, tau, other, left: bool = True, transpose: bool = False):
    """`other` multiplied by a product of reflections, or its conjugate transpose.

    left: from the left, else from the right.
    """
    for name, each in (("tau", tau), ("other", other)):
        if each.dtype != input.dtype:
            raise RuntimeError(
                f"torch.ormqr: Expected input and {name} to have the same dtype, but input has dtype"
                f"{title_of(input.dtype)} and {name} has dtype {title_of(each.dtype)}"
            )
    if len(input.shape) < 2:
        raise RuntimeError("torch.ormqr: input must have at least 2 dimensions.")
    if len(other.shape) < 2:
        raise RuntimeError("torch.ormqr: other must have at least 2 dimensions.")
    side = -2 if left else -1
    if other.shape[side] != input.shape[-2]:
        raise RuntimeError(f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]")
    least = other.shape[side] if other.shape[side] < input.shape[-1] else input.shape[-1]
    if tau.shape[-1] != least:
        raise RuntimeError(f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])")
    size = input.shape[-2]
    input = below(input, bool(tau.numel()))[..., : tau.shape[-1]]
    missing = constant(zeros_of((*input.shape[:-1], size - input.shape[-1]), input), input)
    Q = linalg_householder_product(cat([input, missing], -1), tau)
    Q = _h(Q) if transpose else Q
    return turned(Q, other, left)


@op(composite=True)
def orgqr(input, tau):
    """First columns of a product of reflections; `linalg.householder_product`."""
    return linalg_householder_product(input, tau)
