"""Six dynamic models as a stranger writes them: replayed from the third call on, with the bits of an ordinary call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyncore as torch


def values(*shape: int, seed: int, scale: float = 0.3) -> Any:
    return torch.tensor((np.random.default_rng(seed).standard_normal(shape) * scale).astype("f").tolist())


def leaf(*shape: int, seed: int) -> Any:
    return values(*shape, seed=seed).requires_grad_()


def gru() -> Any:
    size = 8
    w, u, b = leaf(3 * size, 4, seed=1), leaf(3 * size, size, seed=2), leaf(3 * size, seed=3)

    def run(steps: Any) -> Any:
        h = torch.zeros(size)
        for x in steps:
            g, k = w @ x + b, u @ h
            r = torch.sigmoid(g[:size] + k[:size])
            z = torch.sigmoid(g[size : 2 * size] + k[size : 2 * size])
            h = (1 - z) * torch.tanh(g[2 * size :] + r * k[2 * size :]) + z * h
        return (h * h).sum()

    return run, (values(6, 4, seed=4),), [w, u, b]


def newton() -> Any:
    a = torch.tensor(2.0, requires_grad=True)

    def run(a: Any) -> Any:
        x = a * 0.5 + 0.5
        for _ in range(30):
            step = (x * x - a) / (2 * x)
            x = x - step
            if abs(step.item()) < 1e-6:
                break
        return x

    return run, (a,), [a]


def tree() -> Any:
    w, b, words = leaf(8, 16, seed=1), leaf(8, seed=2), leaf(5, 8, seed=3)

    def encode(node: Any) -> Any:
        if isinstance(node, int):
            return words[node]
        return torch.relu(w @ torch.cat([encode(node[0]), encode(node[1])]) + b)

    shape = ((0, (1, 2)), ((3, 4), (0, ((1, 1), 2))))
    return (lambda node: encode(node).sum()), (shape,), [w, b, words]


def attention() -> Any:
    q, k, v = (leaf(8, 8, seed=n) for n in range(3))

    def run(steps: Any) -> Any:
        keys: list[Any] = []
        seen: list[Any] = []
        total: Any = 0
        for x in steps:
            keys.append(k @ x)
            seen.append(v @ x)
            weights = torch.softmax(torch.stack(keys) @ (q @ x) / 4.0, 0)
            total = total + (weights @ torch.stack(seen)).tanh().sum()
        return total

    return run, (values(6, 8, seed=4, scale=1.0),), [q, k, v]


def ode() -> Any:
    y, rate = torch.tensor(1.0, requires_grad=True), torch.tensor(0.7, requires_grad=True)

    def run(y: Any, rate: Any) -> Any:
        for _ in range(10):
            middle = y + (torch.sin(y) - rate * y) * 0.025
            y = y + (torch.sin(middle) - rate * middle) * 0.05
        return y

    return run, (y, rate), [y, rate]


def gated() -> Any:
    first, second, gate = leaf(8, 8, seed=1), leaf(8, 8, seed=2), leaf(8, seed=3)

    def run(x: Any) -> Any:
        for _ in range(4):
            opened = torch.sigmoid((gate * x).sum())
            if opened > 0.5:
                x = torch.tanh(first @ x) * opened
            else:
                x = torch.relu(second @ x) + x * (1 - opened)
        return (x**2).mean()

    return run, (values(8, seed=4, scale=1.0),), [first, second, gate]


@pytest.mark.parametrize("make", [gru, newton, tree, attention, ode, gated])
def test_a_model_is_replayed_with_the_bits_of_an_ordinary_call(make: Callable[[], Any]) -> None:
    """The loss and every gradient, also when gradients add up over two calls."""
    function, args, leaves = make()
    compiled = torch.compile(function)
    found: list[Any] = []
    for each in (function, compiled, compiled, compiled, compiled, compiled, compiled):
        for one in leaves:
            one.grad = None
        losses = [each(*args), each(*args)]
        for loss in losses:
            loss.backward()
        found.append(
            [*[loss.detach().numpy().tobytes() for loss in losses], *[x.grad.numpy().tobytes() for x in leaves]]
        )
    assert [found[0]] * 7 == found
    assert 1 == compiled.explain().recordings
    assert 11 == compiled.explain().hits


def test_a_list_of_weights_is_compared_before_every_replay() -> None:
    """Another weight, two that changed places, one more and one less: each is seen, and said."""
    weights = [values(3, seed=k) for k in range(6)]

    def run(x: Any) -> Any:
        for each in weights:
            x = torch.tanh(x * each)
        return x

    x = values(3, seed=9)
    compiled = torch.compile(run)
    for change in (
        lambda: weights.__setitem__(2, values(3, seed=20)),
        weights.reverse,
        lambda: weights.append(values(3, seed=21)),
        lambda: weights.__delitem__(slice(0, 3)),
    ):
        for _ in range(6):
            assert run(x).tolist() == compiled(x).tolist()
        before = len(compiled.explain().failures)
        change()
        assert run(x).tolist() == compiled(x).tolist()
        assert before < len(compiled.explain().failures)
