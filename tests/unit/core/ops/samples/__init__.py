"""Inputs for the gradchecks that need no PyTorch: one line per differentiable op, in the file of its family.

A file's `SAMPLES` maps an op's name in the table to a function of `x`, a maker of float64 tensors that require grad,
that returns one call's arguments, or a list of them.  Keyword arguments go last, in a dict:

    "sum": lambda x: [(x(3),), (x(2, 3), 1, {"keepdim": True})],

`x(2, 3)` has elements in (-2, 2), at least 0.05 from 0 and from each other; `x(2, low=0.1, high=3)` in (0.1, 3).
`x.int(5, shape=(4,))` are integers below 5; `x.bool(3)` booleans.  What cannot be checked is named in `EXCUSED`.
"""

from __future__ import annotations

import importlib
import pkgutil
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

import dyncore


class Maker:
    """Makes tensors, the same in every run."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def __call__(self, *shape: int, low: float = -2.0, high: float = 2.0, grad: bool = True) -> Any:
        count = int(np.prod(shape, dtype=np.int64))
        steps = (self.generator.permutation(count) + self.generator.uniform(0.2, 0.8, count)) / max(count, 1)
        values = low + (high - low) * steps
        values = np.where(np.abs(values) < 0.05, 0.05 + np.abs(values), values) if low < 0 < high else values
        return dyncore.tensor(values.reshape(shape)).requires_grad_(grad)

    def given(self, values: Any) -> Any:
        return dyncore.tensor(values).requires_grad_()

    def complex(self, *shape: int) -> Any:
        values = self.generator.uniform(0.3, 1.5, (2, *shape)) * self.generator.choice((-1, 1), (2, *shape))
        return dyncore.tensor(values[0] + 1j * values[1]).requires_grad_()

    def int(self, below: int, shape: tuple[int, ...] = ()) -> Any:
        return dyncore.tensor(self.generator.integers(0, below, shape))

    def bool(self, *shape: int) -> Any:
        return dyncore.tensor(self.generator.integers(0, 2, shape).astype(bool))


def collect() -> tuple[dict[str, Callable[[Maker], Any]], set[str]]:
    """Every family's samples by op name, and the ops excused."""
    samples: dict[str, Callable[[Maker], Any]] = {}
    excused: set[str] = set()
    for found in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{found.name}")
        samples.update(module.SAMPLES)
        excused.update(getattr(module, "EXCUSED", ()))
    return samples, excused


def calls_of(name: str, sample: Callable[[Maker], Any]) -> list[tuple[Any, ...]]:
    """What an op's sample gives, the same in every run: the arguments of each call, those by keyword last."""
    calls = sample(Maker(zlib.crc32(name.encode())))
    every = calls if isinstance(calls, list) else [calls]
    return [call if call and isinstance(call[-1], dict) else (*call, {}) for call in every]
