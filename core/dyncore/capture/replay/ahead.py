"""What a backward computes of saved values alone, done for all steps of a recurrence at once.

The slope of each tanh, 1 - y^2, needs no gradient.  What a forward saves lies in rows of one array, so two calls over
all of them take the place of two for each: 126 calls of 0.25 us are 4 us together (bench, replay: tree).  Rows that
nobody asks for are computed with the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ..program import Slot, Step, mark, slots_in
from .buffers import IN_PLACE, Buffers, Layout
from .fuse import EXACT

LEAST = 3
MOST_EACH = 1500  # elements for each step that is spared: a call takes 0.25 us, an element 0.15 ns
Span = tuple[int, int]


class Batch:
    """One call for many steps.  members: the slot of each, and where in the rows it lies."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.of = 0  # the number of any saved slot that lies in the same rows
        self.block: Any = None
        self.span: Span = 0, 0
        self.members: list[tuple[Slot, Span]] = []
        self.argument: Batch | None = None  # whose results it takes
        self.place = -1


class Ahead:
    """Finds the steps.  saved: slots that lie in a workspace, with their places there."""

    def __init__(self, buffers: Buffers, saved: dict[int, int], slot: Callable[[Any], Slot]) -> None:
        self._slot = slot
        self._spans = {number: found for number, place in saved.items() if (found := buffers.position(place))}
        self._of: dict[int, tuple[Any, int]] = {}  # for each slot: what it is, of which saved slot
        self.batches: dict[Any, Batch] = {}

    def rest(self, steps: list[Any], kept: set[int]) -> list[Any]:
        """The steps that are left.  kept: roots that are wanted as they are."""
        if not self._spans:
            return steps
        for step in steps:
            found = self._expression(step, kept)
            if found is not None:
                key, number = self._of[step.outs.number] = found
                block, span = self._spans[number]
                batch = self.batches.setdefault((key, block), Batch(step))
                batch.block, batch.of = block, number
                batch.members.append((step.outs, span))
        self._choose(steps)
        gone = {slot.number for batch in self.batches.values() for slot, _ in batch.members}
        return [step for step in steps if step.outs.__class__ is not Slot or step.outs.number not in gone]

    def _expression(self, step: Any, kept: set[int]) -> tuple[Any, int] | None:
        """What the step computes, and of which saved slot; None if it is anything else."""
        out = step.outs
        if step.kind != "ufunc" or step.function not in EXACT or step.kwargs or out.__class__ is not Slot:
            return None
        if out.scalar or out.root is not out or out.number in kept or not out.value.flags.c_contiguous:
            return None
        numbers, key = set(), [step.function]
        for each in step.args:
            if each.__class__ is Slot and each.shape:
                what, number = self._of.get(each.number) or (("saved", each.dtype), each.number)
                if number not in self._spans or each.shape != out.shape:
                    return None
                numbers.add(number)
                key.append(what)
            elif each.__class__ is Slot and (each.kind != "constant" or each.fresh):
                return None
            else:
                key.append(mark(each.value) if each.__class__ is Slot else mark(each))
        return (tuple(key), numbers.pop()) if len(numbers) == 1 else None

    def _choose(self, steps: list[Any]) -> None:
        """Keeps the batches that are worth it, and finds out what they take from each other."""
        spans: dict[Any, list[Span]] = {}
        for batch in self.batches.values():
            spans.setdefault(batch.block, []).extend(span for _, span in batch.members)
        for key, batch in list(self.batches.items()):
            # The same for all that take each other's results.
            batch.span = min(start for start, _ in spans[batch.block]), max(stop for _, stop in spans[batch.block])
            taken = [what for what in key[0][1:] if (what, batch.block) in self.batches]
            few = len(batch.members) < LEAST or batch.span[1] - batch.span[0] > MOST_EACH * len(batch.members)
            # of those that this one takes, some may have been dropped
            lost = any(each.__class__ is tuple and each[0] in EXACT and each not in taken for each in key[0][1:])
            if few or lost or len(set(taken)) > 1:
                del self.batches[key]
            elif taken:
                batch.argument = self.batches[taken[0], batch.block]
        uses = Counter(slot.number for step in steps for slot in slots_in((step.args, step.kwargs)))
        layouts = 0
        for batch in self.batches.values():
            before = batch.argument
            if before is not None and batch.step.function in IN_PLACE:
                own = all(uses[slot.number] == 1 for slot, _ in before.members)
                alike = batch.step.outs.dtype == before.step.outs.dtype
                if own and alike and len(before.members) == len(batch.members):
                    batch.place = before.place
                    continue
            batch.place = layouts
            layouts += 1

    def layouts(self) -> list[Layout]:
        """The arrays that the batches are written into."""
        found: dict[int, Layout] = {}
        for batch in self.batches.values():
            dtype = batch.step.outs.dtype
            found.setdefault(batch.place, ((batch.span[1] - batch.span[0],), (dtype.itemsize,), dtype))
        return [found[place] for place in sorted(found)]

    def write(self, scope: Any, rows: Callable[[int, Step], str]) -> None:
        """Writes the batches.  rows: the text of a view of the memory that a saved slot lies in."""
        for batch in self.batches.values():
            start, stop = batch.span
            out = self._slot(np.empty(stop - start, batch.step.outs.dtype))
            args: list[Any] = []
            for each in batch.step.args:
                if each.__class__ is not Slot or not each.shape:
                    args.append(each)
                    continue
                whole = self._slot(np.empty(stop - start, each.dtype))
                if each.number in self._of:
                    assert batch.argument is not None
                    scope.local[whole.number] = f"b{batch.argument.place}"
                else:
                    scope.local[whole.number] = rows(batch.of, Step("call", rows_of, (each, start, stop), {}, each))
                args.append(whole)
            step = Step("ufunc", batch.step.function, tuple(args), {}, out)
            scope.put(scope.call(step, f"b{batch.place}"))
            for slot, (first, last) in batch.members:
                index = Step("call", piece, (out, first - start, last - start, slot.shape), {}, slot)
                scope.places[slot.number] = scope.buffers.view(batch.place, index)


def rows_of(array: Any, start: int, stop: int) -> Any:
    """Elements of the rows that an array is one of."""
    return array.base.reshape(-1)[start:stop]


def piece(array: Any, start: int, stop: int, shape: tuple[int, ...]) -> Any:
    """Elements of a flat array in a shape."""
    return array[start:stop].reshape(shape)
