"""Node of a replayed call in the graph; its backward is the recorded one.

`loss.backward()` of a replayed call is one function: checks, the plan, and the leaves' gradients.  That is faster than
loops that call the plan (tests/bench, replay: branch).
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from heapq import heappop, heappush
from typing import Any

import numpy as np

from dyncore.dispatch.general_nodes import general_node
from dyncore.dispatch.outer import Outer
from dyncore.dispatch.saved.attributes import raw_saved_attribute, saved_attribute
from dyncore.dispatch.saved.changed import check_unchanged, second_time
from dyncore.engine import api as backward, sequence
from dyncore.engine.accumulation import accumulate
from dyncore.engine.checks import ONES
from dyncore.errors.source import calling
from dyncore.graph import events, versions
from dyncore.graph.edges import Partial
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.graph.node import FREED, AccumulateGrad, Node, Output, next_rank
from dyncore.graph.running import running
from dyncore.tensors.tensor import Tensor

from ..steps import Slot, mapped, same_bits
from .gradients import Unplanned, Walk, end_of
from .recurrence import OuterProducts
from .writing import Changed

_MOST_PLANS = 16
_ONES = {one.__class__: one for one in ONES.values() if isinstance(one, np.generic)}  # by the class of a scalar


class Lease:
    """Holds a workspace until nothing needs its arrays; then it is free for another run."""

    __slots__ = ("pool", "workspace")

    def __init__(self, pool: Any, workspace: Any) -> None:
        self.pool = pool
        self.workspace = workspace

    def keep(self) -> None:
        """Never gives the arrays back: somebody has them."""
        self.pool = None

    def __del__(self) -> None:
        if self.pool is not None:
            self.pool.give(self.workspace)


class CompiledFunctionBackward(Node):
    """A replayed call, or a part of one.  to: the edges of the segment's ends.  freed: where `straight` freed it."""

    __slots__ = ("values", "lease", "to", "freed")
    title = "CompiledFunctionBackward"
    single = False

    segment: Any
    values: Any
    lease: Any
    to: tuple[Any, ...]
    freed: tuple[Any, int]

    def edges(self) -> tuple[Any, ...]:
        return tuple([edge for edge in self.to if edge is not None])

    def saved(self) -> dict[str, Any]:
        """Return the tensors from outside, and the outputs, that backward wants."""
        if self.values is FREED:
            return {"values": FREED}
        found = {}
        for name, number in self.segment.watched:
            found[name] = self.values[number]
        return found

    @property
    def targets(self) -> tuple[Any, ...]:
        """Names that `replay.edge_of` looks up; saved values have none here."""
        return ((None, None),) * len(self.to)

    @property
    def outputs(self) -> int:
        return len(self.segment.outputs)

    def release(self) -> None:
        if self.segment.frees:
            self.values = FREED
            self.lease = None

    def _ready(self) -> None:
        if self.values is FREED:
            raise second_time(self)
        if versions.newest < self.rank:
            check_unchanged(self)

    def _grads(self, grad: Any) -> list[Any]:
        if grad.__class__ is Partial:
            return [grad.grads.get(number) for number in range(len(self.segment.outputs))]
        return [grad]

    def run(self, grad: Any, keep: bool) -> Any:
        values = self.values
        if values is FREED or versions.newest < self.rank:
            self._ready()
        segment, to = self.segment, self.to
        fold = True
        if segment.repeated:
            task: Any = running.get()
            leaves, waiting = task.leaves, task.waiting
            for number in segment.repeated:
                edge = to[number]
                if edge in leaves or edge.rank in waiting or edge.node.rank in waiting:
                    fold = False
        kind = grad.__class__
        if kind is Partial:
            grads = [grad.grads.get(number) for number in range(len(segment.outputs))]
            key: Any = fold, *[g.strides if g.__class__ is np.ndarray else g.__class__ for g in grads]
        else:
            grads = [grad]
            key = fold, grad.strides if kind is np.ndarray else kind
        plan = segment.plans.get(key)
        if plan is None:
            plan = self._plan(grads, key, fold)
        if plan is False:
            result = self._walk(grads, False)
        else:
            lease = self.lease
            try:
                found = plan(grads, values, lease and lease.workspace)
                result = [(to[number], g) for number, g in zip(plan.targets, found)]
            except Changed:
                result = self._walk(grads, False)
        if not keep and segment.frees:
            self.values = FREED
            self.lease = None
        return result if fold else _counted(result)

    def straight(self, root: Any) -> bool:
        """Return True if this was the whole of `root.backward()`.

        All gradients go to leaves without hooks, and no listener is attached.
        It takes no walk (tests/bench, replay: branch).  The first time for each dtype it is written as text.
        """
        array, segment = root._array, self.segment
        kind = array.__class__
        one = _ONES.get(kind)
        if one is None:
            one = ONES.get(array.dtype)
            if one is None or array.shape != ():
                return False
        made = segment.straight.get(one.__class__)
        if made is None:
            if self.values is FREED or versions.newest < self.rank or nondefault_modes or sequence.used:
                return False
            made = segment.straight[one.__class__] = self._straight(one)
            if made and one.__class__ is kind:
                type(self).straight = made  # type: ignore[method-assign]
        return made is not False and made(self, root, True)

    def _straight(self, one: Any) -> Any:
        plan = self._plan([one], one.__class__, True, True)
        if plan is False:
            return False
        given = plan([one], self.values, self.lease and self.lease.workspace)
        own = [_own(each, self.to[number]) for number, each in zip(plan.targets, given, strict=True)]
        return straight_function(plan, one, one.__class__, self.segment.frees, own, CompiledFunctionBackward.straight)

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        self._ready()
        if self.lease is not None:
            self.lease.keep()
        result = self._walk(self._grads(grad), True)
        if not keep:
            self.release()
        return result

    # -- planning

    def _plan(self, grads: list[Any], key: Any, fold: bool, seeded: bool = False) -> Any:
        segment = self.segment
        if len(segment.plans) >= _MOST_PLANS:
            return False
        values = self._values()
        leaves = [edge.__class__ is AccumulateGrad for edge in self.to]
        plan: Any = False
        try:
            walk = Walk(segment, grads, values, leaves, fold, seeded)
            plan = walk.plan()
            found = plan(grads, self.values, self.lease and self.lease.workspace)
            if not all(_alike(each, g) for (_, g), each in zip(walk.order, found, strict=True)):
                plan = False
        except Unplanned:
            pass
        segment.plans[key] = plan
        return plan

    def _values(self) -> dict[int, Any]:
        """Return the saved arrays by the number of their slot."""
        path = self.segment.path
        values = dict(zip(path.kept, self.values, strict=True))
        if self.lease is not None:
            values.update({number: self.lease.workspace.arrays[place] for number, place in path.places.items()})
        return values

    # -- node by node, for `create_graph` and for what cannot be planned

    def _walk(self, grads: list[Any], create: bool) -> list[tuple[Any, Any]]:
        nodes = self._thawed()
        pending: dict[int, Any] = {}
        heap: list[int] = []

        def meet(number: int, index: int, grad: Any) -> None:
            node = nodes[number]
            if node.outs:
                held = pending.setdefault(number, {})
                held[index] = held[index] + grad if index in held else grad
            else:
                pending[number] = pending[number] + grad if number in pending else grad
            if -number not in heap:
                heappush(heap, -number)

        segment = self.segment
        entries = {entry.number: entry for entry in segment.entries}
        for (entry, index), grad in zip(segment.outputs, grads, strict=True):
            if grad is not None:
                meet(entry.number, index, grad)
        result = []
        while heap:
            number = -heappop(heap)
            node, entry = nodes[number], entries[number]
            grad = pending.pop(number)
            if node.outs:
                grad = Partial(grad)
            found = node.run_tensors(grad, True) if create else node.run(grad, True)
            into = iter([to for to in entry.to if to is not None])
            for edge, g in found:
                if edge is None:
                    continue
                to = next(into)
                if g is None:
                    continue
                end = end_of(segment, to)
                if end < 0:
                    meet(to[1].number, to[2], g.dense() if g.__class__ is Outer else g)
                else:
                    result.append((self.to[end], g if create else _apart(g)))
        return _counted(result)

    def _thawed(self) -> dict[int, Any]:
        """Return the nodes that an ordinary call would have left."""
        values = self._values()

        def value(slot: Slot) -> Any:
            return slot.value if slot.kind == "constant" and not slot.fresh else values[slot.number]

        nodes: dict[Any, Any] = {}  # by an entry's number; outputs of nodes with several by number and index
        for entry in self.segment.entries:
            node = object.__new__(general_node(entry.op))
            node.code, node.lasti = entry.place
            node.extra = None
            node.targets, node.metas, node.outs, node.label = entry.targets, entry.metas, entry.outs, entry.label
            node.values = mapped(entry.saved, Slot, value)
            node.to = tuple(None if to is None else self._edge(to, nodes) for to in entry.to)
            node.rank = next_rank()  # younger than the edges it has just been given
            nodes[entry.number] = node
        return nodes

    def _edge(self, to: Any, nodes: dict[Any, Any]) -> Any:
        end = end_of(self.segment, to)
        if end >= 0:
            return self.to[end]
        node = nodes[to[1].number]
        if not node.outs:
            return node
        place = to[1].number, to[2]
        if place not in nodes:
            nodes[place] = Output(node, to[2])
        return nodes[place]


