"""How a run ended: what the script raised becomes the status and the failure of its record."""

from __future__ import annotations

from time import perf_counter_ns as now
from types import TracebackType
from typing import Any, Protocol

from dyncli import errors
from dyncli.instrument.runtime import operands, probes
from dyncli.recording.decisions.decision_log import Decisions
from dyncli.recording.events.event_log import EventLog
from dyncli.recording.limits import Stopped
from dyncli.recording.sites import naming
from dyncli.records.model import Failure
from dyncli.script.script import Loaded


class RunState:
    """What a run leaves behind, before it is made plain."""

    def __init__(self) -> None:
        self.named_inputs: list[tuple[str, Any]] = []
        self.named_outputs: list[tuple[str, Any]] = []
        self.known: dict[int, tuple[str, str]] = {}
        self.variables: dict[int, str] = {}
        self.names: dict[str, Any] = {}
        self.status = "ok"
        self.failure: Failure | None = None
        self.warnings: list[str] = []
        self.defined: list[str] = []
        self.elapsed_ns = 0


class Run(Protocol):
    """What `Outcome` reads of a run."""

    live: RunState
    loaded: Loaded
    decisions: Decisions


class Outcome:
    """Turns what ends a run into its status and failure; errors of ours go through."""

    def __init__(self, run: Run, log: EventLog, started: int) -> None:
        self.run, self.log, self.started = run, log, started

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        live = self.run.live
        live.elapsed_ns = now() - self.started
        if error is None:
            return True
        from dyncli.recording import error_hints
        from dyncli.script.frames import user_frames

        if isinstance(error, RecursionError):
            operands.end_at_the_limit(error, probes.FILES)

        if isinstance(error, errors.DyncliError):
            return False
        if isinstance(error, SystemExit) and error.code in (None, 0):
            return True
        live.status = (
            error.status if isinstance(error, Stopped)
            else "interrupted" if isinstance(error, KeyboardInterrupt)
            else "error"
        )  # fmt: skip
        target = self.run.loaded.target
        decisions = self.run.decisions
        live.names = naming.module_names(traceback, str(target.path))
        told, found = error_hints.plain_value(error, live.named_inputs), errors.notes(error)
        others = errors.parted(found)[1] if told else found
        failed = len(self.log.ops) - 1 if self.log.ops.error == errors.first_line(error) else None
        live.failure = Failure(
            type="Stopped" if isinstance(error, Stopped) else type(error).__name__,
            message=f"the script called sys.exit({error.code!r})"
            if isinstance(error, SystemExit)
            else errors.first_line(error),
            notes=(
                *told,
                *(note.replace(str(target.path), target.display) for note in others),
                *error_hints.ambiguous_truth(error, traceback, decisions.importer.program, self.log),
                *error_hints.foreign_tensor(error, live.names),
                *_without_arguments(error, traceback),
            ),
            frames=user_frames(traceback, {str(target.path): target.display}),
            op=failed if isinstance(error, Exception) else None,
        )
        return True


def _without_arguments(error: BaseException, traceback: TracebackType | None) -> tuple[str, ...]:
    """The way out for a script whose `argparse` asked in vain; none for any other end."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    where = None if traceback is None else traceback.tb_frame.f_globals.get("__name__")
    asked = isinstance(error, SystemExit) and where == "argparse"
    return ("hint: a script is given no arguments: let its options have defaults",) if asked else ()
