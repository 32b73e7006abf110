"""Parts of reports: titles, ruled tables, and the tables of a run, which choose their columns by the width."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from dyncli.analysis.decisions import (
    MOST_IN_ORDER,
    DecisionRow,
    Selection,
    because,
    controlled_ops,
    kind_and_text,
    outermost,
    relevant,
)
from dyncli.analysis.gradients import GradientRow
from dyncli.analysis.values import (
    TensorRow,
    bytes_text,
    counted,
    exact,
    number,
    shape_text,
    site_text,
    tensor_text,
    time_text,
    value_text,
)
from dyncli.records.model import Record
from dyncli.records.text import dotted_names, one_line, printable

if TYPE_CHECKING:
    from dyncli.analysis.ops import OpRow

ELLIPSIS = "…"
WIDE = 110  # columns from which tables show more
LONG = 32  # characters of a cell, where a run has so many tests that each has one row for all its calls
_ORIGIN = re.compile(r"\([a-z]+~?\)")
LEAST = 8  # characters of a word that stay on one line
WORD = 24  # characters of a word that are shown where cells are cut
NAME = 60  # characters of a word for whose sake a cell gets lines of its own
SMALL, MORE = 60, 14  # on a page narrower than SMALL, MORE characters stay together
GAP = 2  # characters between columns
PADDING = 1  # of these, what rich counts as the column's
INDENT = "  "
RULED: dict[str, Any] = {"box": box.SIMPLE_HEAD, "show_edge": False, "pad_edge": False, "padding": (0, 1, 0, 0),
                         "header_style": "dim"}  # fmt: skip
Cells = tuple[Column, list[Text]]

MOST_OPS = 200
MOST_LINES = 24  # of the decisions, unless each has two
FEW = 5  # decisions, of which each has room for more of what decided it
MANY = 10  # decisions, whose values stand without the names
EVERYTHING = Selection()
ORIGIN_STYLE = {"tensor": "cyan", "scalar": "magenta", "scalar~": "magenta", "shape": "blue", "rng": "yellow",
                "rng~": "yellow"}  # fmt: skip


class Cell(Text):
    """A cell with other words for where its own have no room."""

    shorter: Text | None = None


def title(words: str, subtitle: str = "") -> Text:
    """Return the line above a table."""
    text = Text(words, style="bold underline")
    return text.append(f"  {subtitle}", "not bold not underline dim") if subtitle else text


def plain_text(report: RenderableType, width: int) -> str:
    """Return the lines of a report without colour."""
    stream = StringIO()
    console = Console(file=stream, width=width, color_system=None, no_color=True, highlight=False, emoji=False,
                      force_terminal=False, force_jupyter=False, legacy_windows=False)  # fmt: skip
    console.print(report)
    return stream.getvalue()


def fits(text: Text, width: int, lines: int, console: Console) -> bool:
    """Return whether a cell takes at most so many lines of a column."""
    return _lines(text, width, console) <= lines


def _lines(text: Text, width: int, console: Console) -> int:
    """Return how many lines a cell takes of a column."""
    if text.cell_len <= width and "\n" not in text.plain:
        return 1
    return len(text.wrap(console, width, overflow="fold"))


def fitted(text: Text, width: int, lines: int, console: Console) -> Text:
    """Return a cell in at most so many lines: in its shorter words, then without the middle of long ones, or the last.

    An origin in parentheses at the end stays.
    """
    if fits(text, width, lines, console) and all(cell_len(word) <= width for word in text.plain.split()):
        return text
    if isinstance(text, Cell) and text.shorter is not None:
        return fitted(text.shorter, width, lines, console)
    words = [_without_middle(word, width) for word in text.split(" ")]
    last = words[-1:] if _ORIGIN.fullmatch(words[-1].plain) else []
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
    """A table with a rule under its heads; a paragraph for each row where its columns would be too narrow to read.

    Where words would be broken, cells have lines of their own: of the first text column above the row, others below.
    most_lines: of all rows, or two for each; what has no room in them is cut.  0: all of it is shown.
    """

    def __init__(self, most_lines: int = 0) -> None:
        self.most_lines = most_lines
        super().__init__(**RULED)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [(column, [_text(console, cell) for cell in column.cells]) for column in self.columns]
        least = MORE if options.max_width < SMALL else LEAST
        needed = [_needed(_text(console, column.header), cells, column, least) for column, cells in columns]
        room = options.max_width - GAP * (len(needed) - 1)
        moved = self._moved(columns, room) if sum(needed) <= room else []
        if moved:
            yield from self._stacked(console, options, columns, moved)
            return
        if sum(needed) <= room:
            widths = self._whole_words(console, options, columns, needed, room)
            most = self._most(_row_lines(console, columns, widths)) if self.most_lines else 0
            for (column, texts), width in zip(columns, widths):
                column.width = width
                if most and not column.no_wrap:
                    column._cells = [fitted(cell, width, most, console) for cell in texts]
            yield from super().__rich_console__(console, options)
            return
        for row in range(self.row_count):
            cells = [(_text(console, column.header), column, texts[row]) for column, texts in columns]
            words = [_named(*cell) for cell in cells if cell[2].plain.strip()]
            if words:
                yield from _hanging(Text(" · ", "dim").join(words), console, options.max_width)

    def _moved(self, columns: list[Cells], room: int) -> list[int]:
        """Return the places of the columns to be moved out of the rows, so that no word of the others is broken."""
        words, natural = _words(columns, NAME), _natural_widths(columns)
        moved: list[int] = []
        for place in sorted(range(len(columns)), key=natural.__getitem__, reverse=True):
            column = columns[place][0]
            if sum(words) > room and not column.no_wrap and column.max_width is None and words[place] > LEAST:
                moved.append(place)
                words[place] = -GAP
        has_lines = not self.most_lines or self._equal_share() > len(moved) + 1
        return sorted(moved) if sum(words) <= room and has_lines else []

    def _stacked(
        self, console: Console, options: ConsoleOptions, columns: list[Cells], moved: list[int]
    ) -> RenderResult:
        """Yield the rows without some columns, whose cells stand above or below them."""
        lead = next(place for place, (column, _) in enumerate(columns) if not column.no_wrap)
        kept = [each for place, each in enumerate(columns) if place not in moved]
        below = [columns[place] for place in moved if place != lead]
        widths = _levelled(_words(kept, NAME), _natural_widths(kept), options.max_width - GAP * (len(kept) - 1))
        fixed = [replace(column, width=width, ratio=None, _cells=[]) for width, (column, _) in zip(widths, kept)]
        most = self._equal_share() // (len(moved) + 1)  # lines of each part of a row

        def short(text: Text, width: int) -> Text:
            return fitted(text, width, most, console) if self.most_lines else text

        yield Table(*fixed, **RULED)
        for row in range(self.row_count):
            if lead in moved and (text := columns[lead][1][row]):
                whole = short(text, options.max_width - len(INDENT))
                yield from _hanging(whole, console, options.max_width)
            rest = Table(*(column.copy() for column in fixed), **RULED, show_header=False)
            rest.add_row(*(short(cells[row], width) for (_, cells), width in zip(kept, widths)))
            yield rest
            for column, cells in below:
                if text := cells[row]:
                    named = _named(_text(console, column.header), column, text)
                    named = short(named, options.max_width - len(INDENT) * 2)
                    lines = _hanging(named, console, options.max_width - len(INDENT))
                    yield from (Text(INDENT).append_text(line) for line in lines)

    def has_room_for_words(self, width: int) -> bool:
        """Return whether no word of a table is broken, whose cells are Text."""
        needed = [_needed(Text(str(each.header)), [*each.cells], each, width) for each in self.columns]  # type: ignore[list-item]
        return sum(needed) + GAP * (len(needed) - 1) <= width

    def _given(self, console: Console, options: ConsoleOptions) -> list[int]:
        """Return the widths that rich gives the columns."""
        given = self._calculate_column_widths(console, options.update_width(options.max_width - self._extra_width))
        return [*(max(1, width - PADDING) for width in given[:-1]), given[-1]]

    def _equal_share(self) -> int:
        """Return how many lines each row may have where all have as many."""
        return max(2, self.most_lines // max(1, self.row_count))

    def _most(self, lines: list[int]) -> int:
        """Return how many lines a row may have, from what each needs: rows that need few leave theirs to others."""
        most = max(lines, default=0)
        while (
            self.most_lines and most > self._equal_share() and sum(min(each, most) for each in lines) > self.most_lines
        ):
            most -= 1
        return most

    def _whole_words(
        self,
        console: Console,
        options: ConsoleOptions,
        columns: list[Cells],
        needed: list[int],
        room: int,
    ) -> list[int]:
        """Return a width for each column at which no word is broken that need not be.

        None where rich breaks none and needs no more lines.
        """
        longest, natural = _words(columns, room), _natural_widths(columns)
        given = self._given(console, options)
        lines = _row_lines(console, columns, given)
        shorter = _widths(needed, [min(word, max(few, WORD)) for few, word in zip(needed, longest)], natural, room)
        if self._cuts(lines):
            return shorter
        widths = _widths(needed, longest, natural, room)
        if self._cuts(_row_lines(console, columns, widths)) and not self._cuts(_row_lines(console, columns, shorter)):
            return shorter  # a name loses its middle rather than other rows their values
        if any(width < word for width, word in zip(given, longest)):
            return widths
        return widths if sum(_row_lines(console, columns, widths)) < sum(lines) else []

    def _cuts(self, lines: list[int]) -> bool:
        """Return whether rows that need so many lines have no room for all of them."""
        return self._most(lines) < max(lines, default=0)


def _widths(needed: list[int], longest: list[int], natural: list[int], room: int) -> list[int]:
    """Return widths at which the words of each column are whole, as far as the room allows."""
    least, most = longest, max(longest)
    while sum(least) > room:
        most -= 1
        least = [max(few, min(word, most)) for few, word in zip(needed, longest)]
    return _levelled(least, natural, room)


def _row_lines(console: Console, columns: list[Cells], widths: list[int]) -> list[int]:
    """Return how many lines each row of a table takes; cells that are cut take one."""
    folded = ((texts, width) for (column, texts), width in zip(columns, widths) if not column.no_wrap)
    cells = ([_lines(cell, width, console) for cell in texts] for texts, width in folded)
    return [max(row) for row in zip(*cells)]


def _levelled(least: list[int], natural: list[int], room: int) -> list[int]:
    """Return the widths of columns that are as near to their natural ones as the room allows."""
    level = max(natural)
    while sum(widths := [max(few, min(all_of_it, level)) for few, all_of_it in zip(least, natural)]) > room:
        level -= 1
    return widths


def _words(columns: list[Cells], most: int) -> list[int]:
    """Return the width each column needs for its words of up to `most` characters; few where its cells are cut."""
    return [
        _needed(Text(str(column.header)), cells, column, LEAST if column.no_wrap else most) for column, cells in columns
    ]


def _natural_widths(columns: list[Cells]) -> list[int]:
    """Return the width of each column at which no cell of it is folded."""
    widths = [
        max([cell_len(str(column.header)), *(line.cell_len for cell in cells for line in cell.split())])
        for column, cells in columns
    ]
    return [min(width, column.max_width or width) for width, (column, _) in zip(widths, columns)]


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


class TensorTable(Section):
    """Names, shapes, dtypes and values."""

    def __init__(self, title: str, subtitle: str, rows: Sequence[TensorRow], *, full: bool) -> None:
        self.title, self.subtitle, self.rows, self.full = title, subtitle, rows, full

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        yield title(self.title, self.subtitle)
        table = RuledTable()
        table.add_column("name", style="bold", overflow="fold")
        table.add_column("shape", style="dim", no_wrap=True)
        table.add_column("dtype", style="dim", no_wrap=True)
        table.add_column("values", overflow="fold", ratio=1)
        for row in self.rows:
            if row.tensor is not None:
                values = Text(tensor_text(row.tensor, self.full, lines=True))
                shape, dtype = shape_text(row.tensor.shape), printable(row.tensor.dtype)
                table.add_row(Text(row.name), Text(shape), Text(dtype), values)
            elif row.reason is not None:
                table.add_row(Text(row.name), "", "", Text("None", "bold").append(f"  {row.reason}", "yellow"))
            else:
                table.add_row(Text(row.name), "", Text(type(row.value).__name__), Text(value_text(row.value, 2000)))
        yield table


class GradientTable(Section):
    """The gradients of the leaves in one backward; short: on one line each, with one dtype in the title."""

    def __init__(self, title: str, subtitle: str, rows: Sequence[GradientRow], *, short: bool = False) -> None:
        self.title, self.subtitle, self.rows, self.short = title, subtitle, rows, short

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        dtypes = {row.dtype for row in self.rows if row.dtype}
        with_dtype = not self.short or len(dtypes) != 1
        yield title(self.title, " · ".join(filter(None, (self.subtitle, *([] if with_dtype else dtypes)))))
        if not self.rows:
            yield Text("to no leaf that is still there", style="dim")
            return
        table = RuledTable()
        table.add_column("name", style="bold", overflow="fold")
        table.add_column("shape", style="dim", no_wrap=True)
        if with_dtype:
            table.add_column("dtype", style="dim", no_wrap=True)
        table.add_column("values", overflow="fold", ratio=1)
        names = [row.name for row in self.rows]
        names = dotted_names(names, 2 * width // 5) if self.short else names
        room = width - GAP * 2 - max(map(len, names)) - max(len(row.shape) for row in self.rows)
        for row, name in zip(self.rows, names, strict=True):
            values = Text("None", "bold").append(f"  {row.reason}", "yellow") if row.reason else Text(row.values)
            if self.short and not row.reason:
                values = Text(fitted_parts(row.values, room - (len(row.note) + GAP if row.note else 0)))
            if row.note:
                values.append(f"  {row.note}", "yellow")
            table.add_row(*map(Text, (name, row.shape, *([row.dtype] if with_dtype else []))), values)
        yield table


class DecisionColumn(NamedTuple):
    """A column of the decisions table: its head, the cell of a row, and how rich lays it out."""

    head: str
    cell: Callable[[DecisionRow], Text]
    layout: dict[str, Any]


class DecisionTable(Section):
    """Every test, what decided it, the arm taken and the arms left.

    room: the rows that there is room for.  lines: of all rows, or two for each.
    """

    def __init__(
        self,
        record: Record,
        name: str = "Decisions",
        *,
        full: bool,
        selection: Selection = EVERYTHING,
        room: int = MOST_IN_ORDER,
    ) -> None:
        self.record, self.name, self.full, self.lines = record, name, full, MOST_LINES
        self.rows, self.hidden, self.by_site = relevant(record, selection, full, room)

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        loading = len(self.record.loading)
        yield title(self.name, f"and {loading:,} while the script was loaded: `--show loading`" if loading else "")
        if not self.rows:
            yield Text(self.hidden or "none", style="dim")
            return
        table = self._table(width >= WIDE)
        yield table if width < WIDE or table.has_room_for_words(width) else self._table(wide=False)
        if self.hidden:
            yield Text(self.hidden, style="dim")

    def _table(self, wide: bool) -> RuledTable:
        columns = self._columns(wide)
        table = RuledTable(most_lines=0 if self.full else self.lines)
        for column in columns:
            table.add_column(column.head, **column.layout)
        for row in self.rows:
            table.add_row(*(column.cell(row) for column in columns))
        return table

    def _columns(self, wide: bool) -> list[DecisionColumn]:
        right = {"justify": "right", "no_wrap": True}
        columns = [
            DecisionColumn("line", self._line, {"style": "dim", **right}),
            DecisionColumn("test", self._test, {"overflow": "fold", "ratio": 4}),
            DecisionColumn("because", partial(self._because, with_origin=not wide), {"overflow": "fold", "ratio": 5}),
            DecisionColumn(
                "took",
                self._took,
                {"style": "green", "overflow": "fold", "max_width": 32 if wide else 20 if self.by_site else 16},
            ),
            DecisionColumn(
                "left",
                lambda row: Text(printable(row.left)),
                {"style": "dim", "overflow": "fold", "max_width": 24 if wide else 10},
            ),
            DecisionColumn("margin", self._margin, right),
        ]
        if self.by_site:
            columns = [column for column in columns if column.head != "left" or any(row.left for row in self.rows)]
            if self.record.ops:
                columns.append(DecisionColumn("ops", partial(self._ops, controlled_ops(self.record)), right))
        else:
            columns.insert(0, DecisionColumn("#", self._number, {"style": "dim", **right}))
        if wide:
            columns.append(DecisionColumn("on", self._origin, {"no_wrap": True}))
            called = {"style": "dim", "overflow": "fold", "max_width": 32}
            columns.append(DecisionColumn("called as", lambda row: Text(calls_text(row.first.call_path)), called))
        elif not self.by_site and len(self.rows) <= MANY and any(row.depth > 1 for row in self.rows):
            columns.append(DecisionColumn("depth", lambda row: Text(str(row.depth)), {"style": "dim", **right}))
        return columns

    def _number(self, row: DecisionRow) -> Text:
        first, last = row.first.seq, row.decisions[-1].seq
        return Text(f"{first}" if len(row.decisions) == 1 else f"{first}…{last}")

    def _because(self, row: DecisionRow, with_origin: bool) -> Text:
        words = row.because
        many = not self.full and len(self.rows) > MANY and len(words) > LONG
        if self.by_site or many:  # the test beside them has the names
            words = one_line(because(row.decisions, names=False), LONG if len(self.rows) > FEW else 2 * LONG)
        because_of = Text(words)
        notes = [row.origin] if with_origin and row.origin != "tensor" else []
        if row.moved_by:
            lines = [site_text(site, self.record) for site in self.record.sites if site.id in row.moved_by]
            notes.append(f"left the loop, set under line {', '.join(lines)}~")
        if notes:
            because_of.append(f" ({', '.join(notes)})", ORIGIN_STYLE.get(row.origin, "dim"))
        return because_of

    def _took(self, row: DecisionRow) -> Text:
        notes = []
        if row.forced:
            notes.append((" forced", "yellow"))
        if row.first.phase not in ("forward", "load"):
            notes.append((f" ({printable(row.first.phase)})", "dim"))
        took = Cell(printable(row.took))
        if len(row.decisions) > 1:
            is_loop = row.first.trips is not None
            times = counted(len(row.decisions), "time") if is_loop else ""
            if self.by_site and took.cell_len > LONG:
                took = Cell(times or printable(row.arm_counts()))
            took.shorter = Text.assemble(times or printable(row.arm_counts(short=True)), *notes)
        return took.append_tokens(notes)

    def _margin(self, row: DecisionRow) -> Text:
        return Text("" if row.margin is None else (exact if self.full else number)(row.margin))

    def _ops(self, controlled: list[int], row: DecisionRow) -> Text:
        under = sum(controlled[decision.seq] for decision in outermost(self.record, row.decisions))
        return Text(f"{under:,}" if under else "")

    def _origin(self, row: DecisionRow) -> Text:
        return Text(row.origin, ORIGIN_STYLE.get(row.origin, "dim"))

    def _line(self, row: DecisionRow) -> Text:
        return Text(site_text(row.first.site, self.record))

    def _test(self, row: DecisionRow) -> Text:
        word, rest = kind_and_text(row.first.site)
        indent = Text("" if self.by_site else "  " * min(row.nesting, 4))
        most = LONG + LONG // 2 if self.by_site else 120
        return indent.append(f"{word} " if word else "", "bold").append(one_line(rest, most))


class OpTable(Section):
    """Every op in order: its inputs and output, its place, its decision, its time, the bytes it keeps for backward."""

    def __init__(self, record: Record, *, full: bool) -> None:
        from dyncli.analysis.ops import op_rows

        self.rows = op_rows(record)
        self.cut = 0 if full or len(self.rows) <= MOST_OPS else len(self.rows) - MOST_OPS

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        yield title("Ops", f"{counted(len(self.rows), 'op')}, the first and the last of them" if self.cut else "")
        wide = width >= WIDE
        table = RuledTable()
        table.add_column("#", style="dim", justify="right", no_wrap=True)
        table.add_column("op", style="bold", overflow="fold", ratio=2)
        table.add_column("inputs", overflow="fold", ratio=3)
        table.add_column("output", overflow="fold", ratio=3)
        table.add_column("under", style="dim", overflow="fold", ratio=3 if wide else 2)
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        if wide:
            table.add_column("source", style="dim", overflow="ellipsis", no_wrap=True, ratio=4)
        table.add_column("time", justify="right", no_wrap=True)
        table.add_column("saved", justify="right", no_wrap=True)
        head = len(self.rows) if not self.cut else MOST_OPS // 2
        for row in self.rows[:head]:
            table.add_row(*_op_cells(row, wide))
        if self.cut:
            table.add_row("", Text(f"… {self.cut:,} more (--full shows them)", "dim"))
            for row in self.rows[-(MOST_OPS - head) :]:
                table.add_row(*_op_cells(row, wide))
        yield table


def _op_cells(row: OpRow, wide: bool) -> list[Text]:
    op = row.op
    name = Text(one_line(op.name, 40), "bold red" if op.error else "")
    if op.args:
        name.append(f" {one_line(op.args, 40)}", "default")
    output = Text(row.outputs) if not op.error else Text(one_line(op.error, 120), "red")
    saved = bytes_text(op.saved_bytes) if op.saved_bytes else ""
    cells = [Text(str(op.seq)), name, Text(row.inputs), output, Text(row.under), Text(row.line)]
    if wide:
        cells.append(Text(one_line(op.site.text, 60)))
    return [*cells, Text(time_text(op.elapsed_ns)), Text(saved)]


def calls_text(path: Sequence[str]) -> str:
    """Return the functions on the stack, a run of one of them counted: `forward > visit x3`."""
    words: list[str] = []
    for place, name in enumerate(path):
        if place and name == path[place - 1]:
            continue
        times = next((i for i, other in enumerate(path[place:]) if other != name), len(path) - place)
        words.append(one_line(name, 40) + (f" x{times}" if times > 1 else ""))
    return " > ".join(words)
