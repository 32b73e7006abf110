"""Systems of equations: inverses, solutions, triangular systems."""

import numpy as np

from dyncore.dispatch.formulas.matrices import absent, eye_like, factor
from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.errors.advice import advise
from dyncore.errors.notes import LinAlgError

from .arrange import tril, triu


def _h(x):
    """Return the conjugate transpose of each matrix."""
    return np.swapaxes(x, -1, -2).conj()


def check_square(A, name):
    """Raise RuntimeError unless the last two dimensions are equal, and of floats."""
    check_matrix(A, name)
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} matrices"
        )
    check_floats(A, name)


def check_matrix(A, name):
    """Raise RuntimeError for fewer than two dimensions."""
    if A.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")


def check_floats(A, name):
    """Raise RuntimeError unless the elements are float32, float64 or complex."""
    if A.dtype.kind not in "fc":
        kind = dtypes.of(A.dtype).title
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {kind}")
    if A.dtype == np.float16:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got Half")


def singular(A, name, verb):
    """Return the error for the first singular matrix of a batch."""
    info = np.atleast_1d(factor(A)[2]).reshape(-1)
    number = int(np.flatnonzero(info)[0]) if info.any() else 0
    batch = f"(Batch element {number}): " if A.ndim > 2 else ""
    if verb == "inversion":
        reason = f"The diagonal element {info[number]} is zero, the inversion could not be completed"
    else:
        reason, name = "The solver failed", f"torch.{name}"
    return LinAlgError(f"{name}: {batch}{reason} because the input matrix is singular.")


@op(batching="rows", A=lambda g, result: -(_h(result) @ g @ _h(result)), private=True, node="LinalgInvExBackward0")
def linalg_inv(A):
    """Inverse of each matrix.

    dA = -Y^H dY Y^H.   Raises LinAlgError for a singular matrix.
    """
    check_square(A, "linalg.inv")
    try:
        return np.linalg.inv(A)
    except np.linalg.LinAlgError:
        raise singular(A, "linalg.inv", "inversion") from None


@op(composite=True, aliases=())
def inverse(input):
    """Inverse of each matrix."""
    return linalg_inv(input)


