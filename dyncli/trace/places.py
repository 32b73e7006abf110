"""Sites of ops: from a code object and an instruction to file, line, columns and source text."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Mapping
from types import CodeType

from dyncli.load.paths import display
from dyncli.record.digest import blake2b
from dyncli.record.model import Site
from dyncore.sites import place


class Places:
    """The op sites of one run, each made once.  names: a file -> the name it is shown by.

    texts: of code that was made of a text, by the identity of the code, the name it is shown by and the text.
    """

    def __init__(self, names: dict[str, str], texts: Mapping[int, tuple[str, str]] | None = None) -> None:
        self._names = names
        self._texts = {} if texts is None else texts
        self._known: dict[tuple[CodeType, int], Site] = {}
        self._ids: dict[tuple[str, str, str], int] = {}

    def site(self, code: CodeType, lasti: int) -> Site:
        """The site of the instruction at `lasti`."""
        key = (code, lasti)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._made(code, lasti)
        return found

    def _made(self, code: CodeType, lasti: int) -> Site:
        where = place(code, lasti)
        name, made = self._texts.get(id(code), (None, ""))
        file = display(where.file, self._names) if name is None else name
        end_line = where.end_line or where.line
        if name is None:
            text = segment(where.file, where.line, where.col, end_line, where.end_col)
        else:
            text = between(made.split("\n")[where.line - 1 : end_line], where.col, where.end_col)
        function = where.function
        ordinal = self._ids[(file, function, text)] = self._ids.get((file, function, text), -1) + 1
        digest = blake2b(f"{file}\0{function}\0op\0{text}\0{ordinal}".encode("utf-8", "replace"), digest_size=6)
        return Site(
            id=digest.hexdigest(),
            file=file,
            line=where.line,
            col=where.col or 0,
            end_line=end_line,
            end_col=where.end_col or 0,
            kind="op",
            text=text,
            function=function,
        )


def segment(file: str, line: int, col: int | None, end_line: int, end_col: int | None) -> str:
    """The source between two places of a file."""
    return between([linecache.getline(file, number) for number in range(line, end_line + 1)], col, end_col)


def between(texts: Iterable[str], col: int | None, end_col: int | None) -> str:
    """The source between two places of the first and the last line, white space collapsed; columns are UTF-8 bytes."""
    lines = [text.encode("utf-8", "replace") for text in texts]
    if not lines or col is None or end_col is None:
        return " ".join(b" ".join(lines).decode("utf-8", "replace").split())
    lines[-1] = lines[-1][:end_col]
    lines[0] = lines[0][col:]
    return " ".join(b" ".join(lines).decode("utf-8", "replace").split())
