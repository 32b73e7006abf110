"""Products of matrices and vectors."""

import math

import numpy as np

from dyncore.dispatch.outer import MOST_ROWS, outer as outer_later
from dyncore.dispatch.registry import op
from dyncore.errors.explain import not_expanded
from dyncore.tensors.strides import usual

from .matrix_checks import (
    check_batches,
    check_inner,
    check_mixed_dtype,
    check_product,
    check_same_dtype,
    check_vector,
    check_vectors,
)

product = np.ndarray.dot  # of matrices and vectors in derivatives, where nothing is left to check; `matmul` on Tensors


def _t(x):
    """Swap the last two dimensions."""
    return x.swapaxes(-1, -2)


def _turned(x):
    """Return the rows of a matrix as columns."""
    return x.T


_turned.recorded = lambda x: x.t()


def _product_shape(input, other):
    """Return the shape of a product, or None where the forward has a mistake to find."""
    inner = other.shape[-2:-1] or other.shape
    if not input.ndim or input.dtype != other.dtype or input.shape[-1:] != inner:
        return None
    batch = np.broadcast_shapes(input.shape[:-2], other.shape[:-2])
    return (*batch, *input.shape[-2:-1], *(other.shape[-1:] if other.ndim > 1 else ()))


def _flat_shape(input, other):
    return _product_shape(input, other) if input.ndim == other.ndim == 2 else None


def _batch_shape(input, mat2):
    fits = input.ndim == mat2.ndim == 3 and input.shape[0] == mat2.shape[0]
    return _product_shape(input, mat2) if fits else None


def _linear_shape(input, weight, bias=None):
    if weight.ndim != 2 or (bias is not None and bias.shape != weight.shape[:1]):
        return None
    fits = input.ndim and input.shape[-1] == weight.shape[1] and input.dtype == weight.dtype
    return (*input.shape[:-1], weight.shape[0]) if fits else None


@op(
    batching="product",
    shape=_flat_shape,
    input=lambda g, mat2: linear(g, mat2.conj()),  # one op under `create_graph` where `t` would be a second
    mat2=lambda g, input: product(_turned(input).conj(), g),
    flat={(2, 2): "mm"},
)
def mm(input, mat2):
    """Product of two matrices: (n, m), (m, p) -> (n, p).

    dA = dY B^H,  dB = A^H dY.   Raises RuntimeError if the inner sizes differ.
    """
    if input.ndim != 2 or mat2.ndim != 2:
        raise RuntimeError("self must be a matrix" if input.ndim != 2 else "mat2 must be a matrix")
    check_inner(input, mat2)
    check_same_dtype(input, mat2)
    return input.dot(mat2)


@op(
    batching="product",
    input=lambda g, vec: outer_later(g, vec),
    vec=lambda g, input: product(g, input.conj()),
    flat={(2, 1): "mv"},
    back={"vec": "MvBackward0"},
)
def mv(input, vec):
    """Product of a matrix and a vector: (n, m), (m,) -> (n,)."""
    if input.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}")
    check_vector(input, vec, vec)
    return input.dot(vec)


@op(batching="product", input=lambda g, tensor: g * tensor.conj(), tensor=lambda g, input: g * input.conj())
def dot(input, tensor):
    """Sum of the products of two vectors' elements."""
    check_vectors(input, tensor)
    return input.dot(tensor)


@op(input=lambda g, other: g.conj() * other, other=lambda g, input: g * input)
def vdot(input, other):
    """Sum of the products of two vectors' elements, the first conjugated."""
    check_vectors(input, other)
    return np.vdot(input, other)


def _outer_input(g, vec2):
    return matmul(g, vec2.conj())


def _outer_vec2(g, input):
    return matmul(_t(g), input.conj())


# As the product that broadcasts: of columns and a row.
_outer_input.recorded = lambda g, vec2: np.reshape(np.sum(g * vec2.conj(), axis=1, keepdims=True), (-1,))
_outer_vec2.recorded = lambda g, input: g * np.reshape(input.conj(), (-1, 1))


