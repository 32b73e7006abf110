"""What to say of an error that came up because a script mixes PyTorch's own tensors with dyncore's."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

NOTE = "note: the script imports PyTorch itself, whose tensors are others: write `import dyncore as torch`"


def notes(error: BaseException | None, names: Mapping[str, Any]) -> tuple[str, ...]:
    """The note on an error about types in a script that imported PyTorch; none for any other error.

    names: the variables of the script.
    """
    return (NOTE,) if isinstance(error, TypeError | AttributeError) and is_used(names) else ()


def is_used(names: Mapping[str, Any]) -> bool:
    """Whether one of the variables is PyTorch's: the package, a module of it, or an object of its classes."""
    packages = (value.__name__ if isinstance(value, ModuleType) else type(value).__module__ for value in names.values())
    return any(package.partition(".")[0] == "torch" for package in packages if package)
