"""`dyncli diff`: the first decision at which two runs part, and all that differs after it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Context, Option

from dyncli import errors
from dyncli.cli import options as opt
from dyncli.cli.output import ended, progress, show

if TYPE_CHECKING:
    from dyncli.analysis.diff import Diff

COMPARING = "Comparing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of `dyncli diff`."""

    context: Context
    model: opt.Model
    other: Annotated[
        str | None,
        Argument(metavar="OTHER", help="Another version of the script, or a second saved record.", show_default=False),
    ] = None
    inputs: Annotated[
        list[str] | None,
        Option(
            "--input",
            "-i",
            metavar="VALUE",
            rich_help_panel=opt.INPUTS,
            help="A value, `name=value`, or a file, as for `dyncli run`; twice: one for each run.",
            show_default=False,
        ),
    ] = None
    case: Annotated[
        list[str] | None,
        Option(
            metavar="NAME",
            autocompletion=opt.complete_case,
            show_default=False,
            help="This case of the input; twice: one for each run.",
            rich_help_panel=opt.INPUTS,
        ),
    ] = None
    entry: opt.Entry = None
    dtype: Annotated[
        list[str] | None,
        Option(
            metavar="DTYPE",
            rich_help_panel=opt.INPUTS,
            show_default=False,
            help="What floats become: float16, float32 or float64; twice: one for each run.",
        ),
    ] = None
    seed: Annotated[
        list[int] | None,
        Option(
            metavar="N",
            min=opt.LEAST_SEED,
            max=opt.MOST_SEED,
            rich_help_panel=opt.RUNNING,
            show_default=False,
            help="Seed of the random numbers; twice: one for each run.",
        ),
    ] = None
    grad_output: opt.GradOutput = None
    no_grad: opt.NoGrad = False
    timeout: opt.Timeout = None
    threads: opt.Threads = None
    max_ops: opt.MaxOps = None
    rtol: Annotated[
        float,
        Option(
            callback=opt.not_nan,
            metavar="X",
            min=0,
            rich_help_panel=COMPARING,
            help="Values agree within this share of the larger one.",
        ),
    ] = 0.0
    atol: Annotated[
        float,
        Option(
            callback=opt.not_nan, metavar="X", min=0, rich_help_panel=COMPARING, help="Values agree within this much."
        ),
    ] = 0.0
    full: Annotated[bool, Option("--full", help="Show everything that differs.", rich_help_panel=opt.OUTPUT)] = False
    json: opt.Json = False
    color: opt.Color = None
    quiet: opt.Quiet = False


@opt.with_options
def diff(options: Options) -> int:
    """Compare two runs: where they part, then the ops, outputs and gradients that differ.

    What is given once is for both runs, what is given twice has one for each: inputs (all, or one by
    name), cases, seeds, dtypes, scripts, saved records.
    Exit code 0 if nothing but the inputs differs, 1 if something does.
    `--json` has `equal`, `a`, `b`, `parting`, `counts`, and pairs of `inputs`, `decisions`,
    `choices`, `ops`, `outputs`, `gradients` and `op_gradients` that differ.

    $ dyncli diff model.py -i '[1, -1, 2]' -i '[1, -1, -2]'
    $ dyncli diff piecewise --case positive --case negative
    $ dyncli diff old.py new.py -i '[1, -1, 2]' --full
    $ dyncli diff model.py -i x='[1, 2]' -i steps=3 -i steps=4
    $ dyncli diff model.py -i @x.npy --dtype float32 --dtype float64 --rtol 1e-5
    $ dyncli diff before.dyn after.dyn --json
    """
    from dyncli.api.comparing import compared
    from dyncli.cli.two_runs import Given, two_records
    from dyncli.recorder.request import Request

    request = Request(
        options.model, entry=options.entry, grad_output=tuple(options.grad_output or ()), no_grad=options.no_grad,
        timeout=options.timeout, max_ops=options.max_ops, quiet_stdout=True, measure=True,
        arguments=tuple(options.context.args),
    )  # fmt: skip
    runs = {"--entry": options.entry, "--grad-output": options.grad_output, "--no-grad": options.no_grad}
    models = (options.model,) if options.other is None else (options.model, options.other)
    given = Given(
        models, tuple(options.inputs or ()), tuple(options.case or ()), tuple(options.seed or ()),
        tuple(options.dtype or ()), tuple(name for name, value in runs.items() if value),
    )  # fmt: skip
    with progress(f"running {options.model}", quiet=options.quiet):
        a, b = two_records(given, request)
    with progress("comparing", quiet=options.quiet):
        found = compared(a, b, options.rtol, options.atol)
    _show(found, options)
    return _end(found)


def _show(found: Diff, options: Options) -> None:
    if options.json:
        from dyncli.render.export.diff_json import render as render_json

        sys.stdout.write(render_json(found))
        return
    from dyncli.render.reports.diff import DiffOptions, render

    show(render(found, DiffOptions(options.full)), options.color)


def _end(found: Diff) -> int:
    """Return the exit code: 1 if something differs.  Raises the end of two runs that failed alike."""
    if not found.is_equal:
        return errors.CheckFailed.exit_code
    if found.a.status != "ok":
        raise ended(found.a)
    return 0
