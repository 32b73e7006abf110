"""Requests to look at a running script: `--watch NAME`, `--break line:22`, `--patch NAME=VALUE`, as texts and read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dyncli import errors
from dyncli.instrument.breakpoint_condition import Condition, parse as parse_condition

Path = tuple[str, ...]  # of a name: `self.h` is ("self", "h")
_NAME = r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*"
_LINE = re.compile(r"\s*(?:(?P<file>[^=<>!\"']+?\.py)\s*:\s*|line\s*:?\s*)?(?P<line>\d+)\s*")
_PATCH = re.compile(
    rf"\s*(?:(?:(?P<file>[^=]+?\.py)\s*:\s*|line\s+)(?P<line>\d+)\s*:)?\s*(?P<name>{_NAME})\s*=\s*(?P<value>.+?)\s*",
    re.DOTALL,
)


class Patch(NamedTuple):
    """A value for a name, wherever it is given one or on one line only."""

    text: str
    name: Path
    value: Any
    file: str | None = None
    line: int | None = None


class Line(NamedTuple):
    """A line to stop at."""

    text: str
    line: int
    file: str | None = None


class Place(NamedTuple):
    """Where an added probe stands: the line it is about, and the function."""

    file: str
    line: int
    function: str


@dataclass(slots=True)
class DebugRequest:
    """The requests, and their places in the files of a program.

    places: of the added probes, by number.  bound: the lines where each name of a patch is given a value.
    statements: the lines on which statements begin, by file.  names: all that files give a value to.
    """

    watches: tuple[Path, ...] = ()
    patches: tuple[Patch, ...] = ()
    lines: tuple[Line, ...] = ()
    conditions: tuple[Condition, ...] = ()
    places: list[Place] = field(default_factory=list)
    bound: dict[Path, list[int]] = field(default_factory=dict)
    statements: dict[str, set[int]] = field(default_factory=dict)
    found_lines: set[Line] = field(default_factory=set)
    found_patches: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    @property
    def watched_names(self) -> frozenset[str]:
        """Return what the first parts of what is watched are called."""
        return frozenset(path[0] for path in self.watches)


def read(watch: Iterable[str], breaks: Iterable[str], patch: Iterable[str]) -> DebugRequest | None:
    """Return what the options ask for, None if nothing.

    Raises WatchSyntax, BreakSyntax, BreakName, PatchSyntax, InputSyntax.
    """
    debug_request = DebugRequest(tuple(map(_watched, watch)), tuple(map(_patched, patch)))
    lines, conditions = [], []
    for text in breaks:
        match = _LINE.fullmatch(text)
        if match is not None:
            lines.append(Line(text, int(match["line"]), match["file"]))
        else:
            conditions.append(parse_condition(text))
    debug_request.lines, debug_request.conditions = tuple(lines), tuple(conditions)
    return debug_request if debug_request.watches or debug_request.patches or lines or conditions else None


def _watched(text: str) -> Path:
    if re.fullmatch(rf"\s*{_NAME}\s*", text) is None:
        raise errors.WatchSyntax(text)
    return _path(text)


def _path(text: str) -> Path:
    return tuple(part.strip() for part in text.split("."))


def _patched(text: str) -> Patch:
    from dyncli.script import readers

    match = _PATCH.fullmatch(text)
    if match is None:
        raise errors.PatchSyntax(text)
    value = readers.parse(match["value"], f"--patch {match['name']}")
    line = None if match["line"] is None else int(match["line"])
    return Patch(text, _path(match["name"]), value, match["file"], line)


def is_file(asked: str | None, file: str, first: str) -> bool:
    """Return whether a file, as it is displayed, is the one that was asked for; without one the script itself is."""
    return file == first if asked is None else file == asked or file.endswith(f"/{asked}")
