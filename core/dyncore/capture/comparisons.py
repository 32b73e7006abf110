"""`x.item() < 0.9` read as one decision: the number goes into that comparison and nowhere else.

A number that leaves for Python could be used for anything, so a replay must find the very same one.  Where the next
instructions compare it with a number at hand and branch, only the outcome matters, and a model whose weights change
at every step keeps its paths.  So it is with `r = x.item()` where all that reads `r` is such comparisons, with numbers
that stay what they are while the function runs: `while r > tol`.
"""

from __future__ import annotations

import dis
import operator
import sys
from functools import lru_cache
from types import CodeType
from typing import Any

from dyncore.errors.source import is_engine

_LOADS = frozenset(("LOAD_CONST", "LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"))
_SILENT = frozenset(("PRECALL", "CACHE", "EXTENDED_ARG", "NOP", "NOT_TAKEN"))
COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_FAST = frozenset(("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW"))
_TELLING = frozenset(("locals", "vars", "dir", "eval", "exec"))
Use = tuple[str, str, Any]  # the comparison, how the other number is loaded, its name or value


def comparisons(depth: int) -> list[tuple[str, Any]] | None:
    """[("<", 0.9)] if the frame `depth` above calls `.item()` to compare it so and nothing else; else None."""
    frame = sys._getframe(depth)
    if is_engine(frame.f_globals):
        return None
    code, lasti = frame.f_code, frame.f_lasti
    found = _after(code, lasti)
    uses: tuple[Use, ...] | None = (found,) if found is not None else _kept(code, lasti)
    if uses is None:
        return None
    made: list[tuple[str, Any]] = []
    for symbol, load, name in uses:
        if load == "LOAD_CONST":
            number = name
        elif load == "LOAD_GLOBAL":
            number = frame.f_globals.get(name)
        else:
            number = frame.f_locals.get(name)
        if type(number) is not int and (type(number) is not float or number - number != 0):
            return None
        if (symbol, number) not in made:
            made.append((symbol, number))
    return made


@lru_cache(maxsize=4096)
def _kept(code: CodeType, lasti: int) -> tuple[Use, ...] | None:
    """Return what the variable that takes an `.item()` at `lasti` is compared with; None for any other use."""
    steps = _single(code)
    at = sum(offset <= lasti for offset, *_ in steps) - 1
    if at + 1 >= len(steps) or _TELLING.intersection(code.co_names):
        return None
    (_, method, called, _), (_, call, count, _), (_, store, own, _) = steps[at - 1 : at + 2]
    plain = call == "CALL" and count == 0 and method in ("LOAD_METHOD", "LOAD_ATTR") and called == "item"
    if not plain or store != "STORE_FAST":
        return None
    written = {name for _, kind, name, _ in steps if kind in ("STORE_FAST", "DELETE_FAST", "STORE_GLOBAL")}
    found: list[Use] = []
    for number, (_, kind, name, _) in enumerate(steps):
        if name != own or kind in ("STORE_FAST", "DELETE_FAST") or "FAST" not in kind:
            continue
        for first in (number, number - 1):
            three = steps[first : first + 3]
            if kind in _FAST and len(three) == 3 and three[2][1] == "COMPARE_OP":
                break
        else:
            return None
        _, load, other, _ = three[1] if first == number else three[0]
        symbol = str(three[2][2])
        steady = load == "LOAD_CONST" or (load in _FAST or load == "LOAD_GLOBAL") and other not in written
        if not steady or other == own or symbol not in COMPARE or any(each[3] for each in three[1:]):
            return None
        found.append((symbol if first == number else _SWAPPED[symbol], load, other))
    return tuple(found)


def _single(code: CodeType) -> list[tuple[int, str, Any, bool]]:
    """Return (offset, name, argument, True for a jump target) of each instruction.

    Those that do two things are two.
    """
    found = []
    for step in dis.get_instructions(code):
        if step.opname in _SILENT:
            continue
        first, _, second = step.opname.partition("_FAST_")
        if second in ("LOAD_FAST", "STORE_FAST", "LOAD_FAST_BORROW"):
            one, two = step.argval
            found.append((step.offset, f"{first}_FAST", one, step.is_jump_target))
            found.append((step.offset, second, two, False))
        else:
            found.append((step.offset, step.opname, step.argval, bool(step.is_jump_target)))
    return found


@lru_cache(maxsize=4096)
def _after(code: CodeType, lasti: int) -> tuple[str, str, Any] | None:
    """Return (symbol, how the other number is loaded, its name or value).

    For a call of `.item()` at `lasti`.
    """
    steps = [step for step in dis.get_instructions(code) if step.opname not in _SILENT]
    at = sum(step.offset <= lasti for step in steps) - 1  # 3.11 stands at the caches behind the call
    if at + 3 >= len(steps):
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
