"""Broadcasting undone: a gradient brought back to the shape and dtype of the input it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes import dtypes

from .registry import TABLE


def unbroadcast(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum `grad` over the dimensions that broadcasting added or expanded, to `shape`."""
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
