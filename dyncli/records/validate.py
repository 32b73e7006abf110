"""The rules a record's numbers obey, so that no file leads a view astray: every reference lands, nothing circles."""

from __future__ import annotations

from collections.abc import Iterable

from dyncli.records.codec import Malformed
from dyncli.records.model import Decision, Record

STATUSES = ("ok", "error", "timeout", "limit", "interrupted")
MAX_RANK = 64


def check(record: Record) -> None:
    """Raise Malformed at the first number of `record` that points nowhere or in a circle."""
    if record.status not in STATUSES:
        raise Malformed(f"`status` is none of {', '.join(STATUSES)}")
    _scopes(record)
    _tensors(record)
    _ops(record)
    _decisions(record, "decisions")
    _decisions(record, "loading")
    _choices(record)
    _results(record)


def _scopes(record: Record) -> None:
    for place, scope in enumerate(record.scopes):
        where = f"`scopes[{place}]`"
        _is(scope.id == place, f"{where} is numbered {scope.id}")
        parent = scope.parent
        _is(parent is None if place == 0 else parent is not None, f"{where}: only the first scope has no parent")
        _is(parent is None or 0 <= parent < place, f"{where} has the parent {parent}, which does not come before it")
        _within((scope.decision,), len(record.decisions), f"{where}: there is no decision")


def _tensors(record: Record) -> None:
    for place, tensor in enumerate(record.tensors):
        where = f"`tensors[{place}]`"
        _is(tensor.id == place, f"{where} is numbered {tensor.id}")
        possible = len(tensor.shape) <= MAX_RANK and all(size >= 0 for size in tensor.shape)
        _is(possible, f"{where} has an impossible shape")
        _within((tensor.op,), len(record.ops), f"{where}: there is no op")
        comes_before = tensor.shares is None or 0 <= tensor.shares < place
        _is(comes_before, f"{where} shares the memory of {tensor.shares}, which does not come before it")
        if tensor.values is not None:
            count = 1
            for size in tensor.shape:
                count *= size
            _is(count == len(tensor.values), f"{where} holds {len(tensor.values)} values, its shape says {count}")


def _ops(record: Record) -> None:
    for place, op in enumerate(record.ops):
        where = f"`ops[{place}]`"
        _is(op.seq == place, f"{where} is numbered {op.seq}")
        _within(op.inputs, len(record.tensors), f"{where}: there is no tensor")
        _within(op.outputs, len(record.tensors), f"{where}: there is no tensor")
        _within(op.saved, len(record.tensors), f"{where}: there is no tensor")
        _within((op.under,), len(record.decisions), f"{where}: there is no decision")
        _within((op.scope,), len(record.scopes), f"{where}: there is no scope")


def _decisions(record: Record, name: str) -> None:
    decisions: tuple[Decision, ...] = getattr(record, name)
    ops = len(record.ops) if name == "decisions" else 0  # no op of the run comes before it
    for place, decision in enumerate(decisions):
        where = f"`{name}[{place}]`"
        _is(decision.seq == place, f"{where} is numbered {decision.seq}")
        _within((decision.under,), len(decisions), f"{where}: there is no decision")
        _within((decision.scope,), len(record.scopes), f"{where}: there is no scope")
        _within(tuple(decision.producers), ops, f"{where}: there is no op")
    _no_circle([decision.under for decision in decisions], name)


def _choices(record: Record) -> None:
    for place, choice in enumerate(record.choices):
        where = f"`choices[{place}]`"
        _within((choice.op, *choice.uses), len(record.ops), f"{where}: there is no op")
        possible = len(choice.probabilities) in (0, len(choice.picked))
        _is(possible, f"{where} has {len(choice.probabilities)} probabilities of {len(choice.picked)} picked")


def _no_circle(parents: list[int | None], name: str) -> None:
    """Raise if following `parents` from anywhere comes back; each item is walked once."""
    done = bytearray(len(parents))
    for start in range(len(parents)):
        walked = []
        place: int | None = start
        while place is not None and not done[place]:
            done[place] = 1
            walked.append(place)
            place = parents[place]
        if place is not None and done[place] == 1:
            raise Malformed(f"`{name}[{place}]` runs under itself")
        for item in walked:
            done[item] = 2


def _results(record: Record) -> None:
    tensors = len(record.tensors)
    ends = [item.tensor for item in (*record.inputs, *record.outputs)]
    _within(ends, tensors, "`inputs` or `outputs`: there is no tensor")
    for place, backward in enumerate(record.backwards):
        where = f"`backwards[{place}]`"
        _within((backward.root,), tensors, f"{where}: there is no tensor")
        _is(0 <= backward.after <= len(record.ops), f"{where}: there is no op {backward.after}")
        _within((*backward.nodes, backward.failed), len(record.ops), f"{where}: there is no op")
        times = (len(backward.nodes_started_ns), len(backward.nodes_elapsed_ns))
        _is(times == (len(backward.nodes),) * 2, f"{where}: not every node has its times")
        for gradient in backward.gradients:
            _within((gradient.tensor, gradient.value, gradient.held), tensors, f"{where}: there is no tensor")
    for place, found in enumerate(record.sensitivities):
        where = f"`sensitivities[{place}]`"
        _within((found.decision,), len(record.decisions), f"{where}: there is no decision")
        _within((found.condition,), len(record.decisions[found.decision].conditions), f"{where}: there is no condition")
        _within((reach.tensor for reach in found.inputs), tensors, f"{where}: there is no tensor")
        for reach in found.inputs:
            _is(len(reach.element) <= MAX_RANK, f"{where} has an impossible index")
    _within((notice.op for notice in record.notices), len(record.ops), "`notices`: there is no op")
    for place, (op, *ends_of_edge) in enumerate(record.edges):
        _within((op,), len(record.ops), f"`edges[{place}]`: there is no op")
        _within(ends_of_edge, tensors, f"`edges[{place}]`: there is no tensor")
    for place, (tensor, op, value) in enumerate(record.written):
        _within((tensor, value), tensors, f"`written[{place}]`: there is no tensor")
        _is(0 <= op <= len(record.ops), f"`written[{place}]`: there is no op {op}")
    for place, (first, end) in enumerate(record.unrecorded):
        possible = 0 <= first <= end <= len(record.ops)
        _is(possible, f"`unrecorded[{place}]`: {first} to {end} is no range of {len(record.ops)} ops")
    if record.failure is not None:
        _within((record.failure.op,), len(record.ops), "`failure`: there is no op")


def _within(numbers: Iterable[int | None], count: int, message: str) -> None:
    for number in numbers:
        if number is not None and not 0 <= number < count:
            raise Malformed(f"{message} {number}")


def _is(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)
