"""Concatenations without a call: pieces are computed in their place.

A joined array of a run has a buffer for itself, and the steps that make its pieces write to views of it; pieces that
are constants are filled in once, when the buffers are made, and only those that come from elsewhere are copied
(tests/bench, tree and LSTM cell).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..steps import Slot, Step
from ..tree import Branch

MOST_BYTES = 1 << 16  # larger joins share their memory with others instead


class Join(Step):
    """A concatenation.

    pieces: (slot or constant array, where it stands).  copies: (place of a view, slot) that each run copies.
    """

    __slots__ = ("pieces", "copies")

    def __init__(self, step: Step, pieces: list[tuple[Any, Any]]) -> None:
        super().__init__("join", None, step.args, {}, step.outs)
        self.pieces = pieces
        self.copies: list[tuple[int, Slot]] = []


def join(root: Branch, fresh: set[int]) -> None:
    """Replace small concatenations.  fresh: roots that are handed out, which need memory of their own."""
    taken = fresh | written(root)
    for branch in root.walk():
        branch.steps = [_join(step, taken) or step for step in branch.steps]


def written(root: Branch) -> set[int]:
    """Return the roots that are written in place somewhere."""
    found = {step.args[0].root.number for branch in root.walk() for step in branch.steps if step.kind == "write"}
    return found.union(*[branch.end.written for branch in root.walk() if branch.end is not None])


def _join(step: Any, taken: set[int]) -> Join | None:
    out = step.outs
    if step.kind != "call" or step.function is not np.concatenate:
        return None
    if out.number in taken or out.nbytes > MOST_BYTES or not _in_order(out):
        return None
    given, axis = _arguments(step)
    if given is None or not all(each.__class__ in (Slot, np.ndarray) and each.dtype == out.dtype for each in given):
        return None
    pieces, start = [], 0
    for each in given:
        stop = start + each.shape[axis]
        pieces.append((each, (*(slice(None),) * axis, slice(start, stop))))
        start = stop
    return Join(step, pieces)


def _arguments(step: Step) -> tuple[Any, int]:
    """Return (the pieces, the axis), or (None, 0) if there is more to it."""
    named = dict(step.kwargs)
    args = step.args
    axis = args[1] if len(args) == 2 else named.pop("axis", 0)
    if named or not 1 <= len(args) <= 2 or args[0].__class__ not in (list, tuple) or axis.__class__ is not int:
        return None, 0
    return args[0], axis % len(step.outs.shape)


def _in_order(slot: Slot) -> bool:
    expected = slot.dtype.itemsize
    for n, stride in zip(reversed(slot.shape), reversed(slot.strides)):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return 0 not in slot.shape


def writers(root: Branch, fresh: set[int], writable: Any) -> dict[int, tuple[Join, Any]]:
    """For each step that can write its result where it is joined: the join, and where in it."""
    wanted: dict[int, tuple[Join, Any]] = {}
    taken = fresh | written(root)
    for branch in root.walk():
        for step in branch.steps:
            for slot, index in step.pieces if step.kind == "join" else ():
                if slot.__class__ is Slot and slot.root is slot and slot.number not in taken:
                    wanted.setdefault(slot.number, (step, index))
    found = {}
    for branch in root.walk():
        for step in branch.steps:
            out = step.outs
            if step.kind in ("join", "blocks") or out.__class__ is not Slot or out.number not in wanted:
                continue
            if writable(step) and _lies_alike(out, *wanted[out.number]):
                found[id(step)] = wanted[out.number]
    return found


def _lies_alike(slot: Slot, into: Join, index: Any) -> bool:
    """Return whether the view has the strides that the array itself had, on which sums and products may depend."""
    view = np.empty(into.outs.shape, into.outs.dtype)[index]
    return all(n == 1 or a == b for n, a, b in zip(slot.shape, view.strides, slot.strides))
