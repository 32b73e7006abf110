"""Slots: each op, decision and leaf of a run finds the one place in the drawing that stands for it and all like it."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from dyncli.analysis.decisions import is_main_guard
from dyncli.analysis.graph.causes import caught, guards
from dyncli.analysis.graph.frame import Frame
from dyncli.analysis.graph.frames import Folding, Frames
from dyncli.analysis.graph.groups import DecisionGroup, Groups, OpGroup
from dyncli.analysis.graph.model import GraphOptions, Key
from dyncli.records.model import Site, TensorSummary


@dataclass(slots=True, eq=False)
class Slot:
    """One node to be.  `time` orders slots as they first ran; written: leaves told in words, read elsewhere before."""

    number: int
    key: Key
    kind: str
    frame: int
    site: Site | None = None
    time: float = 0.0
    ops: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    tensors: list[int] = field(default_factory=list)
    written: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Link:
    """One edge to be, and the tensors that went along it."""

    kind: str
    label: str = ""
    tensors: list[int] = field(default_factory=list)


class Slots:
    """The slots of a whole record under one way of folding, and the links between them.

    At first those of ops and decisions alone, which tell a folding that leaves too many; `finish` adds the leaves, and
    `connect` the links, of the folding that is drawn.
    """

    def __init__(self, groups: Groups, options: GraphOptions, folding: Folding) -> None:
        self.groups, self.folding = groups, folding
        self.record, self.shapes, self.crowd = groups.record, groups.shapes, groups.crowd
        self.compact = folding.compact and not options.foldable
        self.writes = self.shapes.writes
        self.frames = Frames(groups, options, folding)
        self.slots: list[Slot] = []
        self.links: dict[tuple[int, int, str], Link] = {}
        self._by_key: dict[Key, int] = {}
        self._told_by: dict[tuple[int, int], bool | int | list[int]] = {}
        self._step_in: dict[int, dict[int, int | None]] = {}
        self._of_op_group = self._chunks() if folding.chunk else self._ops()
        self._of_decision_group = self._decisions()
        self.op_slot: list[int] = []
        self.decision_slot: list[int] = []
        self.leaf_slot: dict[int, int] = {}
        self._starts: list[int | None] = []  # for each read of a leaf the slot that its edge starts at
        self.finished = False

    def finish(self) -> None:
        """Add to the slots their ops and decisions, then the leaves, unless they have them."""
        if self.finished:
            return
        self.finished = True
        self.frames.fill()
        self._fill()
        leaves = Leaves(self)
        self.leaf_slot = leaves.placed()
        self._starts = [leaves.start(number, self.op_slot[seq]) for seq, number in self.groups.leaf_reads]

    def connect(self) -> None:
        """Add the links between finished slots, once."""
        self._data()
        self._predicates()

    def visible(self) -> int:
        """Return how many slots are to be seen at first; a frame that is closed then counts as one."""
        hidden: list[bool] = []
        for frame in self.frames.frames:
            hidden.append(frame.parent is not None and (hidden[frame.parent] or frame.closed))
        closed = [frame for frame in self.frames.frames if frame.closed and not hidden[frame.parent or 0]]
        return sum(not hidden[slot.frame] for slot in self.slots) + len(closed)

    def slot(self, key: Key, kind: str, frame: Frame, site: Site | None, time: float) -> Slot:
        """Return the slot named `key`, new if there is none; one inside a folded frame is that frame's own."""
        if frame.folded_into is not None:
            frame = self.frames.frames[frame.folded_into]
            key, kind, site = (*frame.key, "folded"), "module" if frame.plain else "fold", frame.site
            frame = self.frames.frames[frame.parent or 0]
        number = self._by_key.get(key)
        if number is None:
            number = self._by_key[key] = self.added(key, kind, frame.number, site, time).number
        return self.slots[number]

    def added(self, key: Key, kind: str, frame: int, site: Site | None, time: float) -> Slot:
        """Return a new slot."""
        slot = Slot(len(self.slots), key, kind, frame, site, time)
        self.slots.append(slot)
        return slot

    def link(self, source: int, target: int, kind: str, label: str = "") -> Link:
        """Return the link between two slots, new if there is none."""
        return self.links.setdefault((source, target, kind), Link(kind, label))

    def _ops(self) -> list[int]:
        """Return the slot of each group of ops."""
        slots: list[int] = []
        by_site = self.folding.by_site
        unread, again = (self.crowd.unread, self.crowd.many) if self.compact else ((), ())
        for group in self.groups.ops:
            op, frame = group.first, self._op_frame(group)
            if op.seq in unread:
                key, kind = (*frame.key, "unread", op.site.line, op.site.file), "fold"
            elif self.compact and op.site.id in self.crowd.loading:
                key, kind = (*frame.key, "loading", op.site.line, op.site.file), "fold"
            else:
                one = by_site or (op.scope, op.site.id, op.name) in again
                key, kind = (*frame.key, "op", op.site.id, op.name, 0 if one else group.occurrence), "op"
            slots.append(self.slot(key, kind, frame, op.site, op.seq).number)
        return slots

    def _op_frame(self, group: OpGroup) -> Frame:
        frame = self.frames.frames[self.frames.of[group.scope]]
        return frame if frame.kind != "arm" else self.frames.home(frame, group.first.site)

    def _chunks(self) -> list[int]:
        """Return the slot of each op, where so many of a frame in a row are drawn as one."""
        slots: list[int] = []
        in_frame: dict[int, int] = defaultdict(int)
        frames = [self._op_frame(group) for group in self.groups.ops]
        for op, group in zip(self.record.ops, self.groups.of_op):
            frame = frames[group]
            if op.seq in self.groups.asked.ops:
                key = (*frame.key, "op", op.site.id, op.name, 0)
                slots.append(self.slot(key, "op", frame, op.site, op.seq).number)
                continue
            position = in_frame[frame.number] // self.folding.chunk
            in_frame[frame.number] += 1
            slots.append(self.slot((*frame.key, "chunk", position), "fold", frame, op.site, op.seq).number)
        return slots

    def _decisions(self) -> list[int]:
        """Return the slot of each group of decisions, -1 for one that is not drawn."""
        slots: list[int] = []
        together = self.folding.by_site or bool(self.folding.chunk)
        for group in self.groups.decisions:
            decision = group.first
            frame, drawn = self._decision_frame(group)
            if not drawn:
                slots.append(-1)
                continue
            key = (*frame.key, "decision", decision.site.id, 0 if together else group.occurrence)
            slots.append(self.slot(key, "decision", frame, decision.site, group.time).number)
        return slots

    def _fill(self) -> None:
        """Give every slot its ops and decisions in the order in which they ran."""
        of_op, of_decision = self._of_op_group, self._of_decision_group
        self.op_slot = of_op if self.folding.chunk else [of_op[group] for group in self.groups.of_op]
        self.decision_slot = [of_decision[group] for group in self.groups.of_decision]
        for seq, slot in enumerate(self.op_slot):
            self.slots[slot].ops.append(seq)
        for seq, slot in enumerate(self.decision_slot):
            if slot >= 0:
                self.slots[slot].decisions.append(seq)

    def _decision_frame(self, group: DecisionGroup) -> tuple[Frame, bool]:
        """Return where a decision is drawn, and whether it is: a plain loop is its box's label and no more."""
        decision = group.first
        frame = self.frames.home(self.frames.frames[self.frames.of[group.scope]], decision.site)
        if is_main_guard(decision) or (self.compact and self.crowd.settings.issuperset(group.decisions)):
            return frame, False
        if decision.site.kind not in ("while", "for", "comp"):
            return frame, not self.folding.chunk or not self.groups.asked.decisions.isdisjoint(group.decisions)
        tied = decision.site.id in self.groups.loops_of_tensors
        loop = self.frames.loop_frame(frame, decision.site)
        if loop is None:
            return frame, decision.site.kind != "comp" or tied
        loop.decision = decision.seq if loop.decision is None else loop.decision
        return loop, decision.site.kind == "while" or tied

    def _data(self) -> None:
        slots, starts = self.slots, iter(self._starts)
        for op in self.record.ops:
            target = self.op_slot[op.seq]
            for number in op.inputs:
                for made_by in self.writes.makers(op.seq, number):
                    if made_by is None:
                        leaf = next(starts)
                        if leaf is not None:
                            self.link(leaf, target, "data").tensors.append(number)
                        continue
                    source = self.op_slot[made_by]
                    back = self.back(source, target, made_by, op.scope)
                    if source != target or slots[target].kind == "op" or self._comes_round(target, made_by, op.scope):
                        self.link(source, target, "carried" if back else "data").tensors.append(number)

    def back(self, source: int, target: int, producer: int, reader: int) -> bool:
        """Return whether what an op made is read in a later step of the loop that both are drawn in.

        reader: the scope of what reads it.  Time alone does not tell: an arm that was first taken in a later step is
        drawn after what reads it in that step.
        """
        told = self._told_by.get((source, target))
        if told is None:
            told = self._told_by[source, target] = self._telling(source, target)
        if isinstance(told, bool):
            return told
        made = self.record.ops[producer].scope
        if isinstance(told, int):
            return self._step_of(made, told) != self._step_of(reader, told)
        return told[made] != told[reader]

    def _telling(self, source: int, target: int) -> bool | int | list[int]:
        """Return whether all that goes between two slots is read in a later step, or what tells that.

        What tells is the body of a loop whose steps count, or a number for each scope.
        """
        one, other = (self._bodies[self.slots[slot].frame] for slot in (source, target))
        body = self._around_both(one, other)
        if body in self._unfolded and body not in (one, other):
            return False
        if self.slots[source].time >= self.slots[target].time:
            if target in self._rows:
                return True
            if one != other and body != 0 and not self.folding.merge:
                return body
            return source == target or self._steps[0 if self.folding.merge else 1]
        if body == 0:
            return False
        if one != other or not {"fold", "module"}.isdisjoint((self.slots[source].kind, self.slots[target].kind)):
            return body
        return self._steps[1]

    def _around_both(self, one: int, other: int) -> int:
        """Return the innermost body of a loop that is around both of two, or is one of them; 0 where none is."""
        while one != other:
            inner = max(one, other)
            one, other = min(one, other), self._bodies[self.frames.frames[inner].parent or 0]
        return one

    def _step_of(self, scope: int, body: int) -> int | None:
        """Return the iteration of the loop drawn as `body` that a scope stands in, maybe in a folded loop in it."""
        scopes, found = self.record.scopes, self._step_in.setdefault(body, {})
        passed: list[int] = []
        at: int | None = scope
        while at is not None and at not in found:
            passed.append(at)
            if scopes[at].kind == "iteration" and body in self._body_of[self.groups.of_scope[at]]:
                found[at] = at
                break
            at = scopes[at].parent
        step = None if at is None else found[at]
        found.update(dict.fromkeys(passed, step))
        return step

    @cached_property
    def _body_of(self) -> list[tuple[int, ...]]:
        """The body of a loop that each group of scopes is drawn in, and the loop itself where that is of one kind."""
        found: list[tuple[int, ...]] = []
        for number in self.frames.of:
            drawn = self.frames.frames[self._bodies[number]]
            kind = drawn.kind in ("kind", "step") and drawn.parent is not None
            found.append((drawn.number, drawn.parent or 0) if kind else (drawn.number,))
        return found

    def _comes_round(self, slot: int, producer: int, reader: int) -> bool:
        """Return whether what is drawn as one node reads in a later step what it made in a step before."""
        body = self._bodies[self.slots[slot].frame]
        made = self.record.ops[producer].scope
        return body != 0 and self._step_of(made, body) != self._step_of(reader, body)

    @cached_property
    def _rows(self) -> set[int]:
        """The slots that stand for many calls, of which some run after what others lead to."""
        keys = [(*self.frames.frames[number].key, "folded") for number in self.frames.rows.values()]
        return {self._by_key[key] for key in keys if key in self._by_key}

    @cached_property
    def _steps(self) -> tuple[list[int], list[int]]:
        """The iteration or call, and the iteration alone, that each scope stands in."""
        calls, iterations = [0], [0]
        for scope in self.record.scopes[1:]:
            above = scope.parent or 0
            calls.append(calls[above] if scope.kind in ("arm", "module") else scope.id)
            iterations.append(scope.id if scope.kind == "iteration" else iterations[above])
        return calls, iterations

    @cached_property
    def _unfolded(self) -> set[int]:
        """The loops whose steps are drawn one by one: what one hands to the next goes down as all else does."""
        return {frame.parent for frame in self.frames.frames if frame.kind == "step" and frame.parent is not None}

    @cached_property
    def _bodies(self) -> list[int]:
        """The loop, or kind of step or step of one, that each frame is drawn in; 0 outside of all."""
        bodies: list[int] = []
        for frame in self.frames.frames:
            own = frame.kind in ("loop", "kind", "step")
            bodies.append(frame.number if own else 0 if frame.parent is None else bodies[frame.parent])
        return bodies

    def _predicates(self) -> None:
        for decision in self.record.decisions:
            target = self.decision_slot[decision.seq]
            if target < 0:
                continue
            for producer in sorted(decision.producers):
                source = self.op_slot[producer]
                if source != target:
                    back = self.back(source, target, producer, decision.scope)
                    self.link(source, target, "asked again" if back else "predicate")
        for guard, match in guards(self.record):
            self._asked(self.decision_slot[guard], self.decision_slot[match])
        for op, handled in caught(self.record):
            self._asked(self.op_slot[op], self.decision_slot[handled])

    def _asked(self, source: int, target: int) -> None:
        if min(source, target) >= 0 and source != target:
            self.link(source, target, "predicate")


