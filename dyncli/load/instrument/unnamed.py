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
from opcode import HAVE_ARGUMENT, hasjrel, opmap, opname, stack_effect
from types import CodeType

from dyncli.load.instrument.tables import Guarded, guarded_by, table_of, with_gap
from dyncli.record.tuples import NamedTuple

#: Begins the constants that stand for the activation.
MARK = "\0activation"
#: What gives an activation's number to the frame that calls it.
#: Ends the names of those that keep it for frames within that ask.
KNOWN = "_known"
ENTERS = frozenset(f"{name}{end}" for name in ("_dy_enter", "_dy_enter_async", "_dy_within") for end in ("", KNOWN))

_EXTENDED, _COPY, _CONSTANT, _NAME = (opmap[name] for name in ("EXTENDED_ARG", "COPY", "LOAD_CONST", "LOAD_NAME"))
_CALL, _POP_TOP, _NOP, _RESUME = (opmap[name] for name in ("CALL", "POP_TOP", "NOP", "RESUME"))
_GLOBAL, _CACHE = opmap["LOAD_GLOBAL"], 0
_PUSH_EXCEPTION, _EXIT = opmap["PUSH_EXC_INFO"], opmap["WITH_EXCEPT_START"]
_JUMPS = frozenset(hasjrel)
_BACK = frozenset(number for name, number in opmap.items() if "JUMP_BACKWARD" in name)
_LEAVING = (
    "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "RETURN_VALUE", "RETURN_CONST", "RERAISE",
    "RAISE_VARARGS",
)  # fmt: skip
_ENDS = frozenset(opmap[name] for name in _LEAVING if name in opmap)
#: What an instruction and its argument, in one number, do to the depth of the stack, going on and jumping.
_effects: dict[int, tuple[int, int]] = {}


class Prologue(NamedTuple):
    """A call that a frame begins with: of `name` with a number, if there is one, and with `.0` if it is told so."""

    name: str
    number: int | None
    iterator: bool


