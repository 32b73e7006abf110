"""Syntax trees of sources that were compiled before: what Python warns of was said then."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unwarned() -> Iterator[None]:
    """Show no warnings while the context is open.

    The filters stay, so that a warning that was shown once is not shown again.
    """
    before = warnings.showwarning
    warnings.showwarning = lambda *given, **named: None
    try:
        yield
    finally:
        warnings.showwarning = before


def parse(source: str | bytes) -> ast.Module:
    """Return the syntax tree of a module, without a warning.

    Raises SyntaxError and others as `ast.parse` does.
    """
    with unwarned():
        return ast.parse(source)


def expression(text: str) -> ast.expr:
    """Return the syntax tree of an expression, without a warning."""
    with unwarned():
        return ast.parse(text.strip(), mode="eval").body
