"""Buffers: arrays that are made once and written again at every run.

A slot has a buffer when a NumPy function can write to it (`out=`) and nobody outside keeps it.  A value for backward
has one for itself; the others share, as soon as nothing reads the last one any more.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from sys import getrefcount
from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.tensors.numpy_direct import clip

from ..steps import Slot, Step, mark, slots_in
from ..tree import Branch
from .joining import writers

# Writing over an operand gives the same bits here: NumPy has one loop for these, exact in each element.
IN_PLACE = frozenset((np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.absolute, np.maximum,
                      np.minimum, np.sqrt, np.square, clip))  # fmt: skip
LARGE = 1 << 18
SMALL = 1 << 14  # bytes of arrays that lie in rows
Layout = tuple[tuple[int, ...], tuple[int, ...], Any]


def empty(layout: Layout) -> Any:
    """Return an array of this shape, strides and dtype."""
    shape, strides, dtype = layout
    order = sorted(range(len(shape)), key=lambda axis: -strides[axis])
    return np.empty([shape[axis] for axis in order], dtype).transpose(np.argsort(order))


def layout_of(slot: Slot) -> Layout | None:
    """Return the layout of a slot, or None if it has gaps or repeats elements."""
    if slot.scalar or not slot.shape or 0 in slot.shape:
        return None
    expected = slot.dtype.itemsize
    for n, stride in sorted(zip(slot.shape, slot.strides, strict=True), key=lambda pair: pair[1]):
        if n != 1:
            if stride != expected:
                return None
            expected *= n
    strides = _without_units(slot)
    return slot.shape, strides, slot.dtype


def _without_units(slot: Slot) -> tuple[int, ...]:
    """Return the strides NumPy gives a new array of this order; those of dimensions of one element may be anything."""
    order = sorted(
        range(len(slot.shape)), key=lambda a: (-slot.strides[a], a) if slot.shape[a] != 1 else (-(1 << 62), a)
    )
    return np.empty([slot.shape[a] for a in order], slot.dtype).transpose(np.argsort(order)).strides


def writable(step: Step) -> bool:
    """Return whether the step can write its result into an array that is there already."""
    out = step.outs
    if out.__class__ is not Slot or out.root is not out or step.kwargs:
        return False
    if step.kind in ("ufunc", "fill"):
        return layout_of(out) is not None
    if step.kind == "method" and step.function == "dot":
        both = [each for each in step.args if each.__class__ is Slot]
        plain = len(both) == 2 and all(not each.scalar and each.dtype == out.dtype for each in both)
        return plain and layout_of(out) is not None and out.strides == _c_strides(out)
    if step.kind == "call" and step.function is np.where and len(step.args) == 3:
        return layout_of(out) is not None and not step.checked and _chooses(*step.args, out.dtype)
    return writer_of(step) is not None


def writer_of(step: Step) -> Any:
    """Return what writes the step's result into an array, if its function can for arrays laid out like these.

    The function's `writer`, asked with the step's arguments, gives it; it takes the arrays among them, `out`, and an
    array of the layout `scratch`, if it has one.
    """
    writer = getattr(step.function, "writer", None) if step.kind == "call" else None
    out = step.outs
    if writer is None or layout_of(out) is None or out.strides != _c_strides(out):
        return None
    return writer(*step.args)


def _chooses(mask: Any, first: Any, second: Any, dtype: Any) -> bool:
    """Return whether `np.where` only copies elements: from slots of the result's dtype, or exact numbers."""
    return (
        mask.__class__ is Slot
        and mask.dtype.kind == "b"
        and all(
            each.dtype == dtype if each.__class__ is Slot else each.__class__ in (int, float) and dtype.kind == "f"
            for each in (first, second)
        )
    )


def _c_strides(slot: Slot) -> tuple[int, ...]:
    return np.empty(slot.shape, slot.dtype).strides if slot.nbytes < 1 << 16 else _running(slot)


