"""Groups of equal calls of an op, and what makes calls equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .lazy import Lazy

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
    """Calls of one signature at one depth, and one of their outputs: row i is that of call i.

    outputs: the groups of all outputs; the first counts the calls and has the parts.
    sources: the groups it waits for.  used: whether an op was given one of its rows.
    made: shape, dtype, requires_grad.  viewed: whether in a loop its tensors would share memory with others.
    whole: what was computed, None before; the group's rows begin at `offset` there, after those of other groups.
    numbers: the rows of `whole` that its calls have, if they are rows of a tensor that all examples share.
    """

    __slots__ = (
        "signature", "scheduler", "made", "shape", "dtype", "requires_grad", "depth", "count", "parts", "outputs",
        "sources", "whole", "offset", "numbers", "used", "viewed", "left", "followers", "__weakref__",
    )  # fmt: skip

    def __init__(self, signature: Signature, scheduler: Any, depth: int, made: tuple[Any, Any, bool]) -> None:
        self.signature, self.scheduler, self.depth = signature, scheduler, depth
        self.made = made
        self.shape, self.dtype, self.requires_grad = made
        self.count = self.offset = self.left = 0
        self.parts: list[Part] = []
        self.outputs: list[Group] = []
        self.sources: set[Group] = set()
        self.whole: Any = None
        self.numbers: Any = None
        self.used = False
        self.viewed = signature.view
        self.followers: list[Group] = []

    def rows(self, calls: list[int]) -> list[int]:
        """Return where calls lie in `whole`."""
        if self.numbers is not None:
            return [self.numbers[call] for call in calls]
        return [call + self.offset for call in calls] if self.offset else calls


class Part:
    """The calls of a group whose operands lie in the same groups.

    homes: these groups, one for each column of operands.  columns: the rows of each call's operands there; without
    homes the operands themselves.  places: the numbers of these calls in the group.
    """

    __slots__ = ("group", "outputs", "homes", "columns", "first", "last", "places", "pack")

    def __init__(self, group: Group, homes: list[Group]) -> None:
        self.group, self.outputs, self.homes, self.pack = group, group.outputs, homes, group.signature.pack
        self.columns: list[list[Any]] = [[] for _ in range(group.signature.columns)]
        self.first, self.last = (self.columns[0], self.columns[-1]) if self.columns else ([], [])
        self.places: list[int] = []
        group.parts.append(self)

    def has(self, home: Group, row: int) -> bool:
        """Return whether a row of a group is an operand of a call."""
        return any(each is home and row in column for each, column in zip(self.homes, self.columns, strict=False))

    def append(self, operands: list[Any]) -> Any:
        """Add a call; return what it makes."""
        for column, operand in zip(self.columns, operands):
            column.append(operand)
        return self.result()

    def result(self) -> Any:
        """Return what a new call makes."""
        group = self.group
        row = group.count
        group.count = row + 1
        self.places.append(row)
        if self.pack is None:
            made: Lazy = new(Lazy)
            made.home, made.row = group, row
            return made
        several = []
        for output in self.outputs:
            made = new(Lazy)
            made.home, made.row = output, row
            several.append(made)
        return self.pack(several)
