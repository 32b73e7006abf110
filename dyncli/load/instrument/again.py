"""Where a debugger comes to a line a second time: what follows an arm of an expression is also jumped to.

    x = f() if c else g()           # Python 3.12 comes here again when g, a function in Python, has returned
    x = (a and f()) if c else b     # the others do where the jump past `b` stands nowhere, as it does here

Python 3.12 forgets on which line a call stood, and from 3.12 on what resumes a generator counts as no line: it asks
there whether a line begins, which is so where something jumps to.  So a call of ours that ends an arm is followed by
an instruction that does nothing but stand on its line, and that is jumped to if the plain code comes there again.
In the syntax tree such an instruction is a minus sign of no width, a pad.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from opcode import opmap
from types import CodeType

from dyncli.load.instrument.beginning import NOWHERE
from dyncli.load.instrument.inserting import jumps, with_inserted
from dyncli.load.instrument.instructions import CACHE, NOP, RESUME, assembled

#: Where pads and calls stand that are to begin their line anew, or to be jumped to.
ANEW, JUMPED_TO = range(2)
Span = tuple[int | None, int | None, int | None, int | None]
Pads = dict[Span, int]
#: Stands for the place of a call in `Pads`.
_ITS_OWN = (None, None, None, None)
#: Whether a call leaves the line it stands on unknown to what follows it.
FORGETS_CALLS = sys.version_info[:2] == (3, 12)
#: Whether a generator that goes on comes to its line again.
RESUMES_ANEW = sys.version_info >= (3, 12)

_CALL, _NEGATIVE, _FORWARD = (opmap[name] for name in ("CALL", "UNARY_NEGATIVE", "JUMP_FORWARD"))
#: What may run a function in Python: also that of a property, and a `__getitem__`.
_CALLING = tuple(opmap[name] for name in ("CALL", "CALL_FUNCTION_EX", "LOAD_ATTR", "BINARY_SUBSCR"))
#: What calls, attributes and subscripts end with.
_ENDING = (*_CALLING, *(opmap[name] for name in ("LOAD_SUPER_ATTR", "BINARY_SLICE", "CALL_KW") if name in opmap))


class Again:
    """Where plain code comes to a line again."""

    def __init__(self, plain: CodeType) -> None:
        self._plain = plain
        self._found: set[Span] | None = None

    def after(self, node: ast.expr) -> bool:
        """Whether it may after a call, a `yield` or what else ends an arm; before that is rewritten."""
        if self._found is None:
            self._found = set((_after_jumps if FORGETS_CALLS else _after_jumps_nowhere)(self._plain))
        return (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) in self._found


def _after_jumps(code: CodeType) -> Iterator[Span]:
    """What stands before an instruction that is jumped to, and is forgotten: calls, and where generators go on."""
    raw, positions = code.co_code, list(code.co_positions())
    for target in {each.target for each in jumps(raw)}:
        before = _before(raw, target)
        if raw[2 * before] in (*_CALLING, RESUME) and positions[target][0] == positions[before][0]:
            yield positions[before]
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _after_jumps(each)


def _after_jumps_nowhere(code: CodeType) -> Iterator[Span]:
    """What stands before a jump that stands nowhere itself, and where generators go on before what is jumped to."""
    raw = code.co_code
    operations = raw[::2]  # code with neither needs no look at its places: 2 % of the time to load
    resumes = RESUMES_ANEW and operations.count(RESUME) > 1
    concerned = resumes or _FORWARD in operations
    positions = list(code.co_positions()) if concerned else []
    for jump in jumps(raw) if concerned else ():
        if raw[2 * jump.at] == _FORWARD and positions[jump.at][0] is None:
            yield positions[_before(raw, jump.first)]
        if resumes:
            before = _before(raw, jump.target)
            if raw[2 * before] == RESUME and positions[jump.target][0] == positions[before][0]:
                yield positions[before]
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _after_jumps_nowhere(each)


def _before(raw: bytes, number: int) -> int:
    """The instruction before one."""
    number -= 1
    while raw[2 * number] == CACHE:
        number -= 1
    return number


def may_call(node: ast.expr) -> bool:
    """Whether an expression ends with what may run a function in Python, which the compiler does not compute."""
    match node:
        case ast.Call() | ast.Attribute():
            return True
        case ast.Subscript(value=ast.Subscript() as value):
            return may_call(value)
        case ast.Subscript(value=value):
            return not isinstance(value, ast.Constant | ast.Tuple | ast.BinOp | ast.UnaryOp)
    return False


def ends_with(node: ast.expr) -> ast.expr | None:
    """What Python evaluates last of an arm that it goes on from together with another; None if there is no other."""
    match node:
        case ast.IfExp(orelse=last):
            return ends_with(last)
        case ast.BoolOp(values=[*_, last]):
            return ends_with(last) or (last.target if isinstance(last, ast.NamedExpr) else last)
        case ast.Compare(ops=operators) if len(operators) > 1:
            return node
    return None


def pad(at: ast.expr | ast.stmt | ast.pattern, pads: Pads, use: int) -> ast.Pass:
    """A place where `at` begins for a pad or a call that is for something."""
    line, col = at.lineno, at.col_offset
    pads[line, line, col, col] = use
    return ast.Pass(lineno=line, col_offset=col, end_lineno=line, end_col_offset=col)


def padded(node: ast.expr, at: ast.Pass) -> ast.expr:
    """`node` with a pad after it."""
    return ast.copy_location(ast.UnaryOp(ast.USub(), node), at)


def remembered(call: ast.expr, pads: Pads, again: bool) -> ast.expr:
    """What calls, with a pad after it that gets its place, or two where Python comes to the line again."""
    pads[_ITS_OWN] = JUMPED_TO
    return padded(padded(call, NOWHERE), NOWHERE) if again else padded(call, NOWHERE)


def stand(raw: bytearray, code: CodeType, pads: Pads) -> dict[int, int]:
    """Lets the pads in code do nothing.  Returns those, and the calls, that are for something, each with what for."""
    found: dict[int, int] = {}
    positions, before = list(code.co_positions()), -1
    for number, place in enumerate(positions):
        operation = raw[2 * number]
        if operation == _NEGATIVE and before >= 0 and place == positions[before] and raw[2 * before] in (*_ENDING, NOP):
            raw[2 * number] = NOP
            if raw[2 * before] == NOP:
                found[before] = JUMPED_TO
        elif operation in (_NEGATIVE, _CALL) and place in pads:
            if operation == _NEGATIVE:
                raw[2 * number] = NOP
            found[number] = pads[place]
        if operation != CACHE:
            before = number
    return found


def jumps_to(raw: bytearray, targets: list[int]) -> None:
    """Adds jumps to these instructions, which are never reached: so a line may begin there."""
    for target in targets:
        jump, size = b"", -1
        while len(jump) != size:
            size = len(jump)
            jump = assembled([("JUMP_BACKWARD_NO_INTERRUPT", (len(raw) + size) // 2 - target)])
        raw += jump


def begun_anew(code: CodeType, numbers: list[int]) -> CodeType:
    """`code` with what stands nowhere before these instructions."""
    return with_inserted(code, dict.fromkeys(numbers, bytes((NOP, 0))), same_line=False) if numbers else code
