"""Everyday calls on small tensors, one by one, beside PyTorch's with one thread: where time is lost, most of it first.

    python -m tests.bench.calls                 all of them
    python -m tests.bench.calls pool softmax    those with one of these in their name
    python -m tests.bench.calls --turns 40      more turns on a machine that others use

Each engine has a process of its own, both take turns, and the smallest processor time of a call counts.
The names are those of the comments in the engine.
"""

from __future__ import annotations

import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import argparse
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

Calls = dict[str, Callable[[], Any]]
WARM, TURN_NS = 40, 1_500_000


def operations(torch: Any, F: Any) -> Calls:
    """Ops on an 8 x 16 matrix, a vector of 64 and their like, most of them recorded."""
    x, g = torch.randn(8, 16), torch.randn(8, 16, requires_grad=True)
    v, square = torch.randn(64, requires_grad=True) * 1, torch.randn(16, 16, requires_grad=True)
    three, other = torch.randn(4, 5, 6, requires_grad=True), torch.randn(4, 6, 7, requires_grad=True)
    mask, labels, places = x > 0, torch.arange(8) % 7, torch.tensor([0, 2, 1])
    scores, weights = torch.randn(8, 10, requires_grad=True), torch.randn(8)
    return {
        "add": lambda: g + x, "mul": lambda: g * x, "x ** 2": lambda: g**2, "tanh": lambda: g.tanh(),
        "exp": lambda: g.exp(), "clamp": lambda: g.clamp(0, 1), "relu": lambda: F.relu(g), "gelu": lambda: F.gelu(g),
        "silu": lambda: F.silu(g), "softplus": lambda: F.softplus(g), "leaky_relu": lambda: F.leaky_relu(g),
        "softmax of one row": lambda: torch.softmax(v, 0), "softmax of rows": lambda: torch.softmax(g, -1),
        "log_softmax": lambda: F.log_softmax(g, -1), "logsumexp": lambda: torch.logsumexp(g, 1),
        "sum": lambda: g.sum(), "sum of rows": lambda: g.sum(1), "mean of rows": lambda: g.mean(0),
        "var and std of rows": lambda: (g.var(1), g.std(0)), "max": lambda: g.max(), "max along": lambda: g.max(1),
        "argmax": lambda: x.argmax(1), "norm": lambda: g.norm(), "topk": lambda: g.topk(3), "sort": lambda: g.sort(),
        "cumsum": lambda: g.cumsum(0), "item": lambda: v.sum().item(), "bool": lambda: bool(v.sum() > 0),
        "views": lambda: g.view(-1), "reshape": lambda: g.reshape(4, -1), "squeeze": lambda: g[:1].squeeze(0),
        "unsqueeze": lambda: v.unsqueeze(0), "permute": lambda: g.permute(1, 0), "transpose": lambda: g.transpose(0, 1),
        "expand": lambda: v.expand(4, 64), "flatten": lambda: g.flatten(), "chunk": lambda: v.chunk(4),
        "split": lambda: g.split(4, 1), "unbind": lambda: g.unbind(0), "cat": lambda: torch.cat([x, g, x], 1),
        "stack": lambda: torch.stack([x, g, x]), "x[i]": lambda: g[3], "x[i, j]": lambda: g[1, 2],
        "x[:, k]": lambda: g[:, 3], "x[a:b]": lambda: v[2:40], "x[mask]": lambda: x[mask],
        "x[places]": lambda: g[places],
        "x[i] = 1.0": lambda: x.__setitem__(0, 1.0), "where": lambda: torch.where(mask, x, g),
        "masked_fill": lambda: g.masked_fill(mask, 0.0), "gather": lambda: scores.gather(1, labels[:, None]),
        "scatter_add": lambda: torch.zeros(10).scatter_add(0, labels, weights),
        "one_hot": lambda: F.one_hot(labels, 10),
        "pad": lambda: F.pad(g, (1, 1)), "roll": lambda: g.roll(1, 0), "tril": lambda: torch.tril(square),
        "product": lambda: square @ square, "bmm": lambda: torch.bmm(three, other),
        "3-D product": lambda: three @ other,
        "einsum": lambda: torch.einsum("bij,bjk->bik", three, other), "dot": lambda: torch.dot(v, v),
        "mse_loss": lambda: F.mse_loss(g, x), "nll_loss": lambda: F.nll_loss(scores, labels),
        "cross_entropy": lambda: F.cross_entropy(scores, labels), "dropout": lambda: F.dropout(g, 0.5),
        "normalize": lambda: F.normalize(g), "cosine_similarity": lambda: F.cosine_similarity(g, x),
        "zeros": lambda: torch.zeros(64), "tensor": lambda: torch.tensor([1.0, 2.0]),
        "arange": lambda: torch.arange(10),
        "linspace": lambda: torch.linspace(0, 1, 10), "rand": lambda: torch.rand(16), "randn": lambda: torch.randn(64),
        "randint": lambda: torch.randint(0, 10, (8,)), "randperm": lambda: torch.randperm(10),
        "autograd.grad": lambda: torch.autograd.grad((g * 2).sum(), g), "backward": lambda: (g * 2).sum().backward(),
    }  # fmt: skip