backward.replayed = CompiledFunctionBackward


def node_class(segment: Any) -> Any:
    """Return the class of a segment's nodes, with the saved values as attributes.

    With a `__getattr__` CPython would not specialize reads of slots (tests/bench, replay: branch).
    """
    if segment.kind is None:
        own: dict[str, Any] = {"__slots__": (), "__module__": CompiledFunctionBackward.__module__, "segment": segment}
        for name, _ in segment.watched:
            own[f"_saved_{name}"] = property(partial(saved_attribute, name=name))
            own[f"_raw_saved_{name}"] = property(partial(raw_saved_attribute, name=name))
        segment.kind = type(CompiledFunctionBackward.title, (CompiledFunctionBackward,), own)
    return segment.kind


def _counted(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the pairs of edge and gradient; let leaves with hooks wait where one edge brings them several."""
    leaves = [edge for edge, _ in pairs if edge.__class__ is AccumulateGrad]
    hooked = [each for each in leaves if each.extra is not None or each.post_accumulate is not None]
    for edge, count in Counter(hooked).items():
        running.get().expect(edge, count - 1)
    return pairs


def _apart(grad: Any) -> Any:
    return grad[...] if grad.__class__ is np.ndarray else grad


def _own(grad: Any, leaf: Any) -> bool:
    """Return whether a leaf may keep a gradient as it is: in memory of its own, laid out as the leaf's."""
    if grad.__class__ is not np.ndarray or grad.base is not None or leaf.__class__ is not AccumulateGrad:
        return False
    return bool(grad.flags.c_contiguous and grad.flags.writeable and leaf.memory.flags.c_contiguous)


def _alike(found: Any, expected: Any) -> bool:
    if expected.__class__ is OuterProducts:
        return True
    return same_bits(found, expected.value)


MOST_LINES = 200  # of a plan that is written into the function
_GLOBALS = {
    "__name__": "dyncore.capture.straight", "__dyncore__": True, "AccumulateGrad": AccumulateGrad, "Tensor": Tensor,
    "accumulate": accumulate, "new": object.__new__, "FREED": FREED, "GRAD": GRAD, "NO_GRAD": NO_GRAD,
    "current": current, "nondefault_modes": nondefault_modes, "versions": versions, "events": events,
    "sequence": sequence,
    "running": running, "calling": calling, "getframe": sys._getframe, "theirs": None,
}  # fmt: skip


def straight_function(plan: Any, one: Any, kind: Any, frees: bool, own: list[bool], other: Any) -> Any:
    """Return `straight(node, root)`: True if it was the whole of `root.backward()`.

    one: the gradient of `root`, a scalar of this dtype.  kind: the class of `root`'s number; for those of another,
    `other` is called, unless it has called this.  own: which gradients a leaf may keep as they are.
    A backward while another runs in the same context finds `nondefault_modes` filled.
    """
    names = {**_GLOBALS, **plan.run.__globals__, **_GLOBALS, "KIND": kind, "one": one, "other": other, "plan": plan}
    names.update(free=plan.free, make=plan.buffers.make, run=plan.run)
    leaves = [f"l{n}" for n in range(len(plan.targets))]
    lines = [
        "global theirs",
        "if not asked and root._array.__class__ is not KIND: return other(node, root)",
        "S = node.values",
        "if (S is FREED or versions.newest < node.rank or node.extra is not None or events.listener is not None"
        " or sequence.used or nondefault_modes and (running.get() is not None"
        " or current() is not GRAD and current() is not NO_GRAD)): return False",
        *_leaves(leaves, plan.targets),
        *_planned(plan),
    ]
    for leaf, grad, kept in zip(leaves, plan.grads, own, strict=True):
        lines += _delivered(leaf, grad, kept)
    if plan.buffers.layouts:  # only now, as another thread may take them and write there
        lines.append("free.append(B)")
    if frees:
        lines += [
            "node.values = FREED",
            "node.lease = None",
            # The node's own note: only leaves come before it.
            "frame = getframe(2)",
            "code = frame.f_code",
            "if code is not theirs:",
            "    frame, code = calling(frame)",
            "    theirs = code",
            "node.freed = code, frame.f_lasti",
        ]
    source = "\n    ".join(["def straight(node, root, asked=False):", *lines, "return True"])
    exec(compile(source, "<dyncore replay>", "exec"), names)
    return names["straight"]


def _leaves(names: list[str], places: list[int]) -> list[str]:
    """Return the lines that pick the edges at these places, and go on if all are leaves at which no hook waits.

    A leaf is met once only, and its gradient must not have a graph.
    """
    if not names:
        return []
    lines = ["to = node.to", *(f"{name} = to[{place}]" for name, place in zip(names, places, strict=True))]
    tests = [
        f"{l}.__class__ is not AccumulateGrad or {l}.extra is not None or {l}.post_accumulate is not None"
        f" or ({l}.grad is not None and {l}.grad._edge is not None)"
        for l in names
    ]  # fmt: skip
    if 1 < len(names) < 4:
        tests += [f"{a} is {b}" for n, a in enumerate(names) for b in names[:n]]
    elif len(names) > 1:
        tests.append(f"len({{{', '.join(names)}}}) != {len(names)}")
    return [*lines, *(f"if {test}: return False" for test in tests)]


def _planned(plan: Any) -> list[str]:
    """Return the lines that compute the gradients, by what `plan.grads` names."""
    short = len(plan.lines) <= MOST_LINES
    lines = []
    if plan.buffers.layouts:
        lines += ["try: B = free.pop()", "except IndexError: B = make()"]
    else:
        lines.append("B = ()")
    if plan.placed:
        lines += ["P = node.lease.workspace", "P = P.selections.get(plan) or P.some(plan)"]
    else:
        lines.append("P = ()")
    names = "".join(f"{grad}, " for grad in plan.grads)
    if not short:
        called = [f"({names}) = run((one,), S, P, B)"] if names else []
    else:
        called = [line[4:] for line in plan.lines if line.strip() != "pass"]
        called += [f"{grad} = {text}" for grad, text in zip(plan.grads, plan.shown, strict=True)]
    if called:
        lines += ["try:", *(f"    {line}" for line in called), "except Changed: return False"]
    return lines


def _delivered(leaf: str, grad: str, kept: bool) -> list[str]:
    """Return the lines that give a leaf its gradient, which it may keep as it is or not."""
    added = f"accumulate({leaf}, {grad}, {grad} is not one, False)"
    if not kept:
        return [added]
    return [  # what `accumulate` does with it, without its questions
        f"if {leaf}.grad is None:",
        "    held = new(Tensor)",
        f"    held._array = {grad}",
        "    held._edge = held._meta = None",
        f"    {leaf}.grad = held",
        f"else: {added}",
    ]
