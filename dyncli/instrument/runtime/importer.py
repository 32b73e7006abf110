"""Scripts with probes in them: the script, what it imports from its own folder, and the code it makes of texts.

    importer = Importer()
    loaded = script.load(model, execute=importer.execute)
    with importer.recording(log):
        loaded.function(...)

No `.pyc` is written or read, and modules from elsewhere are imported as ever, but for `torch`: while a script runs that
is dyncore, whatever else this process has imported under the name.  Afterwards `sys.modules` holds again what it held:
PyTorch, where the process imported it, and the libraries on top.

A text that is given to `exec` or `eval` gets probes as a file does, where that changes nothing: it is read once, as a
file `<string>` of its own.  It is left as it is where it is no valid code, very long, one of very many, or would run
without the builtins that the probes are.  What `compile` makes of a text is known again where it is run.
"""

from __future__ import annotations
import __future__

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, ClassVar, NamedTuple

from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.condition_probes import Reader
from dyncli.instrument.transform import Program, instrument, instrument_text
from dyncli.records.text import unwarned
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
        self._codes: dict[tuple[str, bytes], CodeType] = {}

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
                import_module("torch")
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
        """Compile a file with probes, once: imported again it has the same points.

        Raises SyntaxError, ValueError as `compile` does.
        """
        known = self._codes.get((path, source))
        if known is None:
            known = self._codes[path, source] = self._code(source, path)
        return known

    def _code(self, source: bytes, path: str) -> CodeType:
        try:
            text = decode_source(source)
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
        spec.loader = NeighbourLoader(fullname, spec.origin, self)
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


class NeighbourLoader(SourceFileLoader):
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
        NeighbourLoader.packages.add(module.__name__.partition(".")[0])
        self.importer.equip(module)
        super().exec_module(module)

    def __reduce__(self) -> Any:
        return SourceFileLoader, (self.name, self.path)


def forget_modules(packages: Collection[str] | None = None) -> None:
    """Remove the modules of scripts that ran before: their probes report to another program.

    packages: only those of these names.
    """
    if NeighbourLoader.packages.isdisjoint(NeighbourLoader.packages if packages is None else packages):
        return  # looking at every module takes 1 ms, of each evaluation of a gradcheck
    for name, module in list(sys.modules.items()):
        if packages is not None and name.partition(".")[0] not in packages:
            continue
        spec = module.__dict__.get("__spec__") if type(module) is ModuleType else None
        if type(getattr(spec, "loader", None)) is NeighbourLoader:
            del sys.modules[name]
    if packages is None:
        NeighbourLoader.packages.clear()


def versions(*, torch: bool) -> dict[str, str]:
    """Return the versions of what ran a script.  torch: whether it imported `torch`, and so the engine under it."""
    import numpy as np

    found = {"dyncli": __version__, "python": sys.version.split()[0], "numpy": np.__version__}
    return found | ({"torch": f"dyncore {__version__}"} if torch else {})


ENGINE = "dyncore"
_FOUND = {"torch": ENGINE, "functorch": f"{ENGINE}.compat.functorch"}
_NAMES = "dyncore.errors.torch_names"  # of the classes that scripts print
_OURS = ("dyncli", ENGINE)
#: Modules below `torch` and libraries on top of it that scripts have imported; the next script finds them again.
_libraries: dict[str, ModuleType] = {}
#: The process's own modules that were looked at, and the packages among them that are on top of PyTorch.
_looked_at: dict[str, ModuleType] = {}
_on_pytorch = {"torch"}
_loaded: dict[str, ModuleType] = {}  # all modules as they were when PyTorch's were found last, and PyTorch's
_pytorchs_of_loaded: dict[str, ModuleType] = {}


class EngineFinder:
    """Finds the engine for `import torch` and `functorch`; the engine's own finder finds modules (`torch.nn`)."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Return a spec for `torch` and `functorch`, and None for all other modules."""
        return ModuleSpec(name, EngineLoader()) if name in _FOUND else None  # type: ignore[arg-type]


