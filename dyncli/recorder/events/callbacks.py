"""The callbacks that the engine calls after every op: closures over locals, as methods would cost half as much again.

The benchmark is `tracing`, chain.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from time import perf_counter as now
from types import FrameType
from typing import Any

from numpy import dtype, ndarray

from dyncli.instrument.runtime.condition_probes import PLAIN
from dyncli.recorder.engine import SMALL, Tensor, is_engine, nondefault_modes, shares_memory
from dyncli.recorder.events.collectors import Collector, Retention, hooks
from dyncli.recorder.events.picks import MAY_PICK
from dyncli.recorder.events.recorded_events import RecordedEvents, TensorIds, next_number
from dyncli.recorder.events.rows import BLOCK, FLOAT32, NOTHING, WIDTH
from dyncli.recorder.settings import Stopped

MOST_NUMBERS = 10_000  # of one `tolist()`, that are known again where they are tested

_getframe = sys._getframe
BOOL = dtype(bool)


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
        given, rest, kwargs = read_arguments(args, kwargs)
        if type(result) is Tensor or isinstance(result, Tensor):
            made, what, elements, rank = read_result(result, op, args, kwargs)
            if compare is not None and len(args) == 2 and result._array.dtype is BOOL:
                compare(result._array, *args)
        else:
            made, elements = 0, None
            what, rank = read_several(result, op, args)
        if op.name in MAY_PICK:
            add_pick(op, args, kwargs, result)
        second = given, rest, kwargs, rank
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
        ended = now() if is_timed else 0
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
