"""The backward of a recorded path as steps: the engine's own walk, done once with symbols.

Newest entry first, as in `engine/api.py`; each derivative is the op's own rule, looked into by `tracing.py`; gradients
meet in the order in which they would meet there, because sums of floats depend on it.
"""

from __future__ import annotations

import operator
from functools import partial
from math import inf
from typing import Any

import numpy as np

from dyncore.dispatch.broadcast import fit
from dyncore.dispatch.outer import Outer

from ..steps import ARRAYS, Slot, Step, Trace, mapped, same_bits, slots_in
from ..tracing import Symbol, Tracer, Untraceable, root_of
from ..tree import Branch, Segment
from .buffers import Buffers, looked_at
from .fuse import fused
from .joining import join
from .recurrence import (
    OuterProducts,
    Precomputed,
    StackedRows,
    both,
    outer,
    pair,
    product,
    product_shape,
    rows_and,
)
from .simplify import simplified, spread_late
from .writing import Scope, Text

MOST_FOLDED = 1 << 14


class Unplanned(Exception):
    """The backward cannot be written as steps; it runs node by node instead."""


class Plan:
    """A backward that is written down.  targets: the end that each gradient it returns goes to.

    lines, shown: its text and those of the gradients, which a function around it may hold instead (`node.py`).
    placed: (place in the forward's workspace, the step that views it or None) of what it reads there.
    """

    def __init__(self, run: Any, buffers: Buffers, targets: list[int], placed: list[Any], shown: list[str]) -> None:
        self.run = run
        self.buffers = buffers
        self.targets = targets
        self.placed = placed
        self.shown = shown
        self.grads = [f"grad{n}" for n in range(len(targets))]
        self.lines: list[str] = run.lines
        self.free: list[list[Any]] = []

    def __call__(self, grads: Any, saved: Any, forward: Any) -> Any:
        """Return the gradients from arrays."""
        try:
            arrays = self.free.pop()
        except IndexError:
            arrays = self.buffers.make()
        found = self.run(grads, saved, forward and forward.some(self), arrays)
        self.free.append(arrays)
        return found


