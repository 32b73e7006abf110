"""Networks of layers, large arrays and second derivatives, where the arithmetic itself is the cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.bench.workloads import Run, data, filled, grads, leaf, workload


def labels(torch: Any, count: int) -> Any:
    """Ten classes in turn."""
    return torch.from_numpy(np.arange(count, dtype=np.int64) % 10)


@workload("MLP 784-256-10", "mid")
def mlp(torch: Any, dtype: Any) -> Run:
    """A batch of 64, cross entropy; forward and backward."""
    nn = torch.nn
    model = filled(nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)), torch, dtype, 0.05)
    x, target = data(torch, dtype, 64, 784), labels(torch, 64)
    loss, parameters = nn.CrossEntropyLoss(), list(model.parameters())

    def run() -> list[Any]:
        return grads(loss(model(x), target), *parameters)

    return run


@workload("MLP step with Adam", "mid")
def mlp_step(torch: Any, dtype: Any) -> Run:
    """The same with zero_grad and an Adam step; returns the weights."""
    nn = torch.nn
    model = filled(nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)), torch, dtype, 0.05)
    x, target = data(torch, dtype, 64, 784), labels(torch, 64)
    loss, optimizer = nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters(), lr=1e-3)

    def run() -> list[Any]:
        optimizer.zero_grad()
        loss(model(x), target).backward()
        optimizer.step()
        return [each.detach() for each in model.parameters()]

    return run


@workload("LeNet, batch 32", "mid")
def lenet(torch: Any, dtype: Any) -> Run:
    """Two convolutions with pooling and three layers, on 32 pictures of 28 x 28."""
    nn = torch.nn
    model = filled(
        nn.Sequential(
            nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
        ), torch, dtype, 0.1,
    )  # fmt: skip
    x, target = data(torch, dtype, 32, 1, 28, 28), labels(torch, 32)
    loss, parameters = nn.CrossEntropyLoss(), list(model.parameters())

    def run() -> list[Any]:
        return grads(loss(model(x), target), *parameters)

    return run


@workload("attention block 128 x 64", "mid")
def attention(torch: Any, dtype: Any) -> Run:
    """Four heads, residuals, layer norm and an MLP, written out."""
    nn = torch.nn
    model = filled(
        nn.ModuleList([nn.LayerNorm(64), nn.Linear(64, 192), nn.Linear(64, 64), nn.LayerNorm(64), nn.Linear(64, 256),
                       nn.Linear(256, 64)]), torch, dtype, 0.1,
    )  # fmt: skip
    first, qkv, project, second, up, down = model
    x, parameters = data(torch, dtype, 128, 64), list(model.parameters())

    def heads(part: Any) -> Any:
        return part.reshape(128, 4, 16).transpose(0, 1)

    def run() -> list[Any]:
        q, k, v = (heads(part) for part in qkv(first(x)).chunk(3, dim=-1))
        scores = torch.softmax(q @ k.transpose(-2, -1) * 0.25, dim=-1)
        y = x + project((scores @ v).transpose(0, 1).reshape(128, 64))
        y = y + down(torch.relu(up(second(y))))
        return grads((y * y).mean(), *parameters)

    return run


@workload("20 ops on 1e6", "large")
def elementwise(torch: Any, dtype: Any) -> Run:
    """20 products and sums on a million elements."""
    x = leaf(torch, dtype, 1_000_000)

    def run() -> list[Any]:
        y = x
        for _ in range(10):
            y = y * 1.01
            y = y + x
        return grads(y.sum(), x)

    return run


@workload("tanh, sigmoid, exp on 1e6", "large")
def transcendental(torch: Any, dtype: Any) -> Run:
    """Three curves one after the other on a million elements."""
    x = leaf(torch, dtype, 1_000_000)

    def run() -> list[Any]:
        return grads(torch.exp(torch.sigmoid(torch.tanh(x))).sum(), x)

    return run


@workload("relu and clamp on 1e6", "more")
def rectifiers(torch: Any, dtype: Any) -> Run:
    """A million elements, half of them cut, and cut again."""
    x = leaf(torch, dtype, 1_000_000)

    def run() -> list[Any]:
        return grads(torch.clamp(torch.relu(x), max=0.1).sum(), x)

    return run


@workload("matmul 512", "large")
def matrices(torch: Any, dtype: Any) -> Run:
    """a @ a @ a."""
    a = leaf(torch, dtype, 512, 512)

    def run() -> list[Any]:
        return grads((a @ a @ a).sum(), a)

    return run


@workload("Hessian-vector product", "more")
def hessian_vector(torch: Any, dtype: Any) -> Run:
    """Of a two-layer tanh network, batch 32."""
    w1, w2 = leaf(torch, dtype, 20, 32), leaf(torch, dtype, 32, 1)
    x, v = data(torch, dtype, 32, 20), data(torch, dtype, 20, 32)

    def run() -> list[Any]:
        loss = torch.tanh(torch.tanh(x @ w1) @ w2).pow(2).mean()
        (g,) = torch.autograd.grad(loss, w1, create_graph=True)
        return list(torch.autograd.grad((g * v).sum(), (w1, w2)))

    return run


@workload("nn.LSTM, 100 steps of 64", "more")
def lstm(torch: Any, dtype: Any) -> Run:
    """A whole layer at once, batch 1."""
    layer = filled(torch.nn.LSTM(64, 64), torch, dtype)
    x, parameters = data(torch, dtype, 100, 1, 64), list(layer.parameters())

    def run() -> list[Any]:
        return grads(layer(x)[0].sum(), *parameters)

    return run


@workload("nn.TransformerEncoderLayer", "more")
def transformer(torch: Any, dtype: Any) -> Run:
    """128 tokens of 64 features, four heads."""
    layer = filled(torch.nn.TransformerEncoderLayer(64, 4, 256, dropout=0.0, batch_first=True), torch, dtype)
    x, parameters = data(torch, dtype, 1, 128, 64), list(layer.parameters())

    def run() -> list[Any]:
        return grads(layer(x).pow(2).mean(), *parameters)

    return run


@workload("50 indexed rows", "more")
def rows(torch: Any, dtype: Any) -> Run:
    """Views by index, joined again."""
    x = leaf(torch, dtype, 50, 8)

    def run() -> list[Any]:
        total = x[0]
        for k in range(1, 50):
            total = total + x[k] * x[k - 1, 0]
        return grads(total.max(0)[0] + total.sum(), x)

    return run
