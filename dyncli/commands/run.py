"""`dyncli run`: outputs, gradients and decisions of one run, or of every case."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.commands import options as opt
from dyncli.commands.console import console, progress

if TYPE_CHECKING:
    from dyncli.record.model import Record

PARTS = ("outputs", "gradients", "decisions", "ops")
EXIT = {"ok": 0, "error": 3, "timeout": 4, "limit": 4, "interrupted": 130}


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
    max_ops: opt.MaxOps = None,
    trace: opt.Trace = False,
    show: opt.Show = None,
    json: opt.Json = False,
    save: opt.Save = None,
    force: opt.Force = False,
    color: opt.Color = None,
    quiet: opt.Quiet = False,
) -> None:
    """Run a model and show its outputs, its gradients and which way it went.

    A saved record (`run.dyn`) stands for MODEL and is shown again.

    $ dyncli run piecewise
    $ dyncli run model.py -i '[1, -1, 2]'
    $ dyncli run model.py:loss -i x=@x.npy -i steps=3 --trace
    $ dyncli run model.py -i cases.json --case positive --save run.dyn
    """
    if save is not None and save.exists() and not force:
        raise errors.OutputExists(str(save))
    records: list[Record] = []
    for record in _records(model, inputs, case, entry, dtype, seed, grad_output, no_grad, timeout, max_ops, json, quiet):
        records.append(record)
        if save is not None:
            _save(record, save, record.case if case is None else None, quiet)
        if not json:
            _print(record, trace, show, color, first=len(records) == 1)
    if json:
        _print_json(records)
    worst = max((EXIT[record.status] for record in records), default=0)
    if worst:
        raise _ended(next(record for record in records if EXIT[record.status] == worst))


def _records(
    model: str, inputs: list[str] | None, case: str | None, entry: str | None, dtype: str, seed: int,
    grad_output: list[str] | None, no_grad: bool, timeout: float | None, max_ops: int | None, json: bool, quiet: bool,
) -> Iterator[Record]:  # fmt: skip
    """The saved record that `model` names, or one for each case as it has run."""
    if model.endswith(".dyn"):
        from dyncli.record.json import load

        yield load(model)
        return
    from dyncli.trace.recorder import record_model
    from dyncli.trace.request import Request

    request = Request(
        model, tuple(inputs or ()), case, entry, dtype, seed, tuple(grad_output or ()), no_grad, timeout, max_ops, json
    )
    runs = record_model(request)
    while True:
        with progress(f"running {model}", quiet=quiet):
            record = next(runs, None)
        if record is None:
            return
        yield record


def _print(record: Record, trace: bool, show: list[str] | None, color: bool | None, *, first: bool) -> None:
    from dyncli.views.run import RunOptions, render

    _known(record, tuple(each for each in show or () if each not in PARTS))
    out = console(color)
    if not first:
        out.print()
    out.print(render(record, RunOptions(trace=trace, show=tuple(show or ()))))


def _known(record: Record, names: tuple[str, ...]) -> None:
    """Raises UsageError for a name that `--show` cannot show."""
    known = [tensor.name for tensor in record.tensors if tensor.name] + [output.name for output in record.outputs]
    for name in names:
        if name not in known:
            hint = errors.did_you_mean(name, [*PARTS, *known], f"a part ({errors.listing(PARTS)}) or the name of a tensor")
            raise errors.UsageError(f"nothing to show is called `{name}`", hint=hint)


def _print_json(records: list[Record]) -> None:
    """One record as an object, several cases as a list of them."""
    from dyncli.views.json import render

    if len(records) == 1:
        sys.stdout.write(render(records[0]))
    else:
        sys.stdout.write("[\n" + ",\n".join(render(record).rstrip("\n") for record in records) + "\n]\n")


def _save(record: Record, path: Path, case: str | None, quiet: bool) -> None:
    """Saves the record; of several cases each beside the others, as `run.positive.dyn`."""
    from dyncli.record.json import save

    target = path if case is None else path.with_name(f"{path.stem}.{_file_part(case)}{path.suffix}")
    try:
        save(record, target)
    except OSError as error:
        raise errors.OutputUnwritable(str(target), error.strerror or str(error)) from None
    if not quiet:
        print(f"Wrote {target}", file=sys.stderr)


def _file_part(case: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in case)[:80]


def _ended(record: Record) -> errors.DyncliError:
    """The error that a run's end is, told after its tables."""
    failure = record.failure
    message = failure.message if failure is not None else record.status
    if record.status == "interrupted":
        return errors.Interrupted(f"interrupted after {len(record.ops)} ops and {len(record.decisions)} decisions")
    if record.status in ("timeout", "limit"):
        option = "--timeout" if record.status == "timeout" else "--max-ops"
        return errors.LimitReached(message, hint=f"what ran until then is shown; raise `{option}` to let it go on")
    assert failure is not None
    first = message.splitlines()[0] if message else ""
    where = f" (at {failure.frames[-1].file}:{failure.frames[-1].line})" if failure.frames else ""
    hints = [note.removeprefix("hint: ") for note in failure.notes if note.startswith("hint: ")]
    return errors.RunRaised(f"{failure.type}: {first}{where}" if first else f"{failure.type}{where}", hints)
