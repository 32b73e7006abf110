"""The events of one run: its tensors by number, writes in place, calls that enclose ops, and backward passes.

`EventLog` fills them in; collectors and the tables of a record read them.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter_ns
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from dyncli.errors import first_line
from dyncli.recorder import naming
from dyncli.recorder.engine import (
    SMALL,
    AccumulateGrad,
    Parameter,
    Tensor,
    UnaryNode,
    is_grad_enabled,
    next_rank,
    owner,
    storage,
)
from dyncli.recorder.events.picks import Pick, counted, measure, part
from dyncli.recorder.events.rows import Nodes, Rows

next_number = next_rank  # so that the rank of a node can be the number of what it made


#: Where the first element is, and how far apart all are.
Place = tuple[int, tuple[int, ...], tuple[int, ...], str]


class TensorIds:
    """Numbers of tensors, in their `_trace` slot.  An in-place op gives a tensor a new one.

    first: the number before those of this run, as numbers fall.
    sources: the tensors that no op of the run made, by number.
    first_values: what a small source held when it was met first, by number.
    leaves: references to the leaves, by number.
    given: what a source is that no name leads to: "seed", "saved" or "gradient", by number.
    grads: the tensor that is the `.grad` of a leaf, by id, with the leaf's number.
    grad_of: the leaf's number, by the number of a `.grad` that the run reads.
    data_of: by the number of what an op's result gave as `.data`, that of the result.
    reassigned: of each tensor that had, or was given, another's `.data`: number, place in memory, owner of the memory.
    in_backward: the backward passes that run now.
    """

    __slots__ = ("first", "sources", "first_values", "leaves", "given", "grads", "grad_of", "data_of",
                 "reassigned", "in_backward", "on_source")  # fmt: skip

    def __init__(self, in_backward: Sequence[Any], on_source: Sequence[Callable[[int, Tensor], None]]) -> None:
        self.sources: dict[int, Tensor] = {}
        self.first_values: dict[int, Any] = {}
        self.leaves: dict[int, Any] = {}
        self.given: dict[int, str] = {}
        self.grads: dict[int, tuple[Any, int]] = {}
        self.grad_of: dict[int, int] = {}
        self.reassigned: list[tuple[int, Place, Any]] = []
        self.data_of: dict[int, int] = {}
        self.in_backward = in_backward
        self.on_source = on_source
        self.first = next_number()

    def number(self, tensor: Tensor) -> int:
        """Return the number of a tensor's present value; a tensor from before the run becomes a source."""
        try:
            number = tensor._trace
        except AttributeError:
            return self.source(tensor)
        return number if number < self.first else self.source(tensor)

    def has(self, tensor: Tensor) -> bool:
        """Return whether a tensor has a number of this run."""
        return getattr(tensor, "_trace", self.first) < self.first

    def source(self, tensor: Tensor) -> int:
        """Assign a number to a tensor that no op of this run made; a leaf that a node saved has that of the leaf."""
        leaf = tensor._edge.ref() if tensor._edge.__class__ is AccumulateGrad else None
        if leaf is not None and leaf is not tensor:
            tensor._trace = number = self.number(leaf)
            return number
        tensor._trace = number = next_number()
        self.sources[number] = tensor
        if tensor._array.size <= SMALL:
            self.first_values[number] = tensor._array.copy()
        if self.in_backward:
            self.given[number] = "saved" if is_grad_enabled() else "gradient"  # under `create_graph` ops make gradients
        elif (grad := self.grads.get(id(tensor))) is not None and grad[0]() is tensor:
            self.grad_of[number] = grad[1]
        if tensor._edge.__class__ is AccumulateGrad:
            self.leaves[number] = weakref.ref(tensor)
        for callback in self.on_source:
            callback(number, tensor)
        return number

    def numbers(self, values: Any) -> list[int]:
        """Return the numbers of every tensor in nested lists."""
        found: list[int] = []
        for value in values:
            if isinstance(value, Tensor):
                found.append(self.number(value))
            elif value.__class__ is list or value.__class__ is tuple:
                found += self.numbers(value)
        return found

    def of_number(self, number: int) -> Tensor | None:
        """Return the source or leaf of this number, if it is there still."""
        leaf = self.leaves.get(number)
        return self.sources.get(number, None if leaf is None else leaf())

    def look(self, tensor: Tensor, made: Tensor) -> None:
        """Give the `.data` of an op's result a number; that of a leaf is known by its memory."""
        if self.has(tensor) and tensor._trace not in self.sources and tensor._edge.__class__ is not AccumulateGrad:
            made._trace = number = next_number()
            self.data_of[number] = self.data_of.get(tensor._trace, tensor._trace)

    def reassign(self, tensor: Tensor, value: Tensor) -> None:
        """Let a tensor be what its `.data` is given, if that is other memory: `w.data -= 1` gives its own."""
        arrays = storage(tensor), storage(value)
        places = [place_of(array) for array in arrays]
        if places[0] == places[1]:
            return
        numbers = self.number(tensor), self.number(value)
        owners = [weakref.ref(owner(array)) for array in arrays]
        self.reassigned += zip(numbers, places, owners, strict=True)
        tensor._trace = numbers[1]

    def live_leaves(self) -> list[tuple[int, Tensor]]:
        """Return the leaves that are there still, and forget the others.

        A loop that makes its own leaves would otherwise look at all of them in its every pass.
        """
        found = [(number, leaf) for number, each in self.leaves.items() if (leaf := each()) is not None]
        if len(found) != len(self.leaves):
            self.leaves = {number: self.leaves[number] for number, _ in found}
        return found