def _running(slot: Slot) -> tuple[int, ...]:
    strides, step = [], slot.dtype.itemsize
    for n in reversed(slot.shape):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def _held(arrays: list[Any]) -> int:
    """Return the reference count of an array held by a list and a loop over it.

    3 where loops own a reference.
    """
    for array in arrays:
        return getrefcount(array)
    return 0


_ALONE = _held([np.empty(1)])


class Outlet:
    """Large arrays that are handed out, and used again once nobody holds them any more.

    A fresh array of 4 MB costs a thousand page faults, more than the addition that fills it (PERFORMANCE, 2.1).
    """

    __slots__ = ("layout", "arrays")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.arrays: list[Any] = []

    def __call__(self) -> Any:
        for array in self.arrays:
            # A tensor, a view or a buffer would be one more.
            if getrefcount(array) == _ALONE and id(array) not in versions._written:
                return array
        made = empty(self.layout)
        made = made if made.base is None else made.copy(order="K")
        if len(self.arrays) < 2:
            self.arrays.append(made)
        return made


class Buffers:
    """The buffers of a tree of steps.  `layouts` are the arrays of one workspace; `of` gives a step's buffer."""

    def __init__(self, root: Branch, preserved: set[int], fresh: set[int], first: Iterable[Layout] = ()) -> None:
        self.layouts: list[Layout] = list(first)
        self.of: dict[int, int] = {}
        self.scratch: dict[int, int] = {}  # by step: an array for what it needs on the way
        self.views: list[tuple[int, Step]] = []
        self._view_of: dict[Any, int] = {}
        self._preserved = preserved
        self.fresh = fresh
        self._fills: list[tuple[int, Any]] = []
        self._outlets: dict[int, Outlet] = {}
        self._placed = -1
        self._of_layout: dict[Layout, list[int]] = {}
        self._writers = writers(root, fresh, writable)
        self._joins: list[Any] = []
        stack: list[tuple[Branch, dict[Layout, list[int]], dict[int, tuple[int, Layout]]]] = [(root, {}, {})]
        live = _live_after(root)
        while stack:
            branch, free, held = stack.pop()
            for at, step in enumerate(branch.steps):
                self._give(step, live[id(branch)][at], free, held)
            for child in branch.children.values():
                stack.append((child, {layout: list(each) for layout, each in free.items()}, dict(held)))
        self._place_pieces()

    def _give(
        self, step: Any, live: set[int], free: dict[Layout, list[int]], held: dict[int, tuple[int, Layout]]
    ) -> None:
        roots = {slot.root.number for slot in slots_in((step.args, step.kwargs, step.outs))}
        dying = [number for number in roots if number in held and number not in live]
        if step.kind == "blocks":
            self._give_blocks(step, free, held)
            self._release(dying, free, held)
            return
        if step.kind == "join":
            layout = layout_of(step.outs)
            assert layout is not None
            self.of[id(step)] = self._new(layout)
            self._joins.append(step)
        if step.kind == "join" or id(step) in self._writers:
            self._release(dying, free, held)
            return
        # NumPy takes longer for one element written over itself: it looks whether the memory overlaps.
        early = step.kind == "ufunc" and step.function in IN_PLACE and math.prod(step.outs.shape) != 1
        if early:
            operands = {slot.root.number: slot for slot in step.args if slot.__class__ is Slot}
            early = all(operands[n].root is operands[n] for n in dying if n in operands)
            # an operand may appear a second time through a view; then its memory is not written before it is read
            count = [slot.root.number for slot in step.args if slot.__class__ is Slot]
            early = early and len(set(count)) == len(count)
        if early:
            self._release(dying, free, held)
        if writable(step) and step.outs.number not in self.fresh:
            layout = layout_of(step.outs)
            assert layout is not None
            number = step.outs.number
            if number in self._preserved:
                self.of[id(step)] = self._new(layout)
            else:
                waiting = free.get(layout)
                place = waiting.pop() if waiting else self._new(layout)
                self.of[id(step)] = place
                held[number] = place, layout
                if number not in live:
                    dying.append(number)
            layout = getattr(writer_of(step), "scratch", None)
            if layout is not None:
                waiting = free.setdefault(layout, [])
                self.scratch[id(step)] = place = waiting.pop() if waiting else self._new(layout)
                waiting.append(place)
        if not early:
            self._release(dying, free, held)

    def _give_blocks(self, step: Any, free: dict[Layout, list[int]], held: dict[int, tuple[int, Layout]]) -> None:
        """Whole arrays for the results, and scratch arrays, one block long, for what is between them."""
        results = {slot.number for slot in step.results}
        last = {slot.number: k for k, each in enumerate(step.steps) for slot in slots_in(each.args)}
        waiting: dict[Layout, list[int]] = {}
        taken: dict[int, tuple[int, Layout]] = {}
        for k, each in enumerate(step.steps):
            out = each.outs
            numbers = [slot.number for slot in slots_in(each.args)]
            over = [n for n in numbers if n in taken and last[n] == k]
            if each.function in IN_PLACE and len(set(numbers)) == len(numbers):
                self._release(over, waiting, taken)
                over = []
            if out.number in results:
                if out.number not in self.fresh:
                    layout: Any = layout_of(out)
                    spare = None if out.number in self._preserved else free.get(layout)
                    step.places[out.number] = place = spare.pop() if spare else self._new(layout)
                    if out.number not in self._preserved:
                        held[out.number] = place, layout
            else:
                layout = (step.size,), (out.dtype.itemsize,), out.dtype
                spare = waiting.get(layout) or free.get(layout)
                step.places[out.number] = place = spare.pop() if spare else self._new(layout)
                taken[out.number] = place, layout
            self._release(over, waiting, taken)
        for layout, places in [*waiting.items(), *[(layout, [place]) for place, layout in taken.values()]]:
            free.setdefault(layout, []).extend(places)

    def _place_pieces(self) -> None:
        """Give each piece of a join its view: a step writes there, a constant is filled in, another is copied."""
        placed = set()
        for number, (into, index) in self._writers.items():
            self.of[number] = self._piece(into, index)
            placed.add(id(index))
        for into in self._joins:
            for slot, index in into.pieces:
                if slot.__class__ is not Slot:
                    self._fills.append((self._piece(into, index), slot))
                elif slot.kind == "constant" and not slot.fresh:
                    self._fills.append((self._piece(into, index), slot.value))
                elif id(index) not in placed:
                    into.copies.append((self._piece(into, index), slot))

    def _piece(self, into: Any, index: Any) -> int:
        return self.view(self.of[id(into)], Step("call", operator.getitem, (into.outs, index), {}, into.outs))

    def outlet(self, slot: Slot) -> Any:
        """Return what gives a large array for a result that is handed out, or None where NumPy had better make it."""
        layout = layout_of(slot)
        if layout is None or slot.number not in self.fresh or slot.nbytes < LARGE:
            return None
        return self._outlets.setdefault(slot.number, Outlet(layout))

    def _release(self, dying: list[int], free: dict[Layout, list[int]], held: dict[int, tuple[int, Layout]]) -> None:
        for number in dying:
            found = held.pop(number, None)
            if found is not None:
                free.setdefault(found[1], []).append(found[0])

    def _new(self, layout: Layout) -> int:
        self.layouts.append(layout)
        return len(self.layouts) - 1

    def view(self, place: int, step: Step) -> int:
        """Return the place of a view of a buffer, which is made with the buffer."""
        key = place, step.kind, mark(step.args[1:]), mark(step.kwargs), step.function
        found = self._view_of.get(key)
        if found is None:
            self.views.append((place, step))
            found = self._view_of[key] = len(self.layouts) + len(self.views) - 1
        return found

    def make(self) -> list[Any]:
        """Make the arrays of one workspace: the buffers, then the views of them."""
        made: list[Any] = [None] * len(self.layouts)
        for layout, places in self._rows().items():
            block = np.zeros((len(places), *layout[0]), layout[2])
            for row, place in enumerate(places):
                made[place] = block[row]
        made = [empty(layout) if each is None else each for each, layout in zip(made, self.layouts, strict=True)]
        for place, step in self.views:
            made.append(look(made[place], step))
        for place, value in self._fills:
            made[place][...] = value
        return made

    def _rows(self) -> dict[Layout, list[int]]:
        """Return the places of arrays that lie one behind the other: small ones of one layout."""
        if self._placed != len(self.layouts):
            self._placed, self._of_layout = len(self.layouts), {}
            for place, layout in enumerate(self.layouts):
                shape, strides, dtype = layout
                nbytes = math.prod(shape) * dtype.itemsize
                if nbytes <= SMALL and nbytes % 16 == 0 and strides == np.empty(shape, dtype).strides:
                    self._of_layout.setdefault(layout, []).append(place)
        return {layout: places for layout, places in self._of_layout.items() if len(places) > 1}

    def position(self, place: int) -> tuple[Layout, tuple[int, int]] | None:
        """Return (layout, (first, last + 1)) of an array's elements among its rows.

        None if it is in no rows.
        """
        steps = []
        while place >= len(self.layouts):
            place, step = self.views[place - len(self.layouts)]
            steps.append(step)
        layout = self.layouts[place]
        places = self._rows().get(layout)
        if places is None:
            return None
        shape = layout[0]
        elements = np.arange(math.prod(shape)).reshape(shape)
        seen = elements
        for step in reversed(steps):
            seen = np.asarray(look(seen, step))
        if not seen.size or (seen.reshape(-1) != np.arange(seen.size) + seen.reshape(-1)[0]).any():
            return None
        start = places.index(place) * elements.size + int(seen.reshape(-1)[0])
        return layout, (start, start + seen.size)

    def unpacked(self, name: str) -> str:
        """Return the line that gives the arrays of the workspace `name` their names."""
        count = len(self.layouts) + len(self.views)
        return "    (" + "".join(f"b{k}, " for k in range(count)) + f") = {name}" if count else "    pass"

    @property
    def nbytes(self) -> int:
        return sum(int(np.prod(shape)) * dtype.itemsize for shape, _, dtype in self.layouts)


