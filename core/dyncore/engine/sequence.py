"""Nodes that were given another number in the sequence of ops: backward runs those with larger numbers first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from typing import Any
from weakref import WeakKeyDictionary

from dyncore.graph.node import AccumulateGrad, Output

_numbers: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
used = False  # whether any node ever was given a number: what a backward asks


def number(node: Any) -> int:
    """Return the node's place among the ops, PyTorch's `_sequence_nr`: larger for later ones, largest for leaves."""
    found = _numbers.get(node) if used else None
    if found is not None:
        return found
    return 2**64 - 1 if isinstance(node, AccumulateGrad) else -node.rank


def set_number(node: Any, value: Any) -> None:
    """Give `node` another place; it still runs only once its gradient is complete."""
    global used
    if not isinstance(value, int):
        raise TypeError("an integer is required")
    if value < 0:
        raise OverflowError("can't convert negative int to unsigned")
    if value >= 2**64:
        raise OverflowError("int too big to convert")
    _numbers[node] = value
    used = True


@contextmanager
def ordered(start: list[tuple[Any, Any]]) -> Iterator[None]:
    """Inside the block the ages of the nodes behind `start` are those that backward's order wants."""
    nodes = _reached([edge for edge, _ in start])
    if not any(node in _numbers for node in nodes):
        yield
        return
    before = {node: node.rank for node in nodes}
    for node, rank in zip(_order(nodes), sorted(before.values()), strict=True):
        node.rank = rank
    try:
        yield
    finally:
        for node, rank in before.items():
            node.rank = rank


def _reached(edges: list[Any]) -> list[Any]:
    found: dict[Any, None] = {}
    while edges:
        edge = edges.pop()
        if edge is not None and edge not in found:
            found[edge] = None
            edges.extend(edge.edges())
    return list(found)


def _order(nodes: list[Any]) -> list[Any]:
    """Return the nodes, each after all that lead to it, otherwise by their numbers, the largest first."""
    waiting = dict.fromkeys(nodes, 0)
    for node in nodes:
        for each in node.edges():
            if each is not None:
                waiting[each] += 1
    ready: list[tuple[float, int, Any]] = []
    for node, count in waiting.items():
        if not count:
            heappush(ready, (_turn(node), node.rank, node))
    found = []
    while ready:
        node = heappop(ready)[2]
        found.append(node)
        for each in node.edges():
            if each is not None:
                waiting[each] -= 1
                if not waiting[each]:
                    heappush(ready, (_turn(each), each.rank, each))
    return found


def _turn(node: Any) -> float:
    """Return the order of leaves and outputs of nodes, which come up at once."""
    return float("-inf") if isinstance(node, (AccumulateGrad, Output)) else -number(node)
