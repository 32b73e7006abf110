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

from . import versions
from .graph import AccumulateGrad, next_rank
from .nowhere import NOWHERE
from .tensor import Tensor, storage


class Move:
    """That the tensor led to by `edge` has the array `after` since `rank`; `before` keeps what it had alive, or not."""

    __slots__ = ("before", "after", "edge", "rank")

    def __init__(self, before: Any, after: Any, edge: Any, rank: int) -> None:
        self.before = before
        self.after = after
        self.edge = edge
        self.rank = rank


_moves: dict[int, Move] = {}  # by the id of the array before
_arrivals: dict[int, tuple[int, Any]] = {}  # by the id of the array after: when it came, and a reference to it


def replace_data(tensor: Tensor, value: Any) -> None:
    """Lets `tensor` see the memory of `value`."""
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    if tensor._edge is not None and value._array.dtype.kind not in "fc":
        raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
    before = tensor._array
    tensor._array = after = storage(value).view()
    versions.carry(before, after, tensor._meta is not None and bool(tensor._meta.views))
    if tensor._edge.__class__ is AccumulateGrad and tensor._edge is not NOWHERE:
        tensor._edge.memory = after
    if getrefcount(before) > 2:  # somebody else's than ours here: perhaps a node's
        _note(before, after, tensor._edge)


def _note(before: Any, after: np.ndarray[Any, Any], edge: Any) -> None:
    rank = versions.newest = next_rank()
    key, new = id(before), id(after)
    if before.__class__ is np.ndarray:
        held = weakref.ref(before, _out_of(_moves, key))
    else:  # a scalar, to which there are no references that do not keep it
        for each in [k for k, m in _moves.items() if isinstance(m.before, np.generic) and getrefcount(m.before) == 2]:
            del _moves[each]
        held = before
    _moves[key] = Move(held, after, edge, rank)
    _arrivals[new] = rank, weakref.ref(after, _out_of(_arrivals, new))


def _out_of(table: dict[int, Any], key: int) -> Callable[[object], object]:
    """Returns what takes a key out of a table, also while Python ends and this module's names are gone."""
    return lambda _: table.pop(key, None)


def follow(node: Any) -> None:
    """Gives `node` what the tensors that it saved have now."""
    if not _moves or node.op is None:
        return
    from .replay import edge_of

    for name, value in node.saved().items():
        if name.startswith("result") or (node.op.name, name) == ("linear", "weight"):
            continue  # of an output PyTorch saves the values, of the weight a transposed view
        found = value
        while (move := _moves.get(id(found))) and move.rank < node.rank and edge_of(node, name, None) is move.edge:
            found = move.after
        if found is not value:
            node.store(name, found)


def since(array: Any, rank: int) -> int:
    """From when on a write into what a node of `rank` saved is one that spoils it."""
    arrived = _arrivals.get(id(array))
    return rank if arrived is None else min(rank, arrived[0])
