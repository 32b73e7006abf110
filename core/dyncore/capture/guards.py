"""Guards: what a function reads besides its arguments.

Globals, closure cells, attributes, the modules of a model.
Everything its code can name is looked up before it runs, stored as an entry (a dictionary, a key, the value), and
compared before every replay.  A value that changed while the function ran means that the function writes state.
The comparisons are written as one expression, which is faster than a loop (tests/bench, early exit and branch); if it
is False, loops compare each value again.
"""

from __future__ import annotations

import builtins
import dis
import functools
import sys
import types
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.source import is_engine
from dyncore.errors.torch_names import home
from dyncore.nn.module import Module
from dyncore.rng.generator import Generator
from dyncore.tensors import size
from dyncore.tensors.tensor import Tensor


class Getter:
    """Finds a value in its owner: `getter(key, default)`."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner


class Length(Getter):
    """Number of elements."""

    def __call__(self, key: Any, default: Any) -> Any:
        return len(self.owner)


class Keys(Getter):
    """The keys of a dict in their order."""

    def __call__(self, key: Any, default: Any) -> Any:
        return frozenset(enumerate(self.owner))


class Item(Getter):
    """The element at a position."""

    def __call__(self, key: Any, default: Any) -> Any:
        return self.owner[key] if key < len(self.owner) else default


class Contents(Getter):
    """The elements of a set."""

    def __call__(self, key: Any, default: Any) -> Any:
        return frozenset(self.owner)


class Attribute(Getter):
    """An attribute of a function, or in a slot."""

    def __call__(self, key: Any, default: Any) -> Any:
        return getattr(self.owner, key, default)


class Cell(Getter):
    """Value of a closure's variable."""

    def __call__(self, key: Any, default: Any) -> Any:
        try:
            return self.owner.cell_contents
        except ValueError:
            return default


MOST_TERMS = 2000


class Expression:
    """Terms, lines before them, and the values that their names stand for."""

    def __init__(self) -> None:
        self.terms: list[str] = []
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"__name__": "dyncore.capture.guard", "__dyncore__": True}
        self._known: dict[int, str] = {}

    def name(self, value: Any) -> str:
        """Return the name of a value, which is kept alive with the expression."""
        found = self._known.get(id(value))
        if found is None:
            found = self._known[id(value)] = f"g{len(self._known)}"
            self.names[found] = value
        return found

    def function(self) -> Callable[[], bool] | None:
        """Return whether all terms hold, as a function; None for too many of them."""
        if len(self.terms) > MOST_TERMS:
            return None
        lines = "".join(f"  {line}\n" for line in self.lines)
        joined = "\n  and ".join(dict.fromkeys(self.terms)) or "True"
        gone = "LookupError, ValueError, AttributeError"
        exec(f"def holds():\n try:\n{lines}  return ({joined})\n except ({gone}): return False", self.names)
        made: Callable[[], bool] = self.names["holds"]
        return made


def environment_guard(entries: Iterable[tuple[Callable[..., Any], Any, Any, str]], missing: Any) -> Any:
    """Return a function that says whether every entry finds the same object as before; None if there is none."""
    made = Expression()
    return made.function() if environment_terms(made, entries, missing) else None


