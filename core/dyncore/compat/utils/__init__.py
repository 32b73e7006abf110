"""Around training: checkpointing, data loading."""

from __future__ import annotations

import importlib
from typing import Any

from dyncore.errors.explain import missing_in

_FILES = ("_pytree", "checkpoint", "data", "dlpack", "hooks")
_missing = missing_in(__name__)


def __getattr__(name: str) -> Any:
    """Return a submodule, imported when first asked for."""
    return importlib.import_module(f"{__name__}.{name}") if name in _FILES else _missing(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_FILES})
