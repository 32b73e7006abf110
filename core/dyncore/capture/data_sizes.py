"""Sizes that the elements of tensors decide, as that of `x[x > 0]`: they vary where those of the inputs do not."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.meta import SIZED_BY_DATA

from .captured import bound
from .steps import Node, Slot, slots_in

#: Ops whose result has the shape of `input`, whatever the shapes of their other arguments are.
_KEEPING = frozenset((
    "index_add", "index_copy", "index_fill", "index_put", "scatter", "scatter_add", "scatter_reduce", "masked_scatter",
))  # fmt: skip


_SHAPED = frozenset(("view", "reshape", "expand", "repeat", "topk"))  # in a shape, or a number, that they are given


class DataSizes:
    """Slots of a run whose shape may be another for inputs of the same shapes."""

    def __init__(self) -> None:
        self._slots: set[Slot] = set()
        self._lengths: set[Slot] = set()  # numbers that are computed of sizes of other tensors alone

    def __contains__(self, slot: Slot) -> bool:
        return slot in self._slots

    def follow(self, node: Node) -> None:
        """Add the results of a node if their sizes are decided by data."""
        if node.kind == "same":
            self.pass_on(node.args[0], node.results[0])
        elif node.kind in ("call", "draw"):
            shaped = [each for each in node.results if each is not None and each.shape]
            if not shaped:
                self._follow_number(node)
            elif self._counts(node) or (self._slots and self._follows(node)):
                self._slots.update(shaped)

    def _follow_number(self, node: Node) -> None:
        operands = slots_in((node.args, dict(node.kwargs)))
        of_lengths = self._lengths and all(each in self._lengths or each.kind == "constant" for each in operands)
        if of_lengths or (node.name == "size" and not self._slots.intersection(operands)):
            self._lengths.update(each for each in node.results if each is not None)

    def _follows(self, node: Node) -> bool:
        given = bound(node)["input"] if node.name in _KEEPING else (node.args, dict(node.kwargs))
        return any(each in self._slots for each in slots_in(given))

    def add(self, slot: Slot) -> None:
        """Add a slot."""
        self._slots.add(slot)

    def pass_on(self, before: Slot, after: Slot) -> None:
        """Let `after` be what `before` is."""
        if before in self._slots:
            self._slots.add(after)

    def _counts(self, node: Node) -> bool:
        """Return whether elements decide the number of results: those that fulfil something, or a tensor's value."""
        if node.name == "where":
            return bound(node).get("input") is None
        if node.name == "__getitem__":
            index = bound(node)["index"]
            parts = index if isinstance(index, tuple) else (index,)
            masks = any(each.dtype.kind == "b" for each in slots_in(parts))
            return masks or self._reads([each for each in parts if isinstance(each, slice)])
        if node.name in _SHAPED:
            return self._reads(node.args[1:])
        if node.name == "repeat_interleave":
            return self._reads(bound(node).get("repeats"))
        made = node.op is None and self._reads([node.kwargs.get(name) for name in ("shape", "start", "end", "step")])
        return made or node.name in SIZED_BY_DATA

    def _reads(self, tree: Any) -> bool:
        """Return whether values of tensors are among these sizes."""
        return any(each not in self._lengths and each.kind != "constant" for each in slots_in(tree))
