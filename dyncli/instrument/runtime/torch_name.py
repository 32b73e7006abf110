"""The name `torch` while a script runs: it is dyncore, whatever else this process has imported under it.

    with torch_is_dyncore():
        exec(script)  # its `import torch.nn as nn` is `dyncore.nn`

Afterwards `sys.modules` holds again what it held: PyTorch, where the process imported it, and the libraries on top.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

ENGINE = "dyncore"
_FOUND = {"torch": ENGINE, "functorch": f"{ENGINE}.compat.functorch"}
_NAMES = "dyncore.errors.torch_names"  # of the classes that scripts print
_OURS = ("dyncli", ENGINE)
#: Modules below `torch` and libraries on top of it that scripts have imported; the next script finds them again.
_libraries: dict[str, ModuleType] = {}
#: The process's own modules that were looked at, and the packages among them that are on top of PyTorch.
_looked_at: dict[str, ModuleType] = {}
_on_pytorch = {"torch"}


class Finder:
    """Finds the engine for `import torch` and `functorch`; the engine's own finder finds modules (`torch.nn`)."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Return a spec for `torch` and `functorch`, and None for all other modules."""
        return ModuleSpec(name, _Engine()) if name in _FOUND else None  # type: ignore[arg-type]


class _Engine:
    """A loader that puts the engine in the place of the new module."""

    def create_module(self, spec: ModuleSpec) -> None:
        pass

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(_FOUND[module.__name__])
        import_module(_NAMES).rename_classes()
        folder = _for_children()
        if folder not in sys.path:
            sys.path.insert(1, folder)  # after the script's own


def is_engine(name: str) -> bool:
    """Return whether a script's import of this name leads to the engine or this tool, under whatever name."""
    head = _head(name)
    return head == "torch" or getattr(sys.modules.get(head), "__name__", head) in ("torch", *_OURS)


@contextmanager
def torch_is_dyncore() -> Iterator[None]:
    """Let `torch` be the engine while the context is open; do nothing where it already is."""
    real = sys.modules.get("torch")
    if Finder in sys.meta_path or (real is not None and real is sys.modules.get(ENGINE)):
        yield
        return
    others = {} if real is None else _pytorchs()
    for name in others:
        del sys.modules[name]
    before = set(sys.modules)
    sys.modules.update(_libraries)
    sys.meta_path.insert(0, Finder)
    try:
        yield
    finally:
        sys.meta_path.remove(Finder)
        if (names := sys.modules.get(_NAMES)) is not None:
            names.restore_classes()
        if _libraries or "torch" in sys.modules:
            if (folder := _for_children()) in sys.path:
                sys.path.remove(folder)
            new = sys.modules.keys() - before
            users = _users(ENGINE, new)
            # All of `torch` is new; a library may have modules that were there before.
            _libraries.update(_below({"torch"} | users, sys.modules if users - {"torch"} else new))
            _libraries.pop("torch", None)  # each script imports it anew
            for name in ("torch", *_libraries):
                sys.modules.pop(name, None)
        sys.modules.update(others)


def _for_children() -> str:
    """Return the folder of the engine with a `torch` that is the engine, for processes that the script spawns."""
    return str(Path(str(import_module(ENGINE).__file__)).parent / "compat" / "spawned")


def _pytorchs() -> dict[str, ModuleType]:
    """Return the modules of PyTorch and of libraries on top of it; looking at a module again would cost 20 us."""
    new = [name for name, module in sys.modules.items() if _looked_at.get(name) is not module]
    _on_pytorch.update(_users("torch", new))
    _looked_at.update((name, sys.modules[name]) for name in new if _is_library(sys.modules[name]))
    return _below(_on_pytorch, sys.modules)


def _users(package: str, names: Iterable[str]) -> set[str]:
    """Return the packages of those modules among `names` that use `package`.

    The script, its neighbours and this tool are none.
    """
    modules = ((name, sys.modules.get(name)) for name in names)
    return {_head(name) for name, module in modules if _is_library(module) and _uses(module, package)} - {*_OURS}


def _below(packages: set[str], names: Iterable[str]) -> dict[str, ModuleType]:
    return {name: sys.modules[name] for name in names if _head(name) in packages}


def _is_library(module: Any) -> bool:
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    return loader is not None and _head(type(loader).__module__) != "dyncli"


def _uses(module: Any, package: str) -> bool:
    """Return whether a variable of the module is the package, or a module, class or function of it."""
    for value in list(vars(module).values()):
        kind = type(value)  # `isinstance` asks the value for `__class__`, which some of PyTorch answer with a warning
        if issubclass(kind, ModuleType):
            name = value.__name__
        elif issubclass(kind, (type, FunctionType, BuiltinFunctionType)):
            name = value.__module__
        else:
            continue
        if type(name) is str and _head(name) == package:
            return True
    return False


def _head(name: str) -> str:
    return name.partition(".")[0]
