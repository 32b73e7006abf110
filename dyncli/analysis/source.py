"""The scripts of a run as pages: each line with whether it ran, was left, raised, or cannot be told."""

from __future__ import annotations

from typing import NamedTuple

from dyncli.analysis.graph.model import Graph
from dyncli.analysis.listing import listings
from dyncli.records.model import Record, Site, Source
from dyncli.records.text import one_line, printable

RAN, LEFT, RAISED, UNKNOWN = "ran", "left", "raised", ""
MOST_CHARACTERS = 300_000


class Page(NamedTuple):
    """One script: its name and its lines as (text, mark); mark is `ran`, `left`, `raised` or empty."""

    name: str
    lines: tuple[tuple[str, str], ...]
    raw: tuple[str, ...]

    def columns(self, site: Site) -> tuple[int, int]:
        """Return where a site begins and ends in the shown text of its line, in UTF-16 units as browsers count."""
        if not 1 <= site.line <= len(self.raw):
            return 0, 0
        line = self.raw[site.line - 1].encode("utf-8", "surrogatepass")
        end = site.end_col if site.end_line == site.line else len(line)
        before, upto = (_units(line[:col]) for col in (site.col, end))
        return before, max(before, upto)

    def text_of(self, site: Site) -> str:
        """Return the text of a site on one line."""
        return one_line(site.text, 200)


def pages(graph: Graph, record: Record | None = None) -> list[Page]:
    """Return the scripts that `graph` stands on, those it touches only; marks come from the record if there is one."""
    marks = _marks(graph, record)
    used = {node.site.file for node in graph.nodes if node.site is not None}
    chosen = [source for source in graph.sources if source.file in used] or list(graph.sources[:1])
    found: list[Page] = []
    room = MOST_CHARACTERS
    for source in chosen:
        if len(source.text) <= room:
            found.append(_page(source, marks))
            room -= len(source.text)
    return found


def pages_of_two(graph: Graph, a: Record, b: Record) -> list[Page]:
    """Return the scripts of two runs: a line ran or raised if it did in either, and was left if it ran in neither.

    A script of which the second run had another version has the marks of the first alone.
    """
    alike = tuple(source for source in graph.sources if source in b.sources)
    of_b = {page.name: page for page in pages(graph._replace(sources=alike), b)}
    found: list[Page] = []
    for page in pages(graph, a):
        other = of_b.get(page.name)
        if other is not None:
            both = zip(page.lines, other.lines, strict=True)
            page = page._replace(lines=tuple((text, _mark(one, two)) for (text, one), (_, two) in both))
        found.append(page)
    return found


def _mark(one: str, two: str) -> str:
    return next(mark for mark in (RAISED, RAN, LEFT, UNKNOWN) if mark in (one, two))


def _page(source: Source, marks: dict[tuple[str, int], str]) -> Page:
    raw = tuple(source.text.splitlines())
    lines = tuple(
        (printable(line.replace("\t", "    ")), marks.get((source.file, number), UNKNOWN))
        for number, line in enumerate(raw, 1)
    )
    return Page(source.file, lines, raw)


def _marks(graph: Graph, record: Record | None) -> dict[tuple[str, int], str]:
    marks: dict[tuple[str, int], str] = {}
    if record is not None:
        marks |= _left_lines(record)
        for listing in listings(record) if _has_counts(record) else ():
            marks |= {(listing.file, line.number): LEFT for line in listing.lines if line.is_left}
            marks |= {(listing.file, line.number): RAN for line in listing.lines if line.count}
        sites = [op.site for op in record.ops] + [decision.site for decision in record.decisions]
    else:
        sites = [node.site for node in graph.nodes if node.site is not None and node.kind in ("op", "decision")]
    for file, number in {(site.file, site.line) for site in sites}:
        marks[file, number] = RAN
    if record is not None and record.failure is not None and record.failure.frames:
        last = record.failure.frames[-1]
        marks[last.file, last.line] = RAISED
    return marks


def _has_counts(record: Record) -> bool:
    """Return whether lines can be counted: calls are known, or a script ran that has or called no functions."""
    return bool(record.calls) or record.entry == "__main__" or not any("def " in each.text for each in record.sources)


def _left_lines(record: Record) -> dict[tuple[str, int], str]:
    """Return the lines of arms: left where none of the run's decisions took the arm, ran where one did."""
    taken = {(decision.site.id, decision.arm) for decision in record.decisions if decision.trips != 0}
    reached = {site for site, _ in taken} | {decision.site.id for decision in record.decisions}
    marks: dict[tuple[str, int], str] = {}
    for site in sorted(record.sites, key=lambda site: (site.file, site.line)):
        for arm, span in zip(site.arms, site.arm_lines):
            if span is None or (site.id not in reached and (site.file, site.line) not in marks):
                continue
            mark = RAN if (site.id, arm) in taken else LEFT
            for line in range(span[0], min(span[1], span[0] + 10_000) + 1):
                marks[site.file, line] = LEFT if marks.get((site.file, site.line)) == LEFT else mark
    return marks


def _units(part: bytes) -> int:
    text = printable(part.decode("utf-8", "replace").replace("\t", "    "))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
