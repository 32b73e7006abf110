"""Shared arguments of losses and softmax: old reductions, a missing dimension."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from dyncore.errors.advice import advise
from dyncore.errors.explain import broadcast_sentence
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor


def reduction_of(size_average: Any, reduce: Any, reduction: str) -> str:
    """Return the reduction of the old pair of flags, with PyTorch's warning.

    Without the flags, return `reduction`.
    """
    if size_average is None and reduce is None:
        if reduction != "elementwise_mean":
            return reduction
        advise("elementwise_mean")
        return "mean"
    average, fold = (True if flag is None else flag for flag in (size_average, reduce))
    meant = "none" if not fold else "mean" if average else "sum"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{meant}' instead.", stacklevel=3
    )
    return meant


def pick_dim(name: str, input: Tensor, dim: int | None, stacklevel: int) -> int:
    """Return the dimension of a softmax.

    None is PyTorch's old choice, with its warning.
    """
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if input._array.ndim in (0, 1, 3) else 1


def broadcast_pair(input: Tensor, target: Tensor) -> tuple[Any, Any]:
    """Expand both to one shape, with PyTorch's warning if their shapes differ."""
    if input._array.shape == target._array.shape:
        return input, target
    warnings.warn(
        f"Using a target size ({Size(target._array.shape)}) that is different to the input size "
        f"({Size(input._array.shape)}). This will likely lead to incorrect results due to broadcasting. Please ensure "
        "they have the same size.",
        stacklevel=3,
    )
    return expanded(input, target)


def expanded(*tensors: Any) -> tuple[Any, ...]:
    """Expand the tensors to their common shape."""
    shapes = [each._array.shape for each in tensors]
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise RuntimeError(broadcast_sentence(*shapes[:2])) from None
    return tuple(each if each._array.shape == shape else each.expand(*shape) for each in tensors)
