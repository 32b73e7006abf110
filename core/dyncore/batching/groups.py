"""Groups of equal calls of an op, and what makes calls equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .lazy import Lazy
from .rows import Value

new = object.__new__


class Signature:
    """The part that equal calls share: the op, the shapes and dtypes of its operands, all other arguments.

    run: computes many calls at once from one stacked tensor for each column of operands; None if only `single` can.
    single: computes one call from the tensors of one row.
    makes: (shape, dtype, requires_grad) of each output.  pack: what the op returns of its outputs: a Tensor itself, or
    a tuple or list of them.  grad: whether it is recorded.  view: whether the outputs of one call share its operand's
    memory.  waiting: its groups that have not run, by depth.
    """

    __slots__ = ("name", "run", "single", "makes", "pack", "columns", "grad", "view", "waiting")

    def __init__(
        self, name: Any, columns: int, makes: list[Any], run: Callable[..., Any] | None, single: Callable[..., Any],
        pack: Callable[[Any], Any] | None = None, grad: bool = True, view: bool = False,
    ) -> None:  # fmt: skip
        self.name, self.columns, self.makes, self.run, self.single = name, columns, makes, run, single
        self.pack, self.grad, self.view = pack, grad, view
        self.waiting: dict[int, Group] = {}


class Group:
    """Calls of one signature at one depth, and one of their outputs: row i is that of `members[i]`.

    outputs: the groups of all outputs; the first has the columns, which are lists of `Value` or of Python numbers.
    sources: the groups it waits for.  tensor: all rows, when it has run.  numbers: those as Python numbers.
    node: where gradients of single rows meet (`rows.RowsGrad`).  used: whether an op was given one of its rows.
    made: shape, dtype, requires_grad.  viewed: whether in a loop its tensors would share memory with others.
    """

    __slots__ = (
        "signature", "scheduler", "made", "shape", "dtype", "requires_grad", "depth", "columns", "first", "last",
        "members", "outputs", "sources", "tensor", "numbers", "node", "used", "viewed", "left", "followers",
    )  # fmt: skip

    def __init__(self, signature: Signature, scheduler: Any, depth: int, made: tuple[Any, Any, bool]) -> None:
        self.signature, self.scheduler, self.depth = signature, scheduler, depth
        self.made = made
        self.shape, self.dtype, self.requires_grad = made
        self.members: list[Value] = []
        self.columns: Any = None
        self.first: Any = None
        self.last: Any = None
        self.outputs: list[Group] = []
        self.sources: set[Group] = set()
        self.tensor: Any = None
        self.numbers: Any = None
        self.node: Any = None
        self.used = False
        self.viewed = signature.view
        self.left = 0
        self.followers: list[Group] = []

    def append(self, operands: Any) -> Any:
        """Add a call; return what it makes."""
        if len(operands) == 1:
            self.first.append(operands[0])
        else:
            for column, operand in zip(self.columns, operands, strict=True):
                column.append(operand)
        pack = self.signature.pack
        return joined(self) if pack is None else pack(list(map(joined, self.outputs)))

    def append_two(self, one: Value, other: Value) -> Lazy:
        """Add a call with two operands that makes one tensor."""
        self.first.append(one)
        self.last.append(other)
        return joined(self)


def joined(group: Group) -> Lazy:
    """Return a new lazy tensor, the last member of the group."""
    value: Value = new(Value)
    value.home = group
    members = group.members
    value.row = len(members)
    members.append(value)
    made: Lazy = new(Lazy)
    made.value = value
    return made
