"""Text of nodes and boxes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dyncli.analysis.decisions import because, kind_and_text, outcome_symbol, strongest_origin, trips_taken
from dyncli.analysis.graph.annotations import after_loop, born_bad
from dyncli.analysis.graph.frame import Frame
from dyncli.analysis.graph.model import GraphOptions, Line
from dyncli.analysis.graph.shapes import Shapes
from dyncli.analysis.graph.slots import Slot
from dyncli.analysis.pattern import letters, pattern
from dyncli.analysis.recorded import unrecorded
from dyncli.analysis.values import (
    array_text,
    bytes_text,
    ends,
    number,
    seeds,
    shape_text,
    site_place,
    spread,
    stats_of,
    time_text,
)
from dyncli.records.model import Decision, Gradient, Record, Site, TensorSummary
from dyncli.records.text import dotted, one_line

SMALL = 6
WIDEST_SPAN = 36
WIDEST_ERROR = 64
AGAIN = {"backward": "of a derivative", "recompute": "computed again"}  # what runs in another phase
NARROW = 28
MOST_GOES = 4  # of a loop come to several times, whose rounds are told one by one
MOST_TESTS = 2
MOST_SPANS = 4
_WORDS = re.compile(r"\w+|\W")
NO_GRAD = "no_grad"
DOT = " · "
ARROW = "→ "


class Labels:
    """Writes the words of one drawing."""

    def __init__(self, record: Record, shapes: Shapes, options: GraphOptions, frames: Sequence[Frame]) -> None:
        self.record, self.shapes, self.options, self.frames = record, shapes, options, frames
        self.gradients: dict[int, Gradient] = {}
        for backward in sorted(record.backwards, key=lambda one: one.by == "grad"):
            for gradient in backward.gradients:
                if gradient.role in ("input", "parameter") or options.grads:
                    self._note(gradient, backward.by == "grad")
        self.born = dict(born_bad(record))
        self.unrecorded = unrecorded(record)
        self.failed = {op.seq: op.error for op in record.ops if op.error}
        for backward in record.backwards:
            if backward.failed is not None:
                self.failed.setdefault(backward.failed, f"backward raised: {backward.error}")
        self.flowed: dict[int, list[int]] = {}
        along = {(op, tensor): gradient for op, tensor, gradient in record.edges} or dict(self._single())
        self.sent: dict[int, list[tuple[int, int]]] = {}
        for (op, tensor), gradient_tensor in along.items():
            self.sent.setdefault(tensor, []).append((op, gradient_tensor))
        for _, tensor, gradient_tensor in record.edges:
            self.flowed.setdefault(tensor, []).append(gradient_tensor)
        self.flowed = {tensor: numbers for tensor, numbers in self.flowed.items() if len(numbers) == 1}

    def _note(self, gradient: Gradient, returned: bool) -> None:
        """Store the last gradient of each tensor.

        One that `autograd.grad` returned is stored only if no other came.
        """
        known = self.gradients.get(gradient.tensor)
        if known is None or (gradient.value is not None and not (returned and known.value is not None)):
            self.gradients[gradient.tensor] = gradient

    def _single(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield ((op, tensor), gradient) where a record without edges tells it: of a tensor that one op reads once."""
        if not self.options.grads:
            return
        counts = Counter(number for op in self.record.ops for number in op.inputs)
        begun = seeds(self.record)
        for op in self.record.ops:
            for read in op.inputs:
                gradient = self.gradients.get(read)
                if counts[read] == 1 and read not in begun and gradient is not None and gradient.value is not None:
                    yield (op.seq, read), gradient.value

    def place(self, site: Site) -> str:
        """Return where a site stands: `line 12`, and of another file than the model script `layers.py:12`."""
        return site_place(site, self.record.model)

    def op(self, slot: Slot) -> tuple[str, str, tuple[Line, ...], bool]:
        """Return name, rest, lines and whether it failed."""
        ops = [self.record.ops[seq] for seq in slot.ops]
        first = ops[0]
        arguments = ends(op.args for op in ops).strip()  # `0 …` where the first alone added a number
        made = self.shapes.writes.made
        outputs = [made[op.seq] for op in ops if op.seq in made]
        lines = [Line(self.tensors([self.record.tensors[n] for n in outputs]))] if outputs else []
        failed = next((self.failed[op.seq] for op in ops if op.seq in self.failed), None)
        if failed is not None:
            lines.append(Line(one_line(failed, WIDEST_ERROR), "error"))
        lines += [Line(self.born[op.seq], "error") for op in ops if op.seq in self.born]
        if outputs:
            lines += self._of_outputs([(made[op.seq], *op.outputs[1:]) for op in ops if op.outputs])
        facts = [self.place(first.site)]
        if len(ops) > 1:
            facts.append(f"x{len(ops):,}")
        facts += self.not_recorded(slot.ops)
        if first.phase in AGAIN:
            facts.append(AGAIN[first.phase])
        if any(len(op.outputs) > 1 for op in ops):
            facts.append(f"the first of {ends(str(len(op.outputs)) for op in ops)} outputs")
        if self.options.times and any(op.elapsed_ns for op in ops):
            facts.append(time_text(sum(op.elapsed_ns for op in ops)))
            facts += [f"backward {time_text(sum(op.backward_ns or 0 for op in ops))}"] * any(
                op.backward_ns for op in ops
            )
        if self.options.saved and any(op.saved_bytes for op in ops):
            facts.append(f"saves {bytes_text(sum(op.saved_bytes for op in ops))}")
        lines.append(Line(DOT.join(facts), "faint"))
        rest = one_line(arguments, 28)
        names = [self.record.tensors[number].name or "" for number in (*outputs[:1], *outputs[-1:])]
        if names and names[0]:
            rest = f"{rest} {ARROW}{spanned(names[0], names[-1] or names[0])}".lstrip()
        return one_line(first.name, 32), rest, tuple(lines), failed is not None

    def not_recorded(self, ops: Sequence[int]) -> list[str]:
        """Return whether ops that could have been recorded for backward ran under `no_grad`, or how many of them."""
        record = self.record
        if self.unrecorded.isdisjoint(ops):
            return []
        able = [seq for seq in ops if any(record.tensors[n].dtype[0] in "fc" for n in record.ops[seq].outputs)]
        count = sum(seq in self.unrecorded for seq in able)
        return [NO_GRAD if count == len(able) else f"{NO_GRAD} in {count:,} of {len(able):,}"] if count else []

    def leaf_made(self, slot: Slot) -> str:
        """Return the variable of ops that made leaves for gradients to come to: what a script trains."""
        ops, tensors = self.record.ops, self.record.tensors
        made = [tensors[ops[seq].outputs[0]] for seq in slot.ops if ops[seq].outputs and not ops[seq].inputs]
        leaves = [each for each in made if each.name and each.requires_grad and each.role in ("input", "parameter")]
        return spanned(leaves[0].name or "", leaves[-1].name or "") if leaves and len(leaves) == len(slot.ops) else ""

    def decision(self, slot: Slot) -> tuple[str, str, tuple[Line, ...]]:
        """Return name, rest and lines of a diamond."""
        decisions = [self.record.decisions[seq] for seq in slot.decisions]
        first = decisions[0]
        word, rest = kind_and_text(first.site)
        word, rest = (word, rest) if word else (one_line(rest, 60), "")
        facts = [self.place(first.site)]
        why = because(decisions, names=False, point=False)
        origin = strongest_origin((first, decisions[-1]))
        if origin != "tensor":
            why += f" ({origin_words(origin)})"
        margins = [d.margin for d in decisions if d.margin is not None and d.margin == d.margin]
        margin = [f"margin {number(min(margins, key=abs), 3)}"] if margins else []
        forced = ["forced"] * any(d.forced for d in decisions)
        if len(decisions) == 1 and len(why) < 24:
            return word, one_line(rest, 90), (Line(DOT.join([*facts, why, *margin, *forced]), "plain"),)
        taken = ""
        if len(decisions) > 1:
            symbols = [outcome_symbol(d, short=len(decisions) > 12) for d in decisions]
            taken = pattern(symbols) if first.trips is None else trips_taken(decisions)
        head = DOT.join(filter(None, [*facts, taken]))
        tail = DOT.join([*margin, *forced])
        return word, one_line(rest, 90), tuple(Line(text, "plain") for text in (head, one_line(why, 80), tail) if text)

    def leaf(self, slot: Slot) -> tuple[str, str, tuple[Line, ...]]:
        """Return name, rest and lines of an input, a parameter or a constant."""
        tensors = [self.record.tensors[number] for number in slot.tensors]
        name = leaf_name(tensors)
        alike = len({(tensor.dtype, len(tensor.shape)) for tensor in tensors}) == 1
        lines = [Line(self.tensors(tensors))] if alike else []
        lines += self.gradient_lines(slot.tensors)
        return name, f"x{len(tensors)}" if len(tensors) > 1 else "", tuple(lines)

    def frame(self, frame: Frame) -> tuple[str, str]:
        """Return name and rest of a box."""
        times = len(frame.scopes)
        if frame.kind == "loop":
            word, text = kind_and_text(frame.site) if frame.site is not None else (one_line(frame.name, 48), "")
            own = frame.decision is not None and frame.site is not None and frame.site.kind == "while"
            if not word and text.startswith("for "):
                word, text = "for", text[4:]
            place = self.place(frame.site) if frame.site is not None and not own else ""
            facts = ["" if own else one_line(text, 48), place, f"x {times:,}{self._goes(frame)}", self._pattern(frame)]
            drawn = {self.record.scopes[scope].decision for scope in frame.scopes}
            facts.append(after_loop(self.record, frame.site, drawn))
            return word or "loop", DOT.join(filter(None, facts))
        if frame.kind == "kind":
            loop = self.frames[frame.parent or 0]
            names = self.letters(loop)
            facts = [f"x {times:,}", self._told_by(loop, frame), self._steps(loop, frame)]
            return names[self.shapes.shape[frame.scopes[0]]], DOT.join(filter(None, facts))
        place = self.place(frame.site) if frame.site is not None and frame.kind == "call" else ""
        name = spanned(frame.name, frame.last_name or frame.name)
        return name, DOT.join(filter(None, [place, f"x {times:,}" if times > 1 else ""]))

    def _rounds(self, loop: Frame) -> list[list[int]]:
        """Return the iterations of a loop, those of each time it was come to by themselves."""
        rounds: dict[int | None, list[int]] = {}
        for scope in loop.scopes:
            rounds.setdefault(self.record.scopes[scope].parent, []).append(scope)
        return list(rounds.values())

    def _pattern(self, loop: Frame) -> str:
        """Return what the iterations were, in letters; of a loop come to several times, the first and the last time."""
        names = self.letters(loop)
        if len(names) < 2:
            return ""
        if not any(frame.kind == "kind" and frame.parent == loop.number for frame in self.frames):
            return f"{len(names)} kinds of step"  # a letter says nothing where its kind is not drawn
        each = [letters([names[self.shapes.shape[scope]] for scope in scopes]) for scopes in self._rounds(loop)]
        return ends(each)

    def _goes(self, loop: Frame) -> str:
        """Return how often a loop went round each time it was come to, if that was more than once: ` = 5 + 4 + 7`."""
        counts = [len(scopes) for scopes in self._rounds(loop)]
        if len(counts) == 1:
            return ""
        if len(set(counts)) == 1:
            return f" = {len(counts):,} x {counts[0]:,}"
        return f" = {' + '.join(map(str, counts))}" if len(counts) <= MOST_GOES else f" in {len(counts):,} goes"

    def _told_by(self, loop: Frame, kind: Frame) -> str:
        """Return the tests that went one way in these iterations and another way in others: `v < 0 False`."""
        ways: dict[str, set[str]] = {}
        for scope in dict.fromkeys(self._first_of_shapes(loop).values()):
            for site, arm in self._arms_in(scope):
                ways.setdefault(site, set()).add(arm)
        own = dict(self._arms_in(kind.scopes[0]))
        telling = [f"{one_line(site, 40)} {arm}" for site, arm in own.items() if len(ways.get(site, ())) > 1]
        return ", ".join(telling[:MOST_TESTS])

    def _arms_in(self, scope: int) -> list[tuple[str, str]]:
        """Return (test, arm) of each decision made directly in a scope, or in an arm of it, but for loops."""
        inside = [scope, *(c for c in self.shapes.children_of[scope] if self.record.scopes[c].kind == "arm")]
        decisions = sorted((d for each in inside for d in self.shapes.decisions_of[each]), key=lambda d: d.seq)
        return [(kind_and_text(d.site)[1], arm_word(d, d.arm)) for d in decisions if d.trips is None]

    def _steps(self, loop: Frame, kind: Frame) -> str:
        """Return which iterations these are, of a loop that was come to once: `steps 0, 2 to 5`."""
        if len(self._rounds(loop)) > 1:
            return ""
        numbers = [index for scope in kind.scopes if (index := self.record.scopes[scope].index) is not None]
        spans: list[tuple[int, int]] = []
        for step in sorted(numbers):
            if spans and spans[-1][1] == step - 1:
                spans[-1] = (spans[-1][0], step)
            else:
                spans.append((step, step))
        words = [str(a) if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in spans[:MOST_SPANS]]
        more = ", \u2026" if len(spans) > MOST_SPANS else ""
        return f"step{'s' * (len(numbers) > 1)} {', '.join(words)}{more}" if words else ""

    def _first_of_shapes(self, loop: Frame) -> dict[int, int]:
        return {self.shapes.shape[scope]: scope for scope in reversed(loop.scopes)}

    def letters(self, loop: Frame) -> dict[int, str]:
        """Return a letter for each shape of iterations: T and F where one test tells two apart, else A, B, C."""
        shapes = list(dict.fromkeys(loop.pattern))
        first = self._first_of_shapes(loop)
        if len(shapes) == 2:
            sides = [[d.outcome for d in self.shapes.decisions_of[first[shape]]] for shape in shapes]
            if all(len(side) == 1 and isinstance(side[0], bool) for side in sides) and sides[0] != sides[1]:
                return {shape: str(side[0])[0] for shape, side in zip(shapes, sides, strict=True)}
        return {shape: chr(ord("A") + place) if place < 26 else "…" for place, shape in enumerate(shapes)}

    def tensors(self, tensors: Sequence[TensorSummary]) -> str:
        """Return dtype, shape and values of one tensor, or what several share and their first and last values."""
        shapes = spread([tensor.shape for tensor in tensors], shape_text, tuple.__eq__)
        head = f"{one_line(tensors[0].dtype, 16)} {' … '.join(shapes)}"
        span = self._span(tensors)
        return DOT.join([head, span]) if span else head

    def _span(self, tensors: Sequence[TensorSummary], whole: bool = True) -> str:
        """Return the values of the first and the last of several, their ranges where that is too wide, or nothing.

        One between stands there too if both ends are alike and it is not; where that is too wide, the range of all.
        whole: larger values too, where the options want them.
        """
        values: list[str] = []
        for write in (self.values if whole else short_values, _range):
            values = [*filter(None, spread(tensors, write, _held_alike))]
            span = " … ".join(values)
            if len(values) == 1 or len(span) <= WIDEST_SPAN:
                return span
        return range_of_all(tensors) if len(values) > 2 else ""

    def values(self, tensor: TensorSummary) -> str:
        """Return the values of a small tensor; of a larger one its range."""
        return short_values(tensor, 64, 400) if self.options.values else short_values(tensor)

    def came_back(self, numbers: Sequence[int]) -> list[int]:
        """Return the gradients that came back to these tensors, those that are known."""
        found = [self.gradients[number] for number in numbers if number in self.gradients]
        if found or not self.options.grads:
            return [gradient.value for gradient in found if gradient.value is not None]
        return [flowed[-1] for number in numbers if (flowed := self.flowed.get(number))]

    def gradient_lines(self, numbers: Sequence[int], narrow: bool = False, some: str = "") -> list[Line]:
        """Return what came back to these tensors, if anything is known about it.

        narrow: its range rather than much.  some: to how many of them, where it is not all.
        """
        values = self.came_back(numbers)
        if values:
            found = [self.record.tensors[value] for value in values]
            span = self._span(found)
            span = span if span and not (narrow and len(span) > NARROW) else range_of_all(found)
            return [Line(f"grad {span}{some}{self._held(numbers)}", "gradient")]
        reasons = [self.gradients[number].reason for number in numbers if number in self.gradients]
        return [Line(f"no grad: {one_line(reasons[0] or '', 48)}", "gradient")] if reasons else []

    def _held(self, numbers: Sequence[int]) -> str:
        """Return what `.grad` of one leaf held after its backward, where that is the sum of several."""
        gradient = self.gradients.get(numbers[0]) if len(numbers) == 1 else None
        if gradient is None or gradient.held is None:
            return ""
        return f", summed over {gradient.passes}: {self._span([self.record.tensors[gradient.held]])}"

    def _of_outputs(self, each: Sequence[Sequence[int]]) -> list[Line]:
        """Return what came back to the first outputs of ops, whose values are told; to a later one where none did."""
        for place in range(max(len(numbers) for numbers in each)):
            numbers = [(one[place],) for one in each if place < len(one)]
            if place == 0 or any(self.came_back(one) for one in numbers):
                lines = self.gradients_of(numbers)
                if lines:
                    return [lines[0]._replace(text=f"output {place + 1}: {lines[0].text}")] if place else lines
        return []

    def gradients_of(self, each: Sequence[Sequence[int]]) -> list[Line]:
        """Return what came back to the results of ops drawn as one, and to how many of the ops if not to all."""
        graded = sum(1 for numbers in each if self.came_back(numbers)) if self.options.grads and len(each) > 1 else 0
        some = f" in {graded:,} of {len(each):,}" if 0 < graded < len(each) else ""
        return self.gradient_lines([number for numbers in each for number in numbers], some=some)

    def gradient_along(self, ops: Sequence[int], tensors: Sequence[int]) -> str:
        """Return the gradient that the ops handed to these tensors, of several the first and the last."""
        senders = set(ops)
        found = [one for tensor in dict.fromkeys(tensors) for one in self.sent.get(tensor, ()) if one[0] in senders]
        if not found:
            return ""
        sent_back = [self.record.tensors[number] for _, number in sorted(found)]
        return self._span(sent_back, whole=False) or range_of_all(sent_back)


