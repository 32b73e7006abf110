"""`import torch.x.y` under PyTorch's names: files that are one here, and the error for those that are not here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dyncore.errors import torch_names
from dyncore.errors.explain import missing_name

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


# Public module paths whose files lie in a package: `dyncore.linalg` is `compat/linalg.py`.
HOMES = {
    **dict.fromkeys((
        "control_flow", "fft", "foreach", "futures", "linalg", "masked", "multiprocessing", "native", "process",
        "recurrence", "return_types", "segments", "signal", "sparse", "special", "testing", "types",
        "utils",
    ), "compat"),
    "func": "autograd", "legacy": "creation", "random": "creation", "serialization": "creation", "storage": "creation",
}  # fmt: skip

FUNCTORCH = "dyncore.compat.functorch"  # comes with PyTorch

# Modules that pickles of earlier versions name, and where what they want of them is now.
FORMER = {
    "compiled": "capture", "copies": "creation.copies", "exchange": "creation.interop", "generator": "rng.generator",
    "parameter": "tensors.parameter", "printing": "dispatch.results",
}  # fmt: skip


class _File(ModuleType):
    """A file that PyTorch has and this package has not: its names are those of another module."""

    def __init__(self, name: str, source: ModuleType) -> None:
        super().__init__(name, f"`torch{name.removeprefix('dyncore')}`.")
        self.__dict__.update(_source=source, __path__=[])  # a file or a folder

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        source = self.__dict__["_source"]
        try:
            return getattr(source, name)
        except AttributeError:
            raise missing_name("torch" + self.__name__.removeprefix("dyncore"), name, source) from None


def files(package: str, names: Sequence[str], source: ModuleType | None = None) -> None:
    """Make files of `package`, such as `torch.optim.adamw`, whose names are those of `source`, else the package's."""
    source = source or sys.modules[package]
    for name in names:
        also(package, name, _File(f"{package}.{name}", source))


def also(package: str, name: str, module: Any) -> None:
    """Let `module` be imported as `package.name`, too; an attribute of that name stays what it is."""
    sys.modules.setdefault(f"{package}.{name}", module)
    sys.modules[package].__dict__.setdefault(name, module)


class Finder:
    """The finder that is asked last: modules of PyTorch's without a file here are made by `compat.stubs`."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return how to make the stub of a module that PyTorch has, None for others."""
        if not name.startswith("dyncore."):
            return None
        title = "torch" + name.removeprefix("dyncore")
        stubs = import_module("dyncore.compat.stubs")
        if not stubs.is_stub(title) or _is_file(name):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, _Same(stubs.Stub(title)), is_package=True)  # type: ignore[arg-type]


class Alias:
    """The finder that is asked first: public paths of modules that lie in another package, and other names of this one.

    After `sys.modules["torch"] = dyncore` a module imported as `torch.x` is `dyncore.x`, not a second one.
    """

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return how to import a module of this package under its public name, or under another name of the package."""
        head, _, rest = name.partition(".")
        if not rest:
            return _spec_of(name, FUNCTORCH) if name == "functorch" and _is_torch() else None
        if head == "dyncore":
            return _own_spec(name, rest, path) or (_renamed_spec(name, path) if torch_names.is_renaming() else None)
        if sys.modules.get(head) is not sys.modules["dyncore"]:
            return None
        try:
            return _spec_of(name, f"dyncore.{rest}")
        except ModuleNotFoundError as error:
            raise _renamed(error, head) from None


def _is_torch() -> bool:
    return sys.modules.get("torch") is sys.modules["dyncore"]


def _renamed(error: ModuleNotFoundError, head: str) -> ModuleNotFoundError:
    """Return the error for a missing module of this package, under the package name `head` that the script used."""
    package, _, rest = (error.name or "").partition(".")
    if package != "dyncore":
        return error
    renamed = ModuleNotFoundError(f"No module named '{head}.{rest}'", name=f"{head}.{rest}")
    for note in getattr(error, "__notes__", ()):
        renamed.add_note(note)
    return renamed


def _own_spec(name: str, rest: str, path: Any) -> ModuleSpec | None:
    if rest in FORMER:
        return _spec_of(name, f"dyncore.{FORMER[rest]}")
    first, _, inner = rest.partition(".")
    if (home := HOMES.get(first)) is not None:
        real = f"dyncore.{home}.{rest}"
        parent = real.rpartition(".")[0]
        if real not in sys.modules and parent not in sys.modules:
            if not _is_file(parent):
                return None
            import_module(parent)
        return _spec_of(name, real) if real in sys.modules or _is_file(real) else None
    public = inner.partition(".")[0]
    if HOMES.get(public) != first:
        return None
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(name, path)
    if spec is not None:
        spec.loader = _Public(name, str(spec.origin), f"dyncore.{inner}")
    return spec


def _spec_of(name: str, real: str) -> ModuleSpec:
    from importlib.machinery import ModuleSpec

    loader: Any = _Same(import_module(real))
    return ModuleSpec(name, loader)


def _renamed_spec(name: str, path: Any) -> ModuleSpec | None:
    """Return how to import a file of this package whose classes are to have PyTorch's modules."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(name, path)
    if spec is not None and type(spec.loader) is SourceFileLoader:
        spec.loader = _Renaming(name, str(spec.origin))
    return spec


class _Renaming(SourceFileLoader):
    """A loader of a file whose classes get PyTorch's modules."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        torch_names.rename_module(module, module.__name__)


class _Public(SourceFileLoader):
    """A loader of a module that is called by its public path: its classes and errors show that one."""

    def __init__(self, name: str, path: str, public: str) -> None:
        super().__init__(name, path)
        self._public = public

    def exec_module(self, module: ModuleType) -> None:
        executed = sys.modules.get(self._public)
        if (
            executed is not None and executed is not module
        ):  # by the import of the public path, which found it meanwhile
            sys.modules[self.name] = executed
            return
        code = self.get_code(self.name)
        module.__name__ = self._public
        sys.modules[self._public] = module
        try:
            exec(code, module.__dict__)  # type: ignore[arg-type]
        except BaseException:
            sys.modules.pop(self._public, None)
            raise
        if torch_names.is_renaming():
            torch_names.rename_module(module, self._public)


class _Same:
    """A loader of a module that is already there: it takes the place of the new one that Python makes for it."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> None:
        pass

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = self._module


def _is_file(name: str) -> bool:
    """Return whether there is a file for the module, which somebody looks for in an unusual place."""
    from importlib.machinery import PathFinder

    parent = sys.modules.get(name.rpartition(".")[0])
    return parent is not None and PathFinder.find_spec(name, getattr(parent, "__path__", None)) is not None


def install() -> None:
    """Put the finders before and after all others, once."""
    if not any(getattr(each, "__module__", "") == __name__ for each in sys.meta_path):
        sys.meta_path.insert(0, Alias)
        sys.meta_path.append(Finder)
