"""When decisions were made, on the scale of op numbers: a record holds the order of each, not that of both."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from itertools import accumulate

from dyncli.record.model import Decision, Record


def decision_times(record: Record) -> list[float]:
    """Return when each decision was made: after its predicate and what stands above it, before what ran under it."""
    first = _first_under(record)
    above = _Above(record)
    step = 0.25 / (len(record.decisions) + 1)
    times: list[float] = []
    before = -0.5
    for decision in record.decisions:
        among = step * decision.seq
        before = max(before + step, above.last(decision) + 0.5 + among)
        producers = decision.producers
        if producers:
            before = max(before, max(producers) + 0.5 + among)
        elif decision.seq in first:
            before = max(before, first[decision.seq] - 0.5 + among)
        if decision.seq in first:
            before = min(before, first[decision.seq] - 0.25 + among)
        times.append(before)
    return times


def _first_under(record: Record) -> dict[int, float]:
    """Return for each decision the first op that ran under it, or a little before where a decision came first."""
    first: dict[int, float] = {}
    for op in record.ops:
        if op.under is not None and op.under not in first:
            first[op.under] = float(op.seq)
    for decision in reversed(record.decisions):
        if decision.under is not None and decision.seq in first:
            earlier = first[decision.seq] - 0.5 / (len(record.decisions) + 1)
            first[decision.under] = min(first.get(decision.under, earlier), earlier)
    return first


class _Above:
    """The ops above a decision in its own call and step, or in an arm or a loop there: they ran before it."""

    def __init__(self, record: Record) -> None:
        self.ops: dict[tuple[int, str, str], list[tuple[int, int]]] = defaultdict(list)
        latest = [-1] * len(record.scopes)
        for op in record.ops:
            self.ops[op.scope, op.site.file, op.site.function].append((op.site.line, op.seq))
            latest[op.scope] = op.seq
        for scope in reversed(record.scopes):
            if scope.parent is not None and latest[scope.id] >= 0:
                latest[scope.parent] = max(latest[scope.parent], latest[scope.id])
                if scope.site is not None:
                    place = scope.parent, scope.site.file, scope.site.function
                    self.ops[place].append((scope.site.line, latest[scope.id]))
        self.sorted: dict[tuple[int, str, str], tuple[list[int], list[int]]] = {}

    def last(self, decision: Decision) -> int:
        """Return the last such op, -1 where there is none."""
        site = decision.site
        place = decision.scope, site.file, site.function
        if place not in self.ops:
            return -1
        if place not in self.sorted:
            ops = sorted(self.ops[place])
            self.sorted[place] = [line for line, _ in ops], [*accumulate((seq for _, seq in ops), max)]
        lines, latest = self.sorted[place]
        at = bisect_left(lines, site.line)
        return latest[at - 1] if at else -1
