"""Comprehensions: one loop for each `for` clause, one decision for each `if` clause.

    [e for x in xs if c]    ->  _dy_close(point, a, [e for x in _dy_loop(point, a, xs) if <c>])
    [e for x in xs]         ->  _dy_close(point, a, [(_dy_at(point, a), e)[1] for x in _dy_loop(point, a, xs)])
    (e for x in xs)         ->  ((_dy_at(point, a), _dy_close(point, a, e))[1] for x in _dy_lazy(point, a, done, xs))

A step is reported by what is evaluated first in it: a condition, the iterable of the next clause, or the element.
A generator expression runs later than it is made, perhaps several of them in turn, so each is an activation of its own,
found through the iterator it holds (`.0`).  What Python 3.11 calls for any other runs in the activation around.
"""

from __future__ import annotations

import ast

from dyncli.load.instrument.arms import Arms
from dyncli.load.instrument.beginning import (
    AT_THE_WHOLE,
    COMPREHENDS_INLINE,
    ITERATES_AT_THE_WHOLE,
    Located,
    after,
    first_evaluated,
    load_as_one,
)
from dyncli.load.instrument.program import Role
from dyncli.load.instrument.questions import is_assignment, is_constant
from dyncli.load.instrument.scribe import constant, placed
from dyncli.load.instrument.source import Span, span_of
from dyncli.load.instrument.unnamed import Prologue

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Comprehensions(Arms):
    """Rewrites comprehensions.

    standing: where Python 3.11 stands in one after its last condition, which it does not leave before the next.
    """

    standing: Located | None = None

    def comprehension(self, node: Comprehension) -> ast.expr:
        """The instrumented form of a comprehension or generator expression."""
        outer = self.place
        group = self.groups = self.groups + 1
        lazy = isinstance(node, ast.GeneratorExp)
        name = f"{outer.prefix}<genexpr>"
        number = self.function(name, "genexpr", node) if lazy else None
        first = node.generators[0]
        key = self._clause(first, node, group)
        first.iter = self._iterable(first, node, key, number)
        frame, mark = self.framed(marked=True)
        if number is not None:
            self.place = outer._replace(
                function=number, prefix=f"{name}.<locals>.", module=None, chain=frozenset(), loop=None,
                frame=frame, mark=mark, within=None,
            )  # fmt: skip
        elif not COMPREHENDS_INLINE and outer.module is None:
            self.place = outer._replace(frame=frame, mark=mark, within=outer)
        standing, self.standing = self.standing, node
        steps, step = self._clauses(node, key, group)
        at_the_whole, self.standing = self.standing, standing
        if isinstance(node, ast.DictComp):
            value = first_evaluated(node.value)
            then = at_the_whole if AT_THE_WHOLE else node.key
            node.key, node.value = (
                self._stepped(step, self.expr(node.key, value), node.key),
                self.expr(node.value, then),
            )
        else:
            element = self.expr(node.elt, at_the_whole if AT_THE_WHOLE else node.elt)
            if lazy:
                at = after(element, at_the_whole) if AT_THE_WHOLE else element
                element = self.probe("_dy_close", self.point(Role.SUSPEND), at, element)
            node.elt = self._stepped(step, element, at_the_whole)
        if number is not None:
            self.prologues[mark] = Prologue(
                self.known_as("_dy_lazily", frame), self.point(Role.LAZY, key, number), True
            )
        elif frame in self.used:
            self.prologues[mark] = Prologue(self.known_as("_dy_within", frame), None, False)
        node.generators = [clause for clauses in steps for clause in clauses]
        self.place = outer
        return node if lazy else self.probe("_dy_close", self.point(Role.CLOSE, index=group), node, node)

    def given(self, clause: ast.comprehension) -> tuple[list[ast.comprehension], list[ast.expr]]:
        """What is added where a clause has given values to names: clauses, then conditions (`added.py`)."""
        return [], []

    def _clauses(self, node: Comprehension, key: int, group: int) -> tuple[list[list[ast.comprehension]], int | None]:
        """Rewrites the conditions of each clause, and the iterables of all but the first.

        Returns what each clause becomes, and the point of the last step if the element is to report it.
        """
        steps = []
        step: int | None = None
        for number, clause in enumerate(node.generators):
            if number:
                key = self._clause(clause, node, group)
                clause.iter = self._iterable(clause, node, key, None, step)
            clause.target = self.expr(clause.target)
            clauses, conditions = self.given(clause)
            self._enter(key, "loop", loop=True)
            step = self.point(Role.ITERATION, key)
            tests, clause.ifs = clause.ifs, []
            if clauses or conditions:
                clause.ifs.append(self.probe("_dy_step", step, clause.target))
                step = None
            for test in tests:
                conditions.append(self._filter(test, node, step))
                step = step if is_constant(test) else None
            steps.append([clause, *clauses])
            steps[-1][-1].ifs += conditions
        return steps, step

    def _stepped(self, step: int | None, value: ast.expr, then: Located) -> ast.expr:
        """`value`, with a step reported before it; Python goes on with `then`."""
        if step is None:
            return value
        at = after(value, then) if AT_THE_WHOLE else value
        both = placed(ast.Tuple([self.probe("_dy_at", step, first_evaluated(value)), value], ast.Load()), at)
        return placed(ast.Subscript(both, constant(1, at), ast.Load()), at)

    def _enter(self, key: int, arm: str, loop: bool = False) -> None:
        """Stands in an arm for the rest of the comprehension."""
        self.place = self.place._replace(
            chain=self.place.chain | {key},
            parent=(self.site(key).id, arm),
            loop=key if loop else self.place.loop,
        )

    def _clause(self, clause: ast.comprehension, node: Comprehension, group: int) -> int:
        """The key of a `for` clause, before its iterable is rewritten."""
        span, text = self._head(clause)
        element = node.value if isinstance(node, ast.DictComp) else node.elt
        arm_lines = ((element.lineno, element.end_lineno or element.lineno),)
        key = self.construct("comp", span, text, ("loop",), arm_lines)
        construct = self.program.constructs[key]
        construct.group = group
        construct.spans = (self.span(clause.iter),)
        return key

    def _iterable(
        self, clause: ast.comprehension, whole: Comprehension, key: int, lazily: int | None, step: int | None = None
    ) -> ast.expr:
        """The iterable of a clause of `whole`, reported; `lazily` numbers the generator expression whose first it is.

        step: the point of a step of the clause before, to be reported first.
        """
        load_as_one(clause.iter)
        if lazily is None:
            point = self.numbered(self.point(Role.LOOP, key), step, clause.iter)
            if clause is not whole.generators[0] and is_assignment(clause) and not self.program.pinned:
                only = self.expr(clause.iter.elts[0])  # type: ignore[attr-defined]
                kind = constant(type(clause.iter).__name__.lower(), only)
                clause.iter.elts = [self.probe("_dy_only", point, after(only), only, kind)]  # type: ignore[attr-defined]
                return clause.iter
            iterable = self.expr(clause.iter)
            at = after(iterable) if ITERATES_AT_THE_WHOLE else iterable
            return self.probe("_dy_loop", point, at, iterable)
        point = self.point(Role.LAZY, key, lazily)
        iterable = self.expr(clause.iter)
        if clause.is_async:
            return iterable
        done = constant(self.point(Role.DONE, key, 1), first_evaluated(iterable))
        return self.probe("_dy_lazy", point, whole if ITERATES_AT_THE_WHOLE else iterable, done, iterable)

    def _filter(self, test: ast.expr, node: Comprehension, step: int | None) -> ast.expr:
        """The instrumented form of an `if` clause of `node`, and what follows stands in its `keep` arm.

        step: the point of the step, to be reported first.
        """
        if is_constant(test):
            return self.expr(test)
        key = self.construct("compif", self.span(test), self.text(test), ("keep", "drop"), (None, None))
        rewritten = self.condition(test, key, self.standing or node, step)
        self.standing = self.stood
        self._enter(key, "keep")
        return rewritten

    def _head(self, clause: ast.comprehension) -> tuple[Span, str]:
        """Where `for x in xs` stands, and its text."""
        if not self.is_placed(clause.iter):
            word = "async for" if clause.is_async else "for"
            return self.span(clause.iter), f"{word} {ast.unparse(clause.target)} in {ast.unparse(clause.iter)}"
        target, iterable = span_of(clause.target), span_of(clause.iter)
        line, col = self.source.word_before(b"for", target[0], target[1])
        if clause.is_async:
            line, col = self.source.word_before(b"async", line, col)
        span = (line, col, iterable[2], iterable[3])
        return span, self.source.one_line(span)
