"""Outputs and gradients of two runs side by side: as the model is, and with an arm forced or a value replaced."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.text import Text

from dyncli.analysis.changes import Change, gradient_changes, output_changes
from dyncli.analysis.values import (
    TensorRow,
    counted,
    number,
    shape_text,
    statistics_text,
    stats_of,
    tensor_text,
    value_text,
)
from dyncli.records.codec import value_out
from dyncli.records.expanded import expand, json_text
from dyncli.records.model import Record
from dyncli.records.text import printable
from dyncli.render.reports.tables import RuledTable, Section, title

WHOLE = 8  # elements of a tensor that stands in the table whole
MOST_CHANGES = 12  # rows of a table on one screen


def sections(before: Record, after: Record, parts: Sequence[str], full: bool) -> Iterator[ChangeTable]:
    """Yield a table of the outputs and one of the gradients, as far as they are among `parts`."""
    for part, name, changes in (
        ("outputs", "Outputs", output_changes(before, after)),
        ("gradients", "Gradients", gradient_changes(before, after)),
    ):
        if part in parts and changes:
            patched = not after.forced and any(notice.kind == "patch" for notice in after.notices)
            yield ChangeTable(name, changes, "patched" if patched else "forced", full=full)


def counts(before: Record) -> str:
    """Return how large the run `before` was, and how it ended if not well."""
    ended = "" if before.status == "ok" else f", which ended: {before.status}"
    return f"as it is: {counted(len(before.ops), 'op')}, {counted(len(before.decisions), 'decision')}{printable(ended)}"


def render_json(before: Record, after: Record) -> str:
    """Return the run `after` as JSON, with what `changes` from the run `before`, and how that one ended."""
    document = expand(after)
    tables = expand(before)["tensors"], document["tensors"]
    document["before"] = {
        "status": before.status,
        "signature": before.signature,
        "ops": len(before.ops),
        "decisions": len(before.decisions),
    }
    document["changes"] = [
        {
            "part": part,
            "name": change.name,
            "before": _json(change.before, tables[0]),
            "after": _json(change.after, tables[1]),
            "is_same": change.is_same,
            "difference": value_out(change.difference),
        }
        for part, changes in (("output", output_changes(before, after)), ("gradient", gradient_changes(before, after)))
        for change in changes
    ]
    return json_text(document, len(after.ops))


class ChangeTable(Section):
    """Names, and values before and after: of many those that differ most, in few words, unless `full`."""

    def __init__(self, title: str, changes: Sequence[Change], word: str, *, full: bool = False) -> None:
        self.title, self.word = title, word
        self.is_long = len(changes) > MOST_CHANGES and not full
        shown = {id(change) for change in sorted(changes, key=_rank)[:MOST_CHANGES]}
        self.changes = [change for change in changes if not self.is_long or id(change) in shown]
        self.left = [change for change in changes if self.is_long and id(change) not in shown]

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        yield title(self.title, "those that differ most" if self.left else "")
        table = RuledTable(most_lines=2 * len(self.changes) if self.is_long else 0)
        table.add_column("name", style="bold", overflow="fold")
        table.add_column("as it is", style="dim", overflow="fold", ratio=1)
        table.add_column(self.word, overflow="fold", ratio=1)
        table.add_column("differs by", justify="right", no_wrap=True)
        for change in self.changes:
            cells = [_cell(each, is_short=self.is_long) for each in (change.before, change.after)]
            table.add_row(Text(change.name), *cells, _difference(change))
        yield table
        if self.left:
            same = sum(change.is_same for change in self.left)
            words = f", {same:,} of them the same" if same else ""
            yield Text(f"… {len(self.left):,} more{words} (`--full` for all)", "dim")


def _rank(change: Change) -> tuple[bool, float]:
    """Order by what differs: what only one run has, what has no elements to compare, then the largest difference."""
    difference = change.difference
    return change.is_same, -math.inf if difference is None or math.isnan(difference) else -difference


def _cell(row: TensorRow | None, *, is_short: bool) -> Text:
    if row is None:
        return Text("—", "dim")
    if row.tensor is not None:
        count = math.prod(row.tensor.shape)
        stats = stats_of(row.tensor) if is_short and count > WHOLE else None
        if stats is not None:
            return Text(f"{shape_text(row.tensor.shape)} {statistics_text(stats, count, ('norm',))}")
        words = tensor_text(row.tensor, whole=WHOLE)
        small = row.tensor.values is not None and len(row.tensor.values) <= WHOLE
        return Text(words if small else f"{shape_text(row.tensor.shape)} {words}")
    if row.reason is not None:
        return Text("None", "bold").append(f"  {row.reason}", "not bold yellow")
    return Text(value_text(row.value, 200))


def _difference(change: Change) -> Text:
    if change.is_same:
        return Text("same", "dim")
    difference = change.difference
    return Text(number(difference) if difference else "")


def _json(row: TensorRow | None, tensors: list[dict[str, object]]) -> object:
    if row is None:
        return None
    if row.tensor is not None:
        tensor = tensors[row.tensor.id]
        return {name: tensor[name] for name in ("shape", "dtype", "values", "stats")}
    return {"value": value_out(row.value), "reason": row.reason}
