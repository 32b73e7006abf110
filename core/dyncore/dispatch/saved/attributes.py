"""The attributes `grad_fn._saved_*` and `grad_fn._raw_saved_*` of nodes."""

from __future__ import annotations

from typing import Any

from dyncore.graph import versions
from dyncore.graph.node import FREED, Node
from dyncore.tensors.set_data import follow, since

from .changed import ARRAYS, modified, origin_of, second_time
from .hooks import Packed
from .names import OF_OP, PRODUCTS, TORCH_NAMES, own_name, torch_name
from .packed import saved_indices, saved_tensor
from .shown import HIDDEN, as_saved, shown, unsigned


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
            raise modified(node, value, found, origin_of(node, own, found, value))
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


def raw_saved_attribute(node: Node, name: str) -> Any:
    """Return the `SavedTensor` behind `grad_fn._raw_saved_NAME`."""
    if name == "indices" and node.name() == "IndexBackward0":
        if node.saved()["index"] is FREED:
            raise second_time(node)
        return saved_indices(node)
    own = own_name(node, name)
    if own is None:
        raise AttributeError(f"'{node.name()}' object has no attribute '_raw_saved_{name}'")
    return saved_tensor(None, node, own)


def seen_names(node: Node) -> list[str]:
    """Return the names `_saved_*` and `_raw_saved_*` of what the node has saved, as PyTorch calls it."""
    made = shown(node.op.name) if node.op is not None else {}
    saved = node.saved()
    found = {name: value for own, value in saved.items() if (name := torch_name(node, own)) not in made}
    freed = any(value is FREED for value in saved.values())
    computed = [name for name, value in made.items() if freed or value(node, saved) is not HIDDEN]
    names = {f"_saved_{name}" for name in (*found, *computed)}
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
