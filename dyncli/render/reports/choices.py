"""The table of choices: what ops picked by index, and draws."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from dyncli.analysis.choices import choice_rows, op_text, takes_all_or_none
from dyncli.analysis.decisions import Selection
from dyncli.analysis.values import counted, site_text
from dyncli.records.model import Record
from dyncli.records.text import one_line
from dyncli.render.reports.tables import MOST_LINES, RuledTable, Section, title

MOST_CHOICES = 8
WIDEST_OP = 40  # letters of an op
OP_BESIDE_MODULE = 28  # letters of an op whose module stands beside it


class ChoiceTable(Section):
    """Places where an op picked elements by value: what was picked how often, how closely, and for what.

    lines: of all rows, or two for each.
    """

    def __init__(self, record: Record, *, full: bool, selection: Selection) -> None:
        self.record = record
        rows = [row for row in choice_rows(record) if selection.holds_place(row.site, row.origin)]
        self.full, self.rows = full, rows
        self.lines, self.more = MOST_LINES, 0
        if not full:
            self.keep(MOST_CHOICES)

    def keep(self, most: int) -> None:
        """Show so many of the rows, masks that left out nothing or all only where there is room."""
        places = sorted(range(len(self.rows)), key=lambda place: takes_all_or_none(self.rows[place].choices))
        self.more += len(places[most:])
        self.rows = [self.rows[place] for place in sorted(places[:most])]

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        is_draw = [row.choices[0].kind == "sample" for row in self.rows]
        yield title("Draws" if all(is_draw) else "Choices by index, and draws" if any(is_draw) else "Choices by index")
        table = RuledTable(most_lines=0 if self.full else self.lines)
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column("choice", overflow="ellipsis", ratio=4)
        table.add_column("times", justify="right", no_wrap=True)
        table.add_column("picked", style="green", overflow="fold", ratio=5)
        table.add_column("margin", justify="right", overflow="fold", max_width=14)
        table.add_column("for", style="dim", overflow="ellipsis", ratio=4)
        for row in self.rows:
            module = f" in {one_line(row.module, 30)}" if row.module else ""
            most = 60 if self.full else OP_BESIDE_MODULE if module else WIDEST_OP
            place = site_text(row.site, self.record), op_text(row.site, most) + module
            table.add_row(*map(Text, (*place, f"{len(row.choices):,}", row.picked, row.margin, row.use)))
        yield table
        if self.more:
            yield Text(f"{counted(self.more, 'more choice')}: `--full`", style="dim")