def looked_at(step: Step) -> int:
    """Return the number of the one slot that a step only looks at in another way; -1 if it does anything else."""
    out = step.outs
    if out.__class__ is not Slot or out.root is out or step.checked or step.kind == "write":
        return -1
    slots = slots_in((step.args, step.kwargs))
    return slots[0].number if len(slots) == 1 and step.args[0] is slots[0] else -1


def look(array: Any, step: Step) -> Any:
    """Return the view of `array` that a step gives."""
    if step.kind == "attribute":
        return getattr(array, step.function)
    if step.kind == "method":
        return getattr(array, step.function)(*step.args[1:], **step.kwargs)
    return step.function(array, *step.args[1:], **step.kwargs)


def _live_after(root: Branch) -> dict[int, list[set[int]]]:
    """For each branch and step, the roots that something after the step reads."""
    order = list(root.walk())
    before: dict[int, set[int]] = {}
    found: dict[int, list[set[int]]] = {}
    for branch in reversed(order):
        live: set[int] = set()
        for child in branch.children.values():
            live |= before[id(child)]
        if branch.decision is not None:
            live |= {slot.root.number for slot in branch.decision.slots}
        after: list[set[int]] = [set()] * len(branch.steps)
        for at in range(len(branch.steps) - 1, -1, -1):
            step = branch.steps[at]
            used = {slot.root.number for slot in slots_in((step.args, step.kwargs, step.outs))}
            # Only whether this step's own slots live on is asked.
            after[at] = used & live
            live |= used
        before[id(branch)] = live
        found[id(branch)] = after
    return found
