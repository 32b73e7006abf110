"""Backward work for all steps of a recurrence at once.

Precomputed: what it computes of saved values alone.  The slope of each tanh, 1 - y^2, needs no gradient.  The values
that a forward saves lie in rows of one array, so two calls over all of them replace two for each (tests/bench, replay:
tree).  Rows that nobody needs are computed with the others.

Stacked rows: the bias of a recurrent cell gets a gradient from every step, added one after the other.  Written as the
rows of one array they are added by one call in the same order.

Outer products: gradients of weights as pairs of vectors, as they wait in a plan, and what multiplies them out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.dispatch.outer import Outer, blocks

from ..steps import Slot, Step, mark, same_bits, slots_in
from .buffers import IN_PLACE, Buffers, Layout
from .fuse import EXACT
from .joining import MOST_BYTES


class OuterProducts:
    """A gradient kept as outer products: the slots of the left and of the right vectors."""

    def __init__(self, lefts: list[Slot], rights: list[Slot]) -> None:
        self.lefts = lefts
        self.rights = rights


def both(pairs: OuterProducts) -> list[Slot]:
    """Return the slots of both sides."""
    return [*pairs.lefts, *pairs.rights]


def product_shape(pairs: OuterProducts) -> tuple[int, ...]:
    """Return the shape of the matrix that the pairs stand for."""
    return pairs.lefts[0].shape[-1], pairs.rights[0].shape[-1]


def pair(left: Any, right: Any) -> Outer:
    """Return one pair of vectors in memory of its own."""
    return Outer(left.copy(), right.copy())


def outer(lefts: list[Any], rights: list[Any]) -> Outer:
    """Return the pairs in memory of their own."""
    if len(lefts) == 1:
        return Outer(lefts[0].copy(), rights[0].copy())
    rows = sum(len(each) if each.ndim > 1 else 1 for each in lefts)
    return Outer(blocks(lefts, rows), blocks(rights, rows))


def rows_and(left: Any, rights: list[Any], rows: int) -> Any:
    """Return the same for left sides that are rows already."""
    return Outer(left, blocks(rights, rows)).dense()


def product(lefts: list[Any], rights: list[Any]) -> Any:
    """Multiply the pairs out."""
    return outer(lefts, rights).dense()


LEAST_STEPS = 3
MOST_EACH = 1500  # elements that cost as much as the call of a step that is spared
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


class Precomputed:
    """Finds the steps.  saved: slots that lie in a workspace, with their places there."""

    def __init__(self, buffers: Buffers, saved: dict[int, int], slot: Callable[[Any], Slot]) -> None:
        self._slot = slot
        self._spans = {number: found for number, place in saved.items() if (found := buffers.position(place))}
        self._of: dict[int, tuple[Any, int]] = {}  # for each slot: what it is, of which saved slot
        self.batches: dict[Any, Batch] = {}

    def rest(self, steps: list[Any], kept: set[int]) -> list[Any]:
        """Return the steps that are left.  kept: roots that are wanted as they are."""
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
        """Return what the step computes, and of which saved slot; None if it is anything else."""
        out = step.outs
        if step.kind != "ufunc" or step.function not in EXACT or step.kwargs:
            return None
        if out.scalar or out.number in kept or not out.value.flags.c_contiguous:
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
        """Keep the batches that are worth it, and find out what they take from each other."""
        spans: dict[Any, list[Span]] = {}
        for batch in self.batches.values():
            spans.setdefault(batch.block, []).extend(span for _, span in batch.members)
        for key, batch in list(self.batches.items()):
            # The same for all that take each other's results.
            batch.span = min(start for start, _ in spans[batch.block]), max(stop for _, stop in spans[batch.block])
            taken = [what for what in key[0][1:] if (what, batch.block) in self.batches]
            few = len(batch.members) < LEAST_STEPS or batch.span[1] - batch.span[0] > MOST_EACH * len(batch.members)
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
        """Return the arrays that the batches are written into."""
        found: dict[int, Layout] = {}
        for batch in self.batches.values():
            dtype = batch.step.outs.dtype
            found.setdefault(batch.place, ((batch.span[1] - batch.span[0],), (dtype.itemsize,), dtype))
        return [found[place] for place in sorted(found)]

    def write(self, scope: Any, rows: Callable[[int, Step], str]) -> None:
        """Write the batches.  rows: the text of a view of the memory that a saved slot lies in."""
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
    """Return elements of the rows that an array is one of."""
    return array.base.reshape(-1)[start:stop]


def piece(array: Any, start: int, stop: int, shape: tuple[int, ...]) -> Any:
    """Return elements of a flat array in a shape."""
    return array[start:stop].reshape(shape)


LEAST_TERMS = 4
LEAST_SIZE = 8  # NumPy adds a column of single numbers in pairs


class StackedRows:
    """Rows made so far.  slot: makes a slot for a value."""

    def __init__(self, slot: Callable[[Any], Slot]) -> None:
        self._slot = slot
        self._known: dict[tuple[int, ...], Slot] = {}

    def sums(self, steps: list[Any], kept: set[int]) -> list[Any]:
        """Return the steps, with long sums done at once.  kept: roots that are wanted besides."""
        uses = Counter(slot.number for step in steps for slot in slots_in((step.args, step.kwargs)))
        looked = {
            step.outs.root.number for step in steps if step.outs.__class__ is Slot and step.outs.root is not step.outs
        }
        chains: dict[int, list[Any]] = {}  # by the number of the sum: its steps
        twins: dict[Any, list[Any]] = {}  # steps that add the same, as each leaf has memory of its own
        for step in steps:
            if _adds(step):
                twins.setdefault((step.args[0].number, step.args[1].number), []).append(step)
        for key, same in twins.items():
            first = key[0]
            alone = first in chains and uses[first] == len(same) and first not in kept and first not in looked
            chain = chains.pop(first) if alone else []
            chain.append(same[0])
            chains[same[0].outs.number] = chain
        instead: dict[int, list[Step]] = {}
        for chain in chains.values():
            if len(chain) + 1 >= LEAST_TERMS:
                made = self._sum(chain)
                if made is not None:
                    instead.update((id(step), []) for step in chain)
                    instead[id(chain[-1])] = made
                    last = chain[-1]
                    for twin in twins[last.args[0].number, last.args[1].number][1:]:
                        again = made[-1]
                        instead[id(twin)] = [Step(again.kind, again.function, again.args, {}, twin.outs)]
        return [each for step in steps for each in instead.get(id(step), (step,))]

    def _sum(self, chain: list[Step]) -> list[Step] | None:
        """Return the steps that add what the chain adds; None if that would give other bits."""
        parts = [chain[0].args[0], *(step.args[1] for step in chain)]
        rows = [_whole(each) for each in parts]
        shape, out = parts[0].shape, chain[-1].outs
        if sum(each.nbytes for each in parts) > MOST_BYTES or any(
            each.shape != rows[0].shape or each.root is not each for each in rows
        ):
            return None
        total: Any = np.add.reduce(np.array([each.value for each in parts]), 0, initial=None)
        if not same_bits(total, out.value):
            return None
        steps: list[Step] = []
        block = self._known[tuple(each.number for each in rows)] = self._slot(
            np.concatenate([e.value for e in rows], 0)
        )
        steps.append(Step("call", np.concatenate, (tuple(rows), 0), {}, block))
        view = _reshaped(block, (len(rows), *shape), steps, self._slot)
        steps.append(Step("call", np.add.reduce, (view, 0, None, None, False, None), {}, out))
        return steps

    def known(self, parts: list[Slot]) -> Slot | None:
        """Return the slot of these arrays one behind the other, if there is one."""
        return self._known.get(tuple([each.number for each in parts]))


def _adds(step: Any) -> bool:
    out = step.outs
    if step.kind != "ufunc" or step.function is not np.add or step.kwargs:
        return False
    return (
        all(each.__class__ is Slot and each.shape == out.shape and each.dtype == out.dtype for each in step.args)
        and not out.scalar
        and int(np.prod(out.shape)) >= LEAST_SIZE
        and out.value.flags.c_contiguous
    )


def _whole(slot: Slot) -> Slot:
    """Return what a slot looks at, if it only has another shape."""
    root = slot.root
    whole = root.kind == "made" and root.nbytes == slot.nbytes and root.dtype == slot.dtype
    plain = whole and root.value.flags.c_contiguous and slot.value.flags.c_contiguous
    return root if plain else slot


def _reshaped(slot: Slot, shape: tuple[int, ...], steps: list[Step], make: Callable[[Any], Slot]) -> Slot:
    if slot.shape == shape:
        return slot
    made = make(slot.value.reshape(shape))
    made.root = slot.root
    steps.append(Step("method", "reshape", (slot, shape), {}, made))
    return made