def place_of(array: Any) -> Place:
    """Return which elements an array looks at, as long as what owns them is there."""
    return array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.str


class WrittenView(NamedTuple):
    """The base of a view after a write: its number, the one before, and its array if small, else shape and dtype."""

    number: int
    before: int
    what: Any


class Writes:
    """The writes in place.

    through_views: by op, what it wrote into through a view.
    bases: the number of the same by the rank of the node that this left.
    silent: by the id of an array that was written without any op, a reference to it, as another may get its id, and how
    many ops there were at the last such write.
    former: by number, what a tensor held before each such write: how many ops there were, and the array, if it is
    small, or its statistics; kept by a collector.
    copied_views: the ops that copied instead of making a view.
    """

    __slots__ = ("through_views", "bases", "silent", "former", "copied_views")

    def __init__(self) -> None:
        self.through_views: dict[int, WrittenView] = {}
        self.bases: dict[int, int] = {}
        self.silent: dict[int, tuple[Any, int]] = {}
        self.former: dict[int, list[tuple[int, Any]]] = {}
        self.copied_views: set[int] = set()

    def add_silent(self, root: Any, count: int) -> None:
        """Note that an array is about to be written without any op, after `count` ops."""
        self.silent[id(root)] = weakref.ref(root), count

    def add_through_view(self, written: Tensor, op: int, tensors: TensorIds, steps: dict[int, int]) -> None:
        """Assign a new number to the base of the view that an op about to be recorded wrote to."""
        base = None if written._meta is None else written._meta.base
        if base is None:
            return
        before = tensors.number(base)
        base._trace = number = next_number()
        array = base._array
        what = array.copy() if array.size <= SMALL else (array.shape, array.dtype)
        self.through_views[op] = WrittenView(number, before, what)
        if getattr(base._edge, "title", "") == "CopySlices":
            steps[base._edge.rank] = op
            self.bases[base._edge.rank] = number


MOST_PASSES = 100  # passes whose gradients are kept; of a longer training also the last, and the last `backward()`
MOST_LOOKED_AT = 64  # nodes of several inputs among which a leaf that is still there is looked for

LOOKED_AT = 16  # elements of a leaf that show whether it was updated

_exception = sys.exception


class LeafGradient(NamedTuple):
    """The gradient of a leaf in one pass, by its number.

    own: the gradient of this pass alone, None if it has none.  held: what `.grad` holds after it, where that is more.
    passes: how many that is the sum of, 0 of what a hook cleared.
    is_updated: whether the leaf was written between two of these, and again with their sum.
    is_frozen: whether it required no gradient any more.
    """

    number: int
    own: Any
    held: Any = None
    passes: int = 1
    is_updated: bool = False
    is_frozen: bool = False


