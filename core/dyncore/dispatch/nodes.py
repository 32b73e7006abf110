"""The node classes of unary and binary ops and of products, each op's own, and the derivatives that they share.

A node of a binary op has two inputs, one (then it is `single`, and backward needs no heap), or operands of different
shapes.  What is saved is fixed by the rules' arguments: `s0` the first operand, `s1` the second; a node with one input
and one saved value has it in `s0`.
The walk runs the two shared classes of `graph/elementwise.py` itself; the classes here run nodes that somebody has
looked at, with hooks, and those of ops whose derivatives want other operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.graph.elementwise import BinaryNode, UnaryNode, Vjp
from dyncore.graph.node import FREED, AccumulateGrad, Node

from .broadcast import unbroadcast
from .formulas.ufuncs import prepared
from .higher_order import as_saved, tensor_rules, with_zero_gradients
from .outer import dense
from .registry import TABLE, Op
from .saved.attributes import saved_values
from .saved.changed import check_unchanged, second_time

Kind = tuple[np.dtype[Any], bool] | None
"""(dtype, whether they are scalars) of the operands that a node class is for; None for one that takes all."""


def ready(node: Any, value: Any) -> Any:
    """Return what the node has in `s0`.  Raise RuntimeError if that was freed, or anything saved written since."""
    if value is FREED:
        raise second_time(node)
    if versions.newest < node.rank:
        check_unchanged(node)
    return node.s0


class Own:
    """Members of an op's own class in place of those a shared one takes from `vjp`.

    reals: whether the operands are known to be real.
    """

    __slots__ = ()
    outputs_known = True
    unseen = reals = False
    known_shape: Any = None
    extra: Any = Node.extra  # type: ignore[misc]
    op: Any = None
    title = "Node"
    name = Node.name

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        """Run the derivatives on Tensors, recorded, for `create_graph`."""
        op, edges, values = self.op, self.edges(), _taken(self, keep)
        rules = tensor_rules(op, self.reals)
        edge_of = {**dict(zip(op.names, edges, strict=True)), "result": self}
        pairs = []
        for name, edge in zip(op.names, edges, strict=True):
            gradient = None
            if edge is not None and name in rules:
                wanted = op.rule_arguments[name][1:]
                gradient = rules[name](grad, *[as_saved(self, each, values[each], edge_of[each]) for each in wanted])
            pairs.append((edge, gradient))
        return pairs[self.side][1] if self.single else pairs


def _taken(node: Any, keep: bool) -> dict[str, Any]:
    """Return the saved values by name, which are freed unless they are to be kept."""
    if node.op.saved_names:
        ready(node, node.s0)
    values = node.operands()
    if not keep:
        node.release()
    return values


class OwnUnaryNode(Own, UnaryNode):
    """A node with one input, `side` of the op's, that saves `own` or nothing."""

    __slots__ = ()
    side = 0
    own: str | None = None

    def run(self, grad: Any, keep: bool) -> Any:
        rule = self.vjp.first
        if self.own is None:
            return grad if rule is None else rule(grad)
        value = ready(self, self.s0)
        if not keep:
            self.s0 = FREED
        return for_edge(self.e0, rule(grad, value))

    def edges(self) -> tuple[Any, ...]:
        if len(self.op.names) == 1:
            return (self.e0,)
        return (None, self.e0) if self.side else (self.e0, None)

    def operands(self) -> dict[str, Any]:
        return {} if self.own is None else {self.own: self.s0}

    def saved(self) -> dict[str, Any]:
        return {**dict.fromkeys(self.op.saved_names), **self.operands()}

    def store(self, name: str, value: Any) -> None:
        if name == self.own:
            self.s0 = value

    def release(self) -> None:
        if self.own is not None:
            self.s0 = FREED


class OwnBinaryNode(Own, BinaryNode):
    """A node with two inputs of the same shape, or of a product, each of whose derivatives wants the other or none."""

    __slots__ = ()
    side = 0

    def run(self, grad: Any, keep: bool) -> Any:
        first, second = self.vjp.first, self.vjp.second
        if not self.op.saved_names:
            return (self.e0, first(grad) if first else grad), (self.e1, second(grad) if second else grad)
        s0, s1 = ready(self, self.s0), self.s1
        if not keep:
            self.s0 = self.s1 = FREED
        return (self.e0, for_edge(self.e0, first(grad, s1))), (self.e1, second(grad, s0))

    def edges(self) -> tuple[Any, ...]:
        return (self.e0, self.e1)

    def operands(self) -> dict[str, Any]:
        first, second = self.op.names
        return {first: self.s0, second: self.s1}

    def saved(self) -> dict[str, Any]:
        values, wanted = self.operands(), self.wanted()
        return {name: values[name] if name in wanted else None for name in self.op.saved_names}

    def store(self, name: str, value: Any) -> None:
        if name == self.op.names[0]:
            self.s0 = value
        else:
            self.s1 = value

    def release(self) -> None:
        if self.op.saved_names:
            self.s0 = self.s1 = FREED


class RuledNode(OwnBinaryNode):
    """A binary op of any rules, of the gradient and both operands."""

    __slots__ = ()
    rules: tuple[Callable[[Any, Any, Any], Any], Callable[[Any, Any, Any], Any]]

    def run(self, grad: Any, keep: bool) -> Any:
        if self.op.saved_names:
            ready(self, self.s0)
        s0, s1 = self.s0, self.s1
        if not keep:
            self.release()
        (first, second), (edge, other) = self.rules, self.edges()
        return (
            (edge, None if edge is None else first(grad, s0, s1)),
            (other, None if other is None else second(grad, s0, s1)),
        )


