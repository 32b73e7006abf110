"""Saved values of a custom function, held for its backward."""

from __future__ import annotations

import weakref
from typing import Any

from dyncore.graph import versions
from dyncore.graph.node import Output, next_rank
from dyncore.tensors.tensor import wrap

from .changed import describe, modified
from .hooks import Packed


class Held:
    """A tensor that a custom function saved: itself, or its array and number when it is the function's own output.

    It knows its node weakly: the node holds it, and a graph that is dropped must not wait for the garbage collector.
    """

    __slots__ = ("node", "array", "source", "tensor", "number", "rank", "packed")

    def __init__(self, node: Any, array: Any, edge: Any, tensor: Any, number: int | None = None) -> None:
        self.node = weakref.ref(node)
        self.array = array
        self.source = edge
        self.tensor = tensor
        self.number = number
        self.rank = next_rank()
        self.packed: Packed | None = None

    @property
    def edge(self) -> Any:
        """The edge of the tensor."""
        if self.number is None:
            return self.source
        node = self.node()
        return node if node is None or node.outputs == 1 else Output(node, self.number)

    def unpack(self) -> Any:
        """Return the tensor.  Raise RuntimeError if it was written in place since."""
        edge = self.edge
        if self.packed is not None:
            found = self.packed.unpacked()
            return found if edge is None and not found.requires_grad else wrap(found._array, edge)
        written = versions.stamps(self.array)
        if written is not None and written.ranks and written.ranks[-1] < self.rank:
            node: Any = self.node()
            raise modified(node, self.array, written, describe(edge))
        if self.tensor is not None and self.tensor._edge is edge:
            return self.tensor
        return wrap(self.array, edge)

    def pack(self, pack: Any, unpack: Any) -> None:
        """Replace the array by what `pack` makes of it."""
        edge = self.edge
        held = self.tensor if self.tensor is not None and self.tensor._edge is edge else None
        self.packed = Packed(self.array, pack, unpack, edge, held)
        self.array = self.tensor = None
