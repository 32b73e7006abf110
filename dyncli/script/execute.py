"""Execution of a script's module.

It is in `sys.modules`, with its own folder first on `sys.path` and its own `sys.argv`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Protocol

from dyncli.script.collection import freeze_imported
from dyncli.script.depth import Recursion


class Execute(Protocol):
    """Runs the file `path` as the module `name` and returns it; `display` is the name the file is shown by.

    What the script raises goes through as it is.
    """

    def __call__(self, path: Path, display: str, name: str) -> ModuleType: ...


def execute_plain(path: Path, display: str, name: str) -> ModuleType:
    """Run a script without probes and return its module."""
    code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    with as_script(path, name) as module:
        run_code(code, module, Recursion())
    return module


def run_code(code: CodeType, module: ModuleType, recursion: Recursion) -> None:
    """Run a module's code in it."""
    with recursion.counted(1):
        exec(code, module.__dict__)


@contextmanager
def as_script(path: Path, name: str) -> Iterator[ModuleType]:
    """Provide a new module for a script in a context.

    `sys.modules`, `sys.path` and `sys.argv` are as a script expects them.
    Afterwards `sys.argv` and `__main__` are as before.  The module and the folder stay, because a function that runs
    later may import a neighbour or pickle one of its classes; the folder stands last then, so that no `random.py` in
    it is taken for the library's when the run is shown.
    """
    freeze_imported()
    module = ModuleType(name)
    module.__file__ = str(path)
    if name == "__main__":  # as Python makes it
        module.__dict__.update(__annotations__={}, __cached__=None, __loader__=SourceFileLoader(name, str(path)))
    else:
        module.__spec__ = ModuleSpec(name, None, origin=str(path))
    folder = str(path.parent)
    argv, main = sys.argv, sys.modules.get("__main__")
    sys.argv = [str(path)]
    sys.modules[name] = module
    sys.path.insert(0, folder)
    try:
        yield module
    finally:
        sys.argv = argv
        if folder in sys.path:  # scripts change it
            sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)
        if name == "__main__" and main is not None:
            sys.modules["__main__"] = main