def environment_terms(
    made: Expression, entries: Iterable[tuple[Callable[..., Any], Any, Any, str]], missing: Any
) -> bool:
    """Add a term for every entry; False if one of them cannot be put so."""
    lists: dict[str, list[str]] = {}
    for get, key, expected, _ in entries:
        if get.__class__ not in (Length, Keys) and get(key, missing) is not expected:
            return False
        owner, value = made.name(get.owner if isinstance(get, Getter) else get), made.name(expected)
        if get.__class__ is Length:
            made.terms.append(f"len({owner}) == {expected}")
        elif get.__class__ is Keys:
            made.terms.append(f"[*{owner}] == {made.name(list(get.owner))}")
        elif get.__class__ is Item and get.owner.__class__ is list and key == len(lists.get(owner, ())):
            lists.setdefault(owner, []).append(value)
        elif get.__class__ is Item:
            made.terms.append(f"{owner}[{key}] is {value}")
        elif get.__class__ is Cell:
            made.terms.append(f"{owner}.cell_contents is {value}")
        elif get.__class__ is Attribute:
            made.terms.append(f"{owner}.{key} is {value}")
        elif isinstance(get, types.BuiltinMethodType) and get.__self__.__class__ is dict and expected is not missing:
            made.terms.append(f"{made.name(get.__self__)}[{made.name(key)}] is {value}")
        else:
            made.terms.append(f"{owner}({made.name(key)}, {made.name(missing)}) is {value}")
    for owner, values in lists.items():
        if len(made.names[owner]) != len(values) or len(values) < 4:
            made.terms += [f"{owner}[{key}] is {value}" for key, value in enumerate(values)]
            continue
        # Unpacked at once (tests/bench, replay: early exit).
        parts = [f"{owner}_{key}" for key in range(len(values))]
        made.lines.append(f"({', '.join(parts)}) = {owner}")
        made.terms += [f"{part} is {value}" for part, value in zip(parts, values, strict=True)]
    return True


def tensor_guard(tensors: Iterable[Any], states: Iterable[Any], plain: Callable[[Any], bool]) -> Any:
    """Return a function that says whether tensors have the array and the edge that their states hold."""
    made = Expression()
    tensor_terms(made, tensors, states, plain)
    return made.function()


def tensor_terms(made: Expression, tensors: Iterable[Any], states: Iterable[Any], plain: Callable[[Any], bool]) -> None:
    """Add a term for every tensor."""
    for tensor, state in zip(tensors, states):
        t, s = made.name(tensor), made.name(state)
        special = "" if tensor._meta is None else f" or {made.name(plain)}({t}._meta)"
        made.terms.append(f"{t}._array is {s}[0] and {t}._edge is {s}[1] and ({t}._meta is None{special})")


MISSING = type("missing", (), {"__repr__": lambda self: "nothing"})()
PLAIN_VALUES = (
    int, float, bool, str, bytes, complex, type(None), type(Ellipsis), range, slice, dtypes.dtype, size.Size,
    size.device, size.layout, size.memory_format, np.dtype, np.generic,
)  # fmt: skip
PURE_MODULES = frozenset((
    "dyncore", "torch", "math", "cmath", "operator", "functools", "itertools", "typing", "types", "collections",
    "dataclasses", "enum", "abc", "contextlib", "numbers", "builtins", "__future__", "string", "re",
))  # fmt: skip
_NUMPY_EFFECTS = frozenset(("random", "load", "save", "memmap", "fromfile", "loadtxt", "genfromtxt", "seterr"))
_EFFECTS = frozenset(("__dict__", "__setattr__", "__delattr__", "__globals__", "__code__", "f_locals", "gi_frame"))
_SKIPPED = frozenset(("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set"))
MOST_VALUES = 20_000
ANY = "*"  # among the names: attributes are looked up by names that are computed
_DYNAMIC = frozenset(("getattr", "hasattr", "vars", "dir", "operator"))


