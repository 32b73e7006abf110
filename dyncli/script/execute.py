"""Execution of a script's module, with the recursion limit and the garbage collector it would have alone.

It is in `sys.modules`, with its own folder first on `sys.path` and its own `sys.argv`.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Protocol

#: The first threshold in a process of the command line.
COLLECTED_AFTER = 100_000
_is_frozen = False


def collect_less() -> None:
    """Collect less often: a recorded graph is live data."""
    gc.set_threshold(COLLECTED_AFTER, 20, 50)


def freeze_imported() -> None:
    """Freeze all live objects, once per process of the command line.

    Called before the script runs, so that objects the script leaves are still finalized at exit, and the collections
    at exit skip everything that was imported.
    """
    global _is_frozen
    if gc.get_threshold()[0] == COLLECTED_AFTER and not _is_frozen:
        _is_frozen = True
        gc.freeze()


@contextmanager
def uncollected() -> Iterator[None]:
    """Disable garbage collection while objects are made that all stay alive."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def silenced() -> Iterator[None]:
    """Discard what is printed while the context lasts, whatever encoding files have here."""
    with (
        open(os.devnull, "w", encoding="utf-8", errors="replace") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        yield


#: The frames between `counted` and the code whose depth is looked for: its own, and that of `contextlib`.
_OURS = 2


class Recursion:
    """Limit of one script, from its loading to its run; None until it is known."""

    def __init__(self) -> None:
        self.limit: int | None = None

    @contextmanager
    def counted(self, depth: int) -> Iterator[None]:
        """Run the block at `depth` of the script's own frames: 1 for its module."""
        real_get, real_set = sys.getrecursionlimit, sys.setrecursionlimit
        if hasattr(real_set, "below"):  # a script that runs another one
            yield
            return
        below = _depth(real_set) - _OURS + 1 - depth + 1 + _counted_by_builtins(real_set)
        before = real_get()
        real_set((before if self.limit is None else self.limit) + below)
        get, put = _shifted(real_get, real_set, below)
        sys.getrecursionlimit, sys.setrecursionlimit = get, put
        try:
            yield
        finally:
            self.limit = get()
            sys.getrecursionlimit, sys.setrecursionlimit = real_get, real_set
            real_set(before)


def _depth(real_set: Callable[[int], None]) -> int:
    """Return the depth of the caller, as Python counts.

    On Python 3.11 some calls of builtins count, too.
    """
    try:
        real_set(1)
    except RecursionError as error:  # it says at what depth one is too low
        return int(str(error).partition("at the recursion depth ")[2].partition(":")[0]) - 1
    return 1


def _counted_by_builtins(real_set: Callable[[int], None]) -> int:
    """Return 1 where the call of a builtin counts as one of Python's: what a probe calls counts then besides it."""
    return next(map(_depth, [real_set])) - _depth(real_set)


def _shifted(
    real_get: Callable[[], int], real_set: Callable[[int], None], below: int
) -> tuple[Callable[[], int], Callable[[int], None]]:
    """Return Python's two functions for a script above `below` frames."""

    def getrecursionlimit() -> int:
        return real_get() - below

    def setrecursionlimit(limit: int, /) -> None:
        try:
            real_set(limit + below if type(limit) is int and limit > 0 else limit)
        except OverflowError:
            real_set(limit)

    for function in (getrecursionlimit, setrecursionlimit):
        real = real_get if function is getrecursionlimit else real_set
        function.__doc__, function.__qualname__, function.__module__ = real.__doc__, real.__name__, real.__module__
    setrecursionlimit.below = below  # type: ignore[attr-defined]
    return getrecursionlimit, setrecursionlimit


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
