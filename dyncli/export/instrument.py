"""Rewrites a script so that its functions report to `Tracer` where arms and iterations begin and meet.

    if test: A            @tok = @trace.begin(key)
    else: B          ->   if test: A
                          else: B
                          n = @trace.number(n, @tok)            for each name that the arms assign
                          @trace.join(@tok, names)

    while test: A         @loop = @trace.loop(key)
                     ->   while True:
                              n = @trace.number(n, @loop)
                              @trace.iteration(@loop, names)
                              if not test: break
                              A
                          @trace.leave(@loop, names)

A `for` is such a `while` over `@trace.source(...)`.  A function that returns from several places is a region, too.
Calls, reads of items and of `.shape` go by way of the tracer, so that numbers that come from tensors stay values.
Names of ours begin with `@`, which no script can spell.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from types import CodeType
from typing import Any

from dyncli.export.liveness import Liveness, Names, assigned_in, read_in

TRACER = "@trace"
SOURCE = "@source"  # what a `for` takes its elements from
_NEEDS_FRAME = frozenset(("super", "locals", "globals", "vars", "dir", "eval", "exec"))
_NOT_PLAIN = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)


def instrumented(source: bytes, path: Path, shared: set[str]) -> CodeType:
    """Return the code of a module whose functions report to the `@trace` among its globals.

    Names that a function declares `global` or `nonlocal` are added to `shared`.
    """
    tree = ast.parse(source, str(path))
    shared.update(n for each in ast.walk(tree) if isinstance(each, (ast.Global, ast.Nonlocal)) for n in each.names)
    return compile(ast.fix_missing_locations(_Modules().visit(tree)), str(path), "exec", dont_inherit=True)


class _Modules(ast.NodeTransformer):
    """Leaves the statements of modules and classes alone and rewrites the functions in them."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        own = [each for stmt in node.body for each in _own(stmt)]
        if any(isinstance(each, _NOT_PLAIN) for each in own) or _NEEDS_FRAME & (read_in(node) - {"super"}):
            if _attributes_stored(node):
                node.body.insert(0, _at(node.body[0], ast.Expr(_call("stored", ast.Constant(None)))))
            return node
        return _Function(node).rewritten()

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node


def _own(node: ast.AST) -> list[ast.AST]:
    """Return the nodes of a statement that belong to its function."""
    found, stack = [], [node]
    while stack:
        each = stack.pop()
        found.append(each)
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(each))
    return found


