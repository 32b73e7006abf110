"""The workloads of the benchmark, written once with PyTorch's names and run on `dyncore` and on `torch`.

    @workload("relu of a million", "large")
    def relu(torch, dtype):
        x = leaf(torch, dtype, 1_000_000)

        def run():
            return grads(torch.relu(x).sum(), x)

        return run

is all that a new row takes. What is made once (weights, data) is made outside `run`, which goes forward and backward
and returns the gradients. Groups are those of the targets in README.md: small, mid, large, more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Run = Callable[[], list[Any]]
Make = Callable[[Any, Any], Run]


@dataclass(frozen=True, slots=True)
class Workload:
    """A row of the table.  make(torch, dtype) gives the function to time."""

    name: str
    group: str
    make: Make


WORKLOADS: dict[str, Workload] = {}


def workload(name: str, group: str) -> Callable[[Make], Make]:
    """Adds the decorated function to the table."""

    def add(make: Make) -> Make:
        WORKLOADS[name] = Workload(name, group, make)
        return make

    return add


def numbers(*shape: int, scale: float = 0.1) -> Any:
    """The same numbers for every engine, since the generator starts anew for each shape."""
    return np.random.default_rng(sum(shape) + len(shape)).standard_normal(shape) * scale


def data(torch: Any, dtype: Any, *shape: int, scale: float = 1.0) -> Any:
    """A tensor of numbers that need no gradient."""
    return torch.from_numpy(np.asarray(numbers(*shape, scale=scale))).to(dtype)


def leaf(torch: Any, dtype: Any, *shape: int, scale: float = 0.1) -> Any:
    """A tensor of numbers that needs a gradient."""
    return data(torch, dtype, *shape, scale=scale).requires_grad_()


def grads(loss: Any, *leaves: Any) -> list[Any]:
    """The gradients of the leaves after `loss.backward()`, none of which had one before."""
    for each in leaves:
        each.grad = None
    loss.backward()
    return [each.grad for each in leaves]


def filled(module: Any, torch: Any, dtype: Any, scale: float = 0.1) -> Any:
    """The module with the same parameters on every engine."""
    module = module.to(dtype)
    with torch.no_grad():
        for number, each in enumerate(module.parameters()):
            values = np.random.default_rng(number).standard_normal(tuple(each.shape)) * scale
            each.copy_(torch.from_numpy(values).to(dtype))
    return module
