"""Texts of a script: parsed without the warnings that were shown before, and made safe to show.

Safe text has no control character, no direction override and no lone surrogate.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile

# Control, format, private, surrogate, line-separator and non-character code points; one character class, built once.
# It takes 0.5 ms to compile, which most runs never need.
_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff0-\uffff\U000e0000-\U000e0fff]"
)

_OF_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def printable(text: str) -> str:
    r"""Return `text` with every character that could steer a terminal or hide itself written as its escape.

    >>> print(printable("a\x1b[31m"))
    a\x1b[31m
    """
    return text if text.isascii() and text.isprintable() else re.sub(_UNSAFE, _escape, text)


def one_line(text: str, width: int = 0) -> str:
    """Return `text` printable, white space collapsed, and cut to `width` characters (0: not cut)."""
    flat = printable(" ".join(text.split()))
    return flat if not width or len(flat) <= width else flat[: max(width - 1, 0)].removesuffix("\u2026") + "\u2026"


def dotted(name: str, width: int) -> str:
    """Return a dotted name in `width` characters: of a longer one how it begins, and its last parts whole.

    >>> dotted("encoder.layers.0.self_attention.weight", 28)
    'encoder.layers.0.sel….weight'
    """
    flat = one_line(name)
    parts, tail = flat.split("."), ""
    while len(parts) > 1 and len(tail) + len(parts[-1]) < width * 3 // 5:
        tail = f".{parts.pop()}{tail}"
    return flat if len(flat) <= width else one_line(".".join(parts), width - len(tail)) + tail


def dotted_names(names: Sequence[str], width: int) -> list[str]:
    """Return dotted names in `width` characters each; those that would look alike are without how all of them begin.

    >>> dotted_names(["net.transforms.1.transform.first.weight", "net.transforms.3.transform.first.weight"], 28)
    ['….1.transform.first.weight', '….3.transform.first.weight']
    """
    short = [dotted(name, width) for name in names]
    alike = [name for name, one in zip(names, short, strict=True) if short.count(one) > 1]
    parts = zip(*(name.split(".") for name in alike))
    shared = sum(1 for _ in takewhile(lambda each: len({*each}) == 1, parts))
    ends = [".".join(["\u2026", *name.split(".")[shared:]]) if name in alike else name for name in names]
    return [dotted(end, width) for end in ends]


def escaped(text: str) -> str:
    """Return `text` as the text, or an attribute, of an element of html.

    It replaces `html.escape`, which is slow to import.

    >>> escaped('x < "y"')
    'x &lt; &quot;y&quot;'
    """
    return text.translate(_OF_HTML)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    named = {9: "\\t", 10: "\\n", 13: "\\r"}.get(code)
    if named:
        return named
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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
