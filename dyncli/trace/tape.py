"""What is noted while a model runs: one tuple for each op, each backward node and each backward pass.

Everything that can be worked out later is worked out later (`assemble.py`); an op costs about 0.5 us here.
Tensors are told apart by a number in their `_trace` slot, which an in-place op renews.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from time import perf_counter_ns as now
from types import CodeType, FrameType
from typing import Any, NamedTuple

from numpy import ndarray

from dyncli.load.seen import PLAIN
from dyncli.trace import naming
from dyncli.trace.held import Kept, kept
from dyncore.events import Listener
from dyncore.graph import AccumulateGrad
from dyncore.registry import Op
from dyncore.tensor import Tensor
from dyncore.views import shares_memory

SMALL = 16  # elements of a tensor whose values are kept with every op
MOST_MODULES = 100  # modules called from outside any other, whose parameters are named
MOST_NUMBERS = 10_000  # of one `tolist()`, that are known again where they are tested
NOTHING: dict[str, Any] = {}  # the keywords of an op without any
GRAD = Op(lambda roots, targets: targets, {}, name="grad")  # stands for `autograd.grad` where no op made its results
KEPT_BACKWARDS = 100  # backward passes whose gradients are noted; of a longer training also the last

next_number = count().__next__
_getframe = sys._getframe


class Stopped(BaseException):
    """Ends a run at a limit; no `except Exception` of the script holds it up."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Noted(NamedTuple):
    """One op as it was heard.

    outputs: (number, what) of each, where `what` is the small array itself, or the shape and dtype of a larger one, and
    of a tape that looks, a copy of it, or shape, dtype and what was seen.
    rank: of the node it recorded, 0 if none.  at: the length of the decision log then.
    gaps: (place in inputs, how many) of each argument that was a list of tensors, or none, with 0; of those given by
    keyword, which come last, (keyword, how many).
    """

    op: Any
    inputs: list[int]
    outputs: tuple[tuple[int, Any], ...]
    rest: tuple[Any, ...]
    kwargs: dict[str, Any]
    code: CodeType
    lasti: int
    started: int
    ended: int
    at: int
    rank: int
    phase: str
    error: str | None
    gaps: tuple[tuple[int | str, int], ...]


def heard(raw: tuple[Any, ...]) -> Noted:
    """An op of a tape in its parts.

    The tape holds little: of one output the number and what it is; of each argument a tensor's number, None, or
    (keyword or None, the numbers in a list).
    """
    op, given, made, what, *rest = raw
    inputs: list[int] = []
    gaps: tuple[tuple[int | str, int], ...] = ()
    for each in given:
        if each.__class__ is int:
            inputs.append(each)
        else:
            key, found = each or (None, ())
            gaps += ((len(inputs) if key is None else key, len(found)),)
            inputs += found
    return Noted(op, inputs, made if made.__class__ is tuple else ((made, what),), *rest, gaps)  # type: ignore[call-arg]


class Pass:
    """One backward pass: its line, its roots, what its nodes got, and the leaves' gradients after it.

    by: `backward`, or `grad` of one whose results were returned; these are in `leaves` then.
    after: how many ops had run.
    """

    __slots__ = ("code", "lasti", "roots", "seeds", "nodes", "leaves", "started", "ended", "after", "by")

    def __init__(self, code: CodeType, lasti: int, after: int) -> None:
        self.code, self.lasti, self.after = code, lasti, after
        self.roots: list[int] = []
        self.seeds: list[Any] = []
        self.nodes: list[tuple[int, Any, int, int, tuple[Any, ...]]] = []
        self.leaves: list[tuple[int, Any]] = []
        self.started = now()
        self.ended = 0
        self.by = "backward"


