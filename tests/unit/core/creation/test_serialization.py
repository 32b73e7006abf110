"""Tensors go to files and back, as copies and through pickle; files that could run code are refused."""

from __future__ import annotations

import copy
import importlib.util
import io
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore import nn

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
needs_safetensors = pytest.mark.skipif(
    importlib.util.find_spec("safetensors") is None, reason="safetensors is not installed"
)


def tensors() -> dict[str, Any]:
    """One of every dtype; 0-d, empty and not contiguous ones too."""
    made = {name: dyncore.ones(2, 3, dtype=getattr(dyncore, name)) for name in ("bool", "uint8", "int64", "float16")}
    made["zero"] = dyncore.tensor(3.5)
    made["empty"] = dyncore.zeros(0, 2, dtype=dyncore.float64)
    made["turned"] = dyncore.arange(6.0).reshape(2, 3).t()
    return made


def same(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Both hold equal tensors of equal dtypes under the same names."""
    assert sorted(first) == sorted(second)
    for name, value in first.items():
        assert value.dtype is second[name].dtype, name
        np.testing.assert_array_equal(value.numpy(), second[name].numpy())


@needs_safetensors
def test_safetensors_files_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    dyncore.save(tensors(), path)
    same(tensors(), dyncore.load(path))


@pytest.mark.parametrize("suffix", [".npz", ".pt", ".pth", ""])
def test_any_other_name_holds_any_nesting(tmp_path: Path, suffix: str) -> None:
    """A checkpoint of dicts, lists, numbers and tensors, among them parameters and one tensor twice."""
    shared = dyncore.ones(2)
    checkpoint = {
        "epoch": 3,
        "loss": [0.5, float("nan"), -float("inf")],
        "model": OrderedDict(tensors()),
        "state": {0: {"step": dyncore.tensor(4.0)}, "none": None, "yes": True, "pair": (1, "two"), "z": 1 + 2j},
        "size": dyncore.Size([2, 3]),
        "dtype": dyncore.float16,
        "twice": [shared, shared],
        "parameter": nn.Parameter(dyncore.ones(1)),
        "wanted": dyncore.ones(1, requires_grad=True),
    }
    path = tmp_path / f"checkpoint{suffix}"
    dyncore.save(checkpoint, path)
    found = dyncore.load(path)
    assert list(checkpoint) == list(found)
    assert repr(checkpoint) == repr(found)
    assert found["twice"][0] is found["twice"][1]
    assert isinstance(found["parameter"], nn.Parameter)
    same(dict(checkpoint["model"]), dict(found["model"]))


def test_open_files_and_plain_npz_are_read() -> None:
    """A file object works; an npz that NumPy wrote is a dict of tensors."""
    buffer = io.BytesIO()
    dyncore.save(dyncore.tensor([1.0, 2.0]), buffer)
    buffer.seek(0)
    assert [1.0, 2.0] == dyncore.load(buffer).tolist()
    buffer = io.BytesIO()
    np.savez(buffer, a=np.arange(3), b=np.float32(2))
    buffer.seek(0)
    assert "{'a': tensor([0, 1, 2]), 'b': tensor(2.)}" == repr(dyncore.load(buffer))


def test_a_model_comes_back(tmp_path: Path) -> None:
    """`save(model.state_dict())`, `load_state_dict(load(...))`: the same outputs."""
    dyncore.manual_seed(0)
    first, second = (nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)) for _ in range(2))
    dyncore.save(first.state_dict(), tmp_path / "model.pt")
    second.load_state_dict(dyncore.load(tmp_path / "model.pt", map_location="cpu", weights_only=True))
    x = dyncore.randn(5, 3)
    assert first(x).tolist() == second(x).tolist()


@needs_torch
@needs_safetensors
def test_files_of_pytorch_and_ours_are_read_by_the_other(tmp_path: Path) -> None:
    """A state dict of the same architecture gives the same outputs, either way."""
    import torch
    from safetensors.torch import load_file, save_file

    def layers(t: Any) -> Any:
        return t.nn.Sequential(t.nn.Linear(3, 8), t.nn.Tanh(), t.nn.LayerNorm(8), t.nn.Linear(8, 2))

    theirs, ours = layers(torch), layers(dyncore)
    save_file(theirs.state_dict(), tmp_path / "theirs.safetensors")
    ours.load_state_dict(dyncore.load(tmp_path / "theirs.safetensors"))
    x = np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32)
    expected = theirs(torch.from_numpy(x)).detach().numpy()
    np.testing.assert_allclose(ours(dyncore.from_numpy(x)).detach().numpy(), expected, rtol=1e-5, atol=1e-6)
    dyncore.save(ours.state_dict(), tmp_path / "ours.safetensors")
    back = layers(torch)
    back.load_state_dict(load_file(tmp_path / "ours.safetensors"))
    np.testing.assert_array_equal(back(torch.from_numpy(x)).detach().numpy(), expected)


@needs_torch
@needs_safetensors
def test_bfloat16_is_read_as_float32(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    save_file({"x": torch.tensor([1.5, -2.25]).bfloat16()}, tmp_path / "x.safetensors")
    assert "{'x': tensor([ 1.5000, -2.2500])}" == repr(dict(dyncore.load(tmp_path / "x.safetensors")))


@pytest.mark.parametrize(
    ("former", "now", "make"),
    [
        ("compiled", "capture", lambda: dyncore.compile(nn.Linear(2, 1))),
        ("copies", "creation.copies", lambda: dyncore.ones(2)),
        ("exchange", "creation.interop", lambda: dyncore.ones(2).untyped_storage()),
        ("generator", "rng.generator", lambda: dyncore.Generator()),
        ("parameter", "tensors.parameter", lambda: nn.Parameter(dyncore.ones(2))),
        ("printing", "dispatch.results", lambda: dyncore.ones(2, 2).max(0)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_pickles_of_earlier_versions_are_read(former: str, now: str, make: Any) -> None:
    """They name modules that lie elsewhere now."""
    made = make()
    written = pickle.dumps(made, protocol=2)
    former_text = written.replace(f"cdyncore.{now}\n".encode(), f"cdyncore.{former}\n".encode())
    assert former_text != written
    assert repr(pickle.loads(former_text)).split(" at 0x")[0] == repr(made).split(" at 0x")[0]


@needs_safetensors
def test_damaged_files_are_said_to_be_so(tmp_path: Path) -> None:
    """Cut short at any place, or never a tensor file at all."""
    np.savez(tmp_path / "a.npz", a=np.arange(3))
    dyncore.save(tensors(), tmp_path / "a.safetensors")
    for name in ("a.npz", "a.safetensors"):
        data = (tmp_path / name).read_bytes()
        for length in (0, 3, 12, len(data) // 2, len(data) - 1):
            (tmp_path / "cut").write_bytes(data[:length])
            with pytest.raises(RuntimeError, match="is no valid|is no file"):
                dyncore.load(tmp_path / "cut")
    (tmp_path / "text").write_text("hello, this is not a model")
    with pytest.raises(RuntimeError, match="is no file of torch.save, safetensors or npz"):
        dyncore.load(tmp_path / "text")
    with pytest.raises(FileNotFoundError):
        dyncore.load(tmp_path / "nothing")


def test_what_cannot_be_saved_says_what_to_save(tmp_path: Path) -> None:
    with pytest.raises((AttributeError, pickle.PicklingError), match="<lambda>"):
        dyncore.save({"activation": lambda x: x}, tmp_path / "a.pt")
    with pytest.raises(TypeError, match="a safetensors file holds a dict of names and tensors, nothing nested"):
        dyncore.save({"a": {"b": dyncore.ones(1)}}, tmp_path / "a.safetensors")
    assert not (tmp_path / "a.pt").exists()
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        dyncore.load(io.BytesIO(), map_location="cuda")


def test_deepcopy_keeps_what_shares_memory_together() -> None:
    """A view is a view of the copy; the gradient is copied; history is refused."""
    base = dyncore.arange(6.0)
    view = base[2:4]
    first, second = copy.deepcopy([base, view])
    first.add_(10)
    assert [12.0, 13.0] == second.tolist()
    assert [2.0, 3.0] == view.tolist()
    leaf = dyncore.ones(2, requires_grad=True)
    leaf.sum().backward()
    twin = copy.deepcopy(leaf)
    assert twin.requires_grad
    assert [1.0, 1.0] == twin.grad.tolist()
    assert twin.grad is not leaf.grad
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(leaf * 2)


def test_pickle_and_copy_take_leaves() -> None:
    """Tensors, parameters, models and dtypes go through pickle; tensors with history do not."""
    for value in (dyncore.tensor(2.5), dyncore.arange(4).reshape(2, 2).t(), dyncore.ones(2, requires_grad=True)):
        back = pickle.loads(pickle.dumps(value))
        assert repr(value) == repr(back)
    parameter = pickle.loads(pickle.dumps(nn.Parameter(dyncore.ones(2))))
    assert isinstance(parameter, nn.Parameter)
    assert parameter.requires_grad
    model = pickle.loads(pickle.dumps(nn.Linear(2, 1)))
    assert [(1, 2), (1,)] == [tuple(p.shape) for p in model.parameters()]
    for value in (dyncore.float32, dyncore.Size([1, 2]), dyncore.device("cpu"), dyncore.strided):
        assert value == pickle.loads(pickle.dumps(value))
    shallow = copy.copy(parameter)
    assert [1.0, 1.0] == shallow.tolist()
    computed = pickle.loads(pickle.dumps(dyncore.ones(1, requires_grad=True) * 2))
    assert "tensor([2.], requires_grad=True)" == repr(computed)
