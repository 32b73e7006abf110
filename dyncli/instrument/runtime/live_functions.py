"""Functions of a running process, with probes in their code while they are recorded.

    live = LiveFunctions([model], own)
    with live.recording(log, readers):
        model(...)

A function keeps its identity: its `__code__` is replaced while the context lasts, and put back.
The code is made of the source that `linecache` knows: of files, of cells of a notebook, of a REPL that keeps it.
A source that is not what the function was compiled from is not used.
"""

from __future__ import annotations

import ast
import gc
import linecache
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from dyncli import errors
from dyncli.instrument.program import Function, Program
from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.condition_probes import Reader
from dyncli.instrument.runtime.importer import SCRIPT, torch_is_dyncore
from dyncli.instrument.transform import instrument, rewrite
from dyncli.script.execute import Recursion
from dyncli.script.frames import is_users
from dyncli.script.paths import display

MOST_OBJECTS = 100_000  # that are searched for functions
Codes = dict[tuple[str, int], list[CodeType]]
_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
#: A name in the modules whose `assert` statements pytest has rewritten.
_REWRITTEN = "@pytest_ar"


class LiveFunctions:
    """The functions that the roots may call, as far as they are the user's own.

    names: the shown name of each file.  variables: of the functions, by name: what they read from around them.
    without_source: those whose decisions cannot be recorded.
    """

    imports_torch = False
    argv: Sequence[str] = ()
    _open: LiveFunctions | None = None

    def __init__(self, roots: Iterable[Any], own: Collection[str], *, pinned: bool = False) -> None:
        """Find the functions.  own: files that are the user's, wherever they lie.  pinned: as of a Program."""
        self.program = Program(pinned=pinned)
        self.names: dict[str, str] = {}
        self.recursion = Recursion()
        search = _Search(own)
        for root in roots:
            search.visit(root)
        self.variables = search.variables
        self.without_source: list[FunctionType] = []
        self._changed: list[tuple[FunctionType, CodeType, CodeType]] = []
        self._plain: dict[str, Codes] = {}
        self._defines = False  # whether code runs that defines functions
        files: dict[str, list[FunctionType]] = {}
        for function in search.functions:
            files.setdefault(function.__code__.co_filename, []).append(function)
        for file, functions in files.items():
            self._add(file, functions)

    def _add(self, file: str, functions: list[FunctionType]) -> None:
        """Instrument a file and pair its functions with their new code."""
        self.names[file] = shown_name(file)
        text = _source(file, functions)
        if text is None:
            self.without_source += functions
            return
        identity = Path(file).name if self.program.sources else SCRIPT
        plain = self._plain[file] = _codes(compile(text, file, "exec", dont_inherit=True))
        probed = _codes(instrument(text, file, self.names[file], self.program, identity=identity).code)
        for function in functions:
            own = _plain_code(function, plain)
            code = None if own is None else _like(own, probed)
            if own is None or code is None or code.co_freevars != function.__code__.co_freevars:
                self.without_source.append(function)
            else:
                self._changed.append((function, own if has_probes(function.__code__) else function.__code__, code))

    def add_code(self, tree: ast.Module, text: str, file: str) -> None:
        """Write probes into the tree of code that is about to run, such as a cell of a notebook."""
        self.names[file] = shown_name(file)
        identity = Path(file).name if self.program.sources else SCRIPT
        self._plain[file] = _codes(compile(text, file, "exec", dont_inherit=True))
        rewrite(tree, text, file, self.names[file], self.program, identity)
        self._defines = True

    @contextmanager
    def recording(
        self,
        log: probes.Log,
        readers: Mapping[type, Reader] | None,
        change: Callable[[probes.Probes], probes.Probes] | None = None,
        lazies: probes.Lazies | None = None,
    ) -> Iterator[probes.Log]:
        """Record the functions to `log` while the context lasts (see `probes.recording`).  Raises RecordingOpen.

        `import torch` in a function is dyncore meanwhile, unless the process has imported another.
        """
        if LiveFunctions._open is not None:
            raise errors.RecordingOpen
        LiveFunctions._open = self
        try:
            with ExitStack() as stack:
                if "torch" not in sys.modules:
                    stack.enter_context(torch_is_dyncore())
                stack.callback(self._detach)
                for function, _, code in self._changed:
                    function.__code__ = code
                stack.enter_context(probes.recording(log, readers, change, lazies))
                yield log
        finally:
            LiveFunctions._open = None

    def holds(self, function: Function) -> bool:
        """Return whether a function of the program is one of these, or stands in one."""
        return any(
            function.path == before.co_filename and before.co_firstlineno <= function.line <= last
            for before, last in self._spans
        )

    @cached_property
    def _spans(self) -> list[tuple[CodeType, int]]:
        codes = [before for _, before, _ in self._changed]
        return [(code, max(line for _, _, line in code.co_lines() if line is not None)) for code in codes]

    def _detach(self) -> None:
        """Put back the code of each function that nobody else has changed meanwhile."""
        for function, before, code in self._changed:
            if function.__code__ is code:
                function.__code__ = before
        if self._defines or any(map(_defines, (code for _, _, code in self._changed))):
            self._detach_new()

    def _detach_new(self) -> None:
        """Take the probes out of the functions that were defined meanwhile."""
        for each in gc.get_objects():
            if type(each) is FunctionType and each.__code__.co_filename in self._plain and has_probes(each.__code__):
                code = _like(each.__code__, self._plain[each.__code__.co_filename])
                if code is not None and code.co_freevars == each.__code__.co_freevars:
                    each.__code__ = code


