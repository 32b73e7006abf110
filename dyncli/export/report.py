"""The report of an export, for people."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from dyncli.analysis.values import counted
from dyncli.export.build import Built
from dyncli.export.verify import CLOSE, Verdict
from dyncli.records.text import printable


def render(shown: str, built: Built, verdict: Verdict, path: Path, size_bytes: int, notes: list[str]) -> Group:
    """Return the report of a model that was written to `path`."""
    parts: list[RenderableType] = [Text(printable(f"{shown} -> {path}"), "bold"), Text()]
    for name, value in _rows(built, verdict, size_bytes):
        parts.append(Text(f"{name:<12}", "dim").append(printable(value), "default"))
    unseen = [(line, outcome) for (line, outcome), seen in built.summary.arms.items() if not seen]
    for line, outcome in unseen:
        parts.append(Text("warning: ", "yellow").append(printable(f"never seen: {outcome} of {line}"), "default"))
    if unseen:
        hint = f"`dyncli cover {shown} --inputs DATA --search` looks for inputs that reach them"
        parts += [Text(), Text("hint: ", "cyan").append(printable(hint), "default")]
    for note in notes:
        parts.append(Text("note: ", "yellow").append(printable(note), "default"))
    return Group(*parts)


def _rows(built: Built, verdict: Verdict, size_bytes: int) -> list[tuple[str, str]]:
    """Return the rows of the table: a name and what it says."""
    summary, arms = built.summary, built.summary.arms
    paths = {tuple(str(each.outcome) for each in run.path.nodes if hasattr(each, "outcome")) for run in built.runs}
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
        ("paths", f"{len(paths)} in {counted(len(built.runs), 'case')}{apart}"),
        ("arms", f"{sum(arms.values())} of {len(arms)} seen"),
        ("graph", f"{built.nodes} nodes, {summary.branches} If, {summary.loops} Loop, {size_bytes:,} bytes"),
        ("difference", f"at most {verdict.largest:.3g} in {counted(verdict.cases, 'case')}"),
        ("margin", least),
        ("probes", ", ".join(f"{count} {name}" for name, count in verdict.probes.items() if count) or "none"),
        ("time", f"eager {verdict.eager_us:.0f} us, onnxruntime {verdict.runtime_us:.0f} us"),
    ]
    if verdict.margin is not None and verdict.margin < CLOSE:
        rows.insert(7, ("", "inputs this near to a threshold may be decided differently after rounding"))
    return rows


def _shape(sizes: list[object]) -> str:
    return "[" + ", ".join(map(str, sizes)) + "]"
