"""Pseudoinverses and solutions with the least squares."""

import numpy as np

from dyncore.dispatch.formulas.matrices import constant, ranks
from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes

from .decompositions import linalg_svd
from .equations import check_floats


def _h(x):
    """Return the conjugate transpose of each matrix."""
    return np.swapaxes(x, -1, -2).conj()


def _pinv_rule(g, A, result):
    Y, Yh, gh = result, _h(result), _h(g)
    if A.shape[-2] <= A.shape[-1]:
        K = gh @ Y
        KYh = K @ Yh
        return -_h(Y @ K) + KYh - (A @ Y) @ KYh + (Yh @ Y) @ (gh - K @ A)
    K = Y @ gh
    YhK = Yh @ K
    return -_h(K @ Y) + (gh - A @ K) @ Y @ Yh + YhK - (YhK @ Y) @ A


@op(A=_pinv_rule, private=True, node="LinalgPinvBackward0")
def linalg_pinv(A, rcond=None, hermitian: bool = False, *, atol=None, rtol=None):
    """Pseudoinverse of each matrix.

    Singular values below max(atol, rtol times the largest) count as zero.
    """
    check_floats(A, "linalg.pinv")
    rtol = rcond if rtol is None else rtol
    if not A.size:
        return np.zeros((*A.shape[:-2], A.shape[-1], A.shape[-2]), A.dtype)
    if rtol is None:
        small = max(A.shape[-2:]) * np.finfo(A.dtype).eps
        rtol = small if atol is None else np.where(np.asarray(atol) > 0, 0.0, small)
    if hermitian:
        values, U = np.linalg.eigh(A)
        size, Vh = np.abs(values), np.swapaxes(U, -1, -2).conj()
    else:
        U, values, Vh = np.linalg.svd(A, full_matrices=False)
        size = values
    limit = np.maximum(0.0 if atol is None else atol, np.asarray(rtol) * size.max(-1))
    kept = size > np.asarray(limit)[..., None]
    inverse = np.where(kept, 1 / np.where(kept, values, 1), 0)
    result = (np.swapaxes(Vh, -1, -2).conj() * inverse[..., None, :]) @ np.swapaxes(U, -1, -2).conj()
    return result.astype(A.dtype, copy=False)


@op(composite=True)
def pinverse(input, rcond: float = 1e-15):
    """Pseudoinverse of each matrix."""
    return linalg_pinv(input, rcond)


@op(inverse=lambda g, B: np.matmul(g, _h(B)), B=lambda g, inverse: np.matmul(_h(inverse), g), private=True)
def solved(inverse, B):
    """Product of a pseudoinverse and the right side."""
    return np.matmul(inverse, B)


@op(
    composite=True,
    private=True,
    returns=("solution", "residuals", "rank", "singular_values"),
    node="LinalgLstsqBackward0",
)
def linalg_lstsq(A, B, rcond: float = None, *, driver: str = None):
    """X with the least |A X - B|, squares of residuals, ranks and singular values."""
    if len(A.shape) < 2:
        raise RuntimeError("torch.linalg.lstsq: input must have at least 2 dimensions.")
    if A.dtype != B.dtype:
        raise RuntimeError(
            "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype "
            f"{dtypes.title_of(A.dtype)} and other's dtype {dtypes.title_of(B.dtype)}"
        )
    used = (driver or "gelsy").lower()
    if used not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    vector = len(B.shape) == 1 or (len(A.shape) - 1 == len(B.shape) and tuple(B.shape) == tuple(A.shape[:-1]))
    right = np.expand_dims(B, -1) if vector else B
    if right.shape[-2] != A.shape[-2]:
        raise RuntimeError("torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
    X = solved(linalg_pinv(A, rcond), right)
    m, n = A.shape[-2:]
    values = linalg_svd(A.detach(), False)[1]
    rank = None if used == "gels" else constant(ranks(values, max(m, n), rcond), A)
    if m > n and used != "gelsy" and (rank is None or bool((rank == n).all())):
        rest = np.abs(A @ X - right)
        residuals = np.sum(rest * rest, axis=-2)
    else:
        residuals = X.reshape((-1,))[:0].real
    counted = constant(ranks(), A) if rank is None else rank
    shown = values if used in ("gelsd", "gelss") else values.new_zeros((0,))
    return (X[..., 0] if vector else X), residuals, counted, shown
