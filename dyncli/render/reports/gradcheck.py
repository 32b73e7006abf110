"""A gradient check as a table for people, or as JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from dyncli.analysis.values import counted, number, place_text, shape_text, torch_text
from dyncli.records.gradcheck import Checked, Flip, Report, Worst
from dyncli.records.text import one_line, printable
from dyncli.render.reports.tables import RuledTable, Section, title

WIDE = 95
MOST_ROWS = 20  # of a table; of more those that are right are few
WORDS = {
    "right": ("right", "green"),
    "wrong": ("wrong", "bold red"),
    "detached": ("detached", "bold red"),
    "nondeterministic": ("random", "bold red"),
    "kink": ("kink", "yellow"),
    "jump": ("jump", "yellow"),
    "nan": ("nan", "yellow"),
    "resolution": ("below resolution", "yellow"),
    "not_measurable": ("not measurable", "yellow"),
    "not_applicable": ("nothing to check", "yellow"),
}


def render(report: Report) -> Group:
    """Return the report of one case."""
    parts: list[RenderableType] = [_heading(report)]
    if report.checks:
        parts += [Text(), _Table(report)]
    near = _flips(report)
    if near:
        parts += [Text(), *near]
    parts += [Text(), _verdict(report)]
    parts += [Text("note: ", "yellow").append(printable(note), "default") for note in report.notes]
    return Group(*parts)


def _heading(report: Report) -> Text:
    text = Text(one_line(f"{report.model}:{report.entry}", 100), "bold")
    if report.case:
        text.append(" · case ", "dim").append(one_line(report.case, 60), "bold")
    facts = ["float64", f"seed {report.seed}"]
    if report.order == 2:
        facts.append("second order" if report.failing == 2 else "first order")
    if report.outputs:
        facts.append(report.outputs)
    facts += torch_text(report.versions)
    return text.append(" · " + " · ".join(map(printable, facts)), "dim")


class _Table(Section):
    """The table of what was checked, and the worst of it; without shape and count where the page is narrow."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        wide = width >= WIDE
        table = RuledTable()
        table.add_column("name", style="bold", overflow="fold", min_width=self._name_width(width))
        if wide:
            table.add_column("shape", style="dim", no_wrap=True)
            table.add_column("checked", style="dim", no_wrap=True)
        table.add_column("worst", no_wrap=True)
        table.add_column("analytic", justify="right", no_wrap=True)
        table.add_column("numeric", justify="right", no_wrap=True)
        table.add_column("error", justify="right", no_wrap=True)
        table.add_column("verdict", overflow="fold")
        checks, left_out = self._shown()
        for check in checks:
            cells = [
                Text(one_line(check.name, 60)),
                Text(shape_text(check.shape)),
                Text(_checked(check)),
            ]
            table.add_row(*(cells if wide else cells[:1]), *_worst(check))
        yield title("Gradients", "second derivatives" if self.report.failing == 2 else "")
        yield table
        if left_out:
            yield Text(f"and {counted(left_out, 'parameter')} more, all right", "dim")

    def _shown(self) -> tuple[list[Checked], int]:
        """Return the rows, and how many right parameters are left out of many: those with the least errors."""
        checks = self.report.checks
        right = [each for each in checks if each.verdict == "right" and each.role == "parameter"]
        right.sort(key=lambda each: each.worst.error if each.worst is not None else -1.0)
        left_out = right[: max(0, len(checks) - MOST_ROWS)] if len(checks) > MOST_ROWS + 1 else []
        numbers = {id(each) for each in left_out}
        return [each for each in checks if id(each) not in numbers], len(left_out)

    def _name_width(self, width: int) -> int:
        longest = max(len(check.name) for check in self.report.checks)
        return min(longest, width // 5)


def _checked(check: Checked) -> str:
    if check.directions:
        return counted(check.checked, "direction")
    return "all" if check.checked == check.elements else f"{check.checked} of {check.elements}"


def _worst(check: Checked) -> list[Text]:
    words, style = WORDS[check.verdict]
    verdict = Text(words, style)
    if check.note:
        verdict.append(f", {printable(check.note)}", "not bold dim")
    worst = check.worst
    if worst is None:
        return [Text(), Text(), Text(), Text(), verdict]
    where = shape_text(worst.element) if worst.element else ""
    return [Text(where), *map(Text, (number(worst.analytic + 0.0, 5), _numeric(check, worst), _error(worst))), verdict]


def _numeric(check: Checked, worst: Worst) -> str:
    if check.verdict in ("kink", "jump") and worst.left is not None and worst.right is not None:
        return f"{number(_tidy(worst.left), 5)} | {number(_tidy(worst.right), 5)}"
    return number(worst.numeric + 0.0, 5)  # without the sign of a zero


def _tidy(value: float) -> float:
    """Round a one-sided derivative to the digits that are no rounding error."""
    nearest = round(value, 8)
    return nearest + 0.0 if abs(value - nearest) < 1e-10 else value


def _error(worst: Worst) -> str:
    if math.isnan(worst.error):
        return ""
    return number(worst.error, 2)


def _flips(report: Report) -> list[Text]:
    lines = []
    parameters = [check for check in report.checks if check.role == "parameter" and check.nearest is not None]
    least = min(parameters, key=_distance, default=None)
    for check in report.checks:
        if check.flip is not None and check.verdict in ("kink", "jump", "wrong", "detached"):
            text = Text(f"{one_line(check.name, 40)} ", "bold").append("sits on the edge of ", "not bold")
            text.append(_flip(check.flip, report.model), "not bold")
            lines.append(text)
        elif check.nearest is not None and check.nearest.distance is not None:
            if check.role == "parameter" and check is not least:
                continue
            text = Text(f"{one_line(check.name, 40)} ", "bold").append("is nearest to ", "not bold")
            text.append(_flip(check.nearest, report.model), "not bold").append(
                f", {number(check.nearest.distance)} away", "not bold"
            )
            if check.nearest.element:
                text.append(f" along {shape_text(check.nearest.element)}", "not bold")
            lines.append(text)
    return lines


def _distance(check: Checked) -> float:
    near = check.nearest
    return math.inf if near is None or near.distance is None else near.distance


def _flip(flip: Flip, model: str) -> str:
    place = flip.place
    margin = "" if flip.margin is None else f" (margin {number(flip.margin)})"
    return f"`{one_line(place.text, 60)}` at {place_text(place.file, place.line, model)}{margin}"


def _verdict(report: Report) -> Text:
    words, style = WORDS[report.verdict]
    text = Text(words, style)
    if report.inputs and report.verdict != "right":
        text.append(f" · {', '.join(one_line(name, 40) for name in report.inputs)}", "not bold default")
    if report.message:
        text.append(f" · {printable(report.message)}", "not bold default")
    if report.hint:
        text.append(f"\nhint: {printable(report.hint)}", "not bold default")
    return text


def render_json(reports: Sequence[Report]) -> str:
    """Return one report as a JSON object, several as a list of them."""
    found = [_object(report) for report in reports]
    return json.dumps(found[0] if len(found) == 1 else found, indent=2, allow_nan=False) + "\n"


def _object(report: Report) -> dict[str, Any]:
    place, near = report.place, report.nearest
    return {
        "model": report.model,
        "entry": report.entry,
        "case": report.case,
        "verdict": report.verdict,
        "inputs": list(report.inputs),
        "line": None if place is None else place.line,
        "op": None if place is None else place.what,
        "file": None if place is None else place.file,
        "text": None if place is None else place.text,
        "near_line": None if near is None else near.place.line,
        "near": _near(near),
        "message": report.message,
        "hint": report.hint,
        "order": report.failing,
        "outputs": report.outputs,
        "forward_mode": report.forward_mode,
        "seed": report.seed,
        "evaluations": report.evaluations,
        "notes": list(report.notes),
        "checks": [_check(check) for check in report.checks],
    }


def _check(check: Checked) -> dict[str, Any]:
    worst = check.worst
    return {
        "name": check.name,
        "role": check.role,
        "shape": list(check.shape),
        "verdict": check.verdict,
        "elements": check.elements,
        "checked": check.checked,
        "directions": check.directions,
        "worst_index": None if worst is None or worst.element is None else list(worst.element),
        "output": None if worst is None else worst.output,
        **{
            name: None if worst is None else _finite(value)
            for name, value in (
                ("analytic", worst and worst.analytic),
                ("numeric", worst and worst.numeric),
                ("error", worst and worst.error),
                ("estimated_error", worst and worst.estimated),
                ("left", worst and worst.left),
                ("right", worst and worst.right),
                ("jump", worst and worst.jump),
            )
        },
        "flip": _near(check.flip),
        "nearest": _near(check.nearest),
        "line": None if check.place is None else check.place.line,
        "note": check.note,
    }


def _near(flip: Flip | None) -> dict[str, Any] | None:
    if flip is None:
        return None
    return {
        "file": flip.place.file,
        "line": flip.place.line,
        "text": flip.place.text,
        "kind": flip.place.what,
        "margin": _finite(flip.margin),
        "distance": _finite(flip.distance),
        "element": list(flip.element),
    }


def _finite(value: Any) -> Any:
    """Convert NaN and infinities to text, for JSON."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
