"""Source text by position: what an expression looks like, as one line."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cached_property

#: The builtins that make code of a text, and where a source gives one of them another name.
MAKERS = frozenset({"exec", "eval", "compile"})
_RENAMED = r"{}(?: +as +(\w+)| *[,;)#\n])"  # of one name, as a word to begin with is found 50 times faster
_NAME_BEFORE = r"(\w+) *= *(?:builtins\.)?$"
_FAR = 100  # characters before

Span = tuple[int, int, int, int]


class SourceText:
    """The lines of one file; columns count UTF-8 bytes, as `ast` does."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        # ast ends lines at \n alone (\r\n and \r are translated before); str.splitlines also splits at \f and others.
        self.lines = [line.encode() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        self._text = text

    @cached_property
    def makers(self) -> frozenset[str]:
        """The names by which the source may call what makes code of a text: `exec`, `run` after `run = exec`."""
        text, found = f"{self._text}\n", set(MAKERS)
        hints = ("= {}", "={}", "{} as ", "builtins.{}")
        if not any(hint.format(name) in text for name in MAKERS for hint in hints):
            return MAKERS
        for name in MAKERS:
            for each in re.finditer(_RENAMED.format(name), text):
                before = re.search(_NAME_BEFORE, text[max(0, each.start() - _FAR) : each.start()])
                found |= {each[1] or (before[1] if before is not None else name)}
        return frozenset(found)

    def between(self, span: Span) -> str:
        """The text of a span as it stands, newlines and all."""
        line, col, end_line, end_col = span
        if line == end_line:
            return self.lines[line - 1][col:end_col].decode()
        parts = [self.lines[line - 1][col:], *self.lines[line : end_line - 1], self.lines[end_line - 1][:end_col]]
        return b"\n".join(parts).decode()

    def one_line(self, span: Span) -> str:
        """The text of a span without comments and with white space collapsed, as a line that goes on is."""
        text = self.between(span)
        if "\n" in text:
            text = (without_comments(text) if "#" in text else text).replace("\\\n", " ")
        return " ".join(text.split())

    def starts(self, node: ast.stmt, word: bytes) -> bool:
        """Whether the source at `node` begins with `word`."""
        return self.lines[node.lineno - 1][node.col_offset :].startswith(word)

    def word_before(self, word: bytes, line: int, col: int) -> tuple[int, int]:
        """Where `word` stands last before a position."""
        at = self.lines[line - 1].rfind(word, 0, col)
        while at < 0 and line > 1:
            line -= 1
            at = self.lines[line - 1].rfind(word)
        return line, max(at, 0)


def span_of(node: ast.expr | ast.stmt | ast.pattern) -> Span:
    """Where a node stands."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def without_comments(text: str) -> str:
    """`text`, an expression over several lines, without its comments."""
    lines = f"({text}\n)".split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
            if token.type == tokenize.COMMENT:
                line, col = token.start
                lines[line - 1] = lines[line - 1][:col]
    except (tokenize.TokenError, SyntaxError):
        return text
    return "\n".join(lines)[1:-1]
