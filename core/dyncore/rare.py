"""Ops that few scripts use, whose modules are imported when one of them is first asked for.

Importing every op takes a third of the time of `import numpy`.  A rare op's function and method stand in their places
from the start as stubs that import its module and give way to it; `TABLE` finds a rare name in the same way.
`rare_names.py` is the list: `python -m tests.core.list_rare_ops` writes it, a test keeps it true.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from .rare_names import NAMES
from .registry import TABLE
from .tensor import Tensor

MODULE_OF = {entry.partition("/")[0]: module for module, text in NAMES.items() for entry in text.split()}
_loaded: set[str] = set()


def stubs() -> dict[str, Callable[..., Any]]:
    """The functions that stand for rare ones; sets the methods too."""
    functions: dict[str, Callable[..., Any]] = {}
    for module, text in NAMES.items():
        for entry in text.split():
            name, _, places = entry.partition("/")
            for place in places:
                public = f"{name}_" if place in "FM" else name
                stub = _stub(module, public, place in "fF")
                if place in "fF":
                    functions[public] = stub
                elif public not in Tensor.__dict__:
                    setattr(Tensor, public, stub)
    return functions


def _stub(module: str, name: str, function: bool) -> Callable[..., Any]:
    def stub(*args: Any, **kwargs: Any) -> Any:
        load(module)
        return getattr(sys.modules["dyncore"] if function else Tensor, name)(*args, **kwargs)

    stub.__name__ = stub.__qualname__ = name
    stub.waiting = module  # type: ignore[attr-defined]
    return stub


def load(module: str) -> None:
    """Imports an ops module and puts its functions and methods where their stubs are."""
    if module in _loaded:
        return
    from .bind import bind_ops

    _loaded.add(module)
    importlib.import_module(f"dyncore.ops.{module}")
    package = sys.modules["dyncore"]
    for name in [name for name in sys.modules if name.startswith("dyncore.ops.")]:
        sys.modules[name].__dict__["__dyncore__"] = True
    names = {entry.partition("/")[0] for entry in NAMES[module].split()}
    for name, function in bind_ops({name: TABLE[name] for name in names}).items():
        if hasattr(package.__dict__.get(name), "waiting"):
            package.__dict__[name] = function


def load_all() -> None:
    """Imports every rare op."""
    for module in NAMES:
        load(module)
