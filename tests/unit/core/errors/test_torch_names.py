"""Classes show PyTorch's modules while `torch` is the engine, and the engine's at other times."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import dyncore as torch
from dyncli.instrument.runtime.importer import torch_is_dyncore
from dyncore.errors import torch_names

_SCRIPT = """
import torch
print(type(torch.ones(1)), type(torch.nn.Linear(1, 1)), torch.optim.Adam, torch.distributions.Normal)
print(torch.typename(torch.nn.ReLU()), torch.utils.data.TensorDataset, type(torch.float32))
"""
_PRINTED = """\
<class 'torch.Tensor'> <class 'torch.nn.modules.linear.Linear'> <class 'torch.optim.adam.Adam'> \
<class 'torch.distributions.normal.Normal'>
torch.nn.modules.activation.ReLU <class 'torch.utils.data.dataset.TensorDataset'> <class 'torch.dtype'>
"""


@pytest.mark.whole
def test_script_prints_classes_as_pytorch_does() -> None:
    """Also classes of modules that are loaded after `import torch`."""
    command = [sys.executable, "-m", "dyncore", "-c", _SCRIPT]
    assert _PRINTED == subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_classes_are_restored_after_script() -> None:
    """A pickle of a layer names the engine's module again."""
    before = repr(torch.nn.Linear)
    with torch_is_dyncore():
        exec("import torch", {})
        assert repr(torch.nn.Linear) == "<class 'torch.nn.modules.linear.Linear'>"
        assert torch_names.home(torch.nn.Linear) == "dyncore.nn.linear"
        inside = pickle.dumps(torch.nn.ReLU())
    assert repr(torch.nn.Linear) == before
    assert b"dyncore.nn.activation" in pickle.dumps(torch.nn.ReLU())
    assert b"torch.nn.modules.activation" in inside


def test_renamed_layer_can_be_pickled() -> None:
    """Its class is found by PyTorch's path."""
    with torch_is_dyncore():
        exec("import torch", {})
        layer = torch.nn.Sequential(torch.nn.Linear(2, 1))
        copy = pickle.loads(pickle.dumps(layer))
    assert torch.equal(layer[0].weight, copy[0].weight)


def test_engine_has_pytorchs_name_while_it_is_torch() -> None:
    """Libraries compare `torch.__name__` with what they patch."""
    with torch_is_dyncore():
        names: dict[str, str] = {}
        exec("import torch; name = torch.__name__; from torch import nn", names)
        assert "torch" == names["name"] == torch.__name__
    assert "dyncore" == torch.__name__
