"""The arguments of a call as a key that says when a recording fits, and the tensors in them."""

from __future__ import annotations

import types
from typing import Any

from dyncore.compiled.world import PLAIN
from dyncore.graph import AccumulateGrad
from dyncore.nn.module import Module
from dyncore.tensor import Tensor

ndarray = __import__("numpy").ndarray


class Unfit(Exception):
    """An argument of a kind that is not recorded; the text says which."""


class Arguments:
    """Flattens arguments.  tensors: those found, each once.  objects: what is compared by identity."""

    __slots__ = ("tensors", "objects", "names", "_seen")

    def __init__(self, names: set[str]) -> None:
        self.tensors: list[Any] = []
        self.objects: list[Any] = []
        self.names = names
        self._seen: dict[int, int] = {}

    def key(self, value: Any) -> Any:
        """A hashable description of `value` in which equal means: the same recording fits."""
        kind = type(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if kind is float or kind is complex:
            return kind, repr(value)
        if isinstance(value, PLAIN):
            return kind, repr(value) if kind in (slice, range) else value
        if id(value) in self._seen:
            return "again", self._seen[id(value)]
        self._seen[id(value)] = len(self._seen)
        if kind is list or kind is tuple:
            return kind, tuple([self.key(each) for each in value])
        if kind is dict:
            return kind, tuple([(self.key(name), self.key(each)) for name, each in value.items()])
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return kind, tuple([self.key(each) for each in value])
        if isinstance(value, (Module, types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)):
            self.objects.append(value)
            if isinstance(value, types.MethodType):
                return "method", id(value.__func__), id(value.__self__)
            return "object", id(value)
        own = getattr(value, "__dict__", None)
        if (
            own is None
            or kind.__module__.partition(".")[0] == "dyncore"
            or isinstance(value, (dict, list, set, types.ModuleType))
        ):
            raise Unfit(f"an argument is a {kind.__name__}")
        named = [(name, self.key(each)) for name, each in own.items() if name in self.names]
        self.objects.append(kind)
        return kind, len(own), tuple(named)

    def _tensor(self, tensor: Any) -> Any:
        found = self._seen.get(id(tensor))
        if found is not None:
            return "again", found
        self._seen[id(tensor)] = len(self._seen)
        self.tensors.append(tensor)
        return tensor_key(tensor)


def tensor_key(tensor: Any) -> Any:
    """What a recording takes for granted of a tensor from outside.  Raises Unfit for one that is special."""
    array = tensor._array
    edge = tensor._edge
    if tensor._meta is not None:
        special(tensor)
    if array.__class__ is ndarray:
        return (tensor.__class__, array.shape, array.strides, array.dtype,
                edge is not None and (1 if edge.__class__ is AccumulateGrad else 2))  # fmt: skip
    return tensor.__class__, array.__class__, edge is not None and (1 if edge.__class__ is AccumulateGrad else 2)


def special(tensor: Any) -> None:
    """Raises Unfit for a tensor whose flags change what ops do with it."""
    meta = tensor._meta
    for name in ("inference", "untracked"):
        if getattr(meta, name):
            raise Unfit(f"a tensor is {name}")
    if meta.tangent is not None:
        raise Unfit("a tensor has a tangent")
    if tensor._edge is None and meta.base is not None and meta.base._edge is not None:
        raise Unfit("a tensor is a view whose history is not settled")
