"""Random arrays of a shape for initialisation, dropout and their like, from the default generator or a given one."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.strides import in_order_of

from . import samplers as sampling


def uniform(shape: tuple[int, ...], low: float, high: float, generator: Any = None, dtype: Any = np.float32) -> Any:
    """Return numbers drawn uniformly from [low, high)."""
    return sampling.uniform(math.prod(shape), dtype, low, high, generator).reshape(shape)


def normal(shape: tuple[int, ...], mean: float, std: float, generator: Any = None, dtype: Any = np.float32) -> Any:
    """Draw normally distributed numbers."""
    return sampling.normal(math.prod(shape), dtype, mean, std, generator).reshape(shape)


def uniform_of(array: Any, low: float, high: float, generator: Any = None) -> Any:
    """Return numbers from [low, high) for every element of `array`.

    They are drawn in the order of its memory; of an array without elements, none are.
    """
    if array.__class__ is MetaArray:
        return array
    return in_order_of(array, sampling.uniform(array.size, array.dtype, low, high, generator))


def normal_of(array: Any, mean: float, std: float, generator: Any = None) -> Any:
    """Draw normally distributed numbers for every element of `array`, in the order of its memory, as `uniform_of`."""
    if array.__class__ is MetaArray:
        return array
    in_blocks = bool(array.flags.c_contiguous)
    return in_order_of(array, sampling.normal(array.size, array.dtype, mean, std, generator, in_blocks))


def gumbel(shape: tuple[int, ...], dtype: Any) -> Any:
    """Gumbel distributed numbers: minus the logarithm of waiting times."""
    return -np.log(sampling.exponential(math.prod(shape), dtype)).reshape(shape)


def kept(shape: tuple[int, ...], p: float, dtype: Any) -> Any:
    """Draw a mask of dropout: 0 with probability p, else 1 / (1 - p)."""
    if p == 1:
        return np.zeros(shape, dtype)
    return np.multiply(sampling.bernoulli(math.prod(shape), 1 - p), _scale(p, np.dtype(dtype).type)).reshape(shape)


def kept_of(input: Any, p: float) -> Any:
    """Draw a mask of dropout for every element of `input`, drawn in the order of its memory."""
    return in_order_of(input, kept((input.size,), p, input.dtype))


@lru_cache(maxsize=64)
def _scale(p: float, kind: Any) -> Any:
    return np.asarray(kind(1) / kind(1 - p))


def truncated_of(array: Any, mean: float, std: float, low: float, high: float, generator: Any) -> Any:
    """Draw normal numbers within [low, high]: drawn again until they fit, or thinned uniform ones where few would."""
    if array.__class__ is MetaArray:
        return array
    share = math.erf((high - mean) / std / math.sqrt(2.0)) / 2.0 - math.erf((low - mean) / std / math.sqrt(2.0)) / 2.0
    number = array.dtype.type
    if share > 0.3:
        values = normal_of(array, mean, std, generator)
        while (outside := (values < number(low)) | (values > number(high))).any():
            values = np.where(outside, normal_of(values, mean, std, generator), values)
        return values
    peak = -0.5 * ((max(low, min(mean, high)) - mean) / std) ** 2

    def above(candidates: Any) -> Any:
        """Return where a random height lies above the density at the candidates.

        These are drawn again.
        """
        height = ((candidates - number(mean)) / number(std)) ** 2 * number(-0.5) - number(peak)
        return np.log(uniform_of(array, 0.0, 1.0, generator)) > height

    values = uniform_of(array, low, high, generator)
    pending = above(values)
    while pending.any():
        candidates = uniform_of(array, low, high, generator)
        values = np.where(pending, candidates, values)
        pending = pending & above(candidates)
    return values
