"""From scopes to frames: where the recorder saw each call frame and iteration, a frame holds all that are drawn as one.

A frame is named by a key made of sites and names alone, so the same frame of another run has the same key.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dyncli.analysis.graph.frame import Frame
from dyncli.analysis.graph.groups import PLURALS, Groups, ScopeGroup, expands_loop, wanted
from dyncli.analysis.graph.model import GraphOptions, Key
from dyncli.analysis.graph.shapes import Shapes, site_id
from dyncli.records.digest import blake2b
from dyncli.records.model import Record, Scope, Site

_DIGITS = re.compile(r"\d+")
#: Frames nest no deeper: what runs below is drawn in the last one.
DEEPEST = 100


class Folding(NamedTuple):
    """Degree of folding.

    inner: the kinds of step of a loop inside a kind of step into one body.
    merge: recursion and repeated calls into one frame.  by_site: all ops of one place into one node.
    depth: frames below it are folded.  chunk: so many ops in a row into one node.
    strict: whatever the user asked to unfold.
    compact: plain modules and what nothing reads into one node each, small repeats of leaves into words.
    again: calls and modules that ran as one above are folded.  one_body: all kinds of step into one body.
    """

    inner: bool = False
    merge: bool = False
    by_site: bool = False
    depth: int | None = None
    chunk: int = 0
    strict: bool = False
    compact: bool = False
    again: bool = False
    one_body: bool = False


class Frames:
    """All frames of a drawing; `of` is the frame of each group of scopes, `rows` those that stand for many beside them.

    Which groups a frame holds is known at once, their scopes and decisions once it is filled.
    """

    def __init__(self, groups: Groups, options: GraphOptions, folding: Folding) -> None:
        self.groups, self.options, self.folding = groups, options, folding
        self.record, self.shapes, self.crowd = groups.record, groups.shapes, groups.crowd
        self._repeats: dict[Key, Key] = {}
        self._in_rows: set[Key] = set()
        self.rows: dict[tuple[int | None, Key], int] = {}
        if folding.again:
            unfolded = Frames(groups, options, folding._replace(again=False))
            unfolded.fill()
            self._repeats = self.crowd.repeats(unfolded.frames)
            self._in_rows = self.crowd.rows(unfolded.frames, self._repeats)
        self._numbers: dict[Key, int] = {}
        self.frames: list[Frame] = []
        self._children: dict[tuple[int, Key], int] = {}
        self._forwards: dict[int, str] = {}
        self._alike: dict[object, dict[int, int]] = {}
        self._members: list[tuple[Frame, ScopeGroup, bool]] = []
        self.recursive = False
        self.kinds_in_kinds = False
        self.depth = 0
        self.entry = _entry_scopes(self.record, self.shapes)
        root = groups.scopes[0]
        self._frame((), "root", root.first.name, None, None, root)
        self.of = [0] * len(groups.scopes)
        for number, group in enumerate(groups.scopes[1:], 1):
            self.of[number] = self._enter(group, self.home(self.frames[self.of[group.parent]], group.first.site))

    def fill(self) -> None:
        """Give every frame its scopes in the order in which they ran, and what of them its words tell."""
        scopes, latest = self.record.scopes, [-1] * len(self.frames)
        for frame, group, named in self._members:
            frame.scopes += group.scopes
            if named:
                latest[frame.number] = max(latest[frame.number], group.scopes[-1])
        for frame, last in zip(self.frames, latest):
            frame.scopes.sort()
            if frame.kind in ("call", "module", "loop") and last >= 0:
                frame.last_name = scopes[last].name
            if frame.kind == "arm":
                led = (scopes[scope].decision for scope in frame.scopes)
                frame.arms = [decision for decision in led if decision is not None]
                frame.decision = frame.arms[-1] if frame.arms else None
            elif frame.kind == "loop" and not self._expanded(frame):
                frame.pattern = [self.shapes.shape[scope] for scope in frame.scopes]

    def home(self, frame: Frame, site: Site | None) -> Frame:
        """Return where what stands at `site` and ran in `frame` is drawn: outside of arms whose lines end above it.

        A record has in an arm also what comes after it, if the other arm leaves: only the way there led through it.
        """
        at = found = frame
        while at.kind == "arm" and at.parent is not None and at.site is not None and site is not None:
            above = self.frames[at.parent]
            if at.last is not None and at.site.file == site.file and at.last < site.line:
                found = above
            at = above
        return found

    def loop_frame(self, around: Frame, site: Site) -> Frame | None:
        """Return the frame of the loop at `site` in (or around) a frame, if it went round at least once."""
        at: Frame | None = around
        while at is not None:
            if at.kind == "loop" and at.site is not None and at.site.id == site.id:
                return at
            found = self._children.get((at.number, ("loop", site.id)))
            if found is not None:
                return self.frames[found]
            at = self.frames[at.parent] if at.kind in ("arm", "kind", "step") and at.parent is not None else None
        return None

    def arm_frame(self, around: Frame, site: Site, arm: str) -> Frame | None:
        """Return the frame of one arm of the decision at `site`, if anything entered it."""
        found = self._children.get((around.number, ("arm", site.id, arm)))
        return None if found is None else self.frames[found]

    def unfitted(self) -> list[tuple[str, str]]:
        """Return (option, word) of each wish to expand or to fold that no frame fits; `all` fits any run."""
        wishes = [("expand", word) for word in self.options.expand if word != "all"]
        wishes += [("collapse", word) for word in self.options.collapse]
        frames = [frame for frame in self.frames if frame.kind in PLURALS]
        return [wish for wish in wishes if not any(self._wanted(frame, wish[1:]) for frame in frames)]

    def _enter(self, group: ScopeGroup, above: Frame) -> int:
        """Return the frame of a group of scopes, whose parent's frame is `above`."""
        scope = group.first
        own_forward = scope.kind == "call" and above.kind == "module" and scope.name.rpartition(".")[2] == "forward"
        if own_forward:
            self._forwards.setdefault(above.number, scope.name)
        if above.nesting >= DEEPEST or own_forward or scope.id in self.entry:
            return above.number
        if scope.kind == "iteration":
            return self._iteration(group, above)
        if scope.kind == "arm":
            frame = self._frame(("arm", site_id(scope), scope.name), "arm", scope.name, above, scope.site, group)
            if scope.site is not None:
                span = dict(zip(scope.site.arms, scope.site.arm_lines)).get(scope.name)
                self.frames[frame].last = None if span is None else span[1]
            return frame
        again = self._same_call(above, scope) if scope.kind in ("call", "module") else None
        if again is not None and not self._wanted(again, self.options.expand):
            self.recursive = True
            self.depth = max(self.depth, self._calls_around(above, again))
        if self.folding.merge:
            above = again or above
            if (
                above is again
                and self._is_forward(above, scope)
                or (above.kind, above.name) == (scope.kind, scope.name)
            ):
                self._members.append((above, group, False))
                return above.number
            element: Key = (scope.kind, scope.name)
        else:
            name, occurrence = scope.name, group.occurrence
            if above.in_loop:
                name, occurrence = _DIGITS.sub("#", scope.name), group.occurrence_of_stem
            if self.folding.compact and not self.options.foldable and self.crowd.name(scope) in self.crowd.apart:
                occurrence = 0  # drawn as one: data, item by item
            element = (scope.kind, name, site_id(scope), occurrence)
        return self._frame(element, scope.kind, scope.name, above, scope.site, group)

    def _iteration(self, group: ScopeGroup, above: Frame) -> int:
        scope = group.first
        site = site_id(scope)
        loop = self.frames[self._frame(("loop", site), "loop", scope.name, above, scope.site, group)]
        if self._expanded(loop):
            return self._frame(("step", scope.index), "step", f"iteration {scope.index}", loop, scope.site, group)
        if self.options.one_body or self.folding.one_body or self.shapes.uniform(site):
            return loop.number
        if self._in_kind(loop):
            if self.folding.inner:
                return loop.number
            self.kinds_in_kinds = True
        return self._frame(("kind", self._shape_key(scope)), "kind", "", loop, scope.site, group)

    def _in_kind(self, frame: Frame) -> bool:
        """Return whether a frame stands in a kind of step."""
        at: Frame | None = frame
        while at is not None and at.kind != "kind":
            at = self.frames[at.parent] if at.parent is not None else None
        return at is not None

    def _shape_key(self, scope: Scope) -> object:
        """Return what names a shape in any run: the arms taken directly in it, and its place among those alike."""
        shape = self.shapes.shape[scope.id]
        inside = tuple((d.site.id, d.arm) for d in self.shapes.decisions_of[scope.id] if d.site.kind != "while")
        alike = self._alike.setdefault((site_id(scope), inside), {})
        return (inside, alike.setdefault(shape, len(alike)))

    def _same_call(self, above: Frame, scope: Scope) -> Frame | None:
        """Return the frame among those around that already is this function, or this module: recursion."""
        at: Frame | None = above
        while at is not None:
            if (at.kind, at.name) == (scope.kind, scope.name) or self._is_forward(at, scope):
                return at
            at = self.frames[at.parent] if at.parent is not None else None
        return None

    def _calls_around(self, above: Frame, same: Frame) -> int:
        """Return how many calls of one function, drawn one in the other, there are with another inside `above`."""
        at: Frame | None = above
        count = 1
        while at is not None:
            count += (at.kind, at.name) == (same.kind, same.name)
            at = self.frames[at.parent] if at.parent is not None else None
        return count

    def _is_forward(self, frame: Frame, scope: Scope) -> bool:
        """Return whether a scope is the `forward` of the module that a frame stands for, which calls itself."""
        return frame.kind == "module" and scope.kind == "call" and self._forwards.get(frame.number) == scope.name

    def _frame(
        self, element: Key, kind: str, name: str, above: Frame | None, site: Site | None, group: ScopeGroup
    ) -> int:
        """Return the frame that `element` names within `above`, new if there is none."""
        place = (-1 if above is None else above.number, element)
        number = self._children.get(place)
        if number is None:
            number = self._children[place] = len(self.frames)
            frame = Frame(number, _key(above, element), kind, name, None if above is None else above.number, site)
            if above is not None:
                frame.in_loop = kind in ("loop", "kind") or (above.in_loop and kind != "step")
                frame.level = above.level + (kind in ("call", "module", "loop"))
                frame.nesting = above.nesting + 1
            frame.folded_into = self._folded_into(frame, above)
            if frame.folded_into in (None, frame.number):
                self._shut_in_a_crowd(frame, group.first)
            self.frames.append(frame)
        frame = self.frames[number]
        row = frame if frame.like is None or frame.folded_into is None else self.frames[frame.folded_into]
        self._members.append((row, group, True))
        return number

    def _folded_into(self, frame: Frame, above: Frame | None) -> int | None:
        """Return the folded frame that hides this one (or is it), if any."""
        if above is not None and above.folded_into is not None:
            return above.folded_into
        if frame.kind not in ("call", "module", "loop"):
            return None
        deepest = self.folding.depth
        asked = (frame.kind, frame.name) in self.groups.asked.way or self._wanted(frame, self.options.expand)
        too_deep = deepest is not None and frame.level > deepest and not asked
        return frame.number if too_deep or self._wanted(frame, self.options.collapse) else None

    def _shut_in_a_crowd(self, frame: Frame, scope: Scope) -> None:
        """Fold a frame that says no more open than folded, unless the user wants it open."""
        kinds = ("call", "module", "loop")
        if not self.folding.compact or frame.kind not in kinds or self._wanted(frame, self.options.expand):
            return
        if frame.kind == "loop":
            if frame.folded_into is None and site_id(scope) in self.crowd.apart:
                frame.closed = self.options.foldable
                frame.folded_into = None if frame.closed else frame.number
            return
        name = self.crowd.name(scope)
        frame.plain = name in self.crowd.plain
        repeat = self._repeats.get(frame.key)
        if repeat is not None:
            frame.like = self._numbers.get(repeat)
        is_aside = name in self.crowd.quiet or name in self.crowd.apart
        if frame.folded_into is None and (frame.plain or repeat is not None or is_aside):
            frame.closed = self.options.foldable
            frame.folded_into = None if frame.closed else frame.number
            if repeat is not None and frame.key in self._in_rows and not frame.closed:
                frame.folded_into = self.rows.setdefault((frame.parent, repeat), frame.number)
        self._numbers[frame.key] = frame.number

    def _expanded(self, loop: Frame) -> bool:
        return expands_loop(loop.name, loop.site, self.options)

    def _wanted(self, frame: Frame, words: tuple[str, ...]) -> bool:
        return wanted(frame.kind, frame.name, frame.site, words)


