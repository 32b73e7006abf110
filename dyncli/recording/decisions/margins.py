"""How far a test is from its other outcome: positive for True, negative for False."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dyncli.instrument.program import Formula


def condition_margin(op: str | None, left: Any, right: Any) -> float | None:
    """The signed distance of one comparison or truth test from flipping; None where that means nothing.

    >>> condition_margin(">", 2.0, 0), condition_margin("<", 3, 1)
    (2.0, -2.0)
    >>> condition_margin("==", 1, 1.5), condition_margin(None, -2, None)
    (-0.5, 2.0)
    """
    kind, other = type(left), type(right)
    if (kind is not int and kind is not float) or (op is not None and other is not int and other is not float):
        return None
    try:
        if op is None:
            return abs(float(left))
        difference: float = left - right
        if type(difference) is int:
            difference = float(difference)
    except OverflowError:
        return None
    if difference != difference and left == right:  # two equal infinities
        difference = 0.0
    if op == ">" or op == ">=":
        return difference
    if op == "<" or op == "<=":
        return 0.0 - difference
    if op == "==":
        return 0.0 - abs(difference)
    if op == "!=":
        return abs(difference)
    return None


def formula_margin(formula: Formula, margins: Mapping[int, float | None], outcomes: Mapping[int, bool]) -> float | None:
    """The margin of a whole test: the least of an `and`, the greatest of an `or`, over what was evaluated.

    margins, outcomes: of the conditions that were evaluated, by index.
    """
    known = _combined(formula, margins, outcomes)
    return None if known is None else known[1]


def _combined(
    formula: Formula, margins: Mapping[int, float | None], outcomes: Mapping[int, bool]
) -> tuple[bool, float | None] | None:
    """Outcome and margin of a part of a test; None if it was not evaluated."""
    if formula is None:
        return None
    if isinstance(formula, int):
        return (outcomes[formula], margins[formula]) if formula in outcomes else None
    word, *parts = formula
    if word == "not":
        inner = _combined(parts[0], margins, outcomes)  # type: ignore[arg-type]
        if inner is None:
            return None
        return not inner[0], None if inner[1] is None else 0.0 - inner[1]
    decisive = word == "or"
    pick = max if decisive else min
    evaluated, result = False, None
    decided: tuple[bool, float | None] | None = None
    for part in parts:
        if type(part) is int:
            if part not in outcomes:
                continue
            outcome, margin = outcomes[part], margins[part]
        else:
            found = _combined(part, margins, outcomes)  # type: ignore[arg-type]
            if found is None:
                continue
            outcome, margin = found
        evaluated = True
        if outcome is decisive:  # it stopped here: what came before went the other way
            decided = outcome, margin
        elif margin is not None:
            if result is None or margin != margin:
                result = margin
            elif result == result:
                result = pick(result, margin)
    if decided is not None:
        return decided
    return (not decisive, result) if evaluated else None
