"""Conditional expressions as tests: what asks for the truth of one stands in its arms, as Python's jumps do.

if a if c else b:           ->  if _dy_told((), (), point, activation, a, <a>) if <test> else _dy_told(..., b, <b>):
if (a or b) if c else d:    ->  the same with `_dy_told(true, (), operand, ..., a, <a>) or _dy_told(..., b, <b>)`

The first point tells of the value itself; `true` and `false` say what else it decides then, each with how it is told.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from dyncli.load.asking import AS_BOOL, AS_IT_IS, AS_WHOLE, Told
from dyncli.load.instrument.asked import comparison, truth
from dyncli.load.instrument.beginning import AT_THE_WHOLE, after, first_evaluated
from dyncli.load.instrument.conditions import Conditions, Ends
from dyncli.load.instrument.program import Role
from dyncli.load.instrument.questions import asks_parts, is_constant, is_quiet
from dyncli.load.instrument.scribe import constant, placed


class Onward(NamedTuple):
    """What is told of a value that is tested.

    first: the point that tells of it; None where `not` is between.  true, false: what is told then besides.
    closing: the chain of the place where the arms end in which it stands, if something may run in them.
    compares: whether the first point is that of a comparison.
    """

    first: int | None
    true: tuple[Told, ...]
    false: tuple[Told, ...]
    closing: frozenset[int] | None = None
    compares: bool = False

    def all(self, outcome: bool) -> tuple[Told, ...]:
        """Everything that is told of a value with this truth."""
        first = () if self.first is None else ((self.first, AS_IT_IS, outcome),)
        return (*first, *(self.true if outcome else self.false))

    def turned(self) -> Onward:
        """What is told of the operand of a `not`."""
        true, false = (
            tuple((point, AS_BOOL if how == AS_IT_IS else how, said) for point, how, said in self.all(outcome))
            for outcome in (False, True)
        )
        return Onward(None, true, false, self.closing)


class Arms(Conditions):
    """Rewrites conditional expressions whose truth alone is asked."""

    def into_arms(self, node: ast.IfExp, point: int, ends: Ends | None, before: int | None) -> ast.expr:
        true, false = (
            () if ends is None or outcome is None else ((ends.point, AS_WHOLE, outcome),)
            for outcome in (ends and ends.true, ends and ends.false)
        )
        return self._conditional_test(node, Onward(point, true, false), before)

    def _part_of_test(self, node: ast.expr, onward: Onward) -> ast.expr:
        match node:
            case ast.IfExp() if not is_constant(node.test):
                return self._conditional_test(node, onward, None)
            case ast.UnaryOp(op=ast.Not(), operand=operand) if not is_constant(operand):
                node.operand = self._part_of_test(operand, onward.turned())
                return node
            case ast.BoolOp(values=values) if not any(map(is_constant, values)):
                return self._joined_test(node, onward)
        return self._tested_value(node, onward)

    def _conditional_test(self, node: ast.IfExp, onward: Onward, before: int | None) -> ast.expr:
        arm_lines = tuple((arm.lineno, arm.end_lineno or arm.lineno) for arm in (node.body, node.orelse))
        key = self.construct("ifexp", self.span(node.test), self.text(node.test), ("then", "else"), arm_lines)
        opens = self.program.constructs[key].opens = not (is_quiet(node.body) and is_quiet(node.orelse))
        if opens and onward.closing is None:
            onward = onward._replace(closing=self.place.chain)
        node.test = self.deciding(node.test, key, before)
        with self.within(key, "then"):
            node.body = self._part_of_test(node.body, onward)
        with self.within(key, "else"):
            node.orelse = self._part_of_test(node.orelse, onward)
        return node

    def _joined_test(self, node: ast.BoolOp, onward: Onward) -> ast.expr:
        """An `and` or `or`, whose operands are told of, and of which the last alone is its value or one decides."""
        *before, last = node.values
        kind, stops = ("and", False) if isinstance(node.op, ast.And) else ("or", True)
        key = self.construct(kind, self.span(node), self.text(node), ("short", "rest"), (None, None))
        construct = self.program.constructs[key]
        construct.opens = not is_quiet(last)
        construct.formula = (kind, *range(len(before)))
        for index, value in enumerate(before):
            point = self.point(Role.OPERAND, key, self.condition_text(value, key))
            compares = isinstance(value, ast.Compare) and len(value.ops) == 1
            decided = onward.all(stops)
            own = Onward(point, decided if stops else (), () if stops else decided, None, compares)
            node.values[index] = self._part_of_test(value, own)
        if construct.opens and onward.closing is None:
            onward = onward._replace(closing=self.place.chain)
        with self.within(key, "rest"):
            node.values[-1] = self._part_of_test(last, onward)
        return node

    def _tested_value(self, node: ast.expr, onward: Onward) -> ast.expr:
        at = self.whole if AT_THE_WHOLE and self.whole is not None and not isinstance(node, ast.Compare) else node
        name, values, asked = "_dy_told", [node], truth(at)
        if onward.compares and isinstance(node, ast.Compare):
            name, asked = "_dy_told_compared", comparison(node.ops[0], node)
            values = self.sides(node)
        elif asks_parts(node):
            values, asked = [self.tested(node, at)], self.truth_unless_known(at)
        else:
            values = [self.expr(node, at)]
        if onward.closing is not None:
            close = self.point(Role.CLOSE, chain=onward.closing)
            values[-1] = self.probe("_dy_close", close, after(node, at), values[-1])
        start = first_evaluated(values[0])
        first = constant(onward.first, start)
        probe = self.probe(name, first, at, *values, asked)
        probe.args[:0] = [placed(ast.Constant(said), start) for said in (onward.true, onward.false)]  # type: ignore[arg-type]
        return self.jumping(probe, node)
