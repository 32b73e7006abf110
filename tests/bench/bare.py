"""An engine with no features: what the same design costs without what PyTorch's semantics ask for.

It has the engine's Tensors, nodes, numbers known as operands, dtypes and shapes looked at, and its backward with a heap
and sums at leaves.  It has no grad modes, lines, hooks, version counters, views, errors of a second backward, listeners
or other dtypes and options.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np
from numpy import ndarray

from dyncore.dtypes.dtypes import F32
from dyncore.dtypes.numbers import known_numbers

next_rank = count(-1, -1).__next__
new = object.__new__
KNOWN = known_numbers((F32, False))


class Leaf:
    """Where a gradient ends."""

    __slots__ = ("grad",)

    def __init__(self) -> None:
        self.grad: Any = None


class Bare:
    """An array and the node that made it."""

    __slots__ = ("_array", "_edge")
    _array: Any
    _edge: Any

    def __init__(self, array: Any) -> None:
        self._array = array
        self._edge = Leaf()

    def backward(self) -> None:
        """Adds the gradients of this tensor to the leaves'."""
        walk(self._edge, np.ones(self._array.shape, self._array.dtype))


class One:
    """A node with one input."""

    __slots__ = ("rank", "e0", "s0", "s1")
    single = True
    rank: int
    e0: Any
    s0: Any
    s1: Any


class Two:
    """A node with two."""

    __slots__ = ("rank", "e0", "e1", "s0", "s1")
    single = False
    rank: int
    e0: Any
    e1: Any
    s0: Any
    s1: Any


class MulOne(One):
    __slots__ = ()

    def run(self, grad: Any) -> Any:
        value = self.s1
        self.s0 = self.s1 = None
        return grad * value


class MulTwo(Two):
    __slots__ = ()

    def run(self, grad: Any) -> Any:
        s0, s1 = self.s0, self.s1
        self.s0 = self.s1 = None
        return (self.e0, grad * s1), (self.e1, grad * s0)


class AddOne(One):
    __slots__ = ()

    def run(self, grad: Any) -> Any:
        return grad


class AddTwo(Two):
    __slots__ = ()

    def run(self, grad: Any) -> Any:
        return (self.e0, grad), (self.e1, grad)


def binary(forward: Any, one: Any, two: Any, saves: bool) -> Any:
    """The operator of one op, as `dyncore.dispatch.entries` makes it."""

    def entry(input: Any, other: Any) -> Any:
        if not isinstance(input, Bare):
            return NotImplemented
        a = input._array
        e0 = input._edge
        if a.dtype is not F32 or type(a) is not ndarray:
            raise TypeError
        kind = type(other)
        if kind is not float and kind is not int and isinstance(other, Bare):
            b = other._array
            e1 = other._edge
            if a.dtype is not b.dtype:
                raise TypeError
            shaped = True
        else:
            b = KNOWN.get(other) if (kind is float or kind is int) and other else None
            if b is None:
                b = KNOWN[other] = np.array(other, F32)
            e1 = None
            shaped = False
        try:
            r = forward(a, b)
        except Exception as error:
            raise RuntimeError from error
        result = new(Bare)
        result._array = r
        result._edge = None
        if e0 is not None or e1 is not None:
            if not shaped:
                node = one()
                node.e0 = e0
                node.s0 = None
                node.s1 = b if saves else None
            elif a.shape != b.shape:
                raise TypeError
            else:
                node = two()
                node.e0 = e0
                node.e1 = e1
                node.s0 = a if saves else None
                node.s1 = b if saves else None
            node.rank = next_rank()
            result._edge = node
        return result

    return entry


def _product(input: Any, other: Any) -> Any:
    return input * other


def _sum(input: Any, other: Any) -> Any:
    return input + other


Bare.__mul__ = binary(_product, MulOne, MulTwo, True)
Bare.__add__ = binary(_sum, AddOne, AddTwo, False)


def walk(node: Any, grad: Any) -> None:
    """The newest node first, as the engine does."""
    waiting: dict[int, list[Any]] = {node.rank: [node, grad, False]}
    heap, leaves = [node.rank], dict[Any, list[Any]]()
    while heap:
        node, grad, _ = waiting.pop(heappop(heap))
        while True:
            result = node.run(grad)
            if node.single:
                edge = node.e0
                if edge.__class__ is Leaf:
                    leaves.setdefault(edge, [0, False])[0] += result
                    break
                if not heap or edge.rank < heap[0]:
                    node, grad = edge, result
                    continue
                push(heap, waiting, edge, result)
                break
            newest = None
            for edge, g in result:
                if edge.__class__ is Leaf:
                    found = leaves.get(edge)
                    if found is None:
                        leaves[edge] = [g, False]
                    elif found[1]:
                        found[0] += g
                    else:
                        found[0] = found[0] + g
                        found[1] = True
                elif newest is None and (not heap or edge.rank < heap[0]):
                    newest, held = edge, g
                else:
                    push(heap, waiting, edge, g)
            if newest is None:
                break
            node, grad = newest, held
    for leaf, (grad, _) in leaves.items():
        leaf.grad = grad if leaf.grad is None else leaf.grad + grad


def push(heap: list[int], waiting: dict[int, list[Any]], edge: Any, grad: Any) -> None:
    """Adds a gradient to what waits for a node."""
    found = waiting.get(edge.rank)
    if found is None:
        waiting[edge.rank] = [edge, grad, False]
        heappush(heap, edge.rank)
    else:
        found[1] = found[1] + grad
