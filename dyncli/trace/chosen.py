"""What did not run because an index or a key chose others of the same list, read off the source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from dyncli.record.model import Site
from dyncli.record.text import one_line
from dyncli.trace.left import Page

WIDEST = 40


class _Choice(NamedTuple):
    """A place that takes one of a list by what a variable says.  within: first and last line of the function around."""

    file: str
    line: int
    name: str
    text: str
    within: tuple[int, int]


class Chosen:
    """Says which line chose others in the place of a leaf.  used: where each leaf was.  ran: where anything ran."""

    def __init__(self, pages: Mapping[str, Page], used: Mapping[str, Sequence[Site]], ran: Iterable[Site]) -> None:
        self._pages, self._used = pages, used
        self._ran = {(site.file, site.line) for site in ran}

    def why(self, name: str) -> str | None:
        """Return what did not choose `experts.0.weight` where `experts.1.weight` was used, or None."""
        parts = name.split(".")
        for place, word in enumerate(parts[:-1]):
            before = ".".join(parts[: place + 1]) + "."
            sites = [site for other, sites in self._used.items() if other.startswith(before) for site in sites]
            own = before + parts[place + 1]
            if any(other == own or other.startswith(f"{own}.") for other in self._used):
                continue
            choice = self._made(word, sites) if sites else None
            if choice is not None:
                return f"not chosen at line {choice.line}: `{one_line(choice.text, WIDEST)}`"
        return None

    def _made(self, word: str, sites: Sequence[Site]) -> _Choice | None:
        """Return the choice nearest to where others of the list were used, in a function that ran."""
        choices = [choice for choice in self._choices if choice.name == word]
        lines = {(site.file, site.line) for site in sites}
        on_line = [choice for choice in choices if (choice.file, choice.line) in lines]
        in_function = [choice for choice in choices if _within(choice, lines)]
        elsewhere = [choice for choice in choices if _within(choice, self._ran)]
        return next(iter([*on_line, *in_function, *elsewhere]), None)

    @cached_property
    def _choices(self) -> list[_Choice]:
        return [choice for file, page in self._pages.items() for choice in _choices_of(file, page)]


def _within(choice: _Choice, lines: Iterable[tuple[str, int]]) -> bool:
    first, last = choice.within
    return any(file == choice.file and first <= line <= last for file, line in lines)


def _choices_of(file: str, page: Page) -> Iterator[_Choice]:
    """Yield the places of a source that take one of a list by something that is not written there."""
    for node in ast.walk(page.tree):
        if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
            continue
        name = getattr(node.value, "attr", getattr(node.value, "id", ""))
        try:
            ast.literal_eval(node.slice)
        except ValueError:
            function = next(page.around((ast.FunctionDef, ast.AsyncFunctionDef), node.lineno), None)
            within = (function.lineno, function.end_lineno or 0) if function is not None else (1, len(page.lines))
            if name and getattr(function, "name", "") != "__init__":
                yield _Choice(file, node.lineno, name, ast.unparse(node), within)
