"""Cells cut to a few lines of their column, between words where that is possible."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

ELLIPSIS = "…"


def fits(text: Text, width: int, lines: int, console: Console) -> bool:
    """Return whether a cell takes at most so many lines of a column."""
    if text.cell_len <= width and "\n" not in text.plain:
        return lines > 0
    return len(text.wrap(console, width, overflow="fold")) <= lines


def fitted(text: Text, width: int, lines: int, console: Console) -> Text:
    """Return a cell in at most so many lines: long words without their middle, then without its last words.

    A last word in parentheses, such as an origin, stays.
    """
    if fits(text, width, lines, console):
        return text
    words = [_without_middle(word, width) for word in text.split(" ")]
    last = words[-1:] if words[-1].plain.startswith("(") else []
    space = Text(" ")
    for most in range(len(words), len(last), -1):
        kept = words[: most - len(last)]
        if most < len(words) and kept[-1].plain != ELLIPSIS:
            kept[-1] = _without_middle(kept[-1], width - 1).copy().append(ELLIPSIS)
        cell = space.join([*kept, *last])
        cell.style = text.style
        if fits(cell, width, lines, console):
            return cell
    return _without_middle(text, width)


def fitted_parts(text: str, width: int) -> str:
    """Return parts between ` · ` without the last of them that have no room; the first always stays.

    >>> fitted_parts("norm 0.5 · 1 NaN · -0.1 to 0.2", 18)
    'norm 0.5 · 1 NaN'
    """
    parts = text.split(" · ")
    while len(parts) > 1 and len(" · ".join(parts)) > width:
        parts.pop()
    return " · ".join(parts)


def _without_middle(text: Text, width: int) -> Text:
    """Return a text in `width` columns, with an ellipsis for its middle if it is longer."""
    if text.cell_len <= width or width < 3:
        return text
    end = (width - 1) // 2
    return text[: width - 1 - end].append(ELLIPSIS).append_text(text[len(text) - end :])
