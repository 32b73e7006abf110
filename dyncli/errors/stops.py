"""Looking on while a script runs: `--watch`, `--break`, `--patch`."""

from __future__ import annotations

from collections.abc import Iterable

from dyncli.errors.base import DyncliError, did_you_mean, listing, shown


class BreakSyntax(DyncliError):
    """A condition of `--break` that cannot be read."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(
            f"cannot read the condition `{shown(text)}`: {why}",
            hint='write `line:22`, `net.py:22`, or a condition as `op == "log" and nan(out)`',
        )


class BreakName(DyncliError):
    """A name in a condition of `--break` that means nothing there."""

    def __init__(self, text: str, name: str, known: Iterable[str]) -> None:
        known = tuple(known)
        super().__init__(
            f"`{shown(name, 40)}` in the condition `{shown(text)}` means nothing",
            hint=did_you_mean(name, known, f"known are {listing(known)}"),
        )


class BreakNowhere(DyncliError):
    """A line of `--break` on which no statement stands; `near` is the nearest that has one."""

    def __init__(self, text: str, file: str, near: int | None) -> None:
        super().__init__(
            f"`--break {shown(text)}`: no statement stands on that line of {file}",
            hint=f"the nearest is on line {near}" if near is not None else "that file is empty, or never ran",
        )


class WatchSyntax(DyncliError):
    """Something to watch that is no name."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"cannot watch `{shown(text)}`: it is no name",
            hint="write a variable, `h`, or an attribute of one, `self.h`",
        )


class WatchUnbound(DyncliError):
    """A name to watch, or to patch, that nothing in the scripts is called."""

    def __init__(self, option: str, name: str, known: Iterable[str]) -> None:
        super().__init__(
            f"`{option} {shown(name)}`: nothing of that name was given a value",
            hint=did_you_mean(name, known, "it has to be a variable of the script, or of what it imports beside it"),
        )


class PatchSyntax(DyncliError):
    """A value to be replaced that cannot be read."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"cannot read the patch `{shown(text)}`", hint="write `h=0`, `h=[1, 2, 3]`, `self.h=0` or `line 22: h=0`"
        )


class PatchNowhere(DyncliError):
    """A patch at a line on which its name is given no value; `lines` are those where it is."""

    def __init__(self, text: str, name: str, line: int | None, lines: Iterable[int]) -> None:
        lines = tuple(lines)
        there = f" on line {line}" if line is not None else ""
        where = f"lines {', '.join(map(str, lines))}" if len(lines) > 1 else f"line {lines[0]}" if lines else ""
        super().__init__(
            f"`{shown(text)}`: `{shown(name, 40)}` is given no value{there}",
            hint=f"it is on {where}" if lines else "it has to be assigned, or be a parameter",
        )


class PatchUnreached(DyncliError):
    """A patch whose name was given no value in the run."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"`{shown(text)}` replaced nothing: the run did not come to where that name is given a value",
            hint="`--source` shows which lines were reached",
        )


class PatchUnfit(DyncliError):
    """A value that cannot stand for a tensor."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(f"`{shown(text)}`: {why}", hint="give a number for all elements, or nested lists of numbers")
