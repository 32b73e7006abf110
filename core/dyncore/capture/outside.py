"""What a tape keeps of tensors: those from outside, the nodes between, those that are returned."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import Op

from .program import Slot


class Entry:
    """A node of the recorded graph: its op, what it saved (slots and plain values) and where its gradients go.

    to: for each target None, ("node", entry, output number) or ("tensor", number of an external tensor).
    """

    __slots__ = ("number", "op", "targets", "to", "metas", "outs", "saved", "label", "place", "after")

    number: int
    op: Op
    targets: tuple[Any, ...]
    to: tuple[Any, ...]
    metas: tuple[Any, ...]
    outs: tuple[Any, ...]
    saved: tuple[Any, ...]
    label: str
    place: tuple[Any, int]
    after: int


class External:
    """A tensor from outside: an argument, or one that the function reaches by a name."""

    __slots__ = ("tensor", "array", "edge", "slot", "label", "argument", "writes")

    def __init__(self, tensor: Any, slot: Slot, label: str, argument: int | None) -> None:
        self.tensor = tensor
        self.array = tensor._array
        self.edge = tensor._edge
        self.slot = slot
        self.label = label
        self.argument = argument
        self.writes = 0


def placed(externals: list[External], registry: list[Any], arguments: int) -> list[int]:
    """Where each external array is handed in: arguments first, then tensors met by name, which join `registry`."""
    positions = []
    for external in externals:
        if external.argument is not None:
            position = external.argument
        else:
            position = next((k for k, each in enumerate(registry) if each is external.tensor), len(registry))
            if position == len(registry):
                registry.append(external.tensor)
            position += arguments
        external.slot.place = position
        positions.append(position)
    return positions


class Returned:
    """A tensor in the tree of results: an external one, or a slot with the place in the graph that leads to it."""

    def __init__(
        self, external: int = -1, slot: Any = None, entry: Any = None, index: int = 0, tensor: int = 0
    ) -> None:
        self.tensor = tensor
        self.segment = self.output = -1
        self.external = external
        self.slot = slot
        self.entry = entry
        self.index = index


class Made:
    """A named tuple in the tree of results."""

    def __init__(self, kind: Any, parts: list[Any], fields: bool) -> None:
        self.kind = kind
        self.parts = parts
        self.fields = fields
