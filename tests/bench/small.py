"""Small dynamic models, where an engine's bookkeeping is the cost: chains, branches, cells, trees, early exit."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.bench.workloads import Make, Run, data, filled, grads, leaf, workload

LENGTHS = (5, 12, 20, 33, 47, 64, 80, 100)


def chain(size: int) -> Make:
    """1,000 elementwise ops on one small vector."""

    def make(torch: Any, dtype: Any) -> Run:
        x = leaf(torch, dtype, size)

        def run() -> list[Any]:
            y = x
            for _ in range(250):
                y = y * 1.001
                y = y + x
                y = y.tanh()
                y = y - 0.001
            return grads(y.sum(), x)

        return run

    return make


for _size in (3, 8, 64, 1000):
    workload(f"chain of 1,000 on {_size:,}", "small")(chain(_size))


@workload("branch", "small")
def branch(torch: Any, dtype: Any) -> Run:
    """The seeds' `if` on a sum, both ways, ten times."""
    x, z = leaf(torch, dtype, 3, scale=1.0), leaf(torch, dtype, 3, scale=-1.0)

    def model(v: Any) -> Any:
        return v * 2 if v.sum() > 0 else v - 2

    def run() -> list[Any]:
        for _ in range(10):
            found = grads(model(x).sum(), x) + grads(model(z).sum(), z)
        return found

    return run


def cell(name: str) -> Make:
    """Sequences of 5 to 100 steps through one cell of nn, hidden size 64."""

    def make(torch: Any, dtype: Any) -> Run:
        layer = filled(getattr(torch.nn, name)(64, 64), torch, dtype)
        parameters = list(layer.parameters())
        sequences = [data(torch, dtype, steps, 1, 64) for steps in LENGTHS]

        def run() -> list[Any]:
            total: Any = 0
            for sequence in sequences:
                state: Any = None
                for step in sequence:
                    state = layer(step, state)
                total = total + (state[0] if isinstance(state, tuple) else state).sum()
            return grads(total, *parameters)

        return run

    return make


workload("nn.RNNCell, 64", "small")(cell("RNNCell"))
workload("nn.LSTMCell, 64", "small")(cell("LSTMCell"))


@workload("RNN by hand, 64", "small")
def recurrent(torch: Any, dtype: Any) -> Run:
    """The same sequences through tanh(W x + U h + b), written out."""
    w, u, b = leaf(torch, dtype, 64, 64), leaf(torch, dtype, 64, 64), leaf(torch, dtype, 64)
    sequences = [list(data(torch, dtype, steps, 64)) for steps in LENGTHS]
    start = torch.zeros(64, dtype=dtype)

    def run() -> list[Any]:
        total: Any = 0
        for sequence in sequences:
            h = start
            for x in sequence:
                h = torch.tanh(w @ x + u @ h + b)
            total = total + h.sum()
        return grads(total, w, u, b)

    return run


@workload("LSTM by hand, 64", "small")
def memory(torch: Any, dtype: Any) -> Run:
    """The same sequences through a long short-term memory, written out."""
    w, u, b = leaf(torch, dtype, 256, 64), leaf(torch, dtype, 256, 64), leaf(torch, dtype, 256)
    sequences = [list(data(torch, dtype, steps, 64)) for steps in LENGTHS]
    start = torch.zeros(64, dtype=dtype)

    def run() -> list[Any]:
        total: Any = 0
        for sequence in sequences:
            h = c = start
            for x in sequence:
                i, f, g, o = (w @ x + u @ h + b).chunk(4)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
            total = total + h.sum()
        return grads(total, w, u, b)

    return run


def random_tree(nodes: int, seed: int) -> list[list[int]]:
    """The children of each node of a random tree, node 0 the root; every child comes after its parent."""
    random = np.random.default_rng(seed)
    children: list[list[int]] = [[] for _ in range(nodes)]
    for number in range(1, nodes):
        children[int(random.integers(max(0, number - 6), number))].append(number)
    return children


TREES = [random_tree(nodes, nodes) for nodes in (12, 20, 28, 36)]