def layers(torch: Any, F: Any) -> Calls:
    """Layers, optimizers, a data loader and distributions, forward, and some with their backward."""
    nn, optim, normal = torch.nn, torch.optim, import_module(f"{torch.__name__}.distributions").Normal
    data = import_module(f"{torch.__name__}.utils.data")
    x, picture, pictures = torch.randn(8, 16), torch.randn(1, 3, 8, 8), torch.randn(4, 3, 16, 16)
    steps, tokens, ids = torch.randn(10, 1, 16), torch.randn(1, 5, 16), torch.tensor([[1, 2, 3]])
    lstm, gru, rnn = nn.LSTM(16, 32), nn.GRU(16, 32), nn.RNN(16, 32)
    cell, state = nn.LSTMCell(16, 32), (torch.randn(1, 32), torch.randn(1, 32))
    conv, linear, norm = nn.Conv2d(3, 8, 3), nn.Linear(16, 16), nn.LayerNorm(16)
    batch1, batch2, embedding = nn.BatchNorm1d(16), nn.BatchNorm2d(3), nn.Embedding(10, 16)
    attention = nn.MultiheadAttention(16, 2, batch_first=True)
    mlp = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 10))
    labels, parameters = torch.arange(8) % 7, list(mlp.parameters())
    optimizers = {"SGD": optim.SGD(parameters, lr=1e-6), "Adam": optim.Adam(parameters, lr=1e-6)}
    F.cross_entropy(mlp(x), labels).backward()
    loader = data.DataLoader(data.TensorDataset(torch.randn(64, 4), torch.randn(64)), batch_size=8, shuffle=True)
    mean, spread = torch.randn(4, requires_grad=True), torch.ones(4)

    def train() -> None:
        optimizers["SGD"].zero_grad()
        F.cross_entropy(mlp(x), labels).backward()
        optimizers["SGD"].step()

    return {
        "linear": lambda: linear(x), "linear, both ways": lambda: linear(x).sum().backward(), "MLP": lambda: mlp(x),
        "a step of an MLP": train, "SGD.step": lambda: optimizers["SGD"].step(),
        "Adam.step": lambda: optimizers["Adam"].step(), "LSTM, 10 steps": lambda: lstm(steps),
        "LSTM, both ways": lambda: lstm(steps)[0].sum().backward(), "GRU, 10 steps": lambda: gru(steps),
        "RNN, 10 steps": lambda: rnn(steps), "LSTMCell": lambda: cell(state[0][:, :16], state),
        "conv2d": lambda: conv(picture), "conv2d, both ways": lambda: conv(picture).sum().backward(),
        "conv2d of four": lambda: conv(pictures), "max_pool2d": lambda: F.max_pool2d(picture, 2),
        "avg_pool2d": lambda: F.avg_pool2d(picture, 2),
        "adaptive_avg_pool2d": lambda: F.adaptive_avg_pool2d(picture, 1),
        "batch norm": lambda: batch1(x), "batch norm 2d": lambda: batch2(pictures), "layer norm": lambda: norm(x),
        "embedding": lambda: embedding(ids), "attention": lambda: attention(tokens, tokens, tokens),
        "attention, both ways": lambda: attention(tokens, tokens, tokens)[0].sum().backward(),
        "DataLoader": lambda: list(loader), "Normal.rsample": lambda: normal(mean, spread).rsample(),
        "Normal.log_prob": lambda: normal(mean, spread).log_prob(mean),
    }  # fmt: skip


def serve(pipe: Any, engine: str) -> None:
    """Answers names with the nanoseconds of a call, until None comes; the first answer is all names."""
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root), str(root / "core")]
    warnings.simplefilter("ignore")
    torch = import_module(engine)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    F = import_module(f"{engine}.nn.functional")
    calls = {**operations(torch, F), **layers(torch, F)}
    pipe.send(list(calls))
    counts: dict[str, int] = {}
    while (name := pipe.recv()) is not None:
        call = calls[name]
        if name not in counts:
            for _ in range(WARM):
                call()
            counts[name] = max(1, int(TURN_NS / max(1, timed(call, 20))))
        pipe.send(timed(call, counts[name]))


def timed(call: Callable[[], Any], count: int) -> float:
    """The nanoseconds of processor time that each of `count` calls takes."""
    started = time.process_time_ns()
    for _ in range(count):
        call()
    return (time.process_time_ns() - started) / count


def main() -> None:
    """Prints the calls, those that lose most first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--turns", type=int, default=20)
    given = parser.parse_args()
    context = get_context("spawn")
    pipes, names = [], []
    for engine in ("dyncore", "torch"):
        here, there = context.Pipe()
        context.Process(target=serve, args=(there, engine), daemon=True).start()
        names = here.recv()
        pipes.append(here)
    chosen = [n for n in names if not given.names or any(each.lower() in n.lower() for each in given.names)]
    rows = []
    for name in chosen:
        best = [float("inf")] * 2
        for _ in range(given.turns):
            for number, pipe in enumerate(pipes):
                pipe.send(name)
                best[number] = min(best[number], pipe.recv() / 1e3)
        rows.append((best[0] - best[1], name, *best))
    for pipe in pipes:
        pipe.send(None)
    print(f"{'us a call':24}{'dyncore':>10}{'torch':>10}{'ratio':>8}")
    for _, name, ours, theirs in sorted(rows, reverse=True):
        print(f"{name:24}{ours:10.2f}{theirs:10.2f}{ours / theirs:8.2f}")
    slower = sum(ours > 1.3 * theirs for _, _, ours, theirs in rows)
    print(f"{len(rows)} calls: {sum(a <= b for _, _, a, b in rows)} not slower, {slower} slower by more than 1.3")


if __name__ == "__main__":
    main()
