"""Verdicts along one line: of functions that are known, with solvers whose tolerances can be tightened."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dyncli.gradchecking.function_at_point import Evaluation, Line, Near
from dyncli.gradchecking.listener import OffPath
from dyncli.gradchecking.tolerances import Beyond
from dyncli.gradchecking.verdict import Along, Finding, Judge, Tolerance

COMPARISON, ROUND = (True, 0), (True, 1)


def line_of(
    function: Callable[[float], float], flip: Callable[[float], tuple[bool, int] | None], near: float | None
) -> Line:
    """Build the line of a function at 0, with the first decision that differs at each step, and the nearest."""
    nearest = None if near is None else Near(near, 0.0, *COMPARISON)

    def line(step: float, **more: object) -> Evaluation:
        found = flip(step)
        return Evaluation(np.array([function(step)]), step, same=found is None, flip=found, near=nearest)

    return line


def verdict_of(
    analytic: float,
    function: Callable[[float], float],
    flip: Callable[[float], tuple[bool, int] | None] = lambda step: None,
    beyond: list[tuple[float, float]] | None = None,
    near: float | None = None,
) -> str:
    """Judge a derivative by the function alone, and by the pairs where a solver goes on: backward and differences."""
    return judged(analytic, line_of(function, flip, near), beyond or []).verdict


def judged(analytic: float, line: Line, beyond: list[tuple[float, float]], solved: float = 0.0) -> Finding:
    """Judge a derivative along a line.  solved: the error of a solver in backward."""
    base = line(0.0).values
    judge = Judge(base, Tolerance(np.array([max(abs(analytic), 1e-3)])), lambda row: 1e-15, lambda: solved)
    pairs = [Beyond(np.array([there]), np.array([numeric])) for there, numeric in beyond]
    along = Along(
        line, lambda: line, np.array([analytic]), 1.0, 1e-16, lambda: None, lambda row: 0.0, lambda: iter(pairs),
        lambda hidden, number: (hidden, number) == COMPARISON, False,
    )  # fmt: skip
    return judge(along)


@pytest.mark.parametrize(
    ("analytic", "beyond", "verdict"),
    [
        (0.98, [(1.0, 1.0)], "right"),  # the implicit derivative, and the slope of an iterate
        (0.98, [(1.0, 1.01), (1.0, 1.0)], "right"),
        (0.5, [(1.0, 1.0)], "wrong"),  # which is nothing near what it is where the solver goes on
        (1.02, [(1.02, 1.0), (1.02, 1.0)], "wrong"),
        (0.98, [], "wrong"),
    ],
)
def test_derivative_is_judged_where_a_solver_goes_on(analytic: float, beyond: list, verdict: str) -> None:
    """Backward and differences agree at a tighter tolerance, or differ at all."""
    assert verdict == verdict_of(analytic, lambda step: 0.9 * step, beyond=beyond)


@pytest.mark.parametrize(
    ("beyond", "verdict"),
    [
        ([(0.0, 0.0)], "right"),
        ([(1.0, 1.0), (1.0, 1.0)], "resolution"),  # the solver takes no round yet
        ([(0.0, 1.0), (0.0, 1.0)], "wrong"),  # backward stays zero
        ([(0.0, 1.0)], "resolution"),
        ([(0.0, 1.5), (0.0, 1.0)], "resolution"),
    ],
)
def test_zero_derivative_is_judged_where_a_solver_goes_on(beyond: list, verdict: str) -> None:
    """A zero where nothing moves says nothing of a solver that has not begun."""
    assert verdict == verdict_of(0.0, lambda step: 0.0, beyond=beyond)


def stairs(width: float) -> Callable[[float], float]:
    """Build a staircase along 2 x with steps of that width."""
    return lambda step: float(np.floor(2 * step / width + 0.5) * width)


@pytest.mark.parametrize(
    ("analytic", "width", "decision", "verdict"),
    [
        (2.0, 1e-3, COMPARISON, "right"),
        (2.0, 0.2, COMPARISON, "resolution"),
        (2.04, 1e-3, COMPARISON, "wrong"),
        (4.0, 0.2, COMPARISON, "wrong"),
        (1.0, 0.4, COMPARISON, "wrong"),
        (-1.0, 0.6, COMPARISON, "resolution"),  # the slope from afar is off by a fifth
        (0.0, 1e-3, COMPARISON, "wrong"),
        (0.0, 1e-3, ROUND, "right"),  # steps that an op makes are what the model computes
        (2.0, 1e-3, ROUND, "wrong"),
    ],
)
def test_steps_of_comparisons_are_a_solvers(
    analytic: float, width: float, decision: tuple[bool, int], verdict: str
) -> None:
    """A derivative is judged by the slope across many steps."""
    steps = stairs(width)
    assert verdict == verdict_of(analytic, steps, lambda step: decision if steps(step) else None)


@pytest.mark.parametrize("beyond", [(2.0, 0.0), (2.5, 2.0)])
def test_tolerance_that_tells_nothing_leaves_the_steps_to_judge(beyond: tuple[float, float]) -> None:
    """Differences that stay as they were, or agree with backward as it is, make no derivative wrong."""
    steps = stairs(1e-3)
    assert "right" == verdict_of(2.0, steps, lambda step: COMPARISON if steps(step) else None, [beyond, beyond])


@pytest.mark.parametrize(
    ("analytic", "width", "verdict"),
    [(2.0, 1e-3, "right"), (1.0, 1e-3, "wrong"), (2.0, 0.1, "resolution"), (1.0, 0.1, "right"), (3.0, 0.1, "wrong")],
)
def test_slope_of_one_piece_of_many_is_not_the_derivative(analytic: float, width: float, verdict: str) -> None:
    """A piece as narrow as that of a bracket that moves has a slope of its own, 1 of 2; a wide one is the function."""
    steps = stairs(2 * width)
    assert verdict == verdict_of(
        analytic,
        lambda step: step + steps(step) / 2,
        lambda step: COMPARISON if steps(step) else None,
        near=width / 2,
    )


def test_derivative_of_steps_as_wide_as_the_point_is_not_told() -> None:
    """Neither a right nor a wrong one is, where a slope across so few steps has an error of its own size."""
    steps = stairs(1.0)
    verdicts = [verdict_of(analytic, steps, lambda step: COMPARISON if steps(step) else None) for analytic in (2, 3)]
    assert ["resolution", "resolution"] == verdicts


@pytest.mark.parametrize(
    ("analytic", "verdict"), [(1.0, "right"), (0.997, "right"), (0.98, "resolution"), (1.1, "wrong")]
)
def test_loop_that_is_made_to_go_on_tells_half_a_percent(analytic: float, verdict: str) -> None:
    """A loop that ends elsewhere nearby has another slope once it goes on."""

    def line(step: float, longer: object = None, **more: object) -> Evaluation:
        is_near = abs(step) < 0.01
        slope = 0.9 if longer is None else 1.0
        return Evaluation(np.array([slope * step]), step, same=is_near, rounds=None if is_near else 7)

    assert verdict == judged(analytic, line, []).verdict


def stopping(slope: float, jump: float, converged: float | None = None) -> Line:
    """Build the line of a loop that takes another round from 0.25 on, where values jump; `converged` if it goes on."""

    def line(step: float, longer: object = None, **more: object) -> Evaluation:
        if longer is not None:
            if converged is None:
                raise OffPath
            return Evaluation(np.array([converged * step]), step)
        is_near = abs(step) < 0.25
        value = slope * step + (0.0 if is_near else np.copysign(jump, step))
        return Evaluation(np.array([value]), step, same=is_near, rounds=None if is_near else 7)

    return line


@pytest.mark.parametrize(
    ("analytic", "jump", "solved", "verdict"),
    [
        (1.004, 0.01, 0.0, "right"),
        (1.02, 0.0125, 0.0, "resolution"),
        (1.02, 0.005, 0.0, "wrong"),  # pieces of a width of a half that jump by so much are off by twice that
        (1.02, 0.02, 0.0, "wrong"),  # more than three percent are no error of a solver's
        (1.02, 0.0, 0.0042, "resolution"),
        (1.02, 0.0, 0.0035, "wrong"),
        (1.02, 0.0, 0.008, "wrong"),
        (1.045, 0.0145, 0.0058, "wrong"),  # not of two either
        (0.97, 0.0145, 0.0058, "resolution"),
    ],
)
def test_solvers_explain_what_they_leave_up_to_three_percent(
    analytic: float, jump: float, solved: float, verdict: str
) -> None:
    """Forward by its jumps, backward by what it varies by, and neither by more."""
    assert verdict == judged(analytic, stopping(1.0, jump), [], solved).verdict


@pytest.mark.parametrize(("slope", "converged", "numeric"), [(0.0, 1.0, 1.0), (0.9, 1.0, 0.9), (0.0, 0.0, 0.0)])
def test_wrong_derivative_of_a_loop_that_is_flat_shows_the_slope_where_it_goes_on(
    slope: float, converged: float, numeric: float
) -> None:
    """An iterate that is a constant has no slope to compare with."""
    found = judged(0.5, stopping(slope, 0.25, converged), [])
    assert ("wrong", pytest.approx(numeric), pytest.approx(abs(numeric - 0.5))) == (
        found.verdict, found.numeric, found.error,
    )  # fmt: skip


@pytest.mark.parametrize(("analytic", "verdict"), [(1.0135, "resolution"), (0.987, "resolution"), (1.0165, "wrong")])
def test_derivative_at_the_last_iterate_is_off_by_thrice_what_the_slope_is(analytic: float, verdict: str) -> None:
    """The slope of the iterate is 0.995, that of the solution 1."""
    assert verdict == judged(analytic, stopping(0.995, 0.0, 1.0), []).verdict
