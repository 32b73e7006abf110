"""The shape of each scope: a number that scopes share when the same ops and decisions ran in them in one order.

Of a loop inside only its place counts: its rounds are told apart in its own box, not in every box around it.
Calls in which nothing ran that is drawn, as of a key to sort by, do not count.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

from dyncli.analysis.graph.causes import Choice, choices
from dyncli.analysis.loading import scopes_of_loading
from dyncli.analysis.writes import Writes
from dyncli.records.model import Decision, Record

MOST_KINDS = 4
_DIGITS = re.compile(r"\d+")


class Shapes:
    """Shapes of all scopes of a record, and for each loop its iterations in order.

    iterations: (parent scope, site of the loop) -> iteration scopes.  kinds: site of the loop -> its different shapes.
    writes: into memory that other tensors look at.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.writes = Writes(record)
        count = max(len(record.scopes), 1)
        self.ops_of: list[list[int]] = [[] for _ in range(count)]
        self.decisions_of: list[list[Decision]] = [[] for _ in range(count)]
        self.children_of: list[list[int]] = [[] for _ in range(count)]
        for op in record.ops:
            self.ops_of[op.scope].append(op.seq)
        for decision in record.decisions:
            self.decisions_of[decision.scope].append(decision)
        self.iterations: dict[tuple[int, str], list[int]] = defaultdict(list)
        before = scopes_of_loading(record)
        for scope in record.scopes[1:]:
            if scope.id in before:
                continue
            assert scope.parent is not None
            self.children_of[scope.parent].append(scope.id)
            if scope.kind == "iteration":
                self.iterations[scope.parent, site_id(scope)].append(scope.id)
        self.shape = self._shapes(count)
        self.kinds: dict[str, set[int]] = defaultdict(set)
        for (_, loop), steps in self.iterations.items():
            self.kinds[loop].update(self.shape[step] for step in steps)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """Choices that the values of ops made by their index."""
        return tuple(choices(self.record))

    def uniform(self, loop: str) -> bool:
        """Return whether the iterations of `loop` are drawn as one body: all alike, or too different to tell apart."""
        return len(self.kinds[loop]) == 1 or len(self.kinds[loop]) > MOST_KINDS

    def _shapes(self, count: int) -> list[int]:
        """Return a shape number for each scope, children before parents (a parent's number is the smaller)."""
        known: dict[object, int] = {}
        shapes = [0] * count
        empty = [False] * count
        ops = self.record.ops
        for scope in range(count - 1, -1, -1):
            ran = tuple((ops[seq].name, ops[seq].site.id) for seq in self.ops_of[scope])
            decided = tuple((d.site.id, d.arm) for d in self.decisions_of[scope] if d.site.kind != "while")
            loops: dict[str, None] = {}
            inner: list[tuple[str, str, int]] = []
            for child in self.children_of[scope]:
                item = self.record.scopes[child]
                if item.kind == "iteration":
                    loops[site_id(item)] = None
                elif item.kind != "call" or not empty[child]:
                    inner.append((item.kind, _DIGITS.sub("#", item.name), shapes[child]))
            whole = (ran, decided, tuple(inner), tuple(loops))
            empty[scope] = not any((*whole, self.decisions_of[scope]))
            shapes[scope] = known.setdefault(whole, len(known))
        return shapes


def site_id(scope: object) -> str:
    """Return the id of the site a scope stands at, or an empty string."""
    site = getattr(scope, "site", None)
    return "" if site is None else str(site.id)