def _key(above: Frame | None, element: Key) -> Key:
    """Return a short key made of the keys of all frames around: as long for the thousandth level as for the first."""
    whole = repr(() if above is None else above.key) + repr(element)
    return (blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=9).hexdigest(),)


def _entry_scopes(record: Record, shapes: Shapes) -> set[int]:
    """Return the scopes of the entry itself, which the title names already: the only call of the only call."""
    found: set[int] = set()
    at = 0
    while at < len(shapes.children_of) and not shapes.ops_of[at] and not shapes.decisions_of[at]:
        inner = shapes.children_of[at]
        if len(inner) != 1 or record.scopes[inner[0]].kind not in ("call", "module"):
            break
        at = inner[0]
        found.add(at)
    return found


def fewest(record: Record, shapes: Shapes) -> int:
    """Return how many nodes are left at least while ops are not folded by number: the lines outside of all calls.

    30,000 ops one after another took 2.0 s to fold in all the ways that leave too many, of 5.4 s in all.
    """
    entry = _entry_scopes(record, shapes)
    outside = [True]
    for scope in record.scopes[1:]:
        outside.append(outside[scope.parent or 0] and (scope.kind == "arm" or scope.id in entry))
    return len({(op.site.file, op.site.line) for op in record.ops if op.scope < len(outside) and outside[op.scope]})
