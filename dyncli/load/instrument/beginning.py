"""Where the debugger stops: what Python evaluates first of an expression or a statement, and what it does last."""

from __future__ import annotations

import ast
import re
import sys
from itertools import pairwise

Located = ast.expr | ast.stmt | ast.pattern
#: From Python 3.12 the value of `a and b` is asked for its truth again by an `and` or `or` around.
ASKS_AGAIN = sys.version_info >= (3, 12)
#: From Python 3.12 a comprehension is no function of its own.
COMPREHENDS_INLINE = sys.version_info >= (3, 12)
#: Where no source is: the compiler gives it the place of what ran before, so that a debugger comes to no other line.
NOWHERE = ast.Pass(lineno=-1, col_offset=-1, end_lineno=-1, end_col_offset=-1)
#: Python 3.11 asks for a truth where the statement stands, or the part it came to last: a traceback's carets show it.
#: What a `with` or a comprehension gives on stands where all of it does.
AT_THE_WHOLE = sys.version_info < (3, 12)
#: Until Python 3.12 what a lambda gives stands where all of it does.
GIVES_AT_THE_WHOLE = sys.version_info < (3, 13)
#: And a loop or comprehension asks for its iterator there.
ITERATES_AT_THE_WHOLE = sys.version_info < (3, 13)
#: And a `with` is left there by a `return`, later where its last part stands.
LEAVES_AT_THE_WHOLE = sys.version_info < (3, 13)
#: So many constants in a list or set are loaded as one.
LOADED_AS_ONE = 3
#: What holds more than so many values is made empty first, and filled one by one.
BEGUN_EMPTY = 30


def first_evaluated(node: ast.expr) -> ast.expr | ast.Pass:
    """The part of an expression that is evaluated first, or `NOWHERE` if that stands where what ran before does."""
    while True:
        kind = type(node)
        if kind is ast.Name or kind is ast.Constant:
            return node
        name = _FIRST.get(kind)
        if name is None:
            first = _first_of_several(node)
        elif kind in _FOLDING and _is_folded(node):
            return node
        else:
            first = getattr(node, name)
            if kind is ast.BinOp and isinstance(first, ast.Constant):
                formatted = _first_formatted(node)
                if isinstance(formatted, ast.Pass):
                    return formatted
                first = formatted or first
        if first is None or first is node:
            return node
        node = first


#: The field that is evaluated first.
_FIRST: dict[type[ast.expr], str] = {
    ast.Call: "func", ast.Attribute: "value", ast.Compare: "left", ast.BinOp: "left", ast.Subscript: "value",
    ast.IfExp: "test", ast.UnaryOp: "operand", ast.NamedExpr: "value", ast.Starred: "value",
    ast.FormattedValue: "value", ast.Yield: "value", ast.YieldFrom: "value", ast.Await: "value",
}  # fmt: skip
_FOLDING = (ast.BinOp, ast.UnaryOp, ast.Subscript)


def _first_of_several(node: ast.expr) -> ast.expr:
    if _is_folded(node):
        return node
    match node:
        case ast.BoolOp(values=[first, *_]) | ast.JoinedStr(values=[first, *_]):
            return first
        case ast.Lambda(args=arguments):
            return _first_default(arguments) or node
        case ast.Tuple(elts=[first, *rest]) | ast.List(elts=[first, *rest]) | ast.Set(elts=[first, *rest]):
            return node if isinstance(first, ast.Starred) or len(rest) >= BEGUN_EMPTY else first
        case ast.Dict(keys=[key, *rest], values=[value, *_]):
            if key is None or 2 * (len(rest) + 1) > BEGUN_EMPTY:
                return node
            constant = len(rest) > 0 and all(isinstance(each, ast.Constant) for each in (key, *rest))
            return value if constant else key
        case ast.ListComp(generators=[clause, *_]) | ast.SetComp(generators=[clause, *_]) if COMPREHENDS_INLINE:
            return clause.iter
        case ast.DictComp(generators=[clause, *_]) if COMPREHENDS_INLINE:
            return clause.iter
    return node


def begins(node: ast.stmt) -> ast.stmt | ast.expr:
    """What a statement does first: a decorator, a default value, the test, or the statement itself."""
    first: ast.expr | None = None
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            first = node.decorator_list[0] if node.decorator_list else _first_default(node.args)
        case ast.ClassDef(decorator_list=[decorator, *_]):
            first = decorator
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            first = test
        case ast.For(iter=value):
            load_as_one(value)
            first = value
        case ast.AsyncFor(iter=value) | ast.Match(subject=value) | ast.Expr(value=value):
            first = value
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.Return(value=ast.expr() as value):
            first = value
        case ast.AugAssign(target=target):
            first = target
        case ast.Raise(exc=ast.expr() as value):
            first = value
        case ast.With(items=[item, *_]) | ast.AsyncWith(items=[item, *_]):
            first = item.context_expr
        case ast.Delete(targets=[target, *_]):
            first = target
    return node if first is None else first_evaluated(first)