class _Function(ast.NodeTransformer):
    """Rewrites one function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self._function = function
        _split_choices(function)
        self._live = Liveness(function)
        self._shared = frozenset(
            name for each in ast.walk(function) if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names
        )
        self._count = 0
        self._sources: list[str] = []  # of the `for` loops around a statement
        self._returns = sum(isinstance(each, ast.Return) for stmt in function.body for each in _own(stmt))

    def rewritten(self) -> ast.FunctionDef:
        """Return the function with its body rewritten."""
        node = self._function
        last = node.body[-1]
        region = self._returns > 1 or (self._returns == 1 and not isinstance(last, ast.Return))
        self._region = region
        body = self._body(node.body)
        if region:
            first = node.body[0]
            doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            begin = _at(first, _store("@whole", _call("begin", _key(node))))
            end = _at(last, ast.Return(_call("returned", _load("@whole"), ast.Constant(None))))
            body = [*body[:doc], begin, *body[doc:], end]
        node.body = body
        return node

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for each in statements:
            new = self.visit(each)
            found += new if isinstance(new, list) else [new]
        return found

    def _name(self, word: str) -> str:
        self._count += 1
        return f"@{word}{self._count}"

    def _names(self, live: Names) -> ast.Tuple:
        """Return what a mark describes: live names, and what loops around it still take elements from."""
        return ast.Tuple([ast.Constant(name) for name in (*sorted(live), *self._sources)], ast.Load())

    def _numbers(self, node: ast.stmt, names: Names, token: str, method: str = "number") -> list[ast.stmt]:
        """Let numbers in these names be values from here on; a name that is not bound is left alone."""
        found: list[ast.stmt] = []
        for name in sorted(names - self._shared):
            put = _at(node, _store(name, _call(method, _load(name), _load(token))))
            handler = ast.ExceptHandler(ast.Name("NameError", ast.Load()), None, [ast.Pass()])
            found.append(_at(node, ast.Try([put], [handler], [], [])))
        return found

    # -- statements

    def visit_If(self, node: ast.If) -> Any:
        token = self._name("tok")
        after = self._live.after[node]
        names = assigned_in([*node.body, *node.orelse]) & after
        begin = _at(node, _store(token, _call("begin", _key(node))))
        made = ast.If(self.visit(node.test), self._body(node.body), self._body(node.orelse))
        end = _at(node, ast.Expr(_call("join", _load(token), self._names(after))))
        return [begin, _at(node, made), *self._numbers(node, names, token), end]

    def visit_While(self, node: ast.While) -> Any:
        return self._loop(node, [], ast.UnaryOp(ast.Not(), self.visit(node.test)), [])

    def visit_For(self, node: ast.For) -> Any:
        source = self._name(SOURCE[1:])
        leaves = any(isinstance(each, (ast.Break, ast.Return)) for stmt in node.body for each in _own(stmt))
        start = _at(node, _store(source, _call("source", self.visit(node.iter), ast.Constant(leaves))))
        test = ast.UnaryOp(ast.Not(), _at(node.iter, _method(source, "more")))
        take = _at(node, ast.Assign([node.target], _at(node.iter, _method(source, "next"))))
        owners = [_at(node, ast.Expr(_call("stored", each))) for each in _owners([node.target])]
        again = _at(node, ast.Assign([deepcopy(node.target)], _at(node.iter, _method(source, "last"))))
        bound = _at(node, ast.If(_at(node.iter, _method(source, "has_turned")), [again], []))
        return self._loop(node, [start], test, [take, *owners], source, [bound] if node in self._live.again else [])

    def _loop(
        self, node: ast.While | ast.For, before: list[ast.stmt], done: ast.expr, first: list[ast.stmt],
        source: str = "", last: Sequence[ast.stmt] = (),
    ) -> Any:  # fmt: skip
        inside = [each for stmt in node.orelse for each in _own(stmt)]
        if any(isinstance(each, (ast.Break, ast.Continue)) for each in inside):
            return node  # its `else` leaves the loop around it
        token = self._name("loop")
        head, after = self._live.head[node], self._live.after[node]
        carried = assigned_in([node]) & head
        start = _at(node, _store(token, _call("loop", _key(node), *([_load(source)] if source else []))))
        stop = _at(node, ast.If(done, [*last, *self._body(node.orelse), _at(node, ast.Break())], []))
        self._sources += [source] if source else []
        mark = _at(node, ast.Expr(_call("iteration", _load(token), self._names(head))))
        body = [*self._numbers(node, carried, token), mark, stop, *first, *self._body(node.body)]
        self._sources = self._sources[: len(self._sources) - bool(source)]
        loop = _at(node, ast.While(ast.Constant(True), body, []))
        late = self._numbers(node, assigned_in([node]) & after, token, "settled")
        leave = _at(node, ast.Expr(_call("leave", _load(token), self._names(after))))
        return [*before, start, loop, *late, leave]

    def visit_Return(self, node: ast.Return) -> Any:
        value = ast.Constant(None) if node.value is None else self.visit(node.value)
        if self._region:
            value = _call("returned", _load("@whole"), value)
        return _at(node, ast.Return(value))

    def visit_Assign(self, node: ast.Assign) -> Any:
        owners = _owners(node.targets)
        place = node.targets[0].value if isinstance(node.targets[0], ast.Subscript) else None
        place = deepcopy(place) if _is_dotted(place) else None
        self.generic_visit(node)
        if place is not None:
            node.value = _at(node.value, _call("operand", place, node.value))
        elif isinstance(node.value, ast.Name):
            node.value = _at(node.value, _call("alias", node.value))
        return [node, *(_at(node, ast.Expr(_call("stored", each))) for each in owners)]

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id == "print":
            return _at(node, ast.If(ast.UnaryOp(ast.Not(), _attribute(TRACER, "active")), [node], []))
        self.generic_visit(node)
        return node

    # -- expressions

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in _NEEDS_FRAME:
            return node
        self.generic_visit(node)
        return _at(node, ast.Call(_attribute(TRACER, "call"), [node.func, *node.args], node.keywords))

    def visit_List(self, node: ast.List) -> Any:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.elts = [_at(e, _call("alias", e)) if isinstance(e, ast.Name) else e for e in node.elts]
            if len(node.elts) < 2:
                return _at(node, _call("listed", _key(node), node))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        index = _sliced(node.slice)
        if isinstance(node.ctx, ast.Load):
            return _at(node, _call("item", node.value, index))
        node.slice = _at(index, _call("index", index))
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        owners = _owners([node.target])
        place: Any = node.target.value if isinstance(node.target, ast.Subscript) else node.target
        if _is_dotted(place):
            place = deepcopy(place)
            place.ctx = ast.Load()
            node.value = _at(node.value, _call("operand", place, self.visit(node.value)))
            node.target = self.visit(node.target)
        else:
            self.generic_visit(node)
        return [node, *(_at(node, ast.Expr(_call("stored", each))) for each in owners)]

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if node.attr == "shape" and isinstance(node.ctx, ast.Load):
            return _at(node, _call("shape", node.value))
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        owners = _owners([node.target]) if node.value is not None else []
        if node.value is not None:
            node.value = self.visit(node.value)
        return [node, *(_at(node, ast.Expr(_call("stored", each))) for each in owners)]

    def visit_Delete(self, node: ast.Delete) -> Any:
        owners = _owners(node.targets)
        return [node, *(_at(node, ast.Expr(_call("stored", each))) for each in owners)]

    def visit_With(self, node: ast.With) -> Any:
        owners = _owners([each.optional_vars for each in node.items if each.optional_vars is not None])
        self.generic_visit(node)
        return [*(_at(node, ast.Expr(_call("stored", each))) for each in owners), node]

    def _scope(self, node: Any) -> Any:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return _Modules().visit(node)

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _scope


def _owners(targets: list[ast.expr]) -> list[ast.expr]:
    """Return expressions for the objects whose attributes these targets store; `None` for any but dotted names."""
    found: dict[str, ast.expr] = {}
    for each in _attributes_stored(*targets):
        owner = deepcopy(each.value) if _is_dotted(each.value) else ast.Constant(None)
        found[ast.unparse(owner)] = owner
    return list(found.values())


def _is_dotted(node: ast.expr | None) -> bool:
    """Return whether an expression is a name, or attributes of one: evaluating it once more changes nothing."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _attributes_stored(*nodes: ast.AST) -> list[ast.Attribute]:
    return [
        each
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
    ]


