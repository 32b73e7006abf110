"""Random numbers for initialisation and dropout: a thin place between `nn` and the engine's generator."""

from __future__ import annotations

from typing import Any

import numpy as np

_generator = np.random.default_rng(0)


def uniform(shape: tuple[int, ...], low: float, high: float, generator: Any = None) -> Any:
    return _generator.uniform(low, high, shape)


def normal(shape: tuple[int, ...], mean: float, std: float, generator: Any = None) -> Any:
    return _generator.normal(mean, std, shape)


def kept(shape: tuple[int, ...], p: float, dtype: Any) -> Any:
    """A mask of dropout: 0 with probability p, else 1 / (1 - p)."""
    if p == 1:
        return np.zeros(shape, dtype)
    return ((_generator.random(shape) >= p) / (1 - p)).astype(dtype)
