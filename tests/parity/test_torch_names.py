"""The modules that classes show as PyTorch's are those that PyTorch has them in."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

import dyncore
from dyncore.errors import torch_names

torch = pytest.importorskip("torch")

_PACKAGES = (
    "", ".nn", ".nn.parameter", ".nn.utils.rnn", ".nn.utils.prune", ".nn.utils.parametrize", ".optim",
    ".optim.lr_scheduler", ".optim.swa_utils", ".utils.data", ".distributions", ".distributions.transforms",
    ".autograd", ".amp", ".utils.benchmark",
)  # fmt: skip


def _classes(package: str) -> list[tuple[str, Any, Any]]:
    theirs, ours = import_module(f"torch{package}"), import_module(f"dyncore{package}")
    pairs = [(name, getattr(theirs, name), getattr(ours, name, None)) for name in dir(theirs) if name[0] != "_"]
    return [
        (name, real, own)
        for name, real, own in pairs
        if isinstance(real, type) and isinstance(own, type) and real.__name__ == own.__name__
        if real.__module__.startswith("torch") and own.__module__.startswith("dyncore")
    ]


@pytest.mark.parametrize("package", _PACKAGES)
def test_class_shows_module_of_pytorch(package: str) -> None:
    """Every public class that both have."""
    found = _classes(package)
    torch_names.rename_classes()
    try:
        shown = {name: own.__module__ for name, _, own in found}
    finally:
        torch_names.restore_classes()
    assert found and shown == {name: real.__module__ for name, real, _ in found}
    assert dyncore.Tensor.__module__ == "dyncore"
