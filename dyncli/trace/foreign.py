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
    if not isinstance(error, TypeError | AttributeError):
        return ()
    packages = (value.__name__ if isinstance(value, ModuleType) else type(value).__module__ for value in names.values())
    return (NOTE,) if any(package.partition(".")[0] == "torch" for package in packages if package) else ()
