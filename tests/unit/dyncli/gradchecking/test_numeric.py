"""Derivatives by differences of functions that are known."""

from __future__ import annotations

import numpy as np

from dyncli.gradchecking.function_at_point import Evaluation
from dyncli.gradchecking.numeric import coarse_derivative


def test_slope_from_afar_is_of_fourth_order() -> None:
    """The square of the step is extrapolated away: of exp ten digits are right, not eight."""

    def line(step: float) -> Evaluation:
        return Evaluation(np.exp([step, 1 + step]), step)

    found = coarse_derivative(line, 1.0, np.exp([0.0, 1.0]), 1e-12)
    assert found is not None
    np.testing.assert_allclose(found[0], np.exp([0.0, 1.0]), rtol=1e-10)
