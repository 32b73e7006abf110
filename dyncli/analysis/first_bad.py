"""Find the first NaN, Inf, overflow, exploded or vanished value or gradient, and the op that made it.

A value is bad where it is born: an op's result is, and nothing that it read was bad in the same way.
The size of a tensor is the root mean square of its elements.  A value has exploded when its size is more than `huge`
times that of the largest input or parameter, unless it is the squares of a norm whose root is not.  A value has
vanished when rounding made zero of it, and a gradient also when it is less than `tiny` of what its backward started
from.

Zeros that the mathematics or the script made are not bad: the gradient of a relu is zero where its input is negative,
that of `x * 0` everywhere.  A product whose factors are no zeros has vanished when it is one, and so has the gradient
of a saturated sigmoid.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from dyncli.analysis.writes import made_by_ops
from dyncli.records.columns import floats
from dyncli.records.model import Backward, Op, Record, Stats, TensorSummary


def _named(words: str) -> frozenset[str]:
    names = words.split()
    return frozenset([*names, *(f"{name}_" for name in names)])


#: Their result is zero only if an input is, but for underflow.
PRODUCTS = _named(
    "mul multiply div true_divide pow float_power rpow square exp exp2 sigmoid softmax prod cumprod reciprocal rsqrt "
    "sqrt erfc"
)
#: Of these, what reads a zero and still makes none.
EXPONENTIALS = _named("exp exp2 sigmoid softmax reciprocal rsqrt erfc rpow")
#: Their gradient is what they got times factors made of their inputs, and zero only if one of those is.
FACTORS = _named("mul multiply div true_divide square pow prod reciprocal rsqrt sqrt log log2 log10")
#: Their slope is zero nowhere but by rounding, far out where the curve is flat.
SATURATING = _named(
    "sigmoid tanh erf erfc logsigmoid softplus softsign gelu silu elu celu selu mish atan arctan exp exp2"
)
#: Infinite where their argument is at the end of what they are defined on.
LOGARITHMS = _named("log log2 log10 log1p logit atanh arctanh erfinv lgamma digamma xlogy polygamma mvlgamma")
#: Infinite where their divisor is zero.
QUOTIENTS = _named("div true_divide divide reciprocal rsqrt pow float_power rpow")
#: Their derivative is infinite somewhere.
STEEP = LOGARITHMS | QUOTIENTS | _named(
    "sqrt root norm vector_norm cdist dist acos asin arccos arcsin acosh hypot std var cosine_similarity"
)  # fmt: skip
#: A norm adds its squares up with one of the first and ends with one of the second.
SUMS, ROOTS = _named("sum mean"), _named("sqrt rsqrt")
DIFFERENCES = _named("sub rsub add")
#: Their result holds numbers that the script wrote.
WRITTEN = _named("full full_like new_full fill masked_fill where tensor clamp zeros ones")
#: They hand the gradient to what they chose, and zeros or next to nothing to the rest.
CHOICES = _named(
    "where masked_fill maximum minimum max min amax amin gather getitem setitem index_select select floor ceil round "
    "sign trunc heaviside dropout feature_dropout alpha_dropout "
    "log_softmax logsumexp cross_entropy"
)


#: Below this a number has lost digits.  Half precision loses them where others compute, so there only the last few
#: steps above zero count.
SMALLEST = {"float64": 2.3e-308, "float32": 1.2e-38, "bfloat16": 1.2e-38, "float16": 5e-7}
#: The step from 1 to the next number.
EPSILON = {"float64": 2.3e-16, "float32": 1.2e-7, "bfloat16": 7.9e-3, "float16": 9.8e-4}
#: How many steps of rounding a softmax hands on of a gradient that is the same for all its shares, and how many each
#: addend of a sum that cancels may have had before.
LEVEL = 8.0
NEARLY_ONE = 0.999  # the squares of shares of which one leaves the others next to nothing, added up
#: A number of this size is written to shut something out, as the -1e9 of a mask: what it makes is meant.
MEANT = 1e4
#: Keywords that hold a number an op computes with, and no dimension.
_OPERANDS = ("other", "exponent", "value", "fill_value", "alpha")
_WORDS = {"False": 0.0, "True": 1.0}


def written_numbers(op: Op) -> list[float]:
    """Return the numbers that the script wrote for an op to compute with, as in `2` and `alpha=0.5`."""
    found = []
    for word in op.args.split(", "):
        key, _, text = word.rpartition("=")
        if key and key not in _OPERANDS:
            continue
        try:
            found.append(_WORDS[text] if text in _WORDS else float(text))
        except ValueError:
            continue
    return found


def is_meant(op: Op) -> bool:
    """Return whether the script wrote the large number that makes the result large.

    A mask adds one or multiplies it by what has no gradient; a product that has one has grown.
    """
    return any(abs(number) >= MEANT for number in written_numbers(op)) and (
        op.name not in PRODUCTS or op.grad_fn is None
    )


def value_vanished(op: Op, result: Size, inputs: Sequence[Size], dtype: str) -> bool:
    """Return whether rounding alone made a result zero, or so small that its digits are gone."""
    if op.name not in PRODUCTS or not inputs or not _is_lost(result, dtype):
        return False
    if not all(each.is_finite for each in inputs):
        return False
    if op.name in EXPONENTIALS:
        return all((each.rms or 0.0) < MEANT for each in inputs)
    if op.name.startswith(("div", "true")):
        inputs = inputs[:1]
    if any(each.has_zero is not False or _is_lost(each, dtype) for each in inputs):
        return False
    return 0.0 not in written_numbers(op) or op.name.startswith("prod")


def gradient_vanished(op: Op, handed: Size, got: Size | None, inputs: Sequence[Size], place: int, dtype: str) -> bool:
    """Return whether rounding alone made zero, or nearly that, of the gradient that an op got.

    place: of the input among `inputs` whose gradient it is.
    """
    if got is None or not got.is_finite or not _is_lost(handed, dtype) or _is_lost(got, dtype):
        return False
    if op.name in SATURATING:
        return inputs[place].is_finite and (inputs[place].rms or 0.0) < MEANT
    if op.name not in FACTORS or got.has_zero is not False or 0.0 in written_numbers(op):
        return False
    factors = list(inputs)
    if op.name.startswith("mul") or (op.name.startswith(("div", "true")) and place == 0):
        del factors[place]
    return all(each.is_finite and each.has_zero is False for each in factors)


def _is_lost(size: Size, dtype: str) -> bool:
    return size.rms is not None and size.rms < SMALLEST.get(dtype, 0.0)


def is_cancelled(handed: Size, got: Size, factors: Sequence[Size], dtype: str) -> bool:
    """Return whether a gradient is a sum that is zero but for rounding, as that of a bias before a batch norm."""
    if handed.rms is None or got.rms is None or handed.count >= got.count:
        return False
    largest = max([1.0, *(each.rms for each in factors if each.rms is not None)])
    rounding = LEVEL * EPSILON.get(dtype, 0.0) * got.count / max(handed.count, 1)
    return handed.rms <= rounding * got.rms * largest


def is_level(handed: Size, got: Size, shares: Size, rows: int, dtype: str) -> bool:
    """Return whether a softmax got the same gradient for all its shares, as from their sum: it hands on rounding.

    One whose rows each have a share near 1 hands on next to nothing of any gradient, and has vanished.
    """
    if handed.rms is None or got.rms is None or shares.rms is None:
        return False
    is_saturated = shares.rms**2 * shares.count >= NEARLY_ONE * rows
    return not is_saturated and handed.rms <= LEVEL * EPSILON.get(dtype, 0.0) * got.rms


KINDS = ("NaN", "Inf", "overflow", "exploded", "vanished")
HUGE = 1e8
MOST_LOOKED = 20_000  # gradients on the ways of those that may have recovered
TINY = 1e-8


class Bad(NamedTuple):
    """A value or gradient that went bad.

    op: whose result it is, or whose backward made it; None where it came in from outside, or was written by what is no
    op.  tensor: which value, or the tensor whose gradient it is.  shown: the tensor that holds the bad numbers.
    made_of: what it was made of: the op's inputs, and of a gradient first the gradient that the op got; of a gradient
    that went bad in a sum what came to it, and `op` is the last that handed something on.
    backward: the number of the pass, of a gradient.  read_by: the first op that read what came in or was written, if
    one did.  began_in: the tensor in which an Inf began that other ops handed on, where a value is NaN for it.
    """

    kind: str
    op: int | None
    tensor: int
    shown: int
    made_of: tuple[int, ...] = ()
    backward: int | None = None
    read_by: int | None = None
    began_in: int | None = None

    @property
    def is_gradient(self) -> bool:
        """True for a gradient, False for a value."""
        return self.backward is not None


class Size:
    """Facts of a tensor's elements: how many, how large, NaN or infinite.

    is_mask: whether it is made of zeros and -inf alone, as what shuts places out of a softmax.
    """

    __slots__ = ("nan", "inf", "rms", "has_zero", "is_mask", "count")

    def __init__(self, tensor: TensorSummary) -> None:
        self.nan = self.inf = self.is_mask = False
        self.count = math.prod(tensor.shape)
        self.rms: float | None = None
        self.has_zero: bool | None = None
        stats = tensor.stats
        if stats is not None:
            self._from_stats(stats, math.prod(tensor.shape))
        elif tensor.values is not None:
            self._from_values(floats(tensor.values))

    def _from_stats(self, stats: Stats, count: int) -> None:
        self.nan, self.inf = stats.nan > 0, stats.inf > 0
        finite = count - stats.nan - stats.inf
        self.is_mask = self.inf and 0 < stats.zeros == finite
        if stats.norm is not None:
            self.rms = stats.norm / math.sqrt(max(finite, 1))
        if stats.min is not None:
            self.has_zero = stats.zeros > 0

    def _from_values(self, values: Sequence[float]) -> None:
        norm = math.hypot(*values)
        if math.isfinite(norm):
            if values:
                self.rms, self.has_zero = norm / math.sqrt(len(values)), 0.0 in values
            return
        finite = [value for value in values if math.isfinite(value)]
        self.nan = any(value != value for value in values)
        self.inf = any(math.isinf(value) for value in values)
        if finite:
            self.rms = math.hypot(*finite) / math.sqrt(len(finite))
            self.has_zero = any(value == 0 for value in finite)
            infinite = [value for value in values if math.isinf(value)]
            self.is_mask = bool(infinite) and max(infinite) < 0 and not self.nan and not any(finite)

    @property
    def is_finite(self) -> bool:
        """True if it is known and has neither NaN nor Inf."""
        return not self.nan and not self.inf and self.rms is not None


def first_bad(record: Record, huge: float = HUGE, tiny: float = TINY) -> list[Bad]:
    """Return the first of each kind of bad value and of bad gradient, in the order they happened."""
    found: dict[tuple[str, bool], Bad] = {}
    for bad in _Search(record, huge, tiny).all():
        found.setdefault((bad.kind, bad.is_gradient), bad)
    return list(found.values())


def unseen(record: Record) -> int:
    """Return how many results of ops are not known: tensors of which neither values nor a norm were recorded.

    The whole tensor that an op wrote into through a view is no result of it.
    """
    return sum(
        tensor.op is not None
        and tensor.values is None
        and tensor.stats is None
        and _is_real(tensor)
        and (tensor.role == "gradient" or tensor.id in record.ops[tensor.op].outputs)
        for tensor in record.tensors
    )


class _Search:
    def __init__(self, record: Record, huge: float, tiny: float) -> None:
        self.record, self.huge, self.tiny = record, huge, tiny
        self.sizes: dict[int, Size] = {}
        self.looked = 0
        self._began: dict[int, int] = {}  # by a tensor with Inf, the one in which that began
        self._edges = {(op, tensor): value for op, tensor, value in record.edges}
        self._ran: dict[int, set[int]] = {}  # by the number of the newest pass
        self._read_in: dict[int, dict[int, list[int]]] = {}

    def size(self, tensor: int) -> Size:
        if tensor not in self.sizes:
            self.sizes[tensor] = Size(self.record.tensors[tensor])
        return self.sizes[tensor]

    @cached_property
    def largest_source(self) -> float:
        """The size of the largest input, parameter or constant read before a backward, at least 1."""
        begun = min((backward.after for backward in self.record.backwards), default=len(self.record.ops))
        sizes = [
            self.size(self._held_then(tensor.id, 0)).rms
            for tensor in self.record.tensors
            if tensor.op is None and tensor.role not in ("gradient", "written") and _is_real(tensor)
            if tensor.role != "constant" or min(self._readers.get(tensor.id, ()), default=begun) < begun
        ]
        return max([1.0, *(size for size in sizes if size is not None)])

    def all(self) -> Iterator[Bad]:
        """Yield every bad value and gradient, in order: what is forward before its backward."""
        done = 0
        for backward in sorted(self.record.backwards, key=lambda each: (each.after, each.seq)):
            yield from self._values(self.record.ops[done : backward.after])
            done = max(done, backward.after)
            yield from self._gradients(backward)
        yield from self._values(self.record.ops[done:])
        for tensor, op, value in self.record.written:
            if op == len(self.record.ops):
                yield from self._came_in(tensor, value, None)

    # -- values

    def _values(self, ops: Iterable[Op]) -> Iterator[Bad]:
        for op in ops:
            made_of = self._read(op)
            for tensor, shown in zip(op.inputs, made_of, strict=True):
                yield from self._came_in(tensor, shown, op.seq)
            for tensor in op.outputs:
                if not _is_real(self.record.tensors[tensor]):
                    continue
                kind = self._kind(op, tensor)
                if kind is not None:
                    began_in = self._began_in(op) if kind == "NaN" else None
                    yield Bad(kind, op.seq, tensor, tensor, made_of, began_in=began_in)

    def _began_in(self, reader: Op) -> int | None:
        """Return the tensor in which an Inf began that came to an op through others, None if none did."""
        way: list[int] = []
        at, found = reader, self._inf_in(reader)
        while found is not None and found not in self._began:
            way.append(found)
            maker = self.record.tensors[found].op
            if maker is None or maker >= at.seq:
                break
            at = self.record.ops[maker]
            found = self._inf_in(at)
        began = self._began[found] if found in self._began else way[-1] if way else None
        if began is None:
            return None
        self._began.update(dict.fromkeys(way, began))
        return None if began in self._read(reader) else began

    def _inf_in(self, op: Op) -> int | None:
        return next((each for each in self._read(op) if self.size(each).inf), None)

    def _read(self, op: Op) -> tuple[int, ...]:
        """Return the tensors that stand for what an op's inputs held when it read them."""
        return tuple([self._held_then(tensor, op.seq) for tensor in op.inputs])

    def _held_then(self, tensor: int, op: int) -> int:
        written = self._written.get(tensor)
        if written is None:
            return tensor
        place = bisect_right(written, (op, len(self.record.tensors)))
        return written[place - 1][1] if place else tensor

    @cached_property
    def _written(self) -> dict[int, list[tuple[int, int]]]:
        """Return, of the tensors that were written by what is no op, (the first op after, value), in order."""
        found: dict[int, list[tuple[int, int]]] = {}
        for tensor, op, value in self.record.written:
            found.setdefault(tensor, []).append((op, value))
        for written in found.values():
            written.sort()
        return found

    def _came_in(self, tensor: int, shown: int, op: int | None) -> Iterator[Bad]:
        """Yield a NaN or Inf that an input or parameter had from the start, or that was written into it.

        A step of an optimizer may write what has exploded, too.
        """
        summary, size = self.record.tensors[tensor], self.size(shown)
        written = shown != tensor
        if written or (summary.op is None and summary.role in ("input", "parameter")):
            if size.is_mask and summary.role != "parameter":
                return
            far = written and summary.requires_grad and (size.rms or 0) > self.huge * self.largest_source
            if size.nan or size.inf or far:
                yield Bad("NaN" if size.nan else "Inf" if size.inf else "exploded", None, tensor, shown, read_by=op)

    def _kind(self, op: Op, tensor: int) -> str | None:
        size = self.size(tensor)
        inputs = [self.size(each) for each in self._read(op)]
        if size.nan:
            made = [each.nan for each, number in zip(inputs, op.inputs, strict=True) if not self._is_constant(number)]
            return None if any(made) else "NaN"
        if size.inf:
            if any(each.inf or each.nan for each in inputs) or _writes_inf(op):
                return None
            if size.is_mask and not self.record.tensors[tensor].requires_grad:
                return None
            return self._infinite(op, inputs)
        if size.rms is None or op.name in WRITTEN:
            return None
        most = self.huge * self.largest_source
        if size.rms > most and all(each.rms is None or each.rms <= most for each in inputs):
            return None if is_meant(op) or self._is_rooted(tensor, most) else "exploded"
        return "vanished" if value_vanished(op, size, inputs, self.record.tensors[tensor].dtype) else None

    def _is_rooted(self, tensor: int, most: float) -> bool:
        """Return whether a large value is that of squares in a norm: all that read it add it up and take the root."""
        readers = [self.record.ops[seq] for seq in self._readers.get(tensor, ())]
        return bool(readers) and all(
            (op.name in SUMS and all(self._is_rooted(each, most) for each in op.outputs))
            or (op.name in ROOTS and all((self.size(each).rms or 0.0) <= most for each in op.outputs))
            for op in readers
        )

    def _is_constant(self, tensor: int) -> bool:
        """Return whether a tensor stands for numbers that the script wrote: `y[0] = float("nan")`."""
        summary = self.record.tensors[tensor]
        return summary.op is None and summary.role == "constant"

    def _infinite(self, op: Op, inputs: Sequence[Size]) -> str:
        """Return whether an infinite result is one by its formula or too large for its dtype."""
        if op.name in LOGARITHMS:
            return "Inf"
        if op.name in QUOTIENTS:
            divides = op.name.startswith(("div", "true"))
            if divides and len(inputs) == 1 and 0.0 in written_numbers(op):
                return "Inf"
            if not (divides and len(inputs) == 1) and inputs[-1 if divides else 0].has_zero is not False:
                return "Inf"
        return "Inf" if not inputs else "overflow"

    # -- gradients

    def _gradients(self, backward: Backward) -> Iterator[Bad]:
        got = {each.tensor: each.value for each in backward.gradients if each.value is not None}
        edges = self._edges
        start = self._started_from(backward, got)
        reported: dict[int, str] = {}
        hooked = self._hooked(backward)
        for turn, seq in enumerate(backward.nodes or self._backwards_order()):
            op = self.record.ops[seq]
            incoming = next(iter(self._got(seq, got)), None)
            if incoming is None:  # of an op with several results it is known where it is bad
                ends = [(reader, tensor) for tensor in op.outputs for reader in self._readers.get(tensor, ())]
                incoming = next((edges[end] for end in ends if end in edges), None)
                incoming = incoming or next(iter(self._bad_ends(seq, got)), None)
            for place, tensor in enumerate(op.inputs):
                shown = edges.get((seq, tensor), got.get(tensor) if self._only_reader(tensor, seq, backward) else None)
                if shown is None or (turn in hooked and (seq, tensor) not in edges):
                    continue
                kind = self._gradient_kind(op, shown, incoming, start, place)
                if kind is None or _is_reported(reported, tensor, kind):
                    continue
                if kind in ("exploded", "vanished") and self._recovers(tensor, got, backward, start):
                    continue
                reported[tensor] = kind
                made_of = (*(() if incoming is None else (incoming,)), *self._read(op))
                yield Bad(kind, seq, tensor, shown, made_of, backward.seq)
        yield from self._sums(backward, got, edges, start, reported)

    @cached_property
    def _bad_within(self) -> list[Op]:
        """Return the ops that ran within a backward and made something bad."""
        within = (op for op in self.record.ops if op.phase == "backward")
        return [op for op in within if any(not self.size(tensor).is_finite for tensor in op.outputs)]

    def _hooked(self, backward: Backward) -> set[int]:
        """Return the turns of nodes after which a hook's op made something bad: that op is reported then."""
        bad = [op.started_ns for op in self._bad_within if op.seq >= backward.after]
        starts = backward.nodes_started_ns
        return {bisect_right(starts, time) - 1 for time in bad if starts and starts[0] <= time}

    def _sums(
        self,
        backward: Backward,
        got: dict[int, int],
        edges: dict[tuple[int, int], int],
        start: float,
        reported: dict[int, str],
    ) -> Iterator[Bad]:
        """Yield the tensors whose gradient went bad in the sum of what several ops handed on: Inf - Inf is NaN."""
        for each in backward.gradients:
            if each.value is None:
                continue
            size = self.size(each.value)
            if _is_reported(reported, each.tensor, "NaN" if size.nan else ""):
                continue
            readers = self._readers_in(backward).get(each.tensor, [])
            if not readers or (each.role == "intermediate" and (len(readers) < 2 or size.is_finite)):
                continue
            came = {seq: self._got(seq, got) or self._bad_ends(seq, got) for seq in readers}
            handed = {seq: [edges[seq, each.tensor]] for seq in readers if (seq, each.tensor) in edges}
            parts = [self.size(number) for numbers in (*came.values(), *handed.values()) for number in numbers]
            if any(part.nan or (part.inf and not size.nan) for part in parts):
                continue
            kind = self._gradient_kind(self.record.ops[readers[0]], each.value, None, start)
            if kind is not None:
                made_of = [number for numbers in (came | handed).values() for number in numbers]
                yield Bad(kind, readers[0], each.tensor, each.value, tuple(made_of[:4]), backward.seq)

    def _gradient_kind(self, op: Op, shown: int, incoming: int | None, start: float, place: int = 0) -> str | None:
        size = self.size(shown)
        before = None if incoming is None else self.size(incoming)
        if size.nan:
            return None if before is not None and before.nan else "NaN"
        if size.inf:
            if before is not None and (before.inf or before.nan):
                return None
            if any(self.size(tensor).inf for tensor in self._read(op)):
                return "Inf"  # `share` of `share * log(share)` gets the -inf that its logarithm is
            return "Inf" if op.name in STEEP else "overflow"
        if size.rms is None or (before is not None and not before.is_finite):
            return None
        known = None if before is None else before.rms
        if size.rms > self.huge * start and (known is None or known <= self.huge * start):
            return "exploded"
        inputs = [self.size(tensor) for tensor in self._read(op)]
        dtype = self.record.tensors[shown].dtype
        if known is not None and 0 < size.rms < self.tiny * start <= known:
            cancels = before is not None and self._cancels(op, size, before, place, dtype)
            return None if self._chosen(op) or cancels else "vanished"
        vanished = gradient_vanished(op, size, before, inputs, place, dtype) and not self._is_straight_through(op)
        return "vanished" if vanished else None

    def _cancels(self, op: Op, handed: Size, got: Size, place: int, dtype: str) -> bool:
        """Return whether a gradient is zero by mathematics, and what is left of it rounding."""
        if op.name != "softmax":
            factors = [self.size(each) for at, each in enumerate(self._read(op)) if at != place]
            return is_cancelled(handed, got, factors, dtype)
        shape = self.record.tensors[op.outputs[0]].shape
        dims = [int(number) for number in written_numbers(op)] or [-1]
        width = shape[dims[0]] if shape and -len(shape) <= dims[0] < len(shape) else 1
        return is_level(handed, got, self.size(op.outputs[0]), handed.count // max(width, 1), dtype)

    def _recovers(self, tensor: int, got: dict[int, int], backward: Backward, start: float) -> bool:
        """Return whether a gradient is of ordinary size again wherever its way ends: units were changed on the way.

        Where several ops handed on to one tensor, what came this way is not known.
        """
        waiting, known = [tensor], {tensor}
        while waiting:
            at = waiting.pop()
            self.looked += 1
            maker = self.record.tensors[at].op
            if self.looked > MOST_LOOKED or at not in got or not self._only_reader(at, self._readers[at][0], backward):
                return False
            before = [] if maker is None or maker not in self._nodes(backward) else self.record.ops[maker].inputs
            further = [each for each in before if each in got or self.record.tensors[each].requires_grad]
            size = self.size(got[at]).rms
            if not further and (size is None or not self.tiny * start <= size <= self.huge * start):
                return False
            waiting += [each for each in dict.fromkeys(further) if each not in known]
            known.update(further)
        return True

    def _chosen(self, op: Op) -> bool:
        """Return whether a small gradient is what the op is for: it chooses, or multiplies by what is zero."""
        if op.name in CHOICES or self._is_straight_through(op):
            return True
        return any(map(self._is_zero, self._read(op)))

    def _is_zero(self, tensor: int) -> bool:
        """Return whether a tensor is zero, or a difference of which rounding is left: `1 - gate` of an open gate."""
        rms, maker = self.size(tensor).rms, self.record.tensors[tensor].op
        if rms is None or maker is None or self.record.ops[maker].name not in DIFFERENCES:
            return rms == 0
        largest = max((self.size(each).rms or 0.0 for each in self._read(self.record.ops[maker])), default=0.0)
        return rms <= LEVEL * EPSILON.get(self.record.tensors[tensor].dtype, 0.0) * largest

    def _is_straight_through(self, op: Op) -> bool:
        """Return whether a result is there for its slope alone, as `soft` in a mask `hard + soft - soft.detach()`."""
        readers = [self.record.ops[seq].name for tensor in op.outputs for seq in self._readers.get(tensor, ())]
        return "detach" in readers and len(readers) > 1

    def _started_from(self, backward: Backward, got: dict[int, int]) -> float:
        """Return the size of what a backward started from; 1 if that is not known."""
        seed = got.get(backward.root) if backward.root is not None else None
        size = self.size(seed).rms if seed is not None else None
        return size if size else 1.0

    @cached_property
    def _readers(self) -> dict[int, list[int]]:
        readers: dict[int, list[int]] = {}
        for op in self.record.ops:
            for tensor in dict.fromkeys(op.inputs):
                readers.setdefault(tensor, []).append(op.seq)
        return readers

    def _got(self, seq: int, got: dict[int, int]) -> list[int]:
        """Return the gradients that came to an op: to its results, or to all that the view looks at that it wrote."""
        made = dict.fromkeys((*self.record.ops[seq].outputs, self._made.get(seq, -1)))
        return [got[each] for each in made if each in got]

    def _bad_ends(self, seq: int, got: dict[int, int]) -> list[int]:
        """Return what bad came to those who read an op's results."""
        readers = [reader for tensor in self.record.ops[seq].outputs for reader in self._readers.get(tensor, ())]
        return [each for reader in readers for each in self._got(reader, got) if not self.size(each).is_finite]

    @cached_property
    def _made(self) -> dict[int, int]:
        return made_by_ops(self.record)

    def _only_reader(self, tensor: int, seq: int, backward: Backward) -> bool:
        """Return whether no other op handed a gradient to `tensor`."""
        return all(other == seq for other in self._readers_in(backward).get(tensor, ()))

    def _nodes(self, backward: Backward) -> set[int]:
        if backward.seq not in self._ran:
            ran = backward.nodes or [op.seq for op in self.record.ops if op.backward_ns is not None]
            self._ran = {backward.seq: set(ran)}
        return self._ran[backward.seq]

    def _readers_in(self, backward: Backward) -> dict[int, list[int]]:
        """Return the ops by what they read, of those whose nodes ran in a pass."""
        if backward.seq not in self._read_in:
            readers: dict[int, list[int]] = {}
            for seq in sorted(self._nodes(backward)):
                for tensor in dict.fromkeys(self.record.ops[seq].inputs):
                    readers.setdefault(tensor, []).append(seq)
            self._read_in = {backward.seq: readers}
        return self._read_in[backward.seq]

    def _backwards_order(self) -> list[int]:
        """Return the ops whose node ran, the newest first, for a record that does not say their order."""
        return [op.seq for op in reversed(self.record.ops) if op.backward_ns is not None]


def _is_real(tensor: TensorSummary) -> bool:
    return tensor.dtype.startswith(("float", "bfloat"))


def _is_reported(reported: dict[int, str], tensor: int, kind: str) -> bool:
    """Return whether a tensor's gradient was reported as bad before: an infinite one that also got NaN is so twice."""
    return tensor in reported and (kind != "NaN" or reported[tensor] == "NaN")


def _writes_inf(op: Op) -> bool:
    return "inf" in op.args
