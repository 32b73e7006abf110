"""The gradients that came back to the results of ops that belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyncli.analysis.diff.model import Flow, Pair
from dyncli.records.model import Backward, Record


def flows(a: Record, b: Record, ops: Sequence[Pair]) -> Iterator[Flow]:
    """Yield the gradients of each pass, from the outputs back; none where neither run's came back or was kept.

    The first pass of one run belongs to the first of the other, and so on.
    """
    pairs = [pair for pair in reversed(ops) if pair.a is not None and pair.b is not None]
    for number, (first, second) in enumerate(zip(a.backwards, b.backwards)):
        known = _arrived(first), _arrived(second)
        ran = set(first.nodes), set(second.nodes)
        for pair in pairs:
            places = _result(a, pair.a), _result(b, pair.b)
            if None in places:
                continue
            one, other = (arrived.get(place) for arrived, place in zip(known, places))
            is_lost = (one is None and pair.a in ran[0]) or (other is None and pair.b in ran[1])
            if not is_lost and (one, other) != (None, None):
                yield Flow(pair, number, one, other)


def _arrived(backward: Backward) -> dict[int | None, int]:
    """Return the gradients of a pass by the tensors they came back to."""
    return {each.tensor: each.value for each in backward.gradients if each.value is not None}


def _result(record: Record, op: int | None) -> int | None:
    """Return the only result of an op."""
    outputs = record.ops[op].outputs if op is not None else ()
    return outputs[0] if len(outputs) == 1 else None
