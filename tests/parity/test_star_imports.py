"""`from torch.x import *` binds what it binds with PyTorch, as far as it is here."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("torch")


def bound(module: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(f"from {module} import *", names)
    return names


@pytest.mark.parametrize(
    "name",
    ["", "nn", "nn.functional", "nn.modules", "nn.modules.conv", "special", "fft", "distributions.constraints",
     "distributions.kl", "distributions.utils", "optim"],
)  # fmt: skip
def test_star_import_binds_functions_and_classes_of_pytorch(name: str) -> None:
    module = f".{name}".rstrip(".")
    engine = import_module(f"dyncore{module}")
    theirs, ours = bound(f"torch{module}"), bound(f"dyncore{module}")
    own = {each for each, value in theirs.items() if callable(value) and str(value.__module__).startswith("torch")}
    here = {each for each in own if not isinstance(getattr(engine, each, ModuleType("")), ModuleType)}
    assert here and not here - ours.keys() - _REFUSED
    assert not {"slice", "np", "Any", "annotations"} & ours.keys()


# Names that are here so that an import of them does not fail, and raise where they are used.
_REFUSED = {"Future"}
