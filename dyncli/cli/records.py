"""Records as commands use them: a saved one in the place of a script, and the error that a run ended with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dyncli import errors

if TYPE_CHECKING:
    from dyncli.recording.request import Request
    from dyncli.records.model import Record

EXIT = {"ok": 0, "error": 3, "timeout": 4, "limit": 4, "interrupted": 130}


def load_saved(request: Request) -> Record:
    """Return the record that MODEL names; raises SavedRun for an option that only a run can heed."""
    from dyncli.records.json import load

    if request.arguments:
        raise errors.ArgumentsUnused(request.model, "a saved record", request.arguments)
    for option, given in (
        ("--input", request.inputs), ("--case", request.case), ("--entry", request.entry),
        ("--grad-output", request.grad_output), ("--no-grad", request.no_grad), ("--timeout", request.timeout),
        ("--max-ops", request.max_ops), ("--force", request.force), ("--patch", request.patches),
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
