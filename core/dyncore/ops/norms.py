"""Norms of vectors and matrices, and ops that use them."""

import math

import numpy as np

from dyncore.dispatch.formulas.matrices import real_kind
from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.tensors.strides import usual

from .decompositions import linalg_svdvals
from .equations import linalg_inv_ex
from .pointwise import sgn
from .reduction import axes_of, over, sum
from .shape import inverse_order, permute


def slope(g, input, ord, dim, keepdim, result):
    """Return the gradient of a vector norm, 0 where the norm has a corner.

    None for `ord` 0, a count.
    """
    if ord == 0:
        return None
    g, result = over(g, input.shape, dim, keepdim), over(result, input.shape, dim, keepdim)
    if ord == 1:
        return sgn(input) * g
    if ord == 2:
        return g * _zero_where(result == 0, input / result)
    size = np.abs(input)
    if math.isinf(ord):
        mask = (size == result) | (size != size)
        return sgn(input) * (g / np.sum(mask, axis=axes_of(dim, len(input.shape)), keepdims=True) * mask)
    if ord < 1:
        return sgn(input) * _zero_where(size == 0, size ** (ord - 1)) * g * result ** (1 - ord)
    scale = _zero_where(result == 0, g / result ** (ord - 1))
    if ord < 2:
        return sgn(input) * _zero_where(size == 0, size ** (ord - 1)) * scale
    return input * size ** (ord - 2) * scale


def _zero_where(mask, value):
    return np.where(mask, 0.0, value)


_zero_where.recorded = lambda mask, value: np.masked_fill(value, mask, 0)


def _check_kind(input, dtype):
    kind = input.dtype if dtype is None else dtypes.to_numpy(dtype)
    if kind.kind not in "fc":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{dtypes.of(input.dtype).title}"
        )
    if dtype is not None and input.dtype.kind == "c" and kind.kind != "c":
        title = dtypes.of(kind).title
        raise RuntimeError(f"linalg.vector_norm expected dtype to be complex when input is complex, but got {title}")
    return kind


@op(
    batching="dims",
    input=lambda g, input, ord, dim, keepdim, result: slope(g, input, ord, dim, keepdim, result),
    private=True,
)
def linalg_vector_norm(input, ord: float = 2, dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """`ord`-norm of all elements, or over `dim`: (sum |x|^ord)^(1/ord).

    inf, -inf and 0 are max, min and count.
    """
    kind = _check_kind(input, dtype)
    dim = axes_of(dim, input.ndim)
    if (ord < 0 or ord == math.inf) and any(input.shape[axis] == 0 for axis in dim if input.ndim):
        whole = len(dim) == input.ndim
        subject = "tensor because" if whole else f"dimension {dim[0]} because this dimension is empty and"
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {ord} norm on an empty {subject} the operation does not have an "
            "identity"
        )
    if kind == np.float16:  # whose squares end at 65504
        return linalg_vector_norm(input.astype(np.float32), ord, dim, keepdim).astype(kind)
    size = np.abs(usual(input).astype(kind, copy=False))
    kind = real_kind(kind)
    if ord == math.inf:
        return np.max(size, axis=dim, keepdims=keepdim)
    if ord == -math.inf:
        return np.min(size, axis=dim, keepdims=keepdim)
    if ord == 0:
        return np.add.reduce(size != 0, axis=dim, keepdims=keepdim, dtype=kind)
    if ord == 1:
        return np.add.reduce(size, axis=dim, keepdims=keepdim)
    if ord == 2:
        return np.sqrt(np.add.reduce(size * size, axis=dim, keepdims=keepdim))
    with np.errstate(divide="ignore"):
        return (np.add.reduce(size**ord, axis=dim, keepdims=keepdim) ** (1 / ord)).astype(kind, copy=False)


def _in(x, dtype):
    return x if dtype is None else x.to(dtype)


def _pair(dim, ndim):
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    return axes_of(tuple(dim), ndim)


