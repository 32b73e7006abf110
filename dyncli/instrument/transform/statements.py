"""Statements: what decides, what repeats, what leaves, where the arms of a construct end, and definitions.

    def f(x): ...       ->  def f(x): @call = @enter(point); ...; @at(point, @call)
    class C: ...        ->  the same class, in the call around

An arm has no report of its own end: the next report outside it closes it.  Where something may run before that report,
an `@at` statement is put in front, on the line of the statement that follows.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from dyncli.instrument.program import CALL_ID, Role
from dyncli.instrument.transform.builder import (
    Span,
    beginning,
    breaks_plainly,
    call,
    constant,
    is_constant,
    is_docstring,
    is_irrefutable,
    is_silent,
    lines_of,
    may_leave,
    needs_close,
    otherwise_bound,
    placed,
    returns_inside,
    span_of,
    tests_quietly,
    truth_of,
)  # fmt: skip
from dyncli.instrument.transform.expressions import Expressions

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Definitions(Expressions):
    """Rewrites definitions of functions and classes."""

    @abstractmethod
    def block(self, body: list[ast.stmt], first_close: bool = False) -> list[ast.stmt]:
        """Instrument a block.  first_close: whether an arm may be open when it begins."""

    @abstractmethod
    def ended(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Instrument the body of a function or module; every end of it is reported."""

    # What is added on demand (`watch_probes.py`)

    def entering(self, node: ast.AST, first: ast.stmt) -> list[ast.stmt]:
        """Return the statements to add before `first`, in a block whose names `node` binds."""
        return []

    def scope(self, nodes: Iterable[ast.AST]) -> bool:
        """Begin the scope of a function, class or module; pass the returned value to `scope_ends`."""
        return False

    def scope_ends(self, before: bool) -> None:
        """Return to the enclosing scope."""

    # Definitions

    def function_of(self, node: _Function) -> list[ast.stmt]:
        node.decorator_list = [self.expr(decorator) for decorator in node.decorator_list]
        self.parts_of_arguments(node.args)
        outer, loops = self.place, self.loops
        name = f"{outer.prefix}{node.name}"
        kind = "async" if isinstance(node, ast.AsyncFunctionDef) else "function"
        number = self.function(name, kind, node)
        self.place = outer._replace(
            function=number, name=name, prefix=f"{name}.<locals>.", module=None, parent=None, chain=frozenset(),
            loop=None, in_with=None, unbound=False,
        )  # fmt: skip
        self.loops = []
        scope = self.scope([node.args, *node.body])
        node.body = self._body(node.body, kind, node.args)
        self.scope_ends(scope)
        self.place, self.loops = outer, loops
        return [node]

    def _body(self, body: list[ast.stmt], kind: str, arguments: ast.arguments) -> list[ast.stmt]:
        """Put the reports of its beginning and end around a function's body."""
        start = 1 if is_docstring(body[0]) else 0
        if all(isinstance(each, ast.Pass) or is_docstring(each) or is_silent(each) for each in body):
            return body
        at = beginning(next(statement for statement in body[start:] if not is_silent(statement)))
        probe = "@enter_async" if kind == "async" else "@enter"
        entered = call(probe, at, constant(self.point(Role.ENTER), at))
        given = self.entering(arguments, body[start])
        enter = placed(ast.Assign([placed(ast.Name(CALL_ID, ast.Store()), at)], entered), at)
        return [*body[:start], enter, *given, *self.ended(body[start:])]

    def class_of(self, node: ast.ClassDef) -> list[ast.stmt]:
        node.decorator_list = [self.expr(decorator) for decorator in node.decorator_list]
        outer, loops = self.place, self.loops
        node.bases = [self.expr(base) for base in node.bases]
        for keyword in node.keywords:
            keyword.value = self.expr(keyword.value)
        name = f"{outer.prefix}{node.name}"
        self.place = outer._replace(name=name, prefix=f"{name}.")
        self.loops = []
        scope = self.scope(node.body)
        node.body = self.block(node.body)
        self.scope_ends(scope)
        self.place, self.loops = outer, loops
        return [node]

    def parts_of_arguments(self, arguments: ast.arguments) -> None:
        """Rewrite default values; annotations stay as they are."""
        arguments.defaults = [self.expr(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self.expr(default) for default in arguments.kw_defaults]


_BLOCKS = (ast.If, ast.Match, ast.Try, ast.TryStar, ast.With, ast.AsyncWith)


class Statements(Definitions):
    """Rewrites statements and blocks of them.  stayed: the keys whose arms the last block left open at its end."""

    stayed: frozenset[int] = frozenset()

    def block(self, body: list[ast.stmt], first_close: bool = False) -> list[ast.stmt]:
        """Instrument a block.  first_close: whether an arm may be open when it begins."""
        before = self.place
        rewritten: list[ast.stmt] = []
        open_arm = first_close
        for statement in body:
            if open_arm:
                needed = needs_close(statement)
                if needed:
                    rewritten.append(self.report("@at", self.point(Role.CLOSE), statement))
                open_arm = needed is None
            rewritten += self.before(statement)
            called = self._call_of_statement(statement)
            rewritten += self.statement(statement)
            self.called_before = called
            rewritten += self.after(statement)
            if isinstance(statement, _BLOCKS) or statement in self.left_late:
                open_arm = True
        self.stayed = self.place.chain - before.chain
        self.place = before
        return rewritten

    def ended(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return the instrumented form of the body of a function or module, with a report of its end."""
        self.program.other_values.update((self.place.function, name) for name in otherwise_bound(body))
        rewritten = self.block(body)
        if not isinstance(body[-1], ast.Return | ast.Raise):
            rewritten.append(self.report("@at", self.point(Role.LEAVE), body[-1]))
        return rewritten

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Instrument one statement."""
        rewrite = _REWRITES.get(type(node))
        if rewrite is not None:
            return rewrite(self, node)
        self.parts(node)
        return [node]

    # What is added on demand (`watch_probes.py`)

    def before(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what is added before a statement."""
        return []

    def after(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what is added after a statement."""
        return []

    # Decisions

    def _if(self, node: ast.If) -> list[ast.stmt]:
        if is_constant(node.test):
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return [node]
        kind = "elif" if self.source.starts(node, b"elif") else "if"
        key = self._test(kind, node.test, ("then", "else"), (lines_of(node.body), lines_of(node.orelse)))
        leaves = may_leave(node)
        node.test = self.condition(node.test, key, node)
        with self.within(key, "then"):
            node.body = self.block(node.body)
        stayed = self.stayed
        with self.within(key, "else"):
            node.orelse = self.block(node.orelse)
        if leaves:
            self._stay(key, stayed | self.stayed)
        return [node]

    def _assert(self, node: ast.Assert) -> list[ast.stmt]:
        if is_constant(node.test):
            self.parts(node)
            return [node]
        key = self._test("assert", node.test, ("pass", "fail"), (None, None))
        node.test = self.condition(node.test, key, node)
        if node.msg is not None:
            with self.within(key, "fail"):
                node.msg = self.expr(node.msg)
        return [node]

    def _match(self, node: ast.Match) -> list[ast.stmt]:
        arms = self._arms(node)
        arm_lines = [lines_of(case.body) for case in node.cases]
        complete = is_irrefutable(node.cases[-1])
        if not complete:
            arms.append("no match")
            arm_lines.append(None)
        key = self.construct("match", self.span(node.subject), self.text(node.subject), tuple(arms), tuple(arm_lines))
        self.whole_text(node.subject, key)
        leaves = may_leave(node)
        point = self.point(Role.SUBJECT, key)
        subject = self.expr(node.subject)
        stayed: frozenset[int] = frozenset()
        self.program.constructs[key].patterns = tuple(case.pattern for case in node.cases)
        chosen = self.site(key).line in self.program.chosen
        node.subject = self.probe("@subject", point, subject, subject)
        for index, case in enumerate(node.cases):
            if case.guard is not None and not is_constant(case.guard):
                guard = self._test("guard", case.guard, ("pass", "fail"), (lines_of(case.body), None))
                self.program.constructs[guard].opens = False
                case.guard = self.condition(case.guard, guard, case.pattern)
            if chosen:
                from dyncli.instrument.transform.forced_cases import choosable

                choosable(case, self.call_id(case.pattern), key, index)
            taken = self.report("@at", self.point(Role.CASE, key, index), case.body[0])
            with self.within(key, arms[index]):
                bound = self.entering(case, case.body[0])
                case.body = [taken, *bound, *self.block(case.body)]
            stayed |= self.stayed
        if not complete:
            at = node.cases[-1].pattern
            missed = self.report("@at", self.point(Role.CASE, key, len(node.cases)), at)
            node.cases.append(ast.match_case(placed(ast.MatchAs(), at), None, [missed]))
        if leaves:
            self._stay(key, stayed)
        return [node]

    def _try(self, node: ast.Try | ast.TryStar) -> list[ast.stmt]:
        returns = returns_inside([*node.body, *node.handlers, *node.orelse])  # type: ignore[list-item]
        word = "except*" if isinstance(node, ast.TryStar) else "except"
        self.passing += bool(node.finalbody)
        node.body = self.block(node.body)
        if node.handlers:
            arms = tuple(f"{word} {self.text(h.type)}" if h.type is not None else word for h in node.handlers)
            lines = tuple(lines_of(handler.body) for handler in node.handlers)
            span = (node.lineno, node.col_offset, node.lineno, node.col_offset + len("try"))
            key = self.construct("try", span, "try", arms, lines)
            for index, handler in enumerate(node.handlers):
                if handler.type is not None:
                    handler.type = self.expr(handler.type)
                caught = self.report("@caught", self.point(Role.HANDLER, key, index), handler.body[0])
                with self.within(key, arms[index]):
                    bound = self.entering(handler, handler.body[0])
                    handler.body = [caught, *bound, *self.block(handler.body)]
        node.orelse = self.block(node.orelse, first_close=True)
        self.passing -= bool(node.finalbody)
        if node.finalbody:
            begun = self.report("@finally", self.point(Role.CLOSE), node.finalbody[0])
            last = node.finalbody[-1]
            node.finalbody = [begun, *self.block(node.finalbody)]
            if returns:
                node.finalbody.append(self.report("@at", self.point(Role.FINALLY_END), last))
        return [node]

    # Loops

    def _while(self, node: ast.While) -> list[ast.stmt]:
        if is_constant(node.test):
            key = self.silent_loop(node, self.text(node.test))
            starts = self.report("@at", self.point(Role.WHILE, key), node)
            with self.within(key, "body", loop=True):
                step = self.report("@at", self.point(Role.ITERATION, key), node.body[0])
                node.body = [step, *self._loop_body(node, key)]
        else:
            key = self._test("while", node.test, ("body", "exit"), (lines_of(node.body), lines_of(node.orelse)))
            starts = self.report("@at", self.point(Role.WHILE, key), node)
            stale = any(isinstance(statement, _BLOCKS) for statement in node.body) and not tests_quietly(node.test)
            with self.within(key, "body", loop=True):
                before = self.point(Role.CLOSE) if stale else None
                self.called_before = self._call_of_statement(node.body[-1])
                node.test = self.condition(node.test, key, node, before)
                node.body = self._loop_body(node, key)
        node.orelse = self.block(node.orelse)
        return [starts, node]

    def _for(self, node: ast.For | ast.AsyncFor) -> list[ast.stmt]:
        iterable = span_of(node.iter)
        span: Span = (node.lineno, node.col_offset, iterable[2], iterable[3])
        key = self.construct("for", span, self.source.one_line(span), ("loop",), (lines_of(node.body),))
        self.program.constructs[key].spans = (self.span(node.iter),)
        point = self.point(Role.LOOP, key)
        iterated = self.expr(node.iter)
        node.iter = self.probe("@loop", point, iterated, iterated)
        node.target = self.expr(node.target)
        with self.within(key, "loop", loop=True):
            step = self.report("@at", self.point(Role.ITERATION, key), node.body[0])
            bound = self.entering(node, node.body[0])
            node.body = [step, *bound, *self._loop_body(node, key)]
        done = self.report("@at", self.point(Role.DONE, key), node)
        node.orelse = [done, *self.block(node.orelse)]
        return [node]

    def _loop_body(self, node: ast.For | ast.AsyncFor | ast.While, key: int) -> list[ast.stmt]:
        if not breaks_plainly(node.body):
            self.left_late.add(node)
        self.loops.append(key)
        passing, self.passing = self.passing, 0
        rewritten = self.block(node.body)
        self.loops.pop()
        self.passing = passing
        return rewritten

    def _break(self, node: ast.Break) -> list[ast.stmt]:
        if not self.loops:
            return [node]  # outside any loop: compile() says so
        return [self.report("@at", self.point(Role.BREAK, self.loops[-1], int(self.passing > 0)), node), node]

    # Who is running

    def _return(self, node: ast.Return) -> list[ast.stmt]:
        around = self.place.in_with
        if around is not None:
            self.program.around.append(around)
        index = 0 if around is None else len(self.program.around)
        if node.value is None or self.place.module is not None:
            return [self.report("@at", self.point(Role.LEAVE, index=index), node), node]
        point = self.returned(node.value, index)
        node.value = self.probe("@close", point, node, self.expr(node.value))
        return [node]

    def _with(self, node: ast.With | ast.AsyncWith) -> list[ast.stmt]:
        for item in node.items:
            item.context_expr = self.expr(item.context_expr)
            if item.optional_vars is not None:
                item.optional_vars = self.expr(item.optional_vars)
        left = self.report("@left", self.point(Role.CLOSE), node)
        before = self.place
        self.place = before._replace(in_with=before.chain)
        bound = self.entering(node, node.body[0])
        self.passing += 1
        body = [*bound, *self.block(node.body, first_close=isinstance(node, ast.AsyncWith))]
        self.passing -= 1
        self.place = before
        node.body = [self._leaving(body, left, node)]
        return [node]

    def _leaving(self, body: list[ast.stmt], left: ast.stmt, at: ast.stmt) -> ast.stmt:
        """Return the body of a `with` that reports an exception before the `__exit__` sees it."""
        again = placed(ast.Raise(), at)
        everything = placed(ast.Name("@BaseException", ast.Load()), at)
        handler = ast.ExceptHandler(everything, None, [left, again])
        handler.lineno, handler.col_offset = at.lineno, at.col_offset
        return placed(ast.Try(body, [handler], [], []), at)

    def _assigned(self, node: ast.Assign) -> list[ast.stmt]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()) if self.place.loop is not None:
                self.program.constants.setdefault(self.place.loop, set()).add(name)
            case ast.Assign(targets=[target], value=value):
                self.keep(value, target)
        self.parts(node)
        return [node]

    def _annotated(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is not None:
            self.keep(node.value, node.target)
            node.value = self.expr(node.value)
        node.target = self.expr(node.target)  # type: ignore[assignment]
        return [node]

    def _untouched(self, node: ast.stmt) -> list[ast.stmt]:
        return [node]

    # Helpers

    def _call_of_statement(self, node: ast.stmt) -> tuple[str, str, Span | None]:
        """Return the name to which a statement assigns what a call returns, and the source and span of the call."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if isinstance(truth_of(value), ast.Call):
                return name, self.text(value), self.span(truth_of(value))
        return "", "", None

    def _test(self, kind: str, test: ast.expr, arms: tuple[str, ...], lines: tuple[tuple[int, int] | None, ...]) -> int:
        return self.construct(kind, self.span(test), self.text(test), arms, lines)

    def _stay(self, key: int, within: frozenset[int]) -> None:
        """Leave the arms of `key` open, and those inside them: what follows runs because none of them left."""
        self.place = self.place._replace(chain=self.place.chain | {key} | within)

    def _arms(self, node: ast.Match) -> list[str]:
        """Name a match's arms: `case <pattern>`, with the guard where two patterns are equal."""
        patterns = [f"case {self.source.one_line(span_of(case.pattern))}" for case in node.cases]
        return [
            pattern if patterns.count(pattern) == 1 or case.guard is None else f"{pattern} if {self.text(case.guard)}"
            for pattern, case in zip(patterns, node.cases, strict=True)
        ]


_REWRITES: dict[type[ast.stmt], Callable[[Statements, Any], list[ast.stmt]]] = {
    ast.If: Statements._if,
    ast.Assert: Statements._assert,
    ast.Match: Statements._match,
    ast.Try: Statements._try,
    ast.TryStar: Statements._try,
    ast.While: Statements._while,
    ast.For: Statements._for,
    ast.AsyncFor: Statements._for,
    ast.Break: Statements._break,
    ast.Return: Statements._return,
    ast.With: Statements._with,
    ast.AsyncWith: Statements._with,
    ast.FunctionDef: Statements.function_of,
    ast.AsyncFunctionDef: Statements.function_of,
    ast.ClassDef: Statements.class_of,
    ast.Assign: Statements._assigned,
    ast.AnnAssign: Statements._annotated,
}
if hasattr(ast, "TypeAlias"):
    _REWRITES[ast.TypeAlias] = Statements._untouched
