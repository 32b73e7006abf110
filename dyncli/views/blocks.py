"""Texts and tables that become rich's when they are to be coloured or wrapped, and are written as they are otherwise.

Loading rich takes 20 ms.  A report that goes to a file or a pipe and fits needs none of what rich can do;
`plain` writes it with the same characters, and says None where rich has to look: a test compares the two.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

WIDE = 110  # columns from which tables say more
GAP = "  "
# Beside ASCII, characters that are surely one column wide everywhere.
NARROW = frozenset("·…×→←─—≥≤≠±µ✓✗")


class Text:
    """Pieces of text, each in its style; `cut` short, not wrapped, where there is no room."""

    __slots__ = ("cut", "pieces", "style")

    def __init__(self, text: str = "", style: str = "", *, cut: bool = False) -> None:
        self.pieces = [(text, "")]
        self.style = style
        self.cut = cut

    def append(self, text: str, style: str = "") -> Text:
        """This text, with one more piece."""
        self.pieces.append((text, style))
        return self

    def extend(self, other: Text) -> Text:
        """This text, with the pieces of another, whose style they keep."""
        self.pieces += [(text, f"{other.style} {style}".strip()) for text, style in other.pieces]
        return self

    def join(self, texts: Iterable[Text]) -> Text:
        """The texts, with this one between them."""
        made = Text(style=self.style)
        for number, each in enumerate(texts):
            made.extend(self).extend(each) if number else made.extend(each)
        return made

    @property
    def plain(self) -> str:
        """The characters alone."""
        return "".join(text for text, _ in self.pieces)

    def within(self, columns: int) -> Text:
        """This text, or what of it fits, with an ellipsis."""
        if wide(self.plain) <= columns:
            return self
        made, left = Text(style=self.style), columns - 1
        for text, style in self.pieces:
            used = [*accumulate(map(wide, text))]
            kept = bisect_right(used, left)
            if kept < len(text):
                return made.append(text[:kept] + "…", style)
            made.append(text, style)
            left -= used[-1] if used else 0
        return made

    def __rich__(self) -> RichText:
        from rich.text import Text as RichText

        made = RichText(style=self.style, no_wrap=self.cut or None, overflow="ellipsis" if self.cut else None)
        for text, style in self.pieces:
            made.append(text, style or None)
        return made


class Table:
    """A table with a rule under its heads and nothing around it; columns take what options rich's take."""

    def __init__(self) -> None:
        self.columns: list[tuple[str, dict[str, Any]]] = []
        self.rows: list[tuple[Text | str, ...]] = []
        self.styles: list[str] = []
        self.sections: list[int] = []

    def add_column(self, header: str, **options: Any) -> None:
        """Adds a column."""
        self.columns.append((header, options))

    def add_row(self, *cells: Text | str, style: str = "") -> None:
        """Adds a row; cells that are missing are empty."""
        self.rows.append(cells)
        self.styles.append(style)

    def add_section(self) -> None:
        """Sets what follows apart, by a line that is left free."""
        self.sections.append(len(self.rows))

    def __rich__(self) -> RichTable:
        from dyncli.views.ruled import plain_table

        made = plain_table()
        for header, options in self.columns:
            made.add_column(header, **options)
        for number, (row, style) in enumerate(zip(self.rows, self.styles), 1):
            cells = [cell.__rich__() if isinstance(cell, Text) else cell for cell in row]
            made.add_row(*cells, style=style, end_section=number in self.sections)
        return made


class Lines:
    """Lines that are as wide as they are, one for each row of what is too long for a table: rich takes 0.5 ms a row."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.segment import Segment

        yield from (Segment(line + "\n") for line in self.lines)


class Section:
    """A part of a report that depends on the width it is given."""

    def blocks(self, width: int) -> Iterable[Any]:
        """Returns what it consists of."""
        raise NotImplementedError

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.blocks(options.max_width)


class Group(Section):
    """Parts one below the other: those of this module, and whatever rich can draw."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def blocks(self, width: int) -> Iterable[Any]:
        return self.parts


def plain(block: Any, width: int) -> str | None:
    """Returns the lines that rich would print without colour, or None if only rich can say."""
    lines: list[str] = []
    return "".join(f"{line}\n" for line in lines) if _add(block, width, lines) else None


def written(block: Any, width: int) -> str:
    """Returns the lines without colour, by rich if need be."""
    text = plain(block, width)
    if text is not None:
        return text
    from io import StringIO

    from rich.console import Console

    stream = StringIO()
    Console(file=stream, width=width, no_color=True, highlight=False, emoji=False).print(block)
    return stream.getvalue()


def _add(block: Any, width: int, lines: list[str]) -> bool:
    if isinstance(block, Section):
        return all(_add(part, width, lines) for part in block.blocks(width))
    if isinstance(block, Table):
        return _add_table(block, width, lines)
    if isinstance(block, Lines):
        lines += block.lines
        return True
    if not isinstance(block, Text):
        return False
    found = _lines(block)
    if found is not None and block.cut:
        found = [Text(line).within(width).plain for line in found]
    if found is None or any(len(line) > width for line in found):
        return False
    lines += found
    return True


def _add_table(table: Table, width: int, lines: list[str]) -> bool:
    heads = [header for header, _ in table.columns]
    rows: list[list[list[str]]] = [[[head] for head in heads]]
    for row in table.rows:
        cells = [_cut(_lines(cell), options) for cell, (_, options) in zip(row, table.columns)]
        if None in cells:
            return False
        rows.append([*filter(None, cells), *[[""]] * (len(heads) - len(row))])
    widths = [
        max(options.get("min_width", 0), *(len(line) for row in rows for line in row[column]))
        for column, (_, options) in enumerate(table.columns)
    ]
    if sum(widths) + len(GAP) * (len(heads) - 1) > width:
        return False
    if any(most < wide for (_, options), wide in zip(table.columns, widths) if (most := options.get("max_width"))):
        return False
    right = [options.get("justify") == "right" for _, options in table.columns]
    head, *drawn = [list(_row(row, widths, right)) for row in rows]
    lines += [*head, "─" * len(head[0])]
    for number, texts in enumerate(drawn, 1):
        lines += [*texts, " " * len(head[0])] if number in table.sections and number < len(drawn) else texts
    return True


def _row(cells: list[list[str]], widths: list[int], right: list[bool]) -> Iterator[str]:
    """The lines of a row, each as wide as the table."""
    for number in range(max(map(len, cells))):
        texts = [cell[number] if number < len(cell) else "" for cell in cells]
        yield GAP.join(
            text.rstrip().rjust(width) if is_right else text.ljust(width)
            for text, width, is_right in zip(texts, widths, right)
        )


def _lines(cell: Text | str) -> list[str] | None:
    """The lines of a text, or None if a character in it may be wider or narrower than one column."""
    text = cell if isinstance(cell, str) else cell.plain
    return text.split("\n") if _is_narrow(text.replace("\n", "")) else None


def _cut(lines: list[str] | None, column: dict[str, Any]) -> list[str] | None:
    """The lines of a cell, cut where its column says so."""
    most = column.get("max_width")
    if lines is None or most is None or not (column.get("no_wrap") and column.get("overflow") == "ellipsis"):
        return lines
    return [Text(line).within(most).plain for line in lines]


def _is_narrow(text: str) -> bool:
    """Whether each character is surely one column wide."""
    return text.isprintable() and (text.isascii() or all(each <= "\x7f" or each in NARROW for each in text))


def wide(text: str) -> int:
    """How many columns a text takes."""
    if _is_narrow(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
