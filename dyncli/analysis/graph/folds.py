"""Text of nodes that stand for many ops: modules, folded frames, unread results."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from dyncli.analysis.decisions import RANK, kind_and_text, outcome_symbol
from dyncli.analysis.graph.frame import Frame
from dyncli.analysis.graph.labels import AGAIN, DOT, WIDEST_ERROR, Labels, leaf_name, spanned
from dyncli.analysis.graph.model import Line
from dyncli.analysis.graph.slots import Slot
from dyncli.analysis.pattern import pattern
from dyncli.analysis.values import bytes_text, counted, number, places_text, shape_text, stats_of, time_text
from dyncli.records.model import Decision, Op
from dyncli.records.text import one_line

Written = tuple[str, str, tuple[Line, ...]]

MOST_KINDS_OF_OP = 3
#: Of more parameters than this what came back is told of all together.
MOST_PARAMETERS = 2
MOST_TESTS = 3
WIDEST_LINE = 40


class Folds:
    """Writes the words of nodes that stand for many ops."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.record, self.frames = labels, labels.record, labels.frames

    def module(self, slot: Slot, frame: Frame) -> Written:
        """Return name, rest and lines of a module drawn as one node: its ops, its result, its parameters."""
        ops = [self.record.ops[seq] for seq in slot.ops]
        scopes = frame.scopes
        once = [op for op in ops if op.scope == ops[0].scope]
        names = [op.name for op in once]
        rest = f"{names[0]} {once[0].args}" if len(names) == 1 else self._kinds(slot, len(scopes))
        lines = [*self._result(slot, frame), *self._parameters(slot.tensors), *self._written(slot)]
        facts = [self.labels.place(ops[0].site)]
        facts += [f"x{len(scopes):,}"] * (len(scopes) > 1)
        facts += [*filter(None, [AGAIN.get(ops[0].phase)]), *self._costs(slot)]
        return self._short_name(frame), one_line(rest, 32), (*lines, Line(DOT.join(facts), "faint"))

    def _short_name(self, frame: Frame) -> str:
        """Return the name of a module without that of the module whose box it stands in."""
        first, last = frame.name, frame.last_name
        above = frame
        while above.parent is not None and (above is frame or above.kind != "module"):
            above = self.frames[above.parent]
        if above.kind == "module" and first.startswith(f"{above.name}."):
            first = first.removeprefix(f"{above.name}.")
            last = last.removeprefix(f"{above.last_name}.")
        return spanned(first, last)

    def fold(self, slot: Slot, frame: Frame | None) -> Written:
        """Return name, rest and lines of what is folded."""
        facts = [counted(len(slot.ops), "op")]
        if slot.decisions:
            facts.append(counted(len(slot.decisions), "decision"))
        place = places_text((self.record.ops[op].site for op in slot.ops), self.record.model)
        facts += self._costs(slot)
        times = len({self.record.ops[op].scope for op in slot.ops}) if frame is None else len(frame.scopes)
        counts = [Line(DOT.join(facts)), Line(self._kinds(slot, times), "faint")] if slot.ops else []
        if frame is None and ("unread" in slot.key or "loading" in slot.key):
            lines = (*self._ends(slot, ()), Line(DOT.join([place, *facts]), "faint"))
            name = one_line(slot.site.text, 30) if "loading" in slot.key and slot.site else "read by no op"
            return name, one_line(self._kinds(slot, times), 48), lines
        if frame is None:
            return "ops", f"{slot.ops[0]:,} to {slot.ops[-1]:,}", (*counts, Line(place, "faint"))
        lines = (*counts, *self._result(slot, frame), *self._tests(slot))
        lines += (*self._together(slot.tensors), *self._written(slot, frame.like is not None))
        if frame.like is not None:
            first = self.frames[frame.like].name
            lines += (Line("ran as above" if first == frame.name else f"ran as {one_line(first, 30)} above", "faint"),)
        name, rest = self.labels.frame(frame)
        return name, rest, lines

    def _kinds(self, slot: Slot, times: int = 1) -> str:
        """Return the names of the ops, the most frequent first: `linear x2, add`."""
        names: dict[str, int] = {}
        for seq in slot.ops:
            name = self.record.ops[seq].name
            names[name] = names.get(name, 0) + 1
        common = sorted(names.items(), key=lambda item: -item[1])[: MOST_KINDS_OF_OP + 1]
        each = [(one_line(name, 16), -(-count // times)) for name, count in common]
        words = ", ".join(name + (f" x{count:,}" if count > 1 else "") for name, count in each)
        return words + (", \u2026" if len(names) > len(common) else "")

    def _result(self, slot: Slot, frame: Frame) -> list[Line]:
        """Return what came out of the first and of the last call, and the gradient that came back to it."""
        return self._ends(slot, frame.scopes)

    def _ends(self, slot: Slot, calls: Sequence[int]) -> list[Line]:
        """Return what came out of each of these calls last, or of all the ops."""
        ops = [self.record.ops[seq] for seq in slot.ops]
        if not ops:
            return []
        made = self.labels.shapes.writes.made
        results: dict[int, Op] = {}
        for op in self._asked_for(self._leaving(ops, made) or ops[-1:]):
            results[bisect_right(calls, op.scope)] = op
        numbers = [made[op.seq] for op in results.values() if op.seq in made]
        lines = [Line(self.labels.tensors([self.record.tensors[number] for number in numbers]))] if numbers else []
        failed = next((self.labels.failed[op.seq] for op in ops if op.seq in self.labels.failed), None)
        lines += [Line(one_line(failed, WIDEST_ERROR), "error")] if failed is not None else []
        lines += [Line(self.labels.born[op.seq], "error") for op in ops if op.seq in self.labels.born]
        return [*lines, *self.labels.gradients_of([[number] for number in numbers])]

    def _asked_for(self, leaving: Sequence[Op]) -> Sequence[Op]:
        """Return of several results of a call the one that a gradient came back to, where the last is without."""
        made = self.labels.shapes.writes.made
        if not self.labels.options.grads:
            return leaving
        graded = [(op.site, op.name) for op in leaving if op.seq in made and self.labels.came_back([made[op.seq]])]
        if not graded or (leaving[-1].site, leaving[-1].name) in graded:
            return leaving
        return [op for op in leaving if (op.site, op.name) == graded[-1]]

    def _leaving(self, ops: Sequence[Op], made: Mapping[int, int]) -> list[Op]:
        """Return those of the ops drawn in one whose results others read, or the run gave back."""
        inside = {op.seq for op in ops}
        given = {item.tensor for item in self.record.outputs}
        readers = self.labels.shapes.writes.readers
        made_here = [(op, made[op.seq]) for op in ops if op.seq in made]
        return [op for op, number in made_here if number in given or not inside.issuperset(readers.get(number, ()))]

    def _tests(self, slot: Slot) -> list[Line]:
        """Return which way each test went that is not drawn; of many those on tensors, then those of both ways."""
        found: dict[str, list[Decision]] = {}
        for seq in slot.decisions:
            decision = self.record.decisions[seq]
            found.setdefault(decision.site.id, []).append(decision)
        lines = []
        for decisions in sorted(sorted(found.values(), key=_weight)[:MOST_TESTS], key=lambda each: each[0].seq):
            word, text = kind_and_text(decisions[0].site)
            ways = pattern([outcome_symbol(decision, short=len(decisions) > 6) for decision in decisions])
            lines.append(Line(f"{one_line(f'{word} {text}'.strip(), 40)} \u2192 {one_line(ways, 30)}", "plain"))
        more = len(found) - MOST_TESTS
        return [*lines, Line(f"and {counted(more, 'test')} more", "faint")] if more > 0 else lines

    def _parameters(self, numbers: Sequence[int]) -> list[Line]:
        """Return the parameters of a plain module, each with what came back to it."""
        by_name: dict[str, list[int]] = {}
        for each in numbers:
            by_name.setdefault(self._last_name(each), []).append(each)
        if len(by_name) > MOST_PARAMETERS:
            return self._together(numbers)
        return [self._parameter(name, each) for name, each in by_name.items()]

    def _parameter(self, name: str, numbers: Sequence[int]) -> Line:
        shapes = list(dict.fromkeys(shape_text(self.record.tensors[numbers[place]].shape) for place in (0, -1)))
        back = [line.text for line in self.labels.gradient_lines(numbers, narrow=True)]
        words = [f"{name} {' … '.join(shapes)}", *back]
        text = DOT.join(words) if len(DOT.join(words)) <= WIDEST_LINE else " ".join([name, *back])
        return Line(text, "gradient" if back else "parameter")

    def _last_name(self, number: int) -> str:
        return one_line((self.record.tensors[number].name or "parameter").rpartition(".")[2], 24)

    def _together(self, numbers: Sequence[int]) -> list[Line]:
        """Return how many parameters are not drawn, and the norm of what came back to all of them."""
        if not numbers:
            return []
        gradients = self.labels.gradients
        found = [gradients[each].value for each in numbers if each in gradients]
        stats = [stats_of(self.record.tensors[value]) for value in found if value is not None]
        norms = [each.norm for each in stats if each is not None and each.norm is not None]
        words = counted(len(numbers), "parameter")
        return [
            Line(f"{words} · grad norm {number(math.hypot(*norms), 3)}", "gradient")
            if norms
            else Line(words, "parameter")
        ]

    def _written(self, slot: Slot, known: bool = False) -> list[Line]:
        """Return the leaves that a node reads besides; known: without parameters, which stand where it ran before."""
        return written(self.labels, slot, ("parameter",) if known else ())

    def _costs(self, slot: Slot) -> list[str]:
        options, ops = self.labels.options, [self.record.ops[seq] for seq in slot.ops]
        costs = self.labels.not_recorded(slot.ops)
        if options.times and any(op.elapsed_ns for op in ops):
            costs.append(time_text(sum(op.elapsed_ns for op in ops)))
            back = sum(op.backward_ns or 0 for op in ops)
            costs += [f"backward {time_text(back)}"] * bool(back)
        if options.saved and any(op.saved_bytes for op in ops):
            costs.append(f"saves {bytes_text(sum(op.saved_bytes for op in ops))}")
        return costs


def written(labels: Labels, slot: Slot, but: Sequence[str] = ()) -> list[Line]:
    """Return the leaves that a node reads and that are drawn, or told of, where something else reads them.

    but: those of these roles.
    """
    tensors = [labels.record.tensors[each] for each in dict.fromkeys(slot.written)]
    tensors = [tensor for tensor in tensors if tensor.role not in but]
    if not tensors:
        return []
    names = list(dict.fromkeys(leaf_name([tensor]) for tensor in tensors))
    shown = names if len(names) <= 2 and len(", ".join(names)) <= 44 else [names[0], f"{len(names) - 1} more"]
    return [Line(f"with {', '.join(shown[: len(names)])}", "parameter")]


def _weight(decisions: Sequence[Decision]) -> tuple[int, bool]:
    """Return what tests are ordered by: what they depend on, then whether all went one way."""
    return min(RANK.get(each.origin, 3) for each in decisions), len({each.arm for each in decisions}) == 1
