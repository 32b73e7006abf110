"""The table of sensitivities: how far each input is from flipping each test."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from dyncli.analysis.sensitivity import SensitivityRow, sensitivity_rows
from dyncli.analysis.values import number
from dyncli.records.model import Record
from dyncli.records.text import one_line, printable
from dyncli.render.reports.tables import RuledTable, Section, title


class SensitivityTable(Section):
    """Each test with its margin, the nearest change of the inputs that flips it, and whether it really does."""

    def __init__(self, record: Record) -> None:
        self.rows = sensitivity_rows(record)

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        yield title("Sensitivity", "the nearest change of the inputs that flips a test, to first order")
        if not self.rows:
            yield Text("no test was evaluated", "dim")
            return
        table = RuledTable()
        table.add_column("#", style="dim", justify="right", no_wrap=True)
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column("test", overflow="fold", ratio=4)
        table.add_column("margin", justify="right", no_wrap=True)
        table.add_column("by", justify="right", no_wrap=True)
        table.add_column("nearest change", overflow="fold", ratio=5)
        table.add_column("one alone", overflow="fold", ratio=3)
        table.add_column("tried", overflow="fold", ratio=4)
        for row in self.rows:
            table.add_row(*_cells(row))
        yield table


def _cells(row: SensitivityRow) -> list[Text]:
    one = row.one
    test = Text(one_line(row.test, 80))
    if row.times > 1:
        test.append(f"  the nearest of {row.times:,}", "dim")
    margin = Text("" if one.margin is None else number(one.margin))
    by = Text("" if one.distance is None else number(one.distance))
    cells = [Text(str(one.decision)), Text(row.line), test, margin, by]
    if one.reason is not None:
        return [*cells, Text(printable(one.reason), "yellow"), Text(), Text()]
    style = "" if one.flips is None else "green" if one.flips else "yellow"
    return [*cells, Text(printable(row.nearest)), Text(printable(row.alone)), Text(printable(row.tried), style)]
