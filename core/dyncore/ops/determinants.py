"""Determinants, powers and exponentials of matrices."""

import numpy as np

from dyncore.dispatch.formulas.matrices import (
    absent,
    all_nonzero,
    constant,
    exponential,
    eye_like,
    is_complex,
    zeros_of,
)
from dyncore.dispatch.registry import op

from .arrange import diag_embed
from .decompositions import linalg_svd
from .equations import check_square, linalg_inv, linalg_solve
from .joining import cat
from .reduction import prod


def _h(x):
    """Return the conjugate transpose of each matrix."""
    return np.swapaxes(x, -1, -2).conj()


def _cofactors(A):
    """Return the conjugate cofactor of each element, also of a singular matrix."""
    U, S, Vh = linalg_svd(A, False)
    others = np.where(eye_like(S) != 0, np.expand_dims(S * 0 + 1, -2), np.expand_dims(S, -2))
    rest = prod(others, -1)
    phase = (linalg_det(U) * linalg_det(Vh)).conj()
    return np.expand_dims(np.expand_dims(phase, -1), -1) * ((U * np.expand_dims(rest, -2)) @ Vh)


def _spread(g):
    return np.expand_dims(np.expand_dims(g, -1), -1)


def _shared_out(g, A):
    """Return A^-H times a number for each matrix."""
    return _spread(g) * _h(linalg_inv(A))


def _solved(g, A):
    if is_complex(A) and not is_complex(g):
        g = g * (1 + 0j)
    return linalg_solve(_h(A), np.swapaxes(diag_embed(np.broadcast_to(np.expand_dims(g, -1), A.shape[:-1])), -1, -2))


_shared_out.recorded = _solved


def _det_rule(g, A, result):
    if 0 in A.shape:
        return constant(zeros_of(A.shape, A), A)
    if A.shape[-1] == 1:
        return np.broadcast_to(_spread(g), A.shape)
    return _shared_out(g * result.conj(), A) if all_nonzero(result) else _spread(g) * _cofactors(A)


@op(batching="rows", A=_det_rule, private=True)
def linalg_det(A):
    """Determinant of each matrix.

    dA = dy conj(y) A^-H.
    """
    check_square(A, "linalg.det")
    return np.linalg.det(A)


@op(composite=True)
def det(input):
    """Determinant of each matrix."""
    return linalg_det(input)


def _slogdet_rule(g0, g1, A, result0):
    if is_complex(A) and not absent(g0):
        g1 = g1 - (g0.conj() * result0).imag * 1j
    return _shared_out(g1, A)


@op(A=_slogdet_rule, private=True, returns=("sign", "logabsdet"))
def linalg_slogdet(A):
    """Sign, and the logarithm of the absolute value, of each determinant."""
    check_square(A, "linalg.slogdet")
    return tuple(np.linalg.slogdet(A))


@op(composite=True, returns=("sign", "logabsdet"))
def slogdet(input):
    """Sign, and the logarithm of the absolute value, of each determinant."""
    return linalg_slogdet(input)


@op(composite=True)
def logdet(input):
    """Logarithm of each determinant; NaN where it is negative."""
    sign, size = linalg_slogdet(input)
    if is_complex(input):
        return np.log(sign) + size
    return np.where(sign == -1.0, size.detach() * float("nan"), size)


def _exponential_rule(g, input):
    """Return the upper right block of exp([[A^H, G], [0, A^H]])."""
    n = input.shape[-1]
    A = _h(input)
    top, bottom = cat([A, g], -1), cat([g * 0, A], -1)
    return linalg_matrix_exp(cat([top, bottom], -2))[..., :n, n:]


@op(input=_exponential_rule, private=True)
def linalg_matrix_exp(input):
    """e to the power of each matrix."""
    check_square(input, "linalg.matrix_exp")
    return exponential(input)


@op(composite=True)
def matrix_exp(input):
    """e to the power of each matrix."""
    return linalg_matrix_exp(input)


@op(composite=True, private=True, node=lambda n: None if n else "torch::autograd::CopyBackwards")
def linalg_matrix_power(A, n: int):
    """The n-th power of each matrix, of its inverse for negative n."""
    if len(A.shape) < 2:
        raise RuntimeError("linalg.matrix_power: The input tensor A must have at least 2 dimensions.")
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"linalg.matrix_power: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} "
            "matrices"
        )
    if n == 0:
        return A.clone().copy_(constant(eye_like(A), A))
    if n == 1:
        return A.clone()
    if n < 0:
        A, n = linalg_inv(A), -n
    result = None
    while True:
        if n & 1:
            result = A if result is None else result @ A
        n >>= 1
        if not n:
            return result
        A = A @ A


@op(composite=True, node=lambda n: None if n else "torch::autograd::CopyBackwards")
def matrix_power(input, n: int):
    """The n-th power of each matrix, of its inverse for negative n."""
    return linalg_matrix_power(input, n)
