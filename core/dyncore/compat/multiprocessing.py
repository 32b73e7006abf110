"""`torch.multiprocessing` where everything runs in one process: switches are taken, processes are refused."""

from __future__ import annotations

import os
from typing import Any

from dyncore.errors.explain import missing_name

__dyncore__ = True
__path__: list[str] = []

__all__ = [
    "cpu_count", "freeze_support", "get_all_sharing_strategies", "get_sharing_strategy", "get_start_method",
    "set_sharing_strategy", "set_start_method",
]  # fmt: skip

_HINT = "hint: dyncore shares no tensors between processes; call the function here, or use Python's `multiprocessing`"
_chosen = {"sharing": "file_descriptor", "start": "fork"}


def set_sharing_strategy(new_strategy: str) -> None:
    """Remembers it."""
    if new_strategy not in get_all_sharing_strategies():
        raise AssertionError(f"invalid strategy: {new_strategy}")
    _chosen["sharing"] = new_strategy


def get_sharing_strategy() -> str:
    """What was set."""
    return _chosen["sharing"]


def get_all_sharing_strategies() -> set[str]:
    """PyTorch's names of them."""
    return {"file_descriptor", "file_system"}


def set_start_method(method: str | None, force: bool = False) -> None:
    """Remembers it."""
    _chosen["start"] = method or "fork"


def get_start_method(allow_none: bool = False) -> str:
    """What was set."""
    return _chosen["start"]


def cpu_count() -> int:
    """How many processors there are."""
    return os.cpu_count() or 1


def freeze_support() -> None:
    """Nothing."""


def __getattr__(name: str) -> Any:
    import sys

    error = missing_name("torch.multiprocessing", name, sys.modules[__name__])
    if not name.startswith("_"):
        error.add_note(_HINT)
    raise error
