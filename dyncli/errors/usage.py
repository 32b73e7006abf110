"""The command line itself, and the files that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from dyncli.errors.base import DyncliError, did_you_mean, listing, nearest

FULL = "no space left on device"
MOST_LISTED = 8  # names in a hint


class UsageError(DyncliError):
    """The command line itself is wrong."""


class UnknownDtype(UsageError):
    """`--dtype` names none that floats can become."""

    def __init__(self, dtype: str, known: Sequence[str]) -> None:
        super().__init__(f"unknown dtype `{dtype}`", hint=did_you_mean(dtype, known, f"one of {listing(known)}"))


class UnknownSuffix(UsageError, ValueError):
    """The name of a file says no format.  what: the thing it should name.  more: to append to the hint."""

    def __init__(self, path: PurePath | str, suffixes: Iterable[str], what: str = "format", more: str = "") -> None:
        suffix = PurePath(path).suffix
        known = tuple(suffixes)
        near = nearest(suffix, known) if suffix else None
        listed = f"one of {listing(known)}{more}"
        if len(known) == 1:
            near, listed = None, f"`{PurePath(path).with_suffix(known[0])}` is such a name{more}"
        super().__init__(
            f"`{suffix}` names no {what}" if suffix else f"`{path}` has no suffix",
            hint=f"did you mean `{near}`? It is {listed}" if near else listed,
        )


class NothingToShow(UsageError, ValueError):
    """A part or a tensor to show that a record does not have.  parts, names: those it has."""

    def __init__(self, word: str, parts: Sequence[str], names: Sequence[str]) -> None:
        within = [name for name in names if name.startswith((f"{word}.", f"{word}["))]
        if within:
            more = f" and {len(within) - MOST_LISTED:,} more" if len(within) > MOST_LISTED else ""
            hint = f"the tensors of it are {listing(within[:MOST_LISTED])}{more}"
            super().__init__(f"`{word}` is not a tensor", hint=hint)
            return
        otherwise = f"a part ({listing(parts)}) or the name of a tensor"
        super().__init__(f"nothing to show is called `{word}`", hint=did_you_mean(word, [*parts, *names], otherwise))


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
