"""Decompositions of matrices: Cholesky, QR, singular values, eigenvalues."""

import numpy as np

from dyncore.dispatch.formulas.matrices import absent, constant, eye_like, is_complex, zeros_of
from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.dtypes.dtypes import title_of
from dyncore.errors.advice import advise
from dyncore.errors.notes import LinAlgError

from .arrange import diag_embed, diagonal, tril, triu
from .equations import check_floats, check_matrix, check_square, linalg_solve, linalg_solve_triangular
from .joining import cat


def _h(x):
    """Return the conjugate transpose of each matrix."""
    return np.swapaxes(x, -1, -2).conj()


def _cholesky_rule(g, result, upper):
    L, g = (_h(result), _h(g)) if upper else (result, g)
    phi = _h(L) @ g
    core = (tril(phi) + _h(tril(phi, -1))) / 2
    left = linalg_solve_triangular(_h(L), core, upper=True)
    return linalg_solve_triangular(L, left, upper=False, left=False)


def _lower(A):
    """Return NumPy's Cholesky factor.

    Raises LinAlgError with the order of the leading minor that is not positive-definite.
    """
    check_square(A, "linalg.cholesky")
    try:
        return np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        raise _not_definite(A) from None


def _order(matrix):
    """Return the order of the first leading minor that is not positive-definite.

    0 if all are.
    """
    for k in range(1, len(matrix) + 1):
        try:
            np.linalg.cholesky(matrix[:k, :k])
        except np.linalg.LinAlgError:
            return k
    return 0


def _not_definite(A):
    for number, matrix in enumerate(A.reshape(-1, *A.shape[-2:])):
        order = _order(matrix)
        if order:
            batch = f"(Batch element {number}): " if A.ndim > 2 else ""
            return LinAlgError(
                f"linalg.cholesky: {batch}The factorization could not be completed because the input is not "
                f"positive-definite (the leading minor of order {order} is not positive-definite)."
            )
    return LinAlgError("linalg.cholesky: The factorization could not be completed.")


@op(A=_cholesky_rule, private=True, node="LinalgCholeskyExBackward0")
def linalg_cholesky(A, *, upper: bool = False):
    """Lower triangular L with A = L L^H, or its conjugate transpose.

    Raises LinAlgError if there is none.
    """
    L = _lower(np.swapaxes(A, -1, -2).conj() if upper else A)
    return np.swapaxes(L, -1, -2).conj() if upper else L


@op(A=lambda g0, result0, upper: _cholesky_rule(g0, result0, upper), private=True, returns=("L", "info"))
def linalg_cholesky_ex(A, *, upper: bool = False, check_errors: bool = False):
    """Cholesky factor, and 0 or the order of a minor that is not positive-definite."""
    check_square(A, "linalg.cholesky_ex")
    try:
        return linalg_cholesky(A, upper=upper), np.zeros(A.shape[:-2], np.int32)
    except LinAlgError:
        if check_errors:
            raise
        info = np.array([_order(m) for m in A.reshape(-1, *A.shape[-2:])], np.int32).reshape(A.shape[:-2])
        safe = np.where((info != 0)[..., None, None], eye_like(A), A)
        return linalg_cholesky(safe, upper=upper), info


@op(input=_cholesky_rule)
def cholesky(input, upper: bool = False):
    """Lower triangular L with A = L L^H; with `upper`, its conjugate transpose."""
    advise("cholesky")
    return linalg_cholesky(input, upper=upper)


def _times_factor(common, L, upper):
    both = common + _h(common)
    return -(L @ both) if upper else -(both @ L)


@op(
    input=lambda g, L, upper: cholesky_solve(g, L, upper),
    L=lambda g, L, upper, result: _times_factor(cholesky_solve(g, L, upper) @ _h(result), L, upper),
)
def cholesky_solve(input, L, upper: bool = False):
    """X with A X = input, from the Cholesky factor of A."""
    if input.dtype != L.dtype:
        one, two = title_of(input.dtype), title_of(L.dtype)
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {one} and A of type {two} instead."
        )
    lower = np.tril(_h(L) if upper else L)
    half = linalg_solve_triangular(lower, input, upper=False)
    return linalg_solve_triangular(_h(lower), half, upper=True)


