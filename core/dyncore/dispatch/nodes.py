"""The node classes of unary and binary ops, each op's own, with its derivatives bound.

A binary op has three: both inputs require grad, one of them does (then the node is `single`, and backward needs no
heap), or shapes were broadcast. What is saved is fixed by the rules' arguments: `s0` the first operand, `s1` the
second; a node with one input and one saved value has it in `s0`.

Nodes that `swift.py` has room for begin as one of its classes, with their op in their `Vjp`; others are of their op's
own class at once.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.graph.node import FREED, Node
from dyncore.graph.swift import OwnBinaryNode, OwnUnaryNode, Vjp

from .broadcast import unbroadcast
from .formulas.constants import elementwise
from .formulas.ufuncs import in_one_array, peeled
from .higher_order import wrap_saved
from .level import levelled
from .registry import TABLE, Op
from .saved.saved import check_unchanged, saved_values, second_time
from .specialize.own_code import own_code


def ready(node: Any, value: Any) -> Any:
    """What the node has in `s0`.  Raises RuntimeError if what it saved was freed, or written in place since."""
    if value is FREED:
        raise second_time(node)
    if versions.newest < node.rank:
        check_unchanged(node)
    return node.s0


Kind = tuple[np.dtype[Any], bool] | None
"""(dtype, whether they are scalars) of the operands that a node class is for; None for one that takes all."""


def rule_for(op: Op, name: str, kind: Kind) -> Any:
    """The derivative for the parameter `name`, as it is or for operands of a kind."""
    rule = op.rules.get(name)
    return rule if rule is None or kind is None else elementwise(rule, *kind)


def _tensor_rule(op: Op, name: str, kind: Kind) -> Callable[[], Any]:
    """What gives the derivative on Tensors, which is made when first asked for."""
    if kind is None:
        return lambda: op.tensor_rules[name]
    return lambda: op.real_tensor_rules[name]


def _peeled(rule: Any, kind: Kind, count: int) -> Any:
    """What computes the derivative of `count` arrays; None for one that is the gradient itself."""
    return rule if rule is None or kind is None else peeled(rule, kind[0], count)


def unary_vjp(op: Op, kind: Kind = None) -> Vjp:
    """How the nodes of a unary op are derived."""
    name = op.names[0]
    rule: Any = rule_for(op, name, kind)
    of_tensors = _tensor_rule(op, name, kind)
    if not op.saved_names:

        def run(self: Any, grad: Any, keep: bool) -> Any:
            return rule(grad)

        def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
            return of_tensors()(grad)

    else:
        saved = op.saved_names[0]

        def run(self: Any, grad: Any, keep: bool) -> Any:
            value = self.s0
            if value is FREED or versions.newest < self.rank:
                value = ready(self, value)
            if not keep:
                self.s0 = FREED
            return rule(grad, value)

        def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
            value = self.s0
            value = ready(self, value)
            if not keep:
                self.s0 = FREED
            return of_tensors()(grad, wrap_saved(self, saved, value))

    made: type[OwnUnaryNode] = node_class(op, OwnUnaryNode, (), {"run": run, "run_tensors": run_tensors})
    quick = _peeled(rule, kind, 1 + bool(op.saved_names))
    if quick is rule and kind is not None and not kind[1]:
        quick = in_one_array(rule, kind[0], 1 + bool(op.saved_names))
    return Vjp(made, quick)


class OneOf(OwnUnaryNode):
    """A binary op of which one operand requires grad, `side`; `own` is the operand that is saved, or None."""

    __slots__ = ()
    side = 0
    own: str | None = None

    def edges(self) -> tuple[Any, ...]:
        return (None, self.e0) if self.side else (self.e0, None)

    def saved(self) -> dict[str, Any]:
        return {name: self.s0 if name == self.own else None for name in self.op.saved_names}

    def store(self, name: str, value: Any) -> None:
        if name == self.own:
            self.s0 = value

    def release(self) -> None:
        if self.own is not None:
            self.s0 = FREED


class OneSided(OwnBinaryNode):
    """A binary op of which one operand requires grad; `e0` is its edge."""

    __slots__ = ()
    single = True
    side = 0

    def edges(self) -> tuple[Any, ...]:
        return (None, self.e0) if self.side else (self.e0, None)


class Broadcast(OwnBinaryNode):
    """A binary op whose operands had different shapes, which are kept."""

    __slots__ = ("shapes",)
    shapes: tuple[tuple[int, ...], tuple[int, ...]]


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
    found = op.nodes.get(kind)
    if found is None:
        rules = {name: rule_for(op, name, kind) for name in op.rules}
        found = op.nodes[kind] = _binary_derivatives(op, rules, kind)
    return found


def _binary_derivatives(op: Op, rules: dict[str, Any], kind: Kind) -> Derivatives:
    first, second = op.names
    number, tensor = _titles(op)
    reals = kind is not None

    def one_sided(side: int, name: str, title: str) -> Vjp:
        slots = _slots(op, name)
        if len(slots) > 1:
            methods = {"run": _run_one(op, rules, name), "run_tensors": tensors_run(op, name, reals), "side": side}
            return Vjp(node_class(op, OneSided, (), methods, title), None)
        rule = rules.get(name) or _nothing
        own = op.rule_arguments[name][1] if slots else None
        methods = {"run": run_own(rule, own), "run_tensors": _run_tensors_own(op, name, own, reals)}
        made = node_class(op, OneOf, (), {**methods, "side": side, "own": own}, title)
        return Vjp(made, _peeled(rule, kind, 1 + len(slots)))

    methods = {"run": _run_both(op, rules), "run_tensors": tensors_run(op, None, reals)}
    count = 1 + bool(op.saved_names)
    both = [_peeled(rules.get(name), kind, count) for name in op.names]
    wide = {"run": _run_broadcast(op, rules), "run_tensors": _run_tensors_broadcast(op, reals)}
    of_number = one_sided(0, first, number)
    return Derivatives(
        Vjp(node_class(op, OwnBinaryNode, (), methods, tensor), *both),
        of_number,
        one_sided(1, second, tensor),
        of_number if number == tensor else one_sided(0, first, tensor),
        node_class(op, Broadcast, (), wide, tensor),
    )


def _nothing(g: Any) -> None:
    """The derivative by an operand that has none."""


def crossed(op: Op) -> bool:
    """Whether each operand's derivative wants the other operand, or neither wants any."""
    return len(op.rules) == 2 and [_slots(op, name) for name in op.names] in ([("s1",), ("s0",)], [(), ()])


