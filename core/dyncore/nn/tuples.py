"""Sizes given as one number or several, and new tensors for parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.creation.factory import shape_of
from dyncore.dtypes import dtypes
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.size import defaults, on_meta
from dyncore.tensors.tensor import Tensor, steady

Sizes = Any  # PyTorch's `_size_2_t` and its like, for annotations


def as_tuple(value: Any, count: int) -> tuple[Any, ...]:
    """Return `value` as a tuple; one number stands for `count` of them."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count


def repeated(count: int) -> Any:
    """Return the function that makes a tuple of `count` of one number, PyTorch's `_ntuple`."""
    return lambda value: as_tuple(value, count)


def reversed_and_repeated(values: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return the values in reverse, each `count` times, PyTorch's `_reverse_repeat_tuple`."""
    return tuple(value for value in reversed(values) for _ in range(count))


def reversed_twice(values: tuple[int, ...]) -> list[int]:
    """Return the padding for both sides of every dimension, the last one first.

    That is how `pad` takes it.
    """
    return [n for n in reversed(values) for _ in range(2)]


def blank(shape: tuple[int, ...], device: Any = None, dtype: Any = None) -> Tensor:
    """Return a tensor to be filled."""
    meta = (device is not None or defaults.device is not None) and on_meta(device)
    kind = dtypes.get_default_dtype().numpy if dtype is None else dtypes.to_numpy(dtype)
    size = shape_of(shape, "empty")
    return steady(MetaArray(size, kind) if meta else np.zeros(size, kind))


def zeros_beside(input: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return zeros of the dtype of `input`, or no elements if it has none."""
    array = input._array
    return steady(MetaArray(shape, array.dtype) if array.__class__ is MetaArray else np.zeros(shape, array.dtype))


def unusual(module: Any, **usual: Any) -> str:
    """Return `, name=value` for each of these attributes that has another value than the one given."""
    values = {name: getattr(module, name) for name in usual}
    return "".join([f", {name}={value}" for name, value in values.items() if value != usual[name]])