class Environment:
    """The entries, the tensors met on the way (id -> label) and the code objects that may run."""

    def __init__(self) -> None:
        self.entries: list[tuple[Callable[..., Any], Any, Any, str]] = []
        self.tensors: dict[int, str] = {}
        self.codes: set[Any] = set()
        self.names: set[str] = {"__call__", "forward"}
        self.problems: list[tuple[Any, str]] = []
        self._kept: list[Any] = []
        self.seen: set[int] = set()
        self._pending: list[tuple[Any, str, Any]] = []
        self._guarded = -1
        self._guard: Any = None

    def reach(self, value: Any, label: str) -> None:
        """Record everything that can be named from `value`."""
        self._pending.append((value, label, None))
        objects: list[tuple[Any, str, Any]] = []
        before = -1
        while self._pending or before != len(self.names):
            # Which attributes of an object matter depends on names in code that is found later.
            before = len(self.names)
            while self._pending:
                value, label, code = self._pending.pop()
                if self._visit(value, label, code):
                    objects.append((value, label, code))
                if len(self.entries) > MOST_VALUES:
                    self.problems.append((None, f"more than {MOST_VALUES:,} values can be named from the function"))
                    self._pending.clear()
                    return
            for value, label, code in objects:
                self._attributes(value, label, code)

    def knows(self, value: Any) -> bool:
        """Return whether the function can reach this very object by a name."""
        return id(value) in self.seen

    def failed(self) -> tuple[str, Any, Any] | None:
        """Return (label, expected, actual) of the first entry that changed."""
        for get, key, expected, label in self.entries:
            found = get(key, MISSING)
            if found is not expected and not _equal(found, expected):
                return label, expected, found
        return None

    def holds(self) -> bool:
        """Return whether every entry is as it was."""
        if self._guarded != len(self.entries):
            self._guarded, self._guard = len(self.entries), environment_guard(self.entries, MISSING)
        if self._guard is not None and self._guard():
            return True
        for get, key, expected, _ in self.entries:
            found = get(key, MISSING)
            if found is not expected and not _equal(found, expected):
                return False
        return True

    # -- the search

    def _note(self, get: Callable[..., Any], key: Any, label: str, code: Any) -> None:
        found = get(key, MISSING)
        self.entries.append((get, key, found, label))
        if found is not MISSING:
            self._pending.append((found, label, code))

    def _visit(self, value: Any, label: str, code: Any) -> bool:
        """Note what `value` is made of; return True for an object whose attributes depend on the names in use."""
        if is_plain(value) or id(value) in self.seen:
            return False
        self.seen.add(id(value))
        self._kept.append(value)
        parts = _parts(value)
        kind = type(value)
        if isinstance(value, Tensor):
            self.tensors[id(value)] = f"`{label}`"
            return bool(value.__dict__)
        if isinstance(value, types.FunctionType):
            self._function(value, label)
            return not is_engine(value.__globals__) and not _library(value.__globals__)
        elif isinstance(value, types.ModuleType):
            return self._module(value, code)
        elif isinstance(value, Module):
            self._layer(value, label, code)
            return True
        elif isinstance(value, type):
            return not _ours_or_builtin(value)
        elif parts is not None:
            self._pending += [(part, label + suffix, code) for part, suffix in parts]
        elif isinstance(value, (dict, list, tuple, set, frozenset)):
            return self._container(value, label, code)
        elif isinstance(value, _STATELESS) or kind.__module__ == "typing":
            return False
        elif (hasattr(value, "__dict__") or hasattr(kind, "__slots__")) and (isinstance(value, Enum) or not in_c(kind)):
            self.entries.append((Attribute(value), "__class__", kind, f"the class of {label}"))
            self._pending.append((kind, kind.__name__, code))
            return True
        else:
            self.problems.append((code, f"reads `{label}`, a {kind.__name__}, whose state cannot be compared"))
        return False

    def _container(self, value: Any, label: str, code: Any) -> bool:
        """Note the elements of a container; return True if it may have attributes, too."""
        if isinstance(value, (set, frozenset)):
            if isinstance(value, set):
                self.entries.append((Contents(value), None, frozenset(value), label))
            self._pending += [(each, label, code) for each in value]
            return False
        if not isinstance(value, tuple):
            self.entries.append((Length(value), None, len(value), f"len({label})"))
        if isinstance(value, dict):
            self.entries.append((Keys(value), None, frozenset(enumerate(value)), f"the order of {label}"))
            get = value.get if type(value) is dict else functools.partial(dict.get, value)
            for key in list(value):
                self._pending.append((key, f"a key of {label}", code))
                self._note(get, key, f"{label}[{key!r}]", code)
            return False
        for number in range(len(value)):
            self._note(Item(value), number, f"{label}[{number}]", code)
        return type(value).__module__ != "builtins"

    def _function(self, function: Any, label: str) -> None:
        if is_engine(function.__globals__):
            return
        code = function.__code__
        if _library(function.__globals__):
            return
        defaults = ["__defaults__"] * bool(code.co_argcount) + ["__kwdefaults__"] * bool(code.co_kwonlyargcount)
        for name in ("__code__", *defaults):
            self.entries.append((Attribute(function), name, getattr(function, name), f"{label}.{name}"))
        for each in (function.__defaults__ or (), function.__kwdefaults__ or {}):
            for key, value in each.items() if isinstance(each, dict) else enumerate(each):
                self._pending.append((value, f"default {key} of {label}", code))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self._note(Cell(cell), None, name, code)
        wrapped = getattr(function, "__wrapped__", None)
        if wrapped is not None:
            self._pending.append((wrapped, label, code))
        self._code(code, function.__globals__)

    def _code(self, code: Any, names: dict[str, Any]) -> None:
        if code in self.codes:
            return
        self.codes.add(code)
        self.names.update(code.co_names)
        bad = _EFFECTS.intersection(code.co_names)
        if bad:
            self.problems.append((code, f"uses `{min(bad)}`"))
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"):
                name = step.argval
                if name in _DYNAMIC:
                    self.names.add(ANY)
                if name in names or not hasattr(builtins, name):
                    self._note(names.get, name, name, code)
                else:
                    self.entries.append((names.get, name, MISSING, name))
            elif step.opname == "IMPORT_NAME":
                module = sys.modules.get(step.argval.partition(".")[0])
                self._pending.append((module, step.argval, code))
        for each in code.co_consts:
            if isinstance(each, types.CodeType):
                self._code(each, names)
            elif isinstance(each, str) and each.isidentifier():
                self.names.add(each)

    def _module(self, module: Any, code: Any) -> bool:
        root = module.__name__.partition(".")[0]
        if root in PURE_MODULES or is_engine(module.__dict__):
            return False
        if root == "numpy":
            if code is not None and _NUMPY_EFFECTS.intersection(code.co_names):
                self.problems.append((code, "uses `numpy.random` or files through NumPy"))
            return False
        if root in sys.stdlib_module_names:
            self.problems.append((code, f"uses the module `{root}`"))
            return False
        return True

    def _layer(self, module: Any, label: str, code: Any) -> None:
        own = module.__dict__
        self.entries.append((Length(own), None, len(own), f"the number of attributes of {label}"))
        self.entries.append((Attribute(module), "__class__", type(module), f"the class of {label}"))
        self._pending.append((type(module), type(module).__name__, code))
        for key in list(own):
            if key in _SKIPPED or (key.endswith("_hooks") and not own.get("_hooked")):
                continue
            self._note(own.get, key, f"{label}.{key}", code)

    def _attributes(self, value: Any, label: str, code: Any) -> None:
        """Record the attributes of an object, a class or a module whose names are in use."""
        if isinstance(value, type):
            kinds = [each for each in value.__mro__ if not _ours_or_builtin(each)]
            for number, each in enumerate(kinds):
                for name, found in list(each.__dict__.items()):
                    if (name in self.names or ANY in self.names or name[:2] == "__") and (
                        id(each),
                        name,
                    ) not in self._done:
                        self._done.add((id(each), name))
                        if isinstance(found, PLAIN_VALUES) or name[:2] != "__" or callable(found):
                            self._note(each.__dict__.get, name, f"{label}.{name}", code)
                            for nearer in kinds[:number]:
                                if name not in nearer.__dict__ and (id(nearer), name) not in self._done:
                                    self._done.add((id(nearer), name))
                                    self.entries.append((nearer.__dict__.get, name, MISSING, f"{label}.{name}"))
            return
        own = getattr(value, "__dict__", None)
        if own is not None and not isinstance(value, Module):
            if (id(value), None) not in self._done and not isinstance(value, types.ModuleType):
                self._done.add((id(value), None))
                self.entries.append((Length(own), None, len(own), f"the number of attributes of {label}"))
            if isinstance(value, types.ModuleType):
                # A name that is not there yet may be set.
                for name in self.names.difference(own):
                    if (id(value), name) not in self._done:
                        self._done.add((id(value), name))
                        self.entries.append((own.get, name, MISSING, f"{label}.{name}"))
            for name in list(own) if reads_all(value, self.names) else self.names.intersection(own):
                if (id(value), name) not in self._done:
                    self._done.add((id(value), name))
                    self._note(own.get, name, f"{label}.{name}", code)
        for each in type(value).__mro__:
            slots = each.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if (name in self.names or ANY in self.names) and (id(value), name) not in self._done:
                    self._done.add((id(value), name))
                    self._note(Attribute(value), name, f"{label}.{name}", code)

    @functools.cached_property
    def _done(self) -> set[Any]:
        return set()


