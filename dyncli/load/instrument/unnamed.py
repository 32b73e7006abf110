"""The number of an activation lies on the stack of its frame, where no name shows it.

Instrumented code begins a function with `_dy_enter(point)` and says a constant, the mark, where it means what that
gave.  Here this value is left where the call put it, and each mark becomes a copy of it from there:

    CALL; POP_TOP ... LOAD_CONST mark   ->   CALL; NOP ... COPY depth

So a function has the variables it has without probes, in `locals()`, `f_locals`, `co_varnames` and closures alike.
Code that cannot begin with a statement, that of a generator expression, gets its call put in front (`Prologue`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from opcode import opmap
from types import CodeType
from typing import NamedTuple

from dyncli.load.instrument.again import ANEW, JUMPED_TO, Pads, begun_anew, jumps_to, stand
from dyncli.load.instrument.asked import FAILED, SIDE, TRUTH, Asked, ask, with_failures
from dyncli.load.instrument.inserting import jumps, with_inserted
from dyncli.load.instrument.instructions import (
    CACHE,
    ENDS,
    EXTENDED,
    NOP,
    assembled,
    begins,
    call_parts,
    depths,
    overwrite,
)
from dyncli.load.instrument.tables import guarded_by, table_of, with_gap

#: Begins the constants that stand for the activation.
MARK = "\0activation"
#: What gives an activation's number to the frame that calls it.
#: Ends the names of those that keep it for frames within that ask.
KNOWN = "_known"
ENTERS = frozenset(f"{name}{end}" for name in ("_dy_enter", "_dy_enter_async", "_dy_within") for end in ("", KNOWN))

_COPY, _NAME, _GLOBAL, _CALL, _POP_TOP = (
    opmap[name] for name in ("COPY", "LOAD_NAME", "LOAD_GLOBAL", "CALL", "POP_TOP")
)
_JUMP_BACK, _RETURN = opmap["JUMP_BACKWARD"], opmap.get("RETURN_CONST", -1)
_PUSH_EXCEPTION, _EXIT = opmap["PUSH_EXC_INFO"], opmap["WITH_EXCEPT_START"]


class Prologue(NamedTuple):
    """A call that a frame begins with: of `name` with a number, if there is one, and with `.0` if it is told so."""

    name: str
    number: int | None
    iterator: bool


def unnamed(code: CodeType, prologues: Mapping[str, Prologue], pads: Pads) -> CodeType:
    """`code`, and all code in it, with activations on the stack.

    prologues: what code with such a mark begins with.  pads: as of `again`.
    """
    marks: dict[int, str] = {}
    constants: list[object] = []
    changed = False
    for number, each in enumerate(code.co_consts):
        kind = type(each)
        if kind is CodeType:
            inner = unnamed(each, prologues, pads)
            changed = changed or inner is not each
            each = inner
        elif kind is str and (each in (SIDE, TRUTH) or each.startswith(MARK)):
            marks[number], each = each, None
        constants.append(each)
    if not marks:
        return with_handlers(code.replace(co_consts=tuple(constants)) if changed else code)
    raw, names, lines = bytearray(code.co_code), code.co_names, code.co_linetable
    guarded = guarded_by(code.co_exceptiontable)
    again = stand(raw, code, pads) if pads else {}
    activation = next((each for each in marks.values() if each.startswith(MARK)), None)
    prologue = prologues.get(activation or "")
    home, kept = 0, False
    if prologue is not None:
        begin = begins(raw)
        names, called = _calling(prologue, names, constants)
        raw[2 * begin : 2 * begin] = called
        home, kept = begin + len(called) // 2, True
        again = {number + len(called) // 2: use for number, use in again.items()}
        lines = with_gap(lines, begin, len(called) // 2, COUNTS_LINES_BY_CHANGE)
        guarded = [each.moved(begin, len(called) // 2) for each in guarded]
    elif activation is not None:
        home, kept = _entered(raw, names)
    if kept:
        outside = {each.target for each in guarded if each.start < home}
        guarded = [each if each.target in outside else each._replace(depth=each.depth + 1) for each in guarded]
    loads, own = depths(raw, guarded, home, marks)
    asked: list[Asked | None] = []
    for at, (number, depth) in loads.items():
        if marks[number] == activation:
            overwrite(raw, at, _COPY, depth - own + 1)
        else:
            asked.append(ask(raw, at, marks[number], depth))
    size = len(raw) // 2
    with_failures(raw, guarded, filter(None, asked), len(names))
    jumps_to(raw, [number for number, use in again.items() if use == JUMPED_TO])
    found = code.replace(
        co_code=bytes(raw), co_consts=tuple(constants), co_names=(*names, FAILED) if asked else names,
        co_linetable=with_gap(lines, None, len(raw) // 2 - size), co_exceptiontable=table_of(guarded),
        co_stacksize=max(code.co_stacksize, 4) + (8 if asked else 1),
    )  # fmt: skip
    return with_handlers(begun_anew(found, [number for number, use in again.items() if use == ANEW]))


def with_handlers(code: CodeType) -> CodeType:
    """`code`, in which `_dy_handled` is called before an `__exit__` is told of an exception."""
    raw = code.co_code
    if _EXIT not in raw[::2]:
        return code
    names, called = _calling(Prologue("_dy_handled", None, False), code.co_names, [])
    handlers = {each.target for each in guarded_by(code.co_exceptiontable)}
    exits = (at + 1 for at in handlers if raw[2 * at] == _PUSH_EXCEPTION and raw[2 * at + 2] == _EXIT)
    added = dict.fromkeys(exits, called + bytes((_POP_TOP, 0)))
    if JUMPS_TO_ENDS:
        added |= _ends(code)
    return with_inserted(code.replace(co_names=names, co_stacksize=code.co_stacksize + 3), added)


def _ends(code: CodeType) -> dict[int, bytes]:
    """What reports the end of a function, before each jump to where this stands nowhere: as if it fell off there."""
    raw, found = code.co_code, {}
    nowhere = [range(start, end) for start, end, line in code.co_lines() if line is None]
    for jump in jumps(raw):
        start = 2 * jump.target
        end = next(at for at in range(start, len(raw), 2) if raw[at] in ENDS)
        if raw[2 * jump.at] == _JUMP_BACK and raw[end] == _RETURN and any(end in each for each in nowhere):
            found[jump.first] = raw[start : end + 2]
    return found


def _entered(raw: bytearray, names: tuple[str, ...]) -> tuple[int, bool]:
    """The instruction after the call that gives the activation, and whether it was a statement; its POP_TOP goes."""
    enters = {number for number, name in enumerate(names) if name in ENTERS}
    argument, found = 0, False
    for at in range(0, len(raw), 2):
        operation = raw[at]
        argument |= raw[at + 1]
        if operation == EXTENDED:
            argument <<= 8
            continue
        if operation == _GLOBAL:
            found = found or argument >> 1 in enters
        elif operation == _NAME:
            found = found or argument in enters
        elif operation == _CALL and found:
            at += 2
            while raw[at] == CACHE:
                at += 2
            if raw[at] != _POP_TOP:
                return at // 2, False
            raw[at] = NOP
            return at // 2, True
        argument = 0
    raise AssertionError("code with a mark and no activation")


def _calling(prologue: Prologue, names: tuple[str, ...], constants: list[object]) -> tuple[tuple[str, ...], bytes]:
    """The names of code that begins with a call, and its instructions; its argument is added to the constants."""
    given = []
    if prologue.number is not None:
        given.append(("LOAD_CONST", len(constants)))
        constants.append(prologue.number)
    if prologue.iterator:
        given.append(("LOAD_FAST", 0))
    return (*names, prologue.name), assembled(call_parts(len(names), given))


#: From Python 3.13 what stands nowhere begins the line of what comes after it anew, for `sys.monitoring` too.
COUNTS_LINES_BY_CHANGE = sys.version_info >= (3, 13)
#: Python 3.12 jumps back to the end of a function from an `__exit__` that swallows an exception; no line is there.
JUMPS_TO_ENDS = sys.version_info[:2] == (3, 12)