class EngineLoader:
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
    if EngineFinder in sys.meta_path or (real is not None and real is sys.modules.get(ENGINE)):
        yield
        return
    others = {} if real is None else _pytorchs()
    for name in others:
        del sys.modules[name]
    before = set(sys.modules)
    sys.modules.update(_libraries)
    sys.meta_path.insert(0, EngineFinder)
    try:
        yield
    finally:
        sys.meta_path.remove(EngineFinder)
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
    global _loaded, _pytorchs_of_loaded
    if _loaded != sys.modules:
        new = [name for name, module in sys.modules.items() if _looked_at.get(name) is not module]
        _on_pytorch.update(_users("torch", new))
        _looked_at.update((name, sys.modules[name]) for name in new if _is_library(sys.modules[name]))
        _loaded, _pytorchs_of_loaded = dict(sys.modules), _below(_on_pytorch, sys.modules)
    return _pytorchs_of_loaded


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


LONGEST_TEXT = 100_000  # characters of a text
MOST_TEXTS = 100  # texts
STRING = "<string>"  # as Python calls them
_FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


class Text(NamedTuple):
    """A text that is made into code as `mode` says.

    path: the name of its file.  flags: the features from `__future__` of the code that makes it.
    """

    text: str
    path: str
    mode: str
    flags: int


class Maker:
    """Puts probes into the texts of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.texts: dict[int, tuple[str, str]] = {}  # by the identity of a code object: its file's name, and the text
        self._known: dict[Text, CodeType | str | None] = {}
        self._compiled: dict[CodeType, Text] = {}

    def probe(self, plain: Any, point: int, call_id: int, function: Any, *given: Any) -> tuple[Any, ...]:
        """Return what `function` is to be called with instead of `given`.

        plain: the probe that reports code without any.
        """
        flags = sys._getframe(2).f_code.co_flags & _FUTURE
        if function is compile:
            self._remember(flags, *given)
        mode = "exec" if function is exec else "eval" if function is eval else None
        if mode is None:
            return given
        source, *spaces = given
        text = self._compiled.get(source) if type(source) is CodeType else Text(_decoded(source), STRING, mode, flags)
        if text is None or type(text.text) is not str or len(text.text) > LONGEST_TEXT or not _has_probes(spaces):
            return plain(point, call_id, function, *given)
        if text not in self._known:
            self._known[text] = self._made(text) if len(self._known) < MOST_TEXTS else None
        code = self._known[text]
        if code is None:
            return plain(point, call_id, function, *given)
        return (source if type(code) is str else code), *spaces

    def _remember(self, flags: int, text: Any, path: Any = None, mode: Any = None, *more: Any) -> None:
        """Record what `compile` is about to make."""
        text = _decoded(text)
        plainly = type(text) is type(path) is str and mode in ("exec", "eval") and not more
        if not plainly or len(text) > LONGEST_TEXT or len(self._compiled) >= MOST_TEXTS:
            return
        try:
            with unwarned():  # the script's own `compile` gives them
                code = compile(text, path, mode, flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return  # Python says so itself
        self._compiled[code] = Text(text, path, mode, flags)

    def _made(self, text: Text) -> CodeType | str:
        count = sum(name.startswith("<string") for name in self.program.sources)
        name = STRING if not count else f"<string {count + 1}>"
        try:
            code = instrument_text(text.text, text.path, name, text.mode, text.flags, self.program)
            self._note(code, (name, self.program.sources[name]))
            return code
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text.text  # Python says so itself

    def _note(self, code: CodeType, text: tuple[str, str]) -> None:
        self.texts[id(code)] = text
        for each in code.co_consts:
            if type(each) is CodeType:
                self._note(each, text)


def _decoded(source: Any) -> Any:
    """Decode source in bytes; return anything else, and what cannot be decoded, unchanged."""
    if type(source) is not bytes:
        return source
    try:
        return decode_source(source)
    except (SyntaxError, ValueError):
        return source


def _has_probes(spaces: Sequence[Any]) -> bool:
    """Return whether code that runs in these namespaces finds the probes among its builtins."""
    if not spaces or spaces[0] is None:
        return True
    if type(spaces[0]) is not dict:
        return False
    names = spaces[0].get("__builtins__")
    if names is None:
        return "__builtins__" not in spaces[0]
    if isinstance(names, ModuleType):
        names = vars(names)
    return isinstance(names, Mapping) and "@at" in names
