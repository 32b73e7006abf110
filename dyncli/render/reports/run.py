"""The report of `dyncli run`: tables of outputs and gradients, decisions and, on request, ops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from dyncli import errors
from dyncli.analysis.decisions import Selection
from dyncli.analysis.gradients import (
    FEW_ROWS,
    MOST_ROWS,
    accumulated_text,
    all_zero,
    call_text,
    folded_rows,
    forgotten_zero_grad,
    leaves_of,
    other_backwards,
    shown_backwards,
)
from dyncli.analysis.values import counted, seed_text, shown_rows, site_place, torch_text, value_rows
from dyncli.records.model import Backward, Record
from dyncli.records.text import one_line, printable
from dyncli.render.reports.tables import EVERYTHING, MOST_LINES, DecisionTable, GradientTable, OpTable, TensorTable

if TYPE_CHECKING:
    from dyncli.render.reports.choices import ChoiceTable

PARTS = ("outputs", "gradients", "decisions", "ops", "loading")
MOST_ROOTS = 4

STATUS = {
    "error": "the script raised",
    "timeout": "stopped by --timeout",
    "limit": "stopped at a limit",
    "interrupted": "interrupted",
}


SCREEN = 60  # lines of the default report of a long run
AROUND = 13  # of them for its heading, the heads of decisions and choices, and the notes below tables
FEWEST, FEWEST_CHOICES = 4, 3  # that are shown in any case
MOST_MESSAGE = 4  # lines of what was raised


class RunOptions(NamedTuple):
    """The options of a report.

    trace: the ops too.  source: the annotated scripts instead of the tables.  full: every value, nothing folded.
    selection: the decisions that were asked for.
    show: only these of `outputs`, `gradients`, `decisions`, `ops`, `loading`; any other word names a tensor.
    """

    trace: bool = False
    show: tuple[str, ...] = ()
    full: bool = False
    source: bool = False
    selection: Selection = EVERYTHING


DEFAULT = RunOptions()


def render(record: Record, options: RunOptions = DEFAULT, before: Record | None = None) -> Group:
    """Return the report of one run; with `before`, the run as it is without what was forced, against that."""
    parts: list[RenderableType] = [heading(record)]
    if record.forced or before is not None or _patched(record):
        parts.append(_changed(record, before))
    for section in _sections(record, options, before):
        parts += [Text(), section]
    return Group(*parts)


def check_shown(record: Record, names: Sequence[str]) -> None:
    """Raise NothingToShow for a name that is neither a part nor a tensor of the record."""
    known = [tensor.name for tensor in record.tensors if tensor.name] + [output.name for output in record.outputs]
    for name in names:
        if name not in PARTS and name not in known:
            raise errors.NothingToShow(name, PARTS, known)


def _sections(record: Record, options: RunOptions, before: Record | None) -> list[RenderableType]:
    names = tuple(word for word in options.show if word not in PARTS)
    parts = [part for part in PARTS if part in options.show]
    if not options.show:
        parts = list(PARTS[:3])
    if options.trace:
        parts.append("ops")
    if options.selection.is_given and not options.show:
        parts = ["decisions"]
    above: list[RenderableType] = []
    if options.source:
        from dyncli.analysis.listing import listings
        from dyncli.render.reports.source import SourceListing

        above += map(SourceListing, listings(record))
        parts = [part for part in parts if part in options.show]
    if before is not None:
        from dyncli.render.reports import what_if

        above += what_if.sections(before, record, parts, options.full)
        parts = [part for part in parts if part not in PARTS[:2]]
    if record.outputs and "outputs" in parts:
        above.append(TensorTable("Outputs", "", value_rows(record, record.outputs), full=options.full))
    if "gradients" in parts:
        above += _gradients(record, options)
    if names:
        above.append(TensorTable("Shown", "", shown_rows(record, names), full=options.full))
    notes = [Group(*map(note, record.warnings))] if record.warnings else []
    has_decisions = "decisions" in parts and _has_decisions(record, options)
    decided = [DecisionsAndChoices(record, options, [*above, *notes])] if has_decisions else []
    return [*above, *decided, *_below(record, options, parts)]


def _below(record: Record, options: RunOptions, parts: Sequence[str]) -> Iterator[RenderableType]:
    """Yield what stands below the decisions."""
    if record.loading and "loading" in parts:
        loading = record._replace(decisions=record.loading, loading=(), ops=())
        yield DecisionTable(loading, "Loading", full=options.full)
    if record.sensitivities and not options.source:
        from dyncli.render.reports.sensitivity import SensitivityTable

        yield SensitivityTable(record)
    if record.ops and "ops" in parts:
        yield OpTable(record, full=options.full)
    if record.warnings:
        yield Group(*map(note, record.warnings))
    if record.status != "ok":
        yield failure(record, options.full)


def _has_decisions(record: Record, options: RunOptions) -> bool:
    """Return whether there is anything to show of decisions and choices."""
    return bool(record.decisions or (record.choices and _choices(record, options) is not None))


class DecisionsAndChoices:
    """The decisions, and what was picked by index, in the lines of a screen that other tables and notes leave."""

    def __init__(self, record: Record, options: RunOptions, others: Sequence[RenderableType]) -> None:
        self.record, self.options, self.others = record, options, others

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = SCREEN - AROUND
        if not self.options.full:
            room -= sum(1 + len(console.render_lines(each, options, pad=False)) for each in self.others)
        for place, section in enumerate(_decision_tables(self.record, self.options, room)):
            yield from (Text(), section) if place else (section,)


def _decision_tables(record: Record, options: RunOptions, room: int) -> Iterator[RenderableType]:
    """Yield the decisions, and what was picked by index.  room: the lines that the rows of both have on a screen."""
    choices = _choices(record, options) if record.choices else None
    if choices is not None and not options.full:
        choices.keep(max(FEWEST_CHOICES, (room - FEWEST) // 3))
    least = 2 * len(choices.rows) if choices is not None else 0
    rows = max(FEWEST, (room - least) // 2)
    decisions = DecisionTable(record, full=options.full, selection=options.selection, room=rows)
    if choices is not None:
        decisions.lines = min(MOST_LINES, room - least, 3 * len(decisions.rows))
        choices.lines = min(MOST_LINES, room - decisions.lines)
    if record.decisions and (decisions.rows or choices is None):
        yield decisions
    if choices is not None:
        yield choices


def _choices(record: Record, options: RunOptions) -> ChoiceTable | None:
    """Return the table of what was picked by index, None if nothing of it was asked for."""
    from dyncli.render.reports.choices import ChoiceTable

    table = ChoiceTable(record, full=options.full, selection=options.selection)
    return table if table.rows else None


def _gradients(record: Record, options: RunOptions) -> Iterator[RenderableType]:
    """Yield a table for each backward that is shown, and a line for the others."""
    shown = shown_backwards(record, options.full)
    for backward in shown:
        rows = folded_rows(record, backward, options.full)
        name, words = _gradient_title(record, backward)
        whole = "" if options.full else accumulated_text(backward, rows)
        short = not options.full and (len(rows) > FEW_ROWS or len(leaves_of(backward)) > MOST_ROWS)
        yield GradientTable(name, " · ".join(filter(None, (words, whole))), rows, short=short)
        if zeros := len(all_zero(record, backward)):
            words, end = ("are", "they end") if zeros > 1 else ("is", "it ends")
            yield note(f"{counted(zeros, 'gradient')} {words} all 0: `dyncli trace` says where {end}")
    others = other_backwards(record, shown)
    if others:
        yield Text(f"not shown: {others} (`--full` for all)", style="dim")
    warning = forgotten_zero_grad(record)
    if warning is not None:
        yield note(warning)


def heading(record: Record) -> Text:
    """Return the line that says which model ran, on which case, and how much it did."""
    name = one_line(record.model if not record.entry else f"{record.model}:{record.entry}", 100)
    text = Text(name, style="bold")
    if record.case:
        text.append(" · case ", "dim").append(one_line(record.case, 60), "bold")
    counts = counted(len(record.ops), "op"), counted(len(record.decisions), "decision")
    facts = [record.dtype, *seed_text(record.seed), *counts, *torch_text(record.versions)]
    return text.append(" · " + " · ".join(map(printable, facts)), "dim")


def _changed(record: Record, before: Record | None) -> Text:
    """Return what was forced and what was replaced, and how the run as it is went."""
    parts = []
    for word, texts in (("forced", list(record.forced)), ("patched", _patched(record))):
        if texts:
            pins = ", ".join(one_line(each, 60) for each in texts)
            parts.append(Text(f"{word} ", style="yellow").append(pins, "bold default"))
    text = Text(" · ", style="dim").join(parts) if parts else Text("nothing changed", style="yellow")
    if before is None:
        return text
    from dyncli.render.reports import what_if

    return text.append(f" · {what_if.counts(before)}", "dim")


def _patched(record: Record) -> list[str]:
    """Return the patches that were in force, each with how often."""
    times: dict[str, int] = {}
    for notice in record.notices:
        if notice.kind == "patch":
            times[notice.name] = times.get(notice.name, 0) + 1
    return [text if count == 1 else f"{text} x{count:,}" for text, count in times.items()]


def _gradient_title(record: Record, backward: Backward) -> tuple[str, str]:
    of = ", ".join(one_line(name, 60) for name in _roots(record, backward))
    where = f"{call_text(backward)} at {site_place(backward.site, record.model)}" if backward.site is not None else ""
    alike = [one for one in record.backwards if (one.by, one.site) == (backward.by, backward.site)]
    if where and len(alike) > 1:
        place = alike.index(backward) + 1
        where += f", the last of {len(alike):,}" if place == len(alike) else f", {place:,} of {len(alike):,}"
    seed = f"seeded with {one_line(backward.seed, 60)}" if backward.seed else ""
    return f"Gradients of {of}" if of else "Gradients", " · ".join(filter(None, (where, seed)))


def _roots(record: Record, backward: Backward) -> list[str]:
    """Return the names of what a backward began at; the one that follows the entry begins at all it can."""
    tensors = record.tensors
    outputs = [item for item in record.outputs if item.tensor is not None]
    names: list[str] = []
    if backward.site is None:
        names = [item.name for item in outputs if item.tensor is not None and tensors[item.tensor].requires_grad]
    if len(names) > MOST_ROOTS + 1:
        return [*names[:MOST_ROOTS], f"{len(names) - MOST_ROOTS} more"]
    names = names or [item.name for item in outputs if item.tensor == backward.root]
    root = None if backward.root is None else tensors[backward.root].name
    return names or [root or ""]


def note(warning: str) -> Text:
    """Return a line below a table."""
    return Text("note: ", style="yellow").append(printable(warning), "default")


def failure(record: Record, full: bool = False) -> Group:
    """Return how a run ended that did not end well: the failing op, the user's frames, the message and its notes."""
    lines: list[Text] = []
    reason = record.failure
    title = Text("Stopped: ", style="bold red").append(STATUS.get(record.status, record.status), "default")
    if reason is not None and reason.op is not None:
        op = record.ops[reason.op]
        title.append(f" in {one_line(op.name, 40)} (op {op.seq})", "default")
        title.append(f" at {one_line(op.site.file, 60)}:{op.site.line}", "default")
    lines.append(title)
    if reason is not None:
        for frame in reason.frames:
            place = f"  {one_line(frame.file, 60)}:{frame.line} in {one_line(frame.function, 40)}"
            lines += [Text(place, style="dim"), Text(f"    {one_line(frame.text, 200)}")]
        message = _lines(reason.message, full)
        kind = Text(one_line(reason.type, 60) + (": " if message else ""), style="bold red")
        lines.append(kind.append(message, "default"))
        lines += [Text(_lines(note, full)) for note in reason.notes]
    return Group(*lines)


def _lines(text: str, full: bool) -> str:
    """Return the lines of a message, the first of many: some hold a whole tensor."""
    lines = [printable(line) for line in text.splitlines()]
    left = 0 if full else len(lines) - MOST_MESSAGE
    return "\n".join(
        [*lines[:MOST_MESSAGE], f"… {left:,} more lines (`dyncli run --full` shows them)"] if left > 1 else lines
    )
