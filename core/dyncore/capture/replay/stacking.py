"""Sums of many gradients as one sum over rows, and the left sides of pairs as rows, computed where they stand.

The bias of a recurrent cell gets a gradient from every step, added one after the other.  Written as the rows of one
array they are added by one call in the same order: 60 of 64 floats in 3 us instead of 13 (bench, replay: tree).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ..program import Slot, Step, same_bits, slots_in
from .joining import MOST_BYTES

LEAST = 4
LEAST_SIZE = 8  # NumPy adds a column of single numbers in pairs


class Stacks:
    """Rows made so far.  slot: makes a slot for a value."""

    def __init__(self, slot: Callable[[Any], Slot]) -> None:
        self._slot = slot
        self._known: dict[tuple[int, ...], Slot] = {}

    def sums(self, steps: list[Any], kept: set[int]) -> list[Any]:
        """The steps, with long sums done at once.  kept: roots that are wanted besides."""
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
            if len(chain) + 1 >= LEAST:
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
        """The steps that add what the chain adds; None if that would give other bits."""
        parts = [chain[0].args[0], *(step.args[1] for step in chain)]
        rows = [_whole(each) for each in parts]
        shape, out = parts[0].shape, chain[-1].outs
        most = MOST_BYTES // parts[0].nbytes
        if most < LEAST or any(each.shape != rows[0].shape or each.root is not each for each in rows):
            return None
        total: Any = np.add.reduce(np.array([each.value for each in parts]), 0, initial=None)
        if not same_bits(total, out.value):
            return None
        steps: list[Step] = []
        total = None
        while rows:
            count = most if total is None else most - 1
            taken, rows = rows[:count], rows[count:]
            if total is not None:
                taken = [_reshaped(total, taken[0].shape, steps, self._slot), *taken]
            block = self.rows(taken, steps)
            view = _reshaped(block, (len(taken), *shape), steps, self._slot)
            value = np.add.reduce(view.value, 0, initial=None)
            total = out if not rows else self._slot(value)
            steps.append(Step("call", np.add.reduce, (view, 0, None, None, False, None), {}, total))
        return steps

    def rows(self, parts: list[Slot], steps: list[Step]) -> Slot:
        """The slot of these arrays one behind the other, made by a step that is added."""
        key = tuple([each.number for each in parts])
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._slot(np.concatenate([each.value for each in parts], 0))
            steps.append(Step("call", np.concatenate, (tuple(parts), 0), {}, found))
        return found

    def known(self, parts: list[Slot]) -> Slot | None:
        """The slot of these arrays one behind the other, if there is one."""
        return self._known.get(tuple([each.number for each in parts]))


def _adds(step: Any) -> bool:
    out = step.outs
    if step.kind != "ufunc" or step.function is not np.add or step.kwargs or out.__class__ is not Slot:
        return False
    return (
        len(step.args) == 2
        and all(each.__class__ is Slot and each.shape == out.shape and each.dtype == out.dtype for each in step.args)
        and not out.scalar
        and int(np.prod(out.shape)) >= LEAST_SIZE
        and out.value.flags.c_contiguous
    )


def _whole(slot: Slot) -> Slot:
    """What a slot looks at, if it only has another shape."""
    root = slot.root
    whole = root.kind == "made" and not root.scalar and root.nbytes == slot.nbytes and root.dtype == slot.dtype
    plain = whole and root.value.flags.c_contiguous and slot.value.flags.c_contiguous and root.shape != ()
    return root if plain else slot


def _reshaped(slot: Slot, shape: tuple[int, ...], steps: list[Step], make: Callable[[Any], Slot]) -> Slot:
    if slot.shape == shape:
        return slot
    made = make(slot.value.reshape(shape))
    made.root = slot.root
    steps.append(Step("method", "reshape", (slot, shape), {}, made))
    return made
