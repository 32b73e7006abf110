"""What is noted while a model runs: one tuple for each op, each backward node and each backward pass.

Everything that can be worked out later is worked out later (`assemble.py`); an op costs about 0.5 us here.
Tensors are told apart by a number in their `_trace` slot, which an in-place op renews.
"""

from __future__ import annotations

import sys
import weakref
from itertools import count
from time import perf_counter_ns as now
from types import CodeType, FrameType
from typing import Any, NamedTuple

from numpy import ndarray

from dyncli.load.seen import PLAIN
from dyncore.events import Listener
from dyncore.graph import AccumulateGrad
from dyncore.tensor import Tensor

SMALL = 16  # elements of a tensor whose values are kept with every op
MOST_MODULES = 100  # modules called from outside any other, whose parameters are named
MOST_NUMBERS = 10_000  # of one `tolist()`, that are known again where they are tested
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

    outputs: (number, what) of each, where `what` is the small array itself, or the shape and dtype of a larger one.
    rank: of the node it recorded, 0 if none.  at: the length of the decision log then.
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
    error: str | None = None


class Pass:
    """One backward pass: its line, its roots, what its nodes got, and the leaves' gradients after it."""

    __slots__ = ("code", "lasti", "roots", "seeds", "nodes", "leaves", "started", "ended", "at")

    def __init__(self, code: CodeType, lasti: int, at: int) -> None:
        self.code, self.lasti, self.at = code, lasti, at
        self.roots: list[int] = []
        self.seeds: list[Any] = []
        self.nodes: list[tuple[int, Any, int, int]] = []
        self.leaves: list[tuple[int, Any]] = []
        self.started = now()
        self.ended = 0


class Tape(Listener):
    """The listener of one run.  log: the decision log, whose length is noted with every op."""

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
        self.phase = "forward"
        self.deepest = 0
        self.first = next_number()
        # 1.5x on bench tracing: what runs for every op is a closure over locals, not a method.
        self.op = _hearing(self, sys.maxsize if max_ops is None else max_ops)  # type: ignore[method-assign]

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

    def failed(self, op: Any, args: Any, kwargs: Any, error: BaseException) -> None:
        frame = _users_frame(_getframe(2))
        inputs = self.numbers([*args, *kwargs.values()])
        rest = tuple(v for v in args if not isinstance(v, Tensor))
        moment = now()
        where = (frame.f_code, frame.f_lasti, moment, moment, len(self.log))
        self.ops.append((op, inputs, (), rest, {}, *where, 0, self.phase, str(error)))

    def escape(self, tensor: Tensor, how: str, value: Any) -> None:
        frame = _users_frame(_getframe(2))
        kept = value if value.__class__ in PLAIN else _numbers_of(value) if value.__class__ is list else None
        self.escapes.append((self.number(tensor), how, kept, len(self.log), frame.f_code, frame.f_lasti))
        self.turns.append((len(self.log), len(self.ops), "escape", None))

    def enter_module(self, module: Any) -> None:
        if not self.inside and len(self.modules) < MOST_MODULES:
            self.modules[id(module)] = module
        self.inside += 1
        self.turns.append(
            (len(self.log), len(self.ops), "enter", self.module_names.get(id(module)) or type(module).__name__)
        )

    def exit_module(self, module: Any) -> None:
        self.inside -= 1
        self.turns.append((len(self.log), len(self.ops), "exit", None))

    # -- what happens backward

    def begin_backward(self, roots: Any, grads: Any) -> None:
        self.deepest += 1
        self._turn_to("backward")
        frame = _users_frame(_getframe(2))
        one = Pass(frame.f_code, frame.f_lasti, len(self.log))
        for root, grad in zip(roots, grads, strict=False):
            if isinstance(root, Tensor):
                one.roots.append(self.number(root))
                one.seeds.append(getattr(grad, "_array", grad))
        self.passes.append(one)

    def _turn_to(self, phase: str) -> None:
        self.phase = phase
        self.turns.append((len(self.log), len(self.ops), "phase", phase))

    def node(self, node: Any, grad: Any, started: int, ended: int) -> None:
        array = grad if grad.__class__ is ndarray else getattr(grad, "_array", grad)
        kept = array if getattr(array, "size", SMALL + 1) <= SMALL else None
        self.passes[-1].nodes.append((node.rank, kept, started, ended))

    def end_backward(self, leaves: Any) -> None:
        self.deepest -= 1
        if not self.deepest:
            self._turn_to("forward")
        one = self.passes[-1]
        one.ended = now()
        for leaf in leaves:
            number = self.number(leaf.variable)
            if number not in self.leaves:
                self.leaves[number] = leaf.ref
        if len(self.passes) > KEPT_BACKWARDS:
            self.passes[-2].leaves = self.passes[-2].leaves if len(self.passes) == KEPT_BACKWARDS + 1 else []
            self.passes[-2].nodes = []
        for number, reference in self.leaves.items():
            leaf = reference()
            if leaf is not None:
                grad = leaf._edge.grad if leaf._edge.__class__ is AccumulateGrad else None
                one.leaves.append((number, None if grad is None else grad._array.copy()))


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


def _hearing(tape: Tape, most: int) -> Any:
    """What runs after every op: notes it, and gives its result a number."""
    append, length, source = tape.ops.append, tape.log.__len__, tape.source
    first, ops = tape.first, tape.ops

    def op(op: Any, args: Any, kwargs: Any, result: Any, started: int, ended: int) -> None:
        frame = _getframe(2)
        while "__dyncore__" in frame.f_globals and frame.f_back is not None:
            frame = frame.f_back
        inputs: list[int] = []
        rest: tuple[Any, ...] = ()
        for value in args:
            if value.__class__ is Tensor or isinstance(value, Tensor):
                try:
                    number = value._trace
                    inputs.append(number if number >= first else source(value))
                except AttributeError:
                    inputs.append(source(value))
            elif value.__class__ is list or value.__class__ is tuple:
                found = tape.numbers(value)
                inputs += found
                if not found:
                    rest += (value,)
            else:
                rest += (value,)
        if kwargs:
            inputs += tape.numbers(list(kwargs.values()))
            kwargs = {key: value for key, value in kwargs.items() if not isinstance(value, Tensor)}
        rank = 0
        if result.__class__ is Tensor or isinstance(result, Tensor):
            result._trace = number = next_number()
            array = result._array
            if result._edge is not None:
                rank = result._edge.rank
            outputs: Any = ((number, array if array.size <= SMALL else (array.shape, array.dtype)),)
        else:
            outputs, rank = _several(result)
        append(
            (op, inputs, outputs, rest, kwargs, frame.f_code, frame.f_lasti, started, ended, length(), rank, tape.phase)
        )
        if len(ops) >= most:
            raise Stopped("limit", f"stopped after {most} ops")

    return op


def _several(result: Any) -> tuple[Any, int]:
    """The outputs of an op with more than one, or none."""
    outputs = []
    rank = 0
    for each in result if isinstance(result, (tuple, list)) else ():
        if isinstance(each, Tensor):
            each._trace = number = next_number()
            array = each._array
            outputs.append((number, array if array.size <= SMALL else (array.shape, array.dtype)))
            if each._edge is not None:
                rank = each._edge.node.rank
    return tuple(outputs), rank