@workload("TreeLSTM, 64", "small")
def tree(torch: Any, dtype: Any) -> Run:
    """Child-Sum TreeLSTM by recursion over four random trees."""
    w, u, b = leaf(torch, dtype, 192, 64), leaf(torch, dtype, 192, 64), leaf(torch, dtype, 192)
    wf, uf, bf = leaf(torch, dtype, 64, 64, scale=0.2), leaf(torch, dtype, 64, 64), leaf(torch, dtype, 64)
    words = list(data(torch, dtype, 40, 64))
    zero = torch.zeros(64, dtype=dtype)

    def encode(children: list[list[int]], node: int) -> Any:
        x = words[node]
        below = [encode(children, each) for each in children[node]]
        total = zero
        for h, _ in below:
            total = total + h
        i, o, g = (w @ x + u @ total + b).chunk(3)
        c = torch.sigmoid(i) * torch.tanh(g)
        gate = wf @ x + bf
        for h, held in below:
            c = c + torch.sigmoid(gate + uf @ h) * held
        return torch.sigmoid(o) * torch.tanh(c), c

    def run() -> list[Any]:
        loss: Any = 0
        for children in TREES:
            loss = loss + encode(children, 0)[0].sum()
        return grads(loss, w, u, b, wf, uf, bf)

    return run


@workload("TreeLSTM of layers, 64", "small")
def tree_of_layers(torch: Any, dtype: Any) -> Run:
    """The same with nn.Linear, stacked children and split gates, as it is usually written."""
    nn = torch.nn
    layers = filled(nn.ModuleList([nn.Linear(64, 192), nn.Linear(64, 192), nn.Linear(64, 64), nn.Linear(64, 64)]),
                    torch, dtype)  # fmt: skip
    ioux, iouh, fx, fh = layers
    words = list(data(torch, dtype, 40, 1, 64))
    zero = torch.zeros(1, 64, dtype=dtype)

    def encode(children: list[list[int]], node: int) -> Any:
        below = [encode(children, each) for each in children[node]]
        child_h = torch.cat([h for h, _ in below]) if below else zero
        child_c = torch.cat([c for _, c in below]) if below else zero
        iou = ioux(words[node]) + iouh(torch.sum(child_h, dim=0, keepdim=True))
        i, o, g = torch.split(iou, iou.size(1) // 3, dim=1)
        i, o, g = torch.sigmoid(i), torch.sigmoid(o), torch.tanh(g)
        f = torch.sigmoid(fh(child_h) + fx(words[node]))
        c = i * g + torch.sum(f * child_c, dim=0, keepdim=True)
        return o * torch.tanh(c), c

    def run() -> list[Any]:
        loss: Any = 0
        for children in TREES:
            loss = loss + encode(children, 0)[0].sum()
        return grads(loss, *layers.parameters())

    return run


@workload("early exit", "small")
def early_exit(torch: Any, dtype: Any) -> Run:
    """Up to 20 layers, left when the answer is confident; one decision through `.item()` a layer."""
    layers = [leaf(torch, dtype, 32, 32, scale=0.1 + 0.01 * k) for k in range(20)]
    inputs = [leaf(torch, dtype, 32, scale=scale) for scale in (0.05, 0.1, 0.2, 0.4)]

    def run() -> list[Any]:
        total: Any = 0
        for x in inputs:
            h, k = x, 0
            while k < 20 and torch.softmax(h, 0).max().item() < 0.9:
                h = torch.relu(layers[k] @ h) + h
                k += 1
            total = total + h.sum()
        return grads(total, *inputs)

    return run


@workload("early exit of layers", "small")
def early_exit_of_layers(torch: Any, dtype: Any) -> Run:
    """The same with nn.Linear and a head, for one example at a time."""
    nn = torch.nn
    layers = filled(nn.ModuleList([nn.Linear(32, 32) for _ in range(12)]), torch, dtype, scale=0.15)
    head = filled(nn.Linear(32, 10), torch, dtype, scale=0.3)
    x = data(torch, dtype, 1, 32)
    parameters = list(head.parameters())

    def run() -> list[Any]:
        h, k = x, 0
        while True:
            h = h + torch.relu(layers[k](h))
            k += 1
            logits = head(h)
            if k == 12 or torch.softmax(logits, dim=-1).max() > 0.99:
                break
        return grads(torch.logsumexp(logits, dim=-1).sum(), *parameters)

    return run


@workload("4,000 scalars", "small")
def scalars(torch: Any, dtype: Any) -> Run:
    """A graph of 4,000 scalar nodes."""
    x = data(torch, dtype, 1).reshape(()).requires_grad_()

    def run() -> list[Any]:
        y = x
        for _ in range(1000):
            y = y * 0.999
            y = y + x
            y = y.tanh()
            y = y * x
        return grads(y, x)

    return run
