"""Tests: each comparison and truth value that is really evaluated is reported, then the whole.

if a < b:               ->  if @compared(point, call, a, b, "<"):
if c:                   ->  if @truth(point, call, c):
if a < b and not c:     ->  if @compared_end(..., None, False, ...) and not @truth_end(..., False, True, ...):
if a < b < c:           ->  the same as `a < b and b < c`, with b evaluated once

Where outcomes may be put in the place of others (`Program.pinned`), one probe stands around the whole instead:
if a < b and not c:     ->  if @test(point, call, @compared(...) and not @truth(...)):
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import NamedTuple

from dyncli.instrument.program import ConditionText, Formula, Role
from dyncli.instrument.transform.builder import (
    Located,
    Scribe,
    Span,
    affirmed,
    call,
    constant,
    is_constant,
    known_truth,
    placed,
    short_circuits,
)

#: The source text of each comparison operator.
OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
#: Whether a traceback shows a truth that raises at the whole statement, as the jump of this one is placed.
TRUTH_STANDS_AT_WHOLE = [*compile("if (\n x\n): 0", "", "exec").co_positions()][2][0] == 1


class Ends(NamedTuple):
    """The truth of a whole test when a part is true and when it is false; None where the next part decides.

    point: that reports the whole.
    """

    point: int
    true: bool | None
    false: bool | None


class Conditions(Scribe):
    """Rewrites tests.

    earlier: a point to report before the next part of a test.
    whole: where a traceback shows the truth that is asked next, if not at what is asked.  stood: the same at the end of
    the last test.
    called_before: the name to which the statement before assigned what a call returned, and the call's source and span.
    """

    earlier: int | None = None
    called_before: tuple[str, str, Span | None] = "", "", None
    whole: Located | None = None
    stood: Located | None = None

    @abstractmethod
    def expr(self, node: ast.expr) -> ast.expr:
        """Return the instrumented form of an expression."""

    @abstractmethod
    def tested(self, node: ast.expr) -> ast.expr:
        """Return the instrumented form of an expression whose truth is asked next (`short_circuits`)."""

    def condition(self, test: ast.expr, key: int, whole: Located, before: int | None = None) -> ast.expr:
        """Return the instrumented form of the test that decides the construct `key`, which stands in `whole`.

        before: a point to report before anything in the test is evaluated.
        """
        around, self.whole = self.whole, whole if TRUTH_STANDS_AT_WHOLE else None
        rewritten = self._deciding(test, key, before)
        self.stood, self.whole = self.whole, around
        return rewritten

    def _deciding(self, test: ast.expr, key: int, before: int | None) -> ast.expr:
        construct = self.program.constructs[key]
        if self._is_single(test):
            construct.formula = 0
            return self._placed_as(test, self._condition(test, key, Role.SINGLE, before))
        point = self.point(Role.WHOLE, key)
        if self.program.pinned or known_truth(test) is not None:
            inner, construct.formula = self._compound(test, key)
            return self.probe("@test", self.numbered(point, before, test), test, inner)
        self.earlier = before
        rewritten, construct.formula = self._compound(test, key, Ends(point, True, False))
        return rewritten

    def condition_text(self, node: ast.expr, key: int) -> int:
        """Return the index of a new condition of `key`; call it before `node` is rewritten."""
        if isinstance(node, ast.Compare):
            right = node.comparators[0]
            spans = (self.span(node.left), self.span(right))
            lhs, rhs, operator = self.text(node.left), self.text(right), OPERATORS[type(node.ops[0])]
            return self._add_condition(key, ConditionText(self.text(node), operator, lhs, rhs, spans))
        return self.whole_text(node, key)

    def whole_text(self, node: ast.expr, key: int) -> int:
        """Return the index of a new condition of `key` that looks at a value alone, also at that of a comparison."""
        text = self.text(node)
        span = self.span(node)
        name, source, made = self.called_before
        if text != name:
            source, made = text, self.span(affirmed(node)[0])
        return self._add_condition(key, ConditionText(text, None, source, None, (span,), made))

    def _add_condition(self, key: int, condition: ConditionText) -> int:
        conditions = self.program.constructs[key].conditions
        conditions.append(condition)
        return len(conditions) - 1

    def _is_single(self, test: ast.expr) -> bool:
        match test:
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return False
            case ast.Compare(ops=operators):
                return len(operators) == 1
        return True

    def _compound(self, node: ast.expr, key: int, ends: Ends | None = None) -> tuple[ast.expr, Formula]:
        """Return the rewritten test, and how its conditions combine.

        ends: what it makes of the whole, if its parts report that.
        """
        match node:
            case ast.BoolOp(op=operator, values=values):
                conjoined = isinstance(operator, ast.And)
                formulas: list[Formula] = []
                owns = [_followed(ends, values[index + 1 :], conjoined) for index in range(len(values))]
                for index, (value, own) in enumerate(zip(values, owns, strict=True)):
                    values[index], formula = self._compound(value, key, own)
                    formulas.append(formula)
                return node, ("and" if conjoined else "or", *formulas)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                turned = ends and Ends(ends.point, ends.false, ends.true)
                node.operand, formula = self._compound(operand, key, turned)
                return node, ("not", formula)
            case ast.Compare(ops=operators) if len(operators) > 1:
                return self._chain(node, key, ends)
        if is_constant(node):
            if known_truth(node) is not None or ends is None or (ends.true is None and ends.false is None):
                return node, None
            return self._constant_end(node, ends), None
        index = len(self.program.constructs[key].conditions)
        before, self.earlier = self.earlier, None
        return self._placed_as(node, self._ending(self._condition(node, key, Role.CONDITION, before), ends)), index

    def _placed_as(self, node: ast.expr, rewritten: ast.expr) -> ast.expr:
        """Let what stands for a comparison be one, where Python 3.11 shows what comes next there."""
        whole = self.whole
        if whole is None or not isinstance(node, ast.Compare):
            return rewritten
        self.whole = node
        if whole.lineno == node.lineno and not isinstance(whole, ast.Assert):
            return rewritten
        return placed(ast.Compare(rewritten, [ast.Is()], [placed(ast.Constant(True), node)]), node)

    def _ending(self, condition: ast.Call, ends: Ends | None) -> ast.expr:
        """Let a part of a test, the call of its probe, also report the whole where it decides it."""
        if ends is None or (ends.true is None and ends.false is None):
            return condition
        outcomes: list[ast.expr] = [placed(ast.Constant(outcome), condition) for outcome in (ends.true, ends.false)]
        assert isinstance(condition.func, ast.Name)
        if condition.func.id == "@link":
            return call(
                "@end", condition, constant(ends.point, condition), *outcomes, self.call_id(condition), condition
            )
        condition.func.id += "_end"
        condition.args[:0] = [constant(ends.point, condition), *outcomes]
        return condition

    def _constant_end(self, node: ast.expr, ends: Ends) -> ast.expr:
        """Return a constant part of a test that Python looks at in the run, with the report of the whole."""
        before, self.earlier = self.earlier, None
        outcomes: list[ast.expr] = [placed(ast.Constant(outcome), node) for outcome in (ends.true, ends.false)]
        point = self.numbered(ends.point, before, node)
        number = constant(point, node) if isinstance(point, int) else point
        return call("@end", node, number, *outcomes, self.call_id(node), node)

    def _condition(self, node: ast.expr, key: int, role: Role, before: int | None = None) -> ast.Call:
        """Return a part of a test whose truth is asked."""
        point = self.numbered(self.point(role, key, self.condition_text(node, key)), before, node)
        if isinstance(node, ast.Compare):
            return self.compared(
                "@compared", point, node, node.ops[0], self.expr(node.left), self.expr(node.comparators[0])
            )
        at = self.whole or node
        if short_circuits(node):
            return self.probe("@truth_known", point, at, self.tested(node))
        return self.probe("@truth", point, at, self.expr(node))

    def compared(
        self, name: str, point: int | ast.expr, at: ast.expr, operator: ast.cmpop, left: ast.expr, right: ast.expr
    ) -> ast.Call:
        """Return the call of a probe that compares."""
        return self.probe(name, point, at, left, right, constant(OPERATORS[type(operator)], at))

    def _chain(self, node: ast.Compare, key: int, ends: Ends | None) -> tuple[ast.expr, Formula]:
        """Rewrite `a < b < c` as two comparisons joined by `and`; the middle value waits at its call id."""
        first = len(self.program.constructs[key].conditions)
        before, self.earlier = self.earlier, None
        links = self.chain_links(node, key)
        formulas = list(range(first, first + len(links)))
        values: list[ast.expr] = []
        for (left, right), operator, index in zip(links, node.ops, formulas, strict=True):
            point = self.numbered(self.point(Role.CONDITION, key, index), before, node)
            before = None
            own = ends if index == formulas[-1] or ends is None else Ends(ends.point, None, ends.false)
            name = "@compared" if index == formulas[-1] else "@link"
            value = self._ending(self.compared(name, point, node, operator, left, right), own)
            values.append(self._placed_as(node, value))
        return placed(ast.BoolOp(ast.And(), values), node), ("and", *formulas)

    def chain_links(self, node: ast.Compare, key: int) -> list[tuple[ast.expr, ast.expr]]:
        """Return the sides of the comparisons of `a < b < c`, each of which becomes a condition of `key`."""
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            symbol = OPERATORS[type(operator)]
            lhs, rhs = self.text(left), self.text(right)
            spans = (self.span(left), self.span(right))
            self._add_condition(key, ConditionText(f"{lhs} {symbol} {rhs}", symbol, lhs, rhs, spans))
        rewritten = [self.expr(operand) for operand in operands]
        waiting = [call("@take_operand", node, self.call_id(node)) for _ in node.ops[1:]]
        return list(zip([rewritten[0], *waiting], rewritten[1:], strict=True))

    def numbered(self, point: int, before: int | None, at: ast.expr) -> int | ast.expr:
        """Return the point as an argument; with `before`, one whose evaluation reports that point first."""
        if before is None:
            return point
        step = self.program.points[before].role is Role.ITERATION
        return self.probe("@stepped" if step else "@close", before, at, constant(point, at))


def _followed(ends: Ends | None, rest: list[ast.expr], conjoined: bool) -> Ends | None:
    """Return the truth of an `and` or `or` after one part, before the parts `rest`, of which constants are known."""
    if ends is None:
        return None
    goes_on = next((known for part in rest if (known := known_truth(part)) is not conjoined), conjoined)
    decided = None if goes_on is None else ends.true if goes_on else ends.false
    return Ends(ends.point, decided, ends.false) if conjoined else Ends(ends.point, ends.true, decided)
