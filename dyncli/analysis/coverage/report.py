"""Report of a tally: arms, conditions, loops, paths, inputs near a flip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dyncli.analysis.coverage.tally import (
    MOST_PATHS,
    OUTCOMES,
    Function,
    Group,
    Histogram,
    Near,
    Path,
    Reach,
    SearchResult,
    Subject,
    Tally,
)
from dyncli.analysis.decisions import kind_and_text
from dyncli.records.model import Site, Source

LONGEST_SOURCE = 40  # lines of an arm's source that are kept


@dataclass(frozen=True, slots=True)
class ArmRow:
    """One way on from a site.

    share: of the inputs that came to the site.  is_counted: whether it belongs to the percentage: that an `assert`
    never fails is no gap, nor is what a function decided that was called only while the script was loaded.
    is_loading: taken then.  source: its lines, from `line` on; of an arm without lines of its own, those of the test.
    """

    site: Site
    index: int
    name: str
    reach: Reach
    is_counted: bool
    is_loading: bool
    line: int
    source: tuple[str, ...]

    @property
    def is_reached(self) -> bool:
        """True if an input ever took it."""
        return self.reach.inputs > 0

    @property
    def is_missed(self) -> bool:
        """True if it is a gap."""
        return self.is_counted and not self.is_reached

    @property
    def span(self) -> tuple[int, int] | None:
        """Its first and last line, None if it has none of its own."""
        return self.site.arm_lines[self.index] if self.index < len(self.site.arm_lines) else None

    @property
    def after(self) -> int | None:
        """The line behind which an arm without lines goes on: the last of the other one."""
        first = self.site.arm_lines[0] if self.site.arm_lines else None
        skips = self.site.kind in ("if", "elif", "while") and self.index == 1
        return first[1] if skips and first is not None and self.span is None else None


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One decision of the source with its arms, how often its test raised, and the inputs nearest to a flip."""

    site: Site
    arms: tuple[ArmRow, ...]
    raised: int
    nearest: tuple[Near, ...]
    is_called: bool

    @property
    def is_still(self) -> bool:
        """True if it went one way, and no input is nearer to a flip than others: a test of the script's options."""
        one_way = sum(arm.is_reached for arm in self.arms) == 1
        return one_way and len(self.nearest) > 1 and len({near.margin for near in self.nearest}) == 1


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """One comparison of a test with several: how often it was true and false."""

    site: Site
    index: int
    text: str
    true: int
    false: int

    @property
    def is_covered(self) -> bool:
        """True if it was seen both ways."""
        return bool(self.true and self.false)


@dataclass(frozen=True, slots=True)
class CountRow:
    """A loop with how many steps it made, or a recursive function with how deep it went, each with how often."""

    file: str
    line: int
    text: str
    counts: Histogram


@dataclass(frozen=True, slots=True)
class PathRow:
    """One path with its share of all runs."""

    signature: str
    path: Path
    share: float


@dataclass(frozen=True, slots=True)
class Report:
    """Everything there is to say.

    reached, total: arms; percent: of arms, 100 where there are none.  distinct: paths, an estimate if `is_bounded`.
    outside: runs whose path was not kept.  missing: functions never called.  sought: what a search for inputs found.
    """

    subject: Subject
    tally: Tally
    sites: tuple[SiteRow, ...]
    conditions: tuple[ConditionRow, ...]
    loops: tuple[CountRow, ...]
    recursion: tuple[CountRow, ...]
    paths: tuple[PathRow, ...]
    distinct: int
    outside: int
    missing: tuple[Function, ...]
    reached: int
    total: int
    sought: tuple[SearchResult, ...] = ()

    @property
    def percent(self) -> float:
        """The share of the arms that were reached."""
        return 100 * self.reached / self.total if self.total else 100.0

    @property
    def missed(self) -> tuple[ArmRow, ...]:
        """The arms never reached."""
        return tuple(arm for row in self.sites for arm in row.arms if arm.is_missed)

    @property
    def outcomes(self) -> tuple[tuple[str, Group], ...]:
        """Outcomes of the inputs, in the order of `OUTCOMES`; only those that occurred."""
        found = self.tally.outcomes
        return tuple((word, found[word]) for word in OUTCOMES if word in found)

    @property
    def reasons(self) -> tuple[tuple[str, Group], ...]:
        """Exceptions and results that are not finite, the most frequent first."""
        return tuple(sorted(self.tally.reasons.items(), key=lambda item: (-item[1].count, item[0])))

    @property
    def nearest(self) -> tuple[SiteRow, ...]:
        """The sites that some input came near to, the nearest first, those that no input moves last."""

        def rank(row: SiteRow) -> tuple[bool, float, str, int, int]:
            return row.is_still, row.nearest[0].distance, row.site.file, row.site.line, row.site.col

        return tuple(sorted((row for row in self.sites if row.nearest), key=rank))


