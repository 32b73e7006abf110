"""A watch on the Python that runs while a call is recorded: which code ran, and what it called outside of it.

Played again, a call does not run the user's Python.  So everything it did has to be known: ops and decisions are, and
the state it can name is compared; a call into anything else (`print`, `time.time`, a hook's registration) is not.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from dyncore.errors.source import is_engine
from dyncore.graph.capture_marks import REFUSED, REPLAYED, capture_kind

_BUILTINS = frozenset((
    "abs", "all", "any", "ascii", "bin", "callable", "chr", "divmod", "format", "getattr", "hasattr", "hex",
    "isinstance", "issubclass", "iter", "len", "max", "min", "next", "oct", "ord", "pow", "repr", "round", "sorted",
    "sum", "__build_class__",
))  # fmt: skip
_PURE_C = frozenset(("math", "cmath", "operator", "_operator", "_functools", "itertools", "_collections", "_abc"))
_PURE_PYTHON = frozenset((
    "contextlib", "typing", "functools", "collections", "enum", "dataclasses", "abc", "types", "operator", "numbers",
    "_collections_abc", "_weakrefset", "reprlib", "keyword", "copy",
))  # fmt: skip
_LOCAL: tuple[type, ...] = (
    str, list, dict, tuple, set, frozenset, int, float, complex, bytes, range, slice, type({}.keys()),
    type({}.values()), type({}.items()), types.GeneratorType, type(iter([])), type(iter(())),
)  # fmt: skip

USER, ENGINE, IMPORT = "user", "engine", "import"


class Watch:
    """`hook` is given to `sys.setprofile` for one call; `ran` are the user's code objects, with their globals."""

    def __init__(self, tape: Any) -> None:
        self.tape = tape
        self.ran: dict[Any, dict[str, Any]] = {}
        self._stack: list[str] = []
        self.hook = self._hook()

    def _hook(self) -> Any:
        """Return the function for `sys.setprofile`: most events are of the engine's frames, and pass in few tests."""
        stack, entered, called = self._stack, self._entered, self._called
        push, pop = stack.append, stack.pop
        inner: set[Any] = set()

        def hook(frame: Any, event: str, arg: Any) -> None:
            if event == "c_call":
                if stack and stack[-1] is USER:
                    called(frame, arg)
            elif event == "call":
                code = frame.f_code
                if code in inner and stack[-1] is ENGINE:
                    push(ENGINE)
                    return
                above = stack[-1] if stack else USER
                found = entered(frame)
                if found is ENGINE and above is ENGINE:
                    inner.add(code)
                push(found)
            elif event == "return" and stack:
                pop()

        return hook

    def _entered(self, frame: Any) -> str:
        """Whose the frame is: the user's, the engine's (or a library's that it uses), or part of an import."""
        above = self._stack[-1] if self._stack else USER
        if above is IMPORT:
            return IMPORT
        inside = above is ENGINE
        names = frame.f_globals
        code = frame.f_code
        module = str(names.get("__name__", ""))
        if is_engine(names):
            kind = capture_kind(code, module)
            if kind == REFUSED or (kind != REPLAYED and not inside and self._stack):
                self._refuse(frame, f"calls `{code.co_qualname}`")
            return ENGINE
        root = module.partition(".")[0]
        library = root == "numpy" or root in sys.stdlib_module_names
        if library:
            if root == "importlib":
                return IMPORT
            if inside:
                return ENGINE
            if root not in _PURE_PYTHON:
                self._refuse(frame, f"calls `{root}.{code.co_qualname}`")
                return ENGINE
            return USER
        if module.startswith("namedtuple_"):
            return above
        self.ran[code] = names
        return USER

    def _called(self, frame: Any, function: Any) -> None:
        owner = getattr(function, "__self__", None)
        module = getattr(function, "__module__", None)
        name = getattr(function, "__name__", "?")
        if module == "builtins" and (owner is None or isinstance(owner, types.ModuleType)):
            allowed = name in _BUILTINS
        elif isinstance(owner, types.ModuleType) or module is not None:
            allowed = module in _PURE_C
        elif isinstance(owner, type):
            allowed = True
        else:
            allowed = isinstance(owner, _LOCAL) or type(owner).__module__ in ("collections", "itertools", "functools")
            allowed = allowed or name in ("__init__", "__getattribute__", "__setattr__", "__init_subclass__", "__eq__")
        if not allowed and frame.f_code.co_name != "<module>":
            root = f"{module}." if module and module != "builtins" else ""
            self._refuse(frame, f"calls `{root}{name}`", caller=frame)

    def _refuse(self, frame: Any, reason: str, caller: Any = None) -> None:
        from dyncore.errors.source import place

        user = caller or frame.f_back
        while user is not None and is_engine(user.f_globals):
            user = user.f_back
        where = "" if user is None else str(place(user.f_code, user.f_lasti))
        self.tape.refuse(reason, where)
