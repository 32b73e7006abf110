"""Tolerances of solvers made tighter."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dyncli.gradchecking.tolerances import LEAST, Sides, Tolerances


@pytest.mark.parametrize(
    ("tolerance", "expected"), [(1e-3, 1e-9), (-1e-3, -1e-9), (1e-6, LEAST), (1e-13, 1e-13)], ids=repr
)
def test_tolerance_is_tightened_no_further_than_rounding_lets_a_solver_meet_it(
    tolerance: float, expected: float
) -> None:
    """One that is smaller already stays."""
    assert (0.5, pytest.approx(expected)) == Sides({"place": 1}, 1e-6).compared("place", 0.5, tolerance)
    assert (0.5, tolerance) == Sides({}, 1e-6).compared("place", 0.5, tolerance)


@pytest.mark.parametrize(("left", "right", "expected"), [(0.0, 0.0, 1), (9.0, 0.0, 0), (0.0, 9.0, 0)])
def test_tolerance_is_that_of_a_solver_where_it_is_met_on_both_sides(left: float, right: float, expected: int) -> None:
    """A dead zone's threshold is met on one side alone."""
    sides = Sides({"place": 1}, 1.0)

    def line(step: float) -> Any:
        sides.last["place"] = left if step < 0 else right, 1e-3
        return SimpleNamespace(values=np.zeros(1), finite=True, step=step)

    session = SimpleNamespace(log=[], watch=None)
    found = Tolerances(SimpleNamespace(session=session, line=lambda *_: line), np.eye(1))  # type: ignore[arg-type]
    found._levels = [(sides, [np.zeros((1, 1))])]
    assert expected == len([*found.beyond(0, 0, 1.0)])
