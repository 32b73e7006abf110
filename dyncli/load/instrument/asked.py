"""What a test asks of objects is asked in the script's own frame: a `__lt__` or `__bool__` has its own caller there.

    _dy_compared(point, activation, a, b, <a < b>)      _dy_truth(point, activation, c, <c>)

In the syntax tree a mark stands for each value that lies on the stack by then, `mark < mark`, and in the code its load
becomes a copy of that:

    LOAD_CONST mark; LOAD_CONST mark; COMPARE_OP        ->   COPY 2; COPY 2; COMPARE_OP
    LOAD_CONST mark; UNARY_NEGATIVE; UNARY_NEGATIVE     ->   COPY 1; UNARY_NOT; UNARY_NOT       (3.13: COPY 1; TO_BOOL)

What raises goes by a handler at the end of the code, which calls `_dy_failed` and raises it again as if from there.
"""

from __future__ import annotations

import ast
import sys
from bisect import bisect
from collections.abc import Iterable
from functools import lru_cache
from opcode import opmap
from typing import Any, NamedTuple

from dyncli.load.instrument.instructions import CACHE, NOP, assembled, call_parts, overwrite
from dyncli.load.instrument.tables import Guarded

#: The constants that stand for a side of a comparison, and for what is asked for its truth.
SIDE, TRUTH = "\0side", "\0truth"
FAILED = "_dy_failed"

_COPY, _NOT, _BOOL = opmap["COPY"], opmap["UNARY_NOT"], opmap.get("TO_BOOL")
#: The instructions that ask for a truth, each with its argument; the caches of the last are zeros.
_ASKS_TRUTH = bytes((_NOT, 0, _NOT, 0)) if _BOOL is None else bytes((_BOOL, 0)) + bytes(2 * 3)
#: Python 3.13 looks for the handler of what a call raised before the call: something has to stand between.
_APART = sys.version_info >= (3, 13)


def comparison(operator: ast.cmpop, at: ast.expr | ast.stmt | ast.pattern) -> ast.expr:
    """The expression for how two values compare that lie on the stack."""
    where = _where(at)
    quiet = isinstance(operator, ast.Is | ast.IsNot)
    left, right = (_mark(SIDE, where) if quiet else ast.Constant(SIDE, **where) for _ in range(2))
    compared = ast.Compare(left, [operator], [right], **where)
    return ast.UnaryOp(ast.USub(), compared, **where) if _APART else compared


def truth(at: ast.expr | ast.stmt | ast.pattern) -> ast.expr:
    """The expression for the truth of a value that lies on the stack."""
    where = _where(at)
    value = _mark(TRUTH, where)
    for _ in range(len(_ASKS_TRUTH) // 2 + _APART):
        value = ast.UnaryOp(ast.USub(), value, **where)
    return value


def _mark(text: str, where: dict[str, Any]) -> ast.expr:
    """A constant, in a form of which the compiler computes nothing and warns of nothing."""
    return ast.JoinedStr([ast.Constant(text, **where)], **where)


def _where(at: ast.expr | ast.stmt | ast.pattern) -> dict[str, Any]:
    """The place of a node, as new ones take it."""
    return {
        "lineno": at.lineno,
        "col_offset": at.col_offset,
        "end_lineno": at.end_lineno or at.lineno,
        "end_col_offset": at.end_col_offset or at.col_offset,
    }


class Asked(NamedTuple):
    """The instructions that ask, from which to which; the depth of the stack before, and of how many operands."""

    start: int
    end: int
    depth: int
    operands: int


def ask(raw: bytearray, at: int, mark: str, depth: int) -> Asked | None:
    """Writes what asks in the place of the load of a mark at the byte `at`; None for the first side of two."""
    if mark == TRUTH:
        overwrite(raw, at, _COPY, 1)
        end = at + 2 + len(_ASKS_TRUTH)
        raw[at + 2 : end] = _ASKS_TRUTH
        _set_apart(raw, end)
        return Asked(at // 2 + 1, end // 2, depth, 1)
    overwrite(raw, at, _COPY, 2)
    if raw[at + 2] not in _COMPARES:
        return None
    end = at + 4
    while raw[end] == CACHE:
        end += 2
    _set_apart(raw, end)
    return Asked(at // 2 + 1, end // 2, depth - 1, 2)


def _set_apart(raw: bytearray, end: int) -> None:
    if _APART:
        raw[end] = NOP


def is_asked(raw: bytes, at: int) -> bool:
    """Whether the instruction at a byte asks for what a probe is told then."""
    asks_truth = bytes((_COPY, 1)) + _ASKS_TRUTH
    return raw[at - 4 : at] == _COPIED or raw[at - 2 : at - 2 + len(asks_truth)] == asks_truth


_COPIED = bytes((_COPY, 2)) * 2
_COMPARES = frozenset(opmap[name] for name in ("COMPARE_OP", "CONTAINS_OP", "IS_OP"))


def with_failures(raw: bytearray, guarded: list[Guarded], asked: Iterable[Asked], name: int) -> None:
    """Adds the handlers of what asks to the end of the code and to its table; `name` is the number of `FAILED`.

    Those of one block share a handler: what it copies lies below the exception, however deep.
    """
    handlers: dict[tuple[int, Guarded | None], int] = {}
    ends: list[Guarded] = []
    for start, end, depth, operands in asked:
        index = bisect(guarded, start, key=lambda each: each.start)
        around = guarded[index - 1] if index and start < guarded[index - 1].end else None
        outer = around and around._replace(start=0, end=0)
        if (operands, outer) not in handlers:
            target = handlers[operands, outer] = len(raw) // 2
            raw += _handler(operands, name)
            if outer is not None:
                ends.append(outer._replace(start=target, end=len(raw) // 2))
        own = Guarded(start, end, handlers[operands, outer], depth, True)
        if around is None:
            guarded.insert(index, own)
        else:
            pieces = around._replace(end=start), own, around._replace(start=end)
            guarded[index - 1 : index] = [piece for piece in pieces if piece.start < piece.end]
    guarded += ends


@lru_cache
def _handler(operands: int, name: int) -> bytes:
    """The instructions where an exception arrives, above point, activation, operands and where it was raised.

    A call puts two items above the exception; the arguments are copied from below, one after the other.
    """
    given = [("COPY", 6 + operands)] * (2 + operands) + [("COPY", 5 + operands)]
    return assembled([*call_parts(name, given), ("POP_TOP", 0), ("RERAISE", 1)])
