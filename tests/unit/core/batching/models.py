"""Models whose steps depend on the example, as users write them; `data` makes examples for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

import dyncore as torch
from dyncore import nn
from dyncore.batching import scheduler
from dyncore.nn import functional as F

WORDS, CLASSES = 40, 5


def calls_together(monkeypatch: Any, name: str | None = None) -> list[int]:
    """Return a list that gets the number of calls each time that some of one op, or of any, are computed."""
    counts: list[int] = []
    compute = scheduler.compute

    def counted(batch: Any, groups: list[Any]) -> None:
        if name in (None, groups[0].signature.name):
            counts.append(sum(group.count for group in groups))
        compute(batch, groups)

    monkeypatch.setattr(scheduler, "compute", counted)
    return counts


class TreeLSTM(nn.Module):
    """A tree is a word, or two trees."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.leaf = nn.Linear(size, 3 * size)
        self.inner = nn.Linear(2 * size, 5 * size)
        self.out = nn.Linear(size, CLASSES)

    def encode(self, tree: Any) -> Any:
        if isinstance(tree, int):
            i, o, u = self.leaf(self.embedding.weight[tree]).chunk(3)
            c = torch.sigmoid(i) * torch.tanh(u)
            return torch.sigmoid(o) * torch.tanh(c), c
        (hl, cl), (hr, cr) = self.encode(tree[0]), self.encode(tree[1])
        i, fl, fr, o, u = self.inner(torch.cat([hl, hr])).chunk(5)
        c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(fl) * cl + torch.sigmoid(fr) * cr
        return torch.sigmoid(o) * torch.tanh(c), c

    def forward(self, example: Any) -> Any:
        h, _ = self.encode(example["tree"])
        return F.cross_entropy(self.out(h), torch.tensor(example["label"]))


class Recurrent(nn.Module):
    """A cell over words, which may stop early."""

    def __init__(self, size: int, cell: str = "GRUCell", early: bool = False) -> None:
        super().__init__()
        self.size, self.early = size, early
        self.embedding = nn.Embedding(WORDS, size)
        self.cell = getattr(nn, cell)(size, size)
        self.stop = nn.Linear(size, 1)
        self.out = nn.Linear(size, CLASSES)

    def forward(self, example: Any) -> Any:
        state = None
        for word in example["words"]:
            state = self.cell(self.embedding(torch.tensor(word)), state)
            h = state[0] if isinstance(state, tuple) else state
            if self.early and self.stop(h).sigmoid().item() > 0.55:
                break
        return F.cross_entropy(self.out(h), torch.tensor(example["label"]))


class Router(nn.Module):
    """Four rounds, each through the expert that scores best."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.route = nn.Linear(size, 3)
        self.experts = nn.ModuleList(
            [nn.Sequential(*[m for _ in range(k + 1) for m in (nn.Linear(size, size), nn.Tanh())]) for k in range(3)]
        )
        self.out = nn.Linear(size, CLASSES)

    def forward(self, example: Any) -> Any:
        x = self.embedding(torch.tensor(example["words"][0]))
        for _ in range(4):
            x = x + self.experts[self.route(x).argmax().item()](x)
        return F.cross_entropy(self.out(x), torch.tensor(example["label"]))


class Attention(nn.Module):
    """Attention over a sequence, in blocks until the largest weight is large."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.query, self.key, self.value = (nn.Linear(size, size) for _ in range(3))
        self.norm = nn.LayerNorm(size)
        self.out = nn.Linear(size, CLASSES)

    def forward(self, example: Any) -> Any:
        x = self.embedding(torch.tensor(example["words"]))
        for _ in range(3):
            scores = self.query(x) @ self.key(x).transpose(0, 1) / x.shape[1] ** 0.5
            weights = scores.softmax(-1)
            x = self.norm(x + weights @ self.value(x))
            if weights.max() > 0.5:
                break
        return F.cross_entropy(self.out(x.mean(0)), torch.tensor(example["label"]))


class Solver(nn.Module):
    """Newton's method to a tolerance, then arithmetic with numbers that left the tensors."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.linear = nn.Linear(size, size)

    def forward(self, example: Any) -> Any:
        target = self.linear(self.embedding(torch.tensor(example["words"][0]))).exp() + 0.5
        x, steps = torch.ones_like(target), 0
        while ((x * x - target).abs().sum() > 1e-3) and steps < 20:
            x = x - (x * x - target) / (2 * x)
            steps += 1
        if x[0] > x[1]:
            x = x * x.sum().item()
        return (x * steps).sum()


class Documents(nn.Module):
    """Attention over the words of each sentence, then over the sentences, of which unlikely ones are left out."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.word, self.sentence = nn.GRUCell(size, size), nn.GRUCell(size, size)
        self.score, self.context = nn.Linear(size, size), nn.Parameter(torch.randn(size))
        self.out = nn.Linear(size, CLASSES)

    def pooled(self, cell: Any, steps: Any) -> Any:
        states = []
        for step in steps:
            states.append(cell(step, states[-1] if states else None))
        stacked = torch.stack(states)
        weights = torch.softmax(torch.tanh(self.score(stacked)) @ self.context, 0)
        return (weights.unsqueeze(1) * stacked).sum(0)

    def forward(self, example: Any) -> Any:
        sentences = [
            self.pooled(self.word, [self.embedding.weight[word] for word in sentence])
            for sentence in example["document"]
        ]
        likely = [each for each in sentences if each @ self.context > -0.2] or sentences
        return F.cross_entropy(self.out(self.pooled(self.sentence, likely)), torch.tensor(example["label"]))


