"""`import functorch` is the engine's where `torch` is, and its models are functions of their parameters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dyncore as torch
from dyncore.compat import functorch

_SCRIPT = "import functorch, torch\nprint(functorch.grad(torch.sin)(torch.tensor(0.0)), functorch.vmap is torch.vmap)\n"


def _model() -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))


def test_functional_model_takes_parameters_and_buffers() -> None:
    """The model's own are not used, and a batch norm writes into the buffers that are given."""
    model, x = _model(), torch.randn(4, 3)
    function, params, buffers = functorch.make_functional_with_buffers(model)
    zeros = tuple(torch.zeros_like(each) for each in params)
    copies = tuple(each.clone() for each in buffers)
    assert torch.equal(function(zeros, copies, x), torch.zeros(4, 2))
    assert copies[2] == 1 and model[1].num_batches_tracked == 0
    assert all(each.requires_grad for each in params) and list(function.parameters()) == []


def test_functional_model_without_tracking_has_no_gradients() -> None:
    """As `disable_autograd_tracking` says."""
    _, params = functorch.make_functional(torch.nn.Linear(1, 1), disable_autograd_tracking=True)
    assert not any(each.requires_grad for each in params)


def test_model_with_buffers_is_refused() -> None:
    """PyTorch's sentence names the function that takes it."""
    with pytest.raises(RuntimeError, match="`model` has buffers. Please use make_functional_with_buffers"):
        functorch.make_functional(_model())


def test_ensemble_gives_each_model_its_own_result() -> None:
    """The stacked states under `vmap`."""
    models, x = [torch.nn.Linear(3, 2) for _ in range(3)], torch.randn(4, 3)
    function, params, buffers = functorch.combine_state_for_ensemble(models)
    result = functorch.vmap(function, in_dims=(0, 0, None))(params, buffers, x)
    assert torch.allclose(result, torch.stack([each(x) for each in models]))
    with pytest.raises(RuntimeError, match="same training/eval mode"):
        functorch.combine_state_for_ensemble([models[0], models[1].eval()])


@pytest.mark.parametrize("command", [["dyncore"], ["dyncli", "run"]])
def test_script_imports_functorch_before_torch(command: list[str], tmp_path: Path) -> None:
    """PyTorch, where it is installed, is not loaded."""
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", *command, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("tensor(1.) True\n")


def test_vmap_takes_the_first_dimension_by_its_negative_number() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert [3.0, 12.0] == torch.vmap(torch.sum, in_dims=-2)(x).tolist()
