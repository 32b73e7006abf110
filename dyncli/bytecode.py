"""The byte code of many modules in one file, so that a start opens one file and not three hundred.

Python asks for every ending that a module may have, reads its `.pyc` and compares that with the source: 45 us each.
Here a module is a look into a table, and its source is asked once for its time and length; what differs from the table,
or is not in it, is imported as ever.  A run starts 12 ms sooner (`tests/bench/startup.py`).
Modules of the standard library are taken from there only while no folder before it on the path has one of their name.

The file lies where the `.pyc` of `dyncli.kept` would, which pip removes with that; it is written where and when Python
would write it, and is trusted like it.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.machinery import FileFinder, ModuleSpec, PathFinder, SourceFileLoader
from mmap import ACCESS_READ, mmap
from types import CodeType, ModuleType

import dyncli

#: Whose submodules are kept.  Where a package itself is, Python finds out, so that what comes first on the path counts.
PACKAGES = frozenset({"dyncli", "dyncore", "numpy", "typer", "rich", "graphviz"})
#: The folder of the standard library, whose modules are kept, too.
STANDARD = os.path.dirname(os.__file__)
#: What gives NumPy's functions in C their docstrings.
DOCUMENTED = "numpy._core._add_newdocs"
#: What a file has to be written by: this order of things, and this Python.
WRITER = f"3 {sys.version}"

#: Whether a module is told where its `.pyc` would be.
NOTES_CACHED = "__cached__" in vars(dyncli)

#: Of a module: whether it is a package, when its source was written and how long that is, where its `.pyc` would be.
Known = tuple[bool, tuple[int, int], str | None]
Text = bytes | memoryview


class Loader(SourceFileLoader):
    """Runs a module whose code is at hand; all else is as for a source file."""

    def __init__(self, name: str, path: str, code: memoryview, expressions: memoryview) -> None:
        self.name, self.path, self.code, self.expressions = name, path, code, expressions

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Returns the module with what Python would set: where it asks in vain, it makes an error and drops it."""
        if self.expressions:
            from dyncli.regexes import ready

            ready(marshal.loads(self.expressions))
        module = ModuleType(spec.name)
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        module.__file__ = spec.origin
        if NOTES_CACHED and spec.cached is not None:
            vars(module)["__cached__"] = spec.cached
        return module

    def get_code(self, fullname: str) -> CodeType:
        """Returns the code of the module."""
        code: CodeType = marshal.loads(self.code)
        return code


