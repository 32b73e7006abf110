"""Sensitivity of each test: its margin, the margin's gradient, the nearest change, and a trial of it.

A second run differentiates what the first one tested (`slopes.py`); further runs try the changes that are proposed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from dyncli.instrument.runtime.condition_probes import RecordedOperand, Verdict
from dyncli.instrument.transform.builder import Span
from dyncli.recorder import naming
from dyncli.recorder.engine import Parameter
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.provenance.call_frames import Draft, RawCondition
from dyncli.recorder.provenance.provenance import SHAPES, Escape, Provenance
from dyncli.recorder.sensitivity.dual_numbers import Made, Slope, Slopes, added, scaled
from dyncli.recorder.sensitivity.trials import Again, Found, Trials
from dyncli.records.model import Condition, Decision, Reach, Record, Sensitivity

LARGEST = 1_000  # elements of an input whose gradient is kept whole, unless all are asked for
BORNE = ("tensor", "scalar", "scalar~")
SIGNS = {">": 1.0, ">=": 1.0, "<": -1.0, "<=": -1.0}
NO_MARGIN = {"match": "which case matches has no margin", "for": "how often it goes round is an integer"}
UNRECORDED = "computed where no derivative is recorded, as in backward"
WHY_NOT = {
    "python": "decided by Python alone",
    "shape": "decided by a shape, which no small change moves",
    "rng": "decided by chance",
    "rng~": "decided by chance",
    "scalar~": "worked out in Python in a way that has no recorded derivative",
}


class Run(Protocol):
    """The parts of a finished run that the analysis needs."""

    log: EventLog
    slopes: Slopes | None
    index: Mapping[int, int]

    @property
    def drafts(self) -> Sequence[Draft | Decision]:
        """Return what its decisions were made from."""

    @property
    def provenance(self) -> Provenance:
        """Return what knows where its tested values came from."""


class Tested(NamedTuple):
    """The margin of one condition at full precision, with its gradient; or why there is none."""

    margin: float | None = None
    slope: Slope | None = None
    reason: str | None = None


def sensitivities(
    record: Record, first: Run, again: Again, movable: bool, largest: float = LARGEST
) -> tuple[Sensitivity, ...]:
    """Return the sensitivity of every condition.

    movable: whether the inputs can be changed from outside.  largest: elements of an input whose gradient is kept.
    """
    if not any(decision.origin in BORNE for decision in record.decisions):
        return tuple(_others(record))
    places = _places(first.log)
    inputs = {places[n]: first.index[n] for n in _inputs(record, first) if n in places and n in first.index}
    wanted = frozenset(_tested(first.log))
    second, repeated = again(slopes=Slopes(wanted, inputs))
    if _path(repeated) != _path(record):  # numbers that carry slopes may be taken amiss
        second, repeated = again(slopes=Slopes(wanted, inputs, carry=False))
    if _path(repeated) == _path(record):
        tried = Trials(record, again).tried(_measured(record, second, largest), movable)
    else:
        borne = [d for d in record.decisions if d.origin in BORNE and d.conditions]
        tried = [Sensitivity(d.seq, 0, d.margin, reason="a second run went another way") for d in borne]
    return tuple(sorted([*tried, *_others(record)], key=lambda each: (each.decision, each.condition or 0)))


def _inputs(record: Record, run: Run) -> Iterator[int]:
    """Yield the numbers of the entry's inputs and of tensors the script created: candidates for leaves."""
    for number, tensor in run.index.items():
        if record.tensors[tensor].role == "input":
            yield number
    for recorded in run.log.ops:
        if not recorded.inputs:
            yield from (number for number, _ in recorded.outputs)
    for source, held in run.log.tensors.sources.items():
        role = record.tensors[run.index[source]].role if source in run.index else ""
        if role == "constant" or (role == "parameter" and not isinstance(held, Parameter)):
            yield source


