"""`dyncli gradcheck`: analytic derivatives against numeric ones that know the path."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Annotated

from typer import Context, Option

from dyncli import errors
from dyncli.cli import options as opt
from dyncli.cli.output import is_terminal, show

if TYPE_CHECKING:
    from dyncli.records.gradcheck import Report

CHECKING = "Checking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of `dyncli gradcheck`."""

    context: Context
    model: opt.Model
    inputs: opt.Inputs = None
    case: opt.Case = None
    entry: opt.Entry = None
    wrt: Annotated[
        list[str] | None,
        Option(
            metavar="NAME",
            help="Only this input or parameter; repeatable.",
            rich_help_panel=CHECKING,
            show_default=False,
        ),
    ] = None
    cotangent: Annotated[
        list[str] | None,
        Option(
            metavar="VALUE",
            help="Check this combination of an output's elements instead of each.",
            rich_help_panel=CHECKING,
            show_default=False,
        ),
    ] = None
    order: Annotated[
        int, Option(metavar="N", min=1, max=2, help="2 checks second derivatives as well.", rich_help_panel=CHECKING)
    ] = 1
    fast: Annotated[
        bool, Option("--fast", help="Random directions instead of every element.", rich_help_panel=CHECKING)
    ] = False
    directions: Annotated[
        int, Option(metavar="N", min=1, help="How many directions for each input.", rich_help_panel=CHECKING)
    ] = 3
    locate: Annotated[bool, Option("--locate", help="Check every op by itself as well.", rich_help_panel=CHECKING)] = (
        False
    )
    rtol: Annotated[
        float | None,
        Option(
            callback=opt.not_nan,
            metavar="X",
            help="Allowed relative error, instead of the estimated.",
            rich_help_panel=CHECKING,
            show_default=False,
        ),
    ] = None
    atol: Annotated[
        float | None,
        Option(
            callback=opt.not_nan,
            metavar="X",
            help="Allowed absolute error, instead of the estimated.",
            rich_help_panel=CHECKING,
            show_default=False,
        ),
    ] = None
    eps: Annotated[
        float | None,
        Option(
            callback=opt.not_nan,
            metavar="X",
            help="The first step; smaller ones follow where it takes.",
            rich_help_panel=CHECKING,
            show_default=False,
        ),
    ] = None
    jobs: Annotated[
        int, Option("--jobs", "-j", metavar="N", min=1, help="Processes to check in.", rich_help_panel=CHECKING)
    ] = 1
    seed: opt.Seed = 0
    timeout: opt.Timeout = None
    threads: opt.Threads = None
    json: opt.Json = False
    color: opt.Color = None
    quiet: opt.Quiet = False


@opt.with_options
def gradcheck(options: Options) -> int:
    """Check a model's gradients against finite differences that know its path.

    Runs in float64; exit code 0 if every checked element agrees, 1 if one does not.
    A wrong gradient is told from a kink, a jump, a cut, chance, and what rounding drowns.
    Of more than 64 elements four share a probe; those that do not agree are probed alone.
    Of more than 4,096, or with --fast, random directions are probed.
    Of more than 64 output elements, five combinations are compared.

    $ dyncli gradcheck piecewise
    $ dyncli gradcheck model.py -i '[1, -1, 2]'
    $ dyncli gradcheck model.py:loss -i x=@x.npy --wrt weight --fast
    $ dyncli gradcheck model.py -i '[1, -1, 2]' --order 2 --json
    """
    from dyncli.gradchecking.check import check
    from dyncli.gradchecking.settings import Settings
    from dyncli.render.reports.gradcheck import render, render_json

    for option, value in (("--rtol", options.rtol), ("--atol", options.atol), ("--eps", options.eps)):
        if value is not None and (not isfinite(value) or value < 0 or (option == "--eps" and value == 0)):
            raise errors.BadTolerance(option, value)
    settings = Settings(
        options.model, tuple(options.inputs or ()), options.case, options.entry, options.seed, options.timeout,
        tuple(options.wrt or ()), tuple(options.cotangent or ()), options.fast, options.directions, options.order,
        options.rtol, options.atol, options.eps, options.locate, options.jobs, tuple(options.context.args),
    )  # fmt: skip
    reports: list[Report] = []
    progress = _Progress(options.quiet)
    with redirect_stdout(sys.stderr) if options.json else nullcontext():  # what the script prints while it is loaded
        for report in check(settings, progress.callback):
            progress.clear()
            reports.append(report)
            if not options.json:
                show(render(report), options.color, after=len(reports) > 1)
    if options.json:
        sys.stdout.write(render_json(reports))
    return 0 if all(report.is_right for report in reports) else errors.CheckFailed.exit_code


class _Progress:
    """The progress line on stderr, shown after one second; never without a terminal."""

    def __init__(self, quiet: bool) -> None:
        self.started = monotonic()
        self.shown = self.started + 1.0
        self.written = False
        shows = not quiet and is_terminal(sys.stderr)
        self.callback: Callable[[str, int, int], None] | None = self._show if shows else None

    def _show(self, name: str, done: int, of: int) -> None:
        if monotonic() < self.shown:
            return
        self.shown = monotonic() + 0.25
        self.written = True
        sys.stderr.write(f"\rchecking {name}: {done} of {of}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        """Erase the progress line."""
        if self.written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.written = False
