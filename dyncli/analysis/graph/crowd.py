"""Folding of crowded drawings: library modules, repeated calls, unread results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby

from dyncli.analysis.decisions import controlled_ops
from dyncli.analysis.graph.frame import Frame
from dyncli.analysis.graph.model import Key
from dyncli.analysis.graph.shapes import Shapes, site_id
from dyncli.analysis.values import seeds
from dyncli.records.model import Op, Record, Scope

#: A call of fewer ops takes less room expanded than folded.
FEWEST_ALIKE = 3
#: Fewer ops of one line that nothing reads stand as they are.
FEWEST_UNREAD = 2
#: More calls that ran as one above, in one frame, are one node.
MOST_ALIKE_BESIDE = 4
#: More runs of one op at one place of one call are one node.
MOST_AT_ONE_PLACE = 3
_DIGITS = re.compile(r"\d+")

Name = tuple[str, str, str]


class Crowd:
    """Facts of the scopes and ops of one record, used only for crowded drawings.

    groups: scopes whose way down from the root is the same, so that they have one name.
    """

    def __init__(self, record: Record, shapes: Shapes, groups: Sequence[Sequence[int]]) -> None:
        self.record, self.shapes, self.groups = record, shapes, groups

    def name(self, scope: Scope) -> Name:
        """Return what the calls of one function, or of modules in one place, have in common."""
        above = scope
        while scope.kind == "module" and above.parent is not None:
            above = self.record.scopes[above.parent]
            if above.kind == "module":
                return scope.kind, _DIGITS.sub("#", above.name), _DIGITS.sub("#", scope.name)
        return scope.kind, "", _DIGITS.sub("#", scope.name)

    @cached_property
    def plain(self) -> set[Name]:
        """Modules whose ops stand in no frame of their own: those of the library, which no script looks into."""
        found: set[Name] = set()
        others: set[Name] = set()
        children, decisions = self.shapes.children_of, self.shapes.decisions_of
        for group in self.groups[1:]:
            first = self.record.scopes[group[0]]
            ran = [scope for scope in group if self.size[scope]] if first.kind == "module" else []
            if ran:
                inside = any(children[scope] or decisions[scope] for scope in ran)
                (others if inside else found).add(self.name(first))
        return found - others

    @cached_property
    def quiet(self) -> set[Name]:
        """Calls that decided things without any op: what a constructor does."""
        found: set[Name] = set()
        others: set[Name] = set()
        asked = [0] * len(self.size)
        tied = [False] * len(self.size)
        for scope in reversed(self.record.scopes[1:]):
            own = self.shapes.decisions_of[scope.id]
            asked[scope.id] += len(own)
            tied[scope.id] |= any(decision.predicate_op is not None for decision in own)
            above = scope.parent or 0
            asked[above] += asked[scope.id]
            tied[above] |= tied[scope.id]
        for group in self.groups[1:]:
            first = self.record.scopes[group[0]]
            if first.kind == "call":
                empty = all(asked[scope] and not tied[scope] and not self.size[scope] for scope in group)
                (found if empty else others).add(self.name(first))
        return found - others

    @cached_property
    def graded(self) -> set[int]:
        """Ops through which a gradient came back."""
        return {seq for each in self.record.backwards for seq in each.nodes}

    @cached_property
    def loading(self) -> set[str]:
        """Sites of what a loop goes over, where several kinds of op ran without gradients: those of a data loader."""
        heads = {(site.file, site.line, site.text.partition(" in ")[2]) for site in self.record.sites}
        ran: dict[str, set[str]] = {}
        for op in self.record.ops if self.graded else ():
            if (op.site.file, op.site.line, op.site.text) in heads:
                ran.setdefault(op.site.id, set()).add("" if op.seq in self.graded else op.name)
        return {site for site, names in ran.items() if "" not in names and len(names) > 1}

    @cached_property
    def apart(self) -> set[Name | str]:
        """Calls and modules, and sites of loops, through which no gradient came back, of a run with gradients.

        They load data, read settings, evaluate and update parameters.
        """
        if not self.graded:
            return set()
        reached = [False] * len(self.size)
        for seq in self.graded:
            reached[self.record.ops[seq].scope] = True
        found: set[Name | str] = set()
        others: set[Name | str] = set()
        for scope in reversed(self.record.scopes[1:]):
            reached[scope.parent or 0] |= reached[scope.id]
            if scope.kind in ("call", "module"):
                (others if reached[scope.id] else found).add(self.name(scope))
            elif scope.kind == "iteration":
                (others if reached[scope.id] else found).add(site_id(scope))
        return found - others

    @cached_property
    def settings(self) -> set[int]:
        """Decisions on Python values that led to no op, of a script with gradients, outside of loops and `apart`."""
        if self.record.entry != "__main__" or not self.apart:
            return set()
        once = [True] * len(self.size)
        for scope in self.record.scopes[1:]:
            is_open = scope.kind == "arm" or (scope.kind == "call" and self.name(scope) not in self.apart)
            once[scope.id] = is_open and once[scope.parent or 0]
        under = controlled_ops(self.record)
        return {
            decision.seq
            for decision in self.record.decisions
            if decision.origin == "python" and once[decision.scope] and not under[decision.seq]
        }

    def repeats(self, frames: Sequence[Frame]) -> dict[Key, Key]:
        """Return the calls and modules that ran the same ops, and went the same way, as one drawn before them.

        frames: those of the drawing with all of them open.  The key of each leads to that of the first.
        """
        first: dict[object, Key] = {}
        found: dict[Key, Key] = {}
        for frame in frames:
            above = frames[frame.parent] if frame.parent is not None else None
            if above is not None and above.key in found:
                found[frame.key] = found[above.key]
            elif frame.kind in ("call", "module") and frame.folded_into is None and not frame.plain:
                forms = {self.form[scope] for scope in frame.scopes}
                if len(forms) == 1 and self.size[frame.scopes[0]] >= FEWEST_ALIKE:
                    what = (frame.kind, _DIGITS.sub("#", frame.name.rpartition(".")[2]), *forms)
                    if first.setdefault(what, frame.key) != frame.key:
                        found[frame.key] = first[what]
        return found

    def rows(self, frames: Sequence[Frame], repeats: dict[Key, Key]) -> set[Key]:
        """Return the repeats that stand with many others of the same in one frame, where one node tells of all."""
        of: dict[tuple[Key, Key], list[Key]] = {}
        for frame in frames:
            if frame.key in repeats and frame.parent is not None and frames[frame.parent].key not in repeats:
                of.setdefault((frames[frame.parent].key, repeats[frame.key]), []).append(frame.key)
        return {key for keys in of.values() if len(keys) > MOST_ALIKE_BESIDE for key in keys}

    @cached_property
    def form(self) -> list[int]:
        """A number for each scope that those share in which the same ops ran and the same tests went the same way."""
        known: dict[object, int] = {}
        form = [0] * len(self.size)
        ops, scopes = self.record.ops, self.record.scopes
        for scope in reversed(scopes[1:]):
            ran = tuple(ops[seq].name for seq in self.shapes.ops_of[scope.id])
            decided = tuple((each.site.id, each.arm) for each in self.shapes.decisions_of[scope.id])
            inside = tuple((scopes[child].kind, form[child]) for child in self.shapes.children_of[scope.id])
            form[scope.id] = known.setdefault((ran, decided, inside), len(known))
        return form

    @cached_property
    def size(self) -> list[int]:
        """Number of ops that ran in each scope and in those inside it."""
        size = [len(ops) for ops in self.shapes.ops_of]
        for scope in reversed(self.record.scopes[1:]):
            size[scope.parent or 0] += size[scope.id]
        return size

    @cached_property
    def many(self) -> set[tuple[int, str, str]]:
        """The (scope, site, name) of ops that ran often at one place without a loop of the script: `state_dict()`."""
        counts = Counter((op.scope, op.site.id, op.name) for op in self.record.ops)
        return {place for place, count in counts.items() if count > MOST_AT_ONE_PLACE}

    @cached_property
    def unread(self) -> set[int]:
        """Ops that led to no output, no gradient and no test, where a line has several: checks, prints."""
        record = self.record
        wanted = {output.tensor for output in record.outputs} | set(seeds(record))
        wanted |= {gradient.tensor for each in record.backwards for gradient in each.gradients}
        tests = {op for decision in record.decisions for op in decision.producers}
        read: set[tuple[str, str]] = set()
        idle: list[Op] = []
        for op in reversed(record.ops):
            kept = op.seq in tests or op.inplace or op.error or op.phase != "forward" or not op.outputs
            if kept or not wanted.isdisjoint(op.outputs):
                wanted.update(op.inputs)
                read.add((op.site.id, op.name))
            else:
                idle.append(op)
        found: set[int] = set()
        for _, ops in groupby(
            idle, lambda op: (op.scope, op.site.line, op.site.file)
        ):  # what ran between may read them
            each = [op.seq for op in ops if (op.site.id, op.name) not in read]  # else drawn for its other runs anyway
            found.update(each if len(each) >= FEWEST_UNREAD else ())
        return found
