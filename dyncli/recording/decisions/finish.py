"""Drafts into decisions: values, margins and origins are worked out once, at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dyncli.instrument.program import ConditionText, Construct
from dyncli.instrument.runtime.operands import PLAIN, Seen
from dyncli.recording.decisions.margins import condition_margin, formula_margin
from dyncli.recording.provenance.call_frames import Activation, Draft, RawCondition, ScopeNode, Tested
from dyncli.recording.provenance.provenance import PYTHON, Origin, Provenance, Shape, strongest_of
from dyncli.records.model import Condition, Decision, Value

LONGEST_TEXT = 200
LARGEST_BITS = 1024
_SMALL = 1 << 60


def finished(drafts: Sequence[Draft | Decision], provenance: Provenance) -> tuple[Decision, ...]:
    """The decisions of a run; a draft's number is its decision's."""
    return tuple([each if type(each) is Decision else _decision(each, provenance) for each in drafts])  # type: ignore


def python_decision(
    number: int, construct: Construct, arm: str, outcome: bool, iteration: int | None, scope: ScopeNode,
    activation: Activation, tested: Tested, phase: str,
) -> Decision:  # fmt: skip
    """The decision of a test with only Python behind it."""
    if construct.formula == 0:
        conditions: Any = (tested[0][1],)
        margin = conditions[0].margin
    else:
        conditions = tuple([condition for _, condition in tested])
        margin = _margin(construct, tested, conditions)
    row = (
        number, construct.site, arm, outcome, "python", iteration, None, None, scope.iterations,
        activation.path, activation.recursion, scope.under, conditions, margin, None, None, phase, False, scope.number,
        None,
    )  # fmt: skip
    return tuple.__new__(Decision, row)  # 10% of a replay: `Decision(...)` goes through a function of Python's


def python_condition(text: ConditionText, left: Any, right: Any, outcome: bool) -> Condition:
    """A comparison or truth test with only Python behind it."""
    op = text.op
    if type(left) is not float and (type(left) is not int or not -_SMALL < left < _SMALL):
        left = value_of(left)
    if op is None:
        return Condition(text.text, None, None, None, left, outcome, condition_margin(None, left, None), "python", None)
    if type(right) is not float and (type(right) is not int or not -_SMALL < right < _SMALL):
        right = value_of(right)
    margin = condition_margin(op, left, right)
    return tuple.__new__(Condition, (text.text, op, left, right, None, outcome, margin, "python", None, ()))


def _decision(draft: Draft, provenance: Provenance) -> Decision:
    construct, scope = draft.construct, draft.scope
    pairs = [_condition(draft, raw, provenance) for _, raw in draft.conditions]
    conditions = tuple([condition for condition, _ in pairs])
    strongest = strongest_of([origin for _, origin in pairs])
    if draft.trips is not None:
        strongest = strongest_of([strongest, provenance.of_loop(draft)])
    has_margin = conditions and draft.exception is None and construct.kind != "match"
    row = (
        draft.number, construct.site, draft.arm, draft.outcome, strongest.name, draft.iteration, draft.trips,
        draft.exit, scope.iterations, draft.call_path, draft.recursion, scope.under, conditions,
        _margin(construct, draft.conditions, conditions) if has_margin else None, strongest.op, draft.exception,
        draft.phase, draft.forced, scope.number, draft.until,
    )  # fmt: skip
    return tuple.__new__(Decision, row)  # 10% of a replay: `Decision(...)` goes through a function of Python's


def _margin(construct: Construct, tested: Tested, conditions: tuple[Condition, ...]) -> float | None:
    """The margin of a whole test."""
    if construct.formula == 0:  # one condition alone
        return conditions[0].margin
    margins: dict[int, float | None] = {}
    outcomes: dict[int, bool] = {}
    for (index, _), condition in zip(tested, conditions):
        margins[index], outcomes[index] = condition.margin, condition.outcome
    return formula_margin(construct.formula, margins, outcomes)


def _condition(draft: Draft, raw: RawCondition | Condition, provenance: Provenance) -> tuple[Condition, Origin]:
    if isinstance(raw, Condition):
        return raw, PYTHON
    construct, verdict = draft.construct, raw.verdict
    text = construct.conditions[raw.index]
    op = text.op
    left, right = value_of(raw.left), value_of(raw.right)
    origin = provenance.of_condition(draft, raw)
    margin = None
    if construct.kind != "match" and (verdict is None or verdict.exception is None):
        margin = condition_margin(op, left, right)
    if op is None:
        return Condition(text.text, None, None, None, left, raw.outcome, margin, *origin), origin
    return Condition(text.text, op, left, right, None, raw.outcome, margin, *origin), origin


def value_of(operand: Any) -> Value:
    """What a record keeps of an operand; overlong text and numbers are cut short."""
    kind = type(operand)
    if kind is int:
        if -_SMALL < operand < _SMALL or operand.bit_length() <= LARGEST_BITS:
            return operand  # type: ignore[no-any-return]
        return {"type": "int", "bits": operand.bit_length()}
    if kind is float or operand is None:
        return operand  # type: ignore[no-any-return]
    if kind is Seen:
        value = operand.value
        return tuple(value) if type(value) is Shape else value
    if kind is str and len(operand) > LONGEST_TEXT:
        return operand[: LONGEST_TEXT - 1] + "…"  # type: ignore[no-any-return]
    return operand if kind in PLAIN else None
