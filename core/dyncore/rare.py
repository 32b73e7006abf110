"""Ops that few scripts use, whose modules are imported when one of them is first asked for.

Importing every op takes a third of the time of `import numpy`.  A rare op's function is made when the package is first
asked for it, by `__getattr__`; its method stands in its place from the start as a stub that imports the module and
gives way to it; `TABLE` finds a rare name in the same way.
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


def _public(places: str) -> dict[str, str]:
    """The module of each name that has one of these places: f, F functions, m, M methods, capitals in place."""
    return {
        f"{name}_" if place in "FM" else name: module
        for module, text in NAMES.items()
        for name, _, found in (entry.partition("/") for entry in text.split())
        for place in found
        if place in places
    }


FUNCTIONS = _public("fF")


def set_stubs() -> None:
    """Puts stubs in the places of rare methods."""
    for name, module in _public("mM").items():
        if name not in Tensor.__dict__:
            setattr(Tensor, name, _stub(module, name))


def _stub(module: str, name: str) -> Callable[..., Any]:
    def stub(*args: Any, **kwargs: Any) -> Any:
        load(module)
        return getattr(Tensor, name)(*args, **kwargs)

    stub.__name__ = stub.__qualname__ = name
    stub.waiting = module  # type: ignore[attr-defined]
    return stub


def load(module: str) -> None:
    """Imports an ops module, and puts its functions into the package and its methods where their stubs are."""
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
        if name in FUNCTIONS:
            package.__dict__.setdefault(name, function)


def load_all() -> None:
    """Imports every rare op."""
    for module in NAMES:
        load(module)
