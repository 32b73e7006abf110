"""The distance between a run and an arm: the tests between them, and the margin of the first."""

from __future__ import annotations

from collections.abc import Iterable

from dyncli.coverage.search.probe import Arm, Seen
from dyncli.records.model import Site

FAR = float("inf")

Far = tuple[int, int, float]  # tests between here and an arm, comparisons of the first not come to, its margin
FARTHEST: Far = (1_000, 0, FAR)


class Distance:
    """Distances between runs and arms of some sites."""

    def __init__(self, sites: Iterable[Site]) -> None:
        self.sites = {site.id: site for site in sites}
        self.before: dict[str, list[Site]] = {}

    def of(self, seen: Seen, target: Arm) -> Far:
        """Return how many tests stand between a run and an arm, and how far the first is from flipping."""
        if target in seen.arms:
            return -1, 0, 0.0
        site = self.focus(seen, target)
        if site is None:
            return FARTHEST
        return self._depth(site, target), -seen.conditions.get(site.id, 0), seen.near.get(site.id, FAR)

    def focus(self, seen: Seen, target: Arm) -> Site | None:
        """Choose the test that must flip next: the target's own, an enclosing one, or an earlier one that left."""
        for site in self.around(target):
            if site.id in seen.sites:
                return site
            before = [each for each in self._before(site) if each.id in seen.sites]
            if before:
                return before[-1]
        return None

    def around(self, target: Arm) -> Iterable[Site]:
        """Yield the test of an arm and those that enclose it, outwards."""
        site = self.sites.get(target[0])
        while site is not None:
            yield site
            site = self.sites.get(site.parent) if site.parent is not None else None

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
        for site in self.around(target):
            if site.id == focus.id:
                break
            before = [each.id for each in self._before(site)]
            if focus.id in before:
                return count + len(before) - before.index(focus.id)
            count += 1 + len(before)
        return count
