"""Ops that not every script uses, whose modules are imported when one of them is first asked for.

Importing every op takes a third of the time of `import numpy`.  Such an op's function is made when the package is first
asked for it, by `__getattr__`; its method stands in its place from the start as a stub that imports the module and
gives way to it; `TABLE` finds a rare name in the same way.
`lazy_names.txt` is the list: `python -m tests.tools.list_rare_ops` writes it, a test keeps it true.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from threading import RLock
from typing import Any

from dyncore.dispatch.operators import OPERATORS
from dyncore.dispatch.registry import TABLE, Op
from dyncore.errors.lists import sections
from dyncore.tensors.tensor import Tensor

__capture__ = "replayed"

NAMES = sections(__file__, "lazy_names.txt")  # entries of each ops module

_bind_ops: Callable[[dict[str, Op]], dict[str, Callable[..., Any]]]
_begun: set[str] = set()
_loaded: set[str] = set()
_lock = RLock()  # two threads may ask for ops of a module at once


def _listed() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return the modules of all ops by their names, of functions, and of methods, operators among these."""
    modules: dict[str, str] = {}
    functions: dict[str, str] = {}
    methods: dict[str, str] = {}
    for module, entries in NAMES.items():
        for entry in entries:
            name, _, places = entry.partition("/")
            modules[name] = module
            for place in places:
                (functions if place in "fF" else methods)[f"{name}_" if place in "FM" else name] = module
    methods.update({operator: methods[name] for operator, name in OPERATORS.items() if name in methods})
    return modules, functions, methods


MODULE_OF, FUNCTIONS, METHODS = _listed()


def set_stubs(bind_ops: Callable[[dict[str, Op]], dict[str, Callable[..., Any]]]) -> None:
    """Put stubs in the places of rare methods; `bind_ops` binds the ops of a module when one is asked for."""
    global _bind_ops
    _bind_ops = bind_ops
    for name, module in METHODS.items():
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
    """Import an ops module; put its functions into the package and its methods where their stubs are."""
    if module in _loaded:
        return
    with _lock:
        if module in _begun:
            return
        _begun.add(module)
        try:
            _load(module)
            _loaded.add(module)
        finally:
            _begun.discard(module)  # one that was interrupted, as by a limit of time, is begun again


def _load(module: str) -> None:
    importlib.import_module(f"dyncore.ops.{module}")
    package = sys.modules["dyncore"]
    names = {entry.partition("/")[0] for entry in NAMES[module]}
    for name, function in _bind_ops({name: TABLE[name] for name in names}).items():
        if name in FUNCTIONS:
            package.__dict__.setdefault(name, function)


def load_all() -> None:
    """Import every rare op."""
    for module in NAMES:
        load(module)


def load_op(name: str) -> None:
    """Import the module of the op `name`.  Raises KeyError where there is no such op."""
    if name not in MODULE_OF:
        raise KeyError(name)
    load(MODULE_OF[name])


TABLE.load = load_op  # type: ignore[method-assign]
