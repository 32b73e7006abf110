"""The nodes of `linear` on one vector or a matrix of rows, and what they are once somebody looks at them.

A node of `linear` knows its weight itself, which is half the work.  Whoever asks what lies behind it is shown two
nodes, as in PyTorch: `AddmmBackward0(bias, input, TBackward0(weight))`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from dyncore.graph import versions
from dyncore.graph.elementwise import UnaryNode
from dyncore.graph.node import FREED, Node
from dyncore.graph.running import running

from .broadcast import fit_tensor
from .higher_order import as_saved, tensor_rules
from .nodes import Own, for_edge, node_class, ready
from .outer import MOST_ROWS, Outer
from .registry import TABLE, Op


class Ranked:
    """Stands for an array in the choice of a title that reads nothing but its number of dimensions."""

    __slots__ = ("ndim",)

    def __init__(self, ndim: int) -> None:
        self.ndim = ndim


class LinearNode(Node):
    """A node of input @ weight.T + bias.

    e0, e1, e2: the edges of input, weight and bias.  s0, s1: the input and the weight, where they are needed.
    vector: whether the input is one.  weights, biases: their derivatives.  joined: whether no transpose is shown yet.
    """

    __slots__ = ("e0", "e1", "e2", "s0", "s1", "known_shape")
    quiet = joined = True
    vector: bool
    weights: Any
    biases: Any
    targets: tuple[tuple[str, None], ...]
    e0: Any
    e1: Any
    e2: Any
    s0: Any
    s1: Any

    def edges(self) -> tuple[Any, ...]:
        return (self.e0, self.e1, self.e2)

    @property
    def to(self) -> tuple[Any, ...]:
        """The edges in the order of the parameters."""
        return LinearNode.edges(self) if len(self.targets) == 3 else (self.e0, self.e1)

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Pairs (node, output number) that gradients flow to, with PyTorch's transpose of the weight between."""
        if self.joined and self.title in ("AddmmBackward0", "MmBackward0") and running.get() is None:
            _part(self)
        return super().next_functions

    def saved(self) -> dict[str, Any]:
        return {"weight": self.s1, "input": self.s0}

    def store(self, name: str, value: Any) -> None:
        if name == "input":
            self.s0 = value
        else:
            self.s1 = value

    def release(self) -> None:
        self.s0 = self.s1 = FREED

    def run(self, grad: Any, keep: bool) -> Any:
        s0, s1 = self.s0, self.s1
        if s0 is FREED or versions.newest < self.rank:
            s0, s1 = ready(self, s0), self.s1
        if not keep:
            self.s0 = self.s1 = FREED
        e0, e1, e2 = self.e0, self.e1, self.e2
        rows = 1 if self.vector else len(grad)
        g1 = g2 = None
        if e1 is not None:
            g1 = for_edge(e1, Outer(grad, s0) if rows <= MOST_ROWS else self.weights(grad, s0))
        if e2 is not None:
            g2 = grad if self.vector else grad[0] if rows == 1 else self.biases(grad)
        return (e0, None if e0 is None else grad.dot(s1)), (e1, g1), (e2, g2)

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return [(edge, g) for edge, g in zip(self.to, self.on_tensors(grad, keep), strict=True) if edge is not None]

    def on_tensors(self, grad: Any, keep: bool) -> list[Any]:
        """Return the gradients of the operands as Tensors, None where none is wanted."""
        s0, s1 = ready(self, self.s0), self.s1
        e0, e1 = self.to[:2]
        weight = None if e0 is None else as_saved(self, "weight", s1, e1)
        input = None if e1 is None else as_saved(self, "input", s0, e0)
        if not keep:
            self.release()
        biased = len(self.targets) == 3
        if self.vector:
            grad, input = _row(grad, biased), _row(input, biased)
        rules = tensor_rules(self.op, reals=True)
        back = None if e0 is None else rules["input"](grad, weight)
        if back is not None and self.vector:
            shape = (grad if weight is None else weight).shape[1:]
            back = TABLE["view"].entry(back, shape) if biased else TABLE["squeeze"].entry(back, 0)
        found = [back, None if e1 is None else rules["weight"](grad, input)]
        if biased:
            found.append(None if self.e2 is None else fit_tensor(rules["bias"](grad), grad.shape[1:], grad.dtype.numpy))
        return found


class UnbiasedNode(LinearNode):
    """The same without a bias."""

    __slots__ = ()
    e2 = None

    def edges(self) -> tuple[Any, ...]:
        return (self.e0, self.e1)


def linear_node(op: Op, ndim: int, biased: bool) -> Any:
    """Return the node class for inputs of so many dimensions, made once."""
    key = "linear", ndim, biased
    if key not in op.nodes:
        assert op.choose_title is not None
        op.nodes[key] = node_class(
            op,
            LinearNode if biased else UnbiasedNode,
            op.choose_title((1,) * ndim, Ranked(1) if biased else None, True),
            vector=ndim == 1,
            weights=staticmethod(op.rules["weight"]),
            biases=staticmethod(op.rules["bias"]),
            targets=tuple((name, None) for name in op.tensor_names[: 2 + biased]),
        )
    return op.nodes[key]


def _row(vector: Any, biased: bool) -> Any:
    """Return a vector as a row: PyTorch views it as one where there is a bias, and adds a dimension else."""
    if vector is None:
        return None
    return TABLE["reshape"].entry(vector, (1, -1)) if biased else TABLE["unsqueeze"].entry(vector, 0)


class TBackward0(Own, UnaryNode):
    """The transpose of a weight, between it and the product it went into."""

    __slots__ = ()
    title = "TBackward0"

    def edges(self) -> tuple[Any, ...]:
        return (self.e0,)

    def saved(self) -> dict[str, Any]:
        return {}

    def release(self) -> None:
        pass

    def run(self, grad: Any, keep: bool) -> Any:
        return grad.T

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return TABLE["t"].entry(grad)


def _part(node: Any) -> None:
    """Make the node of `linear` over rows a product, and a transpose behind it."""
    weight = node.e1
    node.__class__ = _parted(node.__class__)
    if weight is not None:
        between = node.e1 = TBackward0()
        between.e0 = weight
        between.s0 = between.extra = None
        between.rank = node.rank + 0.5  # older than the product, newer than what it was made of
        between.code, between.lasti = node.code, node.lasti


@cache
def _parted(kind: Any) -> Any:
    biased = len(kind.targets) == 3

    def edges(self: Any) -> tuple[Any, ...]:
        return (self.e2, self.e0, self.e1) if biased else (self.e0, self.e1)

    def to(self: Any) -> tuple[Any, ...]:
        weight = None if self.e1 is None else self.e1.e0
        return (self.e0, weight, self.e2) if biased else (self.e0, weight)

    def run(self: Any, grad: Any, keep: bool) -> Any:
        first, (between, weight), *bias = kind.run(self, grad, keep)
        return *bias[: len(kind.targets) - 2], first, (between, None if weight is None else weight.T)

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        found = dict(zip(kind.targets, kind.on_tensors(self, grad, keep), strict=True))
        between = found["weight", None]
        found["weight", None] = None if between is None else TABLE["t"].entry(between)
        order = [name for name in ("bias", "input", "weight") if (name, None) in found]
        return [(edge, found[name, None]) for edge, name in zip(edges(self), order, strict=True)]

    methods = {"edges": edges, "to": property(to), "run": run, "run_tensors": run_tensors, "joined": False}
    return type(kind.__name__, (kind,), {"__slots__": (), "__module__": "dyncore", **methods})
