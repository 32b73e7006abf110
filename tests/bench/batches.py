"""A batch of examples with steps of their own: `torch.batched` here, a loop over the examples in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.bench.workloads import Run, filled, grads, workload

WORDS, CLASSES = 500, 5
BATCHES, SIZES = (16, 64, 256), (32, 64, 128, 256)


def examples(count: int) -> list[dict[str, Any]]:
    """Trees of 5 to 30 words, sequences of 5 to 30 words, and a class."""
    rng = np.random.default_rng(1)

    def tree(leaves: int) -> Any:
        if leaves == 1:
            return int(rng.integers(WORDS))
        left = int(rng.integers(1, leaves))
        return tree(left), tree(leaves - left)

    return [
        {
            "tree": tree(int(rng.integers(5, 31))),
            "words": [int(word) for word in rng.integers(0, WORDS, int(rng.integers(5, 31)))],
            "label": int(rng.integers(CLASSES)),
        }
        for _ in range(count)
    ]


def tree_lstm(torch: Any, size: int, modules: bool = False) -> tuple[Any, Callable[[Any], Any]]:
    """A recursion over binary trees; with `modules` its two cells are modules, which become one step each."""
    nn, F = torch.nn, torch.nn.functional
    layers = nn.ModuleList(
        [nn.Embedding(WORDS, size), nn.Linear(size, 3 * size), nn.Linear(2 * size, 5 * size), nn.Linear(size, CLASSES)]
    )
    embedding, leaf, inner, out = layers

    def leaves(x: Any) -> Any:
        i, o, u = leaf(x).chunk(3)
        c = torch.sigmoid(i) * torch.tanh(u)
        return torch.sigmoid(o) * torch.tanh(c), c

    def joined(left: Any, right: Any) -> Any:
        (hl, cl), (hr, cr) = left, right
        i, fl, fr, o, u = inner(torch.cat([hl, hr])).chunk(5)
        c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(fl) * cl + torch.sigmoid(fr) * cr
        return torch.sigmoid(o) * torch.tanh(c), c

    class Cell(nn.Module):
        def __init__(self, function: Any, layer: Any) -> None:
            super().__init__()
            self.function, self.layer = function, layer

        def forward(self, *states: Any) -> Any:
            return self.function(*states)

    word, pair = (Cell(leaves, leaf), Cell(joined, inner)) if modules else (leaves, joined)

    def encode(tree: Any) -> Any:
        if isinstance(tree, int):
            return word(embedding.weight[tree])
        return pair(encode(tree[0]), encode(tree[1]))

    return layers, lambda example: F.cross_entropy(out(encode(example["tree"])[0]), torch.tensor(example["label"]))


def gru(torch: Any, size: int, early: bool = False) -> tuple[Any, Callable[[Any], Any]]:
    """A GRU cell over words, which may stop after each."""
    nn, F = torch.nn, torch.nn.functional
    layers = nn.ModuleList(
        [nn.Embedding(WORDS, size), nn.GRUCell(size, size), nn.Linear(size, 1), nn.Linear(size, CLASSES)]
    )
    embedding, cell, stop, out = layers

    def model(example: Any) -> Any:
        h = None
        for word in example["words"]:
            h = cell(embedding(torch.tensor(word)), h)
            if early and stop(h).sum().item() > 0.2:
                break
        return F.cross_entropy(out(h), torch.tensor(example["label"]))

    return layers, model


def router(torch: Any, size: int) -> tuple[Any, Callable[[Any], Any]]:
    """Four rounds, each through one of three experts of one to three layers."""
    nn, F = torch.nn, torch.nn.functional
    layers = nn.ModuleList(
        [
            nn.Embedding(WORDS, size),
            nn.Linear(size, 3),
            nn.Linear(size, CLASSES),
            *[nn.Linear(size, size) for _ in "abc"],
        ]
    )
    embedding, route, out, *experts = layers

    def model(example: Any) -> Any:
        x = embedding(torch.tensor(example["words"][0]))
        for _ in range(4):
            y = x
            for layer in experts[: route(x).argmax().item() + 1]:
                y = torch.tanh(layer(y))
            x = x + y
        return F.cross_entropy(out(x), torch.tensor(example["label"]))

    return layers, model


def padded(torch: Any, size: int) -> tuple[Any, Callable[[Any], Any]]:
    """The GRU over all sequences at once, made equally long: a function of all examples."""
    nn, F = torch.nn, torch.nn.functional
    layers = nn.ModuleList(
        [nn.Embedding(WORDS, size), nn.GRU(size, size), nn.Linear(size, 1), nn.Linear(size, CLASSES)]
    )
    embedding, cells, _, out = layers

    def losses(given: Any) -> Any:
        words = nn.utils.rnn.pad_sequence([torch.tensor(example["words"]) for example in given])
        last = torch.tensor([len(example["words"]) - 1 for example in given])
        states, _ = cells(embedding(words))
        labels = torch.tensor([example["label"] for example in given])
        return F.cross_entropy(out(states[last, torch.arange(len(given))]), labels, reduction="none")

    return layers, losses


MODELS: dict[str, Callable[[Any, int], tuple[Any, Callable[[Any], Any]]]] = {
    "TreeLSTM": tree_lstm,
    "TreeLSTM of modules": lambda torch, size: tree_lstm(torch, size, modules=True),
    "GRU": gru,
    "early stop": lambda torch, size: gru(torch, size, early=True),
    "router": router,
}


def together(torch: Any, name: str, size: int) -> tuple[Any, Callable[[Any], Any]]:
    """The layers of a model, and the losses of many examples: `batched` here, a loop in PyTorch."""
    if name == "GRU beside a padded one":
        return padded(torch, size) if not hasattr(torch, "batched") else together(torch, "GRU", size)
    layers, model = MODELS[name](torch, size)
    batched = getattr(torch, "batched", lambda model: lambda given: [model(example) for example in given])(model)
    return layers, lambda given: torch.stack(batched(given))


def row(name: str, batch: int, size: int) -> None:
    """Add a row: forward and backward of the mean loss of a batch."""

    @workload(f"{name}, {batch} x {size}", "batches")
    def make(torch: Any, dtype: Any) -> Run:
        layers, losses = together(torch, name, size)
        filled(layers, torch, dtype)
        given = examples(batch)
        parameters = list(layers.parameters())

        def run() -> list[Any]:
            found = grads(losses(given).mean(), *parameters)
            return [each for each in found if each is not None]  # what only decides gets none

        return run


for _name in (*MODELS, "GRU beside a padded one"):
    for _batch in BATCHES:
        for _size in SIZES:
            row(_name, _batch, _size)
