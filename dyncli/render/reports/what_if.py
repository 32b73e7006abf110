"""Outputs and gradients of two runs side by side: as the model is, and with an arm forced or a value replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from dyncli.analysis.changes import Change, gradient_changes, output_changes
from dyncli.analysis.values import TensorRow, counted, number, shape_text, tensor_text, value_text
from dyncli.records.codec import value_out
from dyncli.records.expanded import expand, json_text
from dyncli.records.model import Record
from dyncli.records.text import printable
from dyncli.render.reports.tables import RuledTable, Section, title

WHOLE = 8  # elements of a tensor that stands in the table whole


def sections(before: Record, after: Record, parts: Sequence[str]) -> Iterator[Section]:
    """Yield a table of the outputs and one of the gradients, as far as they are among `parts`."""
    for part, name, changes in (
        ("outputs", "Outputs", output_changes(before, after)),
        ("gradients", "Gradients", gradient_changes(before, after)),
    ):
        if part in parts and changes:
            patched = not after.forced and any(notice.kind == "patch" for notice in after.notices)
            yield ChangeTable(name, changes, "patched" if patched else "forced")


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
    """Names, and values before and after."""

    def __init__(self, title: str, changes: Sequence[Change], word: str) -> None:
        self.title, self.changes, self.word = title, changes, word

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        yield title(self.title)
        table = RuledTable()
        table.add_column("name", style="bold", overflow="fold")
        table.add_column("as it is", style="dim", overflow="fold", ratio=1)
        table.add_column(self.word, overflow="fold", ratio=1)
        table.add_column("differs by", justify="right", no_wrap=True)
        for change in self.changes:
            table.add_row(Text(change.name), _cell(change.before), _cell(change.after), _difference(change))
        yield table


def _cell(row: TensorRow | None) -> Text:
    if row is None:
        return Text("—", "dim")
    if row.tensor is not None:
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
