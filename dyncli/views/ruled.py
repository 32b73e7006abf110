"""What rich's tables look like here, and the line above each."""

from __future__ import annotations

from rich import box
from rich.table import Table
from rich.text import Text

from dyncli.views.blocks import WIDE as WIDE


def title(words: str, subtitle: str = "") -> Text:
    """Return what stands above a table."""
    text = Text(words, style="bold underline")
    return text.append(f"  {subtitle}", "not bold not underline dim") if subtitle else text


def plain_table() -> Table:
    """Return a table with a rule under its heads and nothing around it."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
