"""The search itself: arm after arm, from the nearest inputs, by gradient, number by number, and by chance."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dyncli.analysis.coverage import Report
from dyncli.analysis.coverage.report import ArmRow
from dyncli.analysis.coverage.tally import SearchResult
from dyncli.coverage.search.distance import FAR, FARTHEST, Distance, Far
from dyncli.coverage.search.gradient_steps import steps
from dyncli.coverage.search.json_leaves import Path, at, is_number, leaves, moved, replaced
from dyncli.coverage.search.mutation import Chance, words_of
from dyncli.coverage.search.named_functions import calls, unnamed
from dyncli.coverage.search.probe import Arm, Probe, Seen
from dyncli.coverage.search.shrinking import simplified
from dyncli.coverage.search.structure import changes
from dyncli.records.model import Record, Site

MOST_STEPS = 12  # along the gradient, from one input
MOST_STARTS = 3  # inputs whose gradient is followed
GRADIENT_COSTS = 10  # runs
MOST_NUMBERS = 40  # that are moved one by one
MOST_WITNESSES = 5  # inputs that are kept for an arm, in case some do not reach it again
MOST_TIMEOUTS = 5  # for one arm
UNMOVED_SHARE = 5  # of the budget, by chance, for all arms whose tests compared the same in every run
FIXED = {"python", "shape"}  # origins of tests without a gradient that are settled by form, if by the input at all
CLEAR = 1e-3  # a margin that no rounding takes away


class Enough(Exception):
    """The arm was reached, or what there is to spend was spent."""


@dataclass(slots=True)
class Known:
    """An input that was run.  how: where it came from.  root: the input of the data that it was made of."""

    value: Any
    seen: Seen
    how: str
    root: Any
    record: Record | None = None
    is_recorded: bool = False


class Search:
    """Looks for inputs that reach the arms a report names as missed.

    starts: (place, input).  budget: runs for each arm.  The same seed finds the same.
    """

    def __init__(
        self, probe: Probe, report: Report, starts: Sequence[tuple[str, Any]], *, budget: int = 500, seed: int = 0
    ) -> None:
        self.probe, self.budget, self.seed = probe, budget, seed
        self.distance = Distance(report.subject.sites)
        self.words = words_of(probe.sources)
        self.missed = sorted(report.missed, key=lambda arm: (arm.site.file, arm.site.line, arm.site.col, arm.index))
        self.wanted = {(arm.site.id, arm.index) for arm in self.missed}
        self.reached: dict[Arm, list[Known]] = {}
        self.proved: dict[Arm, Known] = {}
        self.defaults = _defaults(probe)
        self.given = [
            (f"from {place}", {**value, **{k: v for k, v in self.defaults.items() if k not in value}})
            for place, value in starts
        ]
        self.pool: list[Known] = []
        self.uncalled = {(each.file, each.name): each.key for each in report.missing}
        self.unnamed = unnamed(report)
        self.runs = self.timeouts = 0
        self.spent: Counter[Arm] = Counter()  # runs
        self.left_at: dict[Arm, Far] = {}  # how far the nearest input was when the search for an arm was given up
        self.runs_uncalled = 0  # spent on functions that no input calls: on all of them as much as on one arm
        self.origins: dict[tuple[str, int], set[str]] = defaultdict(set)  # by test and number of comparisons it made
        self.by_chance: Counter[str] = Counter()  # how many runs of inputs changed by chance came to each test
        self.unmoved: set[str] = set()  # tests at which a search was given up, as nothing moved them

    def run(self) -> Iterator[SearchResult]:
        """Return what came of each missed arm, one after the other; those behind others once these are reached."""
        try:
            yield from self._results()
        finally:
            self.probe.close()

    def _results(self) -> Iterator[SearchResult]:
        self.runs = -len(self.given)
        for how, value in self.given:
            self._look(value, how, value, keep=True)
        waiting = sorted(self.missed, key=self._is_uncalled)
        left: dict[Arm, SearchResult] = {}
        count = 0
        while len(waiting) != count or any(map(self._is_reached_since, waiting)):
            count = len(waiting)
            for arm in filter(self._is_nearer, tuple(waiting)):
                result = self._result_of(arm)
                if result.input is None:
                    left[arm.site.id, arm.index] = result
                else:
                    waiting.remove(arm)
                    yield result
        self.probe.close()
        yield from (left[arm.site.id, arm.index] for arm in waiting)

    # -- one arm

    def _is_nearer(self, arm: ArmRow) -> bool:
        """Return whether an input is nearer to an arm than when it was given up; True if it was not sought yet."""
        target = arm.site.id, arm.index
        return target not in self.left_at or self._least(target) < self.left_at[target]

    def _is_reached_since(self, arm: ArmRow) -> bool:
        """Return whether the search for another arm reached this one after it was given up."""
        target = arm.site.id, arm.index
        return bool(self.reached.get(target)) and self.left_at[target][0] >= 0

    def _least(self, target: Arm) -> Far:
        """Return how far the nearest input is from an arm."""
        return min((self.distance.of(known.seen, target) for known in self.pool), default=FARTHEST)

    def _result_of(self, arm: ArmRow) -> SearchResult:
        target = arm.site.id, arm.index
        self.runs = self.timeouts = 0
        is_uncalled = self._is_uncalled(arm)
        if not self._proved(target) and not self._is_hopeless(arm, target):
            with suppress(Enough):
                self._seek(arm, target)
        self.spent[target] += self.runs
        self.runs_uncalled += self.runs if is_uncalled else 0
        found = self._proved(target)
        if found is not None:
            value = self._simpler(found, target)
            self.probe.close()
            return SearchResult(arm.site, arm.index, arm.name, json.dumps(value), found.how, self.spent[target])
        self.left_at[target] = self._least(target)
        return SearchResult(arm.site, arm.index, arm.name, None, self._why_not(arm, target), self.spent[target])

    def _is_hopeless(self, arm: ArmRow, target: Arm) -> bool:
        """Return whether more runs can be saved: others did what they would do, or nothing leads to the arm."""
        if self._is_uncalled(arm):
            return self._is_unnamed(arm) or self.runs_uncalled >= self.budget
        focus = self._next_test(target)
        return self._is_unmoved(focus) or self._given_up(target) is not None

    def _is_unmoved(self, test: Site | None) -> bool:
        """Return whether a search was given up at a test that no run has moved since."""
        return test is not None and test.id in self.unmoved and test.id not in self.probe.operands.varied

    def _is_uncalled(self, arm: ArmRow) -> bool:
        """Return whether an arm is in a function that no input called so far."""
        key = self.uncalled.get((arm.site.file, arm.site.function))
        return key is not None and key not in self.probe.called

    def _is_unnamed(self, arm: ArmRow) -> bool:
        return (arm.site.file, arm.site.function) in self.unnamed

    def _given_up(self, target: Arm) -> Site | None:
        """Return the test of an arm around this one that was given up; None if none was."""
        sites = self.distance.sites
        left = {(name, sites[name].arms[index]) for name, index in self.left_at.keys() - self.proved.keys()}
        return next(
            (sites[site.parent] for site in self.distance.around(target)
             if site.parent is not None and (site.parent, site.parent_arm) in left), None,
        )  # fmt: skip

    def _next_test(self, target: Arm) -> Site | None:
        """Return the test that must flip next in the input nearest to an arm."""
        nearest = self._nearest(target)
        return self.distance.focus(nearest[0].seen, target) if nearest else None

    def _why_not(self, arm: ArmRow, target: Arm) -> str:
        runs = self.spent[target]
        focus = self._next_test(target)
        if not self.pool:
            return "no input of the data could be run"
        if self.timeouts >= MOST_TIMEOUTS:
            return f"given up after {self.timeouts} runs that did not end"
        if self._is_uncalled(arm):
            name = f"`{arm.site.function}`"
            return (
                f"not sought: no code that ran names {name}"
                if self._is_unnamed(arm)
                else f"{name} was never called, in {max(runs, self.runs_uncalled):,} runs"
            )
        outer = self._given_up(target)
        if outer is not None and not runs:
            return f"not sought: inside an arm that was not found, line {outer.line}"
        if focus is not None and self._is_unmoved(focus):
            where = "its test" if focus.id == target[0] else f"the test before it, line {focus.line}"
            return f"no run moved {where}, in {self.probe.operands.runs[focus.id]:,}"
        if any(arm.site.id in known.seen.sites for known in self.pool):
            return f"not found in {runs:,} runs"
        return f"no run came to its test, in {runs:,}"

    def _proved(self, target: Arm) -> Known | None:
        """Return the first input that reaches the arm again in a run on its own; None if none does."""
        waiting = self.reached.get(target, [])
        while waiting and target not in self.proved:
            if self.probe.proves(waiting[0].value, target):
                self.proved[target] = waiting[0]
            waiting.pop(0)
        return self.proved.get(target)

    def _simpler(self, found: Known, target: Arm) -> Any:
        """Shrink an input towards the one it was made from, as long as it still reaches the arm."""
        edge = min(CLEAR, found.seen.near.get(target[0], FAR) / 10)

        def reaches(other: Any) -> bool:
            seen = self.probe.run(other)
            return target in seen.arms and seen.near.get(target[0], FAR) >= edge

        value = simplified(found.root, found.value, reaches)
        if not self.probe.proves(value, target):
            value = found.value
        return {name: inner for name, inner in value.items() if inner != self.defaults.get(name, value)}

    def _seek(self, arm: ArmRow, target: Arm) -> None:
        """Search for an input that reaches the arm.  Raises Enough once it is reached or the budget is spent."""
        chance = Chance(f"{self.seed} {arm.site.id} {arm.index}", self.words)
        for known in self._nearest(target)[:MOST_STARTS]:
            self._climb(known, target)
        for known in self._nearest(target)[:1]:
            self._restructure(known, target)
        test = self._unmoved_test(target)
        if test is not None:
            self._by_chance(chance, target, self.budget // UNMOVED_SHARE - self.by_chance[test.id])
            test = self._unmoved_test(target)
        if test is not None:
            self.unmoved.add(test.id)
            raise Enough
        for known in self._nearest(target)[:MOST_STARTS]:
            self._one_by_one(known, target)
        if self.pool:
            self._by_chance(chance, target, self.budget)

    def _unmoved_test(self, target: Arm) -> Site | None:
        """Return the test that must flip next if it has no gradient and compared the same values in every run.

        A test that calls a function hides what that compares.
        """
        focus = self._next_test(target)
        if focus is None or focus.id in self.probe.operands.varied or calls(focus.text):
            return None
        return focus if self._is_fixed(self._nearest(target)[0].seen, focus) else None

    def _is_fixed(self, seen: Seen, focus: Site) -> bool:
        """Return whether a test is known to have no gradient in a run."""
        origins = self.origins[focus.id, seen.conditions.get(focus.id, 1)]
        return bool(origins) and origins <= FIXED

    def _by_chance(self, chance: Chance, target: Arm, runs: int) -> None:
        for _ in range(runs):
            near = self._nearest(target)
            from_ = near[min(int(chance.random.expovariate(0.5)), len(near) - 1)]
            value = chance.changed(from_.value, [known.value for known in near[:20]])
            tried = self._try(value, f"by chance {_origin(from_)}", from_, target)
            self.by_chance.update(tried.seen.sites if tried is not None else ())
            if tried is not None and self.distance.of(tried.seen, target) < self.distance.of(from_.seen, target):
                self.pool.append(tried)
                self._climb(tried, target)

    def _restructure(self, known: Known, target: Arm) -> None:
        """Change the form of an input, in the same way again while the arm comes nearer."""
        for change in changes(known.value):
            here = known
            while (value := change(here.value)) is not None:
                tried = self._try(value, f"by form {_origin(known)}", here, target)
                if tried is None or self.distance.of(tried.seen, target) >= self.distance.of(here.seen, target):
                    break
                here = tried
            if here is not known:
                self.pool.append(here)
                self._climb(here, target)

    def _nearest(self, target: Arm) -> list[Known]:
        order = sorted(range(len(self.pool)), key=lambda n: (self.distance.of(self.pool[n].seen, target), n))
        return [self.pool[n] for n in order]

    def _climb(self, known: Known, target: Arm) -> None:
        """Follow the gradient of the margin that keeps the arm from being taken."""
        for _ in range(MOST_STEPS):
            focus = self.distance.focus(known.seen, target)
            if focus is None or self._is_fixed(known.seen, focus):
                return
            record = self._record(known)
            if record is None or not record.sensitivities:
                return
            here = self.distance.of(known.seen, target)
            best = None
            for value in steps(record, focus.id, known.value):
                tried = self._try(value, f"by gradient {_origin(known)}", known, target)
                if tried is not None and self.distance.of(tried.seen, target) < here:
                    best, here = tried, self.distance.of(tried.seen, target)
            if best is None:
                return
            known = best
            self.pool.append(known)

    def _record(self, known: Known) -> Record | None:
        """Return the record of an input with the gradients of its margins, made once; None if there is none."""
        if not known.is_recorded and self.runs + GRADIENT_COSTS <= self.budget:
            self._spend(GRADIENT_COSTS)
            known.record, known.is_recorded = self.probe.record(known.value, slopes=True), True
            for decision in known.record.decisions if known.record is not None else ():
                self.origins[decision.site.id, len(decision.conditions) or 1].add(decision.origin)
        return known.record

    def _one_by_one(self, known: Known, target: Arm) -> None:
        """Move one number at a time, in growing steps while the arm comes nearer, and again from small ones."""
        places = [path for path, leaf in leaves(known.value) if is_number(leaf)][:MOST_NUMBERS]
        for path in places:
            before = None
            while known is not before:
                before = known
                for sign in (1.0, -1.0):
                    known = self._moved(known, path, sign, target)
        if known not in self.pool:
            self.pool.append(known)

    def _moved(self, known: Known, path: Path, sign: float, target: Arm) -> Known:
        """Move one number in one direction, in growing steps while the arm comes nearer."""
        leaf = at(known.value, path)
        by = sign * (1.0 if type(leaf) is int else max(abs(leaf) * 0.01, 0.01))
        while True:
            value = replaced(known.value, path, moved(at(known.value, path), by))
            tried = self._try(value, f"number by number {_origin(known)}", known, target)
            if tried is None or self.distance.of(tried.seen, target) >= self.distance.of(known.seen, target):
                return known
            known, by = tried, by * 2

    # -- single runs

    def _try(self, value: Any, how: str, near: Known, target: Arm) -> Known | None:
        """Run an input.  Raises Enough if it reaches the target or the budget is spent."""
        self._spend(1)
        known = self._look(value, how, near.root)
        if target in known.seen.arms and self._proved(target) is not None:
            raise Enough
        return known if known.seen.sites else None

    def _spend(self, runs: int) -> None:
        if self.runs + runs > self.budget or self.timeouts >= MOST_TIMEOUTS:
            raise Enough
        self.runs += runs

    def _look(self, value: Any, how: str, root: Any, keep: bool = False) -> Known:
        """Run an input and store the missed arms that it reaches."""
        known = Known(value, self.probe.run(value), how, root)
        self.timeouts += known.seen.outcome == "timeout"
        found = known.seen.arms & self.wanted
        is_new = keep
        for arm in found:
            reached = self.reached.setdefault(arm, [])
            is_new = is_new or not reached
            if len(reached) < MOST_WITNESSES:
                reached.append(known)
        if is_new and known.seen.outcome not in ("broken", "misfit"):
            self.pool.append(known)
        return known


def _origin(known: Known) -> str:
    """Name the data that an input was derived from: `from data.jsonl:3`."""
    return known.how[known.how.find("from ") :]


def _defaults(probe: Probe) -> dict[str, Any]:
    """Return the plain defaults of parameters that the user left out; the search varies them too."""
    given = {text.partition("=")[0].strip() for text in probe.settings.given}
    plain = (bool, int, float, str)
    return {
        each.name: each.default
        for each in probe.parameters
        if isinstance(each.default, plain) and each.name not in given and not each.is_variadic
    }