@op(L=lambda g, L, upper, result: _times_factor(result @ g @ result, L, upper))
def cholesky_inverse(L, upper: bool = False):
    """Inverse of A, from its Cholesky factor."""
    lower = np.tril(_h(L) if upper else L)
    zeros = np.diagonal(lower, 0, -2, -1) == 0
    if zeros.any():
        raise LinAlgError(
            f"cholesky_inverse: The diagonal element {zeros.nonzero()[-1][0] + 1} is zero, the inversion could not be "
            "completed because the input matrix is singular."
        )
    inverse = np.linalg.inv(lower)
    return _h(inverse) @ inverse


def _qr_rule(g0, g1, mode, result0, result1):
    Q, R = result0, result1
    if mode == "r":
        raise RuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
            "linalg.qr(A, mode='reduced') if you are going to require gradients."
        )
    m, n, k = Q.shape[-2], R.shape[-1], Q.shape[-1]
    if mode == "complete" and m > n:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols")
    if k == n:
        return _qr_tall(g0, g1, Q, R)
    low = _below(_skew(g1 @ _h(R) - _h(Q) @ g0))
    first = linalg_solve_triangular(_h(R[..., :k]), -(Q @ low), upper=False, left=False)
    return cat([first, constant(zeros_of((*first.shape[:-1], n - k), first), first)], -1) + Q @ g1


def _below(x):
    """Return the part below the diagonal; if complex, half of the diagonal too."""
    low = tril(x, -1)
    return low + diag_embed(diagonal(x, 0, -2, -1)) / 2 if is_complex(x) else low


def _qr_tall(gQ, gR, Q, R):
    X = triu(gR @ _h(R) - _h(Q) @ gQ)
    d = diagonal(X, 0, -2, -1)
    X = X + _h(X) - diag_embed(d.real)
    return linalg_solve_triangular(_h(R), gQ + Q @ X, upper=False, left=False)


@op(A=_qr_rule, private=True, returns=("Q", "R"))
def linalg_qr(A, mode: str = "reduced"):
    """Q with orthonormal columns and R upper triangular with A = Q R.

    mode: "reduced", "complete" or "r".
    """
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    check_matrix(A, "linalg.qr")
    check_floats(A, "linalg.qr")
    if mode == "r":
        return np.empty(0, A.dtype), np.linalg.qr(A, mode="r")
    return tuple(np.linalg.qr(A, mode=mode))


@op(composite=True, returns=("Q", "R"))
def qr(input, some: bool = True):
    """Q with orthonormal columns and R upper triangular with A = Q R.

    some: False makes Q square.
    """
    advise("qr")
    return linalg_qr(input, "reduced" if some else "complete")


def _skew(x):
    return x - _h(x)


def _gaps(x, y):
    """Return the differences that gradients of vectors are divided by.

    1 on the diagonal.
    """
    return np.expand_dims(x, -2) - np.expand_dims(y, -1) + eye_like(x)


def _svd_rule(g0, g1, g2, A_shape, full_matrices, result0, result1, result2):
    gU, gS, gVh, U, S, Vh = g0, g1, g2, result0, result1, result2
    k = S.shape[-1]
    if full_matrices:
        gU, gVh, U, Vh = gU[..., :k], gVh[..., :k, :], U[..., :k], Vh[..., :k, :]
    m, n = A_shape[-2:]
    row, column = np.expand_dims(S, -2), np.expand_dims(S, -1)
    bare_U, bare_V = absent(gU), absent(gVh)
    if bare_U and bare_V:
        return U @ (np.expand_dims(gS, -1) * Vh) if m >= n else (U * np.expand_dims(gS, -2)) @ Vh
    squares = S * S
    gaps = _gaps(squares, squares)
    twist_U, twist_V = _skew(_h(U) @ gU), _skew(Vh @ _h(gVh))
    if bare_V:
        core = (twist_U / gaps) * row
    else:
        core = column * (twist_V / gaps) if bare_U else (twist_U * row + column * twist_V) / gaps
    if is_complex(U) and not bare_U:
        core = core + diag_embed(diagonal(twist_U, 0, -2, -1) / (2 * S))
    if not absent(gS):
        core = core + diag_embed(gS)
    if m > k and not bare_U:
        step = gU / row
        return (U @ core + step - U @ (_h(U) @ step)) @ Vh
    if n > k and not bare_V:
        step = gVh / column
        return U @ (core @ Vh + step - (step @ _h(Vh)) @ Vh)
    return U @ (core @ Vh) if m >= n else (U @ core) @ Vh


