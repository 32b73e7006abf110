"""Saved values seen from outside: the errors for freed and changed ones, hooks on them, and `grad_fn._saved_*`."""

from __future__ import annotations

import gc
import re
from typing import Any

import numpy as np

from dyncore.errors.notes import with_notes
from dyncore.graph import versions
from dyncore.graph.names import own_class
from dyncore.graph.node import FREED, AccumulateGrad, Node, edge_of
from dyncore.graph.running import running
from dyncore.tensors.set_data import follow, since

from .names import OF_OP, PRODUCTS, TORCH_NAMES, own_name, torch_name
from .shown import HIDDEN, hidden, shown, unsigned

_SUFFIX = r"Backward\d*$"
ARRAYS = (np.ndarray, np.generic)


def second_time(node: Node) -> RuntimeError:
    """Return the error for a backward through values that an earlier one has freed."""
    from dyncore.graph.running import freed_at

    first = freed_at(node)
    notes = [f"the node {node.name()} was made at {node.place}"]
    if first is not None:
        notes.append(f"its saved values were freed by the backward at {first}")
    notes.append("hint: pass `retain_graph=True` to the first backward, or compute the value anew before the second")
    return with_notes(
        RuntimeError(
            "Trying to backward through the graph a second time (or directly access saved tensors after they have "
            "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
            "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
            "you need to access saved tensors after calling backward."
        ),
        *notes,
    )


def check_unchanged(node: Node) -> None:
    """Raise RuntimeError if a value that `node` saved was written in place since."""
    follow(node)
    if node.unseen and not any(versions.noted(each) for each in node.arrays()):
        return  # a seventh of what follows
    for name, value in node.saved().items():
        for array in value if isinstance(value, (list, tuple)) else (value,):
            if not isinstance(array, ARRAYS):
                continue
            other = versions.apart_stamps.get(id(array)) if versions.apart_stamps else None
            if other is not None:
                if other.ranks and other.ranks[-1] < node.rank:
                    raise modified(node, array, other, "")
                continue
            found = versions.stamps(array)
            if found is None:
                continue
            if found.ranks and found.ranks[-1] < since(array, node.rank):
                raise modified(node, array, found, _origin(node, name, found, array))
            if found.detached is not None and found.detached[0] < node.rank and id(array) in found.detached[1]:
                _check_attached(node, name)


def _check_attached(node: Node, name: str) -> None:
    """Raise RuntimeError for an input of `node` that was cut off its history in place since."""
    if not name.startswith("result") and edge_of(node, name, None) is not None:
        raise RuntimeError(
            "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not "
            "supported, please use out-of-place `.detach()` instead"
        )


def modified(node: Node, array: Any, found: versions.Stamps, origin: str) -> RuntimeError:
    """Return the error for a saved value that was written in place since."""
    from dyncore.dtypes import dtypes
    from dyncore.graph.modes import current

    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in question "
        "was changed in there or anywhere later. Good luck!"
        if current().anomaly
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    kind = f"torch.{dtypes.of(array.dtype).title}Tensor {list(array.shape)}"
    return with_notes(
        RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{kind}]{origin}{',' * bool(origin)} is at version {found.count()}; expected version "
            f"{found.before(node.rank)} instead. Hint: {hint}"
        ),
        f"saved by {node.name()} at {node.place}",
        f"modified at {found.last_place}",
    )


def _origin(node: Node, name: str, found: versions.Stamps, array: Any) -> str:
    through_view = found.title is not None and found.title[0].endswith("CopySlices") and id(array) != found.title[1]
    if name.startswith("result") and not through_view:
        return f", which is output {name[6:] or 0} of {short_name(node)}"
    if found.title is not None:
        title, written, rank = found.title
        whole = id(array) == written or not (array.ndim or rank)
        return f", which is output 0 of {re.sub(_SUFFIX, '', title) if whole else 'AsStrided'}"
    edge = edge_of(node, name, None)
    if edge is not None and edge.node.op is not None and edge.node.op.view:
        return ", which is output 0 of AsStrided"  # as views are that were written since
    return describe(edge)


def describe(edge: Any) -> str:
    """Return `, which is output 0 of Mul` for a computed tensor; nothing for a leaf."""
    if edge is None or edge.node.title == "AccumulateGrad":
        return ""
    return f", which is output {edge.index} of {short_name(edge.node)}"


def short_name(node: Node) -> str:
    """Return `Mul` for `MulBackward0`, as PyTorch writes nodes in messages."""
    return re.sub(_SUFFIX, "", node.name())


class Packed:
    """Result of a pack hook for a saved array, with the unpack hook."""

    __slots__ = ("value", "unpack_hook")

    def __init__(self, array: Any, pack: Any, unpack: Any, edge: Any = None, tensor: Any = None) -> None:
        from dyncore.graph.modes import _mode, changed, current
        from dyncore.tensors.tensor import storage, wrap

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
        from dyncore.tensors.tensor import Tensor

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


