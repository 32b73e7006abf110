"""The lines of an entry that ask whether a call's arguments are like those recorded.

They say yes to what `Arguments.key` gives the same key for, but no to some of it: keys of dicts and attributes have to
be the same strings, tensors must not have attributes, numbers that compare equal and are not alike have to be the same
object.  What they say no to is asked again by way of the key.
"""

from __future__ import annotations

import types
from enum import Enum
from typing import Any

import numpy as np

from dyncore.graph.node import AccumulateGrad
from dyncore.nn.module import Module
from dyncore.tensors.tensor import Tensor

from ..arguments import Unfit, special
from ..world import ANY, PLAIN
from .quick import Expression

MOST_NODES = 500
_FIXED = (Module, types.FunctionType, types.BuiltinFunctionType, type)


class Unasked(Exception):
    """These arguments are compared by their key alone."""


class Asking:
    """lines: what is asked.  tensors: (the name of a tensor, the tensor), in the order in which `Arguments` has them.

    Each container and object has to be met once where it was met once, and must not be one that the function reaches
    by a name.
    """

    def __init__(self, made: Expression, names: set[str]) -> None:
        self.made = made
        self.lines: list[str] = []
        self.tensors: list[tuple[str, Any]] = []
        self._names = names
        self._parts: list[str] = []
        self._seen: dict[int, str] = {}
        self._count = 0
        self._alone: Any = None  # the only argument that is no tensor and no number

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any], known: dict[int, Any], seen: set[int]) -> None:
        """Asks for all arguments.  known: tensors that the function reaches by a name, seen: whatever it reaches so."""
        others = [each for each in (*args, *kwargs.values()) if not isinstance(each, (*PLAIN, Tensor))]
        self._alone = others[0] if len(others) == 1 else None
        self._miss(f"len(args) != {len(args)}")
        self._each("args", args)
        if kwargs:
            self._keys("kwargs", kwargs)
            self._each("kwargs.values()", tuple(kwargs.values()))
        tensors = [name for name, _ in self.tensors]
        self._apart(tensors)
        if known:
            self.made.names["known"] = known
            self._miss(" or ".join(f"id({name}) in known" for name in tensors))
        self._apart(self._parts)
        if self._parts:
            self.made.names["seen"] = seen
            self._miss(" or ".join(f"id({name}) in seen" for name in self._parts))

    def _miss(self, test: str) -> None:
        if test:
            self.lines.append(f"if {test}: return MISS")

    def _apart(self, names: list[str]) -> None:
        """Asks that no two are the same object."""
        if len(names) < 4:
            self._miss(" or ".join(f"{a} is {b}" for n, a in enumerate(names) for b in names[:n]))
        else:
            self._miss(f"len({{{', '.join(f'id({name})' for name in names)}}}) != {len(names)}")

    def _name(self) -> str:
        self._count += 1
        if self._count > MOST_NODES:
            raise Unasked
        return f"c{self._count}"

    def _each(self, text: str, values: tuple[Any, ...]) -> None:
        """Names the elements of an iterable of known length, then asks for each."""
        if not values:
            return
        names = [self._name() for _ in values]
        self.lines.append(f"({''.join(f'{name}, ' for name in names)}) = {text}")
        for name, value in zip(names, values, strict=True):
            self._value(name, value)

    def _keys(self, name: str, given: dict[Any, Any]) -> None:
        if any(key.__class__ is not str for key in given):
            raise Unasked
        self._miss(f"len({name}) != {len(given)}")
        if given:
            keys = [self._name() for _ in given]
            self.lines.append(f"({''.join(f'{key}, ' for key in keys)}) = {name}")
            same = zip(keys, given, strict=True)
            self._miss(" or ".join(f"{key} is not {self.made.name(each)}" for key, each in same))

    def _value(self, name: str, value: Any) -> None:
        kind = value.__class__
        if isinstance(value, PLAIN) and not isinstance(value, (Tensor, Enum)):
            own = self.made.name(value)
            alike = kind in (int, str) or (kind is float and value == value and value != 0)
            equal = f" and ({name}.__class__ is not {kind.__name__} or {name} != {own})" if alike else ""
            self._miss(f"{name} is not {own}{equal}")
            return
        if id(value) in self._seen:
            self._miss(f"{name} is not {self._seen[id(value)]}")
            return
        self._seen[id(value)] = name
        if isinstance(value, Tensor):
            self._tensor(name, value)
        elif isinstance(value, (Enum, *_FIXED)):
            self._miss(f"{name} is not {self.made.name(value)}")
        elif isinstance(value, types.MethodType):
            whose = f"{name}.__self__ is not {self.made.name(value.__self__)}"
            what = f"{name}.__func__ is not {self.made.name(value.__func__)}"
            self._miss(f"{name}.__class__ is not {self.made.name(kind)} or {what} or {whose}")
        elif kind is tuple and unchanging(value):
            self._numbers(name, value)
        else:
            self._parts.append(name)
            self._container(name, value, kind)

    def _numbers(self, name: str, value: tuple[Any, ...]) -> None:
        """A tuple of numbers: the very same one, as its key takes 1 us a node (bench, tree), or one that is equal."""
        own = self.made.name(value)
        before = self.lines, self._parts, self._count
        self.lines, self._parts = [], [name]
        try:
            if self._alone is not value:  # what stands in it may stand elsewhere, too
                raise Unasked
            self._container(name, value, tuple)
            self._apart(self._parts)
            lines = [f"if {name} is not {own}:", *(f"    {line}" for line in self.lines)]
        except Unasked:
            self._count = before[2]
            lines = [f"if {name} is not {own}: return MISS"]
        self.lines, self._parts = before[0] + lines, before[1]

    def _container(self, name: str, value: Any, kind: Any) -> None:
        own = self.made.name(kind)
        if kind is dict:
            self._miss(f"{name}.__class__ is not {own}")
            self._keys(name, value)
            self._each(f"{name}.values()", tuple(value.values()))
        elif kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(value, "_fields")):
            self._miss(f"{name}.__class__ is not {own} or len({name}) != {len(value)}")
            self._each(name, tuple(value))
        else:
            self._object(name, value, kind)

    def _object(self, name: str, value: Any, kind: Any) -> None:
        """An object is compared by the attributes whose names are in use."""
        own = getattr(value, "__dict__", None)
        ours = kind.__module__.partition(".")[0] == "dyncore"
        if own is None or ours or isinstance(value, (dict, list, tuple, set, types.ModuleType)):
            raise Unasked
        self._miss(f"{name}.__class__ is not {self.made.name(kind)}")
        attributes = self._name()
        self.lines.append(f"{attributes} = {name}.__dict__")
        self._keys(attributes, own)
        if own:
            names = [self._name() for _ in own]
            self.lines.append(f"({''.join(f'{each}, ' for each in names)}) = {attributes}.values()")
            for each, (key, held) in zip(names, own.items(), strict=True):
                if key in self._names or ANY in self._names:
                    self._value(each, held)

    def _tensor(self, name: str, tensor: Any) -> None:
        n = len(self.tensors)
        self.tensors.append((name, tensor))
        array, edge = tensor._array, tensor._edge
        kind = self.made.name(tensor.__class__)
        self.made.names["odd"] = odd
        self._miss(f"{name}.__class__ is not {kind} or {name}._meta is not None and odd({name}) or {name}.__dict__")
        self.lines += [f"a{n} = {name}._array", f"e{n} = {name}._edge"]
        tests = [f"a{n}.__class__ is not {self.made.name(array.__class__)}"]
        if array.__class__ is np.ndarray:
            tests += [f"a{n}.dtype is not {self.made.name(array.dtype)}", f"a{n}.shape != {array.shape!r}"]
            tests.append(f"a{n}.strides != {array.strides!r}")
        if edge is None:
            tests.append(f"e{n} is not None")
        elif edge.__class__ is AccumulateGrad:
            tests.append(f"e{n}.__class__ is not AccumulateGrad")
        else:
            tests.append(f"e{n} is None or e{n}.__class__ is AccumulateGrad")
        self._miss(" or ".join(tests))


def odd(tensor: Any) -> bool:
    """Whether a tensor's flags keep it from being replayed."""
    try:
        special(tensor)
    except Unfit:
        return True
    return False


def unchanging(value: Any) -> bool:
    """Whether the very same object is always the same value: a number, a text, or a tuple of such."""
    stack, count = [value], 0
    while stack:
        each = stack.pop()
        count += 1
        if each.__class__ is tuple:
            stack += each
        elif each.__class__ not in (int, float, bool, str, type(None)) or count > 10_000:
            return False
    return True
