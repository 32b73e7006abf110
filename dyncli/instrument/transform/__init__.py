"""Source in, code out that behaves the same and reports every decision to the probes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any, NamedTuple

from dyncli.instrument.program import Program, Role
from dyncli.instrument.transform.builder import Place, SourceText, placed
from dyncli.instrument.transform.statements import Statements
from dyncli.records.model import Site
from dyncli.records.text import unwarned

DEEPEST_SOURCE = 50_000  # pure Python calls take no C stack since 3.11

__all__ = ["Instrumented", "Program", "instrument", "instrument_text", "rewrite"]


class Instrumented(NamedTuple):
    """The code of one file, its decision sites, and the call id of its module-level code."""

    code: CodeType
    sites: tuple[Site, ...]
    call_id: int


def instrument(
    source: str, path: str, display_path: str, program: Program | None = None, identity: str | None = None
) -> Instrumented:
    """Compile a module's text, `source`, with probes.

    path: where it really lies, as tracebacks show it.  display_path: the name its sites are shown by.
    program: the tables to add to, new ones by default.  identity: the name in site ids, by default the display path.
    A file nested too deeply for a syntax tree (1,400 terms of one sum on Python 3.12) gets no probes, which
    `program.left_out` says.  Raises SyntaxError as `compile` does.
    """
    program = Program() if program is None else program
    first = len(program.constructs)
    program.sources[display_path] = source
    code = compile(source, path, "exec", dont_inherit=True)  # raises and warns as the file alone does
    try:
        with _deep_recursion(), unwarned():
            module = ast.parse(source, path)
            call_id = rewrite(module, source, path, display_path, program, identity or display_path)
            code = compile(module, path, "exec", dont_inherit=True)
    except (RecursionError, SyntaxError):  # a SyntaxError: too many blocks within each other
        del program.constructs[first:]
        program.left_out.append(display_path)
        return Instrumented(code, (), 0)
    sites = [construct.site for construct in program.constructs[first:] if construct.site is not None]
    sites.sort(key=lambda site: (site.line, site.col, site.end_line, site.end_col))
    return Instrumented(code, tuple(sites), call_id)


def rewrite(module: ast.Module, source: str, path: str, display_path: str, program: Program, identity: str) -> int:
    """Write probes into the syntax tree of a module, in place; return the call id of its code.  See `instrument`."""
    program.sources[display_path] = source
    return _module(module, SourceText(source, path), display_path, program, identity)


def instrument_text(text: str, path: str, display_path: str, mode: str, flags: int, program: Program) -> CodeType:
    """Compile the text given to `exec` or `eval`, the `mode`, with probes.

    flags: the features from `__future__` of the code that makes it.  Raises SyntaxError and others as `compile` does.
    """
    text = text.lstrip(" \t") if mode == "eval" else text
    tables: tuple[list[Any], ...] = program.constructs, program.functions, program.points
    lengths = [len(table) for table in tables]
    compile(text, path, mode, flags, dont_inherit=True)  # raises and warns as the text alone does
    try:
        with _deep_recursion(), unwarned():
            tree: Any = compile(text, path, mode, flags | ast.PyCF_ONLY_AST, dont_inherit=True)
            rewrite = _module if mode == "exec" else _expression
            rewrite(tree, SourceText(text, path), display_path, program, display_path)
            code: CodeType = compile(tree, path, mode, flags, dont_inherit=True)
    except BaseException:
        for table, length in zip(tables, lengths):
            del table[length:]
        raise
    program.sources[display_path] = text
    return code


def _expression(tree: ast.Expression, source: SourceText, file: str, program: Program, identity: str) -> int:
    """Rewrite an expression in place; return the call id of its code."""
    number = len(program.functions)
    scribe = _scribe(program)(program, source, file, identity, Place(number, "<module>", "", -1 - number))
    at = tree.body
    scribe.function("<module>", "module", at)
    enter = scribe.probe("@enter_module", scribe.point(Role.ENTER), at)
    both = placed(ast.Tuple([enter, scribe.expr(at)], ast.Load()), at)
    value = placed(ast.Subscript(both, placed(ast.Constant(1), at), ast.Load()), at)
    tree.body = scribe.probe("@close", scribe.point(Role.LEAVE), at, value)
    return -1 - number


def _module(module: ast.Module, source: SourceText, file: str, program: Program, identity: str) -> int:
    """Rewrite a module in place; return the call id of its code."""
    start = _prologue(module.body)
    body = module.body[start:]
    number = len(program.functions)
    scribe = _scribe(program)(program, source, file, identity, Place(number, "<module>", "", -1 - number))
    whole = ast.Pass(lineno=1, col_offset=0, end_lineno=max(1, len(source.lines)), end_col_offset=0)
    scribe.function("<module>", "module", whole)
    if body:
        enter = scribe.probe("@enter_module", scribe.point(Role.ENTER), body[0])
        scribe.scope(body)
        module.body = [*module.body[:start], placed(ast.Expr(enter), body[0]), *scribe.ended(body)]
    return -1 - number


def _scribe(program: Program) -> type[Statements]:
    """Return what rewrites a module: with more probes only where something more is asked for."""
    if program.debug_request is None:
        return Statements
    from dyncli.instrument.transform.watch_probes import Added

    return Added


def _prologue(body: list[ast.stmt]) -> int:
    """Return how many statements must stay first: the docstring and `from __future__` imports."""
    start = 0
    for index, statement in enumerate(body):
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) if index == 0:
                start = 1
            case ast.ImportFrom(module="__future__", level=0):
                start = index + 1
            case _:
                break
    return start


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Raise the recursion limit so that the visitor can follow any expression that the parser accepts."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST_SOURCE))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
