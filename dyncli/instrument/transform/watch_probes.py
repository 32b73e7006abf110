"""Probes that are added on demand: looks at what is watched, stops at a line, values put in the place of others.

    h = f(x)          ->  @halt(4); h = f(x); h = @patched(2, h); @look(7, a)

A look stands at the beginning of every block and after every statement of a function that knows the name, and at each
step of a comprehension whose variable it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from dyncli.instrument.breakpoint_spec import DebugRequest, Patch, Path, Place, is_file
from dyncli.instrument.transform.builder import call, constant, is_docstring, placed, same_scope
from dyncli.instrument.transform.statements import Statements

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class Added(Statements):
    """Adds probes around statements.  watching: whether the running function knows a name that is watched."""

    watching = False
    header: int | None = None

    @property
    def debug_request(self) -> DebugRequest:
        """Return what was asked for."""
        assert self.program.debug_request is not None
        return self.program.debug_request

    # Around statements

    def block(self, body: list[ast.stmt], first_close: bool = False) -> list[ast.stmt]:
        header = self.header
        rewritten = super().block(body, first_close)
        self.header = header
        if self.watching and body and not is_docstring(body[0]):
            return [self._look(header or body[0].lineno, body[0]), *rewritten]
        return rewritten

    def before(self, node: ast.stmt) -> list[ast.stmt]:
        debug_request, line = self.debug_request, _first(node).lineno
        self.header = line
        debug_request.statements.setdefault(self.file, set()).add(line)
        if isinstance(node, ast.Global | ast.Nonlocal) or is_docstring(node):
            return []
        first = next(iter(self.program.sources))
        here = [each for each in debug_request.lines if each.line == line and is_file(each.file, self.file, first)]
        debug_request.found_lines.update(here)
        return [self._call("@halt", line, _first(node))] if here else []

    def after(self, node: ast.stmt) -> list[ast.stmt]:
        line = _first(node).lineno
        added = self.replaced(self._bound_by(node), line, node)
        if self.watching and not isinstance(node, _LEAVING):
            added.append(self._look(line, node))
        return added

    def entering(self, node: ast.AST, first: ast.stmt) -> list[ast.stmt]:
        return self.replaced(self._bound_within(node), self.header or first.lineno, first)

    def scope(self, nodes: Iterable[ast.AST]) -> bool:
        before = self.watching
        names = self.debug_request.watched_names
        self.watching = bool(names) and any(
            (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.arg) and node.arg in names)
            for node in same_scope(nodes)
        )
        return before

    def scope_ends(self, before: bool) -> None:
        self.watching = before

    def replaced(self, bound: Iterable[Path], line: int, at: ast.stmt) -> list[ast.stmt]:
        """Create assignments of the patched values to names that were just bound."""
        added: list[ast.stmt] = []
        for path in bound:
            for number, _ in self._patches(path, line):
                value = call("@patched", at, constant(number, at), self._place(line, at), _path(path, ast.Load(), at))
                added.append(placed(ast.Assign([_path(path, ast.Store(), at)], value), at))
        return added

    def given(self, clause: ast.comprehension) -> tuple[list[ast.comprehension], list[ast.expr]]:
        target, paths = clause.target, list(_targets(clause.target))
        self._note(paths)
        clauses: list[ast.comprehension] = []
        for path in paths:
            for number, _ in self._patches(path, target.lineno):
                place, value = self._place(target.lineno, target), _path(path, ast.Load(), target)
                values = placed(
                    ast.List([call("@patched", target, constant(number, target), place, value)], ast.Load()), target
                )
                clauses.append(ast.comprehension(_path(path, ast.Store(), target), values, [], 0))
        looks: list[ast.expr] = [
            call(
                "@look_at", target, self._place(target.lineno, target), self.call_id(target),
                constant(number, target), _path(path[:1], ast.Load(), target),
            )
            for number, path in enumerate(self.debug_request.watches)
            if path[:1] in paths
        ]  # fmt: skip
        return clauses, looks

    def walrus(self, node: ast.NamedExpr) -> ast.NamedExpr:
        """Patch the value of an assignment expression."""
        self._note([(node.target.id,)])
        for number, _ in self._patches((node.target.id,), node.lineno):
            node.value = call("@patched", node, constant(number, node), self._place(node.lineno, node), node.value)
        return node

    # What a statement gives values to

    def _bound_by(self, node: ast.stmt) -> list[Path]:
        """List the names that a simple statement, or a definition, binds."""
        match node:
            case ast.Assign(targets=targets):
                found = [path for target in targets for path in _targets(target)]
            case ast.AugAssign(target=target):
                found = list(_targets(target))
            case ast.AnnAssign(target=target, value=value):
                found = list(_targets(target)) if value is not None else []
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found = [((alias.asname or alias.name).partition(".")[0],) for alias in names]
                found = [path for path in found if path != ("*",)]
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found = [(name,)]
            case _:
                found = []
        self._note(found)
        return found

    def _bound_within(self, node: ast.AST) -> list[Path]:
        """List the names that are bound at the start of a block: of a loop, `with`, handler, case or function."""
        match node:
            case ast.For(target=target) | ast.AsyncFor(target=target):
                found = list(_targets(target))
            case ast.With(items=items) | ast.AsyncWith(items=items):
                found = [path for item in items if item.optional_vars for path in _targets(item.optional_vars)]
            case ast.ExceptHandler(name=str() as name):
                found = [(name,)]
            case ast.match_case(pattern=pattern):
                found = [
                    (name,) for each in ast.walk(pattern)
                    for name in (getattr(each, "name", None), getattr(each, "rest", None)) if name
                ]  # fmt: skip
            case ast.arguments():
                every = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
                found = [(argument.arg,) for argument in every if argument is not None]
            case _:
                found = []
        self._note(found)
        return found

    def _note(self, paths: Iterable[Path]) -> None:
        self.debug_request.names.update(".".join(path) for path in paths)

    def _patches(self, path: Path, line: int) -> Iterator[tuple[int, Patch]]:
        debug_request = self.debug_request
        first = next(iter(self.program.sources))
        for number, patch in enumerate(debug_request.patches):
            if patch.name != path:
                continue
            debug_request.bound.setdefault(path, []).append(line)
            if patch.line in (None, line) and (patch.line is None or is_file(patch.file, self.file, first)):
                debug_request.found_patches.add(number)
                yield number, patch

    # Probes

    def _place(self, line: int, at: ast.AST) -> ast.expr:
        self.debug_request.places.append(Place(self.file, line, self.place.name))
        return constant(len(self.debug_request.places) - 1, at)  # type: ignore[arg-type]

    def _look(self, line: int, at: ast.stmt) -> ast.stmt:
        place = self._place(line, at)
        return placed(ast.Expr(call("@look", at, place, self.call_id(at))), at)

    def _call(self, name: str, line: int, at: ast.stmt | ast.expr) -> ast.stmt:
        return placed(ast.Expr(call(name, at, self._place(line, at))), at)


def _first(node: ast.stmt) -> ast.stmt | ast.expr:
    """Return what stands on the first line of a statement: a decorator, or the statement itself."""
    decorators = getattr(node, "decorator_list", None)
    return decorators[0] if decorators else node


def _targets(target: ast.expr) -> Iterator[Path]:
    match target:
        case ast.Name(id=name):
            yield (name,)
        case ast.Attribute():
            path = _dotted(target)
            if path is not None:
                yield path
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _targets(part)
        case ast.Starred(value=value):
            yield from _targets(value)


def _dotted(node: ast.expr) -> Path | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id, *reversed(parts)) if isinstance(node, ast.Name) else None


def _path(path: Path, context: ast.expr_context, at: ast.stmt | ast.expr) -> ast.expr:
    """Build the expression of a dotted name."""
    only = len(path) == 1
    found: ast.expr = placed(ast.Name(path[0], context if only else ast.Load()), at)
    for index, part in enumerate(path[1:], start=2):
        last = index == len(path)
        found = placed(ast.Attribute(found, part, context if last else ast.Load()), at)
    return found