def unnamed(code: CodeType, prologues: Mapping[str, Prologue]) -> CodeType:
    """`code`, and all code in it, with activations on the stack.  prologues: what code with such a mark begins with."""
    mark = -1
    constants: list[object] = []
    changed = False
    for number, each in enumerate(code.co_consts):
        kind = type(each)
        if kind is CodeType:
            inner = unnamed(each, prologues)
            changed = changed or inner is not each
            each = inner
        elif kind is str and each.startswith(MARK):
            mark, each = number, None
        constants.append(each)
    if mark < 0:
        return with_handlers(code.replace(co_consts=tuple(constants)) if changed else code)
    prologue = prologues.get(code.co_consts[mark])
    raw, names, lines = bytearray(code.co_code), code.co_names, code.co_linetable
    guarded = guarded_by(code.co_exceptiontable)
    if prologue is None:
        home, kept = _entered(raw, names)
    else:
        begin = _begins(raw)
        names, called = _calling(prologue, names, constants)
        raw[2 * begin : 2 * begin] = called
        home, kept = begin + len(called) // 2, True
        lines = with_gap(lines, begin, len(called) // 2, COUNTS_LINES_BY_CHANGE)
        guarded = [each.moved(begin, len(called) // 2) for each in guarded]
    if kept:
        outside = {each.target for each in guarded if each.start < home}
        guarded = [each if each.target in outside else each._replace(depth=each.depth + 1) for each in guarded]
    _copy(raw, guarded, home, mark)
    found = code.replace(
        co_code=bytes(raw), co_consts=tuple(constants), co_names=names, co_linetable=lines,
        co_exceptiontable=table_of(guarded), co_stacksize=max(code.co_stacksize, 4) + 1,
    )  # fmt: skip
    return with_handlers(found)


def with_handlers(code: CodeType) -> CodeType:
    """`code`, in which `_dy_handled` is called before an `__exit__` is told of an exception.

    The handler of a `with` begins with a jump to instructions at the end of the code, which jump back behind it.
    """
    raw = bytearray(code.co_code)
    if _EXIT not in raw[::2]:
        return code
    guarded = guarded_by(code.co_exceptiontable)
    names, called = _calling(Prologue("_dy_handled", None, False), code.co_names, [])
    moved: dict[int, int] = {}
    for target in {each.target for each in guarded}:
        if raw[2 * target] == _PUSH_EXCEPTION and raw[2 * target + 2] == _EXIT:
            moved[target] = len(raw) // 2
            raw += bytes((_PUSH_EXCEPTION, 0)) + called + bytes((_POP_TOP, 0))
            raw += _jump_back(len(raw) // 2, target + 1)
    gap = len(raw) // 2 - len(code.co_code) // 2
    return code.replace(
        co_code=bytes(raw), co_names=names, co_linetable=with_gap(code.co_linetable, len(code.co_code) // 2, gap),
        co_exceptiontable=table_of(each._replace(target=moved.get(each.target, each.target)) for each in guarded),
        co_stacksize=code.co_stacksize + 3,
    )  # fmt: skip


def _jump_back(at: int, target: int) -> bytes:
    """The instructions at `at` that jump back to the instruction `target`."""
    caches = bytes(2 * _JUMP_CACHES)
    for extended in range(4):
        back = at + extended + 1 + _JUMP_CACHES - target
        if back >> 8 * (extended + 1) == 0:
            break
    parts = bytearray()
    for shift in range(8 * extended, 0, -8):
        parts += bytes((_EXTENDED, back >> shift & 255))
    return bytes(parts + bytes((opmap["JUMP_BACKWARD"], back & 255)) + caches)


def _begins(raw: bytearray) -> int:
    """The instruction after the first RESUME: where the frame's own code begins."""
    return next(at for at in range(0, len(raw), 2) if raw[at] == _RESUME) // 2 + 1


def _entered(raw: bytearray, names: tuple[str, ...]) -> tuple[int, bool]:
    """The instruction after the call that gives the activation, and whether it was a statement; its POP_TOP goes."""
    enters = {number for number, name in enumerate(names) if name in ENTERS}
    argument, found = 0, False
    for at in range(0, len(raw), 2):
        operation = raw[at]
        argument |= raw[at + 1]
        if operation == _EXTENDED:
            argument <<= 8
            continue
        if operation == _GLOBAL:
            found = found or argument >> 1 in enters
        elif operation == _NAME:
            found = found or argument in enters
        elif operation == _CALL and found:
            at += 2
            while raw[at] == _CACHE:
                at += 2
            if raw[at] != _POP_TOP:
                return at // 2, False
            raw[at] = _NOP
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
    calls = [(name, len(given)) for name in ("PRECALL", "CALL") if name in opmap]
    parts = bytearray()
    for operation, argument in (("LOAD_GLOBAL", len(names) << 1 | 1), *given, *calls):
        for shift in (24, 16, 8):
            if argument >> shift:
                parts += bytes((_EXTENDED, argument >> shift & 255))
        parts += bytes((opmap[operation], argument & 255)) + bytes(2 * _CACHES[operation])
    return (*names, prologue.name), bytes(parts)


def _caches() -> dict[str, int]:
    """How many places for caches follow each instruction of a call in this Python."""

    raw = compile("lambda x: f(x, 1)", "", "eval").co_consts[0].co_code
    found, last = dict.fromkeys(opmap, 0), ""
    for at in range(0, len(raw), 2):
        if raw[at] == _CACHE:
            found[last] += 1
        else:
            last = opname[raw[at]]
    return found


_CACHES = _caches()
_JUMP_CACHES = 1 if sys.version_info >= (3, 13) else 0
#: From Python 3.13 what stands nowhere begins the line of what comes after it anew, for `sys.monitoring` too.
COUNTS_LINES_BY_CHANGE = sys.version_info >= (3, 13)


def _copy(raw: bytearray, guarded: list[Guarded], home: int, mark: int) -> None:
    """Makes each load of the mark a copy of what lies on top of the stack at `home`.

    Follows the depth of the stack through the code once, and again only if what it passed is jumped to from below.
    """
    known = {2 * each.target: each.depth + each.lasti + 1 for each in guarded}
    marks: dict[int, int] = {}
    own, home, size = -1, 2 * home, len(raw)
    again = True
    while again:
        again = False
        depth: int | None = 0
        argument = 0
        passed: set[int] = set()
        for at in range(2 * (_begins(raw) - 1), size, 2):
            operation = raw[at]
            if not operation:
                continue  # a cache
            if at in known:
                assert depth is None or depth == known[at], "two depths of the stack in one place"
                depth = known[at]
            if depth is None:
                passed.add(at)
                argument = 0
                continue
            if at == home:
                own = depth
            argument |= raw[at + 1]
            if operation == _EXTENDED:
                argument <<= 8
                continue
            if operation == _CONSTANT and argument == mark:
                marks[at] = depth - own + 1
            effect = _effects.get(argument << 8 | operation) or _effect(operation, argument)
            if operation in _JUMPS:
                after = at + 2
                while after < size and not raw[after]:
                    after += 2
                target = after + (-2 if operation in _BACK else 2) * argument
                if target not in known:
                    known[target] = depth + effect[1]
                    again = again or target in passed
            depth = None if operation in _ENDS else depth + effect[0]
            argument = 0
    for at, copied in marks.items():
        raw[at], raw[at + 1] = _COPY, copied
        while at >= 2 and raw[at - 2] == _EXTENDED:
            at -= 2
            raw[at], raw[at + 1] = _NOP, 0


def _effect(operation: int, argument: int) -> tuple[int, int]:
    given = argument if operation >= HAVE_ARGUMENT else None
    jumps = operation in _JUMPS
    found = _effects[argument << 8 | operation] = (
        stack_effect(operation, given, jump=False), stack_effect(operation, given, jump=True) if jumps else 0,
    )  # fmt: skip
    return found
