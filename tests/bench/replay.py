"""What `compile` saves: each function ordinarily and replayed, forward alone and with its backward.

    python -m tests.bench.replay             all of them
    python -m tests.bench.replay --quick     fewer turns
    python -m tests.bench.replay LSTM        those with this in their name

The gradients are compared bit for bit first; then both take turns, and the smallest times make the ratio.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import dyncore as torch
from tests.bench.workloads import data, leaf

F32 = torch.float32
Case = tuple[Callable[..., Any], tuple[Any, ...], list[Any]]
CASES: dict[str, Callable[[], Case]] = {}


def case(name: str) -> Callable[[Callable[[], Case]], Callable[[], Case]]:
    """Adds a function, its arguments and its leaves to the table."""

    def add(make: Callable[[], Case]) -> Callable[[], Case]:
        CASES[name] = make
        return make

    return add


@case("chain of 1,000 on 3")
def chain() -> Case:
    x = leaf(torch, F32, 3)

    def run(x: Any) -> Any:
        y = x
        for _ in range(250):
            y = y * 1.001
            y = y + x
            y = y.tanh()
            y = y - 0.001
        return y.sum()

    return run, (x,), [x]


@case("branch")
def branch() -> Case:
    x = leaf(torch, F32, 3, scale=1.0)
    return lambda v: (v * 2 if v.sum() > 0 else v - 2).sum(), (x,), [x]


def cell(kind: str) -> Case:
    layer = getattr(torch.nn, kind)(64, 64)
    sequence = data(torch, F32, 20, 1, 64)

    def run(sequence: Any) -> Any:
        state: Any = None
        for step in sequence:
            state = layer(step, state)
        return (state[0] if isinstance(state, tuple) else state).sum()

    return run, (sequence,), list(layer.parameters())


case("RNN cell, 64 x 20 steps")(lambda: cell("RNNCell"))
case("LSTM cell, 64 x 20 steps")(lambda: cell("LSTMCell"))


@case("random tree of 64, hidden 64")
def tree() -> Case:
    weight, bias = leaf(torch, F32, 64, 128), leaf(torch, F32, 64)
    words = [leaf(torch, F32, 64, scale=0.1 * (k + 1)).detach() for k in range(8)]
    rng = np.random.default_rng(0)

    def grow(count: int) -> Any:
        if count == 1:
            return int(rng.integers(8))
        left = int(rng.integers(1, count))
        return grow(left), grow(count - left)

    shape = grow(64)

    def encode(tree: Any) -> Any:
        if isinstance(tree, int):
            return words[tree]
        return torch.tanh(weight @ torch.cat([encode(tree[0]), encode(tree[1])]) + bias)

    return lambda tree: encode(tree).sum(), (shape,), [weight, bias]


@case("early exit, item()")
def early_exit() -> Case:
    layers = [leaf(torch, F32, 32, 32, scale=0.3) for _ in range(20)]
    x = leaf(torch, F32, 32, scale=1.0)

    def run(x: Any) -> Any:
        h, k = x, 0
        while k < 20 and torch.softmax(h, 0).max().item() < 0.9:
            h = torch.relu(layers[k] @ h) + h
            k += 1
        return h.sum()

    return run, (x,), [*layers, x]


@case("2,000 scalars")
def scalars() -> Case:
    x = data(torch, F32, 1).reshape(()).clone().requires_grad_()

    def run(x: Any) -> Any:
        y = x
        for _ in range(1000):
            y = y * 0.999
            y = y + x
        return y

    return run, (x,), [x]


@case("MLP 784-256-10, batch 64")
def mlp() -> Case:
    w1, b1 = leaf(torch, F32, 784, 256), leaf(torch, F32, 256)
    w2, b2 = leaf(torch, F32, 256, 10), leaf(torch, F32, 10)
    x, labels = data(torch, F32, 64, 784), torch.arange(64) % 10

    def run(x: Any, labels: Any) -> Any:
        return torch.nn.functional.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, labels)

    return run, (x, labels), [w1, b1, w2, b2]


@case("20 ops on 1e6")
def large() -> Case:
    x = leaf(torch, F32, 1_000_000)

    def run(x: Any) -> Any:
        y = x
        for _ in range(10):
            y = y * 1.01
            y = y + x
        return y.sum()

    return run, (x,), [x]


def once(function: Any, args: tuple[Any, ...], leaves: list[Any]) -> list[bytes | None]:
    """Forward and backward; the gradients' bytes."""
    for each in leaves:
        each.grad = None
    function(*args).backward()
    return [None if each.grad is None else np.asarray(each.grad).tobytes() for each in leaves]


def timed(function: Any) -> float:
    """The seconds of one call."""
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def figures(name: str, turns: int) -> tuple[float, float, float, float, float]:
    """Smallest times with gradients (ordinary, replayed), without (ordinary, replayed), and what recording took."""
    function, args, leaves = CASES[name]()
    for _ in range(35):  # past the point where ops get their compiled entries
        once(function, args, leaves)
    compiled = torch.compile(function)
    started = time.perf_counter()
    first = once(compiled, args, leaves)
    once(compiled, args, leaves)
    recording = time.perf_counter() - started
    expected = once(function, args, leaves)
    assert expected == first == once(compiled, args, leaves), name
    with torch.no_grad():
        compiled(*args)
    both = [compiled, function]
    best = [float("inf")] * 4
    for _ in range(turns):
        for number, each in enumerate(both):
            best[number] = min(best[number], timed(lambda each=each: _backward(each, args, leaves)))
        with torch.no_grad():
            for number, each in enumerate(both):
                best[2 + number] = min(best[2 + number], timed(lambda each=each: each(*args)))
    assert compiled.explain().hits >= 2 * turns, str(compiled.explain())
    return best[1], best[0], best[3], best[2], recording


def _backward(function: Any, args: tuple[Any, ...], leaves: list[Any]) -> None:
    for each in leaves:
        each.grad = None
    function(*args).backward()


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    chosen = [n for n in CASES if not given.names or any(each.lower() in n.lower() for each in given.names)]
    print(
        f"{'us':32}{'ordinary':>10}{'replayed':>10}{'ratio':>8}{'forward':>10}{'replayed':>10}{'ratio':>8}{'recorded':>11}"
    )
    for name in chosen:
        turns = (20 if given.quick else 100) // (5 if "1e6" in name else 1)
        full, again, forward, forward_again, recording = figures(name, turns)
        print(
            f"{name:32}{full * 1e6:10.0f}{again * 1e6:10.0f}{again / full:8.2f}"
            f"{forward * 1e6:10.0f}{forward_again * 1e6:10.0f}{forward_again / forward:8.2f}{recording * 1e3:8.0f} ms"
        )


if __name__ == "__main__":
    main()
