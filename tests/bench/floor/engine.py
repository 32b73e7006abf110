"""An engine with no features: what the same design costs without what PyTorch's semantics ask for.

It has Tensors, a node for each op, numbers known as operands, and a backward with a heap and sums at leaves.
It has no grad modes, lines, hooks, version counters, views, errors of a second backward, listeners, promotion, or
options, and no error of its own: an op that is asked for anything else than the suite needs is simply wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from types import FunctionType
from typing import Any, ClassVar

import numpy as np
from numpy import ndarray

from dyncore.dispatch.outer import Outer, dense
from dyncore.dtypes.dtypes import F32
from dyncore.dtypes.numbers import known_numbers, weak

ranks = iter(range(-1, -(1 << 62), -1))
new = object.__new__
KNOWN, KNOWN_SCALARS = known_numbers((F32, False)), known_numbers((F32, True))
Rule = Callable[[Any, Any], Any]


def own_code(function: Any) -> Any:
    """Return the same closure with a copy of its code, in which CPython keeps what it learns about operands."""
    code, defaults, closure = function.__code__.replace(), function.__defaults__, function.__closure__
    return FunctionType(code, function.__globals__, function.__name__, defaults, closure)


class Tensor:
    """An array, or a NumPy scalar, and the node that made it; methods are added by `ops`."""

    __slots__ = ("_array", "_edge", "_trace")
    _array: Any
    _edge: Any
    _trace: int  # what a recorder calls it; 0 for what no op made

    def backward(self) -> None:
        """Adds the gradients of this tensor to the leaves'."""
        array = self._array
        walk(self._edge, np.ones(array.shape, array.dtype) if type(array) is ndarray else array.dtype.type(1))

    @property
    def grad(self) -> Any:
        return self._edge.grad

    @grad.setter
    def grad(self, value: Any) -> None:
        self._edge.grad = value


class Leaf:
    """Where a gradient ends."""

    __slots__ = ("grad",)

    def __init__(self) -> None:
        self.grad: Any = None


class Way:
    """The derivatives of an op by its one input, or by both; None for one that hands the gradient on."""

    __slots__ = ("rule", "second")
    every: ClassVar[list[Way]] = []

    def __init__(self, rule: Rule | None, second: Rule | None = None) -> None:
        self.rule = rule
        self.second = second
        self.every.append(self)


class Single:
    """A node with one input: rule(grad, s0) goes to e0."""

    __slots__ = ("rank", "way", "e0", "s0")
    rank: int
    way: Way
    e0: Any
    s0: Any


class Pair:
    """A node with two: rule(grad, s1) goes to e0, second(grad, s0) to e1."""

    __slots__ = ("rank", "way", "e0", "e1", "s0", "s1")
    rank: int
    way: Way
    e0: Any
    e1: Any
    s0: Any
    s1: Any


class Many:
    """Any other node: back(grad, saved) gives a gradient for each edge."""

    __slots__ = ("rank", "back", "edges", "saved")
    rank: int
    back: Callable[[Any, Any], Any]
    edges: Any
    saved: Any


class Piece:
    """One of several results of a node: its gradient is put into the list that `parent` runs with."""

    __slots__ = ("parent", "number")

    def __init__(self, parent: Many, number: int) -> None:
        self.parent = parent
        self.number = number


def made(array: Any, edge: Any) -> Tensor:
    """A tensor of this array."""
    result = new(Tensor)
    result._trace = 0
    result._array = array
    result._edge = edge
    return result


def recorded(array: Any, way: Way, edge: Any, saved: Any) -> Tensor:
    """The result of an op of one input."""
    result = new(Tensor)
    result._array = array
    if edge is None:
        result._edge = None
        return result
    result._edge = node = Single()
    node.way = way
    node.e0 = edge
    node.s0 = saved
    node.rank = next(ranks)
    return result


def recorded_many(array: Any, back: Any, edges: Any, saved: Any) -> Tensor:
    """The result of an op of any inputs."""
    result = new(Tensor)
    result._array = array
    result._edge = node = Many()
    node.back = back
    node.edges = edges
    node.saved = saved
    node.rank = next(ranks)
    return result


def unary(forward: Any, slope: Rule, slope_of_scalar: Rule) -> Any:
    """The entry of an elementwise op whose derivative needs its result."""
    way, scalar_way = Way(slope), Way(slope_of_scalar)

    def entry(input: Any) -> Any:
        r = forward(input._array)
        edge = input._edge
        result = new(Tensor)
        result._array = r
        if edge is None:
            result._edge = None
            return result
        result._edge = node = Single()
        node.way = way if type(r) is ndarray else scalar_way
        node.e0 = edge
        node.s0 = r
        node.rank = next(ranks)
        return result

    return own_code(entry)