class Graphs(nn.Module):
    """Messages along the edges of a graph, in rounds until the states settle."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.message, self.update = nn.Linear(2 * size, size), nn.GRUCell(size, size)
        self.out = nn.Linear(size, CLASSES)

    def forward(self, example: Any) -> Any:
        states = [self.embedding(torch.tensor(word)) for word in example["words"]]
        for _ in range(4):
            before, received = states, [torch.zeros_like(state) for state in states]
            for source, target in example["edges"]:
                message = torch.relu(self.message(torch.cat([states[source], states[target]])))
                received[target] = received[target] + message
            states = [self.update(message, state) for message, state in zip(received, states, strict=True)]
            if (torch.stack(states) - torch.stack(before)).abs().mean() < 0.15:
                break
        return F.cross_entropy(self.out(torch.stack(states).amax(0)), torch.tensor(example["label"]))


class Reduce(nn.Module):
    """Two states become one."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.pair, self.gate = nn.Linear(2 * size, size), nn.Bilinear(size, size, size)

    def forward(self, left: Any, right: Any) -> Any:
        gate = torch.sigmoid(self.gate(left, right))
        return gate * torch.tanh(self.pair(torch.cat([left, right]))) + (1 - gate) * right


class Stack(nn.Module):
    """A machine that shifts words and reduces the two on top of its stack, as it decides itself."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.reduce, self.choice = Reduce(size), nn.Linear(2 * size, 2)
        self.out = nn.Linear(size, CLASSES)

    def forward(self, example: Any) -> Any:
        words, stack, scores = list(example["words"]), [], []
        while words or len(stack) > 1:
            choice = 0
            if len(stack) > 1:
                logits = F.log_softmax(self.choice(torch.cat(stack[-2:])), -1)
                choice = int(logits.argmax()) if words else 1
                scores.append(logits[choice])
            if choice:
                right = stack.pop()
                stack.append(self.reduce(stack.pop(), right))
            else:
                stack.append(self.embedding.weight[words.pop()])
        return F.cross_entropy(self.out(stack[0]), torch.tensor(example["label"])) - torch.stack(scores).mean()


class Flow(nn.Module):
    """A differential equation, in steps that each example's own error makes longer or shorter."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, size)
        self.inner, self.outer, self.out = nn.Linear(size, size), nn.Linear(size, size), nn.Linear(size, CLASSES)

    def slope(self, time: float, state: Any) -> Any:
        return self.outer(torch.tanh(self.inner(state))) * (1 + time)

    def forward(self, example: Any) -> Any:
        state, time, step = self.embedding(torch.tensor(example["words"])).mean(0), 0.0, 0.5
        for _ in range(30):
            first = self.slope(time, state)
            second = self.slope(time + step, state + step * first)
            error = (step / 2 * (second - first)).abs().max()
            if error < 0.05 or step < 0.01:
                state, time = state + (first + second) * (step / 2), time + step
            step = min(1 - time, step * min(2.0, 0.9 * (0.05 / (float(error) + 0.001)) ** 0.5))
            if time >= 1:
                break
        return F.cross_entropy(self.out(state), torch.tensor(example["label"]))


class Beams(nn.Module):
    """A decoder that keeps the two likeliest outputs, until one ends."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.embedding, self.cell, self.out = nn.Embedding(WORDS, size), nn.GRUCell(size, size), nn.Linear(size, WORDS)

    def forward(self, example: Any) -> Any:
        state = None
        for word in example["words"]:
            state = self.cell(self.embedding(torch.tensor(word)), state)
        beams = [(torch.zeros_like(state[0]), state, 1)]
        for _ in range(4):
            found = []
            for score, state, word in beams:
                state = self.cell(self.embedding(torch.tensor(word)), state)
                best = torch.topk(F.log_softmax(self.out(state), dim=-1), 2)
                found += [(score + best.values[n], state, word) for n, word in enumerate(best.indices.tolist())]
            beams = sorted(found, key=lambda each: -each[0].item())[:2]
            if beams[0][2] % 5 == 0:
                break
        return -beams[0][0]


MODELS: dict[str, Any] = {
    "tree": TreeLSTM,
    "gru": Recurrent,
    "lstm": lambda size: Recurrent(size, "LSTMCell"),
    "rnn": lambda size: Recurrent(size, "RNNCell"),
    "early stop": lambda size: Recurrent(size, early=True),
    "router": Router,
    "attention": Attention,
    "solver": Solver,
    "documents": Documents,
    "graphs": Graphs,
    "stack": Stack,
    "flow": Flow,
    "beams": Beams,
}


def data(count: int, seed: int) -> list[dict[str, Any]]:
    """Return examples of unlike lengths and shapes."""
    rng = np.random.default_rng(seed)

    def tree(leaves: int) -> Any:
        if leaves == 1:
            return int(rng.integers(WORDS))
        left = int(rng.integers(1, leaves))
        return tree(left), tree(leaves - left)

    def example() -> dict[str, Any]:
        words = rng.integers(0, WORDS, int(rng.integers(2, 9))).tolist()
        return {
            "tree": tree(int(rng.integers(2, 12))),
            "words": words,
            "document": [rng.integers(0, WORDS, int(rng.integers(1, 6))).tolist() for _ in range(rng.integers(1, 5))],
            "edges": rng.integers(0, len(words), (int(rng.integers(1, 10)), 2)).tolist(),
            "label": int(rng.integers(CLASSES)),
        }

    return [example() for _ in range(count)]