def short_values(tensor: TensorSummary, most: int = SMALL, width: int = 44) -> str:
    """Return the values of a tensor of at most `most` elements; of a larger one its range."""
    if tensor.values is not None and len(tensor.values) <= most:
        text = array_text(tensor.values, tensor.shape)
        if len(text) <= width or len(tensor.values) == 1:
            return one_line(text, width)
    stats = stats_of(tensor)
    if stats is None:
        return ""
    words = []
    if stats.min is not None and stats.max is not None:
        low, high = number(stats.min, 3), number(stats.max, 3)
        words = [f"all {low}" if low == high else f"{low} to {high}"]
    words += [f"{count:,} {word}" for count, word in ((stats.nan, "NaN"), (stats.inf, "Inf")) if count]
    return ", ".join(words)


def _range(tensor: TensorSummary) -> str:
    return short_values(tensor, 1)


def range_of_all(tensors: Sequence[TensorSummary]) -> str:
    """Return between what the elements of several tensors lie, or what the first held where that is not known."""
    stats = [stats_of(tensor) for tensor in tensors]
    low = [each.min for each in stats if each is not None and each.min is not None]
    high = [each.max for each in stats if each is not None and each.max is not None]
    if not low or not high or len(tensors) == 1:
        return _range(tensors[0])
    return f"{number(min(low), 3)} to {number(max(high), 3)}"