@op(A=_svd_rule, private=True, returns=("U", "S", "Vh"))
def linalg_svd(A, full_matrices: bool = True, *, driver: str = None):
    """U, S and Vh with A = U diag(S) Vh.

    Orthonormal columns, singular values in descending order, orthonormal rows.
    """
    check_matrix(A, "linalg.svd")
    check_floats(A, "linalg.svd")
    if driver is not None:
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )
    try:
        return tuple(np.linalg.svd(A, full_matrices=full_matrices))
    except np.linalg.LinAlgError:
        raise LinAlgError(
            "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values."
        ) from None


@op(composite=True, private=True)
def linalg_svdvals(A, *, driver: str = None):
    """Singular values, in descending order."""
    return linalg_svd(A, False, driver=driver)[1]


@op(composite=True, returns=("U", "S", "V"))
def svd(input, some: bool = True, compute_uv: bool = True):
    """U, S and V with A = U diag(S) V^H; with `compute_uv=False` U and V are zeros."""
    U, S, Vh = linalg_svd(input, not some)
    if not compute_uv:
        m, n = input.shape[-2:]
        batch = tuple(input.shape[:-2])
        return input.new_zeros((*batch, m, m)), S, input.new_zeros((*batch, n, n))
    return U, S, _h(Vh)


def _eigh_rule(g0, g1, result0, result1):
    L, V = result0, result1
    if absent(g1):
        return (V * np.expand_dims(g0, -2)) @ _h(V)
    twist = _skew(_h(V) @ g1) / (2 * _gaps(L, L))
    core = twist - diag_embed(diagonal(twist, 0, -2, -1)) + diag_embed(g0)
    return V @ core @ _h(V)


@op(A=_eigh_rule, private=True, returns=("eigenvalues", "eigenvectors"))
def linalg_eigh(A, UPLO: str = "L"):
    """Eigenvalues, ascending, and eigenvectors, as columns, of Hermitian matrices.

    One triangle is read.
    """
    check_square(A, "linalg.eigh")
    return tuple(np.linalg.eigh(A, _side(UPLO)))


def _side(UPLO):
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return UPLO.upper()


@op(composite=True, private=True)
def linalg_eigvalsh(A, UPLO: str = "L"):
    """Eigenvalues of Hermitian matrices, ascending."""
    return linalg_eigh(A, UPLO)[0]


def _eig_rule(g0, g1, result0, result1):
    L, V = result0, result1
    Vh = _h(V)
    if absent(g1):
        return linalg_solve(Vh, np.expand_dims(g0, -1) * Vh)
    twist = Vh @ g1
    twist = twist - Vh @ (V * np.expand_dims(diagonal(twist, 0, -2, -1).real, -2))
    twist = twist / _gaps(L, L).conj()
    core = twist - diag_embed(diagonal(twist, 0, -2, -1)) + diag_embed(g0)
    return linalg_solve(Vh, core @ Vh)


@op(A=_eig_rule, private=True, returns=("eigenvalues", "eigenvectors"))
def linalg_eig(A):
    """Eigenvalues and eigenvectors, as columns, of square matrices; always complex."""
    check_square(A, "linalg.eig")
    kind = dtypes.of(A.dtype).to_complex().numpy
    if not np.isfinite(A).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    values, vectors = np.linalg.eig(A)
    return values.astype(kind, copy=False), vectors.astype(kind, copy=False)


@op(composite=True, private=True)
def linalg_eigvals(A):
    """Eigenvalues of square matrices; always complex."""
    return linalg_eig(A)[0]
