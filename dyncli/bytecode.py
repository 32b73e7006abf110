"""The byte code of many modules in one file, so that a start opens one file and not three hundred.

Python asks for every ending that a module may have, reads its `.pyc` and compares that with the source: 45 us each.
Here a module is a look into a table, and its source is asked once for its time and length; what differs from the table,
or is not in it, is imported as ever.  A run starts 12 ms sooner (`tests/bench/startup.py`).

The file lies beside the `.pyc` of `dyncli`, is written where and when Python would write that, and is trusted like it.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from mmap import ACCESS_READ, mmap
from types import CodeType, ModuleType

import dyncli

#: Whose submodules are kept.  Where a package itself is, Python finds out, so that what comes first on the path counts.
PACKAGES = frozenset({"dyncli", "dyncore", "numpy", "typer", "rich", "graphviz"})
#: What a file has to be written by: this order of things, and this Python.
WRITER = f"1 {sys.version}"

#: Of a module: whether it is a package, when its source was written and how long that is, where its `.pyc` would be.
Known = tuple[bool, tuple[int, int], str | None]


class Loader(SourceFileLoader):
    """Runs a module whose code is at hand; all else is as for a source file."""

    def __init__(self, name: str, path: str, code: memoryview) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        """Returns the code of the module."""
        code: CodeType = marshal.loads(self.code)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module."""
        if self.name != "numpy._core._add_newdocs":
            return super().exec_module(module)
        # 45 M of the 380 M instructions that NumPy takes to start.
        from dyncli.docstrings import quickly_cleaned

        with quickly_cleaned():
            super().exec_module(module)


class Bytecode:
    """A finder of modules in the file at `path`, which is None where Python keeps no byte code."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        #: By the path of a module without its ending: what is known of it, and from where to where its code stands.
        self.table: dict[str, tuple[Known, int, int]] = {}
        self.content = memoryview(b"")
        with suppress(OSError, EOFError, ValueError, TypeError), open(path or "", "rb") as file:
            content = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
            writer, table = marshal.loads(content[int.from_bytes(content[-8:], "little") :])
            if writer == WRITER:
                self.table, self.content = table, content

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns where a submodule comes from, or None if Python has to look."""
        place = os.path.join(path[0], name.rpartition(".")[2]) if path else ""
        found = self.table.get(place)
        if found is None:
            return None
        (is_package, written, cached), start, end = found
        source = _source(place, is_package)
        if _written(source) != written:
            return None
        spec = ModuleSpec(name, Loader(name, source, self.content[start:end]), origin=source, is_package=is_package)
        spec.has_location = True
        spec.cached = cached
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(place)
        return spec

    def keep(self) -> None:
        """Writes the file with what was imported from elsewhere in it, too."""
        if sys.dont_write_bytecode or not self.path or not os.access(os.path.dirname(self.path), os.W_OK):
            return
        codes: dict[str, tuple[Known, bytes | memoryview]] = dict(self._imported_from_elsewhere())
        if not codes:
            return
        for place, (known, start, end) in self.table.items():
            if _written(_source(place, known[0])) == known[1]:
                codes.setdefault(place, (known, self.content[start:end]))
        table = {}
        end = 0
        for place, (known, code) in codes.items():
            start, end = end, end + len(code)
            table[place] = known, start, end
        unfinished = f"{self.path}.{os.getpid()}"
        with suppress(OSError):
            try:
                with open(unfinished, "xb") as file:
                    file.writelines(code for _, code in codes.values())
                    file.write(marshal.dumps((WRITER, table)) + end.to_bytes(8, "little"))
                os.replace(unfinished, self.path)
            except BaseException:
                os.remove(unfinished)
                raise

    def _imported_from_elsewhere(self) -> Iterator[tuple[str, tuple[Known, bytes]]]:
        """Yields the places of modules that the file does not have as they are, what it should know, and their code."""
        for name, module in list(sys.modules.items()):
            spec: ModuleSpec | None = getattr(module, "__spec__", None)
            package, dot, _ = name.partition(".")
            if not dot or package not in PACKAGES or spec is None or type(spec.loader) is not SourceFileLoader:
                continue
            source, is_package = spec.loader.path, spec.submodule_search_locations is not None
            place = os.path.dirname(source) if is_package else source.removesuffix(".py")
            written = _written(source)
            if spec.name != name or source != _source(place, is_package) or written is None:
                continue
            known = is_package, written, spec.cached
            if place not in self.table or self.table[place][0] != known:
                yield place, (known, marshal.dumps(spec.loader.get_code(name)))


def asked_first() -> Bytecode:
    """The finder of this process, which is asked before those of Python."""
    cached = dyncli.__spec__.cached if dyncli.__spec__ else None
    made = Bytecode(cached and cached.replace("__init__", "__all__"))
    sys.meta_path.insert(0, made)
    return made


def _source(place: str, is_package: bool) -> str:
    """The file of a module."""
    return os.path.join(place, "__init__.py") if is_package else place + ".py"


def _written(source: str) -> tuple[int, int] | None:
    """When a file was written, and how long it is; None if there is none."""
    try:
        status = os.stat(source)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
