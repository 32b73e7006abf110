"""`dyncli run`: outputs, gradients and decisions of one run, or of every case."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.cli import options as opt
from dyncli.cli.output import end, load_saved, may_save, one_by_one, save_case, show as display
from dyncli.script.paths import is_record

if TYPE_CHECKING:
    from dyncli.analysis.decisions import Selection
    from dyncli.recorder.request import Request
    from dyncli.records.model import Record

    Pair = tuple[Record, Record | None]  # a run, and the unchanged one if arms were forced or values patched

#: The tables of `--show` that need no values and times of ops.
WITHOUT_VALUES = frozenset({"outputs", "gradients", "decisions", "loading"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(opt.RunOptions):
    """Options of `dyncli run`."""

    trace: opt.Trace = False
    force: opt.Pins = None
    patch: opt.Patches = None
    watch: opt.Watches = None
    breaks: opt.Breaks = None
    sensitivity: opt.Sensitivity = False
    source: opt.Source = False
    show: opt.Show = None
    full: opt.Full = False
    on: opt.On = None
    within: opt.Within = None
    line: opt.Line = None
    json: opt.Json = False


@opt.with_options
def run(options: Options) -> None:
    """Run a model and show its outputs, its gradients and which way it went.

    A saved record (`run.dyn`) stands for MODEL and is shown again.

    $ dyncli run piecewise
    $ dyncli run model.py -i '[1, -1, 2]'
    $ dyncli run model.py:loss -i x=@x.npy -i steps=3 --trace
    $ dyncli run model.py -i cases.json --case positive --save run.dyn
    $ dyncli run train.py --on tensor,scalar --in forward
    $ dyncli run model.py -i '[1, -1, 2]' --source
    $ dyncli run model.py -i '[1, -1, 2]' --force 22=else
    $ dyncli run model.py -i '[1, -1, 2]' --sensitivity
    $ dyncli run model.py -i '[1, -1, 2]' --watch h --patch 'line 12: h=0'
    $ dyncli run model.py -i '[1, -1, 2]' --break 'op == "log" and nan(out)'
    """
    may_save(options.save, overwrite=options.overwrite)
    selection = _selection(options.on, options.within, options.line)
    request = _request(options)
    pairs: list[Pair] = []
    for record, before in _runs(request, options.quiet):
        pairs.append((record, before))
        if options.save is not None:
            case = record.case if options.case is None else None
            save_case(record, options.save, case, overwrite=options.overwrite, quiet=options.quiet)
        if not options.json:
            _print(record, before, options, selection, first=len(pairs) == 1)
    if options.json:
        _print_json(pairs)
    records = [record for record, _ in pairs]
    end(records, "the record on stdout" if options.json else "the report above")
    error = _unreached(request, records) if request.force or request.patches or request.watches else None
    if error is not None:
        raise error


def _request(options: Options) -> Request:
    changed = bool(options.force or options.watch or options.breaks or options.patch)
    needs_values = options.json or options.trace or options.source or options.sensitivity or changed
    return options.request(
        quiet_stdout=options.json,
        force=tuple(options.force or ()),
        sensitivity=options.sensitivity,
        outline=not needs_values and WITHOUT_VALUES.issuperset(options.show or ()),
        watches=tuple(options.watch or ()),
        breaks=tuple(options.breaks or ()),
        patches=tuple(options.patch or ()),
    )


def _runs(request: Request, quiet: bool) -> Iterator[Pair]:
    """Yield each case's record, with the unchanged run's if something is forced or patched; or the saved record."""
    if is_record(request.model):
        yield load_saved(request), None
        return
    talks = bool(request.breaks or request.watches)
    yield from one_by_one(_recorded(request), f"running {request.model}", quiet=quiet or talks)


def _recorded(request: Request) -> Iterator[Pair]:
    if request.force or request.patches:
        yield from _forced(request)
        return
    from dyncli.recorder.recorder import record_model

    yield from ((record, None) for record in record_model(request))


def _selection(on: list[str] | None, within: list[str] | None, line: int | None) -> Selection:
    """Return the decisions that were asked for.  Raises UsageError for a word that `--on` does not know."""
    from dyncli.analysis.decisions import ON, Selection

    words = tuple(word.strip() for text in on or () for word in text.split(","))
    for word in words:
        if word not in ON:
            hint = errors.did_you_mean(word, list(ON), f"`--on` takes {errors.listing(tuple(ON))}")
            raise errors.UsageError(f"no decision is on `{word}`", hint=hint)
    return Selection(words, tuple(within or ()), line)


def _print(record: Record, before: Record | None, options: Options, selection: Selection, *, first: bool) -> None:
    from dyncli.render.reports.run import RunOptions, check_shown, render

    shown = tuple(options.show or ())
    check_shown(record, shown)
    _check_selection(record, selection)
    view = RunOptions(trace=options.trace, show=shown, full=options.full, source=options.source, selection=selection)
    display(render(record, view, before), options.color, after=not first)


def _check_selection(record: Record, selection: Selection) -> None:
    """Raise UsageError for a function or a line that has no test."""
    sites = {(site.function, site.line) for site in record.sites if site.kind != "op"}
    sites |= {(site.function, site.line) for choice in record.choices for site in (record.ops[choice.op].site,)}
    names = sorted({word for function, _ in sites for word in (function, function.rpartition(".")[2]) if word})
    for name in selection.functions:
        if name not in names:
            hint = errors.did_you_mean(name, names, "`dyncli run MODEL --full` lists every decision")
            raise errors.UsageError(f"no test stands in a function `{name}`", hint=hint)
    if selection.line is not None and selection.line not in {line for _, line in sites}:
        raise errors.UsageError(
            f"no test stands at line {selection.line}", hint="`--source` shows the lines of the tests"
        )


def _print_json(pairs: list[Pair]) -> None:
    """Print one record as an object, several as a list."""
    texts = [_json(record, before) for record, before in pairs]
    if len(texts) == 1:
        sys.stdout.write(texts[0])
    else:
        sys.stdout.write("[\n" + ",\n".join(text.rstrip("\n") for text in texts) + "\n]\n")


def _json(record: Record, before: Record | None) -> str:
    if before is None:
        from dyncli.render.export import json

        return json.render(record)
    from dyncli.render.reports import what_if

    return what_if.render_json(before, record)


def _forced(request: Request) -> Iterator[tuple[Record, Record]]:
    """Yield the changed run and the unchanged run of each case; what the latter prints is not shown."""
    from dyncli.recorder.recorder import record_model
    from dyncli.script.execute import silenced

    baseline = record_model(request.baseline)
    for changed in record_model(request):
        with silenced():
            unchanged = next(baseline)
        yield changed, unchanged


def _unreached(request: Request, records: Sequence[Record]) -> errors.DyncliError | None:
    """Return the error for a forced arm, a patch or a watched name that no run came to."""
    from dyncli.instrument.runtime import force

    for pin in force.parse(request.force):
        if not any(pin.text in record.forced for record in records):
            times = sum(
                decision.site.line == pin.line and (pin.file is None or decision.site.file.endswith(pin.file))
                for decision in records[-1].decisions
            )
            return errors.ForceUnreached(pin.text, pin.line, times)
    seen = {(notice.kind, notice.name) for record in records for notice in record.notices}
    for text in request.patches:
        if ("patch", text) not in seen:
            name = re.sub(r"\s", "", text.partition("=")[0].rpartition(":")[2])
            known = _names(records[-1])
            return errors.PatchUnreached(text) if name in known else errors.WatchUnbound("--patch", name, known)
    for text in request.watches:
        name = re.sub(r"\s", "", text)
        if ("watch", name) not in seen:
            return errors.WatchUnbound("--watch", name, _names(records[-1]))
    return None


def _names(record: Record) -> set[str]:
    """Return every name that the scripts assign to."""
    import ast

    from dyncli.records.text import parse

    found: set[str] = set()
    for source in record.sources:
        for node in ast.walk(parse(source.text)):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    found.add(name)
                case ast.Attribute(value=ast.Name(id=base), attr=name, ctx=ast.Store()):
                    found.add(f"{base}.{name}")
    return found
