"""What did not run because a `return`, `raise`, `break` or `continue` came before it, read off the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from dyncli.record.model import Decision, Source

LEAVES: dict[type[ast.stmt], str] = {
    ast.Return: "returned",
    ast.Raise: "raised",
    ast.Break: "left the loop",
    ast.Continue: "went on to the next step",
}
Span = tuple[int, int]


class _Leaving(NamedTuple):
    """An arm that ended with leaving.  span: its lines."""

    file: str
    line: int
    span: Span
    how: type[ast.stmt]


class Left:
    """Says which decision left a function, a loop or a step of one before the lines that name something."""

    def __init__(self, decisions: tuple[Decision, ...], sources: tuple[Source, ...]) -> None:
        self._decisions = decisions
        self.pages = {source.file: Page(source.text) for source in sources}

    def why(self, name: str) -> str | None:
        """Return why the lines that use a leaf of this name were not reached, or None if that cannot be told."""
        parts = name.split(".")
        words = [part for part in parts[: max(len(parts) - 1, 1)] if part.isidentifier()]
        index = next((int(part) for part in parts if part.isdecimal()), None)
        return next(filter(None, (self._told(word, index) for word in words)), None)

    def _told(self, word: str, index: int | None) -> str | None:
        for one, steps in self._leaving.items():
            if self.pages[one.file].skips(one, word, index, steps):
                return f"not reached: line {one.line} {LEAVES[one.how]}"
        return None

    @cached_property
    def _leaving(self) -> dict[_Leaving, set[int]]:
        """The arms that ended with leaving, the last taken first, and the steps of the loop around they did it in."""
        ends: dict[tuple[str, str], _Leaving | None] = {}
        found: dict[_Leaving, set[int]] = {}
        for decision in reversed(self._decisions):
            site = decision.site
            place = (site.id, decision.arm)
            if place not in ends:
                page = self.pages.get(site.file)
                span = dict(zip(site.arms, site.arm_lines, strict=False)).get(decision.arm)
                how = page.leaving.get(span) if page is not None and span is not None else None
                ends[place] = _Leaving(site.file, site.line, span, how) if span is not None and how else None
            end = ends[place]
            if end is not None:
                found.setdefault(end, set()).update(step for _, step in decision.iterations[-1:])
        return found


class Page:
    """One source: where its functions and loops are, and how each block of it ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])

    @cached_property
    def leaving(self) -> dict[Span, type[ast.stmt]]:
        """How each block leaves that ends with leaving, by its first and last line."""
        found: dict[Span, type[ast.stmt]] = {}
        for node in ast.walk(self.tree):
            for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
                if isinstance(block, list) and block and type(block[-1]) in LEAVES:
                    found[block[0].lineno, block[-1].end_lineno or 0] = type(block[-1])
        return found

    def around(self, kinds: tuple[type[ast.AST], ...], line: int) -> Iterator[ast.stmt]:
        """Yield what is of these kinds and around a line, the innermost first."""
        every = [node for node in ast.walk(self.tree) if isinstance(node, kinds) and isinstance(node, ast.stmt)]
        inside = [node for node in every if node.lineno <= line <= (node.end_lineno or 0)]
        yield from sorted(inside, key=lambda node: -node.lineno)

    def skips(self, left: _Leaving, word: str, index: int | None, steps: set[int]) -> bool:
        """Return whether leaving so passes over lines that name the word.

        index: of a layer in a list of that name.  steps: of the loop around, which may go through the list.
        """
        _, line, span, how = left
        function = next(self.around((ast.FunctionDef, ast.AsyncFunctionDef), line), None)
        begin = function.lineno if function is not None else 0
        loops = [each for each in self.around((ast.For, ast.While, ast.AsyncFor), line) if each.lineno > begin]
        if how in (ast.Return, ast.Raise):
            if function is None:
                return False
            start, end = (loops[-1].lineno if loops else span[1] + 1), function.end_lineno or 0
            return self._names(word, (start, end), span)
        if not loops:
            return False
        loop = loops[0]
        if how is ast.Break:
            return self._names(word, (loop.lineno, _body_end(loop)), span)
        rest = span[1] + 1, _body_end(loop)
        if isinstance(loop, ast.For) and index is not None and _goes_through(loop.iter, word):
            names = [node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
            return index in steps and any(self._names(name, rest, span) for name in names)
        if index is not None and _picks(loops, word, rest):
            return False  # another may have been picked all the same: `Chosen` says where
        return self._names(word, rest, span)

    def _names(self, word: str, lines: Span, but: Span) -> bool:
        named = re.compile(rf"\b{re.escape(word)}\b")
        return any(
            named.search(self.lines[number - 1])
            for number in range(lines[0], min(lines[1], len(self.lines)) + 1)
            if not but[0] <= number <= but[1]
        )


def _body_end(loop: ast.stmt) -> int:
    body = getattr(loop, "body", None)
    return (body[-1].end_lineno or 0) if body else loop.lineno


def _picks(loops: Sequence[ast.stmt], word: str, lines: Span) -> bool:
    """Return whether these lines take one of the word's list by what no loop around counts: `experts[best]`."""
    counting = [loop for loop in loops if isinstance(loop, ast.For) and _counts(loop.iter)]
    counted = {node.id for loop in counting for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    for node in ast.walk(loops[0]):
        if isinstance(node, ast.Subscript) and lines[0] <= node.lineno <= lines[1]:
            names = {each.id for each in ast.walk(node.slice) if isinstance(each, ast.Name)}
            if word == getattr(node.value, "attr", getattr(node.value, "id", "")) and names and not names & counted:
                return True
    return False


def _counts(items: ast.expr) -> bool:
    return isinstance(items, ast.Call) and getattr(items.func, "id", "") in ("range", "enumerate", "zip")


def _goes_through(items: ast.expr, word: str) -> bool:
    """Return whether a loop goes through a list of this name from its beginning, or through its `enumerate`."""
    if isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id == "enumerate":
        items = items.args[0] if len(items.args) == 1 else items
    return (isinstance(items, ast.Name) and items.id == word) or (
        isinstance(items, ast.Attribute) and items.attr == word
    )
