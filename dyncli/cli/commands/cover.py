"""`dyncli cover`: a model over a whole data set; which arms were never reached, and what the inputs did."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Context, Option

from dyncli import errors
from dyncli.cli import options as opt
from dyncli.cli.output import Meter, may_write, progress, say, show as display
from dyncli.records.files import write

if TYPE_CHECKING:
    from dyncli.analysis.coverage import Report, SearchResult
    from dyncli.coverage.session import Session

WORK = "Work"
SEARCH = "Search"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of `dyncli cover`."""

    context: Context
    model: opt.Model
    others: Annotated[
        list[str] | None, Argument(metavar="JOURNAL", help="More journals, to be merged with the first.")
    ] = None
    inputs: Annotated[
        list[str] | None,
        Option(
            "--inputs",
            metavar="DATA",
            rich_help_panel=opt.INPUTS,
            help="A .jsonl, .npz, .npy, .csv, .json file, a folder, or `-` for lines of JSON; repeatable.",
            show_default=False,
        ),
    ] = None
    given: Annotated[
        list[str] | None,
        Option(
            "--input",
            "-i",
            metavar="NAME=VALUE",
            rich_help_panel=opt.INPUTS,
            help="A parameter that is the same for every input; repeatable.",
            show_default=False,
        ),
    ] = None
    entry: opt.Entry = None
    dtype: opt.Dtype = "float32"
    strict: Annotated[
        bool,
        Option("--strict", rich_help_panel=opt.INPUTS, help="Stop at an input that cannot be read or does not fit."),
    ] = False
    seed: opt.Seed = 0
    no_grad: opt.NoGrad = False
    timeout: Annotated[
        float,
        Option(
            callback=opt.not_nan,
            metavar="SECONDS",
            min=0,
            max=opt.MOST_SECONDS,
            rich_help_panel=opt.RUNNING,
            help="Stop an input after this long, count it, go on; 0 for no limit.",
        ),
    ] = 10.0
    max_ops: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            rich_help_panel=opt.RUNNING,
            help="Stop an input after this many ops, count it, go on.",
            show_default=False,
        ),
    ] = None
    jobs: Annotated[
        int,
        Option(
            "--jobs",
            "-j",
            metavar="N",
            min=0,
            rich_help_panel=WORK,
            help="Run in so many processes; 0 for one on each core.",
        ),
    ] = 1
    batch: Annotated[
        int,
        Option(
            metavar="N",
            min=0,
            rich_help_panel=WORK,
            help="Compute equal steps of so many inputs together; parameters then have no gradient of one input.",
            show_default=False,
        ),
    ] = 0
    journal: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            rich_help_panel=WORK,
            show_default=False,
            help="Write down what is done; the same command goes on from there.",
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        Option(
            metavar="ADDRESS",
            rich_help_panel=WORK,
            show_default=False,
            help="Run on the Dask cluster of this scheduler: `tcp://HOST:8786`.",
        ),
    ] = None
    merge: Annotated[
        bool, Option("--merge", rich_help_panel=WORK, help="Merge journals instead of running a model.")
    ] = False
    fail_under: Annotated[
        float | None,
        Option(
            callback=opt.not_nan,
            metavar="PERCENT",
            min=0,
            max=100,
            rich_help_panel=opt.OUTPUT,
            help="Exit with 1 if fewer of the arms are reached.",
            show_default=False,
        ),
    ] = None
    search: Annotated[
        bool, Option("--search", rich_help_panel=SEARCH, help="Look for inputs that reach the arms never reached.")
    ] = False
    search_runs: Annotated[
        int, Option(metavar="N", min=1, rich_help_panel=SEARCH, help="Give up on an arm after so many runs.")
    ] = 500
    save_cases: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            rich_help_panel=SEARCH,
            show_default=False,
            help="Write the inputs that were found to this .jsonl file.",
        ),
    ] = None
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=opt.OUTPUT,
            help="Write the report here: .html, .json or .txt.",
            show_default=False,
        ),
    ] = None
    full: Annotated[bool, Option("--full", rich_help_panel=opt.OUTPUT, help="Show every row.")] = False
    json: opt.Json = False
    overwrite: opt.Overwrite = False
    color: opt.Color = None
    quiet: opt.Quiet = False