class Walk:
    """One planning: from concrete gradients and saved values to a `Plan`.

    seeded: the output gradients are always these, as those of `loss.backward()` are 1, so that what follows from them
    alone is computed now (tests/bench, replay: branch).
    """

    def __init__(
        self, segment: Segment, grads: list[Any], values: dict[int, Any], leaves: list[bool], fold: bool, seeded: bool
    ) -> None:
        self.segment = segment
        self.path = segment.path
        self.entries = {entry.number: entry for entry in segment.entries}
        self.trace = Trace()
        self.tracer = Tracer(self.trace)
        self.leaves = leaves
        self.fold = fold
        self.seeded = seeded
        kind = "constant" if seeded else "external"
        self.grads: list[Slot | None] = [None if g is None else self.trace.slot(g, kind) for g in grads]
        self.of: dict[int, Slot] = {}
        self.values = values
        self.arrived: dict[int, list[Any]] = {}
        self.order: list[tuple[int, Any]] = []

    def plan(self) -> Plan:
        pending: dict[int, dict[int, Slot]] = {}
        for (entry, index), grad in zip(self.segment.outputs, self.grads, strict=True):
            if grad is not None:
                self._meet(pending.setdefault(entry.number, {}), index, grad)
        while pending:
            number = max(pending)
            for to, gradient in self._run(self.entries[number], pending.pop(number)):
                end = end_of(self.segment, to)
                if end < 0:
                    self._meet(pending.setdefault(to[1].number, {}), to[2], gradient)
                else:
                    self._leaf(end, gradient)
        return self._written()

    def _meet(self, held: dict[int, Slot], index: int, gradient: Slot) -> None:
        held[index] = gradient if index not in held else self._added(held[index], gradient)

    def _added(self, first: Slot, second: Slot) -> Slot:
        value = first.value + second.value
        made = self.trace.slot(value)
        kind, function = ("ufunc", np.add) if value.__class__ is np.ndarray else ("operator", operator.add)
        self.trace.steps.append(Step(kind, function, (first, second), {}, made))
        return made

    def _leaf(self, number: int, gradient: Any) -> None:
        if not self.fold or number not in self.arrived:
            self.arrived.setdefault(number, []).append(gradient)
            if not self.fold:
                self.order.append((number, gradient))
            return
        held = self.arrived[number][0]
        if held.__class__ is OuterProducts and gradient.__class__ is OuterProducts:
            total: Any = OuterProducts(held.lefts + gradient.lefts, held.rights + gradient.rights)
        else:
            total = self._added(self._dense(held), self._dense(gradient))
        self.arrived[number] = [total]

    def _dense(self, gradient: Any) -> Slot:
        if gradient.__class__ is not OuterProducts:
            return gradient
        value = product([s.value for s in gradient.lefts], [s.value for s in gradient.rights])
        made = self.trace.slot(value)
        self.trace.steps.append(Step("call", product, (gradient.lefts, gradient.rights), {}, made))
        return made

    # -- one entry, as `general._pairs` runs it

    def _run(self, entry: Any, grads: dict[int, Slot]) -> list[tuple[Any, Any]]:
        op = entry.op
        names: dict[str, Any] = dict(zip(op.saved_names, mapped(entry.saved, Slot, self._saved), strict=True))
        several = bool(entry.outs)
        if several:
            for number, out in enumerate(entry.outs):
                if out is not None:
                    names[f"g{number}"] = grads.get(number) or self.trace.slot(np.zeros(*out), "constant")
            names["g"] = names.get("g0")
            if "grads" in op.gradient_names:
                names["grads"] = [names.get(f"g{number}") for number in range(len(entry.outs))]
        else:
            names["g"] = grads[0]
            names["grads"] = [grads[0]]
        results: dict[str, Any] = {}
        if "joint" in op.rules:
            names["wanted"] = {n for (n, _), edge in zip(entry.targets, entry.to, strict=True) if edge is not None}
            results = self._rule(op.rules["joint"], [names.get(name) for name in op.rule_arguments["joint"]])
        found = []
        for (name, place), to, (shape, dtype) in zip(entry.targets, entry.to, entry.metas, strict=True):
            if to is None:
                continue
            if name not in results:
                rule = op.rules.get(name)
                results[name] = rule and self._rule(rule, [names.get(each) for each in op.rule_arguments[name]])
            gradient = results[name]
            if place is not None and gradient is not None:
                gradient = gradient[place]
            if gradient is None:
                continue
            leaf = to[0] == "tensor" and self.leaves[end_of(self.segment, to)]
            if gradient.__class__ is OuterProducts and not (leaf and product_shape(gradient) == shape):
                gradient = self._dense(gradient)
            if gradient.__class__ is Slot and (gradient.shape != shape or gradient.dtype != dtype):
                gradient = self._traced(fit, (gradient, shape, dtype))
            found.append((to, gradient))
        return found

    def _saved(self, slot: Slot) -> Slot:
        if slot.kind == "constant" and not slot.fresh:
            return self.of.setdefault(slot.number, self.trace.slot(slot.value, "constant"))
        found = self.of.get(slot.number)
        if found is None:
            found = self.of[slot.number] = self.trace.slot(self.values[slot.number], "external")
        return found

    def _rule(self, rule: Any, args: list[Any]) -> Any:
        """Return what the derivative gives, in slots: traced if its bits come out the same, else one step by itself."""
        raws = mapped(args, Slot, lambda slot: slot.value)
        true = rule(*raws)
        small = self.seeded and isinstance(true, ARRAYS) and true.nbytes <= MOST_FOLDED
        if small and all(slot.kind == "constant" and not slot.fresh for slot in slots_in(args)):
            return self.trace.slot(true, "constant")
        start = self.trace.here()
        try:
            traced = self.tracer.call(rule, tuple(args), {})
            return self._like(traced, true)
        except Untraceable:
            self.trace.back_to(start)
        outs = self._opaque(true, tuple(args))
        self.trace.steps.append(Step("call", rule, tuple(args), {}, outs))
        return outs

    def _traced(self, function: Any, args: tuple[Any, ...]) -> Any:
        true = function(*mapped(args, Slot, lambda slot: slot.value))
        try:
            return self._like(self.tracer.call(function, args, {}), true)
        except Untraceable as error:
            raise Unplanned(str(error)) from None

    def _like(self, traced: Any, true: Any) -> Any:
        if true.__class__ is Outer:
            if type(traced) is not Outer:
                raise Untraceable("pairs")
            return OuterProducts([self._like(traced.left, true.left)], [self._like(traced.right, true.right)])
        if type(traced) is Symbol:
            if not same_bits(traced.value, true):
                raise Untraceable("other bits")
            return traced.slot
        if isinstance(true, ARRAYS):
            if not same_bits(traced, true):
                raise Untraceable("other bits")
            return self.trace.slot(true, "constant")
        if isinstance(true, (list, tuple)):
            return [self._like(a, b) for a, b in zip(traced, true, strict=True)]
        if isinstance(true, dict):
            return {key: self._like(traced[key], true[key]) for key in true}
        raise Untraceable("another kind of result")

    def _opaque(self, true: Any, args: Any) -> Any:
        if isinstance(true, ARRAYS):
            return self.trace.slot(true, "made", root_of(true, args))
        if isinstance(true, (list, tuple)):
            return tuple(self._opaque(each, args) for each in true)
        if isinstance(true, dict):
            return {key: self._opaque(each, args) for key, each in true.items()}
        raise Unplanned(f"a derivative gives a {type(true).__name__}")

    # -- the text

    def _written(self) -> Plan:
        if self.fold:
            self.order = [(number, each[0]) for number, each in self.arrived.items()]
        branch = Branch()
        branch.steps = self.trace.steps
        branch.end = self.path
        roots = [g.root.number for _, g in self.order if g.__class__ is Slot]
        branch, aliases = simplified(branch, set(roots), set(), MOST_FOLDED if self.seeded else inf)
        alias = aliases[self.path.number]
        pairs = [g for _, g in self.order if g.__class__ is OuterProducts]
        for each in pairs:
            each.lefts, each.rights = ([alias.get(s.number, s) for s in side] for side in (each.lefts, each.rights))
        preserved = {slot.root.number for each in pairs for slot in both(each)}
        saved = {self.of[n].number: place for n, place in self.path.places.items() if n in self.of}
        precomputed = Precomputed(self.path.buffers, saved, self.trace.slot)
        branch.steps = precomputed.rest(branch.steps, preserved | set(roots))
        branch.steps = spread_late(branch.steps, preserved | set(roots), self.trace.slot)
        self.stacks = StackedRows(self.trace.slot)
        branch.steps = self.stacks.sums(branch.steps, preserved | set(roots))
        fused(branch, preserved | set(roots))
        join(branch, set(roots))
        buffers = Buffers(branch, preserved, set(roots), precomputed.layouts())
        text = Text()
        places, by_number = self.path.places, {slot.number: slot for slot in self.path.saved}
        placed = [number for number in by_number if number in places and number in self.of]
        kept = self.path.kept
        scope = Scope(text, buffers)
        if kept:
            names = "".join(f"v{self.of[n].number}, " if n in self.of else "_, " for n in kept)
            scope.put(f"({names}) = S")
        at = len(text.lines)
        scope.loaded.update(slot.number for slot in self.of.values())
        for number, grad in enumerate(self.grads):
            if grad is not None and not self.seeded:
                scope.put(f"v{grad.number} = G[{number}]")
                scope.loaded.add(grad.number)
        views: list[tuple[int, Step]] = []
        precomputed.write(scope, partial(self._viewed, views))
        for step in branch.steps:
            name = self._viewed(views, looked_at(step), step)
            if name:  # made with the workspace
                scope.local[step.outs.number] = name
            else:
                scope.step(step)
        shown = [self._given(scope, gradient, roots, views) for _, gradient in self.order]
        if placed or views:
            names = "".join(f"v{self.of[n].number}, " for n in placed)
            text.lines.insert(at, f"    ({names}{''.join(f'w{k}, ' for k in range(len(views)))}) = P")
        text.lines.insert(0, buffers.unpacked("B"))
        lines = list(text.lines)
        scope.put(f"return ({''.join(each + ', ' for each in shown)})")
        run = text.function("def run(G, S, P, B):")
        run.lines = lines
        read = [(places[n], None) for n in placed] + [(places[n], step) for n, step in views]
        return Plan(run, buffers, [number for number, _ in self.order], read, shown)

    def _given(self, scope: Scope, gradient: Any, roots: list[int], views: list[tuple[int, Step]]) -> str:
        """Return the text of one returned gradient: memory of its own, or a view so that a leaf copies it.

        OuterProducts of a seeded walk are multiplied out at once, not copied for a leaf to keep.
        """
        if gradient.__class__ is OuterProducts:
            if len(gradient.lefts) == 1 and all(len(slot.shape) == 1 for slot in both(gradient)):
                (left,), (right,) = gradient.lefts, gradient.rights
                if self.seeded:  # the matrix as `dense` gives it (tests/bench, replay: early exit)
                    column = self._view(scope, left, (slice(None), None), views)
                    return f"{column}.dot({self._view(scope, right, (None,), views)})"
                return f"{scope.text.name(pair, 'f')}({scope.slot(left)}, {scope.slot(right)})"
            lefts, rights = (", ".join(map(scope.slot, side)) for side in (gradient.lefts, gradient.rights))
            rows = self.stacks.known(gradient.lefts) if self.seeded else None
            if rows is not None and rows.number in scope.places:
                count, width = len(gradient.lefts), gradient.lefts[0].shape[-1]
                step = Step("method", "reshape", (rows, (count, width)), {}, rows)
                into = f"b{scope.buffers.view(scope.places[rows.number], step)}"
                return f"{scope.text.name(rows_and, 'f')}({into}, [{rights}], {count})"
            return f"{scope.text.name(product if self.seeded else outer, 'f')}([{lefts}], [{rights}])"
        name = scope.slot(gradient)
        root = gradient.root
        if gradient.scalar:
            return name
        if root.kind != "made" or roots.count(root.number) > 1:
            given = [] if self.seeded else [grad for grad in self.grads if grad is not None]
            return f"{name}[...]" if root.kind == "made" or root in given else f"{name}.copy()"
        return name

    def _view(self, scope: Scope, slot: Slot, index: Any, views: list[tuple[int, Step]]) -> str:
        """Return the text of `slot[index]`, made once with the workspace that the slot is in."""
        step = Step("call", operator.getitem, (slot, index), {}, slot)
        place = scope.places.get(slot.number)
        if place is not None:
            return f"b{scope.buffers.view(place, step)}"
        name = self._viewed(views, slot.number, step)
        return name or f"{scope.slot(slot)}[{scope.text.name(index)}]"

    def _viewed(self, views: list[tuple[int, Step]], number: int, step: Step) -> str:
        """Return the name of a view of a saved slot that is made once for each workspace; "" outside one."""
        own = next((n for n, each in self.of.items() if each.number == number and n in self.path.places), None)
        if own is None:
            return ""
        views.append((own, step))
        return f"w{len(views) - 1}"


def end_of(segment: Segment, to: Any) -> int:
    """Return the number of the end that `to` leads to, -1 for an entry of the segment itself."""
    if to[0] == "tensor":
        return segment.ends.index(to)
    entry = to[1]
    if entry.number >= segment.entries[0].number:
        return -1
    for number, end in enumerate(segment.ends):
        if end[0] == "segment" and segment.path.segments[end[1]].outputs[end[2]] == (entry, to[2]):
            return number
    raise AssertionError("an edge leads nowhere")
