"""The summary of a path once it is known: its signature, its text, the arms, comparisons and loops in it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from dyncli.analysis.pattern import repeats
from dyncli.coverage.point_tables import BACKWARD, FIRST, LEFT_OUT, LOOP, RAISED, SPAN, WHILE
from dyncli.instrument.program import Program
from dyncli.records.digest import blake2b

MOST_WORDS = 400  # decisions from which the text of a path is made
LONGEST_TEXT = 160


@dataclass(slots=True)
class Taken:
    """One path.

    signature: as `recorder.decisions.finish.signature` returns it.  steps: how many decisions.
    arms: (site, arm) -> how often.
    conditions: (site, index, outcome) -> how often, of tests with several comparisons.
    trips: (loop, steps) of each loop.
    """

    signature: str
    text: str
    steps: int
    arms: Counter[tuple[str, int]] = field(default_factory=Counter)
    conditions: Counter[tuple[str, int, bool]] = field(default_factory=Counter)
    trips: list[tuple[str, int]] = field(default_factory=list)


def taken(program: Program, path: Sequence[Any]) -> Taken:
    """Return what the tokens of a path stand for."""
    constructs = program.constructs
    digest = blake2b(digest_size=8)
    found = Taken("", "", 0)
    words: list[str] = []
    is_forward = True
    at, end = 0, len(path)
    while at < end:
        token = path[at]
        at += 1
        if token == BACKWARD:
            is_forward = False
            continue
        if token == LEFT_OUT:
            digest.update(f"{path[at]} more\n".encode())
            break
        if token < 0:
            key, rest = divmod(-token - 1, SPAN)
            site = constructs[key].site
            if site is not None:
                found.conditions[site.id, rest >> 1, bool(rest & 1)] += 1
            continue
        key, arm = divmod(token, SPAN)
        construct = constructs[key]
        site = construct.site
        if arm in (LOOP, WHILE):
            trips = path[at] if at < end else 0
            at += 1
            found.trips.append((loop_key(program, key), trips))
            if arm == WHILE or site is None:
                continue
            found.arms[site.id, 0] += 1 if trips else 0
            name, count = "loop", f"{trips}"
        else:
            assert site is not None
            name, count = ("raise" if arm == RAISED else site.arms[arm - FIRST]), ""
            found.arms[site.id, arm - FIRST] += 1
        if is_forward:
            digest.update(f"{site.id} {name} {count}\n".encode("utf-8", "surrogatepass"))
            found.steps += 1
            if len(words) < MOST_WORDS:
                words.append(f"{site.line} x{count}" if count else f"{site.line} {name}")
    found.signature = digest.hexdigest()
    found.text = _text(words, found.steps)
    found.arms = +found.arms
    return found


def loop_key(program: Program, key: int) -> str:
    """Return what the trips of a loop are counted under.

    Its site, or its place if it decides nothing (`while True`).
    """
    construct = program.constructs[key]
    if construct.site is not None:
        return construct.site.id
    return f"{_identity(program, program.functions[construct.function].path)}:{construct.line}"


def function_key(program: Program, number: int) -> str:
    """Return what a function's calls are counted under."""
    function = program.functions[number]
    return f"{_identity(program, function.path)}:{function.line}:{function.name}"


def _identity(program: Program, path: str) -> str:
    """Return a file's path relative to the script, so that moving both changes nothing."""
    return _beside(path, program.functions[0].path)


@cache
def _beside(path: str, script: str) -> str:
    return os.path.relpath(path, os.path.dirname(script)).replace(os.sep, "/")


def _text(words: list[str], steps: int) -> str:
    """Format a path such as `4 then, (7 body, 9 else) x3, 7 exit`; the numbers are lines."""
    parts = []
    for block, times in repeats(words):
        inner = ", ".join(block)
        parts.append(inner if times == 1 else f"({inner}) x{times}" if len(block) > 1 else f"{inner} x{times}")
    text = ", ".join(parts) or "no decision"
    if len(text) > LONGEST_TEXT:
        text = text[: LONGEST_TEXT - 1].rpartition(", ")[0] + ", …"
    elif steps > len(words):
        text += ", …"
    return text
