"""Peak memory of the tensors of a run, by a simulation over their lifetimes.

A tensor lives from the op that makes it to the last op that reads it; what is held for backward lives until that op's
backward has run for the last time, or, if it never runs, as long as anything made from the op's result; what a
checkpoint computes again is held for the backward that follows at once, up to the next checkpoint's.  Inputs and
parameters live throughout, a constant from the first op that reads it, as does a parameter that is replaced by one of
another shape; outputs and gradients of inputs and parameters live to the end, a gradient that `autograd.grad` returned
to the last op that reads it.  A view takes no memory of its own.  In backward an op's gradient has the size of its
result, and lives from the first node that adds to it until its own node has run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from dyncli.records.model import Op, Record
from dyncli.records.sizes import size_bytes


class Held(NamedTuple):
    """Memory that was taken at the fullest moment.

    tensor: whose; of a gradient, the tensor it is the gradient of; None for what an op holds besides tensors.
    op: what made it, or holds it.  why: input, parameter, constant, output, value, backward, gradient or returned.
    """

    size_bytes: int
    why: str
    tensor: int | None = None
    op: int | None = None


class Moment(NamedTuple):
    """A step of the run and the bytes taken during it.  op: what ran; backward: the number of the pass, or None."""

    size_bytes: int
    op: int | None = None
    backward: int | None = None


class Memory(NamedTuple):
    """The fullest moment, what was held then, the largest first, and every moment in order.

    most_saved: the most bytes that were held for backward at one time, whoever else held them too.
    """

    peak: Moment
    held: tuple[Held, ...] = ()
    moments: tuple[Moment, ...] = ()
    most_saved: int = 0


def memory(record: Record) -> Memory:
    """Return the memory over the steps of a run; of several fullest moments the first."""
    steps = list(_steps(record))
    if not steps:
        return Memory(Moment(0))
    lives = _Lives(record, steps)
    spans = [(begin, max(begin, end), each) for begin, end, each in lives.spans()]
    changes = [0] * (len(steps) + 1)
    for begin, end, each in spans:
        changes[begin] += each.size_bytes
        changes[end + 1] -= each.size_bytes
    taken, now = [], 0
    for change in changes[:-1]:
        now += change
        taken.append(now)
    moments = tuple(Moment(size, op, backward) for size, (op, backward) in zip(taken, steps, strict=True))
    fullest = max(range(len(moments)), key=lambda place: (moments[place].size_bytes, -place))
    held = [each for begin, end, each in spans if begin <= fullest <= end and each.size_bytes]
    held.sort(key=lambda each: (-each.size_bytes, -1 if each.op is None else each.op, each.tensor or 0, each.why))
    return Memory(moments[fullest], tuple(held), moments, lives.most_saved())


def _steps(record: Record) -> Iterator[tuple[int, int | None]]:
    """Yield (op, None) for each op and (op, pass) for each backward node, in the order they ran.

    What a checkpoint runs again, it runs inside the node that asks for it: that comes before the node.
    """
    done = 0
    for backward in sorted(record.backwards, key=lambda each: (each.after, each.seq)):
        yield from ((seq, None) for seq in range(done, backward.after))
        done = max(done, backward.after)
        for seq, started, elapsed in zip(
            backward.nodes, backward.nodes_started_ns, backward.nodes_elapsed_ns, strict=True
        ):
            while done < len(record.ops) and _ran_again(record.ops[done], started + elapsed):
                yield done, None
                done += 1
            yield seq, backward.seq
    yield from ((seq, None) for seq in range(done, len(record.ops)))


def _ran_again(op: Op, before: int) -> bool:
    return op.phase == "recompute" and op.started_ns < before


class _Lives:
    """From which step to which each piece of memory is taken."""

    def __init__(self, record: Record, steps: list[tuple[int, int | None]]) -> None:
        self.record = record
        self.end = len(steps) - 1
        self.sizes = [size_bytes(tensor) for tensor in record.tensors]
        self.made: dict[int, int] = {}
        self.ran: dict[int, int] = {}
        self.passes: dict[int, list[tuple[int, int]]] = {}
        for step, (seq, backward) in enumerate(steps):
            if backward is None:
                self.made[seq] = step
            else:
                self.ran[seq] = step
                self.passes.setdefault(backward, []).append((step, seq))
        self.again = self._again(steps)
        self.owner = self._owners()
        self.brief = self._brief()
        self.came = self._came()
        self.until = self._until()

    def _again(self, steps: list[tuple[int, int | None]]) -> dict[int, int]:
        """Return for each op that a checkpoint ran again the last step of the backward that asked for it."""
        until: dict[int, int] = {}
        end, in_burst = self.end, False
        for step in range(self.end, -1, -1):
            seq, backward = steps[step]
            if backward is None and self.record.ops[seq].phase == "recompute":
                until[seq], in_burst = end, True
            elif backward is None or in_burst:
                end, in_burst = step - (backward is None), False
        return until

    def _owners(self) -> list[int]:
        """Return for each tensor the one whose memory it looks at."""
        owner: list[int] = []
        for place, tensor in enumerate(self.record.tensors):
            owner.append(place if tensor.shares is None else owner[tensor.shares])
        return owner

    def _brief(self) -> set[int]:
        """Return the constants, and the parameters of one name that have unlike shapes: of a layer that grows."""
        shapes: dict[str | None, set[tuple[int, ...]]] = {}
        for tensor in self.record.tensors:
            if tensor.role == "parameter" and tensor.name:
                shapes.setdefault(tensor.name, set()).add(tensor.shape)
        return {
            tensor.id
            for tensor in self.record.tensors
            if tensor.role == "constant" or (tensor.role == "parameter" and len(shapes.get(tensor.name, ())) > 1)
        }

    def _came(self) -> dict[int, int]:
        """Return for each piece of memory that is not there throughout the step that first reads it."""
        came: dict[int, int] = {}
        for op in self.record.ops:
            for tensor in op.inputs:
                if tensor in self.brief:
                    came.setdefault(self.owner[tensor], self.made[op.seq])
        return came

    def _until(self) -> dict[int, tuple[int, str]]:
        """Return for each piece of memory the step it is last needed in, and why it still is."""
        until: dict[int, tuple[int, str]] = {}

        def needed(tensor: int, step: int, why: str) -> None:
            place = self.owner[tensor]
            if step >= until.get(place, (-1, ""))[0]:
                until[place] = step, why

        for op in self.record.ops:
            for tensor in (*op.outputs, *op.inputs):
                needed(tensor, self.made[op.seq], "value")
        given = {self.owner[item.tensor] for item in self.record.outputs if item.tensor is not None}
        until |= dict.fromkeys(given, (self.end, "output"))
        self.graphs = self._graphs(until)
        for op in self.record.ops:
            for tensor in op.saved:
                if self.owner[tensor] not in given:
                    needed(tensor, self._freed(op.seq), "backward")
        return until

    def _freed(self, seq: int) -> int:
        """Return the step at which an op no longer holds anything for backward."""
        return self.again.get(seq, self.ran.get(seq, self.graphs.get(seq, self.made[seq])))

    def _graphs(self, until: dict[int, tuple[int, str]]) -> dict[int, int]:
        """Return for each op with a node the step until which something made from its result is alive."""
        lives: dict[int, int] = {}
        for op in reversed(self.record.ops):
            if op.grad_fn is None:
                continue
            own = max((until.get(self.owner[tensor], (0, ""))[0] for tensor in op.outputs), default=0)
            lives[op.seq] = max(lives.get(op.seq, 0), own, self.made[op.seq])
            for tensor in op.inputs:
                maker = self.record.tensors[tensor].op
                if maker is not None:
                    lives[maker] = max(lives.get(maker, 0), lives[op.seq])
        return lives

    def spans(self) -> Iterator[tuple[int, int, Held]]:
        """Yield (first step, last step, what) for every piece of memory."""
        of_gradients = {gradient.value for backward in self.record.backwards for gradient in backward.gradients}
        of_gradients |= {number for _, _, number in self.record.edges}
        for place, tensor in enumerate(self.record.tensors):
            if tensor.role == "gradient" or place in of_gradients or self.owner[place] != place:
                continue
            if tensor.op is None and (place not in self.brief or place in self.until):
                begin, end = 0, self.end
                if place in self.brief:
                    begin, end = self.came.get(place, 0), self.until[place][0]
                yield begin, end, Held(self.sizes[place], tensor.role, place)
            elif tensor.op is not None:
                end, why = self.until.get(place, (0, "value"))
                yield self.made[tensor.op], end, Held(self.sizes[place], why, place, tensor.op)
        for op in self.record.ops:
            own = op.saved_bytes - sum([self.sizes[tensor] for tensor in op.saved])
            if op.grad_fn is not None and own > 0:
                end = self._freed(op.seq)
                yield self.made[op.seq], end, Held(own, "backward", None, op.seq)
        yield from self._gradients()

    def most_saved(self) -> int:
        """Return the most bytes held for backward at one time."""
        spans: dict[tuple[str, int], list[tuple[int, int]]] = {}
        sizes: dict[tuple[str, int], int] = {}
        for op in self.record.ops:
            if op.grad_fn is None:
                continue
            span = self.made[op.seq], self._freed(op.seq)
            own = op.saved_bytes - sum([self.sizes[tensor] for tensor in op.saved])
            held = [(("tensor", self.owner[tensor]), self.sizes[tensor]) for tensor in op.saved]
            for key, size in (*held, (("op", op.seq), own)):
                spans.setdefault(key, []).append(span)
                sizes[key] = max(sizes.get(key, 0), size)
        changes: dict[int, int] = {}
        for key, ranges in spans.items():
            until = -1
            for begin, end in sorted(ranges):
                if end > until:
                    start = max(begin, until + 1)
                    changes[start] = changes.get(start, 0) + sizes[key]
                    changes[end + 1] = changes.get(end + 1, 0) - sizes[key]
                    until = end
        return max(accumulate([changes[step] for step in sorted(changes)]), default=0)

    def _gradients(self) -> Iterator[tuple[int, int, Held]]:
        kept: dict[int, int] = {}
        for backward in self.record.backwards:
            ran = self.passes.get(backward.seq, [])
            inside = {seq for _, seq in ran}
            first: dict[int, int] = {}
            leaves: dict[int, int] = {}
            for step, seq in ran:
                op = self.record.ops[seq]
                for tensor in op.inputs:
                    maker = self.record.tensors[tensor].op
                    if maker is not None and maker in inside:
                        first.setdefault(maker, step)
                    elif self.record.tensors[tensor].requires_grad:
                        leaves.setdefault(tensor, step)
            for step, seq in ran:
                op = self.record.ops[seq]
                size = sum([self.sizes[tensor] for tensor in op.outputs])
                yield first.get(seq, ran[0][0]), step, Held(size, "gradient", next(iter(op.outputs), None), seq)
            for gradient in backward.gradients:
                if gradient.value is None or gradient.role == "intermediate":
                    continue
                begin = leaves.get(gradient.tensor, ran[-1][0] if ran else self.end)
                if backward.by == "grad":
                    end = self.until.get(self.owner[gradient.value], (begin, ""))[0]
                    yield begin, end, Held(self.sizes[gradient.tensor], "returned", gradient.tensor)
                else:
                    kept.setdefault(gradient.tensor, begin)
        for tensor, step in kept.items():
            yield step, self._leaf_until(tensor, step), Held(self.sizes[tensor], "gradient", tensor)

    def _leaf_until(self, tensor: int, step: int) -> int:
        """Return the step until which a leaf's `.grad` is there: as long as a leaf that the run made is needed."""
        if self.record.tensors[tensor].op is None:
            return self.end
        return max(step, self.until.get(self.owner[tensor], (self.end, ""))[0])
