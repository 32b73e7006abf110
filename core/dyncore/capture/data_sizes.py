"""Sizes that the elements of tensors decide, as that of `x[x > 0]`: they vary where those of the inputs do not."""

from __future__ import annotations

from .captured import bound
from .steps import Node, Slot, slots_in

_COUNTING = frozenset(("nonzero", "argwhere", "masked_select", "unique", "unique_consecutive", "bincount"))
#: Ops whose result has the shape of `input`, whatever the shapes of their other arguments are.
_KEEPING = frozenset((
    "index_add", "index_copy", "index_fill", "index_put", "scatter", "scatter_add", "scatter_reduce", "masked_scatter",
))  # fmt: skip


class DataSizes:
    """Slots of a run whose shape may be another for inputs of the same shapes."""

    def __init__(self) -> None:
        self._slots: set[Slot] = set()

    def __contains__(self, slot: Slot) -> bool:
        return slot in self._slots

    def follow(self, node: Node) -> None:
        """Add the results of a node if their sizes are decided by data."""
        if node.kind == "same":
            self.pass_on(node.args[0], node.results[0])
        elif node.kind in ("call", "draw"):
            shaped = [each for each in node.results if each is not None and each.shape]
            if shaped and (_counts(node) or self._slots and self._follows(node)):
                self._slots.update(shaped)

    def _follows(self, node: Node) -> bool:
        given = bound(node)["input"] if node.name in _KEEPING else (node.args, dict(node.kwargs))
        return any(each in self._slots for each in slots_in(given))

    def pass_on(self, before: Slot, after: Slot) -> None:
        """Let `after` be what `before` is."""
        if before in self._slots:
            self._slots.add(after)


def _counts(node: Node) -> bool:
    """Return whether elements decide the number of results: those that fulfil something, or a tensor's value."""
    if node.name == "where":
        return bound(node).get("input") is None
    if node.name == "__getitem__":
        index = bound(node)["index"]
        parts = index if isinstance(index, tuple) else (index,)
        return any(each.dtype.kind == "b" for each in slots_in(parts)) or any(
            slots_in(each) for each in parts if isinstance(each, slice)
        )
    if node.name == "repeat_interleave":
        return bool(slots_in(bound(node).get("repeats")))
    made = node.op is None and any(slots_in(node.kwargs.get(name)) for name in ("shape", "start", "end", "step"))
    return made or node.name in _COUNTING
