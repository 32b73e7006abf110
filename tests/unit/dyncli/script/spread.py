"""A script spread over more lines: newlines within brackets, and brackets round tests, iterables and values."""

from __future__ import annotations

import io
import random
import tokenize
from collections.abc import Iterator

_HEADS = ("if", "elif", "while")
_LEFT_ALONE = (
    "def", "class", "lambda", "type", "with", "async", "@", "del", "import", "from", "raise", "global", "if", "elif",
    "while", "assert", "return", "for",
)  # fmt: skip
_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def spread(source: str, seed: int, share: float) -> str:
    """`source` with a newline after a `share` of the tokens where one may stand; its syntax tree stays the same."""
    chance = random.Random(seed)
    return "".join(_spread(line, chance, share) + "\n" for line in _lines(source))


def _lines(source: str) -> Iterator[list[tokenize.TokenInfo]]:
    """The tokens of each logical line; an f-string is one token, as it is before Python 3.12."""
    rows = source.splitlines(keepends=True)
    line: list[tokenize.TokenInfo] = []
    starts: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":
            starts.append(token)
        elif kind == "FSTRING_END":
            start = starts.pop()
            if not starts:
                line.append(tokenize.TokenInfo(tokenize.STRING, _between(rows, start.start, token.end), start.start,
                                               token.end, token.line))  # fmt: skip
        elif token.type not in _LAYOUT and not starts:
            line.append(token)
        if token.type == tokenize.NEWLINE:
            yield line
            line = []


def _between(rows: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    text = "".join(rows[start[0] - 1 : end[0]])
    return text[start[1] : len(text) - (len(rows[end[0] - 1]) - end[1])]


def _spread(line: list[tokenize.TokenInfo], chance: random.Random, share: float) -> str:
    brackets = _brackets(line)
    text, depth, before = " " * line[0].start[1], 0, None
    for index, token in enumerate(line):
        bracket = brackets.get(index, "")
        depth += {"(": 1, ")": -1}.get(bracket, 0)
        text += f" {bracket}" if bracket == "(" else bracket
        if bracket == "(":
            text += _break(chance, share)
        if token.type == tokenize.NEWLINE:
            break
        if before is not None and token.start != before.end and not text.endswith("\n"):
            text += " "
        text += token.string
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        if depth > 0:
            text += _break(chance, share)
        before = token
    return text


def _break(chance: random.Random, share: float) -> str:
    return "\n" + " " * chance.randrange(1, 20) if chance.random() < share else ""


def _brackets(line: list[tokenize.TokenInfo]) -> dict[int, str]:
    """Where brackets may be added: round a test, an iterable or a value."""
    depth = lambdas = 0
    colons, equals, within = [], [], []
    for index, token in enumerate(line):
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif depth == 0:
            if token.string == "lambda":
                lambdas += 1
            elif token.string == ":" and lambdas:
                lambdas -= 1
            elif token.string == ":":
                colons.append(index)
            elif token.string == "=" and not lambdas:
                equals.append(index)
            elif token.string == "in":
                within.append(index)
    first, end, one = line[0].string, len(line) - 1, all(token.string != ";" for token in line)
    if first in _HEADS and one and colons and colons[0] > 1:
        return {1: "(", colons[0]: ")"}
    if first == "return" and one and end > 1:
        return {1: "(", end: ")"}
    if first == "for" and within and colons:
        return {within[0] + 1: "(", colons[0]: ")"}
    if equals and not colons and one and first not in _LEFT_ALONE:
        return {equals[-1] + 1: "(", end: ")"}
    return {}