class Sum(NamedTuple):
    """Passes whose sum `.grad` of a leaf is, and updates of the leaf between them.

    passes: 0 once the script wrote another `.grad`.
    elements: of the leaf at the last pass, which show an update.  held: what `.grad` was after it.
    """

    passes: int
    updates: int
    elements: bytes
    held: Any


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
            if edge is None:
                one.leaves.append(LeafGradient(number, None, is_frozen=True))
                continue
            if edge.__class__ is not AccumulateGrad or (grad := edge.grad) is None:
                one.leaves.append(LeafGradient(number, one.own.get(edge), passes=0 if edge in reached else 1))
                continue
            if edge in reached:
                one.leaves.append(self._leaf_gradient(number, edge, one.own.get(edge)))
            elif isinstance(leaf, Parameter):  # its `.grad` is of passes before
                one.leaves.append(LeafGradient(number, None))
            grads[id(grad)] = weakref.ref(grad), number
        one.own = {}

    def _leaf_gradient(self, number: int, leaf: Any, own: Any) -> LeafGradient:
        """Return what a pass gave a leaf.  own: its part of the leaf's `.grad`, where that held something before."""
        held = leaf.grad._array.copy()
        elements = _first_elements(leaf)
        former = self._sums.get(leaf.rank, Sum(0, 0, elements, None))
        if own is None or np.array_equal(own, held):
            self._sums[leaf.rank] = Sum(1, 0, elements, held)
            return LeafGradient(number, held)
        if former.held is not None and (not former.passes or not _adds_to(held, own, former.held)):
            self._sums[leaf.rank] = Sum(0, 0, elements, held)  # the script wrote `.grad` in between
            return LeafGradient(number, own)
        updates = former.updates + (elements != former.elements)
        one = self._sums[leaf.rank] = Sum(former.passes + 1, updates, elements, held)
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


def _adds_to(held: Any, own: Any, former: Any) -> bool:
    """Return whether `.grad` is what a pass gave and what it was before, or a multiple of that as clipping leaves."""
    with np.errstate(all="ignore"):
        before = np.asarray(held - own, np.float64).ravel()
        earlier = np.asarray(former, np.float64).ravel()
        if before.shape != earlier.shape or not np.isfinite(before).all() or not np.isfinite(earlier).all():
            return True
        square = float(earlier @ earlier)
        factor = float(earlier @ before) / square if square else 0.0
        largest = max(float(np.abs(each).max(initial=0.0)) for each in (held, own, former))
        error = 64 * np.finfo(np.asarray(held).dtype).eps * largest
        return factor > 0 and bool((np.abs(before - factor * earlier) <= error).all())


def _first_elements(leaf: Any) -> bytes:
    """Return the elements of a leaf that show whether it was updated."""
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


MOST_MODULES = 100  # modules called from outside any other, whose parameters are named


class ModuleCalls:
    """The modules that were called.  names: by id.  outermost: those called from outside any other, by id.

    held: by the number of a parameter the outermost module that held it as a backward ended, and its path there.
    sought: the numbers of all parameters that were looked for.
    """

    __slots__ = ("names", "outermost", "held", "sought", "depth", "outer")

    def __init__(self) -> None:
        self.held: dict[int, tuple[Any, str]] = {}
        self.sought: set[int] = set()
        self.names: dict[int, str] = {}
        self.outermost: dict[int, Any] = {}
        self.depth = 0
        self.outer: Any = None

    def enter(self, module: Any) -> None:
        """Begin a call of a module."""
        if not self.depth:
            self.outer = module
            if id(module) not in self.outermost and len(self.outermost) < MOST_MODULES:
                self.outermost[id(module)] = module
        self.depth += 1

    def exit(self) -> None:
        """End the newest call."""
        self.depth -= 1

    def roots(self) -> list[Any]:
        """Return the outermost modules that are in no other of them."""
        held = {id(each) for one in self.outermost.values() for name, each in one.named_modules() if name}
        return [one for number, one in self.outermost.items() if number not in held]

    def keep_paths(self, leaves: Iterable[int], tensors: TensorIds, frame: FrameType) -> None:
        """Keep the paths of the parameters among the leaves of a pass: a module may have others later.

        frame: the user's that called `backward`; a module that is never called is found by its variables.
        """
        new = {n for n in leaves if n not in self.sought and isinstance(tensors.of_number(n), Parameter)}
        self.sought |= new
        for module in self.outermost.values() if new else ():
            self._keep_paths_of(module, tensors)
        for number in new:
            if number not in self.held and len(self.outermost) < MOST_MODULES:
                module, names = naming.holder(tensors.of_number(number), frame)
                if module is not None:
                    self.outermost[id(module)] = module
                    self.names = names | self.names
                    self._keep_paths_of(module, tensors)

    def _keep_paths_of(self, module: Any, tensors: TensorIds) -> None:
        for path, parameter in type(module).named_parameters(module):
            if tensors.has(parameter):
                self.held[tensors.number(parameter)] = module, path

    def name(self, module: Any, frame: FrameType) -> str:
        """Return the variable of a module not met before, or its path below the outermost that runs.

        frame: the user's that called it; the path may be new, as modules may be made at any time.
        """
        found = naming.modules(self.outer)
        if module is self.outer:
            found |= naming.module_variables({**frame.f_globals, **frame.f_locals})
            holder, names = naming.holder(module, frame)
            if holder is not None:
                self.outermost.pop(id(module), None)
                self.outermost[id(holder)] = holder
                found |= names
        self.names = found | self.names
        return self.names.setdefault(id(module), type(module).__name__)