@op(
    batching="outer",
    input=_outer_input, vec2=_outer_vec2, promote=("input", "vec2"), aliases=("ger",), node="MulBackward0",
)  # fmt: skip
def outer(input, vec2):
    """Matrix of all products of two vectors' elements: (n,), (m,) -> (n, m)."""
    for name, each in (("self", input), ("vec2", vec2)):
        if each.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {each.ndim}-D")
    return input[:, None] * vec2


@op(
    batching="product",
    shape=_batch_shape,
    input=lambda g, mat2: matmul(g, _t(mat2).conj()),
    mat2=lambda g, input: matmul(_t(input).conj(), g),
)
def bmm(input, mat2):
    """Products of matrices in a batch: (b, n, m), (b, m, p) -> (b, n, p)."""
    check_batches(input, mat2)
    return np.matmul(input, mat2)


def _rows(x):
    """Return the rows of all matrices of a batch as one matrix."""
    return x.reshape((math.prod(x.shape[:-1]), x.shape[-1]))


def _matmul_input(g, other, input_shape):
    if g.ndim == 1 and other.ndim == 1:
        return outer_later(g, other)
    if other.ndim == 1:
        return g * other.conj() if len(input_shape) == 1 else np.expand_dims(g, -1) * other.conj()
    if len(input_shape) == 1 and other.ndim == 2:
        return np.squeeze(linear(np.expand_dims(g, 0), other.conj()), 0)
    if len(input_shape) == 1:
        return sum_leading(matmul(np.expand_dims(g, -2), _t(other).conj()), 1)
    if g.ndim == 2 and other.ndim == 2:
        return linear(g, other.conj())  # one op under `create_graph` where `t` would be a second
    if other.ndim == 2:
        return linear(_rows(g), other.conj()).reshape(input_shape)
    return matmul(g, _t(other).conj())


def _matmul_other(g, input, other_shape):
    if input.ndim == 1 and len(other_shape) < 3:
        return outer_later(input.conj(), g.conj()) if g.ndim else g * input.conj()
    if input.ndim == 1:
        return np.expand_dims(g, -2) * np.expand_dims(input, -1).conj()
    if len(other_shape) == 1:
        return matmul(g, input.conj()) if input.ndim == 2 else matmul(_t(_rows(input)).conj(), g.reshape(-1))
    if input.ndim > 2 and len(other_shape) == 2:
        return matmul(_t(_rows(input)).conj(), _rows(g))
    return matmul(_t(input).conj(), g)


def _folded_input(g, other, input_shape):
    """Return the gradient of the batch for Tensors.

    A batch and a matrix or vector are one product of their rows, as PyTorch folds them.
    """
    one, two = len(input_shape), other.ndim
    if one > 2 and two == 1:
        return np.reshape(outer(np.reshape(g, (-1,)), other.conj()), input_shape)
    if one < 3 <= two:
        rows = _t(_rows(_t(other))).conj()
        return matmul(rows, np.reshape(g, (-1,))) if one == 1 else matmul(rows, _rows(_t(g))).t()
    return _matmul_input(g, other, input_shape)


def _folded_other(g, input, other_shape):
    one, two = input.ndim, len(other_shape)
    if one == two == 3 and other_shape[0] == 1 < input.shape[0]:
        return np.expand_dims(_matmul_other(g, input, other_shape[1:]), 0)
    if one == 1 < two == 2:
        return matmul(np.expand_dims(input, 1).conj(), np.expand_dims(g, 0))
    if one == 1 and two > 2:
        rows = outer(np.reshape(g, (-1,)), input.conj())
    elif one == 2 < two and input.requires_grad:
        rows = matmul(_rows(_t(g)), input.conj())
    else:
        return _matmul_other(g, input, other_shape)
    return _t(np.reshape(rows, (*other_shape[:-2], other_shape[-1], other_shape[-2])))


