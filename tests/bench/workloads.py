"""The workloads of the benchmark: each takes a namespace with PyTorch's names and gives a function that runs once.

What is made once (weights, data) is made outside; the function runs forward and backward and returns the gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Run = Callable[[], list[Any]]


def _leaf(torch: Any, *shape: int, scale: float = 0.1) -> Any:
    """The same numbers for every engine, since the generator starts anew for each shape."""
    values = np.random.default_rng(sum(shape) + len(shape)).standard_normal(shape).astype(np.float32) * scale
    return torch.from_numpy(values).requires_grad_()


def _fresh(*leaves: Any) -> None:
    for leaf in leaves:
        leaf.grad = None


def chain(size: int) -> Callable[[Any], Run]:
    """1,000 elementwise ops on one small vector."""

    def work(torch: Any) -> Run:
        x = _leaf(torch, size)

        def run() -> list[Any]:
            _fresh(x)
            y = x
            for _ in range(250):
                y = y * 1.001
                y = y + x
                y = y.tanh()
                y = y - 0.001
            y.sum().backward()
            return [x.grad]

        return run

    return work


def branch(torch: Any) -> Run:
    """The seeds' `if` on a sum, both ways."""
    x, z = _leaf(torch, 3, scale=1.0), _leaf(torch, 3, scale=-1.0)

    def model(v: Any) -> Any:
        return v * 2 if v.sum() > 0 else v - 2

    def run() -> list[Any]:
        _fresh(x, z)
        for _ in range(20):
            model(x).sum().backward()
            model(z).sum().backward()
        return [x.grad, z.grad]

    return run


def recurrent(cell: str) -> Callable[[Any], Run]:
    """Sequences of 5 to 100 steps through one cell, hidden size 64."""

    def work(torch: Any) -> Run:
        torch.manual_seed(0)
        layer = getattr(torch.nn, cell)(64, 64)
        for number, parameter in enumerate(layer.parameters()):
            values = np.random.default_rng(number).standard_normal(tuple(parameter.shape)).astype(np.float32) * 0.1
            parameter.data = torch.from_numpy(values)
        sequences = [_leaf(torch, steps, 1, 64).detach() for steps in (5, 20, 50, 100)]

        def run() -> list[Any]:
            _fresh(*layer.parameters())
            for sequence in sequences:
                state: Any = None
                for step in sequence:
                    state = layer(step, state)
                (state[0] if isinstance(state, tuple) else state).sum().backward()
            return [parameter.grad for parameter in layer.parameters()]

        return run

    return work


def tree(torch: Any) -> Run:
    """Recursion over a balanced tree of 128 leaves, hidden size 64."""
    weight, bias = _leaf(torch, 64, 128), _leaf(torch, 64)
    leaf = _leaf(torch, 64)

    def encode(depth: int) -> Any:
        if depth == 0:
            return leaf
        return torch.tanh(weight @ torch.cat([encode(depth - 1), encode(depth - 1)]) + bias)

    def run() -> list[Any]:
        _fresh(weight, bias, leaf)
        encode(7).sum().backward()
        return [weight.grad, bias.grad, leaf.grad]

    return run


def early_exit(torch: Any) -> Run:
    """Up to 20 layers, left when the answer is confident; one decision through `.item()` a layer."""
    layers = [_leaf(torch, 32, 32, scale=0.3) for _ in range(20)]
    x = _leaf(torch, 32, scale=1.0)

    def run() -> list[Any]:
        _fresh(*layers, x)
        h, k = x, 0
        while k < 20 and torch.softmax(h, 0).max().item() < 0.9:
            h = torch.relu(layers[k] @ h) + h
            k += 1
        h.sum().backward()
        return [x.grad]

    return run


def scalars(torch: Any) -> Run:
    """A graph of 4,000 scalar nodes."""
    x = _leaf(torch, 1).detach().reshape(()).requires_grad_()

    def run() -> list[Any]:
        _fresh(x)
        y = x
        for _ in range(2000):
            y = y * 0.999
            y = y + x
        y.backward()
        return [x.grad]

    return run


def mlp(torch: Any) -> Run:
    """784-256-10, a batch of 64, cross entropy."""
    w1, b1, w2, b2 = _leaf(torch, 784, 256), _leaf(torch, 256), _leaf(torch, 256, 10), _leaf(torch, 10)
    x = _leaf(torch, 64, 784, scale=1.0).detach()
    labels = torch.from_numpy(np.arange(64, dtype=np.int64) % 10)

    def run() -> list[Any]:
        _fresh(w1, b1, w2, b2)
        hidden = torch.relu(x @ w1 + b1)
        torch.nn.functional.cross_entropy(hidden @ w2 + b2, labels).backward()
        return [w1.grad, b1.grad, w2.grad, b2.grad]

    return run


def large(torch: Any) -> Run:
    """20 elementwise ops on a million elements."""
    x = _leaf(torch, 1_000_000)

    def run() -> list[Any]:
        _fresh(x)
        y = x
        for _ in range(10):
            y = y * 1.01
            y = y + x
        y.sum().backward()
        return [x.grad]

    return run


def hessian_vector(torch: Any) -> Run:
    """A Hessian-vector product of a two-layer tanh network, batch 32."""
    w1, w2 = _leaf(torch, 20, 32), _leaf(torch, 32, 1)
    x = _leaf(torch, 32, 20, scale=1.0).detach()
    v = _leaf(torch, 20, 32, scale=1.0).detach()

    def run() -> list[Any]:
        loss = torch.tanh(torch.tanh(x @ w1) @ w2).pow(2).mean()
        (g,) = torch.autograd.grad(loss, w1, create_graph=True)
        return list(torch.autograd.grad((g * v).sum(), (w1, w2)))

    return run


WORKLOADS: dict[str, Callable[[Any], Run]] = {
    "chain of 1,000 on 3": chain(3),
    "chain of 1,000 on 64": chain(64),
    "branch": branch,
    "RNN cell, 64": recurrent("RNNCell"),
    "LSTM cell, 64": recurrent("LSTMCell"),
    "tree, 64": tree,
    "early exit": early_exit,
    "4,000 scalars": scalars,
    "MLP 784-256-10": mlp,
    "20 ops on 1e6": large,
    "Hessian-vector product": hessian_vector,
}
