"""The arguments of a call as a key that says when a recording fits, the tensors in them, and their text for people."""

from __future__ import annotations

import types
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from dyncore.errors.torch_names import home
from dyncore.graph.modes import current
from dyncore.graph.node import AccumulateGrad
from dyncore.nn.module import Module
from dyncore.tensors.tensor import Tensor

from .guards import ANY, in_c, is_plain, reads_all

ndarray = np.ndarray


class Unfit(Exception):
    """An argument of a kind that is not recorded; the text says which."""


class Arguments:
    """Flattens arguments.

    tensors: those found, each once.  objects: what is compared by identity.  parts: containers and objects that are
    compared by what they hold.
    """

    __slots__ = ("tensors", "objects", "parts", "names", "seen")

    def __init__(self, names: set[str]) -> None:
        self.tensors: list[Any] = []
        self.objects: list[Any] = []
        self.parts: list[Any] = []
        self.names = names
        self.seen: dict[int, int] = {}

    def key(self, value: Any) -> Any:
        """Return a hashable description of `value` in which equal means: the same recording fits."""
        kind = type(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if is_plain(value):
            return kind, repr(value) if isinstance(value, (float, complex, slice, range, np.generic)) else value
        if id(value) in self.seen:
            return "again", self.seen[id(value)]
        self.seen[id(value)] = len(self.seen)
        if isinstance(value, Enum):
            return kind, value.name
        self.parts.append(value)
        if kind is list or kind is tuple:
            return kind, tuple([self.key(each) for each in value])
        if kind is dict:
            return kind, tuple([(self.key(name), self.key(each)) for name, each in value.items()])
        if isinstance(value, tuple) and hasattr(value, "_fields") and not getattr(value, "__dict__", None):
            return kind, tuple([self.key(each) for each in value])
        if isinstance(value, (Module, types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)):
            self.parts.pop()
            self.objects.append(value)
            if isinstance(value, types.MethodType):
                return "method", id(value.__func__), id(value.__self__)
            return "object", id(value)
        own = getattr(value, "__dict__", None)
        if (
            own is None
            or home(kind).partition(".")[0] == "dyncore"
            or in_c(kind)
            or any(each.__dict__.get("__slots__") for each in kind.__mro__)
        ):
            raise Unfit(f"an argument is a {kind.__name__}")
        every = reads_all(value, self.names)
        named = [(name, self.key(each)) for name, each in own.items() if every or name in self.names]
        self.objects.append(kind)
        return kind, len(own), tuple(named)

    def one(self, tensor: Any) -> Any:
        """Return the key of the only argument, a Tensor."""
        self.tensors.append(tensor)
        if tensor.__dict__:
            self._check_attributes(tensor)
        return tensor_key(tensor)

    def _check_attributes(self, tensor: Any) -> None:
        if ANY in self.names or not self.names.isdisjoint(tensor.__dict__):
            raise Unfit("a tensor has attributes of its own that the function names")

    def _tensor(self, tensor: Any) -> Any:
        found = self.seen.get(id(tensor))
        if found is not None:
            return "again", found
        self.seen[id(tensor)] = len(self.seen)
        self.tensors.append(tensor)
        if tensor.__dict__:
            self._check_attributes(tensor)
        return tensor_key(tensor)


def tensor_key(tensor: Any) -> Any:
    """Return what a recording takes for granted of a tensor from outside.  Raises Unfit for one that is special."""
    array = tensor._array
    edge = tensor._edge
    if tensor._meta is not None:
        special(tensor)
    if array.__class__ is ndarray:
        return (tensor.__class__, array.shape, array.strides, array.dtype,
                edge is not None and (1 if edge.__class__ is AccumulateGrad else 2))  # fmt: skip
    return tensor.__class__, array.__class__, edge is not None and (1 if edge.__class__ is AccumulateGrad else 2)


def special(tensor: Any) -> None:
    """Raise Unfit for a tensor whose flags change what ops do with it."""
    meta = tensor._meta
    if meta.inference:
        raise Unfit("a tensor was made under `inference_mode`")
    if meta.untracked:
        raise Unfit("a tensor comes from `.data`")
    if meta.tangent is not None:
        raise Unfit("a tensor has a tangent")
    if tensor._edge is None and meta.base is not None and meta.base._edge is not None:
        raise Unfit("a tensor is a view whose history is not settled")


_EMPTY: dict[str, Any] = {}


class Described(NamedTuple):
    """The arguments for people.  texts: what each is, by its label.  names: of the tensors, by identity."""

    texts: dict[str, str]
    names: dict[int, str]


def described(function: Any, args: Any, kwargs: Any, used: set[str]) -> Described:
    """Describe each argument by the parameter's name where there is one."""
    names: list[str] = []
    code = getattr(getattr(function, "forward", function), "__code__", None)
    if code is not None:
        names = list(code.co_varnames[: code.co_argcount])
        if isinstance(getattr(function, "forward", None), types.MethodType):
            names = names[1:]
    found: dict[str, str] = {"grad mode": "on" if current().grad else "off"}
    names_of: dict[int, str] = {}
    for number, each in enumerate(args):
        _describe(each, f"`{names[number]}`" if number < len(names) else f"argument {number}", found, names_of, used)
    for name, each in kwargs.items():
        _describe(each, f"`{name}`", found, names_of, used)
    return Described(found, {number: name.replace("`", "") for number, name in names_of.items()})


def _describe(value: Any, label: str, found: dict[str, str], names_of: dict[int, str], used: set[str]) -> None:
    if len(found) > 50:
        return
    if isinstance(value, Tensor):
        names_of.setdefault(id(value), label)
        try:
            found[label] = describe_key(tensor_key(value))
        except Unfit as error:
            found[label] = str(error)
    elif isinstance(value, (list, tuple)):
        found[label] = f"a {type(value).__name__} of {len(value)}"
        for number, each in enumerate(value):
            _describe(each, f"{label}[{number}]", found, names_of, used)
    elif isinstance(value, dict):
        found[label] = f"a dict of {len(value)}"
        for key, each in value.items():
            _describe(each, f"{label}[{key!r}]", found, names_of, used)
    elif isinstance(value, (int, float, bool, str, complex, type(None))):
        found[label] = repr(value)[:80]
    else:
        found[label] = f"a {type(value).__name__}"
        if not isinstance(value, (Module, type, types.FunctionType, types.MethodType)):
            for name, each in getattr(value, "__dict__", _EMPTY).items():
                if name in used:
                    _describe(each, f"{label}.{name}", found, names_of, used)


def describe_key(key: Any) -> str:
    """Return the key of a tensor for people."""
    if len(key) == 3:
        kind, scalar, grad = key
        text = f"{np.dtype(scalar).name} []"
    else:
        kind, shape, strides, dtype, grad = key
        text = f"{dtype.name} {list(shape)}"
        if strides != np.empty(shape, dtype).strides if np.prod(shape) < 1 << 16 else False:
            text += f" with strides {[s // dtype.itemsize for s in strides]}"
    text += {False: "", 1: ", a leaf that requires grad", 2: ", computed and requires grad"}[grad]
    return text if kind is Tensor else f"{kind.__name__} {text}"
