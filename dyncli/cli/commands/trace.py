"""`dyncli trace`: what every op cost, what filled the memory, and the first bad value."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from dyncli import errors
from dyncli.cli import options as opt
from dyncli.cli.output import (
    end,
    for_case,
    load_saved,
    may_save,
    may_write,
    one_by_one,
    save_case,
    say,
    show as display,
)
from dyncli.records.files import write
from dyncli.script.paths import is_record

if TYPE_CHECKING:
    from dyncli.recorder.request import Request
    from dyncli.records.model import Record
    from dyncli.render.reports.trace import TraceOptions

COSTS = "Costs"
BAD = "Bad values"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(opt.RunOptions):
    """Options of `dyncli trace`."""

    by: Annotated[
        str | None,
        Option(
            metavar="WHAT",
            rich_help_panel=COSTS,
            show_default=False,
            help="Gather ops by line, op, module, decision or iteration; by line if not given, "
            "of a short run each op by itself.",
        ),
    ] = None
    ops: Annotated[bool, Option("--ops", rich_help_panel=COSTS, help="Each op by itself, also of a long run.")] = False
    sort: Annotated[
        str | None,
        Option(
            metavar="ORDER",
            rich_help_panel=COSTS,
            show_default=False,
            help="time, bytes, count or order; of groups time, of single ops order if not given.",
        ),
    ] = None
    most: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            rich_help_panel=COSTS,
            show_default=False,
            help="Show so many rows; 20 of groups, a screen of single ops if not given.",
        ),
    ] = None
    huge: Annotated[
        float,
        Option(
            callback=opt.not_nan,
            metavar="X",
            min=1,
            rich_help_panel=BAD,
            help="Exploded is so many times larger than what went in.",
        ),
    ] = 1e8
    tiny: Annotated[
        float,
        Option(
            callback=opt.not_nan,
            metavar="X",
            min=0,
            max=1,
            rich_help_panel=BAD,
            help="A gradient that is so much smaller than the first has vanished.",
        ),
    ] = 1e-8
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=opt.OUTPUT,
            show_default=False,
            help="Write the timeline here: `.json` for Perfetto and chrome://tracing, "
            "`.speedscope.json` for speedscope. `-` is stdout.",
        ),
    ] = None
    batched: Annotated[
        bool,
        Option(
            "--batched",
            rich_help_panel=COSTS,
            help="Name the groups that `torch.batched` computes together; the model runs again.",
        ),
    ] = False
    show: Annotated[
        list[str] | None,
        Option(
            metavar="PART",
            rich_help_panel=opt.OUTPUT,
            show_default=False,
            help="Only this part: bad, costs or memory; repeatable.",
        ),
    ] = None
    json: opt.Json = False


@opt.with_options
def trace(options: Options) -> None:
    """Show what every op cost, forward and backward, what filled the memory, and the first NaN or Inf.

    Each op has its line, shapes, time, the bytes it holds for backward, and the decision it ran under.
    A saved record (`run.dyn`) stands for MODEL.

    $ dyncli trace newton --case two
    $ dyncli trace model.py -i '[1, -1, 2]' --ops
    $ dyncli trace model.py -i x=@x.npy --by decision --sort bytes
    $ dyncli trace model.py -o trace.json
    $ dyncli trace model.py --batched --show costs
    $ dyncli trace run.dyn -o run.speedscope.json
    """
    costs = _costs(options)
    output = options.output
    if output is not None:
        _view(output)
    may_write(output, overwrite=options.overwrite)
    may_save(options.save, overwrite=options.overwrite)
    if options.batched and is_record(options.model):
        raise errors.UsageError(
            f"`--batched` runs the model again, and {options.model} is a saved record",
            hint="name the script instead of the record",
        )
    request = options.request(quiet_stdout=options.json or str(output) == "-", watch=True)
    records: list[Record] = []
    every: list[TraceOptions] = []
    for record in _runs(request, options.quiet):
        if options.batched:
            from dyncli.recorder.batched_groups import batched_groups

            costs = costs._replace(batched=batched_groups(request, record))
        records.append(record)
        every.append(costs)
        case = None if options.case is not None or is_record(options.model) else record.case
        if options.save is not None:
            save_case(record, options.save, case, overwrite=options.overwrite, quiet=options.quiet)
        if output is not None:
            _export(record, output, case, overwrite=options.overwrite, quiet=options.quiet)
        elif not options.json:
            _print(record, costs, options.color, first=len(records) == 1)
    if options.json:
        from dyncli.render.export import trace_json

        sys.stdout.write(trace_json.render(records, every))
    end(records, _shown(output, options.json))


def _costs(options: Options) -> TraceOptions:
    """Return the options of the report.  Raises UsageError for a word that one of them does not know."""
    from dyncli.analysis.costs import GROUPINGS, ORDERS
    from dyncli.render.reports.trace import PARTS, TraceOptions

    return TraceOptions(
        by=None if options.by is None else _one_of("--by", options.by, GROUPINGS),
        sort=None if options.sort is None else _one_of("--sort", options.sort, ORDERS),
        show=tuple(_one_of("--show", part, PARTS) for part in options.show or ()),
        most=options.most, huge=options.huge, tiny=options.tiny, ops=options.ops,
    )  # fmt: skip


def _one_of(option: str, word: str, known: tuple[str, ...]) -> str:
    """Return the word if it is one of `known`, else raise UsageError."""
    if word in known:
        return word
    hint = errors.did_you_mean(word, known, f"one of {errors.listing(known)}")
    raise errors.UsageError(f"`{option}` knows no `{word}`", hint=hint)


def _view(output: Path) -> str:
    """Return the view that writes files with this suffix.  Raises UsageError."""
    from dyncli.render import TIMELINES

    name = output.name.lower()
    if name == "-":
        return "export.chrome"
    for suffix, view in TIMELINES.items():
        if name.endswith(suffix) or name == suffix[1:]:
            return view
    raise errors.UnknownSuffix(output, TIMELINES, "timeline", "; `dyncli graph` draws pictures")


def _runs(request: Request, quiet: bool) -> Iterator[Record]:
    """Record each case, or load the saved record."""
    if is_record(request.model):
        yield load_saved(request)
        return
    from dyncli.recorder.recorder import record_model

    yield from one_by_one(record_model(request), f"running {request.model}", quiet=quiet)


def _export(record: Record, output: Path, case: str | None, *, overwrite: bool, quiet: bool) -> None:
    from importlib import import_module

    timeline = import_module(f"dyncli.render.{_view(output)}").render(record)
    if timeline.note:
        say(f"note: {timeline.note}", quiet)
    if str(output) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(timeline.text.encode())  # UTF-8, as JSON asks, whatever the terminal has
        sys.stdout.buffer.flush()
        return
    target = _for_case(output, case)
    may_write(target, overwrite=overwrite)
    write(target, timeline.text.encode())
    say(f"Wrote {target}", quiet)


def _for_case(output: Path, case: str | None) -> Path:
    """Put the case's name into a file's name: `run.speedscope.json` -> `run.positive.speedscope.json`."""
    if case is None or not output.name.lower().endswith(".speedscope.json"):
        return for_case(output, case)
    ending = output.name[-len(".speedscope.json") :]
    return output.with_name(for_case(Path(output.name[: -len(ending)] + ".x"), case).stem + ending)


def _shown(output: Path | None, json: bool) -> str:
    """Name the place where the user finds the timeline."""
    if output is not None and str(output) != "-":
        return "the timeline that was written"
    return "what is on stdout" if json or output is not None else "the report above"


def _print(record: Record, options: TraceOptions, color: bool | None, *, first: bool) -> None:
    from dyncli.render.reports.trace import render

    display(render(record, options), color, after=not first)
