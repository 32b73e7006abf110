"""Public names of PyTorch, read from a list when an error mentions one."""

from __future__ import annotations

from functools import cache

from .lists import sections


def of_pytorch(module: str) -> frozenset[str]:
    """Return the public names of PyTorch's `module` ("torch.nn", "Tensor", ...); empty for one not in the list."""
    return _sections().get(module, frozenset())


@cache
def _sections() -> dict[str, frozenset[str]]:
    found = sections(__file__, "pytorch_names.txt")
    found["modules"] = [f"torch.{name}" for name in found["modules"]]  # written without what all begin with
    return {module: frozenset(names) for module, names in found.items()}
