"""Expressions that decide or that change who is running: conditional expressions, `and`/`or`, lambdas, yield, await.

a if c else b           ->  a if <test> else b           (arms that can run something end with a report)
a and b                 ->  _dy_kept(activation) if _dy_stop(point, activation, a) else b
lambda x: e             ->  lambda x: _dy_leave(point, _dy_enter(point), e)
yield v                 ->  _dy_resume(point, activation, (yield _dy_suspend(point, activation, v)))
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from dyncli.load.instrument.again import (
    ANEW,
    FORGETS_CALLS,
    JUMPED_TO,
    RESUMES_ANEW,
    ends_with,
    may_call,
    pad,
    padded,
    remembered,
)
from dyncli.load.instrument.asked import comparison, truth
from dyncli.load.instrument.beginning import (
    ASKS_AGAIN,
    GIVES_AT_THE_WHOLE,
    NOWHERE,
    Located,
    after,
    first_evaluated,
    parts_followed,
)
from dyncli.load.instrument.comprehensions import Comprehensions
from dyncli.load.instrument.program import MADE, Role
from dyncli.load.instrument.questions import asks_parts, is_constant, is_quiet, may_decide
from dyncli.load.instrument.scribe import call, constant, placed
from dyncli.load.instrument.source import MAKERS

_PLAIN = (ast.Name, ast.Constant)
_Rewrite = Callable[[ast.expr, Located | None], ast.expr]


class Expressions(Comprehensions):
    """Rewrites expressions.

    then: with what Python goes on after the one that comes next.  ends: whether the report of an end follows it there.
    joined: the line of an `and` or `or` that Python 3.11 jumps past if what jumps stands on that line too.
    """

    then: Located | None = None
    ends = False
    joined = 0

    def expr(self, node: ast.expr, then: Located | None = None) -> ast.expr:
        """The instrumented form of an expression.  then: with what Python goes on after it, if that is known."""
        if isinstance(node, _PLAIN):
            return node
        self.then = then
        self.ends = self.ends and isinstance(node, ast.IfExp | ast.BoolOp | ast.Yield)
        match node:
            case ast.IfExp():
                return self._conditional(node, self.expr, self.expr)
            case ast.BoolOp():
                return self._value_of(node)
            case ast.Compare(ops=operators) if len(operators) > 1:
                return self._chained_value(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self.comprehension(node)
            case ast.Lambda():
                return self._lambda(node)
            case ast.Yield():
                return self._yield(node)
            case ast.YieldFrom():
                point = self.point(Role.DELEGATE)
                node.value = self.probe("_dy_close", point, node.value, self.expr(node.value))
                return self.probe("_dy_close", self.point(Role.RESUME), node, node)
            case ast.Await():
                node.value = self.expr(node.value)
                return self.probe("_dy_close", self.point(Role.AWAITED), node, node)
            case ast.NamedExpr():
                self.parts(node)
                return self.walrus(node)
            case ast.Call(func=function, args=[code, *_], keywords=[]) if self._makes_code(function) and may_decide(
                code
            ):
                return self._making(node, function)
            case ast.JoinedStr() if self.fstring is None:
                self.fstring = node
                self.parts(node)
                self.fstring = None
                return node
        self.parts(node)
        return node

    def _makes_code(self, function: ast.expr) -> bool:
        """Whether a call of `function` may be one of `exec`, `eval` or `compile`; the run tells."""
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
        point = self.point(Role.CLOSE, index=MADE)
        self.program.made[point] = self.file, node.lineno, ast.unparse(function)
        made = self.probe("_dy_code", point, node, known, *node.args)
        node.args = [placed(ast.Starred(made, ast.Load()), node)]
        return node

    def parts(self, node: ast.AST) -> None:
        """Rewrites the expressions that a node holds, in place."""
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.expr):
                if not isinstance(part, _PLAIN):
                    setattr(node, name, self._part(part, node))
            elif isinstance(part, list):
                for index, item in enumerate(part):
                    if isinstance(item, ast.expr):
                        part[index] = self._part(item, node)
                    elif isinstance(item, ast.keyword):
                        item.value = self._part(item.value, node)

    def _part(self, part: ast.expr, whole: ast.AST) -> ast.expr:
        return self.expr(part, parts_followed(whole).get(part) if isinstance(part, ast.IfExp | ast.BoolOp) else None)

    def walrus(self, node: ast.NamedExpr) -> ast.expr:
        """An assignment expression; what is added to it on demand is in `added.py`."""
        return node

    # Conditional expressions, and, or

    def tested(self, node: ast.expr, then: Located | None = None) -> ast.expr:
        """The instrumented form of an expression of which only the truth is wanted: what was asked already is known."""
        self.then = then
        match node:
            case ast.BoolOp():
                return self._value_of(node, tested=True)
            case ast.Compare(ops=operators) if len(operators) > 1:
                self.ends = False
                return self._chained_value(node, tested=True)
            case ast.IfExp():
                return self._conditional(node, self.tested, self.tested)
            case ast.UnaryOp(op=ast.Not(), operand=operand) if asks_parts(operand):
                self.ends = False
                value = self.tested(operand)
                parts = constant(None, node), self.activation(node), value, self.truth_unless_known(node)
                return call("_dy_not_known", node, *parts)
        return self.expr(node, then)

    def _joined(self, node: ast.expr, then: Located | None = None) -> ast.expr:
        """That of an operand from whose `and` or `or` Python 3.11 jumps past the test of the one around."""
        self.then = then
        match node:
            case ast.BoolOp():
                return self._value_of(node, nested=True)
            case ast.IfExp():
                return self._conditional(node, self.expr, self._joined)
        return self.expr(node, then)

    def _conditional(self, node: ast.IfExp, then: _Rewrite, otherwise: _Rewrite) -> ast.expr:
        goes_on, ends = self.then, self.ends
        self.ends = False
        if is_constant(node.test):
            node.body, node.orelse = then(node.body, goes_on), otherwise(node.orelse, goes_on)
            return node
        arm_lines = tuple((arm.lineno, arm.end_lineno or arm.lineno) for arm in (node.body, node.orelse))
        key = self.construct("ifexp", self.span(node.test), self.text(node.test), ("then", "else"), arm_lines)
        self.program.constructs[key].opens = not (is_quiet(node.body) and is_quiet(node.orelse))
        test = self.condition(node.test, key, node)
        with self.within(key, "then"):
            self.ends = True
            body = self._arm(node.body, then, goes_on, last=False)
        with self.within(key, "else"):
            self.ends = True
            orelse = self._arm(node.orelse, otherwise, goes_on)
        self.ends = False
        quiet = is_quiet(node.body) and is_quiet(node.orelse)
        node.test, node.body, node.orelse = test, body, orelse
        return node if quiet or ends else self._closed(node, goes_on)

    def _arm(self, node: ast.expr, rewrite: _Rewrite, then: Located | None, last: bool = True) -> ast.expr:
        """The instrumented form of an arm, after which Python comes to a line again where it does (`again.py`)."""
        if FORGETS_CALLS:
            again = (may_call(node) or isinstance(node, ast.Yield)) and self.again.after(node)
            rewritten = rewrite(node, then)
            if may_call(rewritten) and (last or again):
                return remembered(rewritten, self.pads, again)
            return rewritten
        ending = None if last or then is NOWHERE else ends_with(node)
        at = node if then is None else then
        rewritten = rewrite(node, then)
        return padded(rewritten, pad(at, self.pads, ANEW)) if ending and self.again.after(ending) else rewritten

    def _closed(self, value: ast.expr, then: Located | None) -> ast.expr:
        """`value`, with the end of its arms reported: after them, so that Python goes on from each as it does."""
        return self.probe("_dy_close", self.point(Role.CLOSE), after(value) if then is None else then, value)

    def _value_of(self, node: ast.BoolOp, nested: bool = False, tested: bool = False) -> ast.expr:
        """`a and b` as a conditional expression that asks each operand once and keeps the one that decides.

        nested: whether the value is itself tested by an `and` or `or` around, which then knows its truth.
        tested: whether only the truth of it is wanted, so that Python asks the parts of the operands at once.
        """
        *before, last = node.values
        then, ends = self.then, self.ends
        self.ends = False
        if all(map(is_constant, before)):
            part = self.tested if tested else self._joined if nested else self.expr
            node.values[-1] = part(last, then)
            return node
        kind = "and" if isinstance(node.op, ast.And) else "or"
        key = self.construct(kind, self.span(node), self.text(node), ("short", "rest"), (None, None))
        construct = self.program.constructs[key]
        construct.opens = not is_quiet(last)
        construct.formula = (kind, *range(len(before)))
        operands = [self._operand(value, key, kind, node, tested) for value in before]
        with self.within(key, "rest"):
            quiet = is_quiet(last)
            part = self.tested if tested else self._joined if nested else self.expr
            self.ends = True
            rest = self._arm(last, part, then)
            self.ends = False
        known = "_dy_kept_false" if kind == "and" else "_dy_kept_true"
        nested = nested and node.lineno == self.joined
        for test in reversed(operands):
            kept = call(known if nested or tested else "_dy_kept", node, self.activation(node))
            rest = placed(ast.IfExp(test, kept, rest), node)
        return rest if quiet or ends else self._closed(rest, then)

    def _operand(self, node: ast.expr, key: int, kind: str, whole: ast.BoolOp, tested: bool) -> ast.expr:
        """The test of one operand: true when the expression stops here, with the operand's value kept."""
        point = self.point(Role.OPERAND, key, self.condition_text(node, key))
        stop = "_dy_stop_false" if kind == "and" else "_dy_stop_true"
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self.expr(node.left), self.expr(node.comparators[0])
            return self.probe(f"{stop}_compared", point, whole, left, right, comparison(node.ops[0], node))
        if tested and asks_parts(node):
            value = self.tested(node, whole)
            return self.probe(f"{stop}_known", point, whole, value, self.truth_unless_known(whole))
        if not ASKS_AGAIN and isinstance(node, ast.BoolOp | ast.IfExp) and asks_parts(node):
            around, self.joined = self.joined, whole.lineno
            value = self._joined(node, whole)
            self.joined = around
            return self.probe(f"{stop}_known", point, whole, value, self.truth_unless_known(whole))
        return self.probe(stop, point, whole, self.expr(node, whole), truth(whole))

    def _chained_value(self, node: ast.Compare, tested: bool = False) -> ast.expr:
        """`a < b < c` used as a value: an `and` of its comparisons."""
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
            result = comparison(node.ops[number], node)
            test = self.probe("_dy_stop_false_compared", point, node, left, right, result)
            kept = call("_dy_kept_false" if tested else "_dy_kept", node, self.activation(node))
            rest = placed(ast.IfExp(test, kept, rest), node)
        return rest

    # Who is running

    def _lambda(self, node: ast.Lambda) -> ast.expr:
        self.parts(node.args)
        if isinstance(node.body, _PLAIN):
            return node
        outer = self.place
        name = f"{outer.prefix}<lambda>"
        number = self.function(name, "lambda", node)
        frame, mark = self.framed()
        self.place = outer._replace(
            function=number, name=name, prefix=f"{name}.<locals>.", module=None, parent=None, chain=frozenset(),
            loop=None, frame=frame, mark=mark, within=None,
        )  # fmt: skip
        enter, leave = self.point(Role.ENTER), self.point(Role.LEAVE)
        whole, at = node.body, first_evaluated(node.body)
        body = self.expr(whole, node if GIVES_AT_THE_WHOLE else whole)
        self.place = outer
        entered = call(self.known_as("_dy_enter", frame), at, constant(enter, at))
        then = after(body, node) if GIVES_AT_THE_WHOLE else whole
        node.body = call("_dy_leave", then, constant(leave, at), entered, body)
        placed(node.body.func, at)
        return node

    def _yield(self, node: ast.Yield) -> ast.expr:
        ends, self.ends = self.ends, False
        value = self.expr(node.value) if node.value is not None else constant(None, node)
        node.value = self.probe("_dy_close", self.point(Role.SUSPEND), node, value)
        at = NOWHERE if ends else node
        if ends and RESUMES_ANEW and not FORGETS_CALLS and self.again.after(node):
            at = pad(node, self.pads, JUMPED_TO)
        return self.probe("_dy_close", self.point(Role.RESUME), at, node)