def alone(op: Op, name: str) -> bool:
    """Whether the derivative by this operand wants one operand at most."""
    return len(_slots(op, name)) < 2


def _titles(op: Op) -> tuple[str, str]:
    """The names of the node where the second operand is a number, and where it is a tensor."""
    if op.choose_title is None:
        return op.default_title, op.default_title
    return op.choose_title(0.0), op.choose_title(np.empty(0))


def _slots(op: Op, name: str) -> tuple[str, ...]:
    """The slots that hold what the rule for `name` wants, in the order of its arguments."""
    slots = {op.names[0]: "s0", op.names[1]: "s1"}
    return tuple(slots[each] for each in op.rule_arguments.get(name, ())[1:])


def _caller(op: Op, rules: dict[str, Any], name: str) -> Callable[[Any, Any], Any]:
    """`rule(node, grad)` for one operand's derivative; gives None where there is none."""
    rule, slots = rules.get(name), _slots(op, name)
    if rule is None:
        return lambda node, grad: None
    if not slots:
        return lambda node, grad: rule(grad)
    get = attrgetter(*slots)
    if len(slots) == 1:
        return lambda node, grad: rule(grad, get(node))
    return lambda node, grad: rule(grad, *get(node))


def run_own(rule: Any, own: str | None) -> Callable[..., Any]:
    """The `run` of a node with one input, whose derivative wants the operand `own` or none."""
    if own is None:
        return lambda self, grad, keep: rule(grad)

    def run(self: Any, grad: Any, keep: bool) -> Any:
        value = self.s0
        if value is FREED or versions.newest < self.rank:
            value = ready(self, value)
        if not keep:
            self.s0 = FREED
        return rule(grad, value)

    return run


def _run_tensors_own(op: Op, name: str, own: str | None, reals: bool) -> Callable[..., Any]:
    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        value = self.s0
        if own is not None:
            value = ready(self, value)
            if not keep:
                self.s0 = FREED
        if name not in op.rules:
            return None
        rule = (op.real_tensor_rules if reals else op.tensor_rules)[name]
        return rule(grad) if own is None else rule(grad, wrap_saved(self, own, value))

    return run_tensors