def report(subject: Subject, tally: Tally) -> Report:
    """Return the report of a tally; equal tallies give equal reports."""
    lines = {source.file: source.text.splitlines() for source in subject.sources}
    loading = set(subject.loading)
    called = tally.calls.keys() | set(subject.called)
    names = {(function.file, function.name) for function in subject.functions if function.key in called}
    asked = {(function.file, function.name) for function in subject.functions if function.key in tally.calls}
    only_loading = names - asked
    sites = tuple(
        SiteRow(
            site,
            tuple(
                _arm(site, index, tally, loading, only_loading, lines.get(site.file, []))
                for index in range(len(site.arms))
            ),
            tally.arms.get((site.id, -1), Reach()).times,
            tally.nearest.get(site.id, ()),
            (site.file, site.function) in names,
        )
        for site in subject.sites
    )
    arms = [arm for row in sites for arm in row.arms if arm.is_counted]
    kept = sum(path.count for path in tally.paths.values())
    whole = sum(group.count for word, group in tally.outcomes.items() if word in ("ok", "raised"))
    return Report(
        subject=subject,
        tally=tally,
        sites=sites,
        conditions=_conditions(subject, tally),
        loops=_loops(subject, tally),
        recursion=_recursion(subject, tally),
        paths=_paths(tally, whole),
        distinct=_distinct(tally),
        outside=whole - kept,
        missing=tuple(each for each in subject.functions if each.is_named and each.key not in called),
        reached=sum(arm.is_reached for arm in arms),
        total=len(arms),
    )


def _arm(
    site: Site,
    index: int,
    tally: Tally,
    loading: set[tuple[str, int]],
    only_loading: set[tuple[str, str]],
    lines: Sequence[str],
) -> ArmRow:
    span = site.arm_lines[index] if index < len(site.arm_lines) else None
    first, last = span if span is not None else (site.line, site.line)
    source = lines[max(first - 1, 0) : min(last, first + LONGEST_SOURCE - 1)] if 0 < first <= last else []
    return ArmRow(
        site=site,
        index=index,
        name=site.arms[index],
        reach=tally.arms.get((site.id, index), Reach()),
        is_counted=not (site.kind == "assert" and site.arms[index] == "fail")
        and (site.file, site.function) not in only_loading,
        is_loading=(site.id, index) in loading,
        line=first,
        source=tuple(source),
    )


def _conditions(subject: Subject, tally: Tally) -> tuple[ConditionRow, ...]:
    rows = []
    for site in subject.sites:
        for index, text in enumerate(subject.conditions.get(site.id, ())):
            true, false = (tally.conditions.get((site.id, index, outcome), 0) for outcome in (True, False))
            rows.append(ConditionRow(site, index, text, true, false))
    return tuple(rows)


def _loops(subject: Subject, tally: Tally) -> tuple[CountRow, ...]:
    known = {site.id: site for site in subject.sites}
    files = {function.key.rsplit(":", 2)[0]: function.file for function in subject.functions}
    rows = []
    for key, counts in tally.trips.items():
        site = known.get(key)
        if site is not None:
            word, rest = kind_and_text(site)
            rows.append(CountRow(site.file, site.line, f"{word} {rest}".strip(), counts))
        elif ":" in key:
            beside, _, line = key.rpartition(":")
            file = files.get(beside, beside)
            number = int(line) if line.isdigit() and len(line) < 10 else 0
            rows.append(CountRow(file, number, _line(subject.sources, file, number), counts))
    return tuple(sorted(rows, key=lambda row: (row.file, row.line, row.text)))


def _line(sources: Sequence[Source], file: str, number: int) -> str:
    """Return the text of a line, without its colon."""
    for source in sources:
        lines = source.text.splitlines() if source.file == file else []
        if 0 < number <= len(lines):
            return lines[number - 1].strip().removesuffix(":")
    return "while True"


def _recursion(subject: Subject, tally: Tally) -> tuple[CountRow, ...]:
    """Return how deep each recursive function went, of the inputs on which it did."""
    known = {function.key: function for function in subject.functions}
    rows = []
    for key, counts in tally.depths.items():
        function = known.get(key)
        if function is not None:
            rows.append(CountRow(function.file, function.line, function.name, counts))
    return tuple(sorted(rows, key=lambda row: (row.file, row.line, row.text)))


def _paths(tally: Tally, whole: int) -> tuple[PathRow, ...]:
    ordered = sorted(tally.paths.items(), key=lambda item: (-item[1].count, item[0]))
    return tuple(PathRow(signature, path, path.count / whole if whole else 0.0) for signature, path in ordered)


def _distinct(tally: Tally) -> int:
    """Return the number of paths.

    If only the paths with the least signatures were kept, it is estimated from their spread.
    """
    count = len(tally.paths)
    if not tally.is_bounded or count < MOST_PATHS:
        return count
    largest = max(tally.paths)
    try:
        return round((count - 1) / (int(largest, 16) / 2**64)) if int(largest, 16) else count
    except ValueError:
        return count
