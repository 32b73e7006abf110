"""Random arrays of a shape for initialisation, dropout and their like, from the default generator or a given one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore import sampling


def uniform(shape: tuple[int, ...], low: float, high: float, generator: Any = None, dtype: Any = np.float32) -> Any:
    """Numbers from [low, high), all equally likely."""
    return sampling.uniform(math.prod(shape), dtype, low, high, generator).reshape(shape)


def normal(shape: tuple[int, ...], mean: float, std: float, generator: Any = None, dtype: Any = np.float32) -> Any:
    """Normally distributed numbers."""
    return sampling.normal(math.prod(shape), dtype, mean, std, generator).reshape(shape)


def gumbel(shape: tuple[int, ...], dtype: Any) -> Any:
    """Gumbel distributed numbers: minus the logarithm of waiting times."""
    return -np.log(sampling.exponential(math.prod(shape), dtype)).reshape(shape)


def kept(shape: tuple[int, ...], p: float, dtype: Any) -> Any:
    """A mask of dropout: 0 with probability p, else 1 / (1 - p)."""
    if p == 1:
        return np.zeros(shape, dtype)
    return (sampling.bernoulli(math.prod(shape), 1 - p).reshape(shape) / np.dtype(dtype).type(1 - p)).astype(dtype)
