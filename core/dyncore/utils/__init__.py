"""Around training: checkpointing, data loading."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """Submodules, imported when first asked for."""
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"module 'torch.utils' has no attribute '{name}'") from None
