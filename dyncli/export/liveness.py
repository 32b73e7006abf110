"""Local names of a function that may still be read after a statement, found in the syntax tree, on the safe side."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Names = frozenset[str]


class _Jumps(NamedTuple):
    """Names that are live where `break` and `continue` lead."""

    on_break: Names = frozenset()
    on_continue: Names = frozenset()


def read_in(*nodes: ast.AST | None) -> Names:
    """Return every name that is read in these trees."""
    return frozenset(
        each.id
        for node in nodes
        if node is not None
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, (ast.Load, ast.Del))
    )


def assigned_in(statements: Iterable[ast.stmt]) -> Names:
    """Return every name that these statements bind, but not those of functions in them."""
    found: set[str] = set()
    stack: list[ast.AST] = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, (*_SCOPES, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def _may_rebind(statements: Iterable[ast.stmt]) -> Names:
    """Return every name that anything in these statements may bind or delete."""
    found: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.add(node.id)
            bound = [getattr(node, each, None) for each in ("name", "asname", "rest")]
            found.update(each.partition(".")[0] for each in bound if isinstance(each, str))
    return frozenset(found)


class Liveness:
    """Live names of one function: `after[statement]`, and `head[loop]` where an iteration begins.

    again: `for` loops whose target is read behind them, and can be bound again there from what was taken last.
    """

    def __init__(self, function: ast.FunctionDef) -> None:
        self.after: dict[ast.stmt, Names] = {}
        self.head: dict[ast.stmt, Names] = {}
        self.again: set[ast.stmt] = set()
        inner = [
            node for stmt in function.body for node in ast.walk(stmt) if isinstance(node, (*_SCOPES, ast.ClassDef))
        ]
        shared = [
            name
            for stmt in function.body
            for node in ast.walk(stmt)
            if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        ]
        self._always = read_in(*inner) | frozenset(shared)
        self._block(function.body, frozenset(), _Jumps())

    def _block(self, body: list[ast.stmt], out: Names, jumps: _Jumps) -> Names:
        for statement in reversed(body):
            self.after[statement] = out | self._always
            out = self._statement(statement, out, jumps)
        return out | self._always

    def _statement(self, node: ast.stmt, out: Names, jumps: _Jumps) -> Names:
        """Return the names that are live before a statement."""
        match node:
            case ast.Assign(targets=targets, value=value):
                return (out - _bound(targets)) | read_in(*targets, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                return (out - _bound([target])) | read_in(target, value)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                return out | {name} | read_in(value)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._block(body, out, jumps) | self._block(orelse, out, jumps) | read_in(test)
            case ast.While(test=test, body=body, orelse=orelse):
                after = self._block(orelse, out, jumps) | read_in(test)
                return self._loop(node, body, after, frozenset(), out)
            case ast.For(target=target, iter=iterable, body=body, orelse=orelse):
                done, names = self._block(orelse, out, jumps), _bound([target])
                after = done | read_in(target)
                if names & done and _is_plain(target) and not names & (_may_rebind(body) | self._always):
                    self.again.add(node)
                    after -= names
                return self._loop(node, body, after, names, out) | read_in(iterable) | (names & done)
            case ast.Return() | ast.Raise():
                return read_in(node)
            case ast.Break():
                return jumps.on_break
            case ast.Continue():
                return jumps.on_continue
            case ast.With(items=items, body=body):
                return self._block(body, out, jumps) | read_in(*items)
            case ast.Try() | ast.Match():
                whole = out | read_in(node) | jumps.on_break | jumps.on_continue
                around = _Jumps(jumps.on_break | whole, jumps.on_continue | whole)
                for part in ast.iter_child_nodes(node):
                    inner = [part] if isinstance(part, ast.stmt) else getattr(part, "body", [])
                    self._block([each for each in inner if isinstance(each, ast.stmt)], whole, around)
                return whole
        return out | read_in(node)

    def _loop(self, node: ast.stmt, body: list[ast.stmt], after: Names, bound: Names, out: Names) -> Names:
        """Return the names that are live at the head of a loop; `after` at its normal end, `out` behind it."""
        head = after
        while True:
            found = head | (self._block(body, head, _Jumps(out, head)) - bound)
            if found == head:
                break
            head = found
        self.head[node] = head | self._always
        return head


def _is_plain(target: ast.expr) -> bool:
    """Return whether a target is a name, or names between commas."""
    return isinstance(target, ast.Name) or (isinstance(target, ast.Tuple) and all(map(_is_plain, target.elts)))


def _bound(targets: Iterable[ast.expr]) -> Names:
    """Return the names that an assignment to these targets surely binds."""
    found: set[str] = set()
    for target in targets:
        if isinstance(target, ast.Name):
            found.add(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            found |= _bound(target.elts)
        elif isinstance(target, ast.Starred):
            found |= _bound([target.value])
    return frozenset(found)
