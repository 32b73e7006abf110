"""The cases of a `match` of which one may be forced: each can be taken without its pattern, or left out.

case 0: ...             ->  case @arms.arm1 | 0 if @open(a, key, 1): ...
case [x, y] if x: ...   ->  case [x, y] if @chosen(a, key, 2) or (@open(a, key, 2) and <x>): ...

Where an arm is forced whose pattern binds no names, what is looked at is `@arms.armN` itself, which no other pattern
but one that takes anything fits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dyncli.instrument.transform.builder import always_matches, call, constant, placed


def names_bound(pattern: ast.pattern) -> Iterator[str]:
    """Yield the names that a pattern binds."""
    for part in ast.walk(pattern):
        for name in (getattr(part, "name", None), getattr(part, "rest", None)):
            if isinstance(name, str):
                yield name


def needs_no_names(pattern: ast.pattern) -> bool:
    """Return whether a pattern tests something and binds nothing."""
    return not always_matches(pattern) and not any(names_bound(pattern))


def bound_on_match(pattern: ast.pattern) -> tuple[str, ...]:
    """Return the names that make a case impossible to force, because only a matching pattern binds them."""
    return () if always_matches(pattern) else tuple(names_bound(pattern))


def choosable(case: ast.match_case, call_id: ast.expr, key: int, index: int) -> None:
    """Rewrite a case in place; its guard must be instrumented already."""
    at = case.pattern
    if needs_no_names(at):
        arms = placed(ast.Name("@arms", ast.Load()), at)
        sign = placed(ast.MatchValue(placed(ast.Attribute(arms, f"arm{index}", ast.Load()), at)), at)
        case.pattern = placed(ast.MatchOr([sign, at]), at)
    which = [call_id, constant(key, at), constant(index, at)]
    is_open: ast.expr = call("@open", at, *which)
    if case.guard is not None:
        both = placed(ast.BoolOp(ast.And(), [is_open, case.guard]), at)
        is_open = placed(ast.BoolOp(ast.Or(), [call("@chosen", at, *which), both]), at)
    case.guard = is_open
