"""Reports, pictures and files of a run, or of two, as text.

Times are made up, so that they are the same everywhere.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from rich.console import Console

from dyncli.analysis.costs import GROUPINGS
from dyncli.analysis.diff import diff
from dyncli.analysis.graph.model import options_of
from dyncli.records.model import Record
from dyncli.render.drawing import Drawing
from dyncli.render.export import chrome, diff_json, speedscope, trace_json
from dyncli.render.graph import tree
from dyncli.render.reports import diff as diff_report, run as run_report, trace as trace_report
from dyncli.render.reports.diff import DiffOptions
from dyncli.render.reports.run import RunOptions
from dyncli.render.reports.trace import TraceOptions
from tests.golden.transcripts.test_transcripts import clocked, compact, lasting

FEW = 28  # ops of a run whose files are shown too
ALL_OF_IT = options_of(grads=True, saved=True, times=True, values=True)


def view_lines(record: Record, others: Sequence[Record]) -> Iterator[str]:
    """Yield the head and the text of each view."""
    record, *others = map(clocked, (record, *others))
    of_each = (of_one(record), *(of_two(record, other) for other in others))
    for views in of_each:
        for name, text in views:
            yield f"== {name}\n{lasting(text, is_measured=False)}"


def of_one(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the views of a run."""
    yield "run", printed(run_report.render(record), 80)
    yield "run --trace --full", printed(run_report.render(record, RunOptions(trace=True, full=True)), 130)
    yield "run --source", printed(run_report.render(record, RunOptions(source=True)), 70)
    yield "trace", printed(trace_report.render(record), 80)
    yield "trace --ops", printed(trace_report.render(record, TraceOptions(ops=True, most=FEW)), 130)
    for by in GROUPINGS:
        options = TraceOptions(by=by, show=("costs",), sort="bytes" if by == "op" else None)
        yield f"trace --by {by}", printed(trace_report.render(record, options), 100)
    drawing = Drawing((record,), options_of())
    yield "graph", printed(partial(tree.renderable, drawing.data()), 80)
    if len(record.ops) < FEW:
        yield "trace --json", compact(trace_json.render([record], [TraceOptions()]))
        yield "trace -o trace.json", chrome.render(record).text
        yield "trace -o trace.speedscope.json", compact(speedscope.render(record).text)
        yield from pictures(Drawing((record,), ALL_OF_IT))


def of_two(a: Record, b: Record) -> Iterator[tuple[str, str]]:
    """Yield the views of two runs."""
    compared = diff(a, b)
    yield "diff", printed(diff_report.render(compared), 80)
    yield "diff --full", printed(diff_report.render(compared, DiffOptions(full=True)), 130)
    if len(a.ops) + len(b.ops) < 2 * FEW:
        yield "diff --json", compact(diff_json.render(compared))
        yield from pictures(Drawing((a, b), ALL_OF_IT))


def pictures(drawing: Drawing) -> Iterator[tuple[str, str]]:
    """Yield the kinds of pictures that are text."""
    yield "graph -o graph.txt", drawing.text()
    yield "graph -o graph.mermaid", drawing.mermaid()
    yield "graph -o graph.dot", drawing.dot()


def printed(report: Any, width: int) -> str:
    """Return what a terminal of so many columns shows of a report, or of one that a function makes for the screen."""
    file = io.StringIO()
    screen = Console(file=file, width=width, highlight=False, emoji=False)
    screen.print(report(screen) if isinstance(report, partial) else report)
    return file.getvalue()
