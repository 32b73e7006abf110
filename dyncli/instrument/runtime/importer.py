"""Scripts with probes in them: the script itself, and every module it imports from its own folder.

    importer = Importer()
    loaded = script.load(model, execute=importer.execute)
    with importer.recording(log):
        loaded.function(...)

No `.pyc` is written or read, and modules from elsewhere are imported as ever.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, ClassVar

from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.operands import Reader
from dyncli.instrument.runtime.torch_name import is_engine, torch_is_dyncore
from dyncli.instrument.transform import Program, instrument
from dyncli.script.execute import Recursion, as_script, run_code
from dyncli.script.paths import display as shown
from dyncli.version import __version__

#: What stands for the script's own name in site ids.
SCRIPT = "<script>"
#: What may be imported to show a run, after the script imported neighbours of these names.
_NEEDED = {*sys.stdlib_module_names, "rich", "graphviz"}
_INSTALLED = ("site-packages", "dist-packages")


class Importer:
    """Executes one script, and finds its neighbours for it; `program` grows with each file.

    argv: the script's `sys.argv`, its path alone if empty.  imports_torch: whether `torch` was imported, as dyncore.
    """

    def __init__(self, argv: Sequence[str] = ()) -> None:
        self.argv = list(argv)
        self.imports_torch = False
        self.program = Program()
        self.folder: Path | None = None
        self.script: str | None = None
        self.names: dict[str, str] = {}
        self.builtins = probes.script_builtins()
        self.recursion = Recursion()
        self._prepared: dict[Path, CodeType] = {}

    def prepare(self, path: Path, display: str) -> None:
        """Instrument the script at `path` without running it, so that its sites are known."""
        self.folder, self.script = path.parent, str(path)
        self.names[str(path)] = display
        self._prepared[path] = self.code(path.read_bytes(), str(path))

    def execute(self, path: Path, display: str, name: str) -> ModuleType:
        """Run the script at `path` with probes and return its module."""
        if path not in self._prepared:
            self.prepare(path, display)
        forget_modules()
        code = self._prepared[path]
        self.argv = self.argv or [str(path)]
        with as_script(path, name) as module, self.finding():
            self.equip(module)
            run_code(code, module, self.recursion)
        return module

    @contextmanager
    def recording(
        self,
        log: probes.Log,
        readers: Mapping[type, Reader] | None = None,
        change: Callable[[probes.Probes], probes.Probes] | None = None,
        lazies: probes.Lazies | None = None,
    ) -> Iterator[probes.Log]:
        """Record the script to `log`, with imports from its folder while the context lasts (see `probes.recording`)."""
        with self.finding(), probes.recording(log, readers, change, lazies):
            yield log

    @contextmanager
    def finding(self) -> Iterator[None]:
        """Put this finder first, and install the script's `builtins` and `sys.argv`.

        `torch` is dyncore meanwhile.
        """
        with torch_is_dyncore():
            sys.meta_path.insert(0, self)
            before, argv = sys.modules["builtins"], sys.argv
            sys.modules["builtins"], sys.argv = self.builtins, self.argv or argv
            if self.imports_torch:
                importlib.import_module("torch")
            try:
                yield
            finally:
                self.imports_torch = "torch" in sys.modules
                sys.modules["builtins"], sys.argv = before, argv
                sys.meta_path.remove(self)
                forget_modules(_NEEDED)

    def equip(self, module: ModuleType) -> None:
        """Give a module of the script its builtins: the recorder and the engine keep Python's own.

        Python gives `__main__` the module, and all others what it holds.
        """
        is_main = module.__name__ == "__main__"
        module.__dict__["__builtins__"] = self.builtins if is_main else self.builtins.__dict__

    def code(self, source: bytes, path: str) -> CodeType:
        """Compile a file with probes.  Raises SyntaxError, ValueError as `compile` does."""
        try:
            text = importlib.util.decode_source(source)
        except (UnicodeError, SyntaxError) as error:
            compile(source, path, "exec", dont_inherit=True)  # says it in Python's own words
            if not isinstance(error, UnicodeDecodeError):
                raise
            line = source.count(b"\n", 0, error.start) + 1  # in a comment Python 3.11 compiles it
            byte, encoding = source[error.start], error.encoding
            message = f"byte {byte:#04x} is no {encoding}, and no other encoding is declared in the first two lines"
            raise SyntaxError(message, (path, line, None, None)) from None
        return instrument(text, path, shown(path, self.names), self.program, identity=self._identity(path)).code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module beside the script, with a loader that instruments; None for all others."""
        if self.folder is None or is_engine(fullname) or not self._may_hold(fullname, path):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or type(spec.loader) is not SourceFileLoader:
            return None
        if not self._is_neighbour(Path(spec.origin)):
            return None
        spec.loader = _Loader(fullname, spec.origin, self)
        return spec

    def _may_hold(self, fullname: str, path: Sequence[str] | None) -> bool:
        """Return whether the module can be in the folder; asked first because it is quick."""
        assert self.folder is not None
        name = fullname.rpartition(".")[2]
        if path is None:
            return (self.folder / f"{name}.py").is_file() or (self.folder / name).is_dir()
        return any(self._is_neighbour(Path(entry)) for entry in path)

    def _is_neighbour(self, path: Path) -> bool:
        assert self.folder is not None
        try:
            inside = path.resolve().relative_to(self.folder.resolve())
        except ValueError:
            return False
        if any(part in _INSTALLED for part in inside.parts):
            return False
        return not any((self.folder / parent / "pyvenv.cfg").exists() for parent in inside.parents)

    def _identity(self, path: str) -> str:
        """Return the file's name in site ids, which is independent of the folder's place and the script's name."""
        if path == self.script:
            return SCRIPT
        if self.folder is None:
            return Path(path).name
        try:
            return Path(path).resolve().relative_to(self.folder.resolve()).as_posix()
        except ValueError:
            return Path(path).name


class _Loader(SourceFileLoader):
    """Loads a neighbour with probes in it; caches nothing."""

    packages: ClassVar[set[str]] = set()  # of the modules that were loaded since all were forgotten

    def __init__(self, fullname: str, path: str, importer: Importer) -> None:
        super().__init__(fullname, path)
        self.importer = importer

    def get_code(self, fullname: str) -> CodeType:
        """Compile the module with probes."""
        return self.importer.code(self.get_data(self.path), self.path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with the probes in its builtins."""
        _Loader.packages.add(module.__name__.partition(".")[0])
        self.importer.equip(module)
        super().exec_module(module)

    def __reduce__(self) -> Any:
        return SourceFileLoader, (self.name, self.path)


def forget_modules(packages: Collection[str] | None = None) -> None:
    """Remove the modules of scripts that ran before: their probes report to another program.

    packages: only those of these names.
    """
    if _Loader.packages.isdisjoint(_Loader.packages if packages is None else packages):
        return  # looking at every module takes 1 ms, of each evaluation of a gradcheck
    for name, module in list(sys.modules.items()):
        if packages is not None and name.partition(".")[0] not in packages:
            continue
        spec = module.__dict__.get("__spec__") if type(module) is ModuleType else None
        if type(getattr(spec, "loader", None)) is _Loader:
            del sys.modules[name]
    if packages is None:
        _Loader.packages.clear()


def versions(*, torch: bool) -> dict[str, str]:
    """Return the versions of what ran a script.  torch: whether it imported `torch`, and so the engine under it."""
    import numpy as np

    found = {"dyncli": __version__, "python": sys.version.split()[0], "numpy": np.__version__}
    return found | ({"torch": f"dyncore {__version__}"} if torch else {})