@op(A=lambda g0, result0: -(_h(result0) @ g0 @ _h(result0)), private=True, returns=("inverse", "info"))
def linalg_inv_ex(A, *, check_errors: bool = False):
    """Inverse of each matrix, and 0 or the position of the pivot that is zero."""
    check_square(A, "linalg.inv_ex")
    try:
        return np.linalg.inv(A), np.zeros(A.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        if check_errors:
            raise singular(A, "linalg.inv_ex", "inversion") from None
        info = np.asarray(factor(A)[2])
        with np.errstate(all="ignore"):
            safe = np.where((info != 0)[..., None, None], eye_like(A), A)
            return np.where((info != 0)[..., None, None], np.inf, np.linalg.inv(safe)).astype(A.dtype), info


def is_vector(A, B):
    """Return True if B is a batch of right sides that are single vectors."""
    return _is_vector(A, B.shape)


def _is_vector(A, shape):
    return len(shape) == 1 or (len(A.shape) - 1 == len(shape) and tuple(shape) == tuple(A.shape[:-1]))


def _solve_b(g, A, B_shape, left):
    if _is_vector(A, B_shape):
        return np.squeeze(linalg_solve(_h(A), np.expand_dims(g, -1)), -1)
    return linalg_solve(_h(A), g, left=left)


def _solve_rule(g, A, B_shape, left, result):
    back = linalg_solve(_h(A), g, left=left)
    if _is_vector(A, B_shape):
        return -(np.expand_dims(back, -1) * np.expand_dims(result.conj(), -2))
    return -(back @ _h(result)) if left else -(_h(result) @ back)


@op(batching="solved", A=_solve_rule, B=_solve_b, private=True, node="LinalgSolveExBackward0")
def linalg_solve(A, B, *, left: bool = True):
    """X with A X = B, or X A = B unless `left`.

    dB = A^-H dX,  dA = -dB X^H.   Raises LinAlgError for a singular matrix.
    """
    return solution(A, B, left, "linalg.solve")


def solution(A, B, left, name):
    """Return X with A X = B, in NumPy."""
    check_square(A, name)
    if A.dtype != B.dtype:
        raise RuntimeError(
            f"{name}: Expected A and B to have the same dtype, but found A of type {dtypes.of(A.dtype).title} and B of "
            f"type {dtypes.of(B.dtype).title} instead"
        )
    vector = is_vector(A, B)
    if vector and not left:
        raise RuntimeError(f"{name}: Vector broadcasting of the left hand side is not supported for left=False.")
    right = B[..., None] if vector else B
    _check_sizes(A, right, name, left)
    try:
        if left:
            result = np.linalg.solve(A, right)
        else:
            result = np.swapaxes(np.linalg.solve(np.swapaxes(A, -1, -2), np.swapaxes(right, -1, -2)), -1, -2)
    except np.linalg.LinAlgError:
        raise singular(A, name, "solve") from None
    return result[..., 0] if vector else result


def _triangle(x, upper, unitriangular):
    return triu(x, 1 if unitriangular else 0) if upper else tril(x, -1 if unitriangular else 0)


def _triangular_b(g, A, upper, left, unitriangular):
    return linalg_solve_triangular(_h(A), g, upper=not upper, left=left, unitriangular=unitriangular)


def _triangular_a(g, A, upper, left, unitriangular, result):
    back = _triangular_b(g, A, upper, left, unitriangular)
    return _triangle(-(back @ _h(result)) if left else -(_h(result) @ back), upper, unitriangular)


def _check_sizes(A, B, name, left):
    """Raise RuntimeError unless the matrices fit."""
    if B.shape[-2 if left else -1] != A.shape[-1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({A.shape[-2]}x{A.shape[-1]} and {B.shape[-2]}x{B.shape[-1]})"
        )


@op(A=_triangular_a, B=_triangular_b, private=True)
def linalg_solve_triangular(A, B, *, upper: bool, left: bool = True, unitriangular: bool = False):
    """X with A X = B, or X A = B unless `left`, for a triangular A.

    One triangle of A is read, with ones on its diagonal if `unitriangular`.
    """
    check_square(A, "linalg.solve_triangular")
    _check_sizes(A, B, "linalg.solve_triangular", left)
    T = np.triu(A) if upper else np.tril(A)
    size = A.shape[-1]
    if unitriangular:
        T = np.where(np.eye(size, dtype=bool), A.dtype.type(1), T)
    if not left:
        T, B = np.swapaxes(T, -1, -2), np.swapaxes(B, -1, -2)
        upper = not upper
    if np.all(np.diagonal(T, 0, -2, -1)):
        X = np.linalg.solve(T, B)
    else:
        X = _substituted(T, B, upper)
    return X if left else np.swapaxes(X, -1, -2)


def _substituted(T, B, upper):
    """Solve row after row; divides by zero where NumPy's solver would refuse."""
    shape = np.broadcast_shapes(T.shape[:-2], B.shape[:-2])
    X = np.array(np.broadcast_to(B, (*shape, *B.shape[-2:])))
    size = T.shape[-1]
    with np.errstate(all="ignore"):
        for k in reversed(range(size)) if upper else range(size):
            X[..., k, :] = X[..., k, :] / T[..., k, k, None]
            rest = slice(0, k) if upper else slice(k + 1, size)
            X[..., rest, :] -= T[..., rest, k, None] * X[..., k, None, :]
    return X


def _older_b(g0, A, upper, transpose, unitriangular):
    return triangular_solve(g0, A.conj(), upper, not transpose, unitriangular)[0]


def _older_a(g0, g1, A, upper, transpose, unitriangular, result0):
    if absent(g0):
        return g1
    back = _older_b(g0, A, upper, transpose, unitriangular)
    result = result0.conj() @ np.swapaxes(back, -1, -2) if transpose else back @ _h(result0)
    result = _triangle(-result, upper, unitriangular)
    return result if absent(g1) else result + g1


@op(input=_older_b, A=_older_a, returns=("solution", "cloned_coefficient"))
def triangular_solve(input, A, upper: bool = True, transpose: bool = False, unitriangular: bool = False):
    """Solution of a triangular system, and a copy of its matrix."""
    advise("triangular_solve")
    matrix = np.swapaxes(A, -1, -2) if transpose else A
    result = linalg_solve_triangular(matrix, input, upper=upper != transpose, unitriangular=unitriangular)
    return result, A.copy()