@opt.with_options
def cover(options: Options) -> None:
    """Run a model over many inputs: arms never reached, paths, inputs near a flip or that fail.

    The script is loaded once in each process; what it keeps between runs is put back before each input.
    With `--journal`, a run that was killed goes on: of what came to its end nothing is run again.
    On a cluster the inputs of the last seconds may be run again; each counts once.
    Journals (`a.journal b.journal`) stand for MODEL and are merged into one report.

    $ dyncli cover model.py --inputs data.jsonl
    $ dyncli cover model.py --inputs data.npz --jobs 4 -o report.html
    $ dyncli cover model.py --inputs data.jsonl --journal run.journal --fail-under 90
    $ dyncli cover model.py --inputs data.jsonl --search --save-cases found.jsonl
    $ dyncli cover model.py --inputs data.jsonl --batch 64
    $ dyncli cover --merge a.journal b.journal
    """
    from dyncli.coverage import journal as journals

    _may_write(options.output, options.overwrite)
    _check_search(options)
    if options.merge or journals.is_journal(options.model):
        report = _merged(options)
        _show(report, options)
    else:
        report = _covered(options)
        _none_ran(report)
    _judge(report, options.fail_under)


def _covered(options: Options) -> Report:
    """Run the inputs, show the report and return it.  Raises CoverInterrupted or ClusterFailed after it is shown."""
    from dyncli.analysis.coverage import report as report_of

    session = _session(options)
    failed = None
    try:
        interrupted = _run(session, options.quiet)
    except errors.ClusterFailed as error:
        interrupted, failed = False, error
    report = report_of(session.subject, session.tally)
    written = None if options.journal is None else str(options.journal)
    if failed is not None:
        if session.tally.inputs:
            _show(report, options)
        raise errors.ClusterFailed(failed.why, session.tally.inputs, written)
    if options.search and not interrupted and session.tally.runs:
        report, interrupted = _searched(session, report, options.search_runs, options.quiet)
        if options.save_cases is not None:
            _save_cases(report, options.save_cases, options.quiet)
    _show(report, options)
    if interrupted:
        raise errors.CoverInterrupted(session.tally.inputs, written)
    return report


def _session(options: Options) -> Session:
    """Return the session that runs the inputs.  Raises UsageError or UnknownDtype."""
    from dyncli.analysis.coverage import Settings
    from dyncli.coverage.session import Plan, Session
    from dyncli.script.convert import DTYPES

    if options.others:
        other = options.others[0]
        raise errors.UsageError(f"unexpected argument `{other}`", hint=f"inputs are given as `--inputs {other}`")
    if options.dtype not in DTYPES:
        raise errors.UnknownDtype(options.dtype, DTYPES)
    _check_batch(options.batch, options.max_ops)
    settings = Settings(
        options.dtype, options.seed, options.no_grad, options.timeout or None, options.max_ops,
        tuple(options.given or ()), tuple(options.context.args), options.batch,
    )  # fmt: skip
    jobs = options.jobs or os.cpu_count() or 1
    return Session(
        Plan(options.model, tuple(options.inputs or ()), options.entry, settings, jobs, options.journal,
             options.scheduler, options.strict)
    )  # fmt: skip


def _check_batch(batch: int, max_ops: int | None) -> None:
    if batch > 1 and max_ops is not None:
        raise errors.UsageError(
            "`--batch` computes steps of many inputs as one op, and `--max-ops` counts those of one input",
            hint="leave one of the two out; `--timeout` limits both",
        )
    if batch > 1 and find_spec("greenlet") is None:
        raise errors.UsageError("`--batch` needs greenlet", hint="`pip install 'dyncli[batch]'` adds it")


def _run(session: Session, quiet: bool) -> bool:
    """Run the remaining inputs; return whether the run was interrupted."""
    meter = Meter(quiet=quiet, already=session.resumed)
    if session.resumed and not quiet:
        print(f"Going on after {session.resumed:,} inputs of {session.plan.journal}", file=sys.stderr)
    for path in session.data.skipped[:3] if not quiet else ():
        print(f"Left out {path}: its suffix says nothing", file=sys.stderr)
    try:
        with _interruptible(session):
            for _ in session.run():
                meter.show(session.tally.inputs, session.expected)
    except KeyboardInterrupt:
        return True
    finally:
        meter.end(session.tally.inputs)
        session.close()
    return session.stopped_at is not None


