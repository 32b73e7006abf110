"""The files a command writes and the records it shows: none is overwritten unasked, each is written whole."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.script.paths import is_file, is_record

if TYPE_CHECKING:
    from dyncli.recorder.request import Request
    from dyncli.records.model import Record

EXIT = {"ok": 0, "error": 3, "timeout": 4, "limit": 4, "interrupted": 130}


def may_write(*paths: Path | None, overwrite: bool) -> None:
    """Raise OutputExists for an existing file, unless `overwrite`; `-` is stdout."""
    for path in paths:
        if path is not None and str(path) != "-" and is_file(str(path)) and not overwrite:
            raise errors.OutputExists(str(path))


def may_save(path: Path | None, *, overwrite: bool) -> None:
    """Raise UsageError for a name that is no record's, and OutputExists as `may_write` does."""
    if path is not None and not is_record(path):
        raise errors.UsageError(f"`--save {path}` does not end in `.dyn`", hint="as in `--save run.dyn`")
    may_write(path, overwrite=overwrite)


def save(record: Record, path: Path, quiet: bool) -> None:
    """Write a record to a `.dyn` file and print that on stderr."""
    from dyncli.records.files import write
    from dyncli.records.json import dump

    write(path, dump(record))
    say(f"Wrote {path}", quiet)


def save_case(record: Record, path: Path, case: str | None, *, overwrite: bool, quiet: bool) -> None:
    """Save the record of one of several cases beside the others."""
    target = for_case(path, case)
    may_write(target, overwrite=overwrite)
    save(record, target, quiet)


def for_case(path: Path, case: str | None) -> Path:
    """Put the case's name into a file's name: `run.dyn` -> `run.positive.dyn`."""
    if case is None:
        return path
    part = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in case)[:80]
    return path.with_name(f"{path.stem}.{part}{path.suffix}")


def say(words: str, quiet: bool) -> None:
    """Tell the user on stderr."""
    if not quiet:
        print(words, file=sys.stderr)


def load_saved(request: Request) -> Record:
    """Return the record that MODEL names; raises SavedRun for an option that only a run can heed."""
    from dyncli.records.json import load

    if request.arguments:
        raise errors.ArgumentsUnused(request.model, "a saved record", request.arguments)
    for option, given in (
        ("--input", request.inputs), ("--case", request.case), ("--entry", request.entry),
        ("--grad-output", request.grad_output), ("--no-grad", request.no_grad), ("--timeout", request.timeout),
        ("--max-ops", request.max_ops), ("--steps", request.steps), ("--force", request.force),
        ("--patch", request.patches),
        ("--watch", request.watches), ("--break", request.breaks), ("--sensitivity", request.sensitivity),
    ):  # fmt: skip
        if given:
            raise errors.SavedRun(request.model, option)
    return load(request.model)


def end(records: Sequence[Record], shown: str = "the report above") -> None:
    """Raise the error of the worst of the runs, the first of several; return if all went well.

    shown: where the user finds what ran until then.
    """
    worst = max(records, key=lambda record: EXIT[record.status], default=None)
    if worst is not None and EXIT[worst.status]:
        raise ended(worst, shown)


def ended(record: Record, shown: str = "the report above") -> errors.DyncliError:
    """Return the error that a run ended with, printed after its report."""
    failure = record.failure
    message = failure.message if failure is not None else record.status
    if record.status == "interrupted":
        message = f"interrupted after {len(record.ops)} ops and {len(record.decisions)} decisions"
        return errors.Interrupted(message, "what ran until then is shown; `--save run.dyn` keeps it")
    if record.status in ("timeout", "limit"):
        option = "--timeout" if record.status == "timeout" else "--max-ops"
        hints, _ = errors.parted(failure.notes if failure is not None else ())
        hint = hints[0] if hints else f"what ran until then is shown; raise `{option}` to let it go on"
        return errors.LimitReached(message, hint=hint)
    assert failure is not None
    place = f"{failure.frames[-1].file}:{failure.frames[-1].line}" if failure.frames else None
    hints, _ = errors.parted(failure.notes)
    return errors.RunRaised(failure.type, message, place, hints[0] if hints else None, shown)