MOST_FAN_OUT = 3
MOST_ALIKE = 4
#: Of more parameters than this that only something folded reads, the fold says what came back to all of them.
MOST_OUTSIDE = 3
_DIGITS = re.compile(r"\d+")


class Leaves:
    """Assign the leaves of a record slots among those of its ops.

    readers: for each tensor that no op made the slots that read it, in order.
    """

    def __init__(self, drawn: Slots) -> None:
        self.drawn, self.record, self.slots, self.frames = drawn, drawn.record, drawn.slots, drawn.frames.frames
        self.slot_of: dict[int, int] = {}
        self._repeated: dict[tuple[int, int], int] = {}
        self._reasons = {g.tensor: g.reason for backward in self.record.backwards for g in backward.gradients}
        self.readers: dict[int, dict[int, None]] = {}
        for op in self.record.ops:
            for number in op.inputs:
                if self.record.tensors[number].op is None:
                    self.readers.setdefault(number, {})[drawn.op_slot[op.seq]] = None

    def placed(self) -> dict[int, int]:
        """Give each leaf a slot, and return them; with the same readers and names but for a number they share one."""
        stems: dict[tuple[object, ...], set[str]] = defaultdict(set)
        for tensor in self.record.tensors:
            if tensor.role in ("intermediate", "gradient"):
                continue
            name = tensor.name or ""
            stems[self._likeness(tensor)].add(_DIGITS.sub("#", name) if tensor.id in self.readers else name)
        given = {item.tensor for item in (*self.record.inputs, *self.record.outputs)}
        graded = {gradient.tensor for backward in self.record.backwards for gradient in backward.gradients}
        inside = self._inside_folds()
        for tensor in self.record.tensors:
            if tensor.op is not None or tensor.role in ("gradient", "written"):
                continue
            readers = tuple(self.readers.get(tensor.id, ()))
            if tensor.id in inside:
                self.slots[inside[tensor.id]].tensors.append(tensor.id)
                for reader in readers:
                    if reader != inside[tensor.id]:
                        self.slots[reader].written.append(tensor.id)
                continue
            if not readers and tensor.id not in given and tensor.id not in graded:
                continue
            kind = tensor.role if tensor.role in ("input", "parameter") else "constant"
            keys = tuple(self.slots[reader].key for reader in readers)
            name = self._stem(tensor, readers, len(stems[self._likeness(tensor)]))
            alone = name != "" and name == tensor.name
            key: Key = ("leaf", kind, name) if alone else ("leaf", kind, name, keys or self._likeness(tensor))
            home = self._home(kind, readers)
            first = min((self.slots[reader].time for reader in readers), default=0.0)
            slot = self.drawn.slot(key, kind, home, None, -1.0 if home.parent is None else first - 0.25)
            slot.tensors.append(tensor.id)
            self.slot_of[tensor.id] = slot.number
        self._in_order_of_use()
        return self.slot_of

    def start(self, number: int, target: int) -> int | None:
        """Return the slot an edge from a leaf starts at: the leaf's own, or a small repeat.

        It is repeated where too many read it, and a parameter in each module but the first that reads it.
        """
        own = self.slot_of.get(number)
        readers = self.readers[number]
        if own is None or target == next(iter(readers)):
            return own
        slot = self.slots[own]
        elsewhere = slot.kind == "parameter" and self._module(self.slots[target].frame).number != slot.frame
        if len(readers) <= MOST_FAN_OUT and not elsewhere:
            return own
        if self.drawn.compact:
            self.slots[target].written.append(number)
            return None
        if (own, target) not in self._repeated:
            reader = self.slots[target]
            key = (*self.slots[own].key[:3], "at", reader.key)
            self._repeated[own, target] = self.drawn.added(key, "leaf", reader.frame, None, reader.time - 0.25).number
        told = self.slots[self._repeated[own, target]].tensors
        if number not in told:
            told.append(number)
        return self._repeated[own, target]

    def _in_order_of_use(self) -> None:
        """Have leaves that are drawn as one stand as the ops come to them, as the words of those ops do."""
        several = [slot.tensors for slot in self.slots if len(slot.tensors) > 1]
        if several:
            ops = self.record.ops
            used = {number: op.seq for op in reversed(ops) for number in op.inputs}
            for tensors in several:
                tensors.sort(key=lambda number: used.get(number, len(ops)))

    def _inside_folds(self) -> dict[int, int]:
        """Return the parameters that are not drawn, and the slot that tells of each.

        Those of plain modules, of the first that reads them, and many that only folds read.
        """
        read: dict[int, list[int]] = {}
        found: dict[int, int] = {}
        for tensor in self.record.tensors:
            readers = tuple(self.readers.get(tensor.id, ()))
            if tensor.role != "parameter" or not readers:
                continue
            kinds = [self.slots[reader].kind for reader in readers]
            if "module" in kinds:
                found[tensor.id] = readers[kinds.index("module")]
            elif set(kinds) == {"fold"}:
                read.setdefault(readers[0], []).append(tensor.id)
        most = 0 if self.drawn.compact else MOST_OUTSIDE
        return found | {number: slot for slot, numbers in read.items() if len(numbers) > most for number in numbers}

    def _likeness(self, tensor: TensorSummary) -> tuple[object, ...]:
        readers = tuple(self.readers.get(tensor.id, ()))
        if not readers:
            return (tensor.role, self._reasons.get(tensor.id))
        return (tensor.role, tensor.dtype, len(tensor.shape), readers)

    def _stem(self, tensor: TensorSummary, readers: tuple[int, ...], stems: int) -> str:
        """Return a leaf's name where it stands alone; less of it where ops that ran several times read many alike."""
        name = tensor.name or ""
        if not readers:
            return "*" if stems > MOST_ALIKE else name
        slots, frames = self.slots, self.frames
        if not any(len(slots[reader].ops) > 1 or frames[slots[reader].frame].in_loop for reader in readers):
            return name
        return "*" if stems > MOST_ALIKE else _DIGITS.sub("#", name)

    def _home(self, kind: str, readers: tuple[int, ...]) -> Frame:
        """Return the frame of a leaf: the module that reads a parameter first, otherwise outside everything."""
        homes = dict.fromkeys(self.slots[reader].frame for reader in readers)
        if kind == "input" or not homes or (kind != "parameter" and len(homes) != 1):
            return self.frames[0]
        return self._module(next(iter(homes)))

    def _module(self, number: int) -> Frame:
        """Return the module frame that a frame stands in, or the outermost."""
        frame = self.frames[number]
        while frame.kind not in ("root", "module") and frame.parent is not None:
            frame = self.frames[frame.parent]
        return frame
