"""What all reports are made of: titles, tables with a rule under their heads, and parts that depend on the width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

WIDE = 110  # columns from which tables show more
LEAST = 8  # characters of a word that stay on one line
SMALL, MORE = 60, 14  # on a page narrower than SMALL, MORE characters stay together
GAP = 2  # characters between columns
INDENT = "  "


def title(words: str, subtitle: str = "") -> Text:
    """Return the line above a table."""
    text = Text(words, style="bold underline")
    return text.append(f"  {subtitle}", "not bold not underline dim") if subtitle else text


def shortened(text: Text, width: int) -> Text:
    """Return the text cut to `width` columns, with an ellipsis if something is left out."""
    if text.cell_len <= width:
        return text
    text = text.copy()
    text.truncate(width, overflow="ellipsis")
    return text


def plain_text(report: RenderableType, width: int) -> str:
    """Return the lines of a report without colour."""
    stream = StringIO()
    console = Console(file=stream, width=width, color_system=None, no_color=True, highlight=False, emoji=False,
                      force_terminal=False, legacy_windows=False)  # fmt: skip
    console.print(report)
    return stream.getvalue()


class Section:
    """A part of a report that depends on the width of the page."""

    def blocks(self, width: int) -> Iterable[RenderableType]:
        """Return the parts from top to bottom."""
        raise NotImplementedError

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.blocks(options.max_width)


class Lines:
    """Lines printed as they are: rich takes half a millisecond for a row of a table."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from (Segment(line + "\n") for line in self.lines)


class RuledTable(Table):
    """A table with a rule under its heads; a paragraph for each row where its columns would be too narrow to read."""

    def __init__(self) -> None:
        super().__init__(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [(column, [_text(console, cell) for cell in column.cells]) for column in self.columns]
        least = MORE if options.max_width < SMALL else LEAST
        needed = [_needed(_text(console, column.header), cells, column, least) for column, cells in columns]
        if sum(needed) + GAP * (len(needed) - 1) <= options.max_width:
            yield from super().__rich_console__(console, options)
            return
        for row in range(self.row_count):
            cells = [(_text(console, column.header), column, texts[row]) for column, texts in columns]
            words = [_named(*cell) for cell in cells if cell[2].plain.strip()]
            if words:
                yield from _hanging(Text(" · ", "dim").join(words), console, options.max_width)


def _text(console: Console, cell: RenderableType) -> Text:
    """Return the text of a cell."""
    return cell if isinstance(cell, Text) else console.render_str(str(cell))


def _needed(head: Text, cells: list[Text], column: Column, least: int) -> int:
    """Return the width a column needs to be read: all of it where it is never cut, else its words, or `least`."""
    if column.no_wrap and column.ratio is None and column.max_width is None:
        return max([head.cell_len, *(line.cell_len for cell in cells for line in cell.split())])
    longest = max([head.cell_len, *(cell_len(word) for cell in cells for word in cell.plain.split())])
    return min(longest, least, column.max_width or longest)


def _named(head: Text, column: Column, cell: Text) -> Text:
    """Return a cell after the head of its column."""
    words = cell[len(cell.plain) - len(cell.plain.lstrip()) :]
    words.style = cell.style or column.style
    return Text.assemble((f"{head.plain} " if head.plain else "", "dim"), words)


def _hanging(text: Text, console: Console, width: int) -> Iterator[Text]:
    """Yield the lines of a paragraph, all but the first indented."""
    for place, line in enumerate(text.wrap(console, width - len(INDENT), overflow="fold")):
        line.rstrip()
        yield line if place == 0 else Text(INDENT).append_text(line)
