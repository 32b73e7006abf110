"""The search itself: arm after arm, from the nearest inputs, by gradient, number by number, and by chance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dyncli.analysis.coverage import Report
from dyncli.analysis.coverage.report import ArmRow
from dyncli.analysis.coverage.tally import SearchResult
from dyncli.coverage.search.gradient_steps import steps
from dyncli.coverage.search.json_leaves import at, is_number, leaves, moved, replaced
from dyncli.coverage.search.mutation import Chance
from dyncli.coverage.search.probe import Arm, Probe, Seen
from dyncli.coverage.search.shrinking import simplified
from dyncli.records.model import Site

MOST_STEPS = 12  # along the gradient, from one input
MOST_STARTS = 3  # inputs whose gradient is followed
GRADIENT_COSTS = 4  # runs
MOST_NUMBERS = 40  # that are moved one by one
MOST_WITNESSES = 5  # inputs that are kept for an arm, in case some do not reach it again
MOST_TIMEOUTS = 5  # for one arm
FAR = float("inf")
CLEAR = 1e-3  # a margin that no rounding takes away

Far = tuple[int, int, float]  # tests between here and an arm, comparisons of the first not come to, its margin


class Enough(Exception):
    """The arm was reached, or what there is to spend was spent."""


@dataclass(slots=True)
class Known:
    """An input that was run.  how: where it came from.  root: the input of the data that it was made of."""

    value: Any
    seen: Seen
    how: str
    root: Any


class Search:
    """Looks for inputs that reach the arms a report names as missed.

    starts: (place, input).  budget: runs for each arm.  The same seed finds the same.
    """

    def __init__(
        self, probe: Probe, report: Report, starts: Sequence[tuple[str, Any]], *, budget: int = 500, seed: int = 0
    ) -> None:
        self.probe, self.budget, self.seed = probe, budget, seed
        self.sites = {site.id: site for site in report.subject.sites}
        self.missed = sorted(report.missed, key=lambda arm: (arm.site.file, arm.site.line, arm.site.col, arm.index))
        self.wanted = {(arm.site.id, arm.index) for arm in self.missed}
        self.reached: dict[Arm, list[Known]] = {}
        self.defaults = _defaults(probe)
        self.given = [
            (f"from {place}", {**value, **{k: v for k, v in self.defaults.items() if k not in value}})
            for place, value in starts
        ]
        self.pool: list[Known] = []
        self.before: dict[str, list[Site]] = {}
        self.uncalled = {each.name for each in report.missing}
        self.runs = self.timeouts = 0
        self.left_at: dict[Arm, Far] = {}  # how far the nearest input was when the search for an arm was given up
        self.runs_uncalled = 0  # spent on functions that no input calls: on all of them as much as on one arm

    def run(self) -> Iterator[SearchResult]:
        """Return what came of each missed arm, one after the other; those behind others once these are reached."""
        self.runs = -len(self.given)
        for how, value in self.given:
            self._look(value, how, value, keep=True)
        waiting = sorted(self.missed, key=self._is_uncalled)
        left: dict[Arm, SearchResult] = {}
        count = 0
        while len(waiting) != count:
            count = len(waiting)
            for arm in filter(self._is_nearer, tuple(waiting)):
                result = self._result_of(arm)
                if result.input is None:
                    left[arm.site.id, arm.index] = result
                else:
                    waiting.remove(arm)
                    yield result
        yield from (left[arm.site.id, arm.index] for arm in waiting)

    # -- one arm

    def _is_nearer(self, arm: ArmRow) -> bool:
        """Return whether an input is nearer to an arm than when it was given up; True if it was not sought yet."""
        target = arm.site.id, arm.index
        return target not in self.left_at or self._least(target) < self.left_at[target]

    def _least(self, target: Arm) -> Far:
        """Return how far the nearest input is from an arm."""
        return min((self._far(known.seen, target) for known in self.pool), default=(1_000, 0, FAR))

    def _result_of(self, arm: ArmRow) -> SearchResult:
        target = arm.site.id, arm.index
        self.runs = self.timeouts = 0
        is_uncalled = self._is_uncalled(arm)
        if not self._proved(target) and not (is_uncalled and self.runs_uncalled >= self.budget):
            with suppress(Enough):
                self._seek(arm, target)
        self.runs_uncalled += self.runs if is_uncalled else 0
        found = self._proved(target)
        if found is not None:
            value = self._simpler(found, target)
            return SearchResult(arm.site, arm.index, arm.name, json.dumps(value), found.how, self.runs)
        self.left_at[target] = self._least(target)
        return SearchResult(arm.site, arm.index, arm.name, None, self._why_not(arm), self.runs)

    def _is_uncalled(self, arm: ArmRow) -> bool:
        """Return whether an arm is in a function that no input called so far."""
        is_reached = any(arm.site.id in known.seen.sites for known in self.pool)
        return arm.site.function in self.uncalled and not is_reached

    def _why_not(self, arm: ArmRow) -> str:
        if not self.pool:
            return "no input of the data could be run"
        if self.timeouts >= MOST_TIMEOUTS:
            return f"given up after {self.timeouts} runs that did not end"
        if self._is_uncalled(arm):
            return f"`{arm.site.function}` was never called, in {max(self.runs, self.runs_uncalled):,} runs"
        if any(arm.site.id in known.seen.sites for known in self.pool):
            return f"not found in {self.runs:,} runs"
        return f"no run came to its test, in {self.runs:,}"

    def _proved(self, target: Arm) -> Known | None:
        """Return the first input that reaches the arm again in a run on its own; None if none does."""
        waiting = self.reached.get(target, [])
        while waiting:
            if self.probe.proves(waiting[0].value, target):
                return waiting[0]
            waiting.pop(0)
        return None

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
        chance = Chance(f"{self.seed} {arm.site.id} {arm.index}", self.probe.sources)
        for known in self._nearest(target)[:MOST_STARTS]:
            self._climb(known, target)
        for known in self._nearest(target)[:MOST_STARTS]:
            self._one_by_one(known, target)
        count = 0
        while self.pool:
            count += 1
            near = self._nearest(target)
            from_ = near[min(int(chance.random.expovariate(0.5)), len(near) - 1)]
            value = chance.changed(from_.value, [known.value for known in near[:20]])
            tried = self._try(value, f"by chance {_origin(from_)}", from_, target)
            if tried is not None and self._far(tried.seen, target) < self._far(from_.seen, target):
                self.pool.append(tried)
                self._climb(tried, target)
        raise Enough

    def _nearest(self, target: Arm) -> list[Known]:
        order = sorted(range(len(self.pool)), key=lambda n: (self._far(self.pool[n].seen, target), n))
        return [self.pool[n] for n in order]

    def _climb(self, known: Known, target: Arm) -> None:
        """Follow the gradient of the margin that keeps the arm from being taken."""
        for _ in range(MOST_STEPS):
            focus = self._focus(known.seen, target)
            if focus is None or focus.id not in known.seen.sites:
                return
            self._spend(GRADIENT_COSTS)
            record = self.probe.record(known.value, slopes=True)
            if record is None or not record.sensitivities:
                return
            here = self._far(known.seen, target)
            best = None
            for value in steps(record, focus.id, known.value):
                tried = self._try(value, f"by gradient {_origin(known)}", known, target)
                if tried is not None and self._far(tried.seen, target) < here:
                    best, here = tried, self._far(tried.seen, target)
            if best is None:
                return
            known = best
            self.pool.append(known)

    def _one_by_one(self, known: Known, target: Arm) -> None:
        """Move one number at a time, in growing steps while the arm comes nearer."""
        places = [path for path, leaf in leaves(known.value) if is_number(leaf)][:MOST_NUMBERS]
        for path in places:
            for sign in (1.0, -1.0):
                leaf = at(known.value, path)
                by = sign * (1.0 if type(leaf) is int else max(abs(leaf) * 0.01, 0.01))
                while True:
                    value = replaced(known.value, path, moved(at(known.value, path), by))
                    tried = self._try(value, f"number by number {_origin(known)}", known, target)
                    if tried is None or self._far(tried.seen, target) >= self._far(known.seen, target):
                        break
                    known, by = tried, by * 2
        if known not in self.pool:
            self.pool.append(known)

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

    # -- how far it is

    def _far(self, seen: Seen, target: Arm) -> Far:
        """Return how many tests stand between a run and an arm, and how far the first is from flipping."""
        if target in seen.arms:
            return -1, 0, 0.0
        site = self._focus(seen, target)
        if site is None:
            return 1_000, 0, FAR
        return self._depth(site, target), -seen.conditions.get(site.id, 0), seen.near.get(site.id, FAR)

    def _focus(self, seen: Seen, target: Arm) -> Site | None:
        """Choose the test that must flip next: the target's own, an enclosing one, or an earlier one that left."""
        site = self.sites.get(target[0])
        while site is not None:
            if site.id in seen.sites:
                return site
            before = [each for each in self._before(site) if each.id in seen.sites]
            if before:
                return before[-1]
            site = self.sites.get(site.parent) if site.parent is not None else None
        return None

    def _before(self, site: Site) -> list[Site]:
        """List the tests before a site in the same function and arm, in source order."""
        known = self.before.get(site.id)
        if known is None:
            key = site.file, site.function, site.parent, site.parent_arm
            known = self.before[site.id] = sorted(
                (each for each in self.sites.values()
                 if (each.file, each.function, each.parent, each.parent_arm) == key and each.line < site.line),
                key=lambda each: (each.line, each.col),
            )  # fmt: skip
        return known

    def _depth(self, focus: Site, target: Arm) -> int:
        """Return how many tests around or before the target's own the focus is."""
        count = 0
        site = self.sites.get(target[0])
        while site is not None and site.id != focus.id:
            before = [each.id for each in self._before(site)]
            if focus.id in before:
                return count + len(before) - before.index(focus.id)
            count += 1 + len(before)
            site = self.sites.get(site.parent) if site.parent is not None else None
        return count


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
