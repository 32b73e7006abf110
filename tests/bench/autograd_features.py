"""What the features of autograd cost an op that uses none of them, and one that does.

    python -m tests.bench.autograd_features

The engine without features (`bare.py`) has the same design and gives the same gradient, which is asserted first.
Times are the best of many runs, in ns of processor time for each op, forward and backward; the first two take turns.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import dyncore as torch
from dyncore.autograd.graph import saved_tensors_hooks
from tests.bench.bare import Bare

OPS = 1_000
REPEATS = 25


def best(*runs: Callable[[], Any], repeats: int = REPEATS) -> list[float]:
    """The least processor time of some runs each, which take turns, in ns for each op."""
    times: list[list[int]] = [[] for _ in runs]
    for _ in range(repeats):
        for run, taken in zip(runs, times, strict=True):
            started = time.process_time_ns()
            run()
            taken.append(time.process_time_ns() - started)
    return [min(taken) / OPS for taken in times]


def chain(hook: Callable[[Any], Any] | None = None, every: int = 1) -> Callable[[], None]:
    """A chain of products and sums, with `hook(y)` called on each result."""

    def run() -> None:
        x = torch.ones(8, requires_grad=True)
        y = x
        for number in range(OPS // 2):
            y = y * 0.999
            y = y + x
            if hook is not None and number % every == 0:
                hook(y)
        if y.requires_grad:
            y.sum().backward()

    return run


def plain() -> None:
    """The chain with no question in its loop, which is that of `bare`."""
    x = torch.ones(8, requires_grad=True)
    y = x
    for _ in range(OPS // 2):
        y = y * 0.999
        y = y + x
    if y.requires_grad:
        y.backward(torch.ones(8))


def inside(context: Callable[[], Any]) -> Callable[[], None]:
    """The chain in a mode."""

    def run() -> None:
        with context():
            plain()

    return run


class Double(torch.autograd.Function):
    """A custom function, to see what one costs."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


def custom() -> None:
    """A chain of custom functions."""
    y = torch.ones(8, requires_grad=True)
    for _ in range(OPS):
        y = Double.apply(y)
    y.sum().backward()


def written() -> None:
    """A chain of in-place products."""
    y = torch.ones(8, requires_grad=True) * 1
    for _ in range(OPS):
        y.mul_(0.999)
    y.sum().backward()


def bare() -> Any:
    """The chain on the engine without features; its gradient."""
    x = Bare(np.ones(8, np.float32))
    y = x
    for _ in range(OPS // 2):
        y = y * 0.999
        y = y + x
    y.backward()
    return x._edge.grad


def main() -> None:
    """Prints a row for each feature."""
    warnings.simplefilter("ignore")
    x = torch.ones(8, requires_grad=True)
    y = x
    for _ in range(OPS // 2):
        y = y * 0.999 + x
    y.sum().backward()
    assert np.array_equal(x.grad.numpy(), bare())
    rows: list[tuple[str, Callable[[], None]]] = [
        ("under no_grad", inside(torch.no_grad)),
        ("retain_grad on every second result", chain(lambda y: y.retain_grad())),
        ("a tensor hook on every second result", chain(lambda y: y.register_hook(lambda g: None))),
        ("one hook in a hundred results", chain(lambda y: y.register_hook(lambda g: None), 100)),
        ("saved_tensors_hooks", inside(lambda: saved_tensors_hooks(lambda t: t, lambda t: t))),
        ("anomaly mode", inside(torch.autograd.detect_anomaly)),
        ("custom functions", custom),
        ("in place", written),
    ]
    without, engine = best(bare, plain, repeats=10 * REPEATS)
    print(f"{'an engine without features':40} {without:8.0f} ns an op")
    print(f"{'the engine, no feature used':40} {engine:8.0f} ns an op, {engine - without:.0f} more", flush=True)
    for name, run in rows:
        print(f"{name:40} {best(run)[0]:8.0f} ns an op", flush=True)


if __name__ == "__main__":
    main()
