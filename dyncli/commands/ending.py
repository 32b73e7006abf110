"""How a command ends that ran something: the exit code and the error of the worst of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dyncli import errors

if TYPE_CHECKING:
    from dyncli.record.model import Record

EXIT = {"ok": 0, "error": 3, "timeout": 4, "limit": 4, "interrupted": 130}


def end(records: Sequence[Record], shown: str = "the report above") -> None:
    """Raises what the worst of the runs ended with, the first of several; nothing if all went well.

    shown: where the user finds what ran until then.
    """
    worst = max(records, key=lambda record: EXIT[record.status], default=None)
    if worst is not None and EXIT[worst.status]:
        raise ended(worst, shown)


def ended(record: Record, shown: str = "the report above") -> errors.DyncliError:
    """The error that a run's end is, told after its report."""
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
