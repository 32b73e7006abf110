"""Comprehensions: one loop for each `for` clause, one decision for each `if` clause.

    [e for x in xs if c]    ->  @close(point, call, [e for x in @loop(point, call, xs) if <c>])
    [e for x in xs]         ->  @close(point, call, [(@at(point, call), e)[1] for x in @loop(point, call, xs)])
    (e for x in xs if c)    ->  (@close(point, @call, e) for x in @lazy(point, call, done, xs)
                                 for @call in [@lazily(point, step, .0)] if <c>)

A step is reported by what is evaluated first in it: a condition, the iterable of the next clause, or the element.
A generator expression runs later than it is made, perhaps several of them in turn, so each is a call of its own, found
through the iterator it holds (`.0`).  Any other runs in the call around.
"""

from __future__ import annotations

import ast

from dyncli.instrument.program import CALL_ID, Role
from dyncli.instrument.transform.builder import Located, Span, call, constant, is_constant, placed, span_of
from dyncli.instrument.transform.conditions import Conditions

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Comprehensions(Conditions):
    """Rewrites comprehensions."""

    def comprehension(self, node: Comprehension) -> ast.expr:
        """Return the instrumented form of a comprehension or generator expression."""
        outer = self.place
        group = self.groups = self.groups + 1
        lazy = isinstance(node, ast.GeneratorExp)
        name = f"{outer.prefix}<genexpr>"
        number = self.function(name, "genexpr", node) if lazy else None
        first = node.generators[0]
        key = self._clause(first, node, group)
        first.iter = self._iterable(first, key, number)
        if number is not None:
            self.place = outer._replace(
                function=number, prefix=f"{name}.<locals>.", module=None, chain=frozenset(), loop=None, unbound=False
            )
        steps, step = self._clauses(node, key, group, number)
        if isinstance(node, ast.DictComp):
            node.key = self._stepped(step, self.expr(node.key))
            node.value = self.expr(node.value)
        else:
            element = self.expr(node.elt)
            if lazy:
                element = self.probe("@close", self.point(Role.SUSPEND), element, element)
            node.elt = self._stepped(step, element)
        node.generators = [clause for clauses in steps for clause in clauses]
        self.place = outer
        return node if lazy else self.probe("@close", self.point(Role.CLOSE, index=group), node, node)

    def given(self, clause: ast.comprehension) -> tuple[list[ast.comprehension], list[ast.expr]]:
        """Return what is added where a clause has given values to names.

        Clauses, then conditions (`watch_probes.py`).
        """
        return [], []

    def _clauses(
        self, node: Comprehension, key: int, group: int, lazily: int | None
    ) -> tuple[list[list[ast.comprehension]], int | None]:
        """Rewrite the conditions of each clause, and the iterables of all but the first.

        Returns what each clause becomes, and the point of the last step if the element is to report it.
        lazily: the number of a generator expression.
        """
        steps = []
        step: int | None = None
        standing: Located = node
        for number, clause in enumerate(node.generators):
            if number:
                key = self._clause(clause, node, group)
                clause.iter = self._iterable(clause, key, None, step)
            clause.target = self.expr(clause.target)
            clauses, conditions = self.given(clause)
            self._enter(key, "loop", loop=True)
            step = self.point(Role.ITERATION, key)
            tests, clause.ifs = clause.ifs, []
            if number == 0 and lazily is not None:
                clauses.insert(0, self._found(node, self.point(Role.LAZY, key, lazily), step))
                step = None
            elif clauses or conditions:
                clause.ifs.append(self.probe("@step", step, clause.target))
                step = None
            for test in tests:
                conditions.append(self._filter(test, standing, step))
                standing = self.stood or standing
                step = step if is_constant(test) else None
            steps.append([clause, *clauses])
            steps[-1][-1].ifs += conditions
        return steps, step

    def _found(self, node: Comprehension, point: int, step: int) -> ast.comprehension:
        """Return the clause of a generator expression that finds its call id, and reports a step of its first loop."""
        iterator = placed(ast.Name(".0", ast.Load()), node)
        found = call("@lazily", node, constant(point, node), constant(step, node), iterator)
        target = placed(ast.Name(CALL_ID, ast.Store()), node)
        return ast.comprehension(target, placed(ast.List([found], ast.Load()), node), [], 0)

    def _stepped(self, step: int | None, value: ast.expr) -> ast.expr:
        """Return `value`, with a step reported before it."""
        if step is None:
            return value
        both = placed(ast.Tuple([self.probe("@at", step, value), value], ast.Load()), value)
        return placed(ast.Subscript(both, constant(1, value), ast.Load()), value)

    def _enter(self, key: int, arm: str, loop: bool = False) -> None:
        """Enter an arm for the rest of the comprehension."""
        self.place = self.place._replace(
            chain=self.place.chain | {key},
            parent=(self.site(key).id, arm),
            loop=key if loop else self.place.loop,
        )

    def _clause(self, clause: ast.comprehension, node: Comprehension, group: int) -> int:
        """Add the construct of a `for` clause, before its iterable is rewritten, and return its key."""
        span, text = self._head(clause)
        element = node.value if isinstance(node, ast.DictComp) else node.elt
        arm_lines = ((element.lineno, element.end_lineno or element.lineno),)
        key = self.construct("comp", span, text, ("loop",), arm_lines)
        construct = self.program.constructs[key]
        construct.group = group
        construct.spans = (self.span(clause.iter),)
        return key

    def _iterable(self, clause: ast.comprehension, key: int, lazily: int | None, step: int | None = None) -> ast.expr:
        """Rewrite a clause's iterable to report itself.  lazily: the number of the generator expression it begins.

        step: the point of a step of the clause before, to be reported first.
        """
        self.iterables += 1
        try:
            return self._reported(clause, key, lazily, step)
        finally:
            self.iterables -= 1

    def _reported(self, clause: ast.comprehension, key: int, lazily: int | None, step: int | None) -> ast.expr:
        if lazily is None:
            point = self.numbered(self.point(Role.LOOP, key), step, clause.iter)
            iterable = self.expr(clause.iter)
            return self.probe("@loop", point, iterable, iterable)
        point = self.point(Role.LAZY, key, lazily)
        iterable = self.expr(clause.iter)
        if clause.is_async:
            return self.probe("@lazy_async", point, iterable, iterable)
        return self.probe("@lazy", point, iterable, constant(self.point(Role.DONE, key, 1), iterable), iterable)

    def _filter(self, test: ast.expr, whole: Located, step: int | None) -> ast.expr:
        """Return the instrumented form of an `if` clause; what follows stands in its `keep` arm.

        step: the point of the step, to be reported first.
        """
        if is_constant(test):
            return self.expr(test)
        key = self.construct("compif", self.span(test), self.text(test), ("keep", "drop"), (None, None))
        rewritten = self.condition(test, key, whole, step)
        self._enter(key, "keep")
        return rewritten

    def _head(self, clause: ast.comprehension) -> tuple[Span, str]:
        """Return the span of `for x in xs` and its text."""
        if not self.is_placed(clause.iter):
            word = "async for" if clause.is_async else "for"
            return self.span(clause.iter), f"{word} {ast.unparse(clause.target)} in {ast.unparse(clause.iter)}"
        target, iterable = span_of(clause.target), span_of(clause.iter)
        line, col = self.source.word_before(b"for", target[0], target[1])
        if clause.is_async:
            line, col = self.source.word_before(b"async", line, col)
        span = (line, col, iterable[2], iterable[3])
        return span, self.source.one_line(span)
