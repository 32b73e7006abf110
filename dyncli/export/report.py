"""The report of an export, for people."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from dyncli.analysis.values import bytes_text, time_text
from dyncli.export.build import Built
from dyncli.export.session import Exported
from dyncli.export.verify import CLOSE, Verdict
from dyncli.records.text import printable
from dyncli.render.reports.tables import RuledTable


def render(made: Exported, path: Path) -> Group:
    """Return the report of a model that was written to `path`."""
    built, verdict, notes = made.built, made.verdict, made.notes
    parts: list[RenderableType] = [Text(printable(f"{made.shown} -> {path}"), "bold"), Text()]
    for name, value in _rows(built, verdict):
        parts.append(Text(f"{name:<12}", "dim").append(printable(value), "default"))
    parts += [Text(), _table(built, verdict, made.size_bytes)]
    unseen = [(line, outcome) for (line, outcome), seen in built.summary.arms.items() if not seen]
    parts += [Text()] if unseen or notes else []
    for line, outcome in unseen:
        parts.append(Text("warning: ", "yellow").append(printable(f"never seen: {outcome} of {line}"), "default"))
    if unseen:
        hint = f"`dyncli cover {made.asked} --inputs DATA --search` looks for inputs that reach them"
        parts += [Text(), Text("hint: ", "cyan").append(printable(hint), "default")]
    for note in notes:
        parts.append(Text("note: ", "yellow").append(printable(note), "default"))
    return Group(*parts)


def _rows(built: Built, verdict: Verdict) -> list[tuple[str, str]]:
    """Return the lines above the table: a name and what it says."""
    case = built.runs[0].case
    inputs = [
        f"{name} {_shape([f'{name}_{k}' if (name, k) in built.varying else n for k, n in enumerate(array.shape)])}"
        for name, array in case.arrays.items()
    ] + [f"{name} (number)" for name in case.numbers]
    apart = f", {built.shapes} shapes apart" if built.shapes > 1 else ""
    least = "no numbers are compared"
    if verdict.margin is not None:
        least = f"{verdict.margin:.3g} between compared numbers, at the least"
    rows = [
        ("inputs", ", ".join(inputs)),
        ("outputs", ", ".join([*built.outputs, "captured"])),
        ("cases", f"{len(built.runs)}{apart}"),
        ("graph", f"{built.summary.branches} If, {built.summary.loops} Loop"),
        ("margin", least),
        ("probes", ", ".join(f"{count} {name}" for name, count in verdict.probes.items() if count) or "none"),
    ]
    if verdict.margin is not None and verdict.margin < CLOSE:
        rows.insert(5, ("", "inputs this near to a threshold may be decided differently after rounding"))
    return rows


def _table(built: Built, verdict: Verdict, size_bytes: int) -> RuledTable:
    """Return the figures of the model; times are those of a call."""
    paths = {tuple(str(each.outcome) for each in run.path.nodes if hasattr(each, "outcome")) for run in built.runs}
    seen = sum(built.summary.arms.values())
    times = verdict.times
    cells = {
        "paths": len(paths), "arms": seen, "not seen": len(built.summary.arms) - seen, "nodes": built.nodes,
        "size": f"{bytes_text(size_bytes):>8}", "difference": f"{verdict.largest:.3g}", "eager": _time(times.eager_us),
        "replay": _time(times.replay_us), "onnxruntime": _time(times.runtime_us),
    }  # fmt: skip
    table = RuledTable()
    for head in cells:
        table.add_column(head, justify="right", no_wrap=True)
    table.add_row(*(Text(str(cell)) for cell in cells.values()))
    return table


def _time(amount_us: float | None) -> str:
    """Return a time as wide as every other, so that the columns of two reports are."""
    return f"{'—' if amount_us is None else time_text(round(amount_us * 1000)):>6}"


def _shape(sizes: list[object]) -> str:
    return "[" + ", ".join(map(str, sizes)) + "]"
