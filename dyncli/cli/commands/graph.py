"""`dyncli graph`: the picture of one run, or of two in one."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from dyncli import errors
from dyncli.cli import options as opt
from dyncli.cli.output import console, end, is_terminal, load_saved, may_save, may_write, progress, save, say
from dyncli.records.files import write
from dyncli.render import BINARY, SUFFIXES
from dyncli.script.paths import is_record

if TYPE_CHECKING:
    from dyncli.analysis.graph import GraphOptions
    from dyncli.recorder.request import Request
    from dyncli.records.model import Record
    from dyncli.render.drawing import Drawing

DRAWING = "Drawing"
FORMATS = [suffix.removeprefix(".") for suffix in SUFFIXES]
GROUPS = ("all", "calls", "loops", "modules")


def _words(metavar: str, help: str) -> Any:
    return Option(metavar=metavar, help=help, rich_help_panel=DRAWING, show_default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(opt.RunOptions):
    """Options of `dyncli graph`."""

    other: Annotated[
        str | None, Argument(metavar="OTHER", help="A second saved record, drawn into the same picture.")
    ] = None
    expand: Annotated[
        list[str] | None, _words("WHAT", "Unfold this line, name, `loops`, `calls`, `modules` or `all`; repeatable.")
    ] = None
    collapse: Annotated[
        list[str] | None, _words("WHAT", "Draw this line, name, `loops`, `calls` or `modules` folded; repeatable.")
    ] = None
    depth: Annotated[
        int | None,
        Option(
            metavar="N",
            min=0,
            help="Draw calls, modules and loops so deep.",
            rich_help_panel=DRAWING,
            show_default=False,
        ),
    ] = None
    only: Annotated[list[str] | None, _words("WHAT", "Draw this line, op or name and its neighbours.")] = None
    max_nodes: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            rich_help_panel=DRAWING,
            show_default=False,
            help="Fold until no more nodes are left.  [default: 120, or all with `--expand all`]",
        ),
    ] = None
    grads: Annotated[bool, Option("--grads", help="Write gradients on ops and edges.", rich_help_panel=DRAWING)] = False
    saved: Annotated[
        bool, Option("--saved", help="Write the bytes each op holds for backward.", rich_help_panel=DRAWING)
    ] = False
    times: Annotated[bool, Option("--times", help="Write how long each op took.", rich_help_panel=DRAWING)] = False
    values: Annotated[bool, Option("--values", help="Write larger values whole.", rich_help_panel=DRAWING)] = False
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the picture here; the suffix says how. `-` is stdout.",
            rich_help_panel=opt.OUTPUT,
            show_default=False,
        ),
    ] = None
    format: Annotated[
        str | None,
        Option(
            metavar="FORMAT",
            help=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}.",
            rich_help_panel=opt.OUTPUT,
            show_default=False,
        ),
    ] = None
    open: Annotated[bool, Option("--open", help="Open the file.", rich_help_panel=opt.OUTPUT)] = False


@opt.with_options
def graph(options: Options) -> None:
    """Draw what ran: ops, the decisions that led to them, the arms left, the gradients that came back.

    Loops, recursion and modules fold; without `-o` a tree is drawn in the terminal.
    A saved record (`run.dyn`) stands for MODEL; two runs, or two inputs, are drawn as one picture.

    $ dyncli graph piecewise
    $ dyncli graph piecewise --case positive -o graph.svg
    $ dyncli graph model.py -i '[1, -1, 2]' -o graph.html --open
    $ dyncli graph model.py -i '[1, 2]' -i '[-1, -2]' -o both.png
    """
    from dyncli.render.drawing import Drawing

    output, quiet = options.output, options.quiet
    drawing_options = _drawing_options(options)
    suffix = _suffix(output, options.format)
    if options.open and (output is None or str(output) == "-"):
        raise errors.UsageError("`--open` needs a file to open", hint="add `-o graph.html`, or another suffix")
    may_write(output, overwrite=options.overwrite)
    may_save(options.save, overwrite=options.overwrite)
    _check_words(options.model, drawing_options)
    records = _records(options.request(quiet_stdout=True, edges=options.grads), options.other, quiet)
    if len(records) > 2:
        say(f"{len(records)} cases: drew the first two; `--case NAME` draws one", quiet)
        records = records[:2]
    drawing = Drawing(tuple(records), drawing_options)
    if options.save is not None:
        _save(records, options.save, overwrite=options.overwrite, quiet=quiet)
    _draw(drawing, suffix, output, options.color, quiet)
    if options.open and output is not None:
        import webbrowser

        if not webbrowser.open(output.resolve().as_uri()):
            say(f"note: no program here opens {output}", quiet)
    end(records, _shown(output, suffix))


def _drawing_options(options: Options) -> GraphOptions:
    from dyncli.analysis.graph import options_of

    return options_of(
        expand=options.expand or (), collapse=options.collapse or (), only=options.only or (), depth=options.depth,
        max_nodes=options.max_nodes, grads=options.grads, saved=options.saved, times=options.times,
        values=options.values,
    )  # fmt: skip


def _check_words(model: str, options: GraphOptions) -> None:
    """Raise NothingFits before the run for a name that neither the script nor the engine has."""
    asked = {"only": options.only, "expand": options.expand, "collapse": options.collapse}
    if not any(asked.values()) or is_record(model):
        return
    from dyncli.script.script import find
    from dyncli.script.vocabulary import unheard

    for option, words in asked.items():
        found = unheard([word for word in words if word not in GROUPS], find(model).path)
        if found is not None:
            word, names, ops = found
            near = errors.nearest(word, (*names, *ops))
            raise errors.NothingFits(option, word, names if near is None else (near,))


def _suffix(output: Path | None, format: str | None) -> str | None:
    """Return the suffix that names the view, or None for a tree in the terminal."""
    if format is not None:
        if format.lower() not in FORMATS:
            near = errors.did_you_mean(format, FORMATS, f"one of {errors.listing(FORMATS)}")
            raise errors.UsageError(f"no format `{format}`", hint=near)
        return f".{format.lower()}"
    if output is None:
        return None
    if str(output) == "-":
        return ".svg"
    if output.suffix.lower() not in SUFFIXES:
        raise errors.UnknownSuffix(output, SUFFIXES)
    return output.suffix.lower()


def _shown(output: Path | None, suffix: str | None) -> str:
    """Name the place where the user finds the drawing."""
    if output is not None and str(output) != "-":
        return f"the picture in `{output}`"
    return "the tree above" if suffix is None else "the picture on stdout"


def _records(request: Request, other: str | None, quiet: bool) -> list[Record]:
    """Return the saved records, or those of the runs: of each case, or of each of several inputs for one parameter."""
    if is_record(request.model):
        return [load_saved(request._replace(model=path)) for path in (request.model, other) if path is not None]
    if other is not None:
        hint = "or give one model two inputs: `-i A -i B`"
        raise errors.UsageError("two pictures in one need two saved records", hint=hint)
    try:
        return _run(request, quiet)
    except errors.InputError:
        for first, second in _halves(request.inputs):
            try:
                return [record for given in (first, second) for record in _run(request._replace(inputs=given), quiet)]
            except errors.InputError:
                continue
        raise


def _halves(inputs: tuple[str, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return how inputs that are no single run's may be two runs'."""
    from dyncli.cli.two_runs import halves

    try:
        return [(first, second) for first, second in halves(inputs) if first is not second]
    except errors.TooManyRuns:
        return []


