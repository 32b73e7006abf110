"""`torch.linalg`: norms, solutions and decompositions of matrices, by PyTorch's names."""

from __future__ import annotations

from typing import Any

from dyncore.binding.namespaces import names_in, op_named
from dyncore.errors.notes import LinAlgError

__capture__ = "replayed"

__all__ = ["LinAlgError"]

_OTHER = {"matmul": "matmul"}


def __getattr__(name: str) -> Any:
    found = op_named("linalg", name, _OTHER)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, *names_in("linalg", _OTHER)]