@contextmanager
def _interruptible(session: Session) -> Iterator[None]:
    """Stop after the current inputs on the first Ctrl-C or SIGTERM, so that nothing is lost; at once on the second."""

    def interrupt(number: int, frame: object) -> None:
        if session.stopped_at is not None:
            raise KeyboardInterrupt
        session.stop()

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _merged(options: Options) -> Report:
    from dyncli.analysis.coverage import report as report_of
    from dyncli.coverage import journal as journals

    if options.context.args:
        raise errors.ArgumentsUnused(options.model, "a journal", options.context.args)
    for option, value in (
        ("--search", options.search), ("--inputs", options.inputs), ("--journal", options.journal)
    ):  # fmt: skip
        if value:
            raise _for_a_run(option)
    return report_of(*journals.load([options.model, *(options.others or ())]))


def _for_a_run(option: str) -> errors.UsageError:
    return errors.UsageError(
        f"`{option}` is for a run, and journals are merged without one",
        hint=f"leave `{option}` out, or name a model instead of a journal",
    )


def _may_write(output: Path | None, overwrite: bool) -> None:
    from dyncli.render.coverage_file import SUFFIXES

    if output is None or str(output) == "-":
        return
    if output.suffix.lower() not in SUFFIXES:
        raise errors.UnknownSuffix(output, SUFFIXES)
    may_write(output, overwrite=overwrite)


def _show(report: Report, options: Options) -> None:
    from dyncli.render.reports.coverage import CoverageOptions, CoverageView

    output = options.output
    if output is not None and str(output) != "-":
        from dyncli.render.coverage_file import render

        write(output, render(report, output.suffix.lower(), options.full))
        say(f"Wrote {output}", options.quiet)
    if options.json:
        from dyncli.render.export import coverage_json

        sys.stdout.write(coverage_json.render(report))
    elif output is None or str(output) == "-":
        display(CoverageView(report, CoverageOptions(full=options.full)), options.color)


def _none_ran(report: Report) -> None:
    """Raise DataUnfit if there were inputs and none of them could run."""
    tally = report.tally
    if not tally.runs:
        groups = [tally.outcomes[word] for word in ("misfit", "broken") if word in tally.outcomes]
        examples = [example for group in groups for example in group.examples]
        if examples:
            first = min(examples)
            raise errors.DataUnfit(tally.inputs, first.place, first.note, report.subject.signature)


def _judge(report: Report, fail_under: float | None) -> None:
    if fail_under is not None and report.percent < fail_under:
        raise errors.CoverageTooLow(report.percent, fail_under, len(report.missed))


def _check_search(options: Options) -> None:
    """Raise UsageError or OutputExists for what cannot be done."""
    save = options.save_cases
    if save is not None and not options.search:
        raise errors.UsageError("`--save-cases` saves what `--search` finds", hint="add `--search`")
    if options.search and "-" in (options.inputs or ()):
        raise errors.UsageError("`--search` reads the data again, and standard input is gone", hint="save it as a file")
    if save is not None and save.suffix.lower() != ".jsonl":
        hint = "cases are lines of JSON: `--save-cases found.jsonl`"
        raise errors.UsageError(f"`--save-cases {save}` does not end in `.jsonl`", hint=hint)
    may_write(save, overwrite=options.overwrite)


def _searched(session: Session, report: Report, runs: int, quiet: bool) -> tuple[Report, bool]:
    """Return the report with what a search found for its missed arms, and whether the search was interrupted."""
    from dyncli.coverage.search import Probe, Search, in_child, starts

    plan = session.plan

    def work() -> Iterator[SearchResult]:
        probe = Probe(plan.model, plan.entry, plan.settings)
        with closing(session.again()) as data:
            found = starts(data, report, probe.parameters)
        yield from Search(probe, report, found, budget=runs, seed=plan.settings.seed).run()

    sought: list[SearchResult] = []
    interrupted = False
    told = in_child(work, report.missed) if report.missed else iter(())
    try:
        with progress(f"searching for {len(report.missed)} arms", quiet=quiet):
            sought.extend(told)
    except KeyboardInterrupt:
        interrupted = True
    order = {(arm.site.id, arm.index): place for place, arm in enumerate(report.missed)}
    sought.sort(key=lambda each: (each.input is None, not each.runs, order[each.site.id, each.index]))
    return replace(report, sought=tuple(sought)), interrupted


def _save_cases(report: Report, path: Path, quiet: bool) -> None:
    """Write each input that was found as a line of JSON, one that reaches several arms once."""
    lines = list(dict.fromkeys(each.input for each in report.sought if each.input is not None))
    write(path, "".join(f"{line}\n" for line in lines).encode())
    say(f"Wrote {path} ({len(lines)} case{'s' * (len(lines) != 1)})", quiet)