def _run(request: Request, quiet: bool) -> list[Record]:
    from dyncli.recorder.recorder import record_model

    with progress(f"running {request.model}", quiet=quiet):
        return list(record_model(request))


def _draw(drawing: Drawing, suffix: str | None, output: Path | None, color: bool | None, quiet: bool) -> None:
    if suffix is None:
        from dyncli.render.graph.tree import renderable

        is_short = not (drawing.options.expand or drawing.options.only)
        screen = console(color)
        screen.print(renderable(drawing.data(), screen if is_short else None))
        return
    with progress("drawing", quiet=quiet):
        data = drawing.render(suffix)
    if suffix in (".mermaid", ".mmd"):
        from dyncli.render.graph.mermaid import beyond

        note = beyond(data.decode())
        say(f"note: {note}", quiet or note is None)
    if output is None or str(output) == "-":
        _to_stdout(data, suffix)
        return
    write(output, data)
    say(f"Wrote {output}", quiet)


def _to_stdout(data: bytes, suffix: str) -> None:
    if suffix in BINARY and is_terminal(sys.stdout):
        raise errors.UsageError(f"a terminal cannot show `{suffix}`", hint="`-o FILE` writes it to a file")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _save(records: list[Record], path: Path, *, overwrite: bool, quiet: bool) -> None:
    """Save each record, the second one as `run.2.dyn`."""
    for place, record in enumerate(records):
        name = path if place == 0 else path.with_name(f"{path.stem}.{place + 1}{path.suffix}")
        may_write(name, overwrite=overwrite)
        save(record, name, quiet)