def _places(log: EventLog) -> dict[int, Made]:
    """Map each tensor's number to what made it: ('source', its order, 0) or ('op', its number, the output)."""
    places: dict[int, Made] = {number: ("source", order, 0) for order, number in enumerate(log.tensors.sources)}
    for place, recorded in enumerate(log.ops):
        for which, (number, _) in enumerate(recorded.outputs):
            places[number] = ("op", place, which)
    return places


def _tested(log: EventLog) -> set[Made]:
    """Return what made each tensor that was tested, or that left for Python, as `_places` has it."""
    numbers = {item.trace for item in log.decisions if type(item) is RecordedOperand and item.trace is not None}
    numbers |= {item.result for item in log.decisions if type(item) is Verdict and item.result is not None}
    numbers |= {escape[0] for escape in log.escapes if escape[1] not in SHAPES}
    places = _places(log)
    return {places[number] for number in numbers if number in places}


def _path(record: Record) -> list[tuple[str, str]]:
    return [(decision.site.id, decision.arm) for decision in record.decisions]


def _others(record: Record) -> list[Sensitivity]:
    """Explain why decisions without a tensor have no gradient, once for each site and reason."""
    found: dict[tuple[str, str], Sensitivity] = {}
    for decision in record.decisions:
        condition: int | None = 0
        if decision.site.kind == "match" or not decision.conditions:
            condition = None
        if decision.origin not in BORNE:
            reason = WHY_NOT[decision.origin]
        elif condition is None:
            reason = NO_MARGIN["match" if decision.site.kind == "match" else "for"]
        else:
            continue
        if condition is not None or decision.origin != "python":
            one = Sensitivity(decision.seq, condition, decision.margin, reason=reason)
            found.setdefault((decision.site.id, reason), one)
    return list(found.values())


# What the second run knows


def _measured(record: Record, second: Run, largest: float) -> list[Found]:
    found = []
    for decision, draft in zip(record.decisions, second.drafts, strict=True):
        if not isinstance(draft, Draft) or decision.site.kind == "match":
            continue
        if decision.origin not in BORNE:
            continue
        for place, ((_, raw), condition) in enumerate(zip(draft.conditions, decision.conditions, strict=True)):
            if isinstance(raw, RawCondition) and condition.origin != "python":
                tested = _slope_of(draft, raw, condition, second)
                found.append(_sensitivity(record, decision.seq, place, tested, largest))
    return found


def _slope_of(draft: Draft, raw: RawCondition, condition: Condition, run: Run) -> Tested:
    """Return the margin of a condition and its gradient."""
    slopes = run.slopes
    assert slopes is not None
    if raw.exception is not None:
        return Tested(reason=f"the test raised {raw.exception}")
    if condition.origin in ("shape", "rng", "rng~"):
        return Tested(condition.margin, reason=WHY_NOT[condition.origin])
    result = raw.verdict.result if raw.verdict is not None else None
    text, values = draft.construct.conditions[raw.index], (raw.left, raw.right)
    if result is None and raw.behind is not None:
        text, values = raw.behind.text, (raw.behind.left, raw.behind.right)
    if text.op is None or result in slopes.margins or result in slopes.why_not:
        number = result if result is not None else _number(draft, raw.at, values[0], text.spans[0], run)
        return _beside_numbers(_truth(number, condition, slopes), text.op, values, slopes)
    sides = [_number(draft, raw.at, value, span, run) for value, span in zip(values, text.spans)]
    if text.op not in ("==", "!=", *SIGNS):
        return Tested(reason=f"`{text.op}` has no margin")
    for number in sides:
        if number is not None and number not in slopes.slopes:
            return Tested(condition.margin, reason=slopes.why_not.get(number, UNRECORDED))
    if sides == [None, None]:
        return Tested(condition.margin, reason=WHY_NOT["scalar~"])
    left, right = ({} if number is None else slopes.slopes[number] for number in sides)
    difference = added(left, scaled(right, -1.0))
    if text.op in SIGNS:
        return Tested(condition.margin, scaled(difference, SIGNS[text.op]))
    gap = [slopes.values[n] if n is not None else float(_plain(s)) for n, s in zip(sides, values)]
    sign = math.copysign(1.0, gap[0] - gap[1])
    return Tested(condition.margin, scaled(difference, -sign if text.op == "==" else sign))