class Tape(Listener):
    """The listener of one run.  log: the decision log, whose length is noted with every op.

    look: gives what a tape that looks keeps of a larger result of an op, from it and the op's arguments; of a small one
    it keeps a copy, as it may be written to.
    closer: by number, the statistics of larger tensors that were looked at again, as something bad was made of them.
    """

    look: Callable[[Any, Any], Any] | None = None

    def __init__(self, log: list[Any], max_ops: int | None = None) -> None:
        self.log = log
        self.ops: list[tuple[Any, ...]] = []
        self.sources: dict[int, Tensor] = {}
        self.leaves: dict[int, Any] = {}
        self.passes: list[Pass] = []
        self.escapes: list[tuple[int, str, Any, int, CodeType, int]] = []
        self.turns: list[tuple[int, int, str, Any]] = []
        self.module_names: dict[int, str] = {}
        self.modules: dict[int, Any] = {}
        self.inside = 0
        self.outer: Any = None
        self.phase = "forward"
        self.started = now()
        self.open: list[Pass] = []
        self.over: Pass | None = None
        self.given: dict[int, str] = {}
        self.kept: dict[int, Kept] = {}
        self.steps: dict[int, int] = {}
        self.closer: dict[int, Any] = {}
        self.copied: set[int] = set()
        self.first = next_number()
        # 1.5x on bench tracing: what runs for every op is a closure over locals, not a method.
        self.op = _hearing(self, max_ops)  # type: ignore[method-assign]

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
        return number if number >= self.first else self.source(tensor)

    def source(self, tensor: Tensor) -> int:
        """A fresh number for a tensor that no op of this run made."""
        tensor._trace = number = next_number()
        self.sources[number] = tensor
        if tensor._edge.__class__ is AccumulateGrad:
            self.leaves[number] = weakref.ref(tensor)
        return number

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
        if held.size_bytes or held.numbers:
            self.kept[len(self.ops)] = held
        self.steps.update(dict.fromkeys(held.ranks, len(self.ops)))

    def failed(self, op: Any, args: Any, kwargs: Any, error: BaseException) -> None:
        frame = _users_frame(_getframe(2))
        inputs = self.numbers([*args, *kwargs.values()])
        rest = tuple(v for v in args if not isinstance(v, Tensor))
        moment = now()
        where = (frame.f_code, frame.f_lasti, moment, moment, len(self.log))
        self.ops.append((op, inputs, (), None, rest, NOTHING, *where, 0, self.phase, str(error)))

    def escape(self, tensor: Tensor, how: str, value: Any) -> None:
        frame = _users_frame(_getframe(2))
        kept = value if value.__class__ in PLAIN else _numbers_of(value) if value.__class__ is list else None
        self.escapes.append((self.number(tensor), how, kept, len(self.log), frame.f_code, frame.f_lasti))
        self.turns.append((len(self.log), len(self.ops), "escape", None))

    def enter_module(self, module: Any) -> None:
        if not self.inside:
            self.outer = module
            if id(module) not in self.modules and len(self.modules) < MOST_MODULES:
                self.modules[id(module)] = module
        self.inside += 1
        name = self.module_names.get(id(module)) or self._name(module)
        self.turns.append((len(self.log), len(self.ops), "enter", name))

    def _name(self, module: Any) -> str:
        """The path of a module not met before below the outermost that runs: it may have been added to it just now."""
        self.module_names = naming.modules(self.outer) | self.module_names
        return self.module_names.setdefault(id(module), type(module).__name__)

    def exit_module(self, module: Any) -> None:
        self.inside -= 1
        self.turns.append((len(self.log), len(self.ops), "exit", None))

    # -- what happens backward

    def begin_backward(self, roots: Any, grads: Any) -> None:
        self._turn_to("backward")
        frame = _users_frame(_getframe(2))
        one = Pass(frame.f_code, frame.f_lasti, len(self.ops))
        self.open.append(one)
        for root, grad in zip(roots, grads, strict=False):
            if isinstance(root, Tensor):
                one.roots.append(self.number(root))
                one.seeds.append(getattr(grad, "_array", grad))
                if isinstance(grad, Tensor):
                    self.given.setdefault(self.number(grad), "seed")
        self.passes.append(one)
        if type(self).node is Tape.node:
            self.node = _noting(one)  # type: ignore[method-assign]

    def _turn_to(self, phase: str) -> None:
        self.phase = phase
        self.turns.append((len(self.log), len(self.ops), "phase", phase))

    def node(self, node: Any, grad: Any, started: int, ended: int, result: Any) -> None:
        """Notes the node with the gradient it got, if that is small."""
        _noting(self.open[-1])(node, grad, started, ended, result)

    def end_backward(self, leaves: Any) -> None:
        self.over = one = self.open.pop()
        if not self.open:
            self._turn_to("forward")
        one.ended = now()
        known = {id(reference()) for reference in self.leaves.values()}
        for leaf in leaves:
            if id(leaf.variable) not in known:  # written in place it has a second number, not a second gradient
                self.leaves[self.number(leaf.variable)] = leaf.ref
        if len(self.passes) > KEPT_BACKWARDS:
            self.passes[-2].leaves = self.passes[-2].leaves if len(self.passes) == KEPT_BACKWARDS + 1 else []
            self.passes[-2].nodes = [(rank, None, begun, done, ()) for rank, _, begun, done, _ in self.passes[-2].nodes]
        for number, reference in self.leaves.items():
            leaf = reference()
            if leaf is not None:
                grad = leaf._edge.grad if leaf._edge.__class__ is AccumulateGrad else None
                one.leaves.append((number, None if grad is None else grad._array.copy()))

    def took(self, roots: Any, targets: Any, results: Any) -> None:
        """Notes what `autograd.grad` returned: its results are the gradients of the pass that is just over."""
        one = self.over
        if one is None:
            return
        fresh = [result for result in results if result is not None and getattr(result, "_trace", -1) < self.first]
        if fresh:
            moment = now()
            self.op(GRAD, (roots, targets), NOTHING, fresh[0] if len(fresh) == 1 else tuple(fresh), moment, moment)
        one.by = "grad"
        one.leaves = []
        for target, result in zip(targets, results, strict=True):
            if isinstance(target, Tensor):
                number = self.number(target)
                one.leaves.append((number, None if result is None else result._array.copy()))
                if target._edge.__class__ is AccumulateGrad:
                    self.leaves.setdefault(number, weakref.ref(target))


