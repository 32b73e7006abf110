"""Tests: each comparison and truth value that is really evaluated is reported, then the whole.

if a < b:               ->  if _dy_compared(point, activation, a, b, <a < b>):
if c:                   ->  if _dy_truth(point, activation, c, <c>):
if a < b and not c:     ->  if _dy_compared_end(..., None, False, ...) and not _dy_truth_end(..., False, True, ...):
if a < b < c:           ->  the same as `a < b and b < c`, with b evaluated once

So Python jumps from each part to where it does without probes, and a debugger comes to the same lines.
Where outcomes may be put in the place of others (`Program.pinned`), one probe stands around the whole instead:
if a < b and not c:     ->  if _dy_test(point, activation, _dy_compared(...) and not _dy_truth(...)):

What stands in `<>` is asked of the values that lie on the stack already (`asked.py`).
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import NamedTuple

from dyncli.load.instrument.again import FORGETS_CALLS, remembered
from dyncli.load.instrument.asked import comparison, truth
from dyncli.load.instrument.beginning import AT_THE_WHOLE, Located, after, first_evaluated, load_as_one
from dyncli.load.instrument.program import ConditionText, Formula, Role
from dyncli.load.instrument.questions import asks_parts, is_constant, known_truth
from dyncli.load.instrument.scribe import Scribe, call, constant, placed

#: The source text of each comparison operator.
OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


class Ends(NamedTuple):
    """What a part of a test makes of the whole when it is true and when it is false; None where the next part is asked.

    point: that reports the whole.
    """

    point: int
    true: bool | None
    false: bool | None


class Conditions(Scribe):
    """Rewrites tests.

    whole: where Python 3.11 asks for a truth now; stood: where it did at the end of the last test.
    earlier: a point to report before the next part of a test.
    """

    whole: Located | None = None
    stood: Located | None = None
    earlier: int | None = None

    @abstractmethod
    def expr(self, node: ast.expr, then: Located | None = None) -> ast.expr:
        """The instrumented form of an expression."""

    @abstractmethod
    def tested(self, node: ast.expr, then: Located | None = None) -> ast.expr:
        """The instrumented form of an expression whose truth alone is asked, after its parts (`asks_parts`)."""

    @abstractmethod
    def into_arms(self, node: ast.IfExp, point: int, ends: Ends | None, before: int | None) -> ast.expr:
        """The instrumented form of a conditional expression that is a test, or a part of one; `point` tells of it."""

    def condition(self, test: ast.expr, key: int, whole: Located, before: int | None = None) -> ast.expr:
        """The instrumented form of the test that decides the construct `key`, which stands in `whole`.

        before: a point to report before anything in the test is evaluated.
        """
        around, self.whole = self.whole, whole
        rewritten = self.deciding(test, key, before)
        self.stood, self.whole = self.whole, around
        return rewritten

    def deciding(self, test: ast.expr, key: int, before: int | None = None) -> ast.expr:
        """The same where Python goes on in what it stands in."""
        construct = self.program.constructs[key]
        if self._is_single(test):
            construct.formula = 0
            rewritten = self._leaf(test, key, Role.SINGLE, before)
        else:
            point = self.point(Role.WHOLE, key)
            if self.program.pinned or known_truth(test) is not None:
                inner, construct.formula = self._compound(test, key)
                rewritten = self.probe("_dy_test", self.numbered(point, before, test), test, inner)
            else:
                self.earlier = before
                rewritten, construct.formula = self._compound(test, key, Ends(point, True, False))
        return rewritten

    def compare(self, node: ast.Compare, point: int | ast.expr) -> ast.Call:
        """The probe of a comparison with one operator."""
        return self.probe("_dy_compared", point, node, *self.sides(node), comparison(node.ops[0], node))

    def sides(self, node: ast.Compare) -> list[ast.expr]:
        """The instrumented sides of a comparison with one operator."""
        right = node.comparators[0]
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            load_as_one(right)
        return [self.expr(node.left, first_evaluated(right)), self.expr(right, node)]

    def condition_text(self, node: ast.expr, key: int) -> int:
        """The index of a new condition of `key`, before `node` is rewritten."""
        if isinstance(node, ast.Compare):
            right = node.comparators[0]
            spans = (self.span(node.left), self.span(right))
            lhs, rhs, operator = self.text(node.left), self.text(right), OPERATORS[type(node.ops[0])]
            return self._add_condition(key, ConditionText(self.text(node), operator, lhs, rhs, spans))
        return self._add_condition(key, ConditionText(self.text(node), None, self.text(node), None, (self.span(node),)))

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
        """The rewritten test, and how its conditions combine.

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
                if FORGETS_CALLS and ends is None and isinstance(values[-1], ast.Call):
                    values[-1] = remembered(values[-1], self.pads, False)
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
        return self._leaf(node, key, Role.CONDITION, before, ends), index

    def _leaf(
        self, node: ast.expr, key: int, role: Role, before: int | None = None, ends: Ends | None = None
    ) -> ast.expr:
        """A part of a test whose truth is asked."""
        if isinstance(node, ast.IfExp) and not is_constant(node.test) and not self.program.pinned:
            return self.into_arms(node, self.point(role, key, self.condition_text(node, key)), ends, before)
        return self.jumping(self._ending(self._condition(node, key, role, before), ends), node)

    def _ending(self, condition: ast.Call, ends: Ends | None) -> ast.expr:
        """A part of a test, the call of its probe, that also reports the whole where it decides it."""
        if ends is None or (ends.true is None and ends.false is None):
            return condition
        at = first_evaluated(condition)
        outcomes: list[ast.expr] = [placed(ast.Constant(outcome), at) for outcome in (ends.true, ends.false)]
        assert isinstance(condition.func, ast.Name)
        if condition.func.id == "_dy_link":
            probe = call("_dy_end", condition, constant(ends.point, at), *outcomes, self.activation(at), condition)
            placed(probe.func, at)
            return probe
        condition.func.id += "_end"
        condition.args[:0] = [constant(ends.point, at), *outcomes]
        return condition

    def _constant_end(self, node: ast.expr, ends: Ends) -> ast.expr:
        """A constant part of a test that Python looks at in the run, with the report of the whole."""
        before, self.earlier = self.earlier, None
        at = first_evaluated(node)
        outcomes: list[ast.expr] = [placed(ast.Constant(outcome), at) for outcome in (ends.true, ends.false)]
        point = self.numbered(ends.point, before, node)
        number = constant(point, at) if isinstance(point, int) else point
        probe = call("_dy_end", node, number, *outcomes, self.activation(at), node)
        placed(probe.func, at)
        return self.jumping(probe, node)

    def jumping(self, rewritten: ast.expr, node: ast.expr) -> ast.expr:
        """The rewritten form of the test `node`, after which 3.11 jumps on the line of `node` if it is a comparison."""
        whole = self.whole
        if not AT_THE_WHOLE or not isinstance(node, ast.Compare) or whole is None:
            return rewritten
        self.whole = node
        if whole.lineno == node.lineno:
            return rewritten
        return placed(ast.Compare(rewritten, [ast.Is()], [placed(ast.Constant(True), rewritten)]), rewritten)

    def _condition(self, node: ast.expr, key: int, role: Role, before: int | None = None) -> ast.Call:
        point = self.numbered(self.point(role, key, self.condition_text(node, key)), before, node)
        if isinstance(node, ast.Compare):
            return self.compare(node, point)
        at = self.whole if AT_THE_WHOLE and self.whole is not None else node
        if asks_parts(node):
            return self.probe("_dy_truth_known", point, at, self.tested(node, at), self.truth_unless_known(at))
        return self.probe("_dy_truth", point, at, self.expr(node, at), truth(at))

    def _chain(self, node: ast.Compare, key: int, ends: Ends | None) -> tuple[ast.expr, Formula]:
        """`a < b < c` as two comparisons joined by `and`; the middle value waits at its activation."""
        first = len(self.program.constructs[key].conditions)
        before, self.earlier = self.earlier, None
        links = self.chain_links(node, key, keeps=False)
        formulas = list(range(first, first + len(links)))
        values: list[ast.expr] = []
        for (left, right), operator, index in zip(links, node.ops, formulas, strict=True):
            point = self.numbered(self.point(Role.CONDITION, key, index), before, left)
            before = None
            own = ends if index == formulas[-1] or ends is None else Ends(ends.point, None, ends.false)
            name = "_dy_compared" if index == formulas[-1] else "_dy_link"
            value = self.probe(name, point, node, left, right, comparison(operator, node))
            values.append(self.jumping(self._ending(value, own), node))
        return placed(ast.BoolOp(ast.And(), values), node), ("and", *formulas)

    def truth_unless_known(self, at: Located) -> ast.expr:
        """The truth of a value that lies on the stack, None if it was asked on the way."""
        known = call("_dy_is_known", at, self.activation(at))
        return placed(ast.IfExp(known, constant(None, at), truth(at)), at)

    def chain_links(self, node: ast.Compare, key: int, keeps: bool = True) -> list[tuple[ast.expr, ast.expr]]:
        """The sides of the comparisons of `a < b < c`, each with its condition.

        keeps: whether the middle is kept while it is evaluated, and not by the comparison.
        """
        operands = [node.left, *node.comparators]
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, ast.In | ast.NotIn) and right is node.comparators[-1]:
                load_as_one(right)
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            symbol = OPERATORS[type(operator)]
            lhs, rhs = self.text(left), self.text(right)
            spans = (self.span(left), self.span(right))
            self._add_condition(key, ConditionText(f"{lhs} {symbol} {rhs}", symbol, lhs, rhs, spans))
        links: list[tuple[ast.expr, ast.expr]] = []
        last = len(node.ops) - 1
        for number in range(len(node.ops)):
            left = self.expr(operands[0]) if number == 0 else call("_dy_kept", node, self.activation(node))
            right = self.expr(operands[number + 1])
            if number < last and keeps:
                start = first_evaluated(right)
                right = call("_dy_keep", after(right), self.activation(start), right)
                placed(right.func, start)
            links.append((left, right))
        return links

    def numbered(self, point: int, before: int | None, at: ast.expr) -> int | ast.expr:
        """The point as an argument; with `before`, one whose evaluation reports that point first."""
        if before is None:
            return point
        step = self.program.points[before].role is Role.ITERATION
        first = first_evaluated(at)
        return self.probe("_dy_stepped" if step else "_dy_close", before, first, constant(point, first))


def _followed(ends: Ends | None, rest: list[ast.expr], conjoined: bool) -> Ends | None:
    """What a part of an `and` or `or` makes of the whole before the parts `rest`, of which constants are known."""
    if ends is None:
        return None
    goes_on = next((known for part in rest if (known := known_truth(part)) is not conjoined), conjoined)
    decided = None if goes_on is None else ends.true if goes_on else ends.false
    return Ends(ends.point, decided, ends.false) if conjoined else Ends(ends.point, ends.true, decided)
