"""Forced arms: `--force 22=else`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dyncli.errors.base import DyncliError, did_you_mean, listing


class ForceSyntax(DyncliError):
    """A forced arm that cannot be read."""

    def __init__(self, text: str) -> None:
        hint = "write `22=else`, `net.py:22=else`, `22:8=else` with a column, or `line 22 iteration 3 = else`"
        if text.startswith("-"):  # the option used to overwrite files, without a value
            hint = "`--force 22=else` takes an arm; `--overwrite` overwrites files"
        super().__init__(f"cannot read the forced arm `{text}`", hint=hint)


class ForceNowhere(DyncliError):
    """A forced arm at a line where nothing is decided; `near` are the decisions nearest to it."""

    def __init__(self, text: str, where: str, near: Iterable[str]) -> None:
        near = tuple(near)
        hint = "the nearest decisions are listed above" if near else "nothing is decided in that file, or it never ran"
        super().__init__(f"nothing is decided at {where}, which `{text}` forces", detail=near, hint=hint)


class ForceNoArm(DyncliError):
    """A forced arm that the decisions of its line do not have."""

    def __init__(self, text: str, arm: str, there: Iterable[str], arms: Iterable[str]) -> None:
        arms = tuple(arms)
        otherwise = f"the arms are {listing(arms)}"
        super().__init__(
            f"`{text}`: no decision there has an arm `{arm}`", detail=there, hint=did_you_mean(arm, arms, otherwise)
        )


class ForceSeveral(DyncliError):
    """A forced arm that several decisions of its line have; `better` names the first of them."""

    def __init__(self, text: str, there: Sequence[str], better: str) -> None:
        super().__init__(f"`{text}` fits {len(there)} decisions", detail=there, hint=f"add the column: `{better}`")


class ForceCannot(DyncliError):
    """A forced arm of a construct whose arms cannot be chosen."""

    def __init__(self, text: str, kind: str, line: int, reason: str) -> None:
        super().__init__(
            f"`{text}`: the `{kind}` at line {line} cannot be forced, {reason}",
            hint="force a test (`if`, `while`, `and`, `or`, `assert`, a guard, a conditional expression, a filter), "
            "the `exit` of a loop, or a `case` that binds no names",
        )


class ForceUnreached(DyncliError):
    """A forced arm whose test the run never came to; `times` says how often that line was tested."""

    def __init__(self, text: str, line: int, times: int) -> None:
        if times:
            often = f"line {line} was tested {times} {'time' if times == 1 else 'times'}"
            super().__init__(f"`{text}` forced nothing: {often}", hint="iterations count from 0, anew for each loop")
        else:
            super().__init__(
                f"`{text}` forced nothing: line {line} was never reached",
                hint="the decisions above are those that were; `--source` shows every line",
            )


class SavedRun(DyncliError):
    """An option that needs a run, given with a saved record."""

    def __init__(self, path: str, option: str) -> None:
        super().__init__(
            f"`{path}` is a saved record, and `{option}` needs a run",
            hint="name the script that it was recorded from",
        )
