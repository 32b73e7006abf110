"""Questions about a piece of source that can be answered before it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
#: The builtins that list the variables of the frame that calls them.
LISTING = frozenset({"locals", "vars", "dir"})
_FLAGS = ("TYPE_CHECKING", "__debug__")


def is_constant(test: ast.expr) -> bool:
    """Return whether a test is decided before the run: `True`, `not 0`, `1 < 2`, `TYPE_CHECKING`, `__debug__`."""
    match test:
        case ast.Constant():
            return True
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name):
            return name in _FLAGS
        case ast.UnaryOp(operand=operand):
            return is_constant(operand)
        case ast.BoolOp(values=values):
            return all(map(is_constant, values))
        case ast.Compare(left=left, comparators=comparators):
            return all(isinstance(part, ast.Constant) for part in (left, *comparators))
    return False


def known_truth(test: ast.expr) -> bool | None:
    """Return the truth of a test that the compiler knows, such as `True or x`; None if it does not."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id="__debug__"):
            return __debug__
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            known = known_truth(operand)
            return None if known is None else not known
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() | complex() as value)):
            return bool(value)
        case ast.BoolOp(op=operator, values=values):
            conjoined = isinstance(operator, ast.And)
            return next((known for value in values if (known := known_truth(value)) is not conjoined), conjoined)
    return None


def is_silent(node: ast.stmt) -> bool:
    """Return whether there are no instructions for a statement of a function."""
    return isinstance(node, ast.Global | ast.Nonlocal) or (
        isinstance(node, ast.AnnAssign) and node.value is None and isinstance(node.target, ast.Name)
    )


def is_quiet(node: ast.expr | None) -> bool:
    """Return whether evaluating `node` can neither run an op nor call anything."""
    match node:
        case None | ast.Constant() | ast.Name() | ast.Lambda():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts):
            return all(map(is_quiet, parts))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_quiet(key) for key in keys) and all(map(is_quiet, values))
        case ast.NamedExpr(value=value):
            return is_quiet(value)
    return False


def tests_quietly(test: ast.expr) -> bool:
    """Return whether nothing runs in a test before its first probe: `a < b`, `not done`, `a and f(b)`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return tests_quietly(operand)
        case ast.BoolOp(values=[first, *_]):
            return tests_quietly(first)
        case ast.Compare(left=left, comparators=[right, *_]):
            return is_quiet(left) and is_quiet(right)
    return is_quiet(test)


def same_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield every node below `nodes` that runs in the same function, without nested functions and classes."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting.extend(ast.iter_child_nodes(node))


def may_leave(statement: ast.stmt) -> bool:
    """Return whether an arm of `statement` may leave the block it stands in.

    Return, raise, or break or continue outwards.
    """
    waiting: list[tuple[ast.AST, bool]] = [(statement, False)]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, ast.Return | ast.Raise):
            return True
        if isinstance(node, ast.Break | ast.Continue) and not in_loop:
            return True
        if isinstance(node, (*SCOPES, ast.expr)):
            continue
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            waiting += [(child, True) for child in node.body] + [(child, in_loop) for child in node.orelse]
        else:
            waiting += [(child, in_loop) for child in ast.iter_child_nodes(node)]
    return False


def returns_inside(statements: Iterable[ast.stmt]) -> bool:
    """Return whether a `return` stands among `statements`, at any depth of this function."""
    return any(isinstance(node, ast.Return) for node in same_scope(statements))


def is_irrefutable(case: ast.match_case) -> bool:
    """Return whether a case always matches, so that nothing may follow it."""
    return case.guard is None and always_matches(case.pattern)


def always_matches(pattern: ast.pattern) -> bool:
    """Return whether a pattern takes anything."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=inner):
            return inner is not None and always_matches(inner)
        case ast.MatchOr(patterns=patterns):
            return any(map(always_matches, patterns))
    return False


def short_circuits(node: ast.expr) -> bool:
    """Return whether Python asks parts of an expression for their truth when it is tested, and then not the whole."""
    match node:
        case ast.BoolOp(values=[*tested, last]):
            return not all(map(is_constant, tested)) or short_circuits(last)
        case ast.Compare(ops=operators):
            return len(operators) > 1
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return short_circuits(operand)
        case ast.IfExp(body=body, orelse=orelse):
            return short_circuits(body) or short_circuits(orelse)
    return False


_DECIDING = (
    ast.If, ast.IfExp, ast.While, ast.For, ast.AsyncFor, ast.Match, ast.Try, ast.TryStar, ast.Assert, ast.BoolOp,
    ast.comprehension,
)  # fmt: skip


def may_decide(code: ast.expr) -> bool:
    """Return whether code made of a text may decide something, or list variables; if the text is not known, it may."""
    if not isinstance(code, ast.Constant) or not isinstance(code.value, str):
        return True
    try:
        nodes = ast.walk(ast.parse(code.value.strip()))
        return any(isinstance(node, _DECIDING) or (isinstance(node, ast.Name) and node.id in LISTING) for node in nodes)
    except (SyntaxError, ValueError, RecursionError):
        return True


def is_docstring(node: ast.stmt) -> bool:
    """Return whether a statement is a text alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def needs_close(node: ast.stmt) -> bool | None:
    """Return whether something may run in `node` before its first report.

    None if it neither runs nor reports anything.
    """
    match node:
        case ast.Pass() | ast.Global() | ast.Nonlocal():
            return None
        case ast.FunctionDef(decorator_list=[], args=ast.arguments(defaults=[], kw_defaults=[])):
            return None
        case ast.Assign(targets=targets, value=value):
            return None if is_quiet(value) and all(isinstance(target, ast.Name) for target in targets) else True
        case ast.Break() | ast.Continue():
            return False
        case ast.Return(value=value):
            return not is_quiet(value)
        case ast.If(test=test) | ast.Assert(test=test):
            return is_constant(test) or not tests_quietly(test)
        case ast.For(iter=iterable):
            return not is_quiet(iterable)
        case ast.While():
            return False
    return True


def breaks_plainly(body: list[ast.stmt]) -> bool:
    """Return whether every `break` of this loop leaves it at once, with no `finally` or `with` to pass."""
    for statement in body:
        match statement:
            case ast.Try() | ast.TryStar() | ast.With() | ast.AsyncWith():
                if any(isinstance(node, ast.Break) for node in ast.walk(statement)):
                    return False
            case ast.If():
                if not (breaks_plainly(statement.body) and breaks_plainly(statement.orelse)):
                    return False
            case ast.Match():
                if not all(breaks_plainly(case.body) for case in statement.cases):
                    return False
            case ast.For() | ast.AsyncFor() | ast.While():
                if not breaks_plainly(statement.orelse):
                    return False
    return True