class DocumentedLoader(Loader):
    """The same for a module that cleans many docstrings."""

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module."""
        # 45 M of the 380 M instructions that NumPy takes to start.
        from dyncli.docstrings import quickly_cleaned

        with quickly_cleaned():
            super().exec_module(module)


class Bytecode:
    """A finder of modules in the file at `path`, which is None where Python keeps no byte code."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        #: By the path of a module without its ending: what is known of it, and where its code begins, where that ends
        #: and its regular expressions begin, and where those end.
        self.table: dict[str, tuple[Known, int, int, int]] = {}
        self.content = memoryview(b"")
        #: What is in a folder of the path, and when that was written.
        self.folders: dict[str, tuple[int, set[str]]] = {}
        with suppress(OSError, EOFError, ValueError, TypeError), open(path or "", "rb") as file:
            content = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
            writer, table = marshal.loads(content[int.from_bytes(content[-8:], "little") :])
            if writer == WRITER:
                self.table, self.content = table, content

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns where a module comes from, or None if Python has to look."""
        place = f"{path[0] if path else STANDARD}{os.sep}{name.rpartition('.')[2]}"
        found = self.table.get(place)
        if found is None or (not path and self._may_be_before(name)):
            return None
        (is_package, written, cached), start, middle, end = found
        source = _source(place, is_package)
        if _written(source) != written:
            return None
        kind = DocumentedLoader if name == DOCUMENTED else Loader
        loader = kind(name, source, self.content[start:middle], self.content[middle:end])
        spec = ModuleSpec(name, loader, origin=source)
        spec.has_location = True
        spec.cached = cached
        if is_package:
            spec.submodule_search_locations = [place]
        return spec

    def _may_be_before(self, name: str) -> bool:
        """Whether a folder before that of the standard library may have a module of this name."""
        for folder in sys.path:
            if folder == STANDARD:
                return False
            finder = sys.path_importer_cache.get(folder, self) if type(folder) is str else self
            if finder is not None and (type(finder) is not FileFinder or self._may_have(folder, name)):
                return True
        return True

    def _may_have(self, folder: str, name: str) -> bool:
        """Whether something in a folder has this name up to its first dot; asked anew when the folder was written."""
        try:
            written = os.stat(folder).st_mtime_ns
            if folder not in self.folders or self.folders[folder][0] != written:
                self.folders[folder] = written, {each.partition(".")[0] for each in os.listdir(folder)}
        except OSError:
            return True
        return name in self.folders[folder][1]

    def keep(self) -> None:
        """Writes the file with what was imported from elsewhere in it, too."""
        if sys.dont_write_bytecode or not self.path or not os.access(os.path.dirname(self.path), os.W_OK):
            return
        kept: dict[str, tuple[Known, Text, Text]] = dict(self._imported_from_elsewhere())
        if not kept:
            return
        for place, (known, start, middle, end) in self.table.items():
            if _written(_source(place, known[0])) == known[1]:
                kept.setdefault(place, (known, self.content[start:middle], self.content[middle:end]))
        table = {}
        end = 0
        for place, (known, code, expressions) in kept.items():
            start, middle, end = end, end + len(code), end + len(code) + len(expressions)
            table[place] = known, start, middle, end
        unfinished = f"{self.path}.{os.getpid()}"
        with suppress(OSError):
            try:
                with open(unfinished, "xb") as file:
                    for _, *texts in kept.values():
                        file.writelines(texts)
                    file.write(marshal.dumps((WRITER, table)) + end.to_bytes(8, "little"))
                os.replace(unfinished, self.path)
            except BaseException:
                os.remove(unfinished)
                raise

    def _imported_from_elsewhere(self) -> Iterator[tuple[str, tuple[Known, bytes, bytes]]]:
        """Yields the places of modules that the file does not have as they are, and what it should have of them."""
        from dyncli.regexes import compiled

        for name, module in list(sys.modules.items()):
            spec: ModuleSpec | None = getattr(module, "__spec__", None)
            if spec is None or type(spec.loader) is not SourceFileLoader:
                continue
            source, is_package = spec.loader.path, spec.submodule_search_locations is not None
            place = os.path.dirname(source) if is_package else source.removesuffix(".py")
            package, dot, _ = name.partition(".")
            if not (dot and package in PACKAGES) and place != os.path.join(STANDARD, *name.split(".")):
                continue
            written = _written(source)
            if spec.name != name or source != _source(place, is_package) or written is None:
                continue
            known = is_package, written, spec.cached
            if place not in self.table or self.table[place][0] != known:
                expressions = compiled(module)
                code = marshal.dumps(spec.loader.get_code(name))
                yield place, (known, code, marshal.dumps(expressions) if expressions else b"")


def asked_first() -> Bytecode:
    """The finder of this process, which is asked before Python looks at folders."""
    cached = dyncli.__spec__.cached if dyncli.__spec__ else None
    made = Bytecode(cached and cached.replace("__init__", "kept"))
    if PathFinder in sys.meta_path:
        sys.meta_path.insert(sys.meta_path.index(PathFinder), made)
    return made


def _source(place: str, is_package: bool) -> str:
    """The file of a module."""
    return f"{place}{os.sep}__init__.py" if is_package else place + ".py"


def _written(source: str) -> tuple[int, int] | None:
    """When a file was written, and how long it is; None if there is none."""
    try:
        status = os.stat(source)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
