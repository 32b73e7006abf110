"""What the examples in the engine's docstrings may use without importing it: `torch`, `nn`, and PyTorch's names."""

import builtins

import pytest


@pytest.fixture(autouse=True)
def names(request: pytest.FixtureRequest) -> None:
    """Puts the names beside the module's own, which stay as they are."""
    if not isinstance(request.node, pytest.DoctestItem):
        return
    import dyncore
    from dyncore import nn

    known = request.node.dtest.globs
    for name, value in {**vars(nn), **vars(dyncore), "torch": dyncore, "nn": nn}.items():
        if not name.startswith("_") and not hasattr(builtins, name):
            known.setdefault(name, value)
