"""`tensor.data = other`: the tensor sees other memory from now on, and so does what was saved of it for backward.

Nodes save arrays, not tensors.  So it is noted which array took which one's place, and a node that is older than that
takes the new one before it runs: nothing is asked while no tensor's data is replaced.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from sys import getrefcount
from typing import Any

import numpy as np

from dyncore.graph import events, versions
from dyncore.graph.known_shape import forget_known_shape
from dyncore.graph.node import DISCARD, AccumulateGrad, extra, next_rank

from .metadata import storage


class Move:
    """Move of the tensor with `edge` from other memory, at `rank`.

    before: the old array, or a reference to it.
    """

    __slots__ = ("before", "tensor", "edge", "rank")

    def __init__(self, before: Any, tensor: Any, rank: int) -> None:
        self.before = before
        self.tensor = weakref.ref(tensor)
        self.edge = tensor._edge
        self.rank = rank

    def after(self) -> Any:
        """Return the array that the tensor has now; None for a tensor that is gone and was no leaf."""
        if self.edge.__class__ is AccumulateGrad and self.edge is not DISCARD:
            return self.edge.memory
        tensor = self.tensor()
        return None if tensor is None else tensor._array


_moves: dict[int, Move] = {}  # by the id of the array before
_arrivals: dict[int, tuple[int, Any]] = {}  # by the id of the array after: when it came, and a reference to it


def replace_data(tensor: Any, value: Any) -> None:
    """Set the memory of `tensor` to that of `value`."""
    if tensor._edge is not None and value._array.dtype.kind not in "fc":
        raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
    if events.listener is not None:
        events.listener.before_data(tensor, value)
    versions.before_change(tensor)
    before = tensor._array
    tensor._array = after = storage(value).view()
    forget_known_shape(tensor)
    versions.carry(before, after, tensor._meta is not None and bool(tensor._meta.views))
    if tensor._edge.__class__ is AccumulateGrad and tensor._edge is not DISCARD:
        tensor._edge.memory = after
        if before.shape != after.shape:
            extra(tensor._edge).reshaped = True
    if getrefcount(before) > 2 or id(before) in _arrivals:  # somebody else has it: perhaps a node
        _note(tensor, before, after)


def _note(tensor: Any, before: Any, after: np.ndarray[Any, Any]) -> None:
    rank = versions.newest = next_rank()
    key, new = id(before), id(after)
    if before.__class__ is np.ndarray:
        held = weakref.ref(before, _out_of(_moves, key))
    else:  # a scalar, to which there are no references that do not keep it
        for each in [k for k, m in _moves.items() if isinstance(m.before, np.generic) and getrefcount(m.before) == 2]:
            del _moves[each]
        held = before
    _moves[key] = Move(held, tensor, rank)
    _arrivals[new] = rank, weakref.ref(after, _out_of(_arrivals, new))


def _out_of(table: dict[int, Any], key: int) -> Callable[[object], object]:
    """Return what takes a key out of a table, also while Python ends and this module's names are gone."""
    return lambda _: table.pop(key, None)


def follow(node: Any) -> None:
    """Give `node` the arrays that the tensors it saved have now."""
    if not _moves or node.op is None:
        return
    from dyncore.graph.node import edge_of

    for name, value in node.saved().items():
        if name.startswith("result") or (node.op.name, name) == ("linear", "weight"):
            continue  # of an output PyTorch saves the values, of the weight a transposed view
        move = _moves.get(id(value))
        if move is not None and move.rank < node.rank and edge_of(node, name, None) is move.edge:
            found = move.after()
            if found is not None:
                node.store(name, found)


def since(array: Any, rank: int) -> int:
    """From when on a write into what a node of `rank` saved is one that spoils it."""
    arrived = _arrivals.get(id(array))
    return rank if arrived is None else min(rank, arrived[0])
