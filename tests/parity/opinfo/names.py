"""The dyncore counterpart of what an OpInfo calls."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

import dyncore

MISSING = "not there"
# Not set to anything: only shapes and dtypes can be compared. Random numbers are PyTorch's for the same seed.
UNSET = {"empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided", "empty_permuted"}
# Defined for Hermitian matrices alone: tangents of theirs are.
# Read only one triangle of a matrix: so are tangents of theirs; by what `upper` is unless it is given.
TRIANGULAR = {"triangular_solve": True}
HERMITIAN = {"linalg.cholesky", "linalg.cholesky_ex", "linalg.eigh", "linalg.eigvalsh", "cholesky"}

# PyTorch's own values are off by this factor more than the tolerance (against SciPy and mpmath).
INEXACT = {"special.bessel_j0": 100.0, "special.bessel_y1": 100.0, "logcumsumexp": 500.0}
# Of sparse tensors, whose functions here take dense ones.
SPARSE = {"sparse.mm"}
# Under the name a script has for it.
OTHERWISE = {
    "_segment_reduce": "segment_reduce",
    "max_pool2d_with_indices_backward": "ops.aten.max_pool2d_with_indices_backward",
}
# Drawn anew by the in-place form and with `out=`, where the two engines' seeds part.
REDRAWN = {
    *("bernoulli", "multinomial", "normal", "randn", "nn.functional.dropout", "nn.functional.dropout2d"),
    *("nn.functional.dropout3d", "nn.functional.alpha_dropout", "nn.functional.feature_alpha_dropout"),
    *("nn.functional.rrelu",),
}
# Which of equal elements is meant is left open: places are not compared where there are equal ones.
TIES = {"topk", "kthvalue", "mode", "sort", "argsort", "msort"}


def entries() -> list[Any]:
    """PyTorch's OpInfo database, without two habits that take more time than all else.

    Its samples ask which `unittest` test runs them, through `inspect.stack()`, and none does; and each sets a seed,
    which PyTorch keeps with the caller's stack for three kinds of device that are not there.
    """
    from torch.testing._internal import common_utils
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.opinfo import core

    common_utils.extract_test_fn = core.extract_test_fn = lambda: None
    common_utils.set_rng_seed = seed_all
    return list(op_db)


def seed_all(seed: int = 1234) -> None:
    """Start the generators that samples draw from."""
    import torch

    torch.default_generator.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)


def title(info: Any) -> str:
    """`name` or `name.variant`, as the command prints it."""
    return f"{info.name}:{info.variant_test_name}" if info.variant_test_name else info.name


def chosen(names: list[str], family: str | None, tier: str | None) -> Iterator[Any]:
    """The entries with one of these names (`diff`, `linalg.*`), of a family (part of its name) and a tier."""
    from fnmatch import fnmatch

    about = families() if family or tier else {}
    for info in entries():
        known = about.get(info.name, {})
        if names and not any(fnmatch(info.name, name) or fnmatch(title(info), name) for name in names):
            continue
        if family and family not in known.get("family", ""):
            continue
        if tier and str(known.get("tier", "X")) not in tier.split(","):
            continue
        yield info


def families() -> dict[str, dict[str, Any]]:
    """Tier and family by OpInfo name, from `ops.json` beside this file."""
    listed = json.loads(Path(os.path.dirname(__file__), "ops.json").read_text(encoding="utf-8"))
    return {each["name"]: each for each in listed}


def counterpart(info: Any) -> Callable[..., Any] | None:
    """The dyncore function for `info.op`, or None when there is none."""
    function = info.op
    if isinstance(function, FunctionType) and function.__module__.startswith("torch.testing"):
        return transplant(function)
    return find(info.name)


def inplace(function: Any) -> Any:
    """The dyncore counterpart of an in-place form, which may be a function of PyTorch's tests."""
    if isinstance(function, FunctionType) and function.__module__.startswith("torch.testing"):
        return transplant(function)
    return method(function.__name__)


def find(name: str) -> Any:
    """`dyncore.a.b` or the method `Tensor.b`, or None."""
    if name in SPARSE:
        return None
    name = OTHERWISE.get(name, name.removeprefix("torch.").removesuffix(".default"))
    found: Any = dyncore
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except (AttributeError, ImportError):
            return method(name)
    return found if callable(found) else method(name)


def method(name: str) -> Any:
    """`Tensor.name`, a property as a function, or None."""
    found = getattr(dyncore.Tensor, name, None)
    return found if callable(found) else None


def transplant(function: Any) -> Any:
    """A Python function of PyTorch's tests with `torch` standing for dyncore."""
    import torch

    names = dict(function.__globals__)
    for key, value in names.items():
        if value is torch:
            names[key] = dyncore
        elif value is torch.nn.functional:
            names[key] = find("nn.functional") or getattr(getattr(dyncore, "nn", None), "functional", None)
    closure = function.__closure__
    if closure:
        closure = tuple(_cell(cell.cell_contents) for cell in closure)
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _cell(value: Any) -> Any:
    from types import CellType

    if isinstance(value, FunctionType) and value.__module__.startswith("torch.testing"):
        value = transplant(value)
    return CellType(value)
