"""The event log of one run: a row for each op and each backward node, and what happened between them.

Everything that can be worked out later is worked out later (`assemble.py`).
How much is kept of values, gradients and times is up to the collectors that are switched on.
What the engine calls after every op are closures over locals, as methods would cost half as much again (the benchmark
`tracing`, chain).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import repeat
from time import perf_counter, perf_counter_ns
from types import FrameType
from typing import Any

from numpy import dtype, ndarray

from dyncli.instrument.runtime.condition_probes import PLAIN
from dyncli.recorder.engine import (
    QUIET,
    SMALL,
    Listener,
    Op,
    Tensor,
    autograd,
    is_engine,
    nondefault_modes,
    shares_memory,
)
from dyncli.recorder.events.collectors import Collector, Retention, hooks
from dyncli.recorder.events.picks import MAY_PICK
from dyncli.recorder.events.recorded_events import (
    FunctionCall,
    RecordedEvents,
    TensorIds,
    next_number,
    reach_a_leaf,
    saved_by,
)
from dyncli.recorder.events.rows import BLOCK, FLOAT32, NOTHING, WIDTH
from dyncli.recorder.settings import Stopped, enough_steps

GRAD = Op(lambda roots, targets: targets, {}, name="grad")  # stands for `autograd.grad` where no op made its results
MOST_NUMBERS = 10_000  # of one `tolist()`, that are known again where they are tested
BOOL = dtype(bool)

_getframe = sys._getframe


def _in_backward() -> bool:
    """Return whether the engine was asked by `backward()`, not by `autograd.grad`."""
    frame: Any = _getframe(2)
    while frame is not None and is_engine(frame.f_globals):
        if frame.f_code is autograd.grad.__code__:
            return False
        frame = frame.f_back
    return True


class EventLog(RecordedEvents, Listener):
    """The listener of one run.

    collectors: what is switched on.  retention: what is kept of results and gradients, as the collectors want it.
    """

    def __init__(
        self,
        decisions: list[Any],
        collectors: Sequence[Collector],
        max_ops: int | None = None,
        steps: int | None = None,
    ) -> None:
        self.steps_left = steps
        self.most_steps = steps
        self.collectors = tuple(collectors)
        self.retention = Retention()
        for collector in self.collectors:
            self.retention = collector.refine(self.retention)
        self.clock = perf_counter if self.retention.needs_clock else None
        super().__init__(decisions, self.retention.rows(), hooks(self.collectors, "source"))
        self.ops.is_timed = self.retention.keeps_times
        self.started = perf_counter_ns()
        for collector in self.collectors:
            collector.attach(self)
        self._node, self._flush, self._end_backward = (
            hooks(self.collectors, name) for name in ("node", "flush", "end_backward")
        )
        self._secure, self._overwrite = (hooks(self.collectors, name) for name in ("secure", "overwrite"))
        self.op = op_callback(self, self.retention, self.collectors, self.compare, max_ops)  # type: ignore[method-assign]
        self.escape = escape_callback(self, self.secure)  # type: ignore[method-assign]

    def has(self, kind: type[Collector]) -> bool:
        """Return whether a collector of this kind is switched on."""
        return any(isinstance(each, kind) for each in self.collectors)

    @property
    def readers(self) -> Mapping[type, Any]:
        """Return how operands of other types than tensors are read where they are tested."""
        return {kind: reader for each in self.collectors for kind, reader in each.readers.items()}

    def active(self) -> ExitStack:
        """Return the context of all collectors in which the script runs."""
        stack = ExitStack()
        for collector in self.collectors:
            stack.enter_context(collector.active())
        return stack

    # -- ops and what happens between them

    def compare(self, result: Any, *operands: Any) -> None:
        """Keep what was compared: a test of several elements raises, and its error shows what they are."""
        if 1 < result.size <= SMALL:
            tensors = [each for each in operands if isinstance(each, Tensor)]
            self.compared = {self.tensors.number(each): each._array.copy() for each in tensors}

    def failed(self, op: Any, args: Any, kwargs: Any, error: BaseException) -> None:
        frame = user_frame(_getframe(2))
        numbers = self.tensors.numbers
        inputs = numbers([*args, *kwargs.values()])
        rest = tuple(v for v in args if not isinstance(v, Tensor) and not numbers((v,)))
        moment = perf_counter()
        self.ops.errors[len(self.ops)] = str(error)
        second = tuple(inputs), rest, NOTHING, 0
        self.ops.flat.extend((0, 0, frame.f_lasti, moment, moment, len(self.decisions), op, second, (), frame.f_code))

    def mode(self, grad: bool) -> None:
        if self.backward.open or self.functions.begun:
            return  # there the engine turns recording off and on by itself, without a call of this
        count = len(self.ops)
        self.grad_modes.append(count if grad else ~count)

    def before_write(self, root: Any, first: bool, silent: bool) -> None:
        """Keep what is stored of small arrays, and what is overwritten without any op."""
        if first:
            self.secure()
        if silent:
            for callback in self._overwrite:
                callback(root)
            if not self._overwrite:
                self.writes.add_silent(root, len(self.ops))

    def data(self, tensor: Tensor, made: Tensor) -> None:
        self.tensors.look(tensor, made)

    def before_data(self, tensor: Tensor, value: Tensor) -> None:
        self.tensors.reassign(tensor, value)

    def secure(self) -> None:
        """Keep the small arrays that are stored as they are now."""
        self.ops.secure()
        for callback in self._secure:
            callback()

    def enter_module(self, module: Any) -> None:
        modules = self.modules
        modules.enter(module)
        name = modules.names.get(id(module)) or modules.name(module, user_frame(_getframe(2)))
        self.between_ops.append((len(self.decisions), len(self.ops), "enter", name))

    def exit_module(self, module: Any) -> None:
        self.modules.exit()
        self.between_ops.append((len(self.decisions), len(self.ops), "exit", None))

    def begin_function(self, function: Any, args: Any, node: Any) -> None:
        self.functions.begun.append(len(self.ops))

    def end_function(self, node: Any, result: Any) -> None:
        """Note which op returned what a user's autograd function returns: its node is no recorded op's."""
        first = self.functions.begun.pop()
        if result.__class__ is Tensor and result._edge is not None and hasattr(result, "_trace"):
            saved = tuple(self.tensors.numbers(saved_by(node, result)))
            call = FunctionCall(first, len(self.ops) - 1, result._trace, node.title, saved)
            self.functions.by_rank[node.rank] = call

    @property
    def transitions(self) -> Iterator[tuple[int, int, str, Any]]:
        """Return what happened between ops: length of the decision log, number of ops, kind, and more."""
        return ((turn[3], turn[6], "escape", None) if len(turn) == 7 else turn for turn in self.between_ops)

    @property
    def phases(self) -> Iterator[str]:
        """The phase of each op."""
        phase, before = "forward", 0
        for _, count, kind, more in self.transitions:
            if kind == "phase":
                yield from repeat(phase, count - before)
                phase, before = more, count
        yield from repeat(phase, len(self.ops) - before)

    # -- backward

    def _change_phase(self, phase: str) -> None:
        self.between_ops.append((len(self.decisions), len(self.ops), "phase", phase))

    def begin_backward(self, roots: Any, grads: Any) -> Any:
        """Begin a pass, and return how its nodes are reported."""
        self._change_phase("backward")
        one = self.backward.begin(roots, grads, user_frame(_getframe(2)), len(self.ops), self.tensors)
        nodes, retention = one.nodes, self.retention
        if retention.skips_nodes and reach_a_leaf(roots):
            return QUIET
        if not retention.is_direct:
            return None
        self.edge_gradients = nodes.handed if self._node else None
        return nodes.flat, nodes.written.write

    def flush(self) -> int:
        """Look at the gradients that were put off; return how long the table of nodes is."""
        for callback in self._flush:
            callback()
        return len(self.backward.open[-1].nodes.flat)

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        """Record a node with what is kept of the gradient it got."""
        nodes = self.backward.open[-1].nodes
        nodes.note(node.rank, self.retention.gradient(grad), started, ended)
        for callback in self._node:
            callback(nodes, node, grad, result)

    def begin_recompute(self) -> None:
        self._change_phase("recompute")

    def end_recompute(self) -> None:
        self.between_ops.append((len(self.decisions), len(self.ops), "recomputed", None))
        self._change_phase("backward" if self.backward.open else "forward")

    def before_accumulate(self, leaf: Any, grad: Any) -> None:
        if self.backward.open:
            self.backward.open[-1].add_own(leaf, grad)

    def end_backward(self, leaves: Any, node: Any) -> None:
        """End a pass, and keep the gradients that it left in the leaves."""
        for callback in self._end_backward:
            callback()
        one = self.backward.end(node)
        one.nodes.pack()
        if not self.backward.open:
            self._change_phase("forward")
            self.ops.pack_again()
        self.backward.keep_leaf_gradients(one, leaves, self.tensors)
        self.modules.keep_paths([each.number for each in one.leaves], self.tensors, user_frame(_getframe(1)))
        if self.steps_left is not None and self.most_steps is not None and not self.backward.open and _in_backward():
            self.steps_left -= 1
            if not self.steps_left:
                raise enough_steps(self.most_steps)

    def took(self, roots: Any, targets: Any, results: Any) -> None:
        """Record what `autograd.grad` returns: its results are the gradients of the pass that ended last."""
        if self.backward.last is None:
            return
        first = self.tensors.first
        fresh = [result for result in results if result is not None and getattr(result, "_trace", 0) >= first]
        if fresh:
            moment = perf_counter()
            self.op(GRAD, (roots, targets), NOTHING, fresh[0] if len(fresh) == 1 else tuple(fresh), moment, moment)
        self.backward.took(targets, results, self.tensors)


def user_frame(frame: FrameType) -> FrameType:
    """Return the innermost frame that is the script's."""
    while is_engine(frame.f_globals) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def op_callback(
    log: RecordedEvents,
    retention: Retention,
    collectors: Sequence[Collector],
    compare: Callable[..., None],
    max_ops: int | None,
) -> Callable[..., None]:
    """Build what runs after every op.

    Its `quick` is the same for an op of one or two operands with nothing but its result to look at.  There is none
    where collectors want to be called, or where ops are counted.
    compare: called with the result and the operands of a comparison, if no values are kept.
    """
    compare_unkept = None if retention.keeps_values else compare
    record = _record_any(log, retention, hooks(collectors, "graph"), compare_unkept, max_ops)
    before, after = hooks(collectors, "before_op"), hooks(collectors, "after_op")
    if not before and not after:
        if max_ops is None:
            record.quick = _record_quick(log, retention, compare_unkept, record)  # type: ignore[attr-defined]
        return record

    def observed(op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        for callback in before:
            callback(op, args, kwargs, result)
        record(op, args, kwargs, result, started, ended)
        for callback in after:
            callback(op, args, kwargs, result)

    return observed


def _record_any(
    log: RecordedEvents,
    retention: Retention,
    graph: list[Any],
    compare: Callable[..., None] | None,
    max_ops: int | None,
) -> Callable[..., None]:
    """Build what records an op of any kind."""
    ops, flat, decisions = log.ops, log.ops.flat, log.decisions
    write, pack = ops.written.write, ops.pack
    read_arguments, read_result = _arguments_reader(log.tensors), _result_reader(log, retention, graph)
    read_several = _results_reader(retention, graph)
    add_pick = log.add_pick
    script: Any = None  # the globals of whoever called last

    def record(op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        nonlocal script, flat
        frame: Any = _getframe(2)
        if frame.f_globals is not script:
            frame = user_frame(frame)
            script = frame.f_globals
        given, rest, named = read_arguments(args, kwargs)
        if type(result) is Tensor or isinstance(result, Tensor):
            made, what, elements, rank = read_result(result, op, args, kwargs)
            if compare is not None and len(args) == 2 and result._array.dtype is BOOL:
                compare(result._array, *args)
        else:
            made, elements = 0, None
            what, rank = read_several(result, op, args)
        if op.name in MAY_PICK:
            add_pick(op, args, kwargs, result)
        second = given, rest, named, rank
        flat += (0, made, frame.f_lasti, started, ended, len(decisions), op, second, what, frame.f_code)
        if elements is not None:  # nothing is called in between, so no other thread runs then
            write(elements)
        if max_ops is not None and len(ops) >= max_ops:
            raise Stopped("limit", f"stopped after {max_ops} ops")
        if len(flat) >= ops.full:
            pack()

    return record


def _arguments_reader(tensors: TensorIds) -> Callable[[Any, Any], tuple[Any, Any, Any]]:
    """Build what returns, of an op's arguments, the tensors' numbers, the others, and the keywords."""
    source, numbers, first = tensors.source, tensors.numbers, tensors.first

    def read(args: Any, kwargs: Any) -> tuple[Any, Any, Any]:
        given: list[Any] = []
        rest: tuple[Any, ...] = ()
        for value in args:
            kind = type(value)
            if kind is Tensor or (kind not in PLAIN and isinstance(value, Tensor)):
                try:
                    number = value._trace
                    if number >= first:
                        number = source(value)
                except AttributeError:
                    number = source(value)
                given.append(number)
            elif kind is list or kind is tuple:
                found = numbers(value)
                given.append((None, found))
                if not found:
                    rest += (value,)
            else:
                rest += (value,)
                given.append(None)
        if not kwargs:
            return tuple(given), rest, NOTHING
        for key, value in kwargs.items():
            found = numbers((value,))
            if found:
                given.append((key, found))
        return tuple(given), rest, {key: value for key, value in kwargs.items() if not isinstance(value, Tensor)}

    return read


def _result_reader(
    log: RecordedEvents, retention: Retention, graph: list[Any]
) -> Callable[..., tuple[int, Any, Any, int]]:
    """Build what returns, of an op's result, its new number, what is stored of it, its elements, and its rank."""
    summarize = retention.summarize
    most = min(SMALL, retention.result_elements) if summarize is None else SMALL
    ops, tensors, writes, steps = log.ops, log.tensors, log.writes, log.steps

    def read(result: Any, op: Any, args: Any, kwargs: Any) -> tuple[int, Any, Any, int]:
        result._trace = made = next_number()
        if "_inplace" in kwargs:
            writes.add_through_view(result, len(ops), tensors, steps)
        what = array = result._array
        elements = None
        if array.size > most:
            what = (array.shape, array.dtype) if summarize is None else summarize(array, args)
        elif array.ndim == 1 and array.dtype is FLOAT32:
            what, elements = array.size, array.tobytes()
        elif array.__class__ is ndarray and (
            summarize is not None or not op.plain or "_inplace" in kwargs or op.name == "detach"
        ):
            what = array.copy()  # others may hold its memory
        edge = result._edge
        rank = 0 if edge is None else edge.rank
        if op.plain and not nondefault_modes:
            pass
        elif op.view:
            if args and not shares_memory(array, getattr(args[0], "_array", None)):
                writes.copied_views.add(len(ops))
        elif rank:
            for callback in graph:
                callback(op, args, result)
        return made, what, elements, rank

    return read


def _results_reader(retention: Retention, graph: list[Any]) -> Callable[[Any, Any, Any], tuple[Any, int]]:
    """Build what returns the results of an op that has several or none, and their node's rank."""
    summarize = retention.summarize
    most = min(SMALL, retention.result_elements) if summarize is None else SMALL

    def stored(array: Any, op: Any, args: Any) -> Any:
        if array.size > most:
            return (array.shape, array.dtype) if summarize is None else summarize(array, args)
        if array.ndim == 1 and array.dtype is FLOAT32:
            return array.tobytes()
        if array.__class__ is ndarray and (summarize is not None or not op.plain):
            return array.copy()
        return array

    def read(result: Any, op: Any, args: Any) -> tuple[Any, int]:
        outputs = []
        rank = 0
        for each in result if isinstance(result, (tuple, list)) else ():
            if isinstance(each, Tensor):
                each._trace = number = next_number()
                outputs.append((number, stored(each._array, op, args)))
                if each._edge is not None:
                    rank = each._edge.node.rank
        if rank and (nondefault_modes or (not op.plain and (op.kept_names or op.composite))):
            for callback in graph:
                callback(op, args, result)
        return tuple(outputs), rank

    return read


def _forms(retention: Retention) -> tuple[int, Any, Callable[..., Any], Any]:
    """Return how a result is stored: its most elements, what larger ones are, what smaller ones are.

    Of a larger result of the first dtype the shape is stored, of others what the function returns; a smaller vector of
    the second dtype is stored as a string of bytes.
    """
    most, summarize = retention.result_elements, retention.summarize
    bare, shaped = (FLOAT32, _shaped) if summarize is None else (None, summarize)
    return most, bare, shaped, FLOAT32 if most > 0 else None


def _record_quick(
    log: RecordedEvents, retention: Retention, compare: Callable[..., None] | None, slow: Callable[..., None]
) -> Callable[..., None]:
    """Build what records an op of one or two operands; its `parts` let the engine do the same by itself."""
    is_timed, (most, bare, shaped, strings) = retention.needs_clock, _forms(retention)
    ops, flat, pack, decisions = log.ops, log.ops.flat, log.ops.pack, log.decisions
    write, source, first, add_pick = ops.written.write, log.tensors.source, log.tensors.first, log.add_pick
    script: Any = None  # the globals of whoever called last

    def quick(op: Any, input: Any, other: Any, result: Any, started: float) -> None:
        nonlocal script, flat
        ended = perf_counter() if is_timed else 0
        try:
            number = input._trace
            if number >= first:
                number = source(input)
        except AttributeError:
            number = source(input)
        given, kind = other, type(other)
        if kind is Tensor or isinstance(other, Tensor):
            try:
                other = given._trace
                if other >= first:
                    other = source(given)
            except AttributeError:
                other = source(given)
        elif kind is int or kind is bool:
            other = (other,)  # an integer alone would be the number of a tensor
        elif kind is not float and other is not None:
            slow(op, (input, other), NOTHING, result, started, ended)
            return
        what, elements = result._array, None
        if what.size > most:
            what = what.shape if what.dtype is bare else shaped(what, (input, given))
        elif what.ndim == 1 and what.dtype is strings:
            what, elements = what.size, what.tobytes()
        node = result._edge
        if node is not None:
            result._trace = made = node.rank
            flat += (number, made, node.lasti, started, ended, len(decisions), op, other, what, node.code)
        else:
            result._trace = made = next_number()
            if compare is not None and result._array.dtype is BOOL:
                compare(result._array, input, given)
            if op.name in MAY_PICK:
                add_pick(op, (input,) if given is None else (input, given), NOTHING, result)
            frame: Any = _getframe(2)
            if frame.f_globals is not script:
                frame = user_frame(frame)
                script = frame.f_globals
            flat += (number, made, ~frame.f_lasti, started, ended, len(decisions), op, other, what, frame.f_code)
        if elements is not None:
            write(elements)
        if len(flat) >= ops.full:
            pack()

    due = first - ops.full // WIDTH + 1
    quick.parts = flat, write, decisions, source, pack, first, due, most, bare, shaped, strings  # type: ignore[attr-defined]
    return quick


def escape_callback(log: RecordedEvents, secure: Callable[[], None]) -> Callable[..., None]:
    """Build the callback for a value that leaves for Python: `.item()`, `.tolist()`, `.numpy()`."""
    blocks, flat, decisions = log.ops.blocks, log.ops.flat, log.decisions
    source, first = log.tensors.source, log.tensors.first
    escapes, between_ops = log.escapes, log.between_ops
    last: Any = None  # the user's code that was the last to ask

    def escape(tensor: Tensor, how: str, value: Any) -> None:
        nonlocal last
        if how == "numpy":
            secure()  # an array that left may be written without any op
        frame: Any = _getframe(2)
        code = frame.f_code
        if code is not last:
            asking, frame = frame, user_frame(frame)
            if how == "shape" and not _is_handed(asking, frame):
                return
            code = last = frame.f_code
        try:
            number = tensor._trace
            if number >= first:
                number = source(tensor)
        except AttributeError:
            number = source(tensor)
        kind = value.__class__
        kept = value if kind in PLAIN else _numbers_of(value) if kind is list else None
        count = len(blocks) * BLOCK + len(flat) // WIDTH
        event = number, how, kept, len(decisions), code, frame.f_lasti, count
        escapes.append(event)  # one tuple for both lists
        between_ops.append(event)

    return escape


def _is_handed(asking: FrameType, user: FrameType) -> bool:
    """Return whether a shape goes to the script, by a method of tensors, and not to what works with it."""
    frame: FrameType | None = asking
    while frame is not None and frame is not user and frame.f_globals is asking.f_globals:
        frame = frame.f_back
    return frame is user


def _numbers_of(value: list[Any]) -> tuple[Any, ...]:
    """Return the first numbers of a nested list that was just made: the list itself is the script's."""
    level: list[Any] = value
    while level and level[0].__class__ is list:
        level = [number for inner in level for number in inner]
    return tuple(level[:MOST_NUMBERS])


def _shaped(array: Any, args: Any) -> Any:
    """Return shape and dtype."""
    return array.shape, array.dtype