def _split_choices(function: ast.FunctionDef) -> None:
    """Turn `y = a if test else b` into an `if` statement, so that its arms meet."""

    class Split(ast.NodeTransformer):
        def visit_Assign(self, node: ast.Assign) -> Any:
            value = node.value
            if not isinstance(value, ast.IfExp) or not all(isinstance(each, ast.Name) for each in node.targets):
                return node
            arms = [self.visit(_at(node, ast.Assign(node.targets, each))) for each in (value.body, value.orelse)]
            return _at(node, ast.If(value.test, [arms[0]], [arms[1]]))

        def visit_Lambda(self, node: ast.Lambda) -> Any:
            return node

    function.body = [Split().visit(each) for each in function.body]


def _at(old: ast.AST, new: Any) -> Any:
    """Return `new`, and all in it that has no place yet, at the place of `old`: of a block, at its first line.

    Python takes a call of a method for one of the last line that it spans.
    """
    placed = [each for each in ast.walk(new) if "lineno" in each._attributes and not hasattr(each, "lineno")]
    for each in dict.fromkeys([new, *placed]):
        ast.copy_location(each, old)
        if hasattr(old, "body") and not isinstance(old, ast.expr):
            each.end_lineno, each.end_col_offset = each.lineno, each.col_offset + 1
    return new


def _sliced(index: Any) -> Any:
    """Return an index without the syntax that stands in square brackets only."""
    if isinstance(index, ast.Tuple):
        return _at(index, ast.Tuple([_sliced(each) for each in index.elts], ast.Load()))
    if not isinstance(index, ast.Slice):
        return index
    parts = [ast.Constant(None) if each is None else each for each in (index.lower, index.upper, index.step)]
    return _at(index, _call("slice", *parts))


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _attribute(name: str, attribute: str) -> ast.Attribute:
    return ast.Attribute(_load(name), attribute, ast.Load())


def _method(name: str, method: str) -> ast.Call:
    return ast.Call(_attribute(name, method), [], [])


def _call(method: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_attribute(TRACER, method), list(arguments), [])


def _store(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _key(node: ast.stmt | ast.List) -> ast.Constant:
    return ast.Constant(f"{type(node).__name__.lower()}@{node.lineno}:{node.col_offset}")
