"""Names that keep the result of a comparison: which of them surely do where they are tested."""

from __future__ import annotations

import ast

from dyncli.instrument.transform.builder import truth_of

_MEASURED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def comparison_of(value: ast.expr) -> ast.Compare | None:
    """Return the comparison whose truth a value has, None if it has that of anything else."""
    match truth_of(value):
        case ast.Compare(ops=[operator]) as node if isinstance(operator, _MEASURED):
            return node
    return None


def otherwise_bound(body: list[ast.stmt]) -> set[str]:
    """Return the names in a function that may hold neither their last comparison nor a constant from above it."""
    known: set[int] = set()  # ids of targets
    first: dict[str, int] = {}  # the line of a name's first comparison
    constants: list[tuple[str, int]] = []
    found: set[str] = set()
    for node in (each for statement in body for each in ast.walk(statement)):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name) as target], value=value)
                | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name) as target, value=value)
            ):
                if isinstance(value, ast.Constant):
                    constants.append((name, node.lineno))
                elif comparison_of(value) is not None:
                    first[name] = min(node.lineno, first.get(name, node.lineno))
                else:
                    found.add(name)
                known.add(id(target))
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(node) not in known:
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.alias(name=name, asname=alias):
                found.add(alias or name)
            case (
                ast.ExceptHandler(name=str() as name)
                | ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
                | ast.MatchMapping(rest=str() as name)
                | ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.add(name)
    return found.union(name for name, line in constants if name in first and line > first[name])
