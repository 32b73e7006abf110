"""Python's debugger in a script, by `breakpoint()`, `pdb.set_trace()` or otherwise: to it the recorder is not there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


@contextmanager
def hidden_recorder() -> Iterator[None]:
    """Hide the recorder from users of `pdb`, without importing it."""
    hiding = _Hiding()
    if "pdb" in sys.modules:
        hiding.hide(sys.modules["pdb"])
    sys.meta_path.insert(0, hiding)
    try:
        yield
    finally:
        sys.meta_path.remove(hiding)
        hiding.show()


class _Hiding:
    """Finds `pdb` when it is first imported, and gives it a debugger that leaves out the recorder."""

    def __init__(self) -> None:
        self.before: list[tuple[ModuleType, Any]] = []

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return a spec of `pdb` that hides dyncli's frames from it; None for all other modules."""
        if name != "pdb":
            return None
        for finder in sys.meta_path:
            spec = None if isinstance(finder, _Hiding) else finder.find_spec(name, path, target)
            if spec is not None:
                break
        else:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            self.hide(module)

        loader.exec_module = exec_module
        return spec

    def hide(self, module: ModuleType) -> None:
        """Give `pdb` the other debugger, unless it is none of Python's."""
        from dyncli.recorder.debug.script_pdb import ScriptPdb

        before = module.__dict__.get("Pdb")
        if before is ScriptPdb.__base__:
            self.before.append((module, before))
            module.__dict__["Pdb"] = ScriptPdb

    def show(self) -> None:
        """Give `pdb` back its own."""
        for module, before in self.before:
            module.__dict__["Pdb"] = before
