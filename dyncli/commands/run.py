"""`dyncli run`: outputs, gradients and decisions of one run, or of every case."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.commands import files
from dyncli.commands import options as opt
from dyncli.commands.console import one_by_one
from dyncli.commands.console import show as display
from dyncli.commands.ending import end
from dyncli.load.paths import is_record

if TYPE_CHECKING:
    from dyncli.record.model import Record
    from dyncli.trace.request import Request

    Pair = tuple[Record, Record | None]


def run(
    model: opt.Model,
    inputs: opt.Inputs = None,
    case: opt.Case = None,
    entry: opt.Entry = None,
    dtype: opt.Dtype = "float32",
    seed: opt.Seed = 0,
    grad_output: opt.GradOutput = None,
    no_grad: opt.NoGrad = False,
    timeout: opt.Timeout = None,
    threads: opt.Threads = None,
    max_ops: opt.MaxOps = None,
    trace: opt.Trace = False,
    force: opt.Pins = None,
    patch: opt.Patches = None,
    watch: opt.Watches = None,
    breaks: opt.Breaks = None,
    sensitivity: opt.Sensitivity = False,
    source: opt.Source = False,
    show: opt.Show = None,
    json: opt.Json = False,
    save: opt.Save = None,
    overwrite: opt.Overwrite = False,
    color: opt.Color = None,
    quiet: opt.Quiet = False,
) -> None:
    """Run a model and show its outputs, its gradients and which way it went.

    A saved record (`run.dyn`) stands for MODEL and is shown again.

    $ dyncli run piecewise
    $ dyncli run model.py -i '[1, -1, 2]'
    $ dyncli run model.py:loss -i x=@x.npy -i steps=3 --trace
    $ dyncli run model.py -i cases.json --case positive --save run.dyn
    $ dyncli run model.py -i '[1, -1, 2]' --source
    $ dyncli run model.py -i '[1, -1, 2]' --force 22=else
    $ dyncli run model.py -i '[1, -1, 2]' --sensitivity
    $ dyncli run model.py -i '[1, -1, 2]' --watch h --patch 'line 12: h=0'
    $ dyncli run model.py -i '[1, -1, 2]' --break 'op == "log" and nan(out)'
    """
    files.may_save(save, force=overwrite, option="--overwrite")
    from dyncli.trace.request import Request

    pins = tuple(force or ())
    cotangents = tuple(grad_output or ())
    request = Request(
        model,
        tuple(inputs or ()),
        case,
        entry,
        dtype,
        seed,
        cotangents,
        no_grad,
        timeout,
        max_ops,
        json,
        pins,
        sensitivity=sensitivity,
        measure=save is not None,
        outline=not (json or trace or source or sensitivity or pins or watch or breaks or patch) and _tables(show),
        watches=tuple(watch or ()),
        breaks=tuple(breaks or ()),
        patches=tuple(patch or ()),
    )
    pairs: list[Pair] = []
    for record, before in _runs(request, quiet):
        pairs.append((record, before))
        if save is not None:
            target = files.for_case(save, record.case if case is None else None)
            files.may_write(target, force=overwrite, option="--overwrite")
            files.save(record, target, quiet)
        if not json:
            _print(record, before, color, trace, tuple(show or ()), source, first=len(pairs) == 1)
    if json:
        _print_json(pairs)
    records = [record for record, _ in pairs]
    end(records, "the record on stdout" if json else "the report above")
    if pins or patch or watch:
        from dyncli.commands.what_if import unreached

        error = unreached(request, records)
        if error is not None:
            raise error


def _runs(request: Request, quiet: bool) -> Iterator[Pair]:
    """Each case's record, and with something forced also the record of the case as it is; or the saved record."""
    if is_record(request.model):
        from dyncli.commands.saved import load_saved

        yield load_saved(request), None
        return
    talks = bool(request.breaks or request.watches)
    yield from one_by_one(_recorded(request), f"running {request.model}", quiet=quiet or talks)


def _recorded(request: Request) -> Iterator[Pair]:
    if request.force or request.patches:
        from dyncli.commands.what_if import pairs

        yield from pairs(request)
        return
    from dyncli.trace.recorder import record_model

    yield from ((record, None) for record in record_model(request))


def _print(
    record: Record, before: Record | None, color: bool | None, trace: bool, show: tuple[str, ...], source: bool, *,
    first: bool,
) -> None:  # fmt: skip
    from dyncli.views.run import RunOptions, render

    _known(record, show)
    display(render(record, RunOptions(trace, show, source=source), before), color, after=not first)


def _known(record: Record, names: tuple[str, ...]) -> None:
    """Raises UsageError for a name that `--show` cannot show: no part and no tensor."""
    from dyncli.views.run import PARTS

    known = [tensor.name for tensor in record.tensors if tensor.name] + [output.name for output in record.outputs]
    for name in names:
        if name not in PARTS and name not in known:
            otherwise = f"a part ({errors.listing(PARTS)}) or the name of a tensor"
            hint = errors.did_you_mean(name, [*PARTS, *known], otherwise)
            raise errors.UsageError(f"nothing to show is called `{name}`", hint=hint)


def _tables(show: list[str] | None) -> bool:
    """Whether only tables are to be shown that say nothing of what was on the way."""
    return {"outputs", "gradients", "decisions", "loading"}.issuperset(show or ())


def _print_json(pairs: list[Pair]) -> None:
    """One record as an object, several cases as a list of them."""
    texts = [_json(record, before) for record, before in pairs]
    if len(texts) == 1:
        sys.stdout.write(texts[0])
    else:
        sys.stdout.write("[\n" + ",\n".join(text.rstrip("\n") for text in texts) + "\n]\n")


def _json(record: Record, before: Record | None) -> str:
    if before is None:
        from dyncli.views import json

        return json.render(record)
    from dyncli.views import what_if

    return what_if.render_json(before, record)