def binary(forward: Any, ways: tuple[Way, Way, Way, Way], saves: bool) -> Any:
    """The operator of an elementwise op.

    ways: back to both operands, to one beside a constant, to the second beside a constant, and to both that broadcast.
    """
    both, first, second, broadcast = ways

    def entry(input: Any, other: Any) -> Any:
        a = input._array
        e0 = input._edge
        if type(other) is Tensor:
            b = other._array
            e1 = other._edge
            if a.dtype is not b.dtype:
                raise TypeError
        else:
            e1 = None
            if a.dtype is F32:
                b = (KNOWN if type(a) is ndarray else KNOWN_SCALARS).get(other)
                if b is None:
                    b = weak(other, a)
            else:
                b = weak(other, a)
        r = forward(a, b)
        result = new(Tensor)
        result._array = r
        if e1 is None:
            if e0 is None:
                result._edge = None
                return result
            result._edge = node = Single()
            node.way = first
            node.e0 = e0
            node.s0 = b if saves else None
        elif e0 is None:
            result._edge = node = Single()
            node.way = second
            node.e0 = e1
            node.s0 = a if saves else None
        else:
            pair = Pair()
            pair.e0 = e0
            pair.e1 = e1
            if saves:
                pair.way = both
                pair.s0 = a
                pair.s1 = b
            elif a.shape == b.shape:
                pair.way = both
                pair.s0 = pair.s1 = None
            else:
                pair.way = broadcast
                pair.s0 = b.shape
                pair.s1 = a.shape
            pair.rank = next(ranks)
            result._edge = pair
            return result
        node.rank = next(ranks)
        return result

    return own_code(entry)


def walk(node: Any, grad: Any) -> None:
    """The newest node first; those that wait are in a heap by their ranks."""
    waiting: dict[int, list[Any]] = {}
    heap: list[int] = []
    leaves: dict[Any, list[Any]] = {}
    if type(node) is Leaf:
        leaves[node] = [grad, True]
        node = None
    while node is not None:
        kind = type(node)
        other = None
        if kind is Single:
            edge = node.e0
            rule = node.way.rule
            if rule is not None:
                grad = rule(grad, node.s0)
            node.s0 = None
        elif kind is Pair:
            edge, other, way = node.e0, node.e1, node.way
            rule, second = way.rule, way.second
            grad, held = (
                grad if rule is None else rule(grad, node.s1),
                grad if second is None else second(grad, node.s0),
            )
            node.s0 = node.s1 = None
            if type(other) is Leaf:
                gather(leaves, other, held)
                other = None
            elif type(edge) is Leaf:
                gather(leaves, edge, grad)
                edge, grad, other = other, held, None
        else:
            edge = None
            for each, found in zip(node.edges, node.back(grad, node.saved), strict=True):
                if type(each) is Leaf:
                    gather(leaves, each, found)
                elif each is not None:
                    if edge is not None:
                        push(heap, waiting, each, found)
                    else:
                        edge, grad = each, found
            node.saved = None
        if other is not None:
            push(heap, waiting, other, held)
        if edge is not None:
            if type(edge) is Leaf:
                gather(leaves, edge, grad)
            elif type(edge) is not Piece and (not heap or edge.rank < heap[0]):
                node = edge
                continue
            else:
                push(heap, waiting, edge, grad)
        if not heap:
            break
        node, grad, _ = waiting.pop(heappop(heap))
    for leaf, (grad, _) in leaves.items():
        leaf.grad = dense(grad) if leaf.grad is None else leaf.grad + dense(grad)


def gather(leaves: dict[Any, list[Any]], leaf: Leaf, grad: Any) -> None:
    """Adds a gradient to a leaf's; the sum is written over once it is a sum."""
    found = leaves.get(leaf)
    if found is None:
        leaves[leaf] = [grad, False]
    elif type(grad) is Outer:
        found[0].take(grad)
    elif found[1] and type(grad) is ndarray:
        found[0] += grad
    else:
        found[0] = found[0] + grad
        found[1] = True


def push(heap: list[int], waiting: dict[int, list[Any]], edge: Any, grad: Any) -> None:
    """Adds a gradient to what waits for a node."""
    if type(edge) is Piece:
        parent, number = edge.parent, edge.number
        found = waiting.get(parent.rank)
        if found is None:
            grads: list[Any] = [None] * parent.saved
            grads[number] = grad
            waiting[parent.rank] = [parent, grads, False]
            heappush(heap, parent.rank)
        else:
            before = found[1][number]
            found[1][number] = grad if before is None else before + grad
        return
    found = waiting.get(edge.rank)
    if found is None:
        waiting[edge.rank] = [edge, grad, False]
        heappush(heap, edge.rank)
    elif found[2] and type(grad) is ndarray:
        found[1] += grad
    else:
        found[1] = found[1] + grad
        found[2] = True
