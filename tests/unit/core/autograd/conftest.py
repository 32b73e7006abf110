"""Every test here runs on both engines where PyTorch is installed: what it asserts is what PyTorch does."""

import importlib.util
import warnings
from typing import Any

import pytest


@pytest.fixture(params=["dyncore", "torch"])
def torch(request: pytest.FixtureRequest) -> Any:
    """The engine under test, then PyTorch itself as the witness."""
    if importlib.util.find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = importlib.import_module(request.param)
        if request.param == "torch":
            module.set_num_threads(1)
            # Forward mode warns of PyTorch's own deprecated parts the first time it is used.
            importlib.import_module("torch._decomp.decompositions_for_jvp")
    return module
