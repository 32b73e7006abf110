"""Models of many kinds, compiled: the same bits forward and backward, call after call."""

from __future__ import annotations

import json
import runpy
import warnings
from pathlib import Path
from typing import Any

import pytest

import dyncore as torch
from dyncore import nn
from tests.unit.core.capture.check import bits, leaves_in, run, same

ROOT = Path(__file__).resolve().parents[4]


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attend = nn.MultiheadAttention(16, 4, batch_first=True)
        self.norm = nn.LayerNorm(16)
        self.feed = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

    def forward(self, x: Any) -> Any:
        h = x + self.attend(x, x, x, need_weights=False)[0]
        return self.feed(self.norm(h)).mean()


class Convolution(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5)
        )

    def forward(self, x: Any) -> Any:
        return nn.functional.cross_entropy(self.layers(x), torch.tensor([1, 2]))


class Recurrent(nn.Module):
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.cell = kind(8, 8)
        self.out = nn.Linear(8, 3)

    def forward(self, x: Any) -> Any:
        state = None
        for step in x:
            state = self.cell(step, state)
        return self.out(state[0] if isinstance(state, tuple) else state)


class Embedded(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(10, 6)
        self.rnn = nn.LSTM(6, 5, num_layers=2, batch_first=True)

    def forward(self, numbers: Any) -> Any:
        out, (h, c) = self.rnn(self.words(numbers))
        return out.sum() + h[-1].sum() * c.mean()


class EarlyExit(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(6))

    def forward(self, x: Any) -> Any:
        for number, layer in enumerate(self.layers):
            x = torch.tanh(layer(x)) + x
            if x.abs().mean() > 0.8:
                return x * number
        return x


class BiggestTwo(nn.Module):
    def forward(self, x: Any) -> Any:
        values, places = x.topk(2, dim=1)
        return (values * places).sum(1), x.masked_fill(x > 1, 0.0).cumsum(1)


def numbers(*shape: int) -> Any:
    return lambda: torch.randn(*shape)


MODELS: dict[str, tuple[Any, Any]] = {
    "mlp": (lambda: nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3), nn.LogSoftmax(1)), numbers(5, 4)),
    "attention": (Attention, numbers(2, 6, 16)),
    "transformer": (lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), numbers(2, 5, 8)),
    "convolution": (Convolution, numbers(2, 1, 8, 8)),
    "RNN cell": (lambda: Recurrent(nn.RNNCell), numbers(7, 2, 8)),
    "LSTM cell": (lambda: Recurrent(nn.LSTMCell), numbers(7, 1, 8)),
    "GRU cell": (lambda: Recurrent(nn.GRUCell), numbers(7, 3, 8)),
    "embedding and LSTM": (Embedded, lambda: torch.randint(0, 10, (2, 4))),
    "early exit": (EarlyExit, numbers(3, 8)),
    "topk": (BiggestTwo, numbers(3, 5)),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_gives_the_same_bits(name: str) -> None:
    """Several inputs, three times each, forward and backward; and again in evaluation mode without gradients."""
    make, data = MODELS[name]
    torch.manual_seed(1)
    model = make()
    inputs = [data() for _ in range(3)]
    compiled = torch.compile(model)
    leaves = list(model.parameters())
    state = {key: value.clone() for key, value in model.state_dict().items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [run(model, (x,), leaves, k) for k, x in enumerate(inputs * 3)]
        after = [bits(value) for value in model.state_dict().values()]
        model.load_state_dict(state)
        assert expected == [run(compiled, (x,), leaves, k) for k, x in enumerate(inputs * 3)]
        assert after == [bits(value) for value in model.state_dict().values()]
        model.eval()
        with torch.no_grad():
            for x in inputs * 2:
                assert run(model, (x,), []) == run(compiled, (x,), [])
    explained = compiled.explain()
    assert explained.hits >= 8, str(explained)


# `growing` trains itself, backward and all.
BUNDLED = [path for path in sorted((ROOT / "models").glob("*.py")) if path.stem != "growing"]


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_a_bundled_model_gives_the_same_bits(path: Path) -> None:
    """Each on its own sample inputs, whatever it does beside computing."""
    given = json.loads((ROOT / "samples" / f"{path.stem}.json").read_text())
    space = runpy.run_path(str(path), run_name=path.stem)
    entry = space.get("model") or space["forward"]
    leaves = list(entry.parameters()) if isinstance(entry, nn.Module) else []
    for case in list(given.values())[:3]:
        args = [_tensors(value) for value in case.values()]
        compiled = same(lambda *a: entry(*a), *args, leaves=[*leaves, *leaves_in(args)], seed=0)
        explained = compiled.explain()
        assert explained.hits or explained.refused, str(explained)


def _tensors(value: Any) -> Any:
    """Lists of numbers as tensors, wherever they stand."""
    if isinstance(value, dict):
        return {key: _tensors(each) for key, each in value.items()}
    if isinstance(value, list) and not _numeric(value):
        return [_tensors(each) for each in value]
    numeric = isinstance(value, (float, list))
    return torch.tensor(value, dtype=torch.float32, requires_grad=True) if numeric else value


def _numeric(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_numeric, value)) and len({len(e) if isinstance(e, list) else 0 for e in value}) <= 1
    return isinstance(value, (int, float))
