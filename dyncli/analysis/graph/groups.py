"""Groups of scopes, ops and decisions that every folding of a drawing treats alike.

A drawing tries several foldings before one fits.  Each is decided for groups, of which a long run has few; only the
folding that is drawn is written out for every op.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property

from dyncli.analysis.graph.causes import decision_times
from dyncli.analysis.graph.crowd import Crowd
from dyncli.analysis.graph.model import GraphOptions
from dyncli.analysis.graph.shapes import Shapes, site_id
from dyncli.records.model import Decision, Op, Record, Scope, Site

_DIGITS = re.compile(r"\d+")
#: What can be unfolded and folded, as the options call all of them.
PLURALS = {"call": "calls", "module": "modules", "loop": "loops"}


@dataclass(slots=True, eq=False)
class ScopeGroup:
    """Scopes whose way down from the root is the same but for the iterations.

    parent: the number of the group around it.  first: the earliest of the scopes.
    occurrence, occurrence_of_stem: 0 for the first call of its name at its site in one scope, 1 for the second; the
    latter counts names that differ by numbers alone as one.
    """

    parent: int
    first: Scope
    occurrence: int
    occurrence_of_stem: int
    scopes: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class OpGroup:
    """Ops of one name at one site in one group of scopes; occurrence: 0 for the first such op of its scope."""

    scope: int
    first: Op
    occurrence: int
    ops: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class DecisionGroup:
    """Decisions at one site in one group of scopes.

    occurrence: 0 for the first of its scope, and for all of a `while`.  time: when the first was made, among the ops.
    """

    scope: int
    first: Decision
    occurrence: int
    time: float
    decisions: list[int] = field(default_factory=list)


class Asked:
    """Parts of a run that the words of `only` name.

    ops, decisions: what fits a line or name, and the ops that read a leaf of that name.
    way: the kinds and names of the calls, modules and loops that fit or hold what does: they are drawn open.
    """

    def __init__(self, record: Record, words: tuple[str, ...]) -> None:
        self._words = words
        self._known: dict[object, bool] = {}
        self.ops: set[int] = set()
        self.decisions: set[int] = set()
        self.way: set[tuple[str, str]] = set()
        if not words:
            return
        leaves = {tensor.id for tensor in record.tensors if tensor.op is None and self._fits(tensor.name or "", None)}
        for op in record.ops:
            if self._fits(op.name, op.site) or not leaves.isdisjoint(op.inputs):
                self.ops.add(op.seq)
        self.decisions = {decision.seq for decision in record.decisions if self._fits("", decision.site)}
        scopes = record.scopes
        reached = {record.ops[seq].scope for seq in self.ops} | {record.decisions[seq].scope for seq in self.decisions}
        for scope in scopes:
            kind = "loop" if scope.kind == "iteration" else scope.kind
            if kind in PLURALS and any(fits_scope(kind, scope.name, word) for word in words):
                reached.add(scope.id)
        passed: set[int] = set()
        for number in reached:
            at: int | None = number
            while at is not None and at not in passed:
                passed.add(at)
                self.way.add(("loop" if scopes[at].kind == "iteration" else scopes[at].kind, scopes[at].name))
                at = scopes[at].parent

    def _fits(self, name: str, site: Site | None) -> bool:
        """Return whether a word is the name of an op or leaf, or one of the lines of its site."""
        place = (name, None if site is None else (site.line, site.end_line))
        if place not in self._known:
            self._known[place] = any(
                fits_lines(site, word) if word.isdecimal() else bool(name) and fits_name(name, word)
                for word in self._words
            )
        return self._known[place]


class Groups:
    """The groups of a record for one drawing, each kind in the order in which its first member ran.

    of_scope, of_op, of_decision: the number of the group of each.
    """

    def __init__(self, record: Record, shapes: Shapes, options: GraphOptions) -> None:
        self.record, self.shapes, self.options = record, shapes, options
        self.scopes: list[ScopeGroup] = []
        self.ops: list[OpGroup] = []
        self.decisions: list[DecisionGroup] = []
        self.of_scope = self._scopes()
        self.crowd = Crowd(record, shapes, [group.scopes for group in self.scopes])
        self.of_op = self._ops()
        self.of_decision = self._decisions()
        self.asked = Asked(record, options.only)

    @cached_property
    def loops_of_tensors(self) -> set[str]:
        """The sites of loops of which a tensor decided how often they go round."""
        return {decision.site.id for decision in self.record.decisions if decision.predicate_op is not None}

    @cached_property
    def leaf_reads(self) -> list[tuple[int, int]]:
        """The ops that read the value a leaf has of its own, with the leaf, in order."""
        makers = self.shapes.writes.makers
        return [(op.seq, number) for op in self.record.ops for number in op.inputs if None in makers(op.seq, number)]

    def _scopes(self) -> list[int]:
        root = self.record.scopes[0] if self.record.scopes else Scope(0, None, "root", self.record.entry)
        self.scopes.append(ScopeGroup(-1, root, 0, 0, [0]))
        numbers: dict[tuple[object, ...], int] = {}
        occurrences: dict[tuple[object, ...], int] = defaultdict(int)
        of = [0] * max(len(self.record.scopes), 1)
        for scope in self.record.scopes[1:]:
            assert scope.parent is not None
            above, site = of[scope.parent], site_id(scope)
            occurrence = of_stem = 0
            detail: object = None
            if scope.kind in ("call", "module"):
                place = (scope.parent, scope.kind, scope.name, site)
                occurrence = of_stem = occurrences[place]
                occurrences[place] += 1
                stem = _DIGITS.sub("#", scope.name)
                if stem != scope.name:
                    place = (scope.parent, scope.kind, stem, site)
                    of_stem = occurrences[place]
                    occurrences[place] += 1
            elif scope.kind == "iteration":
                detail = self._iteration(scope, site)
            key = (above, scope.kind, scope.name, site, occurrence, of_stem, detail)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(self.scopes)
                self.scopes.append(ScopeGroup(above, scope, occurrence, of_stem))
            self.scopes[number].scopes.append(scope.id)
            of[scope.id] = number
        return of

    def _iteration(self, scope: Scope, site: str) -> object:
        """Return what a drawing may tell an iteration by: its number if its loop is expanded, or its shape."""
        if expands_loop(scope.name, scope.site, self.options):
            return scope.index, self.shapes.shape[scope.id]
        if self.options.one_body or self.shapes.uniform(site):
            return None
        return self.shapes.shape[scope.id]

    def _ops(self) -> list[int]:
        numbers: dict[tuple[object, ...], int] = {}
        occurrences: dict[tuple[int, str, str], int] = defaultdict(int)
        of_scope, unread, many = self.of_scope, self.crowd.unread, self.crowd.many
        of: list[int] = []
        for op in self.record.ops:
            site = op.site.id
            place = (op.scope, site, op.name)
            occurrence = occurrences[place]
            occurrences[place] = occurrence + 1
            key = (of_scope[op.scope], site, op.name, occurrence, op.seq in unread, place in many)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(self.ops)
                self.ops.append(OpGroup(key[0], op, occurrence))
            self.ops[number].ops.append(op.seq)
            of.append(number)
        return of

    def _decisions(self) -> list[int]:
        numbers: dict[tuple[int, str, int], int] = {}
        occurrences: dict[tuple[int, str], int] = defaultdict(int)
        times = decision_times(self.record)
        of: list[int] = []
        for decision in self.record.decisions:
            site, occurrence = decision.site.id, 0
            if decision.site.kind != "while":
                place = (decision.scope, site)
                occurrence = occurrences[place]
                occurrences[place] = occurrence + 1
            key = (self.of_scope[decision.scope], site, occurrence)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(self.decisions)
                self.decisions.append(DecisionGroup(key[0], decision, occurrence, times[decision.seq]))
            self.decisions[number].decisions.append(decision.seq)
            of.append(number)
        return of


def fits_lines(site: Site | None, word: str) -> bool:
    """Return whether a line number is one of the lines of a site."""
    return site is not None and site.line <= int(word) <= max(site.end_line, site.line)


def fits_scope(kind: str, name: str, word: str) -> bool:
    """Return whether a word names a call, a module or a loop; `for` and `while` do not name all loops here."""
    return fits_name(name, word) if kind != "loop" else fnmatchcase(name, word)


def expands_loop(name: str, site: Site | None, options: GraphOptions) -> bool:
    """Return whether the iterations of a loop are to be drawn one by one."""
    return "loops" in options.expand or wanted("loop", name, site, options.expand)


def wanted(kind: str, name: str, site: Site | None, words: tuple[str, ...]) -> bool:
    """Return whether one of the user's words names a call, a module or a loop."""
    plural = PLURALS.get(kind, "")
    return any(word in ("all", plural) or _fits(kind, name, site, word) for word in words)


def _fits(kind: str, name: str, site: Site | None, word: str) -> bool:
    if word.isdecimal() and site is not None and site.line == int(word):
        return True
    if kind == "loop" and name.partition(" ")[0] == word:  # `for` and `while` are all of them
        return True
    return fits_name(name, word) or (site is not None and site.text == word)


def fits_name(name: str, word: str) -> bool:
    """Return whether a word is a name or, of `Model.forward` and `blocks.0.attention`, its last part."""
    return fnmatchcase(name, word) or (not word.isdecimal() and fnmatchcase(name.rpartition(".")[2], word))
