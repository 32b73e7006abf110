"""Expressions that decide or that change who is running: conditional expressions, `and`/`or`, lambdas, yield, await.

a if c else b           ->  a if <test> else b           (arms that can run something end with a report)
a and b                 ->  @take_operand(call) if @stop_false(point, call, a) else b
lambda x: e             ->  lambda x: @leave(point, (@call := @enter(point)), e)
yield v                 ->  @close(point, call, (yield @close(point, call, v)))
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from dyncli.instrument.program import CALL_ID, Formula, Role
from dyncli.instrument.transform.builder import (
    LISTING,
    MAKERS,
    affirmed,
    beginning,
    call,
    comparison_of,
    constant,
    is_constant,
    is_quiet,
    may_decide,
    placed,
    short_circuits,
)
from dyncli.instrument.transform.comprehensions import Comprehensions

_PLAIN = (ast.Name, ast.Constant)
_Rewrite = Callable[[ast.expr], ast.expr]


class Expressions(Comprehensions):
    """Rewrites expressions.

    ends: whether the report of an end follows the one that comes next, so that it needs none of its own.
    kept: the comparison whose result is kept next, for whom, and what it makes of the value.
    """

    ends = False
    kept: tuple[ast.expr | None, str, Formula] = None, "", 0

    def expr(self, node: ast.expr) -> ast.expr:
        """Return the instrumented form of an expression."""
        if isinstance(node, _PLAIN):
            return node
        self.ends = self.ends and isinstance(node, ast.IfExp | ast.BoolOp)
        match node:
            case ast.IfExp():
                return self._conditional(node, self.expr, self.expr)
            case ast.BoolOp():
                return self._value_of(node)
            case ast.Compare(ops=operators) if len(operators) > 1:
                return self._chained_value(node)
            case ast.Compare(ops=[operator]) if node is self.kept[0]:
                key = self.value("valued", node, self.kept[1])
                self.program.constructs[key].formula = self.kept[2]
                point = self.point(Role.VALUED, key, self.condition_text(node, key))
                return self.compared(
                    "@valued", point, node, operator, self.expr(node.left), self.expr(node.comparators[0])
                )
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self.comprehension(node)
            case ast.Lambda():
                return self._lambda(node)
            case ast.Yield():
                value = self.expr(node.value) if node.value is not None else constant(None, node)
                node.value = self.probe("@close", self.point(Role.SUSPEND), node, value)
                return self.probe("@close", self.point(Role.RESUME), node, node)
            case ast.YieldFrom():
                point = self.point(Role.DELEGATE)
                node.value = self.probe("@close", point, node.value, self.expr(node.value))
                return self.probe("@close", self.point(Role.RESUME), node, node)
            case ast.Await():
                node.value = self.expr(node.value)
                return self.probe("@close", self.point(Role.AWAITED), node, node)
            case ast.NamedExpr():
                self.keep(node.value, node.target)
                self.parts(node)
                return self.walrus(node)
            case ast.Call():
                return self._call_of(node)
            case ast.JoinedStr() if self.fstring is None:
                self.fstring = node
                self.parts(node)
                self.fstring = None
                return node
        self.parts(node)
        return node

    def keep(self, value: ast.expr, target: ast.expr | None) -> bool:
        """Let the comparison whose truth a value has report what it compares; return whether it has one.

        target: what gets the value, None for a caller.
        """
        node = comparison_of(value)
        if node is not None:
            formula = ("not", 0) if affirmed(value)[1] else 0
            self.kept = node, "" if target is None else self.text(target), formula
        return node is not None

    def _keep_last(self, value: ast.expr) -> bool:
        """Let the last comparison of a returned `a and b < c` report what it compares; return whether it has one."""
        match value:
            case ast.BoolOp(op=operator, values=[*_, last]) if comparison_of(last) is last:
                self.kept = last, "", ("and" if isinstance(operator, ast.And) else "or", None, 0)
                self.ends = True
                return True
        return False

    def returned(self, value: ast.expr, index: int = 0) -> int:
        """Return the point of the end of a function that returns a value; call it before `value` is rewritten."""
        key = -1
        if self.keep(value, None) or self._keep_last(value):
            key = self.value("returned", value, "")
        elif isinstance(affirmed(value)[0], ast.Name | ast.Attribute | ast.Call):
            key = self.value("returned", affirmed(value)[0], self.text(value))
        return self.point(Role.LEAVE, key, index)

    def _call_of(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in LISTING:
                return call("@listed", node, node)
            case ast.Call(func=function, args=[code, *_], keywords=[]) if self._makes_code(function) and may_decide(
                code
            ):
                return self._making(node, function)
        self.parts(node)
        return node

    def _makes_code(self, function: ast.expr) -> bool:
        """Return whether a call of `function` may be one of `exec`, `eval` or `compile`; the run tells."""
        match function:
            case ast.Name(id=name):
                return name in self.source.makers
            case ast.Attribute(value=ast.Name(id="builtins" | "__builtins__"), attr=name):
                return name in MAKERS
        return False

    def _making(self, node: ast.Call, function: ast.expr) -> ast.expr:
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            self.parts(node)
            return node
        from copy import deepcopy  # for scripts that make code alone

        known = deepcopy(function)
        self.parts(node)
        point = self.point(Role.MADE)
        self.program.made[point] = self.file, node.lineno, ast.unparse(function)
        made = self.probe("@code", point, node, known, *node.args)
        node.args = [placed(ast.Starred(made, ast.Load()), node)]
        return node

    def parts(self, node: ast.AST) -> None:
        """Rewrite the expressions that a node holds, in place."""
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.expr):
                if not isinstance(part, _PLAIN):
                    setattr(node, name, self.expr(part))
            elif isinstance(part, list):
                for index, item in enumerate(part):
                    if isinstance(item, ast.expr):
                        part[index] = self.expr(item)
                    elif isinstance(item, ast.keyword):
                        item.value = self.expr(item.value)

    def walrus(self, node: ast.NamedExpr) -> ast.expr:
        """Return an assignment expression; what is added to it on demand is in `watch_probes.py`."""
        return node

    # Conditional expressions, and, or

    def tested(self, node: ast.expr) -> ast.expr:
        """Return the instrumented form of an expression whose truth is asked next: what was asked already is known."""
        match node:
            case ast.BoolOp():
                return self._value_of(node, self.tested)
            case ast.Compare(ops=operators) if len(operators) > 1:
                self.ends = False
                return self._chained_value(node, tested=True)
            case ast.IfExp():
                return self._conditional(node, self.tested, self.tested)
            case ast.UnaryOp(op=ast.Not(), operand=operand) if short_circuits(operand):
                self.ends = False
                value = self.tested(operand)
                node.operand = call("@truth_or_value", value, self.call_id(node), value)
                return node
        return self.expr(node)

    def _joined(self, node: ast.expr) -> ast.expr:
        """Return the instrumented form of an operand whose own `and` or `or` tells its truth."""
        match node:
            case ast.BoolOp():
                return self._value_of(node, self._joined)
            case ast.IfExp():
                return self._conditional(node, self.expr, self._joined)
        return self.expr(node)

    def _conditional(self, node: ast.IfExp, then: _Rewrite, otherwise: _Rewrite) -> ast.expr:
        ends, self.ends = self.ends, False
        if is_constant(node.test):
            node.body, node.orelse = then(node.body), otherwise(node.orelse)
            return node
        arm_lines = tuple((arm.lineno, arm.end_lineno or arm.lineno) for arm in (node.body, node.orelse))
        key = self.construct("ifexp", self.span(node.test), self.text(node.test), ("then", "else"), arm_lines)
        quiet = is_quiet(node.body) and is_quiet(node.orelse)
        self.program.constructs[key].opens = not quiet
        node.test = self.condition(node.test, key, node)
        with self.within(key, "then"):
            self.ends = True
            node.body = then(node.body)
        with self.within(key, "else"):
            self.ends = True
            node.orelse = otherwise(node.orelse)
        self.ends = False
        return node if quiet or ends else self._closed(node)

    def _closed(self, value: ast.expr) -> ast.expr:
        """Return `value` with the end of its arms reported after them."""
        return self.probe("@close", self.point(Role.CLOSE), value, value)

    def _value_of(self, node: ast.BoolOp, part: _Rewrite | None = None) -> ast.expr:
        """Rewrite `a and b` as a conditional expression that asks each operand once and keeps the one that decides.

        part: rewrites the last operand, and says that whoever gets the value knows its truth.
        """
        *before, last = node.values
        ends, self.ends = self.ends, False
        rewrite = part or self.expr
        if all(map(is_constant, before)):
            node.values[-1] = rewrite(last)
            return node
        kind = "and" if isinstance(node.op, ast.And) else "or"
        key = self.construct(kind, self.span(node), self.text(node), ("short", "rest"), (None, None))
        construct = self.program.constructs[key]
        quiet = is_quiet(last)
        construct.opens = not quiet
        construct.formula = (kind, *range(len(before)))
        tested = part == self.tested
        operands = [self._operand(value, key, kind, node, tested) for value in before]
        with self.within(key, "rest"):
            self.ends = True
            rest = rewrite(last)
            self.ends = False
        known = "@take_false_operand" if kind == "and" else "@take_true_operand"
        for test in reversed(operands):
            kept = call(known if part is not None else "@take_operand", node, self.call_id(node))
            rest = placed(ast.IfExp(test, kept, rest), node)
        return rest if quiet or ends else self._closed(rest)

    def _operand(self, node: ast.expr, key: int, kind: str, whole: ast.BoolOp, tested: bool) -> ast.expr:
        """Return the test of one operand: true when the expression stops here, with the operand's value kept."""
        point = self.point(Role.OPERAND, key, self.condition_text(node, key))
        stop = "@stop_false" if kind == "and" else "@stop_true"
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self.expr(node.left), self.expr(node.comparators[0])
            return self.compared(f"{stop}_compared", point, node, node.ops[0], left, right)
        if tested and short_circuits(node):
            return self.probe(f"{stop}_known", point, whole, self.tested(node))
        if isinstance(node, ast.BoolOp | ast.IfExp) and short_circuits(node):
            return self.probe(f"{stop}_known", point, whole, self._joined(node))
        return self.probe(stop, point, whole, self.expr(node))

    def _chained_value(self, node: ast.Compare, tested: bool = False) -> ast.expr:
        """Rewrite `a < b < c` used as a value: an `and` of its comparisons."""
        key = self.construct("and", self.span(node), self.text(node), ("short", "rest"), (None, None))
        links = self.chain_links(node, key)
        construct = self.program.constructs[key]
        del construct.conditions[-1]
        construct.opens = False
        construct.formula = ("and", *range(len(construct.conditions)))
        left, right = links[-1]
        rest: ast.expr = placed(ast.Compare(left, [node.ops[-1]], [right]), node)
        for number, (left, right) in reversed(list(enumerate(links[:-1]))):
            point = self.point(Role.OPERAND, key, number)
            test = self.compared("@stop_link", point, node, node.ops[number], left, right)
            kept = call("@take_false_operand" if tested else "@take_operand", node, self.call_id(node))
            rest = placed(ast.IfExp(test, kept, rest), node)
        return rest

    # Who is running

    def _lambda(self, node: ast.Lambda) -> ast.expr:
        self.parts(node.args)
        if isinstance(node.body, _PLAIN):
            return node
        outer, at = self.place, node.body
        name = f"{outer.prefix}<lambda>"
        number = self.function(name, "lambda", node)
        unbound = self.iterables > 0  # Python allows no `:=` there
        self.place = outer._replace(
            function=number, name=name, prefix=f"{name}.<locals>.", module=None, parent=None, chain=frozenset(),
            loop=None, unbound=unbound,
        )  # fmt: skip
        enter, leave = self.point(Role.ENTER), self.returned(at)
        body = self.expr(at)
        self.place = outer
        entered: ast.expr = call("@enter_unbound" if unbound else "@enter", beginning(at), constant(enter, at))
        if not unbound:
            entered = placed(ast.NamedExpr(placed(ast.Name(CALL_ID, ast.Store()), at), entered), at)
        node.body = call("@close", at, constant(leave, at), entered, body)
        return node
