"""Where a loop that was stopped was going: the last values its test saw, and whether they rise, fall or stay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from dyncli.analysis.decisions import kind_and_text, sides as sides_of
from dyncli.records.model import Condition, Decision

FEWEST = 4
LOOKED_AT = 50  # evaluations at the end that the trend is taken from
SHOWN = 3
MOST_NOTES = 2
BACK = 500  # decisions at the end in which the running loop is looked for


def trends(decisions: Sequence[Decision], left_out: int = 0) -> list[str]:
    """Describe how each test of the loop that a run was stopped in changed, the loop's own test first.

    left_out: how many decisions in the middle are not among them.
    """
    recent: dict[str, Decision] = {}
    for decision in reversed(decisions[-BACK:]):
        recent.setdefault(decision.site.id, decision)
    tests = [each for each in recent.values() if each.conditions and each.trips is None]
    looping = [each for each in tests if each.site.kind == "while"] or [each for each in tests if each.iterations]
    notes = [note for decision in looping if (note := _note(decision, decisions, left_out)) is not None]
    return notes[:MOST_NOTES]


def _note(last: Decision, decisions: Sequence[Decision], left_out: int) -> str | None:
    same = [each for each in decisions if each.site.id == last.site.id and each.call_path == last.call_path]
    if len(same) < FEWEST:
        return None
    condition = next((each for each in last.conditions if _distance(each) is not None), None)
    if condition is None:
        return None
    series = [each for decision in same[-LOOKED_AT:] for each in decision.conditions if each.text == condition.text]
    sides = {
        "lhs": [each.lhs for each in series],
        "rhs": [each.rhs for each in series],
        "value": [each.value for each in series],
    }
    side = "value" if condition.op is None else "rhs" if _moves(sides["rhs"]) and not _moves(sides["lhs"]) else "lhs"
    values = [float(value) for value in sides[side] if isinstance(value, (bool, int, float))]
    if len(values) < FEWEST:
        return None
    times = f"{last.iteration + 1:,}" if last.iteration is not None else f"{len(same):,}"
    if left_out and last.iteration is None:
        times = f"more than {times}"
    shown = ", ".join(f"{value:.8g}" for value in values[-SHOWN:])
    return f"{_test(last)} was tested {times} times; {_what(condition, side)} {direction(values)}: … {shown}"


def _test(decision: Decision) -> str:
    word, text = kind_and_text(decision.site)
    return f"line {decision.site.line}: `{word} {text}`" if word else f"line {decision.site.line}: `{text}`"


def _what(condition: Condition, side: str) -> str:
    """Return the source of the side that changes, or `its left side` where that is unknown."""
    if side == "value":
        return f"`{condition.text}`"
    left, right = sides_of(condition.source)
    source = left if side == "lhs" else right
    return f"`{source}`" if source else "its left side" if side == "lhs" else "its right side"


def direction(values: Sequence[float]) -> str:
    """Return what a series does.

    >>> direction([1.0, 2.0, 3.0]), direction([2.0, 2.0]), direction([1.0, -1.0, 1.0, -1.0])
    ('is rising', 'is constant', 'goes back and forth')
    """
    if any(map(math.isnan, values)):
        return "is NaN"
    steps = [later - earlier for earlier, later in pairwise(values) if later != earlier]
    if not steps:
        return "is constant"
    if all(step > 0 for step in steps):
        return "is rising"
    if all(step < 0 for step in steps):
        return "is falling"
    turns = sum((first > 0) != (second > 0) for first, second in pairwise(steps))
    if turns == len(steps) - 1:
        return "goes back and forth"
    return "has no direction"


def _distance(condition: Condition) -> float | None:
    value = condition.value if condition.op is None else condition.lhs
    return float(value) if isinstance(value, (int, float)) else None


def _moves(values: Sequence[object]) -> bool:
    return len(set(map(repr, values))) > 1