def _noting(one: Pass) -> Any:
    """What runs after every node of one backward pass; a closure, as what runs after every op."""
    append = one.nodes.append

    def node(node: Any, grad: Any, started: int, ended: int, result: Any) -> None:
        array = grad if grad.__class__ is ndarray else getattr(grad, "_array", grad)
        append((node.rank, array if getattr(array, "size", SMALL + 1) <= SMALL else None, started, ended, ()))

    return node


def _numbers_of(value: list[Any]) -> tuple[Any, ...]:
    """The numbers of a nested list that was just made, so many as are told apart: the list itself is the script's."""
    level: list[Any] = value
    while level and level[0].__class__ is list:
        level = [number for inner in level for number in inner]
    return tuple(level[:MOST_NUMBERS])


def _users_frame(frame: FrameType) -> FrameType:
    """The innermost frame that is the script's."""
    while "__dyncore__" in frame.f_globals and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _hearing(tape: Tape, most: int | None) -> Any:
    """What runs after every op: notes it, and gives its result a number."""
    look = tape.look
    append, length, source = tape.ops.append, tape.log.__len__, tape.source
    first, ops = tape.first, tape.ops
    script: Any = None  # the globals of whoever called last

    def op(op: Any, args: Any, kwargs: Any, result: Any, started: int, ended: int) -> None:
        nonlocal script
        frame: Any = _getframe(2)
        if frame.f_globals is not script:
            frame = _users_frame(frame)
            script = frame.f_globals
        given: list[Any] = []
        rest: tuple[Any, ...] = ()
        for value in args:
            kind = type(value)
            if kind is Tensor or (kind not in PLAIN and isinstance(value, Tensor)):
                try:
                    number = value._trace
                except AttributeError:
                    number = source(value)
                given.append(number if number >= first else source(value))
            elif kind is list or kind is tuple:
                found = tape.numbers(value)
                given.append((None, found))
                if not found:
                    rest += (value,)
            else:
                rest += (value,)
                given.append(None)
        if not kwargs:
            kwargs = NOTHING
        else:
            for key, value in kwargs.items():
                found = tape.numbers((value,))
                if found:
                    given.append((key, found))
            kwargs = {key: value for key, value in kwargs.items() if not isinstance(value, Tensor)}
        if type(result) is Tensor or isinstance(result, Tensor):
            result._trace = made = next_number()
            what = array = result._array
            if array.size > SMALL:
                what = (array.shape, array.dtype) if look is None else look(array, args)
            elif look is not None and array.__class__ is ndarray:
                what = array.copy()
            edge = result._edge
            rank = 0 if edge is None else edge.rank
            if op.plain:  # one question for three: 0.1 us an op of bench tracing
                pass
            elif op.view:
                if args and not shares_memory(array, getattr(args[0], "_array", None)):
                    tape.copied.add(len(ops))
            elif rank:
                tape.note_kept(kept(op, args, result))
        else:
            what = None
            made, rank = _several(result, look, args)
            if rank and not op.plain and (op.kept_names or op.composite):
                tape.note_kept(kept(op, args, result))
        append((
            op, tuple(given), made, what, rest, kwargs, frame.f_code, frame.f_lasti, started, ended, length(), rank,
            tape.phase, None,
        ))  # fmt: skip
        if most is not None and len(ops) >= most:
            raise Stopped("limit", f"stopped after {most} ops")

    return op


def _several(result: Any, look: Any, args: Any) -> tuple[Any, int]:
    """The outputs of an op with more than one, or none."""
    outputs = []
    rank = 0
    for each in result if isinstance(result, (tuple, list)) else ():
        if isinstance(each, Tensor):
            each._trace = number = next_number()
            what = array = each._array
            if array.size > SMALL:
                what = (array.shape, array.dtype) if look is None else look(array, args)
            elif look is not None and array.__class__ is ndarray:
                what = array.copy()
            outputs.append((number, what))
            if each._edge is not None:
                rank = each._edge.node.rank
    return tuple(outputs), rank
