"""`torch.distributed` of a build without it: scripts that ask are told that there is one process."""

from __future__ import annotations

from typing import Any

__dyncore__ = True


def is_available() -> bool:
    """False."""
    return False


def is_initialized() -> bool:
    """False: there is no process group."""
    return False


def __getattr__(name: str) -> Any:
    error = AttributeError(f"module 'torch.distributed' has no attribute '{name}'")
    if not name.startswith("_"):
        error.add_note("hint: everything runs in one process here; ask `torch.distributed.is_available()` first")
    raise error