def _matmul_input_rule(g, other, input_shape):
    return _matmul_input(g, other, input_shape)


def _matmul_other_rule(g, input, other_shape):
    return _matmul_other(g, input, other_shape)


_matmul_input_rule.recorded, _matmul_other_rule.recorded = _folded_input, _folded_other


@op(input=lambda g, input_shape: np.broadcast_to(g, input_shape), private=True, node="SumBackward1")
def sum_leading(input, keep: int):
    """Sum over all but the last `keep` dimensions."""
    extra = input.ndim - keep
    if extra == 1 and input.shape[0] == 1:
        return input[0]  # without a sum (tests/bench, nn.RNNCell)
    if extra == keep == 1:
        return np.add.reduce(input, axis=0)
    return np.add.reduce(input, axis=tuple(range(extra))) if extra > 0 else input


def _matmul_title(input_shape, other_shape, wanted):
    one, two = len(input_shape), len(other_shape)
    if two == 1:
        return "DotBackward0" if one == 1 else "MvBackward0" if one == 2 else "UnsafeViewBackward0"
    if two == 2:
        return "SqueezeBackward4" if one == 1 else "MmBackward0" if one == 2 else "UnsafeViewBackward0"
    if one == 2 and "input" in wanted:
        # PyTorch transposes the other way round, which is a copy where the product has an order in memory.
        rows, columns = input_shape[0], other_shape[-1]
        return "CloneBackward0" if rows > 1 and columns > 1 and 0 not in other_shape[:-2] else "TransposeBackward0"
    return "UnsafeViewBackward0"


_FLAT = (1, 2, 4)  # products of the numbers of dimensions for which `dot` is the product


@op(
    batching="product",
    input=_matmul_input_rule, other=_matmul_other_rule, node=_matmul_title, strict=("input", "other"),
    shape=_product_shape, flat={(2, 1): "mv", (2, 2): "mm"}, back={"UnsafeViewBackward0": "ViewBackward0"},
)  # fmt: skip
def matmul(input, other):
    """Product of vectors, matrices or batches of matrices, which broadcast.

    dA = dY B^H,  dB = A^H dY.   Raises RuntimeError if the inner sizes differ.
    """
    if input.ndim * other.ndim in _FLAT and input.dtype is other.dtype:
        try:
            return input.dot(other)
        except ValueError:
            pass  # the checks below say it in PyTorch's words
    if not input.ndim or not other.ndim:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {input.ndim}D and {other.ndim}D"
        )
    if other.ndim > 1 and input.ndim > 1:
        check_inner(input, other)
    elif input.shape[-1] != other.shape[-2 if other.ndim > 1 else 0]:
        if other.ndim == 1 and input.ndim == 2:
            check_vector(input, other, other)
        if other.ndim == input.ndim == 1:
            check_vectors(input, other)
        check_inner(input if input.ndim > 1 else input[None], other if other.ndim > 1 else other[:, None])
    check_product(input, other)
    if input.ndim <= 2 and other.ndim <= 2:
        return input.dot(other)
    return usual(np.matmul(input, other))


# Of a weight of one dimension.
def _vector_input(g, weight):
    return np.expand_dims(g, -1) * weight.conj()


def _vector_weight(g, input):
    return sum_leading(np.expand_dims(g, -1) * input.conj(), 1)


def _linear_input(g, weight):
    if weight.ndim == 1:
        return _vector_input(g, weight)
    # NumPy multiplies more than two dimensions by `dot` without BLAS, which is much slower.
    return product(g, weight.conj()) if len(g.shape) < 3 else matmul(g, weight.conj())


def _linear_weight(g, input):
    if g.ndim < input.ndim:
        return _vector_weight(g, input)
    if g.ndim == 1 or (g.ndim == 2 and g.shape[0] <= MOST_ROWS):
        return outer_later(g, input)
    if g.ndim > 2:
        g, input = _rows(g), _rows(input)
    return matmul(_t(g), input.conj())


def _linear_bias(g):
    return sum_leading(g, 1)


