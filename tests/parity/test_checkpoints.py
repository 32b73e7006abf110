"""Files of `torch.save` go both ways: PyTorch opens ours, we open PyTorch's, and the layers compute the same."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")
ENGINES = {"torch": torch, "dyncore": dyncore}
LAYERS: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "Linear": (lambda t: t.nn.Linear(3, 4), (5, 3)),
    "Conv2d": (lambda t: t.nn.Conv2d(2, 3, 3, padding=1), (1, 2, 5, 5)),
    "ConvTranspose1d": (lambda t: t.nn.ConvTranspose1d(2, 3, 3), (1, 2, 5)),
    "LSTM": (lambda t: t.nn.LSTM(3, 4, num_layers=2, bidirectional=True), (6, 2, 3)),
    "GRU": (lambda t: t.nn.GRU(3, 4, bias=False), (6, 2, 3)),
    "RNNCell": (lambda t: t.nn.RNNCell(3, 4), (2, 3)),
    "BatchNorm1d": (lambda t: t.nn.BatchNorm1d(3), (4, 3)),
    "LayerNorm": (lambda t: t.nn.LayerNorm(3), (4, 3)),
    "GroupNorm": (lambda t: t.nn.GroupNorm(2, 4), (2, 4, 3)),
    "PReLU": (lambda t: t.nn.PReLU(), (4, 3)),
    "Sequential": (lambda t: t.nn.Sequential(t.nn.Linear(3, 4), t.nn.ReLU(), t.nn.Flatten(), t.nn.Softmax(1)), (2, 3)),
    "MaxPool2d": (lambda t: t.nn.MaxPool2d(2), (1, 1, 4, 4)),
    "TransformerEncoderLayer": (lambda t: t.nn.TransformerEncoderLayer(8, 2, dropout=0.0), (4, 2, 8)),
    "TransformerDecoderLayer": (
        lambda t: t.nn.TransformerDecoderLayer(8, 2, dropout=0.0, batch_first=True, activation=t.nn.functional.gelu),
        (2, 4, 8),
    ),
}


def through(obj: Any, source: Any, target: Any, **options: Any) -> Any:
    """Save with one engine and load with the other."""
    buffer = io.BytesIO()
    source.save(obj, buffer)
    buffer.seek(0)
    return target.load(buffer, **options)


def run(layer: Any, engine: Any, shape: tuple[int, ...]) -> list[Any]:
    """Return what a layer computes, as arrays."""
    x = engine.from_numpy(np.random.default_rng(1).normal(size=shape).astype(np.float32))
    out = layer(x, x) if "Decoder" in type(layer).__name__ else layer(x)
    flat = out if isinstance(out, tuple) else (out,)
    return [each.detach().numpy() for item in flat for each in (item if isinstance(item, tuple) else (item,))]


@pytest.mark.parametrize(("source", "target"), [("torch", "dyncore"), ("dyncore", "torch"), ("dyncore", "dyncore")])
@pytest.mark.parametrize("name", LAYERS)
def test_whole_module_computes_the_same_in_the_other_engine(name: str, source: str, target: str) -> None:
    make, shape = LAYERS[name]
    ENGINES[source].manual_seed(0)
    layer = make(ENGINES[source])
    found = through(layer, ENGINES[source], ENGINES[target], weights_only=False)
    for expected, actual in zip(run(layer, ENGINES[source], shape), run(found, ENGINES[target], shape), strict=True):
        np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=2e-6)
    assert repr(layer) == repr(found)
    assert [name for name, _ in layer.named_parameters()] == [name for name, _ in found.named_parameters()]


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int8", "uint8", "int64", "bool", "complex64"])
def test_file_of_pytorch_loads(dtype: str, legacy: bool) -> None:
    """Also transposed, expanded, shared and empty tensors, in both formats."""
    base = torch.arange(12).reshape(3, 4).to(getattr(torch, dtype))
    tensors = {
        "base": base, "turned": base.t(), "part": base[1:, ::2], "expanded": base[:, :1].expand(3, 5),
        "empty": base[:0], "number": base[1, 1].clone(), "copy": base.clone(),
    }  # fmt: skip
    buffer = io.BytesIO()
    torch.save(tensors, buffer, _use_new_zipfile_serialization=not legacy)
    buffer.seek(0)
    found = dyncore.load(buffer, weights_only=True)
    assert list(tensors) == list(found)
    for name, tensor in tensors.items():
        expected = tensor.float() if dtype == "bfloat16" else tensor
        np.testing.assert_array_equal(found[name].numpy(), expected.numpy())
        assert expected.dtype == getattr(torch, str(found[name].dtype).removeprefix("torch."))
        if tensor.numel():
            assert tensor.stride() == found[name].stride()
    if dtype != "bool":
        found["base"].add_(1)
        np.testing.assert_array_equal(found["turned"].numpy(), found["base"].numpy().T)


@pytest.mark.parametrize(("source", "target"), [("torch", "dyncore"), ("dyncore", "torch")])
def test_checkpoint_of_a_training_run_goes_on(source: str, target: str) -> None:
    """State dicts of model, optimizer and scheduler, epoch and losses; the next step is the same."""
    first, second = ENGINES[source], ENGINES[target]
    runs = []
    for engine in (first, second):
        engine.manual_seed(0)
        model = engine.nn.Sequential(engine.nn.Linear(3, 4), engine.nn.Tanh(), engine.nn.Linear(4, 1))
        optimizer = engine.optim.Adam(model.parameters(), lr=0.1)
        runs.append((engine, model, optimizer, engine.optim.lr_scheduler.StepLR(optimizer, 2)))
    x = np.random.default_rng(2).normal(size=(6, 3)).astype(np.float32)

    def step(engine: Any, model: Any, optimizer: Any, scheduler: Any) -> float:
        optimizer.zero_grad()
        loss = model(engine.from_numpy(x)).pow(2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        return float(loss.detach())

    losses = [step(*runs[0]) for _ in range(3)]
    parts = {
        name: part.state_dict() for name, part in zip(("model", "optimizer", "scheduler"), runs[0][1:], strict=True)
    }
    found = through({**parts, "epoch": 3, "losses": losses}, first, second)
    assert (3, losses) == (found["epoch"], found["losses"])
    for name, part in zip(parts, runs[1][1:], strict=True):
        part.load_state_dict(found[name])
    for _ in range(3):
        assert step(*runs[0]) == pytest.approx(step(*runs[1]), rel=1e-5)


def test_state_dict_of_ours_opens_with_weights_only() -> None:
    """PyTorch's own restricted reader takes it, with the versions of its modules."""
    state = dyncore.nn.BatchNorm1d(2).state_dict()
    found = through(state, dyncore, torch, weights_only=True)
    assert dict(state._metadata) == dict(found._metadata)
    torch.nn.BatchNorm1d(2).load_state_dict(found)


