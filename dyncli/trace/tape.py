"""What is noted while a model runs: a row for each op and each backward node, and each backward pass.

Everything that can be worked out later is worked out later (`assemble.py`).
Tensors are told apart by a number in their `_trace` slot, which an in-place op renews.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import repeat
from time import perf_counter, perf_counter_ns
from types import CodeType
from typing import Any, NamedTuple

from numpy import ndarray

from dyncli.errors import first_line
from dyncli.trace import naming
from dyncli.trace.aliases import Place, place_of
from dyncli.trace.hearing import hearing, leaving, next_number, users_frame
from dyncli.trace.held import Kept, OfFunction, saved_by
from dyncli.trace.rows import BLOCK, NOTHING, WIDTH, Nodes, Rows
from dyncore.events import SMALL, Listener, few
from dyncore.grad_mode import is_grad_enabled
from dyncore.graph import AccumulateGrad
from dyncore.registry import Op
from dyncore.tensor import Tensor, storage
from dyncore.versions import owner

MOST_MODULES = 100  # modules called from outside any other, whose parameters are named
GRAD = Op(lambda roots, targets: targets, {}, name="grad")  # stands for `autograd.grad` where no op made its results
KEPT_BACKWARDS = 100  # backward passes whose gradients are noted; of a longer training also the last

_getframe = sys._getframe
_exception = sys.exception


class Pass:
    """One backward pass: its line, its roots, what its nodes got, and the leaves' gradients after it.

    by: `backward`, or `grad` of one whose results were returned; these are in `leaves` then.
    after: how many ops had run.  raised: whether an exception ended it; before that, the one handled as it began.
    failed, error: the rank of the node that raised, and what.
    """

    __slots__ = ("code", "lasti", "roots", "seeds", "nodes", "leaves", "started", "ended", "after", "by", "raised",
                 "failed", "error")  # fmt: skip

    def __init__(self, code: CodeType, lasti: int, after: int) -> None:
        self.code, self.lasti, self.after = code, lasti, after
        self.roots: list[int] = []
        self.seeds: list[Any] = []
        self.nodes = Nodes()
        self.leaves: list[tuple[int, Any]] = []
        self.started = perf_counter_ns()
        self.ended = 0
        self.by = "backward"
        self.raised: BaseException | bool | None = _exception()
        self.failed, self.error = 0, ""


class Through(NamedTuple):
    """What a view looks at, after a write: its number, the one before, and its array if small, else shape and dtype."""

    number: int
    before: int
    what: Any


class Tape(Listener):
    """The listener of one run.  log: the decision log, whose length is noted with every op.

    look: gives what a tape that looks keeps of a larger result of an op, from it and the op's arguments; of a small one
    it keeps a copy, as it may be written to.
    former: by number, what a tensor held before each write of which no op is heard: how many ops there were, and the
    array, if it is small, or what was seen of it.
    first_held: by number, what a small tensor from before the run held when it was first met.
    escapes: what left: the tensor's number, how, the value, the length of the log, where, and how many ops there were.
    turned: these, and what else came between ops, as in `turns`.
    grads: by the id of a tensor that is the `.grad` of a leaf, itself and the leaf's number.
    grad_of: by the number of a `.grad` that the run reads, the leaf's.
    functions: by the rank of the node that a function of the user's left, which ops its forward ran and what came out.
    begun: how many ops there were as each of those that run now began.
    through: by op, what it wrote into through a view; bases: the same by the rank of the node that this left.
    rewritten: by the id of the array that holds the memory, the array as long as it lives, as another may get its id,
    and how many ops there were at the last such write.
    faces: the numbers of what had or was given another's `.data`, where its memory is, and what owns it while it lives.
    compared: by number, what the operands of the newest comparison of small tensors held, if no other values are kept.
    modes: how many ops there were where `no_grad` ended and, as its complement, where it began.
    closer: by number, the statistics of larger tensors that were looked at again, as something bad was made of them.
    """

    look: Callable[[Any, Any], Any] | None = None
    kept_for_now = SMALL  # elements of a result that the tape keeps as it is
    hands_all = False  # whether all that nodes handed on is noted, not only what may be bad

    def __init__(self, log: list[Any], max_ops: int | None = None) -> None:
        self.log = log
        self.ops = self.rows_of_ops()
        self.sources: dict[int, Tensor] = {}
        self.leaves: dict[int, Any] = {}
        self.passes: list[Pass] = []
        self.escapes: list[tuple[int, str, Any, int, CodeType, int, int]] = []
        self.turned: list[Any] = []
        self.module_names: dict[int, str] = {}
        self.modules: dict[int, Any] = {}
        self.inside = 0
        self.outer: Any = None
        self.started = perf_counter_ns()
        self.open: list[Pass] = []
        self.over: Pass | None = None
        self.given: dict[int, str] = {}
        self.grads: dict[int, tuple[Any, int]] = {}
        self.grad_of: dict[int, int] = {}
        self.first_held: dict[int, Any] = {}
        self.kept: dict[int, Kept] = {}
        self.steps: dict[int, int] = {}
        self.functions: dict[int, OfFunction] = {}
        self.begun: list[int] = []
        self.through: dict[int, Through] = {}
        self.bases: dict[int, int] = {}
        self.compared: dict[int, Any] = {}
        self.closer: dict[int, Any] = {}
        self.former: dict[int, list[tuple[int, Any]]] = {}
        self.rewritten: dict[int, tuple[Any, int]] = {}
        self.faces: list[tuple[int, Place, Any]] = []
        self.copied: set[int] = set()
        self.modes: list[int] = []
        self.first = next_number()
        self.op = hearing(self, max_ops)  # type: ignore[method-assign]
        self.escape = leaving(self)  # type: ignore[method-assign]

    def rows_of_ops(self) -> Rows:
        """Where the ops are noted."""
        return Rows()

    @property
    def readers(self) -> dict[type, Any]:
        """How operands of other types than tensors are read where they are tested."""
        return {}

    def carrying(self) -> AbstractContextManager[None]:
        """What is to be open while the script runs."""
        return nullcontext()

    def number(self, tensor: Tensor) -> int:
        """The number of a tensor's present value; a tensor from before the run becomes a source."""
        try:
            number = tensor._trace
        except AttributeError:
            return self.source(tensor)
        return number if number < self.first else self.source(tensor)

    def source(self, tensor: Tensor) -> int:
        """A fresh number for a tensor that no op of this run made."""
        tensor._trace = number = next_number()
        self.sources[number] = tensor
        if tensor._array.size <= SMALL:
            self.first_held[number] = tensor._array.copy()
        if self.open:
            self.given[number] = "saved" if is_grad_enabled() else "gradient"  # under `create_graph` ops make gradients
        elif (grad := self.grads.get(id(tensor))) is not None and grad[0]() is tensor:
            self.grad_of[number] = grad[1]
        if tensor._edge.__class__ is AccumulateGrad:
            self.leaves[number] = weakref.ref(tensor)
        return number

    def before_write(self, root: Any, first: bool, silent: bool) -> None:
        """Keeps what was noted, and notes what is written over by what is no op, such as an optimizer's step."""
        if first:
            self.secure()
        if silent:
            self.rewritten[id(root)] = weakref.ref(root), len(self.ops)

    def before_data(self, tensor: Tensor, value: Tensor) -> None:
        """From now on a tensor is what its `.data` is given, if that is other memory: `w.data -= 1` gives its own."""
        arrays = storage(tensor), storage(value)
        places = [place_of(array) for array in arrays]
        if places[0] == places[1]:
            return
        numbers = self.number(tensor), self.number(value)
        owners = [weakref.ref(owner(array)) for array in arrays]
        self.faces += zip(numbers, places, owners, strict=True)
        tensor._trace = numbers[1]

    def secure(self) -> None:
        """Keeps the small arrays that were noted as they are now."""
        self.ops.secure()

    def written_to(self, number: int) -> Tensor | None:
        """The tensor of this number, if it is there still."""
        leaf = self.leaves.get(number)
        return self.sources.get(number, None if leaf is None else leaf())

    @property
    def turns(self) -> Iterator[tuple[int, int, str, Any]]:
        """What happened between ops: how long the log was, how many ops there were, what it was and more."""
        return ((turn[3], turn[6], "escape", None) if len(turn) == 7 else turn for turn in self.turned)

    @property
    def phases(self) -> Iterator[str]:
        """The phase of each op."""
        phase, before = "forward", 0
        for _, count, what, more in self.turns:
            if what == "phase":
                yield from repeat(phase, count - before)
                phase, before = more, count
        yield from repeat(phase, len(self.ops) - before)

    def numbers(self, values: Any) -> list[int]:
        """The numbers of every tensor in nested lists."""
        found: list[int] = []
        for value in values:
            if isinstance(value, Tensor):
                found.append(self.number(value))
            elif value.__class__ is list or value.__class__ is tuple:
                found += self.numbers(value)
        return found

    def note_kept(self, held: Kept) -> None:
        """Notes what the op that is about to be noted holds besides its arguments, and the nodes of its steps."""
        count = len(self.ops)
        if held.size_bytes or held.numbers:
            self.kept[count] = held
        for rank in held.ranks:
            self.steps[rank] = count

    def note_write(self, written: Tensor) -> None:
        """Gives a new number to what a view looks at that the op that is about to be noted wrote into."""
        base = None if written._meta is None else written._meta.base
        if base is None:
            return
        before = self.number(base)
        base._trace = number = next_number()
        array = base._array
        what = array.copy() if array.size <= SMALL else (array.shape, array.dtype)
        self.through[len(self.ops)] = Through(number, before, what)
        if getattr(base._edge, "title", "") == "CopySlices":
            self.steps[base._edge.rank] = len(self.ops)
            self.bases[base._edge.rank] = number

    def failed(self, op: Any, args: Any, kwargs: Any, error: BaseException) -> None:
        frame = users_frame(_getframe(2))
        inputs = self.numbers([*args, *kwargs.values()])
        rest = tuple(v for v in args if not isinstance(v, Tensor) and not self.numbers((v,)))
        moment = perf_counter()
        self.ops.errors[len(self.ops)] = str(error)
        second = tuple(inputs), rest, NOTHING, 0
        self.ops.flat.extend((0, 0, frame.f_lasti, moment, moment, len(self.log), op, second, (), frame.f_code))

    def mode(self, grad: bool) -> None:
        count = len(self.ops.blocks) * BLOCK + len(self.ops.flat) // WIDTH
        self.modes.append(count if grad else ~count)

    def enter_module(self, module: Any) -> None:
        if not self.inside:
            self.outer = module
            if id(module) not in self.modules and len(self.modules) < MOST_MODULES:
                self.modules[id(module)] = module
        self.inside += 1
        name = self.module_names.get(id(module)) or self._name(module)
        ops = self.ops
        self.turned.append((len(self.log), len(ops.blocks) * BLOCK + len(ops.flat) // WIDTH, "enter", name))

    def _name(self, module: Any) -> str:
        """The variable of a module not met before, or its path below the outermost that runs: it may be new there."""
        found = naming.modules(self.outer)
        if module is self.outer:
            frame = users_frame(_getframe(3))
            found |= naming.module_variables({**frame.f_globals, **frame.f_locals})
        self.module_names = found | self.module_names
        return self.module_names.setdefault(id(module), type(module).__name__)

    def exit_module(self, module: Any) -> None:
        self.inside -= 1
        ops = self.ops
        self.turned.append((len(self.log), len(ops.blocks) * BLOCK + len(ops.flat) // WIDTH, "exit", None))

    def begin_function(self, function: Any, args: Any, node: Any) -> None:
        self.begun.append(len(self.ops))

    def end_function(self, node: Any, result: Any) -> None:
        """Notes which op gave what a function of the user's returns: its node stands for none that is heard."""
        first = self.begun.pop()
        if result.__class__ is Tensor and result._edge is not None and hasattr(result, "_trace"):
            saved = tuple(self.numbers(saved_by(node, result)))
            self.functions[node.rank] = OfFunction(first, len(self.ops) - 1, result._trace, node.title, saved)

    # -- what happens backward

    def begin_backward(self, roots: Any, grads: Any) -> Any:
        count = len(self.ops)
        self.turned.append((len(self.log), count, "phase", "backward"))
        frame = users_frame(_getframe(2))
        one = Pass(frame.f_code, frame.f_lasti, count)
        self.open.append(one)
        for root, grad in zip(roots, grads, strict=False):
            if isinstance(root, Tensor):
                one.roots.append(self.number(root))
                if grad.__class__ is ndarray:
                    one.seeds.append(grad)
                    continue
                one.seeds.append(getattr(grad, "_array", grad))
                if isinstance(grad, Tensor):
                    self.given[self.number(grad)] = "seed"
        self.passes.append(one)
        nodes = one.nodes
        return (nodes.flat, nodes.written.write) if type(self).node is Tape.node else None

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        """Notes the node with the gradient it got, if that is small."""
        self.open[-1].nodes.note(node.rank, few(grad), started, ended)

    def _turn_to(self, phase: str) -> None:
        self.turned.append((len(self.log), len(self.ops), "phase", phase))

    def begin_recompute(self) -> None:
        self._turn_to("recompute")

    def end_recompute(self) -> None:
        self._turn_to("backward" if self.open else "forward")

    def end_backward(self, leaves: Any, node: Any) -> None:
        self.over = one = self.open.pop()
        one.ended = perf_counter_ns()
        error, one.raised = _exception(), _exception() is not one.raised
        if one.raised and isinstance(error, Exception) and node is not None:
            one.failed, one.error = getattr(node, "rank", 0), first_line(error)
        one.nodes.pack()
        if not self.open:
            self._turn_to("forward")
            self.ops.pack_again()
        # Those that are gone go: a loop that makes its own leaves would look at all of them at its every pass.
        found = [(number, leaf) for number, each in self.leaves.items() if (leaf := each()) is not None]
        if len(found) != len(self.leaves):
            self.leaves = {number: self.leaves[number] for number, _ in found}
        known = {id(leaf) for _, leaf in found}
        for node in leaves:
            leaf = node.ref()  # None if it is gone
            if leaf is not None and id(leaf) not in known:  # written in place it has no second gradient
                number = self.number(leaf)
                self.leaves[number] = node.ref
                known.add(id(leaf))
                found.append((number, leaf))
        if len(self.passes) > KEPT_BACKWARDS:
            self.passes[-2].leaves = self.passes[-2].leaves if len(self.passes) == KEPT_BACKWARDS + 1 else []
            self.passes[-2].nodes.forget()
        grads = self.grads = {}
        for number, leaf in found:
            edge = leaf._edge
            if edge.__class__ is not AccumulateGrad or (grad := edge.grad) is None:
                one.leaves.append((number, None))
                continue
            one.leaves.append((number, grad._array.copy()))
            if edge.variable is leaf:
                grads[id(grad)] = weakref.ref(grad), number

    def took(self, roots: Any, targets: Any, results: Any) -> None:
        """Notes what `autograd.grad` returned: its results are the gradients of the pass that is just over."""
        one = self.over
        if one is None:
            return
        fresh = [result for result in results if result is not None and getattr(result, "_trace", 0) >= self.first]
        if fresh:
            moment = perf_counter()
            self.op(GRAD, (roots, targets), NOTHING, fresh[0] if len(fresh) == 1 else tuple(fresh), moment, moment)
        one.by = "grad"
        one.leaves = []
        for target, result in zip(targets, results, strict=True):
            if isinstance(target, Tensor):
                number = self.number(target)
                one.leaves.append((number, None if result is None else result._array.copy()))
                if target._edge.__class__ is AccumulateGrad:
                    self.leaves.setdefault(number, weakref.ref(target))