@op(composite=True, private=True)
def linalg_matrix_norm(A, ord: object = "fro", dim: tuple = (-2, -1), keepdim: bool = False, *, dtype: object = None):
    """A norm of each matrix: "fro", "nuc", or inf, -inf, 1, -1, 2, -2."""
    A = _in(A, dtype)
    ndim = len(A.shape)
    if ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if len(dim) == 2 and dim[0] == dim[1]:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    rows, columns = _pair(dim, ndim)
    if ord == "fro":
        return linalg_vector_norm(A, 2, (rows, columns), keepdim)
    if ord == "nuc" or ord in (2, -2):
        rest = [axis for axis in range(ndim) if axis not in (rows, columns)]
        values = linalg_svdvals(np.transpose(A, (*rest, rows, columns)))
        result = sum(values, -1) if ord == "nuc" else np.amax(values, -1) if ord > 0 else np.amin(values, -1)
        if not keepdim:
            return result
        return permute(np.expand_dims(np.expand_dims(result, -1), -1), *inverse_order((*rest, rows, columns), ndim))
    if ord not in (1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
    totals = linalg_vector_norm(A, 1, first, keepdim)
    if not keepdim and first < second:
        second -= 1
    return np.amax(totals, second, keepdims=keepdim) if ord > 0 else np.amin(totals, second, keepdims=keepdim)


@op(composite=True, private=True)
def linalg_norm(A, ord: object = None, dim: object = None, keepdim: bool = False, *, dtype: object = None):
    """Norm of a vector or matrix.

    The 2-norm of all elements, or `ord` over one dimension or two.
    """
    dims = (dim,) if isinstance(dim, int) else dim
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dims)}")
    if ord is None:
        return linalg_vector_norm(_in(A, dtype), 2, dims, keepdim)
    if dims is None and len(A.shape) not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {len(A.shape)}D."
        )
    if not isinstance(ord, str) and (len(A.shape) if dims is None else len(dims)) == 1:
        return linalg_vector_norm(_in(A, dtype), ord, dims, keepdim)
    return linalg_matrix_norm(A, ord, (0, 1) if dims is None else dims, keepdim, dtype=dtype)


@op(composite=True, method=False)
def frobenius_norm(input, dim: tuple = None, keepdim: bool = False):
    """Root of the sum of squares of all elements, or over `dim`."""
    return linalg_vector_norm(input, 2, dim or None, keepdim)


@op(composite=True, method=False)
def nuclear_norm(input, dim: tuple = (-2, -1), keepdim: bool = False):
    """Sum of the singular values of each matrix."""
    return linalg_matrix_norm(input, "nuc", dim, keepdim)


@op(composite=True, private=True)
def linalg_cond(input, p: object = None):
    """Condition number of each matrix: its norm times the norm of its inverse."""
    if p is None or p in (2, -2):
        values = linalg_svdvals(input)
        if not values.shape[-1]:
            return sum(values, -1) * 0
        largest, smallest = values[..., :1], values[..., -1:]
        return np.squeeze(smallest / largest if p == -2 else largest / smallest, -1)
    if input.shape[-1] != input.shape[-2]:
        rows, columns = input.shape[-2:]
        raise RuntimeError(
            f"linalg.cond(ord={p}): A must be batches of square matrices, but they are {rows} by {columns} matrices"
        )
    inverse, info = linalg_inv_ex(input)
    size = linalg_matrix_norm(input, p) * linalg_matrix_norm(inverse, p)
    return np.where(info != 0, math.inf, size)


@op(private=True)
def linalg_matrix_rank(input, tol=None, hermitian: bool = False, *, atol=None, rtol=None):
    """Number of singular values above a tolerance: max(atol, rtol times the largest)."""
    if input.dtype.kind in "biu":
        raise RuntimeError("This function doesn't handle types other than float and double")
    values = np.abs(np.linalg.eigvalsh(input)) if hermitian else np.linalg.svd(input, compute_uv=False)
    if not values.shape[-1]:
        return np.zeros(values.shape[:-1], np.int64)
    if tol is not None:
        atol, rtol = tol, 0.0
    if rtol is None:
        small = max(input.shape[-2:]) * np.finfo(input.dtype).eps
        rtol = small if atol is None else np.where(np.asarray(atol) > 0, 0.0, small)
    limit = np.maximum(0.0 if atol is None else atol, values.max(-1) * rtol)
    return np.sum(values > np.asarray(limit)[..., None], -1)


@op(composite=True)
def norm(input, p: object = "fro", dim: tuple = None, keepdim: bool = False, *, dtype: object = None):
    """`p`-norm of all elements, or over `dim`.

    "fro" is 2, "nuc" the sum of a matrix's singular values.
    """
    if p == "nuc":
        dims = tuple(range(len(input.shape))) if dim is None else tuple(dim)
        return linalg_matrix_norm(input, "nuc", dims, keepdim, dtype=dtype)
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(f"Expected p to be 'fro' or 'nuc' when a string, got {p}")
    return linalg_vector_norm(input, 2 if p is None or p == "fro" else p, dim, keepdim, dtype=dtype)
