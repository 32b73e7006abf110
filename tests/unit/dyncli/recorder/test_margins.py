"""How far a test is from flipping."""

import math

import pytest

from dyncli.instrument.program import Formula
from dyncli.recorder.decisions.finish import condition_margin, formula_margin


@pytest.mark.parametrize(
    ("op", "left", "right", "margin"),
    [
        (">", 3, 1, 2.0), (">=", 1, 3.5, -2.5), ("<", 3, 1, -2.0), ("<=", 1, 1, 0.0), ("==", 2, 2, 0.0),
        ("==", 1, 4, -3.0), ("!=", 1, 4, 3.0), ("!=", 2, 2.0, 0.0), (None, -2.5, None, 2.5), (None, 0, None, 0.0),
        ("<", math.inf, math.inf, 0.0), (">", math.inf, 1, math.inf), (">", 10**400, 1.0, None), ("in", 1, 2, None),
        ("is", 1, 2, None), ("<", "a", "b", None), (">", True, 0, None), (None, "text", None, None),
        (">", None, 1, None),
    ],
)  # fmt: skip
def test_conditions(op: str | None, left: object, right: object, margin: float | None) -> None:
    """Positive is True, negative False, 0 the edge; what is no number has none."""
    assert margin == condition_margin(op, left, right)


def test_nan_is_nan() -> None:
    """A comparison with NaN is never near anything."""
    assert math.isnan(condition_margin("<", math.nan, 1) or 0.0)


@pytest.mark.parametrize(
    ("formula", "conditions", "margin"),
    [
        (0, [(True, 2.0)], 2.0),
        (("not", 0), [(True, 2.0)], -2.0),
        (("and", 0, 1), [(True, 3.0), (True, 1.0)], 1.0),
        (("and", 0, 1), [(True, 3.0), (False, -1.0)], -1.0),
        (("and", 0, 1), [(False, -2.0), None], -2.0),
        (("and", 0, 1), [(True, None), (True, 4.0)], 4.0),
        (("and", 0, 1), [(True, 4.0), (False, None)], None),
        (("or", 0, 1), [(False, -3.0), (False, -1.0)], -1.0),
        (("or", 0, 1), [(False, -3.0), (True, 5.0)], 5.0),
        (("or", 0, ("and", 1, ("not", 2))), [(False, -3.0), (True, 2.0), (False, -1.0)], 1.0),
        (("and", 0, None), [(True, 2.0)], 2.0),
        (("and", 0, 1), [(True, 2.0), (True, math.nan)], math.nan),
        (("and", 0, 1), [None, None], None),
    ],
)
def test_formulas(formula: Formula, conditions: list[tuple[bool, float | None] | None], margin: float | None) -> None:
    """`and` takes the least, `or` the greatest, `not` the negative, over what was evaluated and decided."""
    margins = [None if condition is None else condition[1] for condition in conditions]
    outcomes = [None if condition is None else condition[0] for condition in conditions]
    seen = {index: outcome for index, outcome in enumerate(outcomes) if outcome is not None}
    actual = formula_margin(formula, dict(enumerate(margins)), seen)
    assert actual == margin or (math.isnan(margin or 0.0) and math.isnan(actual or 0.0))