def _held_alike(one: TensorSummary, other: TensorSummary) -> bool:
    return one.values == other.values and one.stats == other.stats and one.shape == other.shape


def arm_word(decision: Decision, arm: str) -> str:
    """Return how an arm is written on its edge: True or False for a test, otherwise its name."""
    arms = decision.site.arms
    if isinstance(decision.outcome, bool) and len(arms) == 2:
        return "True" if (arm == decision.arm) == decision.outcome else "False"
    return one_line(arm, 32)


def origin_words(origin: str) -> str:
    """Return what a test that saw no tensor depends on; `~` marks what is told by the source."""
    words = one_line(origin, 20)
    return f"probably {words[:-1]}" if words.endswith("~") else words


def leaf_name(tensors: Sequence[TensorSummary]) -> str:
    """Return the name of a leaf, or of several that were numbered: `h[0] … h[23]`."""
    first, last = tensors[0].name or "", tensors[-1].name or ""
    if not first:
        return tensors[0].role
    return spanned(first, last)


def spanned(first: str, last: str) -> str:
    """Return one name for all from `first` to `last`: `h[0 … 23]`."""
    if first == last:
        return dotted(first, 48)
    one, two = _WORDS.findall(first), _WORDS.findall(last)
    shorter = max(min(len(one), len(two)) - 1, 0)
    start = next((i for i in range(shorter) if one[i] != two[i]), shorter)
    end = next((i for i in range(shorter - start) if one[-1 - i] != two[-1 - i]), shorter - start)
    middle = f"{''.join(one[start : len(one) - end])} … {''.join(two[start : len(two) - end])}"
    return dotted("".join(one[:start]) + middle + "".join(one[len(one) - end :]), 64)
