"""Runs of elementwise steps over large arrays, done block by block, so that what is between them stays in the cache.

Twenty ops on a million elements read and write 4 MB each time; in blocks of 512 KB the results in between never leave
the second-level cache: half the time (bench, 20 ops on 1e6).  Each element is computed by the same loop with the
same operands, so the bits are the same; that is tried out once for every function that is not exact by definition.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

from ..steps import Slot, Step, slots_in
from ..tree import Branch
from .buffers import IN_PLACE

BLOCK_BYTES = 1 << 19
LEAST_BYTES = 1 << 20
EXACT = IN_PLACE | frozenset((
    np.greater, np.less, np.greater_equal, np.less_equal, np.equal, np.not_equal, np.logical_and, np.logical_or,
    np.logical_not, np.sign, np.floor, np.ceil, np.reciprocal,
))  # fmt: skip
_BLOCKWISE = EXACT | {np.exp, np.log, np.tanh, np.sin, np.cos, np.log1p, np.expm1, np.sinh, np.cosh}


class Blocks(Step):
    """Several steps done block by block.  inputs: what they read from outside.  results: what is wanted of them."""

    __slots__ = ("steps", "inputs", "results", "places", "size")

    def __init__(self, steps: list[Step], wanted: Counter[int], kept: set[int]) -> None:
        made = {step.outs.number for step in steps}
        own: Counter[int] = Counter()
        inputs: dict[int, Slot] = {}
        for step in steps:
            for slot in slots_in(step.args):
                own[slot.root.number] += 1
                if slot.number not in made and slot.shape == steps[0].outs.shape:
                    inputs[slot.number] = slot
        self.steps = steps
        self.inputs = list(inputs.values())
        self.results = [s.outs for s in steps if s.outs.number in kept or wanted[s.outs.number] > own[s.outs.number]]
        self.places: dict[int, int] = {}
        self.size = BLOCK_BYTES // max(step.outs.dtype.itemsize for step in steps)
        others = [slot for step in steps for slot in slots_in(step.args) if slot.number not in made]
        super().__init__("blocks", None, tuple(others), {}, tuple(self.results))

    @property
    def spans(self) -> tuple[tuple[slice, Any], ...]:
        """The slice of each block, and of a scratch array as long as the block, None where it is whole."""
        total = int(np.prod(self.steps[0].outs.shape))
        starts = range(0, total, self.size)
        return tuple(
            (slice(at, at + self.size), None if at + self.size <= total else slice(0, total - at)) for at in starts
        )


def fused(root: Branch, kept: set[int]) -> None:
    """Replace runs of elementwise steps over large arrays.  kept: roots that are wanted after the end."""
    wanted: Counter[int] = Counter()
    branches = list(root.walk())
    for branch in branches:
        for step in branch.steps:
            wanted.update(slot.root.number for slot in slots_in((step.args, step.kwargs)))
        if branch.decision is not None:
            wanted.update(slot.root.number for slot in branch.decision.slots)
    for branch in branches:
        steps: list[Any] = []
        group: list[Step] = []
        for step in [*branch.steps, None]:
            if step is not None and _fits(step, group):
                group.append(step)
                continue
            steps += [Blocks(group, wanted, kept)] if len(group) > 1 else group
            group = []
            if step is not None and _fits(step, group):
                group.append(step)
            elif step is not None:
                steps.append(step)
        branch.steps = steps


def _fits(step: Step, group: list[Step]) -> bool:
    out = step.outs
    if not elementwise(step) or (group and group[0].outs.shape != out.shape):
        return False
    for slot in slots_in(step.args):
        if slot.scalar or slot.shape == ():
            continue
        if slot.shape != out.shape or not (_flat(slot) or len(slot.shape) == 1):
            return False
    return True


def elementwise(step: Step) -> bool:
    """Return whether the step computes each element of a large array by itself, with bits that do not change."""
    out = step.outs
    if step.kind != "ufunc" or step.kwargs or step.function not in _BLOCKWISE:
        return False
    if out.scalar or out.nbytes < LEAST_BYTES or not _flat(out):
        return False
    kinds = {slot.dtype for slot in slots_in(step.args)} | {out.dtype}
    return step.function in EXACT or (len(kinds) == 1 and same_in_blocks(step.function, out.dtype))


def _flat(slot: Slot) -> bool:
    """Return whether the elements lie in C order without gaps."""
    expected = slot.dtype.itemsize
    for n, stride in zip(reversed(slot.shape), reversed(slot.strides), strict=True):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return True


@cache
def same_in_blocks(function: Any, dtype: Any) -> bool:
    """Return whether a function gives each element the same bits wherever a block begins and ends."""
    if dtype.kind != "f":
        return False
    values = np.random.default_rng(0).standard_normal(4099) * 8.0
    values = np.abs(values).astype(dtype) if function in (np.log, np.log1p) else values.astype(dtype)
    whole = function(values)
    return all(
        np.concatenate([function(values[at : at + size]) for at in range(0, len(values), size)]).tobytes()
        == whole.tobytes()
        for size in (64, 100, 1024, 1021)
    )
