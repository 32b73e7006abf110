"""What runs after every op and every backward node of a run that is noted: closures over locals, no methods.

Bench tracing, chain of 2,000: 1.5x of what methods cost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter as now
from types import FrameType
from typing import TYPE_CHECKING, Any

from numpy import dtype, ndarray

from dyncli.load.seen import PLAIN
from dyncli.trace.held import kept
from dyncli.trace.limits import Stopped
from dyncli.trace.rows import BLOCK, NOTHING, WIDTH
from dyncli.trace.written import FLOAT32
from dyncore.events import SMALL
from dyncore.graph import next_rank
from dyncore.tensor import Tensor
from dyncore.views import shares_memory

if TYPE_CHECKING:
    from dyncli.trace.tape import Tape

MOST_NUMBERS = 10_000  # of one `tolist()`, that are known again where they are tested

_getframe = sys._getframe
BOOL = dtype(bool)
next_number = next_rank  # so that the rank of a node can be the number of what it made


def users_frame(frame: FrameType) -> FrameType:
    """The innermost frame that is the script's."""
    while "__dyncore__" in frame.f_globals and frame.f_back is not None:
        frame = frame.f_back
    return frame


def hearing(tape: Tape, most: int | None) -> Callable[..., None]:
    """What runs after every op: notes it, and gives its result a number.

    Its `quick` is the same for an op of one or two operands with nothing but its result to look at.
    """
    look = tape.look
    ops, flat, log, source = tape.ops, tape.ops.flat, tape.log, tape.source
    write, pack, first = ops.written.write, ops.pack, tape.first
    kept_for_now = tape.kept_for_now
    bare, shaped = (FLOAT32, _shaped) if look is None else (None, look)
    strings = FLOAT32 if kept_for_now > 0 else None
    few = min(SMALL, kept_for_now) if look is None else SMALL
    compare = getattr(tape, "compare", None)
    script: Any = None  # the globals of whoever called last

    def op(op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        nonlocal script, flat
        frame: Any = _getframe(2)
        if frame.f_globals is not script:
            frame = users_frame(frame)
            script = frame.f_globals
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
            if "_inplace" in kwargs:
                tape.note_write(result)
            what = array = result._array
            elements = None
            if array.size > few:
                what = (array.shape, array.dtype) if look is None else look(array, args)
            elif array.ndim == 1 and array.dtype is FLOAT32:
                what, elements = array.size, array.tobytes()
            elif array.__class__ is ndarray and (
                look is not None or not op.plain or "_inplace" in kwargs or op.name == "detach"
            ):
                what = array.copy()  # others may hold its memory
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
            made, elements = 0, None
            what, rank = _several(result, op, args, look, few)
            if rank and not op.plain and (op.kept_names or op.composite):
                tape.note_kept(kept(op, args, result))
        second = tuple(given), rest, kwargs, rank
        flat += (0, made, frame.f_lasti, started, ended, len(log), op, second, what, frame.f_code)
        if elements is not None:  # nothing is called in between, so no other thread runs then
            write(elements)
        if most is not None and len(ops) >= most:
            raise Stopped("limit", f"stopped after {most} ops")
        if len(flat) >= ops.full:
            pack()

    slow = op

    def quick(op: Any, input: Any, other: Any, result: Any, started: float) -> None:
        nonlocal script, flat
        ended = now() if compare is None else 0
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
        what = result._array
        elements = None
        if what.size > kept_for_now:
            what = what.shape if what.dtype is bare else shaped(what, (input, given))
        elif what.ndim == 1 and what.dtype is strings:
            what, elements = what.size, what.tobytes()
        node = result._edge
        if node is not None:
            result._trace = made = node.rank
            flat += (number, made, node.lasti, started, ended, len(log), op, other, what, node.code)
        else:
            result._trace = made = next_number()
            if compare is not None and result._array.dtype is BOOL:
                compare(result._array, input, given)
            frame: Any = _getframe(2)
            if frame.f_globals is not script:
                frame = users_frame(frame)
                script = frame.f_globals
            flat += (number, made, ~frame.f_lasti, started, ended, len(log), op, other, what, frame.f_code)
        if elements is not None:
            write(elements)
        if len(flat) >= ops.full:
            pack()

    if most is None:
        op.quick = quick  # type: ignore[attr-defined]
        due = first - ops.full // WIDTH + 1
        quick.parts = flat, write, log, source, pack, first, due, kept_for_now, bare, shaped, strings  # type: ignore[attr-defined]
    return op


def leaving(tape: Tape) -> Callable[..., None]:
    """What runs where a value leaves for Python; one tuple for both lists: 0.1 us (bench tracing, items)."""
    blocks, flat, log, source, first = tape.ops.blocks, tape.ops.flat, tape.log, tape.source, tape.first
    escapes, turned, secure = tape.escapes, tape.turned, tape.secure
    theirs: Any = None  # the code that asked last, the user's

    def escape(tensor: Tensor, how: str, value: Any) -> None:
        nonlocal theirs
        if how == "numpy":
            secure()  # an array that left may be written unheard
        frame: Any = _getframe(2)
        code = frame.f_code
        if code is not theirs:
            frame = users_frame(frame)
            code = theirs = frame.f_code
        try:
            number = tensor._trace
            if number >= first:
                number = source(tensor)
        except AttributeError:
            number = source(tensor)
        kind = value.__class__
        kept = value if kind in PLAIN else _numbers_of(value) if kind is list else None
        count = len(blocks) * BLOCK + len(flat) // WIDTH
        noted = number, how, kept, len(log), code, frame.f_lasti, count
        escapes.append(noted)
        turned.append(noted)

    return escape


def _numbers_of(value: list[Any]) -> tuple[Any, ...]:
    """The numbers of a nested list that was just made, so many as are told apart: the list itself is the script's."""
    level: list[Any] = value
    while level and level[0].__class__ is list:
        level = [number for inner in level for number in inner]
    return tuple(level[:MOST_NUMBERS])


def _shaped(array: Any, args: Any) -> Any:
    """Shape and dtype."""
    return array.shape, array.dtype


def _noted(array: Any, op: Any, args: Any, look: Any, few: int) -> Any:
    """What is noted of one of an op's results."""
    if array.size > few:
        return (array.shape, array.dtype) if look is None else look(array, args)
    if array.ndim == 1 and array.dtype is FLOAT32:
        return array.tobytes()
    if array.__class__ is ndarray and (look is not None or not op.plain):
        return array.copy()
    return array


def _several(result: Any, op: Any, args: Any, look: Any, few: int) -> tuple[Any, int]:
    """The outputs of an op with more than one, or none."""
    outputs = []
    rank = 0
    for each in result if isinstance(result, (tuple, list)) else ():
        if isinstance(each, Tensor):
            each._trace = number = next_number()
            outputs.append((number, _noted(each._array, op, args, look, few)))
            if each._edge is not None:
                rank = each._edge.node.rank
    return tuple(outputs), rank