def after(value: ast.expr, then: Located | None = None) -> Located:
    """Where a call that gets `value` adds no line: nowhere, unless Python comes there from several places.

    then: what Python goes on with there, by default the value itself.
    """
    match value:
        case ast.IfExp() | ast.BoolOp() | ast.Await() | ast.YieldFrom():
            return then or value
        case ast.Compare(ops=operators) if len(operators) > 1:
            return then or value
    return NOWHERE


def last_pattern(pattern: ast.pattern) -> ast.pattern:
    """The part of a pattern that Python compares last."""
    match pattern:
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return last_pattern(inner)
        case ast.MatchSequence(patterns=parts) | ast.MatchMapping(patterns=parts):
            pass
        case ast.MatchClass(patterns=parts, kwd_patterns=named):
            parts = [*parts, *named]
        case _:
            return pattern
    compared = [each for each in parts if not (isinstance(each, ast.MatchAs) and each.name is None)]
    return last_pattern(compared[-1]) if compared else pattern


def last_alternative(pattern: ast.pattern) -> ast.pattern:
    """Where Python stands when a pattern did not match: until 3.11 at the last of several alternatives."""
    match pattern:
        case ast.MatchOr(patterns=[*_, last]) if AT_THE_WHOLE:
            return last_alternative(last)
    return pattern


def _first_default(arguments: ast.arguments) -> ast.expr | None:
    """The default value that is evaluated first."""
    defaults = [each for each in (*arguments.defaults, *arguments.kw_defaults) if each is not None]
    return defaults[0] if defaults else None


def _is_folded(node: ast.expr) -> bool:
    """Whether the compiler loads an expression as one constant."""
    if isinstance(node, ast.List | ast.Set):
        return len(node.elts) >= LOADED_AS_ONE and all(map(_is_constant, node.elts))
    return _is_constant(node)


def _is_constant(node: ast.expr) -> bool:
    """Whether the compiler makes one constant of an expression, wherever it stands."""
    match node:
        case ast.Tuple(elts=parts):
            return all(map(_is_constant, parts))
        case ast.BinOp(left=left, right=right) | ast.Subscript(value=left, slice=right):
            return _is_constant(left) and _is_constant(right)
        case ast.UnaryOp(operand=operand):
            return _is_constant(operand)
    return isinstance(node, ast.Constant)


def _first_formatted(node: ast.expr) -> ast.expr | ast.Pass | None:
    """What comes first where Python makes an f-string of `"a %s" % (b,)`, whose texts stand nowhere; else None."""
    match node:
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=ast.Tuple(elts=parts)) if parts:
            texts = re.split(r"%[-+ #0]*\d{0,2}(?:\.\d{0,2})?[sra]", form.replace("%%", "\0"))
            starred = any(isinstance(part, ast.Starred) for part in parts)
            if len(texts) == len(parts) + 1 and not starred and "%" not in "".join(texts):
                return NOWHERE if texts[0] else parts[0]
    return None


def parts_followed(node: ast.AST) -> dict[ast.AST, ast.expr | ast.stmt]:
    """With what Python goes on after each of the expressions that a node holds."""
    parts: list[ast.expr] = []
    last: ast.expr | ast.stmt | None = node if isinstance(node, ast.expr | ast.stmt) else None
    match node:
        case ast.Assign(targets=targets, value=value):
            parts, last = [value, *targets], None
        case ast.Expr():
            return {node.value: NOWHERE}
        case ast.Dict(keys=keys, values=values):
            parts = [part for pair in zip(keys, values, strict=True) for part in pair if part is not None]
        case _:
            for name in node._fields:
                part = getattr(node, name, None)
                for each in part if isinstance(part, list) else [part]:
                    each = each.value if isinstance(each, ast.keyword) else each
                    if isinstance(each, ast.expr):
                        parts.append(each)
    followed: dict[ast.AST, ast.expr | ast.stmt] = {part: first_evaluated(after) for part, after in pairwise(parts)}
    if parts and last is not None:
        followed[parts[-1]] = last
    return followed


def load_as_one(node: ast.expr) -> None:
    """Places the parts of a list or set of constants where all of it stands, if Python makes it one constant there.

    It does so where it is gone through, or looked into with `in`.
    """
    if isinstance(node, ast.List | ast.Set) and node.elts and all(map(_is_constant, node.elts)):
        for part in node.elts:
            for each in ast.walk(part):
                if isinstance(each, ast.expr):
                    each.lineno, each.col_offset = node.lineno, node.col_offset
                    each.end_lineno, each.end_col_offset = node.end_lineno, node.end_col_offset
