"""The backward passes of a run: roots, nodes, and the gradients that they leave in the leaves."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Sequence
from time import perf_counter_ns
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from dyncli.errors import first_line
from dyncli.recorder.engine import AccumulateGrad, Tensor, UnaryNode
from dyncli.recorder.events.rows import Nodes
from dyncli.recorder.events.tensor_ids import TensorIds

MOST_PASSES = 100  # passes whose gradients are kept; of a longer training also the last, and the last `backward()`
MOST_LOOKED_AT = 64  # nodes of several inputs among which a leaf that is still there is looked for

LOOKED_AT = 16  # elements of a leaf by which one that was updated is told

_exception = sys.exception


class LeafGradient(NamedTuple):
    """The gradient of a leaf in one pass, by its number.

    own: the gradient of this pass alone, None if it has none.  held: what `.grad` holds after it, where that is more.
    passes: how many that is the sum of, 0 of what a hook cleared.
    is_updated: whether the leaf was written between two of these, and again with their sum.
    """

    number: int
    own: Any
    held: Any = None
    passes: int = 1
    is_updated: bool = False


class Sum(NamedTuple):
    """Passes whose sum `.grad` of a leaf is, and updates of the leaf between them.

    elements: of the leaf at the last pass, by which an update is told.
    """

    passes: int
    updates: int
    elements: bytes


class Pass:
    """One backward pass: its line, its roots, what its nodes got, and the gradients that it gave leaves.

    by: `backward`, or `grad` of one whose results were returned; these are in `leaves` then.
    own: by AccumulateGrad node, the part of `.grad` that is of this pass, where it held something before.
    after: how many ops had run.  raised: whether an exception ended it; before that, the one handled as it began.
    failed, error: the rank of the node that raised, and what.
    """

    __slots__ = ("code", "lasti", "roots", "seeds", "nodes", "leaves", "own", "started", "ended", "after", "by",
                 "raised", "failed", "error")  # fmt: skip

    def __init__(self, code: CodeType, lasti: int, after: int) -> None:
        self.code, self.lasti, self.after = code, lasti, after
        self.roots: list[int] = []
        self.seeds: list[Any] = []
        self.nodes = Nodes()
        self.leaves: list[LeafGradient] = []
        self.own: dict[Any, Any] = {}
        self.started = perf_counter_ns()
        self.ended = 0
        self.by = "backward"
        self.raised: BaseException | bool | None = _exception()
        self.failed, self.error = 0, ""

    def add_own(self, leaf: Any, grad: Any) -> None:
        """Keep what this pass is about to add to the `.grad` that a leaf has."""
        array = np.array(getattr(grad, "_array", grad))
        self.own[leaf] = self.own[leaf] + array if leaf in self.own else array

    def end(self, node: Any) -> None:
        """Note when and how it ended.  node: the one that raised, where an exception ended it."""
        self.ended = perf_counter_ns()
        error, self.raised = _exception(), _exception() is not self.raised
        if self.raised and isinstance(error, Exception) and node is not None:
            self.failed, self.error = getattr(node, "rank", 0), first_line(error)


class BackwardPasses:
    """All passes, those that run now, the innermost last, and the one that ended last."""

    __slots__ = ("passes", "open", "last", "_sums", "_late")

    def __init__(self) -> None:
        self._sums: dict[int, Sum] = {}  # by rank of a leaf
        self.passes: list[Pass] = []
        self.open: list[Pass] = []
        self.last: Pass | None = None
        self._late: Pass | None = None  # the last `backward()` before the last pass, where that is not among the first

    def begin(self, roots: Any, grads: Any, frame: FrameType, count: int, tensors: TensorIds) -> Pass:
        """Begin a pass at `roots` with these output gradients, after `count` ops."""
        one = Pass(frame.f_code, frame.f_lasti, count)
        self.open.append(one)
        for root, grad in zip(roots, grads, strict=False):
            if isinstance(root, Tensor):
                one.roots.append(tensors.number(root))
                if grad.__class__ is ndarray:
                    one.seeds.append(grad)
                    continue
                one.seeds.append(getattr(grad, "_array", grad))
                if isinstance(grad, Tensor):
                    tensors.given[tensors.number(grad)] = "seed"
        self.passes.append(one)
        return one

    def end(self, node: Any) -> Pass:
        """End the innermost pass."""
        self.last = one = self.open.pop()
        one.end(node)
        return one

    def _within(self, one: Pass, reached: Any) -> None:
        """Add what a pass gave to the pass that it ran in."""
        for leaf in reached:
            if leaf in one.own or leaf.grad is not None:
                self.open[-1].add_own(leaf, one.own.get(leaf, leaf.grad))

    def keep_leaf_gradients(self, one: Pass, reached: Any, tensors: TensorIds) -> None:
        """Copy the gradients of the leaves of a pass.  reached: the AccumulateGrad nodes that a gradient reached."""
        found = tensors.live_leaves()
        known = {id(leaf) for _, leaf in found}
        reached = dict.fromkeys((*reached, *one.own))
        if self.open:
            self._within(one, reached)
        for node in reached:
            leaf = node.ref()  # None if it is gone
            if leaf is not None and id(leaf) not in known:  # written in place it has no second gradient
                number = tensors.number(leaf)
                tensors.leaves[number] = node.ref
                known.add(id(leaf))
                found.append((number, leaf))
        self._forget_middle()
        grads = tensors.grads = {}
        latest = {id(leaf): number for number, leaf in sorted(found, key=lambda item: -item[0])}  # numbers fall
        for number, leaf in found:
            if latest[id(leaf)] != number:
                continue  # what it was before it was written in place
            edge = leaf._edge
            if edge.__class__ is not AccumulateGrad or (grad := edge.grad) is None:
                one.leaves.append(LeafGradient(number, one.own.get(edge), passes=0 if edge in reached else 1))
                continue
            if edge in reached:
                one.leaves.append(self._leaf_gradient(number, edge, one.own.get(edge)))
            if edge.variable is leaf:
                grads[id(grad)] = weakref.ref(grad), number
        one.own = {}

    def _leaf_gradient(self, number: int, leaf: Any, own: Any) -> LeafGradient:
        """Return what a pass gave a leaf.  own: its part of the leaf's `.grad`, where that held something before."""
        held = leaf.grad._array.copy()
        elements = _first_elements(leaf)
        former = self._sums.get(leaf.rank, Sum(0, 0, elements))
        if own is None or np.array_equal(own, held):
            self._sums[leaf.rank] = Sum(1, 0, elements)
            return LeafGradient(number, held)
        updates = former.updates + (elements != former.elements)
        one = self._sums[leaf.rank] = Sum(former.passes + 1, updates, elements)
        return LeafGradient(number, own, held, one.passes, updates > 1)

    def end_sums(self, tensors: TensorIds) -> None:
        """At the end of a run find the leaves that were written after their last pass."""
        changed = set()
        for number, leaf in tensors.live_leaves():
            kept = self._sums.get(getattr(leaf._edge, "rank", 0))
            if kept is not None and kept.updates == 1 and kept.elements != _first_elements(leaf._edge):
                changed.add(number)
        for one in self.passes if changed else ():
            one.leaves = [
                each._replace(is_updated=True) if each.passes > 1 and each.number in changed else each
                for each in one.leaves
            ]

    def _forget_middle(self) -> None:
        """Forget the gradients of a pass that is neither among the first, nor the last, nor the last `backward()`."""
        if len(self.passes) <= MOST_PASSES + 1:
            return
        before = self.passes[-2]
        forgotten: Pass | None = before
        if before.by == "backward":
            forgotten, self._late = self._late, before
        if forgotten is not None:
            forgotten.leaves = []
            forgotten.nodes.forget()

    def add_unread(self, parameters: Sequence[Tensor], tensors: TensorIds) -> None:
        """Add those of a module's parameters that no op read to each pass that gave another of them a gradient."""
        unread = [each for each in parameters if each._edge.__class__ is AccumulateGrad and not tensors.has(each)]
        numbers = [tensors.source(each) for each in unread]
        own = {id(each) for each in parameters}
        reached = {number for number, leaf in tensors.live_leaves() if id(leaf) in own}.difference(numbers)
        for one in self.passes if numbers else ():
            if one.by == "backward" and any(each.number in reached and each.own is not None for each in one.leaves):
                one.leaves += [LeafGradient(number, None) for number in numbers]

    def took(self, targets: Any, results: Any, tensors: TensorIds) -> None:
        """Keep what `autograd.grad` is about to return as the gradients of the pass that ended last."""
        one = self.last
        assert one is not None
        one.by = "grad"
        one.leaves = []
        for target, result in zip(targets, results, strict=True):
            if isinstance(target, Tensor):
                number = tensors.number(target)
                one.leaves.append(LeafGradient(number, None if result is None else result._array.copy()))
                if target._edge.__class__ is AccumulateGrad:
                    tensors.leaves.setdefault(number, weakref.ref(target))


def _first_elements(leaf: Any) -> bytes:
    """Return the elements of a leaf by which one that was updated is told."""
    return np.asarray(leaf.memory).flat[:LOOKED_AT].tobytes()


def reach_a_leaf(roots: Any) -> bool:
    """Return whether a leaf that is still there is found soon behind these roots."""
    edges: list[Any] = [root._edge for root in roots if isinstance(root, Tensor)]
    for _ in range(MOST_LOOKED_AT):
        if not edges:
            return False
        edge = edges.pop()
        while edge.__class__ is UnaryNode:
            edge = edge.e0
        if edge.__class__ is AccumulateGrad:
            if edge.ref() is not None:
                return True
        elif edge is not None:
            edges += edge.node.edges()
    return False
