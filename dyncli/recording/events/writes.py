"""What a run wrote in place: by ops through views, and by what is no op, such as an optimizer's step."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

from dyncli.recording.engine import SMALL, Tensor
from dyncli.recording.events.tensor_ids import TensorIds, next_number


class WrittenView(NamedTuple):
    """The base of a view after a write: its number, the one before, and its array if small, else shape and dtype."""

    number: int
    before: int
    what: Any


class Writes:
    """What was written in place.

    through_views: by op, what it wrote into through a view.
    bases: the number of the same by the rank of the node that this left.
    silent: by the id of an array that was written without any op, a reference to it, as another may get its id, and how
    many ops there were at the last such write.
    former: by number, what a tensor held before each such write: how many ops there were, and the array, if it is
    small, or its statistics; kept by a collector.
    copied_views: the ops that copied instead of making a view.
    """

    __slots__ = ("through_views", "bases", "silent", "former", "copied_views")

    def __init__(self) -> None:
        self.through_views: dict[int, WrittenView] = {}
        self.bases: dict[int, int] = {}
        self.silent: dict[int, tuple[Any, int]] = {}
        self.former: dict[int, list[tuple[int, Any]]] = {}
        self.copied_views: set[int] = set()

    def add_silent(self, root: Any, count: int) -> None:
        """Note that an array is about to be written without any op, after `count` ops."""
        self.silent[id(root)] = weakref.ref(root), count

    def add_through_view(self, written: Tensor, op: int, tensors: TensorIds, steps: dict[int, int]) -> None:
        """Assign a new number to the base of the view that an op about to be recorded wrote to."""
        base = None if written._meta is None else written._meta.base
        if base is None:
            return
        before = tensors.number(base)
        base._trace = number = next_number()
        array = base._array
        what = array.copy() if array.size <= SMALL else (array.shape, array.dtype)
        self.through_views[op] = WrittenView(number, before, what)
        if getattr(base._edge, "title", "") == "CopySlices":
            steps[base._edge.rank] = op
            self.bases[base._edge.rank] = number