def saved_attribute(node: Node, name: str) -> Any:
    """Return the value of `grad_fn._saved_NAME`: a Tensor for an array, else what was given."""
    made = shown(node.op.name).get(name)
    if made is not None:
        return _shown(node, name, made)
    follow(node)
    own = own_name(node, name)
    if own is None:
        raise AttributeError(f"'{node.name()}' object has no attribute '_saved_{name}'")
    value = node.saved()[own]
    if value is FREED:
        raise second_time(node)
    if isinstance(value, Packed):
        value = value.unpack()
    elif isinstance(value, ARRAYS) and versions.newest < node.rank:
        found = versions.stamps(value)
        if found is not None and found.ranks and found.ranks[-1] < since(value, node.rank):
            raise modified(node, value, found, _origin(node, own, found, value))
    else:
        value = unsigned(name, value)
    return as_saved(node, own, value)


def _shown(node: Node, name: str, made: Any) -> Any:
    saved = node.saved()
    if any(value is FREED for value in saved.values()):
        raise second_time(node)
    value = made(node, saved)
    if value is HIDDEN:
        raise AttributeError(f"'{node.name()}' object has no attribute '_saved_{name}'")
    return unsigned(name, value)


def as_saved(node: Node, own: str, value: Any) -> Any:
    """Return what `node` saved as `own`, as PyTorch shows it: the tensors that were saved, where they still live."""
    from ..higher_order import wrap_saved

    if isinstance(value, list):
        return tuple(_original(each) for each in wrap_saved(node, own, value))
    made = wrap_saved(node, own, value)
    return made if own.startswith("result") else _original(made)


def _original(made: Any) -> Any:
    """Return the living tensor with the array and the edge of `made`, else `made`; other values as they are.

    Nodes hold arrays, not tensors, so the tensor is found by who refers to the array: slow, and only for who looks.
    """
    from dyncore.tensors.tensor import Tensor

    if not isinstance(made, Tensor):
        return made
    edge = made._edge
    if edge.__class__ is AccumulateGrad:
        leaf = edge.ref()
        return leaf if leaf is not None and leaf._array is made._array else made
    for each in gc.get_referrers(made._array):
        if isinstance(each, Tensor) and each is not made and each._array is made._array and each._edge is edge:
            return each
    return made


def raw_saved_attribute(node: Node, name: str) -> Any:
    """Return the `SavedTensor` behind `grad_fn._raw_saved_NAME`."""
    from .packed import saved_indices, saved_tensor

    if name == "indices" and node.name() == "IndexBackward0":
        if node.saved()["index"] is FREED:
            raise second_time(node)
        return saved_indices(node)
    own = own_name(node, name)
    if own is None:
        raise AttributeError(f"'{node.name()}' object has no attribute '_raw_saved_{name}'")
    return saved_tensor(None, node, own)


def seen_names(node: Node) -> list[str]:
    """Return the names `_saved_*` and `_raw_saved_*` that PyTorch's node of this name has."""
    made = shown(node.op.name) if node.op is not None else {}
    saved = node.saved()
    without = hidden(node.op.name, node.name()) if node.op is not None else frozenset()
    unseen = made.keys() | without
    found = {name: value for own, value in saved.items() if (name := torch_name(node, own)) not in unseen}
    freed = any(value is FREED for value in saved.values())
    told = [name for name, value in made.items() if freed or value(node, saved) is not HIDDEN]
    names = {f"_saved_{name}" for name in (*found, *told) if name not in without or name in found}
    raw = {f"_raw_saved_{name}" for name, value in found.items() if isinstance(value, ARRAYS)}
    if "_saved_indices" in names and node.name() == "IndexBackward0":
        raw.add("_raw_saved_indices")
    return sorted(names | raw)


class SavedValue:
    """The attribute `_saved_NAME` or, if `raw`, `_raw_saved_NAME` of a node class."""

    __slots__ = ("name", "raw")

    def __init__(self, name: str, raw: bool) -> None:
        self.name = name
        self.raw = raw

    def __get__(self, node: Any, owner: Any = None) -> Any:
        if node is None:
            return self
        return raw_saved_attribute(node, self.name) if self.raw else saved_attribute(node, self.name)


def saved_values(op: Any) -> dict[str, SavedValue]:
    """Return the attributes of a node class for what nodes of `op` save, by our names and by PyTorch's."""
    names = {*shown(op.name), *OF_OP.get(op.name, {}).values()}
    for own in op.saved_names:
        names.update((own, "indices" if own == "result1" else own))
        if own == "other":
            names.update(PRODUCTS.values())
        short = own.removesuffix("_shape")
        names.add(TORCH_NAMES.get(short, short) + ("_sym_sizes" if short != own else ""))
    saved = {f"_saved_{name}": SavedValue(name, False) for name in names}
    return {**saved, **{f"_raw_saved_{name}": SavedValue(name, True) for name in names}}
