"""The dimension that softmax works along when none is given."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore.nn import functional


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "softmin"])
@pytest.mark.parametrize(("shape", "dim"), [((), 0), ((4,), 0), ((2, 3), 1), ((2, 3, 4), 0), ((2, 3, 4, 5), 1)])
def test_softmax_without_dim_takes_pytorchs_choice(name: str, shape: tuple[int, ...], dim: int) -> None:
    """0 for none, one or three dimensions, else 1; with the warning that names the function."""
    x = dyncore.tensor(np.random.default_rng(1).normal(size=shape))
    function: Any = getattr(functional, name)
    with pytest.warns(UserWarning, match=re.escape(f"Implicit dimension choice for {name} has been deprecated.")):
        found = function(x)
    assert (function(x, dim=dim) == found).all().item()
    total = found.exp() if name == "log_softmax" else found
    np.testing.assert_allclose(total.sum(dim).numpy(), 1.0)


@pytest.mark.parametrize("name", ["Softmax", "LogSoftmax", "Softmin"])
def test_softmax_module_without_dim_takes_pytorchs_choice(name: str) -> None:
    """The modules choose as the functions do."""
    x = dyncore.tensor(np.random.default_rng(1).normal(size=(2, 3, 4)))
    with pytest.warns(UserWarning, match="Implicit dimension choice"):
        found = getattr(dyncore.nn, name)()(x)
    assert (getattr(dyncore.nn, name)(dim=0)(x) == found).all().item()
