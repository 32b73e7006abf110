"""Texts in lines: the values, facts and tests of a picture, broken where they read best."""

from __future__ import annotations

import re

DOT = " \u00b7 "
ELLIPSIS = "\u2026"
#: Letters of what is known of a tensor, on one line.
WIDEST_LINE = 34
#: Letters of values, on one line of a node, and where the picture is too wide; on one line of an edge, which a longer
#: one would bend out of its frame.
WIDEST_VALUES, NARROW_VALUES, WIDEST_ON_EDGE = 64, 32, 17
#: Between `A: [1, 2]` and `B: 3`, what two runs handed to one op.
NEXT_RUN = re.compile(r", (?=[^\[\],:]+: )")
#: Not that of `0.1 to 0.3`.
_BETWEEN_WORDS = re.compile(r"(?<! to) (?!to )")
_BETWEEN_ROWS = re.compile(r"(?<=\],) ")


def wrapped(text: str, width: int) -> list[str]:
    """Return text in lines that are no wider, if that can be; ranges stay whole, and rows of a matrix where they fit.

    >>> wrapped("[[1, 2, 3], [4, 5, 6]]", 17)
    ['[[1, 2, 3],', '[4, 5, 6]]']
    """
    lines = [""]
    for row in _BETWEEN_ROWS.split(text) if "[[" in text else [text]:
        if lines[-1] and len(lines[-1]) + 1 + len(row) > width:
            lines.append("")
        for word in _BETWEEN_WORDS.split(row):
            if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
                lines.append(word)
            else:
                lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def even(text: str, width: int) -> list[str]:
    """Return text in as few lines, if they are two or three none much longer than the others: no word by itself."""
    lines = wrapped(text, width)
    if not 2 <= len(lines) <= 3:
        return lines
    narrower = (wrapped(text, least) for least in range(len(text) // len(lines), width))
    return next((each for each in narrower if len(each) == len(lines)), lines)


def facts(text: str) -> list[str]:
    """Return what is told of an op, its line, how often it ran, its costs, in lines of a few each."""
    lines: list[str] = []
    for fact in text.split(DOT):
        if lines and len(lines[-1]) + len(DOT) + len(fact) <= WIDEST_LINE:
            lines[-1] += DOT + fact
        else:
            lines.append(fact)
    return lines


def on_edge(values: str) -> list[str]:
    """Return values in lines for an arrow: each run's, and those of the first and of the last step, on their own."""
    lines: list[str] = []
    for one in NEXT_RUN.split(values):
        if len(one) <= WIDEST_ON_EDGE:
            lines.append(one)
            continue
        first, dots, last = one.partition(f" {ELLIPSIS} ")
        parts = [wrapped(part, WIDEST_ON_EDGE) for part in (first, last) if part]
        if last and len(parts[0][-1]) + 2 <= WIDEST_ON_EDGE:
            parts[0][-1] += dots.rstrip()
        elif last:
            parts[1][0] = dots.lstrip() + parts[1][0]
        lines += [line for part in parts for line in part]
    return lines