def shown_name(file: str) -> str:
    """Return the name a file is shown by; a cell of a notebook has the number of its execution: `In[3]`."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cell: tuple[str, str] | None = None if shell is None else shell.compile.format_code_name(file)
    return display(file) if cell is None else cell[1]


def _source(file: str, functions: list[FunctionType]) -> str | None:
    """Return the text of a file, if at least one of the functions was compiled from it."""
    for attempt in range(2):
        if attempt:
            linecache.checkcache(file)  # it was written anew since it was read
        text = "".join(linecache.getlines(file, functions[0].__globals__))
        try:
            codes = _codes(compile(text, file, "exec", dont_inherit=True)) if text else {}
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if any(_plain_code(function, codes) is not None for function in functions):
            return text
    return None


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(module: CodeType) -> Codes:
    """Return all code in a module's by name and line."""
    found: Codes = {}
    pending = [module]
    while pending:
        code = pending.pop()
        found.setdefault(_key(code), []).append(code)
        pending.extend(reversed([each for each in code.co_consts if isinstance(each, CodeType)]))
    return found


def _like(code: CodeType, codes: Codes) -> CodeType | None:
    """Return the one of some codes that is made of the same source, with probes or without; None if there is none."""
    found = codes.get(_key(code), [])
    if len(found) > 1:  # lambdas of one line
        found = [each for each in found if _first_column(each) == _first_column(code)]
    return found[0] if len(found) == 1 else None


def has_probes(code: CodeType) -> bool:
    """Return whether code was made by the transformation."""
    return any(name.startswith("@") and name != _REWRITTEN and name != "@py_builtins" for name in code.co_names)


def _defines(code: CodeType) -> bool:
    """Return whether running some code makes functions."""
    return any(isinstance(each, CodeType) and each.co_name not in _COMPREHENSIONS for each in code.co_consts)


def _first_column(code: CodeType) -> tuple[int, int]:
    """Return the first line and column of the source of some code, its own or that of a statement of it."""
    positions = [(line, column) for line, _, column, _ in code.co_positions() if line and column is not None]
    return min([each for each in positions if each[1]] or positions, default=(0, 0))


def _plain_code(function: FunctionType, codes: Codes) -> CodeType | None:
    """Return the one of some codes that a function has; None for one compiled from another source."""
    own = codes.get(_key(function.__code__), [])
    if function.__code__ in own:
        return own[own.index(function.__code__)]
    if _REWRITTEN in function.__globals__ or has_probes(function.__code__):
        return _like(function.__code__, codes)
    return None


class _Search:
    """The functions that can be reached from some objects, without any code of theirs being run."""

    def __init__(self, own: Collection[str]) -> None:
        self.own = own
        self.functions: list[FunctionType] = []
        self.variables: dict[str, Any] = {}
        self._seen: dict[int, Any] = {}

    def visit(self, root: Any) -> None:
        """Collect the functions that the root may call."""
        pending = [root]
        while pending and len(self._seen) < MOST_OBJECTS:
            value = pending.pop()
            if id(value) not in self._seen:
                self._seen[id(value)] = value
                pending.extend(reversed(list(self._held(value))))

    def _held(self, value: Any) -> Iterator[Any]:
        """Yield what a value holds."""
        match value:
            case FunctionType():
                if self._is_own(value.__code__.co_filename):
                    self.functions.append(value)
                    yield from self._read(value)
                yield from _closed_over(value).values()
            case MethodType():
                yield value.__func__
                yield value.__self__
            case staticmethod() | classmethod():
                yield value.__func__
            case property():
                yield from (value.fget, value.fset)
            case partial():
                yield from (value.func, *value.args, *value.keywords.values())
            case dict():
                yield from value.values()
            case list() | tuple() | set() | frozenset():
                yield from value
            case ModuleType():
                if self._is_own(getattr(value, "__file__", None) or "<none>"):
                    yield from vars(value).values()
            case type():
                if self._is_own(_file_of(value)):
                    yield from vars(value).values()
                    yield from value.__bases__
            case _:
                yield type(value)
                yield from _attributes(value)

    def _read(self, function: FunctionType) -> Iterator[Any]:
        """Yield the values of the names that a function reads: globals, and variables of functions around it."""
        variables = _closed_over(function)
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                variables.setdefault(name, function.__globals__[name])
        for name, value in variables.items():
            self.variables.setdefault(name, value)
            yield value
        yield function.__defaults__
        yield function.__kwdefaults__

    def _is_own(self, file: str) -> bool:
        return file in self.own or is_users(file)


def _closed_over(function: FunctionType) -> dict[str, Any]:
    """Return the variables of the functions around that are bound."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # it has no value yet
            continue
    return found


def _names(code: CodeType) -> set[str]:
    """Return the global names of some code and of what is defined in it."""
    found = set(code.co_names)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            found |= _names(each)
    return found


def _file_of(kind: type) -> str:
    """Return the file of a class: that of its module, or of one of its methods."""
    methods = (each for each in vars(kind).values() if isinstance(each, FunctionType))
    method = next((each for each in methods if each.__module__ == kind.__module__), None)
    if method is not None:
        return method.__code__.co_filename
    return getattr(sys.modules.get(kind.__module__), "__file__", None) or "<none>"


def _attributes(value: Any) -> Iterable[Any]:
    """Return an object's own attributes, without its `__getattr__`."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return ()
    return list(held.values()) if type(held) is dict else ()
