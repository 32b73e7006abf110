"""The ids of the tensors of a run, of those from before it, and what was written into them in place."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dyncli.recorder.engine import SMALL, AccumulateGrad, Tensor, is_grad_enabled, next_rank, owner, storage

next_number = next_rank  # so that the rank of a node can be the number of what it made


#: Where the first element is, and how far apart all are.
Place = tuple[int, tuple[int, ...], tuple[int, ...], str]


class TensorIds:
    """Numbers of tensors, in their `_trace` slot.  An in-place op gives a tensor a new one.

    first: the number before those of this run, as numbers fall.
    sources: the tensors that no op of the run made, by number.
    first_values: what a small source held when it was met first, by number.
    leaves: references to the leaves, by number.
    given: what a source is that no name leads to: "seed", "saved" or "gradient", by number.
    grads: the tensor that is the `.grad` of a leaf, by id, with the leaf's number.
    grad_of: the leaf's number, by the number of a `.grad` that the run reads.
    reassigned: of each tensor that had, or was given, another's `.data`: number, place in memory, owner of the memory.
    in_backward: the backward passes that run now.
    """

    __slots__ = ("first", "sources", "first_values", "leaves", "given", "grads", "grad_of", "reassigned",
                 "in_backward", "on_source")  # fmt: skip

    def __init__(self, in_backward: Sequence[Any], on_source: Sequence[Callable[[int, Tensor], None]]) -> None:
        self.sources: dict[int, Tensor] = {}
        self.first_values: dict[int, Any] = {}
        self.leaves: dict[int, Any] = {}
        self.given: dict[int, str] = {}
        self.grads: dict[int, tuple[Any, int]] = {}
        self.grad_of: dict[int, int] = {}
        self.reassigned: list[tuple[int, Place, Any]] = []
        self.in_backward = in_backward
        self.on_source = on_source
        self.first = next_number()

    def number(self, tensor: Tensor) -> int:
        """Return the number of a tensor's present value; a tensor from before the run becomes a source."""
        try:
            number = tensor._trace
        except AttributeError:
            return self.source(tensor)
        return number if number < self.first else self.source(tensor)

    def has(self, tensor: Tensor) -> bool:
        """Return whether a tensor has a number of this run."""
        return getattr(tensor, "_trace", self.first) < self.first

    def source(self, tensor: Tensor) -> int:
        """Assign a number to a tensor that no op of this run made."""
        tensor._trace = number = next_number()
        self.sources[number] = tensor
        if tensor._array.size <= SMALL:
            self.first_values[number] = tensor._array.copy()
        if self.in_backward:
            self.given[number] = "saved" if is_grad_enabled() else "gradient"  # under `create_graph` ops make gradients
        elif (grad := self.grads.get(id(tensor))) is not None and grad[0]() is tensor:
            self.grad_of[number] = grad[1]
        if tensor._edge.__class__ is AccumulateGrad:
            self.leaves[number] = weakref.ref(tensor)
        for callback in self.on_source:
            callback(number, tensor)
        return number

    def numbers(self, values: Any) -> list[int]:
        """Return the numbers of every tensor in nested lists."""
        found: list[int] = []
        for value in values:
            if isinstance(value, Tensor):
                found.append(self.number(value))
            elif value.__class__ is list or value.__class__ is tuple:
                found += self.numbers(value)
        return found

    def of_number(self, number: int) -> Tensor | None:
        """Return the source or leaf of this number, if it is there still."""
        leaf = self.leaves.get(number)
        return self.sources.get(number, None if leaf is None else leaf())

    def reassign(self, tensor: Tensor, value: Tensor) -> None:
        """Let a tensor be what its `.data` is given, if that is other memory: `w.data -= 1` gives its own."""
        arrays = storage(tensor), storage(value)
        places = [place_of(array) for array in arrays]
        if places[0] == places[1]:
            return
        numbers = self.number(tensor), self.number(value)
        owners = [weakref.ref(owner(array)) for array in arrays]
        self.reassigned += zip(numbers, places, owners, strict=True)
        tensor._trace = numbers[1]

    def live_leaves(self) -> list[tuple[int, Tensor]]:
        """Return the leaves that are there still, and forget the others.

        A loop that makes its own leaves would otherwise look at all of them in its every pass.
        """
        found = [(number, leaf) for number, each in self.leaves.items() if (leaf := each()) is not None]
        if len(found) != len(self.leaves):
            self.leaves = {number: self.leaves[number] for number, _ in found}
        return found


def place_of(array: Any) -> Place:
    """Return which elements an array looks at, as long as what owns them is there."""
    return array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.str


class WrittenView(NamedTuple):
    """The base of a view after a write: its number, the one before, and its array if small, else shape and dtype."""

    number: int
    before: int
    what: Any


class Writes:
    """The writes in place.

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
