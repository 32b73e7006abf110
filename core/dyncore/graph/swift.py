"""The nodes of unary and binary ops, which most of a small model's graph is made of.

CPython finds a slot in 4 ns where it has met one class, in 12 where it meets many, and a node's are read and written
two dozen times.  So all ops share two classes of nodes, and the walk itself calls the derivatives, no method of a node.
Backward of the chain of bench autograd_features 725 to 530 ns an op.
"""

from __future__ import annotations

from typing import Any

from .node import FREED, Node


class Way:
    """What nodes of one op and one kind of operands have in common.

    kind: the class that such a node is of once somebody looks at it.
    rule, second: the derivatives by its one input, or by both; None for one that hands the gradient on.
    """

    __slots__ = ("kind", "rule", "second")

    def __init__(self, kind: Any, rule: Any, second: Any = None) -> None:
        self.kind = kind
        self.rule = rule
        self.second = second


class Swift(Node):
    """A node of a unary or binary op that nobody has looked at: one class for all ops, and its `way` says which it is.

    `titles.own_class` makes it one of its op's own class, which may have hooks; until then it answers as that would.
    """

    __slots__ = ("way",)
    unseen = quiet = True
    extra: Any = None  # nobody gave it hooks; nothing is written down for that
    way: Way

    @property
    def op(self) -> Any:
        return self.way.kind.op

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.way.kind.title  # type: ignore[no-any-return]

    @property
    def outputs_known(self) -> bool:  # type: ignore[override]
        return self.way.kind.outputs_known  # type: ignore[no-any-return]

    def run(self, grad: Any, keep: bool) -> Any:
        return self.way.kind.run(self, grad, keep)

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return self.way.kind.run_tensors(self, grad, keep)

    def edges(self) -> tuple[Any, ...]:
        return self.way.kind.edges(self)  # type: ignore[no-any-return]

    def saved(self) -> dict[str, Any]:
        return self.way.kind.saved(self)  # type: ignore[no-any-return]

    def store(self, name: str, value: Any) -> None:
        self.way.kind.store(self, name, value)

    def release(self) -> None:
        self.way.kind.release(self)

    def name(self) -> str:
        return self.way.kind.title  # type: ignore[no-any-return]


class SwiftSingle(Swift):
    """One input, and one saved value or None."""

    __slots__ = ("e0", "s0", "form")
    single = True
    e0: Any
    s0: Any
    form: Any

    def arrays(self) -> tuple[Any, ...]:
        """What is saved, in no order."""
        return (self.s0,)

    @property
    def side(self) -> int:
        return self.way.kind.side  # type: ignore[no-any-return]

    @property
    def own(self) -> str | None:
        return self.way.kind.own  # type: ignore[no-any-return]


class SwiftPair(Swift):
    """Two inputs of the same shape; both operands are saved, or None."""

    __slots__ = ("e0", "e1", "s0", "s1", "form")
    e0: Any
    e1: Any
    s0: Any
    s1: Any
    form: Any

    def arrays(self) -> tuple[Any, ...]:
        """What is saved, in no order."""
        return (self.s0, self.s1)

    def wanted(self) -> set[str]:
        """The names of the values that the derivatives asked for need; None stands for the others."""
        found: set[str] = set()
        for name, edge in zip(self.op.names, self.edges(), strict=True):
            if edge is not None:
                found.update(self.op.rule_arguments.get(name, ())[1:])
        return found


class Seen:
    """What a node has that somebody has looked at, in the place of what it answered through its `way` until then."""

    __slots__ = ()
    outputs_known = True
    unseen = False
    form: Any = None
    extra: Any = Node.extra  # type: ignore[misc]
    op: Any = None
    title = "Node"
    run = Node.run
    run_tensors = Node.run_tensors
    name = Node.name


class UnaryNode(Seen, SwiftSingle):
    """A node with one input and at most one saved value."""

    __slots__ = ()

    def edges(self) -> tuple[Any, ...]:
        return (self.e0,)

    def saved(self) -> dict[str, Any]:
        return dict(zip(self.op.saved_names, (self.s0,), strict=False))

    def store(self, name: str, value: Any) -> None:
        self.s0 = value

    def release(self) -> None:
        if self.op.saved_names:
            self.s0 = FREED


class BinaryNode(Seen, SwiftPair):
    """A node with two inputs of the same shape, or one and a number; saves either, both or none of them."""

    __slots__ = ()

    def edges(self) -> tuple[Any, ...]:
        return (self.e0, self.e1)

    def saved(self) -> dict[str, Any]:
        values = dict(zip(self.op.names, (self.s0, self.s1), strict=True))
        wanted = self.wanted()
        return {name: values[name] if name in wanted else None for name in self.op.saved_names}

    def store(self, name: str, value: Any) -> None:
        if name == self.op.names[0]:
            self.s0 = value
        else:
            self.s1 = value

    def release(self) -> None:
        if self.op.saved_names:
            self.s0 = self.s1 = FREED
