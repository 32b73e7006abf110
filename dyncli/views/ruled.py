"""What rich's tables look like here, and the line above each."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult, RichCast
from rich.table import Column, Table
from rich.text import Text

from dyncli.views.blocks import WIDE as WIDE

LEAST = 8  # characters of a word that stand together at least
SMALL, MORE = 60, 14  # on screens smaller than this, where a paragraph reads well, so many
GAP = 2  # characters between columns
INDENT = "  "


def title(words: str, subtitle: str = "") -> Text:
    """Return what stands above a table."""
    text = Text(words, style="bold underline")
    return text.append(f"  {subtitle}", "not bold not underline dim") if subtitle else text


def plain_table() -> Table:
    """Return a table with a rule under its heads and nothing around it."""
    return _Ruled(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")


class _Ruled(Table):
    """A table that is a paragraph for each row where its columns would be too narrow to be read."""

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
    """Return what stands in a cell."""
    if isinstance(cell, RichCast):
        cell = cell.__rich__()
    return cell if isinstance(cell, Text) else console.render_str(str(cell))


def _needed(head: Text, cells: list[Text], column: Column, least: int) -> int:
    """Return in how many characters a column can be read: all where it is never cut, else its words, or `least`."""
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
    """Yield the lines of a paragraph, all but the first set in."""
    for place, line in enumerate(text.wrap(console, width - len(INDENT), overflow="fold")):
        line.rstrip()
        yield line if place == 0 else Text(INDENT).append_text(line)
