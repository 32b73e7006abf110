"""Text of a script made safe to show."""

from __future__ import annotations

import pytest

from dyncli.records.text import one_line, printable

INVISIBLE = [0x00, 0x1F, 0x7F, 0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028, 0x202E, 0x2060, 0x206F,
             0xD800, 0xDFFF, 0xFDD0, 0xFEFF, 0xFFF0, 0xFFFF, 0xE0000, 0xE0FFF]  # fmt: skip


@pytest.mark.parametrize("code", INVISIBLE, ids=hex)
def test_character_that_steers_or_hides_is_escaped(code: int) -> None:
    """The first and the last of each range of control, format and private characters."""
    shown = printable(f"a{chr(code)}b")
    assert shown.isascii() and shown.startswith("a\\") and shown.endswith("b")


@pytest.mark.parametrize(("text", "shown"), [("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\x1b", "\\x1b")])
def test_white_space_has_its_own_escape(text: str, shown: str) -> None:
    """As Python writes it."""
    assert shown == printable(text)


@pytest.mark.parametrize("text", ["plain", "\u00e9\u4e2d", "\u2026 \u00d7 \u2192", "\U0001f600", ""])
def test_visible_text_is_left_alone(text: str) -> None:
    assert text == printable(text)


def test_cut_at_an_ellipsis_adds_no_other() -> None:
    assert ["one … t…", "one …"] == [one_line("one … two", width) for width in (8, 6)]