def _run_one(op: Op, rules: dict[str, Any], name: str) -> Callable[..., Any]:
    call = _caller(op, rules, name)

    def run_general(self: Any, grad: Any, keep: bool) -> Any:
        if self.s0 is FREED or versions.newest < self.rank:
            ready(self, self.s0)
        result = call(self, grad)
        if not keep:
            self.s0 = self.s1 = FREED
        return result

    return run_general


def _run_both(op: Op, rules: dict[str, Any]) -> Callable[..., Any]:
    first, second = op.names
    if not op.saved_names and len(op.rules) == 2:
        rule0, rule1 = rules[first], rules[second]

        def run_bare(self: Any, grad: Any, keep: bool) -> Any:
            return (self.e0, rule0(grad)), (self.e1, rule1(grad))

        return run_bare
    if _slots(op, first) == ("s1",) and _slots(op, second) == ("s0",):
        rule0, rule1 = rules[first], rules[second]

        def run_crossed(self: Any, grad: Any, keep: bool) -> Any:
            s0, s1 = self.s0, self.s1
            if s0 is FREED or versions.newest < self.rank:
                s0, s1 = ready(self, s0), self.s1
            if not keep:
                self.s0 = self.s1 = FREED
            return (self.e0, rule0(grad, s1)), (self.e1, rule1(grad, s0))

        return run_crossed
    return _run_pairs(op, rules)


def _run_pairs(op: Op, rules: dict[str, Any]) -> Callable[..., Any]:
    """The general form: either operand may be without a gradient."""
    call0, call1 = (_caller(op, rules, name) for name in op.names)
    saved = bool(op.saved_names)

    def run(self: Any, grad: Any, keep: bool) -> Any:
        if saved and (self.s0 is FREED or versions.newest < self.rank):
            ready(self, self.s0)
        e0, e1 = self.e0, self.e1
        g0 = None if e0 is None else call0(self, grad)
        g1 = None if e1 is None else call1(self, grad)
        if saved and not keep:
            self.s0 = self.s1 = FREED
        return (e0, g0), (e1, g1)

    return run


def _run_broadcast(op: Op, rules: dict[str, Any]) -> Callable[..., Any]:
    run = _run_pairs(op, rules)

    def run_broadcast(self: Any, grad: Any, keep: bool) -> Any:
        (e0, g0), (e1, g1) = run(self, grad, keep)
        shape0, shape1 = self.shapes
        if g0 is not None and g0.shape != shape0:
            g0 = unbroadcast(g0, shape0)
        if g1 is not None and g1.shape != shape1:
            g1 = unbroadcast(g1, shape1)
        return (e0, g0), (e1, g1)

    return run_broadcast


def tensors_run(op: Op, only: str | None, reals: bool) -> Callable[..., Any]:
    """The derivatives on Tensors; of `only` one operand, the single one that requires grad, or of both."""
    first, second = op.names

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        if op.saved_names:
            ready(self, self.s0)
        values = {first: self.s0, second: self.s1}
        if op.saved_names and not keep:
            self.s0 = self.s1 = FREED
        rules = op.real_tensor_rules if reals else op.tensor_rules
        pairs = []
        for name, edge in zip(op.names, self.edges(), strict=True):
            gradient = None
            if edge is not None and name in op.rules:
                operands = [wrap_saved(self, each, values[each]) for each in op.rule_arguments[name][1:]]
                gradient = rules[name](grad, *operands)
            if name == only:
                return gradient
            pairs.append((edge, gradient))
        return pairs

    return run_tensors


def _run_tensors_broadcast(op: Op, reals: bool) -> Callable[..., Any]:
    run = tensors_run(op, None, reals)

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        shrink = TABLE["sum_to_size"].entry
        return [
            (edge, g if g is None or g._array.shape == shape else shrink(g, shape))
            for (edge, g), shape in zip(run(self, grad, keep), self.shapes, strict=True)
        ]

    return run_tensors


def node_class(
    op: Op, base: type[Node], slots: tuple[str, ...], methods: dict[str, Any], title: str | None = None
) -> Any:
    title = title or op.default_title
    methods = {**methods, "run": own_code(methods["run"])}
    namespace = {"__slots__": slots, "op": op, "title": title, "__module__": "dyncore", **saved_values(op)}
    return levelled(op, type(title, (base,), {**namespace, **methods}))
