"""A tensor plus a product of matrices or vectors: addmm and its relatives."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes.limits import check_computed, check_fits

from .arithmetic import times
from .matrix_checks import check_batches, check_inner, check_mixed_dtype, check_three_dtypes, check_vector
from .shape import expanded


def _t(x):
    return np.swapaxes(x, -1, -2)


def _scaled(x, factor):
    """Return `x` times a number; `x` itself for 1."""
    return x if factor == 1 else times(x, factor)


def _conjugate(factor):
    return factor.conjugate()


def _mixed(input, product, beta, alpha):
    """Return beta input + alpha product.

    input has no effect, not even its NaN, if beta is 0.
    """
    for factor in (alpha, beta):
        if factor != 1:
            check_computed(factor, product.dtype)
    if product.dtype.kind in "iub":
        beta, alpha = np.asarray((beta, alpha)).astype(product.dtype)
    product = _scaled(product, alpha)
    if beta == 0:
        return product if product.dtype == input.dtype else product.astype(input.dtype)
    expanded(input, product.shape)
    return _scaled(input, beta) + product


@op(
    input=lambda g, beta: _scaled(g, _conjugate(beta)),
    mat1=lambda g, mat2, alpha: _scaled(g @ _t(mat2).conj(), _conjugate(alpha)),
    mat2=lambda g, mat1, alpha: _scaled(_t(mat1).conj() @ g, _conjugate(alpha)),
    inplace=True,
    batching="added product",
)
def addmm(input, mat1, mat2, *, beta: float = 1, alpha: float = 1):
    """beta input + alpha (mat1 @ mat2); input broadcasts to the product."""
    plain = beta == 1 and alpha == 1 and mat1.ndim == 2 == mat2.ndim and input.dtype is mat1.dtype
    if plain and input.dtype is mat2.dtype and mat1.shape[1] == mat2.shape[0]:
        # The layer y = b + x W, without the checks it passes: 1.4x.
        product = mat1.dot(mat2)
        if input.shape == product.shape or input.shape == product.shape[1:]:
            return input + product
    for name, each in (("mat1", mat1), ("mat2", mat2)):
        if each.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {each.ndim}-D tensor")
    check_inner(mat1, mat2)
    check_mixed_dtype(input, mat1, mat2)
    return _mixed(input, mat1.dot(mat2), beta, alpha)


@op(
    input=lambda g, beta: _scaled(g, _conjugate(beta)),
    mat=lambda g, vec, alpha: _scaled(np.expand_dims(g, -1) * vec.conj(), _conjugate(alpha)),
    vec=lambda g, mat, alpha: _scaled(_t(mat).conj() @ g, _conjugate(alpha)),
    inplace=True,
    batching="added product",
)
def addmv(input, mat, vec, *, beta: float = 1, alpha: float = 1):
    """beta input + alpha (mat @ vec); input broadcasts to the product."""
    if mat.ndim != 2 or vec.ndim != 1 or input.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {input.ndim}, {mat.ndim}, {vec.ndim}")
    check_vector(mat, vec, input)
    for factor in (alpha, beta):
        if factor != 1:
            check_fits(factor, input.dtype)
    return _mixed(input, mat.dot(vec), beta, alpha)


@op(
    input=lambda g, beta: _scaled(g, _conjugate(beta)),
    vec1=lambda g, vec2, alpha: _scaled(g @ vec2.conj(), _conjugate(alpha)),
    vec2=lambda g, vec1, alpha: _scaled(_t(g) @ vec1.conj(), _conjugate(alpha)),
    promote=("input", "vec1", "vec2"),
    inplace=True,
)
def addr(input, vec1, vec2, *, beta: float = 1, alpha: float = 1):
    """beta input + alpha (outer product of two vectors); input broadcasts."""
    for name, each in (("vec1", vec1), ("vec2", vec2)):
        if each.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {each.ndim}-D")
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if isinstance(factor, bool) and vec1.dtype.kind != "b":
            raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    if vec1.dtype.kind in "biu":
        for name, factor in (("beta", beta), ("alpha", alpha)):
            if not isinstance(factor, int):
                raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
    if vec1.dtype.kind == "b":
        product = vec1[:, None] & vec2 & bool(alpha)
        return input & bool(beta) | product
    for factor in (alpha, beta):
        check_fits(factor, vec1.dtype)
    return _mixed(input, vec1[:, None] * vec2, beta, alpha)


@op(
    input=lambda g, beta: _scaled(g, _conjugate(beta)),
    batch1=lambda g, batch2, alpha: _scaled(g @ _t(batch2).conj(), _conjugate(alpha)),
    batch2=lambda g, batch1, alpha: _scaled(_t(batch1).conj() @ g, _conjugate(alpha)),
    inplace=True,
)
def baddbmm(input, batch1, batch2, *, beta: float = 1, alpha: float = 1):
    """beta input + alpha (products of matrices in a batch); input broadcasts."""
    check_three_dtypes(input, batch1, batch2)
    check_batches(batch1, batch2)
    return _mixed(input, np.matmul(batch1, batch2), beta, alpha)


@op(
    input=lambda g, beta: _scaled(g, _conjugate(beta)),
    batch1=lambda g, batch2, alpha: _scaled(np.expand_dims(g, 0) @ _t(batch2).conj(), _conjugate(alpha)),
    batch2=lambda g, batch1, alpha: _scaled(_t(batch1).conj() @ np.expand_dims(g, 0), _conjugate(alpha)),
    inplace=True,
)
def addbmm(input, batch1, batch2, *, beta: float = 1, alpha: float = 1):
    """beta input + alpha (the sum over the batch of products of matrices)."""
    check_mixed_dtype(input, batch1, batch2)
    check_batches(batch1, batch2)
    return _mixed(input, np.matmul(batch1, batch2).sum(0, dtype=batch1.dtype), beta, alpha)
