"""`dyncli export`: an ONNX model with the branches and loops that the runs took."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from typer import Option

from dyncli import errors
from dyncli.cli import options as opt
from dyncli.cli.output import may_write, show

EXPORT = "Export"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of `dyncli export`."""

    model: opt.Model
    inputs: opt.Inputs = None
    cases: Annotated[
        list[Path] | None,
        Option(
            "--inputs",
            metavar="FILE",
            rich_help_panel=opt.INPUTS,
            show_default=False,
            help="A file of inputs, as `cover` takes it; may be given again.",
        ),
    ] = None
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=EXPORT,
            show_default=False,
            help="The ONNX file; `model.onnx` if not given.",
        ),
    ] = None
    case: opt.Case = None
    entry: opt.Entry = None
    dtype: opt.Dtype = "float32"
    seed: opt.Seed = 0
    opset: Annotated[int, Option(metavar="N", help="Version of ONNX's ops, 18 to 22.", rich_help_panel=EXPORT)] = 18
    paths_only: Annotated[
        bool,
        Option(
            "--paths-only",
            rich_help_panel=EXPORT,
            help="Only whole paths that a run took; arms and loops are not merged.",
        ),
    ] = False
    uncaptured: Annotated[
        str,
        Option(
            metavar="WHAT",
            rich_help_panel=EXPORT,
            help="On a path that no run took: `nan` (and captured is False) or `error`.",
        ),
    ] = "nan"
    probes: Annotated[
        int, Option(metavar="N", min=0, help="How many inputs of its own it tries.", rich_help_panel=EXPORT)
    ] = 40
    overwrite: opt.Overwrite = False
    color: opt.Color = None
    quiet: opt.Quiet = False


@opt.with_options
def export(options: Options) -> int:
    """Export a model to ONNX with its branches and loops.

    The model runs on every input; decisions become `If`, loops become `Loop`.
    The output `captured` is False for an input that takes a path no run took; floats are NaN then.
    Before the file exists, every input and others near them run in ONNX Runtime and must agree.
    What cannot be exported is refused, with its line.  Needs `pip install 'dyncli[onnx]'`.

    $ dyncli export piecewise -o piecewise.onnx
    $ dyncli export model.py -i x='[1, -1, 2]' -o model.onnx
    $ dyncli export model.py --inputs cases.jsonl --uncaptured error
    """
    from dyncli.export import session

    if options.uncaptured not in ("nan", "error"):
        raise errors.UsageError(f"`--uncaptured {options.uncaptured}` is not known", hint="`nan` or `error`")
    target = options.output or Path("model.onnx")
    if target.suffix != ".onnx":
        raise errors.UsageError(f"`{target}` does not end in `.onnx`", hint="as in `-o model.onnx`")
    may_write(target, overwrite=options.overwrite)
    given = tuple((*each,) for each in (options.inputs, *([f"@{path}"] for path in options.cases or ())) if each)
    wanted = session.Options(
        options.model, options.entry, given, options.case, target, options.dtype, options.seed, options.opset,
        options.paths_only, options.uncaptured == "error", options.probes,
    )  # fmt: skip
    with redirect_stdout(sys.stderr):
        made = session.export(wanted)
    if not options.quiet:
        from dyncli.export.report import render

        show(render(made, target), options.color)
    return 0
