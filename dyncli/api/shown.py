"""A result that shows itself: as text in a terminal, as tables in a notebook."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 100  # columns of a report
_PAGE = '<pre style="white-space:pre;overflow-x:auto;line-height:normal;font-family:monospace">{code}</pre>'
_COLOR = re.compile(r"(?<!-)\b(color: (#[0-9a-f]{6}))")


class Shown:
    """The base of all results."""

    def _report(self) -> RenderableType:
        """Return the tables that `dyncli` would print."""
        raise NotImplementedError

    def __str__(self) -> str:
        return text_of(self._report())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return what a notebook shows."""
        report = self._report()
        return {"text/html": html_of(report), "text/plain": text_of(report)}


def text_of(report: RenderableType, width: int = WIDTH) -> str:
    """Return a report as lines without colour."""
    from dyncli.render.reports.tables import plain_text

    lines = plain_text(report, width).split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


def html_of(report: RenderableType, width: int = WIDTH) -> str:
    """Return a report as HTML with colours that are readable on light and dark pages."""
    from io import StringIO

    from rich.console import Console
    from rich.terminal_theme import TerminalTheme

    middle = [(128, 128, 128), (190, 50, 50), (40, 140, 60), (160, 120, 20), (50, 110, 200), (150, 70, 170),
              (20, 130, 140), (140, 140, 140)]  # fmt: skip
    console = Console(
        file=StringIO(), record=True, width=width, force_terminal=True, color_system="truecolor", highlight=False,
        force_jupyter=False, legacy_windows=False,
    )  # fmt: skip
    console.print(report)
    theme = TerminalTheme((128, 128, 128), (128, 128, 128), middle, middle)
    html = console.export_html(theme=theme, inline_styles=True, code_format=_PAGE)
    return _COLOR.sub(r"\1; color: color-mix(in srgb, \2 75%, currentColor)", html)
