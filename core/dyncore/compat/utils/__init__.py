"""Around training: checkpointing, data loading."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """Submodules, imported when first asked for."""
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        from dyncore.errors.explain import missing_in

        return missing_in(__name__)(name)


def __dir__() -> list[str]:
    import pkgutil

    return sorted({*globals(), *(module.name for module in pkgutil.iter_modules(__path__))})
