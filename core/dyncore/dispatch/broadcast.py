"""Broadcasting undone: a gradient brought back to the shape and dtype of the input it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes import dtypes

from .registry import TABLE

_ndarray = np.ndarray
_ONES = {(count, kind): np.ones(count, kind) for count in (2, 3) for kind in (dtypes.F32, dtypes.F64)}


def sum_of_rows(grad: Any) -> Any:
    """Return the sum of the rows of a matrix.

    Of two or three it is a product with ones, of the same bits, in a third of the time (bench, TreeLSTM of layers).
    """
    ones = _ONES.get((len(grad), grad.dtype))
    if ones is None or grad.shape[1] == 1:
        return np.add.reduce(grad, axis=0)
    return ones.dot(grad) if type(grad) is _ndarray else np.dot(ones, grad)  # a symbol of `compile` answers functions


def unbroadcast(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum `grad` over the dimensions that broadcasting added or expanded, to `shape`."""
    if len(shape) == grad.ndim == 2 and shape[0] == 1 and shape[1] == grad.shape[1]:
        return sum_of_rows(grad).reshape(shape)
    extra = grad.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(
        extra + k for k, size in enumerate(shape) if size == 1 and grad.shape[extra + k] != 1
    )
    if axes:
        grad = np.add.reduce(grad, axis=axes, keepdims=True)
    return grad.reshape(shape)


def fit(grad: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Return `grad` in an input's shape and dtype.

    It is summed over broadcast dimensions, and real for a real input.
    """
    if grad.shape != shape:
        grad = unbroadcast(grad, shape)
    if grad.dtype is not dtype and grad.dtype != dtype:
        if grad.dtype.kind == "c" and dtype.kind != "c":
            grad = grad.real
        grad = grad.astype(dtype)
    return grad


def fit_tensor(grad: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Do the same on a Tensor, recorded."""
    if grad._array.shape != shape:
        grad = TABLE["sum_to_size"].entry(grad, shape)
    if grad._array.dtype != dtype:
        if grad._array.dtype.kind == "c" and dtype.kind != "c":
            grad = TABLE["real"].entry(grad)
        grad = grad.to(dtypes.of(dtype))
    return grad
