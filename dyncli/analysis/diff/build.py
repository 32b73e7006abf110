"""The comparison of two runs, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from dyncli.analysis.changes import Change, gradient_changes, input_changes, output_changes
from dyncli.analysis.diff.align import aligned
from dyncli.analysis.diff.model import EXACT, Counts, Diff, Flow, Pair
from dyncli.analysis.diff.parting import parting
from dyncli.analysis.diff.sites import Keys
from dyncli.analysis.diff.values import Tolerance, is_known
from dyncli.records.model import Backward, Decision, Record


def diff(a: Record, b: Record, tolerance: Tolerance = EXACT) -> Diff:
    """Return what differs between two runs of one script, or of two versions of it."""
    keys = Keys(a, b)
    decisions, ops = aligned(a, b, keys)
    compared = _Values(a, b, tolerance)
    differing = [pair for pair in decisions if not _is_one_way(a, b, pair)]
    unequal = [pair for pair in ops if not compared.ops(pair)]
    every_flow = list(_flows(a, b, ops))
    differing_flows = [flow for flow in every_flow if not compared.flows(flow)]
    outputs, gradients = output_changes(a, b), gradient_changes(a, b, last=False)
    choices = list(_choices(a, b, ops))
    rerouted = [pair for pair in choices if not _picks_alike(a, b, pair)]
    counts = {
        "decisions": _counted(decisions, differing),
        "choices": _counted(choices, rerouted),
        "ops": _counted(ops, unequal, compared.unknown),
        "outputs": _named(outputs, tolerance.changes),
        "gradients": _named(gradients, tolerance.changes),
        "op_gradients": _flowing(every_flow, differing_flows),
    }
    return Diff(
        a=a,
        b=b,
        tolerance=tolerance,
        parting=parting(a, b, keys),
        decisions=tuple(differing),
        ops=tuple(unequal),
        outputs=tuple(each for each in outputs if not tolerance.changes(each)),
        gradients=tuple(each for each in gradients if not tolerance.changes(each)),
        flows=tuple(differing_flows),
        inputs=tuple(each for each in input_changes(a, b) if not tolerance.changes(each)),
        counts=counts,
        same_end=_end(a) == _end(b),
        choices=tuple(rerouted),
        changed=keys.changed,
        share=keys.share,
    )


def _is_one_way(a: Record, b: Record, pair: Pair) -> bool:
    """Return True if both runs decided, and alike."""
    if pair.a is None or pair.b is None:
        return False
    return _way(a.decisions[pair.a]) == _way(b.decisions[pair.b])


def _way(decision: Decision) -> tuple[object, ...]:
    return decision.arm, decision.trips, decision.exit


def _choices(a: Record, b: Record, ops: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the numbers of the choices that the ops of each pair made."""
    first, second = ({choice.op: place for place, choice in enumerate(record.choices)} for record in (a, b))
    if first or second:
        for pair in ops:
            made = Pair(*(None if n is None else places.get(n) for n, places in zip(pair, (first, second))))
            if made != (None, None):
                yield made


def _picks_alike(a: Record, b: Record, pair: Pair) -> bool:
    """Return True if both runs chose, and picked the same."""
    if pair.a is None or pair.b is None:
        return False
    first, second = a.choices[pair.a], b.choices[pair.b]
    return (first.of, first.counts, first.picked) == (second.of, second.counts, second.picked)


class _Values:
    """Compares ops; `unknown` counts those that agree as far as was kept, which is not element by element."""

    def __init__(self, a: Record, b: Record, tolerance: Tolerance) -> None:
        self.a, self.b, self.tolerance = a, b, tolerance
        self.unknown = 0

    def ops(self, pair: Pair) -> bool:
        """Return True if both runs have the op, with the same result."""
        if pair.a is None or pair.b is None:
            return False
        first, second = self.a.ops[pair.a], self.b.ops[pair.b]
        if len(first.outputs) != len(second.outputs) or first.error != second.error:
            return False
        results = [(self.a.tensors[x], self.b.tensors[y]) for x, y in zip(first.outputs, second.outputs)]
        if not all(self.tolerance.tensors(x, y) for x, y in results):
            return False
        self.unknown += not all(is_known(x, y) for x, y in results)
        return True

    def flows(self, flow: Flow) -> bool:
        """Return True if the same gradient came back in both runs."""
        if flow.a is None or flow.b is None:
            return False
        return self.tolerance.tensors(self.a.tensors[flow.a], self.b.tensors[flow.b])


def _counted(every: list[Pair], unequal: list[Pair], unknown: int = 0) -> Counts:
    only_a = sum(pair.b is None for pair in unequal)
    only_b = sum(pair.a is None for pair in unequal)
    differ = len(unequal) - only_a - only_b
    return Counts(len(every) - len(unequal), differ, only_a, only_b, unknown)


def _flowing(every: list[Flow], unequal: list[Flow]) -> Counts:
    only_a, only_b = sum(flow.b is None for flow in unequal), sum(flow.a is None for flow in unequal)
    return Counts(len(every) - len(unequal), len(unequal) - only_a - only_b, only_a, only_b)


def _named(changes: Iterable[Change], is_same: Callable[[Change], bool]) -> Counts:
    same = differ = only_a = only_b = 0
    for change in changes:
        if change.after is None:
            only_a += 1
        elif change.before is None:
            only_b += 1
        elif is_same(change):
            same += 1
        else:
            differ += 1
    return Counts(same, differ, only_a, only_b)


def _end(record: Record) -> tuple[object, ...]:
    failure = record.failure
    return record.status, failure and failure.type, failure and failure.message


def _flows(a: Record, b: Record, ops: Sequence[Pair]) -> Iterator[Flow]:
    """Yield the gradients of each pass, from the outputs back; none where neither run's came back or was kept.

    The first pass of one run belongs to the first of the other, and so on.
    """
    pairs = [
        (pair, one, other)
        for pair in reversed(ops)
        if (one := _result(a, pair.a)) is not None and (other := _result(b, pair.b)) is not None
    ]
    made: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})  # the pairs by the result in each run
    for turn, (_, *results) in enumerate(pairs):
        for places, result in zip(made, results, strict=True):
            places.setdefault(result, []).append(turn)
    for number, (first, second) in enumerate(zip(a.backwards, b.backwards)):
        known = _arrived(first), _arrived(second)
        ran = set(first.nodes), set(second.nodes)
        turns = {turn for places, arrived in zip(made, known) for result in arrived for turn in places.get(result, ())}
        for pair, *results in [pairs[turn] for turn in sorted(turns)]:
            one, other = (arrived.get(result) for arrived, result in zip(known, results))
            if not ((one is None and pair.a in ran[0]) or (other is None and pair.b in ran[1])):
                yield Flow(pair, number, one, other)


def _arrived(backward: Backward) -> dict[int, int]:
    """Return the gradients of a pass by the tensors they came back to."""
    return {each.tensor: each.value for each in backward.gradients if each.value is not None}


def _result(record: Record, op: int | None) -> int | None:
    """Return the only result of an op."""
    outputs = record.ops[op].outputs if op is not None else ()
    return outputs[0] if len(outputs) == 1 else None
