"""Errors that end a run or a check."""

from __future__ import annotations

from dyncli.errors.base import DyncliError, first_line


class CheckFailed(DyncliError):
    """A check was made and did not hold."""

    exit_code = 1


class RunRaised(DyncliError):
    """The model script raised while it ran.  shown: what shows the run, where there is no better hint."""

    exit_code = 3

    def __init__(
        self,
        kind: str,
        message: str,
        place: str | None = None,
        hint: str | None = None,
        shown: str = "the report above",
    ) -> None:
        first = message.splitlines()[0] if message else ""
        told = (f"{kind}: {first}" if first else kind) + (f" (at {place})" if place else "")
        super().__init__(told, hint=hint or f"{shown} shows the run up to the failing line")


class LimitReached(DyncliError):
    """A run was stopped by `--timeout`, by `--max-ops`, or because `--force` kept a loop going."""

    exit_code = 4


class Interrupted(DyncliError):
    """Ctrl-C."""

    exit_code = 130

    def __init__(self, message: str = "interrupted", hint: str | None = None) -> None:
        super().__init__(message, hint=hint)


class InternalError(DyncliError):
    """A fault of ours; the traceback is shown only when it is asked for."""

    exit_code = 70

    def __init__(self, error: BaseException) -> None:
        super().__init__(
            f"dyncli failed: {type(error).__name__}: {first_line(error)}",
            hint="this is a fault of dyncli; `DYNCLI_TRACEBACK=1` shows where, please report it",
        )
