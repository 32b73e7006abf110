"""The end of a function that falls off its last line: a report there, on the line that ran last."""

from __future__ import annotations

import ast
from collections.abc import Callable

from dyncli.load.instrument.beginning import AT_THE_WHOLE, NOWHERE
from dyncli.load.instrument.scribe import placed

_NOTHING = "_dy_nothing"
Report = Callable[[ast.expr | ast.stmt], ast.stmt]


def end_with(body: list[ast.stmt], report: Report, ended: Report | None = None, returns: bool = False) -> None:
    """Appends `report(place)` wherever control can fall off the end of `body`.

    ended: reports the end of a `finally` that control falls through then, as it does after a `return`.
    returns: whether a `return` may follow a report, so that Python copies both to each part of a test it jumps from.
    """
    last = body[-1]
    match last:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return
        case ast.If(test=ast.BoolOp() | ast.IfExp() | ast.UnaryOp(operand=ast.BoolOp() | ast.IfExp()), orelse=[]):
            end_with(last.body, report, ended, returns)
            at = _jumps_from(last) if AT_THE_WHOLE else last.test
            last.orelse = [report(NOWHERE), placed(ast.Return(), NOWHERE)] if returns else [report(at)]
        case ast.If():
            end_with(last.body, report, ended, returns)
            _else(last.orelse, report, ended, returns=returns)
        case ast.Match():
            for case in last.cases:
                end_with(case.body, report, ended, returns)
        case ast.Try(finalbody=final) | ast.TryStar(finalbody=final) if not final or ended is not None:
            returns = returns and not final
            end_with(last.orelse or last.body, report, ended, returns)
            for handler in last.handlers:
                end_with(handler.body, report, ended, returns)
            if final and ended is not None:
                end = last_compiled(final)
                end_with(final, ended)
                raised_again(final, end)
        case ast.For() | ast.AsyncFor() | ast.While() if breaks_plainly(last.body):
            _before_breaks(last.body, report)
            _else(last.orelse, report, ended, last.test if isinstance(last, ast.While) else NOWHERE)
        case _:
            body.append(report(NOWHERE))


def _jumps_from(node: ast.If) -> ast.expr | ast.stmt:
    """Where Python 3.11 stands when it jumps past an `if`: at the comparison that came last, or at all of it."""
    found: ast.expr | ast.stmt = node
    waiting = [node.test]
    while waiting:
        match waiting.pop():
            case ast.BoolOp(values=values):
                waiting += reversed(values)
            case ast.UnaryOp(operand=operand):
                waiting.append(operand)
            case ast.IfExp(body=body, orelse=orelse):
                waiting += orelse, body
            case ast.Compare() as found:
                pass
    return found


def last_compiled(body: list[ast.stmt]) -> ast.stmt | None:
    """The statement of a `finally` that Python compiles last: 3.11 raises an exception again as if from there.

    If `raised_again` has said so before, what it has put there, which is taken away.
    """
    if isinstance(body[-1], ast.Global) and body[-1].names == [_NOTHING]:
        return body.pop()
    last = body[-1]
    match last:
        case ast.If():
            return last_compiled(last.orelse or last.body)
        case ast.Expr() | ast.Raise() | ast.Pass() | ast.Return() | ast.Assign() | ast.AugAssign() | ast.Continue():
            return last
    return None


def raised_again(body: list[ast.stmt], last: ast.stmt | None) -> None:
    """Lets Python 3.11 stand at the statement `last` at the end of a `finally`, by one that does nothing there."""
    if AT_THE_WHOLE and last is not None and last is not body[-1]:
        body.append(placed(ast.Global([_NOTHING]), last))


def _else(
    orelse: list[ast.stmt],
    report: Report,
    ended: Report | None,
    place: ast.expr | ast.stmt = NOWHERE,
    returns: bool = False,
) -> None:
    if orelse:
        end_with(orelse, report, ended, returns)
    else:
        orelse.append(report(place))


def breaks_plainly(body: list[ast.stmt]) -> bool:
    """Whether every `break` of this loop leaves it at once, with no `finally` or `with` to pass."""
    for statement in body:
        match statement:
            case ast.Try() | ast.TryStar() | ast.With() | ast.AsyncWith():
                if any(isinstance(node, ast.Break) for node in ast.walk(statement)):
                    return False
            case ast.If():
                if not (breaks_plainly(statement.body) and breaks_plainly(statement.orelse)):
                    return False
            case ast.Match():
                if not all(breaks_plainly(case.body) for case in statement.cases):
                    return False
            case ast.For() | ast.AsyncFor() | ast.While():
                if not breaks_plainly(statement.orelse):
                    return False
    return True


def _before_breaks(body: list[ast.stmt], report: Report) -> None:
    for index, statement in reversed(list(enumerate(body))):
        match statement:
            case ast.Break():
                body.insert(index, report(NOWHERE))
            case ast.If():
                _before_breaks(statement.body, report)
                _before_breaks(statement.orelse, report)
            case ast.Match():
                for case in statement.cases:
                    _before_breaks(case.body, report)
            case ast.For() | ast.AsyncFor() | ast.While():
                _before_breaks(statement.orelse, report)
