"""The scripts of a run line by line: how often each was reached, and which way its tests went."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from dyncli.analysis.decisions import because, outcome_symbol, shown_kind
from dyncli.analysis.flow import Flow
from dyncli.analysis.loading import in_view_of_source
from dyncli.analysis.pattern import pattern
from dyncli.records.model import Decision, Record, Site, Source
from dyncli.records.text import one_line, parse, printable

MOST_LINES = 5000
UNFOLDED = 6


class Note(NamedTuple):
    """Outcome of a test of a line.

    test: its text where the line has several; took: the arms; values: those that decided.
    """

    test: str
    took: str
    values: str
    is_forced: bool = False


class Line(NamedTuple):
    """One line of a script.

    count: how often the statement that begins there was reached, None if there is none or it cannot be known.
    is_left: it was certainly never reached.  error: the exception that was raised there.
    """

    number: int
    text: str
    count: int | None  # type: ignore[assignment]
    is_left: bool
    notes: tuple[Note, ...] = ()
    error: str | None = None


class Listing(NamedTuple):
    """One script: its lines up to the end of its code, and how many of its statements were reached."""

    file: str
    lines: tuple[Line, ...]
    reached: int
    statements: int


def listings(record: Record) -> list[Listing]:
    """Return the scripts of a run in which something was decided, done or could have been; the first always."""
    used = {site.file for site in record.sites} | {op.site.file for op in record.ops}
    return [_listing(record, source) for place, source in enumerate(record.sources) if not place or source.file in used]


def _listing(record: Record, source: Source) -> Listing:
    lines = source.text.splitlines()[:MOST_LINES]
    try:
        tree = parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.Module([], [])
    flow = Flow(record, source.file, tree)
    owners = _owners(flow, lines)
    last = max([statement.end_lineno or 1 for statement in tree.body], default=len(lines))
    notes = _notes(record, source.file)
    errors = _errors(record, source.file)
    shown = tuple(
        Line(
            number,
            printable(text.replace("\t", "    ")).rstrip(),
            flow.counts.get(number),
            owners[number] == 0 and bool(text.strip()),
            notes.get(number, ()),
            errors.get(number),
        )
        for number, text in enumerate(lines[:last], 1)
    )
    known = [count for count in flow.counts.values() if count is not None]
    return Listing(source.file, shown, sum(count > 0 for count in known), len(known))


def _owners(flow: Flow, lines: Sequence[str]) -> list[int | None]:
    """Return the count of the statement each line belongs to.

    What lies between statements, comments and `else:`, goes with the next one, or with the one before if that is the
    nearer by its indent.
    """
    length = len(lines)
    owners: list[int | None] = [None] * (length + 2)
    owned = bytearray(length + 2)
    for first, last, count in sorted(flow.spans, key=lambda span: (span[0], -span[1])):
        for line in range(first, min(last, length) + 1):
            owners[line], owned[line] = count, 1
    known = [line for line in range(1, length + 1) if owned[line]]
    place = 0
    for line in range(1, length + 1):
        if owned[line]:
            place += 1
            continue
        before = known[place - 1] if place else None
        after = known[place] if place < len(known) else None
        belongs = before if after is None or _indent(lines[after - 1]) < _indent(lines[line - 1]) else after
        owners[line] = owners[belongs] if belongs is not None else None
    return owners


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _notes(record: Record, file: str) -> dict[int, tuple[Note, ...]]:
    made: dict[str, list[Decision]] = defaultdict(list)
    for decision in in_view_of_source(record):
        if decision.site.file == file:
            made[decision.site.id].append(decision)
    by_line: dict[int, list[Site]] = defaultdict(list)
    for site in record.sites:
        if site.file == file and site.id in made:
            by_line[site.line].append(site)
    return {line: tuple(_note(site, made[site.id], len(sites)) for site in sites) for line, sites in by_line.items()}


def _note(site: Site, decisions: list[Decision], here: int) -> Note:
    symbols = [outcome_symbol(decision, short=True) for decision in decisions]
    took = " ".join(symbols) if len(symbols) <= UNFOLDED else pattern(symbols)
    values = because(decisions, names=False)
    if decisions[0].trips is not None:
        took, values = values, ""
    kind = shown_kind(site)
    word = f"{kind.word} " if kind.word and not site.text.startswith(kind.word) else ""
    test = one_line(word + site.text, 40)
    alone = here == 1 and kind.is_statement
    return Note("" if alone else test, took, values, any(decision.forced for decision in decisions))


def _errors(record: Record, file: str) -> dict[int, str]:
    failure = record.failure
    if failure is None or record.status != "error":
        return {}
    found = {frame.line: "" for frame in failure.frames if frame.file == file}
    if failure.frames and failure.frames[-1].file == file:
        found[failure.frames[-1].line] = f"{failure.type}: {one_line(failure.message, 200)}"
    return {line: message for line, message in found.items() if message}