def _truth(number: int | None, condition: Condition, slopes: Slopes) -> Tested:
    """Return the margin of a bare truth test: a boolean's own, or a number's distance from zero."""
    if number is None:
        return Tested(condition.margin, reason=WHY_NOT["scalar~"])
    if number not in slopes.slopes:
        return Tested(condition.margin, reason=slopes.why_not.get(number, UNRECORDED))
    value, slope = slopes.values[number], slopes.slopes[number]
    if number in slopes.margins:
        return Tested(value, slope)
    return Tested(abs(value), slope if value >= 0 else scaled(slope, -1.0))


def _beside_numbers(tested: Tested, op: str | None, sides: Sequence[Any], slopes: Slopes) -> Tested:
    """Add the slope of a number computed in Python that a tensor was compared with."""
    slope = tested.slope
    for side, sign in zip(sides, (1.0, -1.0)):
        if slope is not None and op in SIGNS and type(side) is RecordedOperand and side.trace in slopes.computed:
            slope = added(slope, scaled(slopes.slopes[side.trace], sign * SIGNS[op]))
    return tested._replace(slope=slope)


def _number(draft: Draft, at: int, value: Any, span: Span, run: Run) -> int | None:
    """Return the number of the tensor that a side of a test is, or that it left unchanged."""
    if type(value) is RecordedOperand:
        return value.trace
    escape: Escape | None = run.provenance.exact(draft, value, span, at)
    if escape is None and type(value) is bool:
        escape = run.provenance.inferred(draft, span, at)
        if escape is not None and escape.value is not value:
            escape = None
    return None if escape is None else escape.trace


def _plain(value: Any) -> float:
    return float(value.value if type(value) is RecordedOperand else value)


# The nearest change


def _sensitivity(record: Record, decision: int, place: int, tested: Tested, largest: float) -> Found:
    margin, slope = tested.margin, tested.slope or {}
    squared = sum(float(np.vdot(gradient, gradient)) for gradient in slope.values())
    reason = tested.reason
    if reason is None and margin is None:
        reason = "its values have no margin"
    elif reason is None and not slope:
        reason = "no input takes part"
    elif reason is None and not (math.isfinite(squared) and math.isfinite(margin or 0.0)):
        reason = "its margin or its gradient is not finite"
    elif reason is None and not squared:
        reason = "its gradient is zero: to first order no change flips it"
    if reason is not None or margin is None:
        return Found(Sensitivity(decision, place, margin, reason=reason), {})
    reaches = [_reach(record, tensor, gradient, margin, squared, largest) for tensor, gradient in sorted(slope.items())]
    return Found(Sensitivity(decision, place, margin, abs(margin) / math.sqrt(squared), tuple(reaches)), slope)


def _reach(record: Record, tensor: int, gradient: Any, margin: float, squared: float, largest: float) -> Reach:
    shown = gradient.size <= largest
    steepest = int(np.abs(gradient).argmax())
    slope = float(gradient.reshape(-1)[steepest])
    return Reach(
        name=record.tensors[tensor].name or _assigned(record, tensor) or f"t{tensor}",
        tensor=tensor,
        gradient=tuple(gradient.reshape(-1).tolist()) if shown else None,
        step=tuple((gradient.reshape(-1) * (-margin / squared) + 0.0).tolist()) if shown else None,
        element=tuple(int(i) for i in np.unravel_index(steepest, gradient.shape)),
        change=-margin / slope + 0.0 if slope else None,
    )


def _assigned(record: Record, tensor: int) -> str | None:
    """Return the name that a leaf of the script's own was first assigned to."""
    op = record.tensors[tensor].op
    if op is None:
        return None
    site = record.ops[op].site
    texts = {source.file: source.text for source in record.sources}
    return naming.target_of(texts.get(site.file, ""), site.line, site.col)
