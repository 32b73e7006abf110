"""Public names of PyTorch, read from a list when an error mentions one."""

from __future__ import annotations

from functools import cache
from pathlib import Path


def of_pytorch(module: str) -> frozenset[str]:
    """Return the public names of PyTorch's `module` ("torch.nn", "Tensor", ...); empty for one not in the list."""
    return _sections().get(module, frozenset())


@cache
def _sections() -> dict[str, frozenset[str]]:
    sections: dict[str, set[str]] = {}
    names: set[str] = set()
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            names = sections.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            names.update(line.split())
    sections["modules"] = {f"torch.{name}" for name in sections["modules"]}  # written without what all begin with
    return {module: frozenset(found) for module, found in sections.items()}