def is_plain(value: Any) -> bool:
    """Return whether a value is a number, a text or the like, and nothing besides: no attributes of its own."""
    return isinstance(value, PLAIN_VALUES) and not hasattr(value, "__dict__")


def in_c(kind: type) -> bool:
    """Return whether objects of a class have state that C code keeps, as those of a class derived from `deque`."""
    kinds = [each for each in kind.__mro__[:-1] if each is not types.SimpleNamespace]
    return any(isinstance(each.__dict__.get("__new__"), types.BuiltinFunctionType) for each in kinds)


def reads_all(value: Any, names: set[str]) -> bool:
    """Return whether all attributes of an object may be read: by names that are computed, or as `UserList` does."""
    return ANY in names or any(each.__module__ == "collections" for each in type(value).__mro__)


class Wrapper:
    """A callable of ours that calls `__wrapped__`."""

    __wrapped__: Any


_CACHED = type(functools.lru_cache(len))
_STATELESS: tuple[type, ...] = (
    types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.GetSetDescriptorType,
    types.MemberDescriptorType, np.ufunc, type(np.sum), Generator,
)  # fmt: skip


def _parts(value: Any) -> list[tuple[Any, str]] | None:
    """Return what a callable or a descriptor is made of, with what that adds to its label; None for anything else."""
    if isinstance(value, types.MethodType):
        return [(value.__func__, ""), (value.__self__, ".__self__")]
    if isinstance(value, functools.partial):
        return [(value.func, ""), (value.args, ""), (value.keywords, "")]
    if type(value) in (staticmethod, classmethod):
        return [(value.__func__, "")]
    if type(value) is property:
        return [(each, "") for each in (value.fget, value.fset, value.fdel) if each is not None]
    if isinstance(value, (Wrapper, _CACHED)):
        return [(value.__wrapped__, "")]
    return None


def _equal(found: Any, expected: Any) -> bool:
    """Return whether a plain value is the one it was; anything else has to be the same object."""
    kind = type(found)
    if kind is not type(expected) or not is_plain(found):
        if kind is types.MethodType and type(expected) is kind:
            return found.__func__ is expected.__func__ and found.__self__ is expected.__self__
        return kind is frozenset and type(expected) is kind and found == expected
    return repr(found) == repr(expected)


def _ours_or_builtin(kind: type) -> bool:
    root = home(kind).partition(".")[0]
    return root in ("dyncore", "numpy") or root in sys.stdlib_module_names


def _library(names: dict[str, Any]) -> bool:
    root = str(names.get("__name__", "")).partition(".")[0]
    return root == "numpy" or root in sys.stdlib_module_names
