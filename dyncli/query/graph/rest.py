"""What an `if` that left passed over: the lines after it are its other arm, where it has no `else`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from dyncli.record.model import Record, Site
from dyncli.record.syntax import parse

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
Span = tuple[int, int]


class Rest:
    """The lines that run only where no test of an `if` and of its `elif`s holds, as each of their bodies leaves."""

    def __init__(self, record: Record) -> None:
        self._sources = record.sources
        self._known: dict[str, dict[Span, Span]] = {}

    def after(self, site: Site) -> Span | None:
        """Return the first and last line of what follows in the same block, None if nothing does or it may run."""
        if site.kind not in ("if", "elif"):
            return None
        if site.file not in self._known:
            text = next((source.text for source in self._sources if source.file == site.file), "")
            self._known[site.file] = dict(_passed_over(text))
        return self._known[site.file].get((site.line, site.col))


def _passed_over(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield where each such test begins, its line and column, and the lines after it."""
    try:
        tree = parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        for block in (getattr(node, "body", None), getattr(node, "orelse", None), getattr(node, "finalbody", None)):
            if not isinstance(block, list):
                continue
            for statement, following in pairwise(block):
                test = _last_test(statement)
                if test is not None:
                    yield (test.lineno, test.col_offset), (following.lineno, block[-1].end_lineno or following.lineno)


def _last_test(statement: ast.stmt) -> ast.expr | None:
    """Return the test that had to fail for what follows to run, None if something else may lead there."""
    while isinstance(statement, ast.If) and isinstance(statement.body[-1], _LEAVING):
        if not statement.orelse:
            return statement.test
        if len(statement.orelse) > 1:
            return None
        statement = statement.orelse[0]
    return None