class FunctionCall(NamedTuple):
    """A call of a function of the user's: its first and last op, what it gave, its node's name, what that saved."""

    first: int
    last: int
    number: int
    title: str
    saved: tuple[int, ...]


class FunctionCalls:
    """The calls of the user's autograd functions, by the rank of their node.  begun: how many ops each ran after."""

    __slots__ = ("by_rank", "begun")

    def __init__(self) -> None:
        self.by_rank: dict[int, FunctionCall] = {}
        self.begun: list[int] = []


def saved_by(node: Any, result: Tensor) -> list[Tensor]:
    """Return the tensors that a function of the user's saved, as they are: not what a hook made of them."""
    held = [each for each in node._saved if each is not None and each.array is not None]
    return [result if each.tensor is None else each.tensor for each in held]


Escape = tuple[int, str, Any, int, Any, int, int]


class Kept(NamedTuple):
    """Memory that a node holds besides its op's arguments: bytes of a mask, of indices, of a composite op's steps.

    ranks: of those steps.  numbers: the script's tensors that they hold.
    packed: hooks of saved tensors made of them what is held, and nothing else is: a checkpoint holds none.
    """

    size_bytes: int = 0
    ranks: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    packed: bool = False


class RecordedEvents:
    """The events of one run.

    decisions: the decision log, whose length is stored with every event.
    ops: the table of ops.  tensors: numbers of tensors.  backward: the backward passes.
    modules, functions: the calls that enclose ops.  writes: what was written in place.
    saved: by op, what its nodes hold besides arguments and results.
    steps: by the rank of a node, its op, where the op left several.
    inspected: by number, the statistics of larger tensors that something bad was made of.
    compared: by number, what the operands of the newest comparison of small tensors held, if no values are kept.
    picks: by number, how the indexes or the mask that a tensor holds were chosen.
    escapes: of each value that left for Python: the tensor's number, how, the value, the length of the decision log,
    where, and how many ops there were.
    between_ops: these, and what else happened between ops, as in `transitions`.
    grad_modes: how many ops there were where `no_grad` ended and, as its complement, where it began.
    """

    def __init__(self, decisions: list[Any], ops: Rows, on_source: Sequence[Callable[[int, Tensor], None]]) -> None:
        self.decisions = decisions
        self.ops = ops
        self.backward = BackwardPasses()
        self.tensors = TensorIds(self.backward.open, on_source)
        self.modules, self.functions, self.writes = ModuleCalls(), FunctionCalls(), Writes()
        self.saved: dict[int, Kept] = {}
        self.steps: dict[int, int] = {}
        self.inspected: dict[int, Any] = {}
        self.compared: dict[int, Any] = {}
        self.picks: dict[int, Pick] = {}
        self.escapes: list[Escape] = []
        self.between_ops: list[Any] = []
        self.grad_modes: list[int] = []

    def add_pick(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """Keep how an op picked the indexes, or made the mask, that it returned."""
        args = args or (kwargs.get("input"),)
        if op.name == "__getitem__":
            pick = part(self.picks.get(args[0]._trace), args[0], result)
        elif op.name == "sum":
            pick = counted(self.picks.get(args[0]._trace), args[0], result)
        else:
            pick = measure(op, args, kwargs, result)
        if pick is not None:
            made = result if isinstance(result, tuple) else (result,)
            self.picks.update(
                {each._trace: pick for each in made if pick.kind == "sample" or each._array.dtype.kind in "ib"}
            )
