"""The command line itself, and the files that were asked for."""

from __future__ import annotations

from collections.abc import Sequence

from dyncli.errors.base import DyncliError, did_you_mean, listing

FULL = "no space left on device"


class UsageError(DyncliError):
    """The command line itself is wrong."""


class UnknownDtype(UsageError):
    """`--dtype` names none that floats can become."""

    def __init__(self, dtype: str, known: Sequence[str]) -> None:
        super().__init__(f"unknown dtype `{dtype}`", hint=did_you_mean(dtype, known, f"one of {listing(known)}"))


class OutputExists(DyncliError):
    """A file would be overwritten."""

    def __init__(self, path: str) -> None:
        super().__init__(f"`{path}` exists already", hint="write elsewhere, or add `--overwrite`")


class OutputUnwritable(DyncliError):
    """A file that was asked for, or standard output, cannot be written."""

    def __init__(self, path: str, why: str) -> None:
        hint = "its folder must be there, and you must be allowed to write in it"
        if why.lower() == FULL:
            why, hint = FULL, "make room there, or write elsewhere"
        super().__init__(f"cannot write `{path}`: {why}", hint=hint)
