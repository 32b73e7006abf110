"""Activations: the functions between layers."""

import numpy as np

from .. import dtypes
from ..registry import op, unary
from .reduction import axis_of


@unary(lambda g, result: g * (result > 0))
def relu(input):
    """max(x, 0), element by element; derivative 0 at 0."""
    if input.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    return np.maximum(input, 0)


def _softmax(input, axis):
    if not input.ndim:
        return np.ones_like(input)
    e = np.exp(input - np.max(input, axis, keepdims=True, initial=-np.inf))
    return e / np.add.reduce(e, axis, keepdims=True)


def _softmax_rule(g, result, dim):
    weighted = g * result
    return weighted - result * np.sum(weighted, axis=dim, keepdims=True)


def _float_kind(input, dtype, name):
    if dtype is not None:
        return input.astype(dtypes.to_numpy(dtype))
    if input.dtype.kind not in "fc":
        raise RuntimeError(f"\"{name}\" not implemented for '{dtypes.of(input.dtype).title}'")
    return input


@op(input=_softmax_rule)
def softmax(input, dim: int, dtype: object = None, _stacklevel: int = 3):
    """e^x divided by its sum along `dim`, without overflow.

    dx = y (dy - sum(dy y)).
    """
    return _softmax(_float_kind(input, dtype, "softmax_lastdim_kernel_impl"), axis_of(dim, input.ndim))


@op(input=lambda g, result, dim: g - np.exp(result) * np.sum(g, axis=dim, keepdims=True))
def log_softmax(input, dim: int, dtype: object = None, _stacklevel: int = 3):
    """Logarithm of softmax along `dim`, without overflow.

    dx = dy - softmax(x) sum(dy).
    """
    input = _float_kind(input, dtype, "log_softmax_lastdim_kernel_impl")
    if not input.ndim:
        return np.zeros_like(input)
    axis = axis_of(dim, input.ndim)
    shifted = input - np.max(input, axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis, keepdims=True))