# As PyTorch: a product of rows and the weight's transpose, whose gradient is the transpose of a transpose.
def _linear_input_recorded(g, weight):
    if len(weight.shape) == 1:
        return _vector_input(g, weight)
    turned = np.t(weight.conj())
    if len(g.shape) == 2:
        return linear(g, turned)
    if len(g.shape) == 1:
        return np.squeeze(linear(np.expand_dims(g, 0), turned), 0)
    return np.reshape(linear(_rows(g), turned), (*g.shape[:-1], turned.shape[0]))


def _linear_weight_recorded(g, input):
    if len(g.shape) < len(input.shape):
        return _vector_weight(g, input)
    if len(g.shape) == 1:
        g, input = np.expand_dims(g, 0), np.expand_dims(input, 0)
    if len(g.shape) > 2:
        g, input = _rows(g), _rows(input)
    return np.t(np.t(product(np.t(g), input.conj())))


_linear_input.recorded, _linear_weight.recorded = _linear_input_recorded, _linear_weight_recorded
_linear_bias.recorded = lambda g: _rows(g) if len(g.shape) > 2 else g  # summed where broadcasts are undone


def _linear_title(input_shape, bias, dense):
    rank = len(input_shape)
    if bias is None:
        return {1: "SqueezeBackward4", 2: "MmBackward0"}.get(rank, "UnsafeViewBackward0")
    return "AddmmBackward0" if rank == 2 else "ViewBackward0" if dense else "AddBackward0"


@op(
    batching="linear",
    shape=_linear_shape,
    input=_linear_input,
    weight=_linear_weight,
    bias=_linear_bias,
    method=False,
    function=False,
    node=_linear_title,
    strict=("input", "weight"),
    flat={(1, 2): "linear", (2, 2): "linear"},
)
def linear(input, weight, bias=None):
    """input @ weight.T + bias.

    input: (*, in), weight: (out, in), bias: (out,); returns (*, out).
    """
    if 0 < input.ndim <= 2 and weight.ndim and input.dtype is weight.dtype:
        try:
            y = input.dot(weight.T)
        except (ValueError, AttributeError):
            y = None  # the checks below say it in PyTorch's words
        if y is not None:
            if bias is None:
                return y
            if bias.dtype is not y.dtype:
                check_mixed_dtype(bias, input, weight)
            if y.ndim == 2 and len(y) == 1 and bias.shape == y.shape[1:] and bias.dtype is y.dtype:
                row = y[0]  # faster than a bias that broadcasts (tests/bench, nn.RNNCell)
                np.add(row, bias, row)
                return y
            return _plus_bias(y, bias)
    elif input.ndim > 2 and input.dtype is weight.dtype and input.shape[-1:] == weight.shape[1:] and input.size:
        # One product for all rows, not one for each step (tests/bench, nn.LSTM).
        flat = input.reshape(-1, input.shape[-1])
        y = flat.dot(weight.T).reshape(*input.shape[:-1], weight.shape[0])
        if bias is not None and bias.dtype is not y.dtype:
            check_mixed_dtype(bias, input, weight)
        return y if bias is None else _plus_bias(y, bias)
    if not input.ndim or not weight.ndim:
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are {input.ndim}D and {weight.ndim}D"
        )
    if weight.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {weight.ndim}D")
    if input.shape[-1] != weight.shape[-1]:
        flat = _rows(input)
        if weight.ndim == 1:
            check_vector(flat, weight, weight)
        check_inner(flat, weight.T)
    if bias is not None:
        check_mixed_dtype(bias, input, weight)
    check_same_dtype(input, weight)
    y = np.matmul(input, weight.T)
    return y if bias is None else _plus_bias(y, bias)


def _plus_bias(y, bias):
    try:
        return y + bias
    except ValueError:
        if bias.ndim != 1:
            raise
        raise not_expanded(bias.shape, (math.prod(y.shape[:-1]), y.shape[-1]), 1) from None
