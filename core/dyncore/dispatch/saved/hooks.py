"""Hooks that pack saved values, and unpack them before a node runs."""

from __future__ import annotations

from typing import Any

from dyncore.graph import versions
from dyncore.graph.modes import _mode, changed, current
from dyncore.graph.names import own_class
from dyncore.graph.node import FREED, AccumulateGrad, edge_of
from dyncore.graph.running import running
from dyncore.tensors.tensor import Tensor, storage, wrap

from .changed import ARRAYS, second_time


class Packed:
    """Result of a pack hook for a saved array, with the unpack hook."""

    __slots__ = ("value", "unpack_hook")

    def __init__(self, array: Any, pack: Any, unpack: Any, edge: Any = None, tensor: Any = None) -> None:
        leaf = edge.variable if edge.__class__ is AccumulateGrad else None
        given = tensor
        if given is None:
            given = leaf if leaf is not None and leaf._array is array else wrap(array, edge)
        before = given._version
        token = _mode.set(changed(current(), grad=False, hooks=()))
        try:
            self.value = pack(given)
        finally:
            _mode.reset(token)
        if before != versions.version(storage(given)):
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook "
                "cannot be "
                "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue "
                "if you "
                "need to perform in-place operations on the input to a pack hook."
            )
        self.unpack_hook = unpack

    def unpack(self) -> Any:
        """Return the array again, from the unpack hook."""
        return self.unpacked()._array

    def unpacked(self) -> Any:
        """Return the tensor that the unpack hook gives."""
        found = self.unpack_hook(self.value)
        if not isinstance(found, Tensor):
            raise TypeError(
                f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {_type(found)}"
            )
        return found


def _type(value: Any) -> str:
    return type(value).__name__


def pack_one(node: Any, name: str, value: Any, pack: Any, unpack: Any) -> None:
    """Pack one saved value of `node`, which unpacks before it runs from then on."""
    made = Packed(value, pack, unpack, _edge(node, name, None))
    node.store(name, made)
    kind = type(own_class(node))
    if not getattr(kind, "unpacks", False):
        node.__class__ = _unpacking(kind)


def pack_part(node: Any, name: str, place: int, pack: Any, unpack: Any) -> None:
    """Pack one of several values that `node` saved under one name."""
    values = node.saved()[name]
    made = Packed(values[place], pack, unpack, _edge(node, name, place))
    node.store(name, type(values)([made if n == place else each for n, each in enumerate(values)]))
    if not getattr(type(own_class(node)), "unpacks", False):
        node.__class__ = _unpacking(type(node))


def _edge(node: Any, name: str, number: int | None) -> Any:
    """Return the edge of the tensor that was saved: the node itself for its result."""
    if name.startswith("result") and not node.outputs > 1:
        return node
    return edge_of(node, name, number)


def pack_node(node: Any, numbers: set[str], pack: Any, unpack: Any) -> None:
    """Pack every array that `node` saved, except those made of Python numbers."""
    for name, value in node.saved().items():
        if name in numbers:
            continue
        if isinstance(value, ARRAYS):
            pack_one(node, name, value, pack, unpack)
        elif isinstance(value, (list, tuple)) and any(isinstance(each, ARRAYS) for each in value):
            packed = [
                Packed(e, pack, unpack, _edge(node, name, n)) if isinstance(e, ARRAYS) else e
                for n, e in enumerate(value)
            ]
            node.store(name, type(value)(packed))
            if not getattr(type(own_class(node)), "unpacks", False):
                node.__class__ = _unpacking(type(node))


_classes: dict[type, type] = {}


def _unpacking(kind: Any) -> type:
    """Return a subclass of a node class whose nodes unpack what they saved before they run."""
    found = _classes.get(kind)
    if found is not None:
        return found

    def run(self: Any, grad: Any, keep: bool) -> Any:
        return _unpacked(self, kind.run, grad, keep)

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        return _unpacked(self, kind.run_tensors, grad, keep)

    own = {"__slots__": (), "unpacks": True, "quiet": False, "__module__": "dyncore"}
    made = _classes[kind] = type(kind.__name__, (kind,), {**own, "run": run, "run_tensors": run_tensors})
    return made


def _unpacked(node: Any, run: Any, grad: Any, keep: bool) -> Any:
    task = running.get()
    if task is not None:
        task.node = node
    packed = node.saved()
    if any(value is FREED for value in packed.values()):
        raise second_time(node)
    for name, value in packed.items():
        if isinstance(value, Packed):
            node.store(name, value.unpack())
        elif isinstance(value, (list, tuple)) and any(isinstance(each, Packed) for each in value):
            node.store(name, type(value)([e.unpack() if isinstance(e, Packed) else e for e in value]))
    try:
        return run(node, grad, True)
    finally:
        for name, value in packed.items():
            node.store(name, value)
        if not keep:
            node.release()
