"""Give the engine its name in PyTorch, and its classes the modules they have there, while `torch` is the engine.

A script that prints `type(x)` shows `<class 'torch.Tensor'>` then, as it does under PyTorch.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from .lists import lines_of

_rows: dict[str, list[tuple[str, list[str]]]] = {}
_former: dict[type, str] = {}
_given: list[ModuleType] = []  # modules that have no `torch` of their own


def is_renaming() -> bool:
    """Return whether classes have PyTorch's modules."""
    return bool(_former)


def home(named: Any) -> Any:
    """Return the `__module__` of a class or function, and of a renamed class the one it has in the engine."""
    return (_former.get(named) if isinstance(named, type) else None) or getattr(named, "__module__", None)


def rename_classes() -> None:
    """Rename the engine, and the classes of its modules that are loaded; `rename_module` renames later ones."""
    sys.modules["dyncore"].__name__ = "torch"
    if not _rows:
        for row in lines_of(__file__, "torch_names.txt"):
            name, title, *names = row.split()
            _rows.setdefault(name, []).append((title, names))
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "dyncore":
            rename_module(module, name)


def rename_module(module: ModuleType, name: str) -> None:
    """Rename the classes of a module of the engine, and let it have PyTorch, as PyTorch's files do: `sparse.torch`."""
    own = vars(module)
    if "torch" not in own:
        own["torch"] = sys.modules["dyncore"]
        _given.append(module)
    for title, names in _rows.get(name, ()):
        for each in names or own:
            kind = own[each]
            if isinstance(kind, type) and kind not in _former and (names or kind.__module__ == name):
                _former[kind] = kind.__module__
                kind.__module__ = title


def restore_classes() -> None:
    """Let the engine and its classes show the engine's names again."""
    sys.modules["dyncore"].__name__ = "dyncore"
    while _former:
        kind, name = _former.popitem()
        kind.__module__ = name
    while _given:
        del _given.pop().torch