def test_refusal_has_pytorchs_sentence() -> None:
    buffer = io.BytesIO()
    torch.save(range(3), buffer)
    sentences = []
    for engine in (torch, dyncore):
        buffer.seek(0)
        with pytest.raises(pickle.UnpicklingError) as error:
            engine.load(buffer)
        text = str(error.value)
        assert text.startswith("Weights only load failed.")
        sentences.append(text[text.index("WeightsUnpickler error:") :].split("\n")[0])
    assert sentences[0] == sentences[1]


@pytest.mark.filterwarnings("ignore:Sparse invariant checks")
@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize(("source", "target"), [("torch", "dyncore"), ("dyncore", "torch"), ("dyncore", "dyncore")])
def test_sparse_tensor_keeps_its_elements_and_order(source: str, target: str, legacy: bool) -> None:
    """Loaded with `weights_only`; a coalesced one stays so."""
    engine, buffer = ENGINES[source], io.BytesIO()
    given = engine.sparse_coo_tensor(engine.tensor([[1, 0, 1], [2, 1, 2]]), engine.tensor([3.0, 4.0, 5.0]), (2, 3))
    empty = engine.sparse_coo_tensor(engine.zeros(1, 0, dtype=engine.int64), engine.zeros(0), (2,))
    saved = {"s": given, "c": given.coalesce(), "e": empty.coalesce()}
    engine.save(saved, buffer, _use_new_zipfile_serialization=not legacy)
    buffer.seek(0)
    loaded = ENGINES[target].load(buffer)
    assert all(each.is_sparse for each in loaded.values())
    assert [False, True, True] == [loaded[name].is_coalesced() for name in "sce"]
    assert [[0.0, 4.0, 0.0], [0.0, 0.0, 8.0]] == loaded["s"].to_dense().tolist() == loaded["c"].to_dense().tolist()
    assert [4.0, 8.0] == loaded["c"].values().tolist() and [0.0, 0.0] == loaded["e"].to_dense().tolist()
