"""`torch.jit` by name: everything runs eagerly, so what PyTorch would compile is handed back as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .explain import missing_in

__dyncore__ = True

__all__ = ["export", "ignore", "is_scripting", "is_tracing", "script", "script_if_tracing", "trace", "unused"]

__getattr__ = missing_in(__name__)


def script(obj: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`obj`, a function or module, as it is."""
    return obj


def trace(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`func` as it is: no branch of it is fixed."""
    return func


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """The function as it is, also as `ignore(drop=True)`."""
    return drop if callable(drop) else lambda function: function


export = unused = script_if_tracing = script


def is_scripting() -> bool:
    """False."""
    return False


def is_tracing() -> bool:
    """False."""
    return False