class OneSided(RuledNode):
    """A binary op of which one operand requires grad; `e0` is its edge."""

    __slots__ = ()
    single = True

    def run(self, grad: Any, keep: bool) -> Any:
        return super().run(grad, keep)[self.side][1]

    def edges(self) -> tuple[Any, ...]:
        return (None, self.e0) if self.side else (self.e0, None)


class Broadcast(RuledNode):
    """A binary op whose operands had different shapes, which are kept."""

    __slots__ = ("shapes",)
    shapes: tuple[tuple[int, ...], tuple[int, ...]]

    def run(self, grad: Any, keep: bool) -> Any:
        (edge, first), (other, second) = super().run(grad, keep)
        shape0, shape1 = self.shapes
        return (
            (edge, first if first is None or first.shape == shape0 else unbroadcast(first, shape0)),
            (other, second if second is None or second.shape == shape1 else unbroadcast(second, shape1)),
        )

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        shrink = TABLE["sum_to_size"].entry
        return [
            (edge, g if g is None or g._array.shape == shape else shrink(g, shape))
            for (edge, g), shape in zip(super().run_tensors(grad, keep), self.shapes, strict=True)
        ]


def for_edge(edge: Any, grad: Any) -> Any:
    """Return a gradient as it may go to `edge`: a sum of outer products to a leaf alone."""
    return grad if edge.__class__ is AccumulateGrad else dense(grad)


def _rule_for(op: Op, name: str, kind: Kind) -> Any:
    """Return what computes the derivative by `name` as the walk calls it; None for one that is the gradient itself."""
    rule = op.rules.get(name)
    if rule is None:
        return lambda *given: None
    return rule if kind is None else prepared(rule, *kind, len(op.rule_arguments[name]), in_one=op.kind == "unary")


def _of_both(op: Op, name: str, rule: Any) -> Callable[[Any, Any, Any], Any]:
    """Return a derivative as a function of the gradient and both operands."""
    if name not in op.rules:
        return lambda grad, first, second: None
    if rule is None:
        return lambda grad, first, second: grad
    places = [op.names.index(each) for each in op.rule_arguments[name][1:]]
    calls: dict[Any, Any] = {
        (): lambda grad, first, second: rule(grad),
        (0,): lambda grad, first, second: rule(grad, first),
        (1,): lambda grad, first, second: rule(grad, second),
        (0, 1): rule,
        (1, 0): lambda grad, first, second: rule(grad, second, first),
    }
    return calls[*places]


def unary_vjp(op: Op, kind: Kind = None) -> Vjp:
    """Return how the nodes of a unary op are derived."""
    own = op.saved_names[0] if op.saved_names else None
    return Vjp(node_class(op, OwnUnaryNode, own=own, reals=kind is not None), _rule_for(op, op.names[0], kind))


class Derivatives:
    """The derivatives of a binary op, by which of its operands require grad.

    by_number: of the first operand beside a number.  broadcast: the node class for operands of different shapes.
    """

    __slots__ = ("both", "by_number", "second", "first", "broadcast")

    def __init__(self, both: Vjp, by_number: Vjp, second: Vjp, first: Vjp, broadcast: Any) -> None:
        self.both = both
        self.by_number = by_number
        self.second = second
        self.first = first
        self.broadcast = broadcast


def binary_derivatives(op: Op, kind: Kind = None) -> Derivatives:
    """Return the derivatives of a binary op for a kind of operands, made once."""
    found: Derivatives | None = op.nodes.get(kind)
    if found is None:
        number, tensor = _titles(op)
        walked = [_rule_for(op, name, kind) for name in op.names]
        rules = tuple(_of_both(op, name, rule) for name, rule in zip(op.names, walked, strict=True))
        facts: dict[str, Any] = {"reals": kind is not None, "rules": rules}
        both = node_class(op, OwnBinaryNode if crossed(op) else RuledNode, tensor, **facts)
        of_number = _one_sided(op, 0, number, walked[0], facts)
        found = op.nodes[kind] = Derivatives(
            Vjp(both, *walked),
            of_number,
            _one_sided(op, 1, tensor, walked[1], facts),
            of_number if number == tensor else _one_sided(op, 0, tensor, walked[0], facts),
            node_class(op, Broadcast, tensor, **facts),
        )
    return found


def _one_sided(op: Op, side: int, title: str, walked: Any, facts: dict[str, Any]) -> Vjp:
    """Return the derivative by one operand, the other of which does not require grad."""
    name = op.names[side]
    wanted = op.rule_arguments.get(name, ())[1:]
    if alone(op, name):
        made = node_class(op, OwnUnaryNode, title, side=side, own=wanted[0] if wanted else None, **facts)
    else:
        made = node_class(op, OneSided, title, side=side, **facts)
    return Vjp(made, walked)


def crossed(op: Op) -> bool:
    """Return whether each operand's derivative wants the other operand, or neither wants any."""
    first, second = op.names
    wanted = [op.rule_arguments.get(name, ("g", first, second))[1:] for name in op.names]
    return wanted in ([(second,), (first,)], [(), ()])


def alone(op: Op, name: str) -> bool:
    """Return whether the derivative by this operand wants one operand at most."""
    return len(op.rule_arguments.get(name, ())) < 3


def _titles(op: Op) -> tuple[str, str]:
    """Return the names of the node where the second operand is a number, and where it is a tensor."""
    if op.choose_title is None:
        return op.default_title, op.default_title
    return op.choose_title(0.0), op.choose_title(np.empty(0))


def node_class(op: Op, base: type[Node], title: str | None = None, **facts: Any) -> Any:
    """Return a class of the op's own."""
    title = title or op.default_title
    namespace = {"__slots__": (), "op": op, "title": title, "__module__": "dyncore", **saved_values(op), **facts}
    return with_zero_gradients(op, type(title, (base,), namespace))
