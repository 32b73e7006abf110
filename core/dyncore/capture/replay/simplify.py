"""Steps that need not run at every replay: the same thing twice, what follows from constants, one number many times.

Two derivatives of one op compute the same tanh, every step of a recurrent cell transposes the same weight.  What is
written in place, drawn, or handed out keeps its own step.
The gradient of a sum or a mean is one number everywhere, and so is what products with numbers, sums and negations make
of it: computed once, and spread out where it meets something else.  Ten steps `y = y * 1.01 + x` on a million elements
have twenty loops backward, of which one fill is left (bench, 20 ops on 1e6).  Only functions whose result is rounded
exactly are taken: one element then has the bits that all have.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from copy import copy
from math import inf
from typing import Any

import numpy as np

from ..steps import Decision, Slot, Step, mapped, mark, same_bits, slots_in
from ..tree import Branch
from .buffers import IN_PLACE, layout_of
from .fuse import LEAST_BYTES, elementwise
from .writing import Changed

FEW = 16  # elements of a constant that is compared with others
_PURE = frozenset(("ufunc", "operator", "attribute", "method"))


def pure(step: Step) -> bool:
    """Return whether the step only computes: the same arguments give the same bits and nothing else happens."""
    if step.outs.__class__ is not Slot or step.checked:
        return False
    if step.kind in _PURE:
        return True
    module = getattr(step.function, "__module__", None) or type(step.function).__module__
    owner = getattr(step.function, "__self__", None)
    numpy = module.partition(".")[0] == "numpy" or isinstance(owner, np.ufunc)
    return step.kind == "call" and (step.function is operator.getitem or numpy) and step.function is not np.empty_like


def simplified(
    root: Branch, apart: set[int], written: set[int], most: float = inf
) -> tuple[Branch, dict[int, dict[int, Slot]]]:
    """Return the tree without repeated steps, and for each path the slots that now stand for others.

    apart: roots that are handed out, each in memory of its own.  written: roots that are written in place.
    most: how many bytes what follows from constants may have to be kept.
    """
    made = Branch()
    aliases: dict[int, dict[int, Slot]] = {}
    numbers: dict[Any, Slot] = {}  # small constants by their value
    stack: list[tuple[Branch, Branch, dict[Any, Slot], dict[int, Slot]]] = [(root, made, {}, {})]
    while stack:
        old, new, known, alias = stack.pop()

        def of(slot: Slot, alias: dict[int, Slot] = alias) -> Slot:
            if slot.kind == "constant" and not slot.fresh and slot.value.size < FEW:
                return numbers.setdefault(mark(slot.value), slot)
            return alias.get(slot.number, slot)

        def rooted(slot: Slot, alias: dict[int, Slot] = alias) -> Slot:
            """Return a slot that looks at the memory of what now stands for its root."""
            root = alias.get(slot.root.number)
            if root is None or slot.root is slot:
                return slot
            alias[slot.number] = held = copy(slot)
            held.root = root.root
            return held

        for step in old.steps or old.recorded_steps():
            args, kwargs = mapped(step.args, Slot, of), mapped(step.kwargs, Slot, of)
            out = step.outs
            if not pure(step) or _touches((args, kwargs, out), written) or out.root.number in apart:
                new.steps.append(_again(step, args, kwargs, mapped(out, Slot, rooted)))
                continue
            if _same(step, args, kwargs, apart):
                alias[out.number] = args[0]
                continue
            key = step.kind, _name(step.function), mark(args), mark(kwargs)
            found = known.get(key)
            if found is None:
                found = _folded(step, args, kwargs) if out.nbytes <= most else None
                if found is None:
                    out = rooted(out)
                    new.steps.append(_again(step, args, kwargs, out))
                    known[key] = out
                    continue
                known[key] = found
            alias[out.number] = found
        if old.decision is not None:
            slots = tuple(of(slot) for slot in old.decision.slots)
            new.decision = Decision(old.decision.how, slots, None, old.decision.site)
            for value, child in old.children.items():
                new.children[value] = Branch()
                stack.append((child, new.children[value], dict(known), dict(alias)))
        if old.end is not None:
            new.end = old.end
            aliases[old.end.number] = alias
    return made, aliases


def _same(step: Step, args: Any, kwargs: Any, apart: set[int]) -> bool:
    """Return whether the step only copies what a step before has made, into the dtype that it has already."""
    if step.kind != "method" or step.function != "astype":
        return False
    given, out = args[0], step.outs
    return (
        kwargs in ({}, {"copy": False})
        and given.root.kind == "made"
        and given.root.number not in apart
        and (given.dtype, given.shape, given.strides, given.scalar) == (out.dtype, out.shape, out.strides, out.scalar)
    )


def _name(function: Any) -> Any:
    """Return what tells functions apart: bound methods of ufuncs are made anew at every look."""
    owner = getattr(function, "__self__", None)
    return (id(owner), function.__name__) if isinstance(owner, np.ufunc) else function


def _again(step: Step, args: Any, kwargs: Any, outs: Any) -> Step:
    made = Step(step.kind, step.function, args, kwargs, outs, step.checked)
    made.plain = step.plain
    return made


def _touches(tree: Any, roots: set[int]) -> bool:
    return bool(roots) and any(slot.root.number in roots for slot in slots_in(tree))


def _folded(step: Step, args: Any, kwargs: Any) -> Slot | None:
    """Return a constant for a step whose arguments are all constants, unless it looks at their memory."""
    slots = slots_in((args, kwargs))
    out = step.outs
    if not slots or out.root is not out or any(slot.kind != "constant" or slot.fresh for slot in slots):
        return None
    values = mapped(args, Slot, lambda slot: slot.value)
    named = mapped(kwargs, Slot, lambda slot: slot.value)
    if step.kind == "attribute":
        value = getattr(values[0], step.function)
    elif step.kind == "method":
        value = getattr(values[0], step.function)(*values[1:], **named)
    else:
        value = step.function(*values, **named)
    return Slot(out.number, "constant", value, None)


def spread_late(steps: list[Any], kept: set[int], slot: Callable[[Any], Slot]) -> list[Any]:
    """Return the steps, with those that compute one number for many elements done for one.

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
    """Return the element that an array repeats.  Raises Changed if it does not."""
    if any(array.strides):
        raise Changed
    return array[(0,) * array.ndim]


def _repeats(step: Step) -> bool:
    """Return whether the step makes a large array of one number: all its elements are the same memory."""
    out = step.outs
    if out.__class__ is not Slot or out.scalar or out.nbytes < LEAST_BYTES or out.dtype.kind not in "fc":
        return False
    given = slots_in((step.args, step.kwargs))
    return not any(out.strides) and out.root is out and len(given) == 1 and given[0].scalar


def _small(step: Step, one: dict[int, Slot], slot: Callable[[Any], Slot]) -> Step | None:
    """Return the step for one element, or None if its operands are not all of one number each."""
    out = step.outs
    if not one or step.kind != "ufunc" or step.kwargs or step.function not in IN_PLACE:
        return None
    given = [each for each in step.args if each.__class__ is Slot]
    large = [each for each in given if not each.scalar]
    if any(each.number not in one or each.shape != out.shape for each in large) or layout_of(out) is None:
        return None
    args = mapped(step.args, Slot, lambda each: one.get(each.number, each))
    values = mapped(args, Slot, lambda each: each.value)
    value = step.function(*values)
    if not same_bits(value, out.value[(0,) * len(out.shape)]):
        return None
    return Step("ufunc", step.function, args, {}, slot(value))
