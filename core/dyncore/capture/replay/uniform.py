"""Large gradients that are one number everywhere: computed once, and spread out where it meets something else.

The gradient of a sum or a mean is such a one, and so is what products with numbers, sums and negations make of it.
Ten steps `y = y * 1.01 + x` on a million elements have twenty loops backward, of which one fill is left (bench, 20 ops
on 1e6).  Only functions whose result is rounded exactly are taken: one element then has the bits that all have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..program import Slot, Step, mapped, same_bits, slots_in
from .buffers import IN_PLACE, layout_of
from .fuse import LEAST_BYTES, elementwise
from .writing import Changed


def uniform(steps: list[Any], kept: set[int], slot: Callable[[Any], Slot]) -> list[Any]:
    """The steps, with those that compute one number for many elements done for one.

    kept: roots that are wanted as arrays at the end.  slot: makes a slot for a value.
    """
    one: dict[int, Slot] = {}
    whole: set[int] = set()
    made: list[Any] = []

    def spread(each: Slot) -> None:
        if each.number in one and each.number not in whole:
            whole.add(each.number)
            made.append(Step("fill", None, (one[each.number],), {}, each))

    for step in steps:
        out = step.outs
        small = _small(step, one, slot)
        if small is not None:
            one[out.number] = small.outs
            made.append(small)
            if out.root.number in kept:
                spread(out)
            continue
        if elementwise(step) and any(
            each.shape == out.shape and each.number not in one for each in slots_in(step.args)
        ):
            args = mapped(step.args, Slot, lambda each: one.get(each.number, each))
            made.append(Step(step.kind, step.function, args, step.kwargs, out, step.checked))
            continue
        for each in slots_in((step.args, step.kwargs)):
            spread(each.root)
        made.append(step)
        if _repeats(step):
            one[out.number] = found = slot(first(out.value))
            whole.add(out.number)
            made.append(Step("call", first, (out,), {}, found))
    return made


def first(array: Any) -> Any:
    """The element that an array repeats.  Raises Changed if it does not."""
    if any(array.strides):
        raise Changed
    return array[(0,) * array.ndim]


def _repeats(step: Step) -> bool:
    """Whether the step makes a large array of one number: all its elements are the same memory."""
    out = step.outs
    if out.__class__ is not Slot or out.scalar or out.nbytes < LEAST_BYTES or out.dtype.kind not in "fc":
        return False
    given = slots_in((step.args, step.kwargs))
    return not any(out.strides) and out.root is out and len(given) == 1 and given[0].scalar


def _small(step: Step, one: dict[int, Slot], slot: Callable[[Any], Slot]) -> Step | None:
    """The step for one element, or None if its operands are not all of one number each."""
    out = step.outs
    if not one or step.kind != "ufunc" or step.kwargs or step.function not in IN_PLACE or out.__class__ is not Slot:
        return None
    given = [each for each in step.args if each.__class__ is Slot]
    large = [each for each in given if not each.scalar]
    if not large or any(each.number not in one or each.shape != out.shape for each in large) or layout_of(out) is None:
        return None
    args = mapped(step.args, Slot, lambda each: one.get(each.number, each))
    values = mapped(args, Slot, lambda each: each.value)
    value = step.function(*values)
    if not isinstance(value, np.generic) or not same_bits(value, out.value[(0,) * len(out.shape)]):
        return None
    return Step("ufunc", step.function, args, {}, slot(value))
