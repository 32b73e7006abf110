"""Report of `dyncli cover`: arms never reached first, then arms, conditions, loops, paths and inputs near a flip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from dyncli.analysis.coverage.report import ArmRow, CountRow, Report, SiteRow
from dyncli.analysis.coverage.tally import MOST_EXAMPLES, Example, Histogram, Norms, bucket_text
from dyncli.analysis.decisions import kind_and_text
from dyncli.analysis.values import counted, line_text, number, short_file, torch_text
from dyncli.records.model import Site
from dyncli.records.text import one_line, printable
from dyncli.render.reports.tables import WIDE, RuledTable, Section, title

OUTCOME_WORDS = {
    "ok": "ran to the end", "raised": "raised", "timeout": "stopped by --timeout", "limit": "stopped by --max-ops",
    "lost": "ended the process", "misfit": "did not fit the entry", "broken": "could not be read",
}  # fmt: skip
MOST_BUCKETS = 8
FEW_ROWS = 24  # of all tables together; a report of more has a few of each, and no loops that always went alike
MOST_OF_MANY, LEAST_OF_MANY = 5, 2
SCREEN = 60  # lines
LONGEST_INPUT, SHORT_INPUT = 400, 72  # letters of one that was found, with `--full` and without
Block = Text | RuledTable
Row = TypeVar("Row")


def _where(example: Example) -> str:
    """Describe an input: its place, and what was wrong with it or else its value."""
    more = example.note or example.shown
    return printable(example.place) + (f" ({one_line(more, 100)})" if more else "")


class CoverageOptions(NamedTuple):
    """full: every row of every table; otherwise `most` of each."""

    full: bool = False
    most: int = 20


SHORT = CoverageOptions()


class CoverageView(Section):
    """The tables of one report."""

    def __init__(self, report: Report, options: CoverageOptions = SHORT) -> None:
        self.report, self.options = report, options
        reached = [row for row in report.sites if any(arm.is_reached for arm in row.arms)]
        rows = sum(len(row.arms) for row in reached), len(report.missed), len(report.nearest), len(report.conditions)
        self.is_long = not options.full and sum(rows) + len(report.loops) + len(report.paths) > FEW_ROWS
        self.most = min(options.most, MOST_OF_MANY) if self.is_long else options.most

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        found = [*self.blocks(options.max_width)]
        while self.is_long and self.most > LEAST_OF_MANY and _height(found, console, options) > SCREEN:
            self.most -= 1
            found = [*self.blocks(options.max_width)]
        yield from found

    def blocks(self, width: int) -> Iterator[Block]:
        wide = width >= WIDE
        yield from self._head()
        for part in (
            self._missed, self._search_results, self._arms, self._conditions, self._loops, self._recursion, self._paths,
            self._nearest, self._trouble,
        ):  # fmt: skip
            yield from part(wide)

    # What it comes to

    def _head(self) -> Iterator[Text]:
        report = self.report
        subject = report.subject
        line = Text(printable(f"{subject.model}:{subject.entry}"), "bold")
        settings = subject.settings
        facts = [settings.dtype, f"seed {settings.seed}", counted(report.tally.inputs, "input")]
        facts.append(
            counted(report.distinct, "path") if not report.tally.is_bounded else f"some {report.distinct:,} paths"
        )
        facts += torch_text(subject.versions)
        yield line.append(" · " + " · ".join(map(printable, facts)), "dim")
        style = "bold green" if not report.missed else "bold yellow"
        if not report.total:
            yield Text("nothing to reach: the model decides nothing", "default")
        else:
            yield Text(percent_text(report), style).append(
                f" of the arms reached, {report.reached:,} of {report.total:,}", "default"
            )
        others = [(word, group) for word, group in report.outcomes if word != "ok"]
        for word, group in others:
            text = Text(f"{group.count:,} ", "bold red").append(OUTCOME_WORDS[word], "default")
            shown = group.examples if self.options.full else group.examples[:MOST_EXAMPLES]
            if len(shown) == 1:
                yield text.append(f": {_where(shown[0])}", "dim")
                continue
            yield text
            for example in shown:
                yield Text(f"  {_where(example)}", "dim")
            left = group.count - len(shown)
            if left:
                yield Text(f"  … and {left:,} more" + ("" if self.options.full else ", `--full` shows more"), "dim")

    # The parts

    def _missed(self, wide: bool) -> Iterator[Block]:
        missing = self.report.missing
        called = [row for row in self.report.sites if row.is_called or not missing or self.options.full]
        missed = [arm for row in called for arm in row.arms if arm.is_missed]
        if missed:
            yield Text()
            yield title("Never reached", counted(len(missed), "arm"))
            table = RuledTable()
            table.add_column("line", style="dim", justify="right", no_wrap=True)
            table.add_column("test", overflow="fold", ratio=4)
            table.add_column("arm", style="yellow", overflow="fold", max_width=30 if wide else 16)
            table.add_column("source", overflow="ellipsis", no_wrap=True, ratio=5)
            most = 2 * self.most if self.is_long else self.most
            for arm in self._some(missed, most):
                table.add_row(Text(self._line(arm.site)), _test(arm.site), Text(printable(arm.name)), _source(arm))
            yield table
            yield from self._cut(len(missed), most=most)
        if missing:
            yield Text()
            inside = len(self.report.missed) - len(missed)
            arms = f", with {counted(inside, 'arm')} never reached (--full shows them)" if inside else ""
            yield title("Never called", counted(len(missing), "function") + arms)
            words = [f"{one_line(each.name, 60)} (line {each.line})" for each in self._some(missing)]
            yield Text("  " + ", ".join(words))
            yield from self._cut(len(missing))

    def _search_results(self, wide: bool) -> Iterator[Block]:
        sought = self.report.sought
        if not sought:
            return
        found = sum(each.input is not None for each in sought)
        never = {(function.file, function.name) for function in self.report.missing if not self.options.full}
        shown = [
            each for each in sought
            if each.runs or each.input is not None or (each.site.file, each.site.function) not in never
        ]  # fmt: skip
        left = f"; {len(sought) - len(shown):,} in functions never called (--full shows them)"
        note = f"{counted(found, 'arm')} found of {len(sought):,}, each proved by a run of its own"
        yield Text()
        yield title("Searched for", note + left * (len(shown) < len(sought)))
        if not shown:
            return
        table = RuledTable()
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column("test", overflow="fold", ratio=3)
        table.add_column("arm", style="yellow", overflow="fold", max_width=30 if wide else 12)
        table.add_column("reached by", overflow="fold", ratio=5)
        table.add_column("how", style="dim", overflow="fold", ratio=4)
        most, longest = max(10, self.most), LONGEST_INPUT if self.options.full else SHORT_INPUT
        for each in self._some(shown, most):
            reaches = Text(one_line(each.input, longest)) if each.input is not None else Text("none", "bold red")
            cells = Text(self._line(each.site)), _test(each.site), Text(printable(each.name))
            table.add_row(*cells, reaches, Text(printable(each.how)))
        yield table
        yield from self._cut(len(shown), most=most)

    def _arms(self, wide: bool) -> Iterator[Block]:
        rows = [row for row in self.report.sites if any(arm.is_reached for arm in row.arms)]
        if not rows:
            return
        divided = [row for row in rows if row.raised or not self._is_one_way(row)] if self.is_long else rows
        alike = len(rows) - len(divided)
        yield Text()
        yield title(
            "Arms", f"without {counted(alike, 'test')} that went one way only (--full shows them)" * bool(alike)
        )
        if not divided:
            return
        rows = divided
        table = RuledTable()
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column("test", overflow="fold", ratio=3)
        table.add_column("arm", overflow="fold", max_width=30 if wide else 16)
        table.add_column("inputs", justify="right", no_wrap=True)
        table.add_column("share", justify="right", no_wrap=True)
        table.add_column("times", justify="right", no_wrap=True, style="dim")
        table.add_column("first", style="dim", overflow="ellipsis", no_wrap=True, ratio=2)
        shown = self._some(rows)
        for row in shown:
            for place, arm in enumerate(row.arms):
                cells = [Text(self._line(row.site)), _test(row.site)] if not place else [Text(), Text()]
                table.add_row(*cells, *self._arm(arm))
            if row.raised:
                table.add_row("", "", Text("raised", "red"), "", "", Text(f"{row.raised:,}"), "")
        yield table
        yield from self._cut(len(rows), "test")

    def _is_one_way(self, row: SiteRow) -> bool:
        """Return whether each input that came to a test took the same arm, all inputs that of a loop."""
        reached = [arm for arm in row.arms if arm.reach.inputs]
        return len(reached) == 1 and (len(row.arms) > 1 or reached[0].reach.inputs == self.report.tally.runs)

    def _arm(self, arm: ArmRow) -> list[Text]:
        style = "yellow" if arm.is_missed else "green" if arm.reach.inputs else "dim"
        share = arm.reach.inputs / self.report.tally.runs if self.report.tally.runs else 0.0
        first = Text(printable(arm.reach.examples[0].place)) if arm.reach.examples else Text()
        if not arm.reach.inputs and arm.is_loading:
            first = Text("while loading")
        percent = share_text(share) if arm.reach.inputs else ""
        counts = [Text(f"{arm.reach.inputs:,}"), Text(percent), Text(f"{arm.reach.times:,}")]
        return [Text(printable(arm.name), style), *counts, first]

    def _conditions(self, wide: bool) -> Iterator[Block]:
        rows = [row for row in self.report.conditions if row.true or row.false or self.options.full]
        if not rows:
            return
        covered = sum(row.is_covered for row in rows)
        yield Text()
        yield title("Conditions", f"{covered} of {counted(len(rows), 'comparison')} seen both true and false")
        if self.is_long and covered == len(rows):
            return
        table = RuledTable()
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column("test", overflow="fold", ratio=3)
        table.add_column("comparison", overflow="fold", ratio=2)
        table.add_column("true", justify="right", no_wrap=True)
        table.add_column("false", justify="right", no_wrap=True)
        before = None
        for row in self._some(rows):
            same = row.site.id == before
            before = row.site.id
            counts = [Text(f"{count:,}", "" if count else "yellow") for count in (row.true, row.false)]
            where = [Text(), Text()] if same else [Text(self._line(row.site)), _test(row.site)]
            table.add_row(*where, Text(one_line(row.text, 120)), *counts)
        yield table
        yield from self._cut(len(rows))

    def _loops(self, wide: bool) -> Iterator[Block]:
        yield from self._counts("Loops", "how often, by the number of steps", "loop", "steps", self.report.loops)

    def _recursion(self, wide: bool) -> Iterator[Block]:
        yield from self._counts(
            "Recursion", "inputs, by how often the function calls itself within itself", "function", "depth",
            self.report.recursion,
        )  # fmt: skip

    def _counts(self, name: str, note: str, what: str, word: str, rows: tuple[CountRow, ...]) -> Iterator[Block]:
        if not rows:
            return
        varied = [row for row in rows if len(row.counts.counts) > 1]
        alike = len(rows) - len(varied) if self.is_long else 0
        yield Text()
        yield title(name, note + (f"; {alike:,} always alike (--full shows them)" if alike else ""))
        if alike == len(rows):
            return
        rows = tuple(varied) if alike else rows
        table = RuledTable()
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column(what, overflow="fold", ratio=3)
        table.add_column("most", justify="right", no_wrap=True)
        table.add_column(f"{word}: how often", overflow="fold", ratio=5)
        for row in self._some(rows):
            most = bucket_text(max(row.counts.counts, default=0))
            table.add_row(
                Text(self._place(row.file, row.line)), Text(one_line(row.text, 100)), Text(most), _histogram(row.counts)
            )
        yield table
        yield from self._cut(len(rows))

    def _paths(self, wide: bool) -> Iterator[Block]:
        report = self.report
        if not report.paths:
            return
        note = counted(report.distinct, "distinct path")
        if report.tally.is_bounded:
            note = (
                f"some {report.distinct:,} distinct; {len(report.paths):,} of them are kept, "
                f"{report.outside:,} runs took others"
            )
        yield Text()
        yield title("Paths", note)
        table = RuledTable()
        most = min(10, self.most)
        table.add_column("inputs", justify="right", no_wrap=True)
        table.add_column("share", justify="right", no_wrap=True)
        table.add_column(
            "path (line, arm)", overflow="ellipsis" if self.is_long else "fold", no_wrap=self.is_long, ratio=5
        )
        table.add_column("gradient norm", overflow="fold", ratio=3)
        table.add_column("first", style="dim", overflow="ellipsis", no_wrap=True, ratio=2)
        for row in self._some(report.paths, most):
            path = row.path
            text = Text(one_line(path.text, 60 if self.is_long else 200))
            if path.raised:
                text.append(f" raised {path.raised:,}", "red")
            first = printable(path.examples[0].place) if path.examples else ""
            norm = _norm(path.inputs if path.inputs.runs or path.inputs.absent else path.parameters)
            table.add_row(Text(f"{path.count:,}"), Text(share_text(row.share)), text, norm, Text(first))
        yield table
        yield from self._cut(len(report.paths), most=most)

    def _nearest(self, wide: bool) -> Iterator[Block]:
        rows = self.report.nearest
        if not rows:
            return
        yield Text()
        yield title("Nearest to a flip")
        table = RuledTable()
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column("test", overflow="fold", ratio=3)
        table.add_column("margin", justify="right", no_wrap=True)
        table.add_column("took", style="green", overflow="fold", max_width=20)
        table.add_column(
            "input",
            style="dim",
            overflow="ellipsis",
            no_wrap=True,
            max_width=60 if wide else 24 if self.is_long else 36,
        )
        for row in self._some(rows):
            table.add_row(Text(self._line(row.site)), _test(row.site), *self._near(row))
        yield table
        yield from self._cut(len(rows), "test")

    def _near(self, row: SiteRow) -> list[Text]:
        near = row.nearest[0]
        place = Text(printable(near.example.place))
        if near.example.shown:
            place.append(f"  {printable(near.example.shown)}")
        return [Text(number(near.margin)), Text(printable(near.arm)), place]

    def _trouble(self, wide: bool) -> Iterator[Block]:
        rows = self.report.reasons
        if not rows:
            return
        yield Text()
        yield title("Raised, NaN or Inf")
        table = RuledTable()
        table.add_column("inputs", justify="right", no_wrap=True)
        table.add_column("what", style="red", overflow="fold", ratio=3)
        table.add_column("first", overflow="fold", ratio=4)
        for reason, group in self._some(rows):
            first = Text(printable(group.examples[0].place) if group.examples else "")
            if group.examples and group.examples[0].note:
                first.append(f"  {one_line(group.examples[0].note, 100)}", "dim")
            table.add_row(Text(f"{group.count:,}"), Text(one_line(reason, 120)), first)
        yield table
        yield from self._cut(len(rows))

    # Helpers

    def _some(self, rows: Sequence[Row], most: int | None = None) -> Sequence[Row]:
        return rows if self.options.full else rows[: most or self.most]

    def _cut(self, count: int, word: str = "", most: int | None = None) -> Iterator[Text]:
        left = count - (most or self.most)
        if left > 0 and not self.options.full:
            yield Text(f"… {counted(left, f'more {word}') if word else f'{left:,} more'} (--full shows them)", "dim")

    def _line(self, site: Site) -> str:
        return self._place(site.file, site.line)

    def _place(self, file: str, line: int) -> str:
        subject = self.report.subject
        return line_text(short_file(file, subject.model, subject.sources), line, subject.model)


def percent_text(report: Report) -> str:
    """Return the share of the arms that were reached, 100% only of all."""
    if not report.missed:
        return "100%"
    return "99.9%" if report.percent >= 99.95 else f"{report.percent:.1f}%"


def _height(blocks: Sequence[Block], console: Console, options: ConsoleOptions) -> int:
    """Return how many lines some blocks take."""
    return sum(len(console.render_lines(block, options)) for block in blocks)


def _test(site: Site) -> Text:
    word, rest = kind_and_text(site)
    return Text(f"{word} " if word else "", "bold").append(one_line(rest, 120), "not bold")


def _source(arm: ArmRow) -> Text:
    """Format the first line of an arm, or where it goes on if it has no lines of its own."""
    if arm.span is None:
        return Text(f"(goes on after line {arm.after})" if arm.after else "", "dim")
    lines = [line.strip() for line in arm.source if line.strip()]
    text = Text(one_line(lines[0], 100) if lines else "")
    return text.append(" …", "dim") if len(lines) > 1 else text


def share_text(share: float) -> str:
    """Return a share of all: never 0% of something, never 100% of less than all."""
    text = f"{100 * share:.1f}%"
    return "<0.1%" if text == "0.0%" and share else ">99.9%" if text == "100.0%" and share < 1 else text


def _histogram(histogram: Histogram) -> Text:
    ordered = sorted(histogram.counts.items())
    shown = ordered if len(ordered) <= MOST_BUCKETS else [*ordered[: MOST_BUCKETS - 1], ordered[-1]]
    words = [f"{bucket_text(first)}: {times:,}" for first, times in shown]
    if len(ordered) > MOST_BUCKETS:
        words.insert(MOST_BUCKETS - 1, "…")
    return Text(", ".join(words))


def _norm(norms: Norms) -> Text:
    text = Text()
    if norms.finite and norms.least is not None and norms.most is not None and norms.mean is not None:
        if norms.least == norms.most:
            text.append(number(norms.least))
        else:
            text.append(f"{number(norms.least)} … {number(norms.most)}, mean {number(norms.mean)}")
    for count, word, style in (
        (norms.zeros, "zero", "yellow"), (norms.broken, "NaN or Inf", "red"), (norms.absent, "none", "dim"),
    ):  # fmt: skip
        if count:
            text.append((", " if text.plain else "") + f"{count:,} {word}", style)
    return text
