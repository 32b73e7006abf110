"""The nodes of unary and binary ops and of products: two classes that all of these ops share.

CPython finds the slots of one class sooner than those of many, and a node's are read and written two dozen times.
So the walk calls the derivatives itself, and a node gets a class of its op's own only when somebody looks at it.
"""

from __future__ import annotations

from typing import Any

from .node import Node


class Vjp:
    """The derivatives that nodes of one op and one kind of operands share.

    node_class: the op's own class, which a node gets once somebody looks at it.
    first, second: the derivatives by the inputs; None for one that returns the gradient itself.
    """

    __slots__ = ("node_class", "first", "second")

    def __init__(self, node_class: Any, first: Any, second: Any = None) -> None:
        self.node_class = node_class
        self.first = first
        self.second = second


class SharedNode(Node):
    """A node that nobody has looked at; its `vjp` says of which op it is.

    `names.own_class` makes it one of its op's own class, which may have hooks; until then it answers as that would.
    """

    __slots__ = ("vjp",)
    unseen = quiet = True
    extra: Any = None  # nobody gave it hooks; nothing is written down for that
    vjp: Vjp

    @property
    def op(self) -> Any:
        return self.vjp.node_class.op

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.vjp.node_class.title

    @property
    def outputs_known(self) -> bool:  # type: ignore[override]
        return self.vjp.node_class.outputs_known

    @property
    def reals(self) -> bool:
        return self.vjp.node_class.reals

    def run(self, grad: Any, keep: bool) -> Any:
        return self.vjp.node_class.run(self, grad, keep)

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return self.vjp.node_class.run_tensors(self, grad, keep)

    def edges(self) -> tuple[Any, ...]:
        return self.vjp.node_class.edges(self)

    def operands(self) -> dict[str, Any]:
        return self.vjp.node_class.operands(self)

    def saved(self) -> dict[str, Any]:
        return self.vjp.node_class.saved(self)

    def store(self, name: str, value: Any) -> None:
        self.vjp.node_class.store(self, name, value)

    def release(self) -> None:
        self.vjp.node_class.release(self)

    def name(self) -> str:
        return self.vjp.node_class.title


class UnaryNode(SharedNode):
    """One input, and one saved value or None."""

    __slots__ = ("e0", "s0", "known_shape")
    single = True
    e0: Any
    s0: Any
    known_shape: Any

    def arrays(self) -> tuple[Any, ...]:
        """Return what is saved, in no order."""
        return (self.s0,)

    @property
    def side(self) -> int:
        return self.vjp.node_class.side

    @property
    def own(self) -> str | None:
        return self.vjp.node_class.own


class BinaryNode(SharedNode):
    """Two inputs of the same shape; both operands are saved, or None."""

    __slots__ = ("e0", "e1", "s0", "s1", "known_shape")
    e0: Any
    e1: Any
    s0: Any
    s1: Any
    known_shape: Any

    def arrays(self) -> tuple[Any, ...]:
        """Return what is saved, in no order."""
        return (self.s0, self.s1)

    def wanted(self) -> set[str]:
        """Return the names of the values that the derivatives asked for need; None stands for the others."""
        found: set[str] = set()
        for name, edge in zip(self.op.names, self.edges(), strict=True):
            if edge is not None:
                found.update(self.op.rule_arguments.get(name, ())[1:])
        return found
