"""Marks that say what a captured function may call.

A capture plays ops and decisions again, not the Python around them.  So a function of the engine carries one of:

- `REPLAYED`: user code may call it; the tape learns what it does, or it only reads what the guards compare.
- no mark: the engine may call it, user code may not.
- `REFUSED`: it reads values that the tape does not see; a function that reaches it cannot be captured.

A function is marked by `@capture_as(kind)`, a whole module or package by `__capture__ = "replayed"` among its names.
A function's mark counts before its module's, a module's before its package's; `dyncore` itself has none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any, Literal, TypeVar

Kind = Literal["replayed", "engine", "refused"]
REPLAYED: Kind = "replayed"
ENGINE: Kind = "engine"
REFUSED: Kind = "refused"

Function = TypeVar("Function", bound=Callable[..., Any])
_of_code: dict[CodeType, Kind] = {}


def capture_as(kind: Kind) -> Callable[[Function], Function]:
    """Mark a function, and all functions made of the same code."""

    def mark(function: Function) -> Function:
        _of_code[function.__code__] = kind
        return function

    return mark


def capture_kind(code: CodeType, module: str) -> Kind:
    """Return the mark of a function's code that stands in a module of the engine."""
    found = _of_code.get(code)
    while found is None and "." in module:
        found = getattr(sys.modules.get(module), "__capture__", None)
        module = module.rpartition(".")[0]
    return found or ENGINE
