"""How far a test is from its other outcome: positive for True, negative for False."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dyncli.load.instrument.program import Formula

_NUMBERS = (int, float)


def atom_margin(op: str | None, left: Any, right: Any) -> float | None:
    """The signed distance of one comparison or truth test from flipping; None where that means nothing.

    >>> atom_margin(">", 2.0, 0), atom_margin("<", 3, 1), atom_margin("==", 1, 1.5), atom_margin(None, -2, None)
    (2.0, -2.0, -0.5, 2.0)
    """
    if type(left) not in _NUMBERS or (op is not None and type(right) not in _NUMBERS):
        return None
    try:
        if op is None:
            return abs(float(left))
        difference = float(left - right)
    except OverflowError:
        return None
    if math.isnan(difference) and left == right:  # two equal infinities
        difference = 0.0
    match op:
        case ">" | ">=":
            return difference
        case "<" | "<=":
            return -difference + 0.0
        case "==":
            return -abs(difference) + 0.0
        case "!=":
            return abs(difference)
    return None


def formula_margin(formula: Formula, margins: Sequence[float | None], outcomes: Sequence[bool | None]) -> float | None:
    """The margin of a whole test: the least of an `and`, the greatest of an `or`, over what was evaluated.

    margins, outcomes: of the atoms by index, an outcome None where the atom was not evaluated.
    """
    known = _combined(formula, margins, outcomes)
    return None if known is None else known[1]


def _combined(
    formula: Formula, margins: Sequence[float | None], outcomes: Sequence[bool | None]
) -> tuple[bool, float | None] | None:
    """Outcome and margin of a part of a test; None if it was not evaluated."""
    if formula is None:
        return None
    if isinstance(formula, int):
        outcome = outcomes[formula]
        return None if outcome is None else (outcome, margins[formula])
    word, *parts = formula
    found = [part for part in (_combined(p, margins, outcomes) for p in parts if not isinstance(p, str)) if part]
    if not found:
        return None
    if word == "not":
        outcome, margin = found[0]
        return not outcome, None if margin is None else -margin + 0.0
    decisive = word == "or"
    deciding = [part for part in found if part[0] is decisive]
    if deciding:  # it stopped here: what came before went the other way
        return deciding[-1]
    numbers = [margin for _, margin in found if margin is not None]
    pick = max if decisive else min
    return not decisive, (_pick(pick, numbers) if numbers else None)


def _pick(pick: Any, numbers: list[float]) -> float:
    return math.nan if any(map(math.isnan, numbers)) else pick(numbers)
