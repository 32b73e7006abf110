"""`x.item() < 0.9` read as one decision: the number goes into that comparison and nowhere else.

A number that leaves for Python could be used for anything, so a replay must find the very same one.  Where the next
instructions compare it with a number at hand and branch, only the outcome matters, and a model whose weights change
at every step keeps its paths.
"""

from __future__ import annotations

import dis
import operator
import sys
from functools import lru_cache
from types import CodeType
from typing import Any

_LOADS = frozenset(("LOAD_CONST", "LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"))
_SILENT = frozenset(("PRECALL", "CACHE", "EXTENDED_ARG", "NOP", "NOT_TAKEN"))
COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def comparison(depth: int) -> tuple[str, Any] | None:
    """("<", 0.9) if the frame `depth` above calls `.item()` to compare it so and branch; None for any other use."""
    frame = sys._getframe(depth)
    if "__dyncore__" in frame.f_globals:
        return None
    found = _after(frame.f_code, frame.f_lasti)
    if found is None:
        return None
    symbol, load, name = found
    if load == "LOAD_CONST":
        number = name
    elif load == "LOAD_GLOBAL":
        number = frame.f_globals.get(name)
    else:
        number = frame.f_locals.get(name)
    plain = type(number) is int or (type(number) is float and number - number == 0)
    return (symbol, number) if plain else None


@lru_cache(maxsize=4096)
def _after(code: CodeType, lasti: int) -> tuple[str, str, Any] | None:
    """(symbol, how the other number is loaded, its name or value) for a call of `.item()` at `lasti`."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in _SILENT]
    at = sum(step.offset <= lasti for step in steps) - 1  # 3.11 stands at the caches behind the call
    if at < 1 or at + 3 >= len(steps):
        return None
    method, call, load, compare, jump = steps[at - 1 : at + 4]
    calls = call.opname == "CALL" and call.arg == 0 and method.opname in ("LOAD_METHOD", "LOAD_ATTR")
    if not calls or method.argval != "item" or load.opname not in _LOADS or compare.opname != "COMPARE_OP":
        return None
    symbol = str(compare.argval)
    if symbol not in COMPARE or not jump.opname.startswith("POP_JUMP"):
        return None
    if any(step.is_jump_target for step in (call, load, compare, jump)):
        return None
    return symbol, load.opname, load.argval
