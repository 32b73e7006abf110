"""Derivatives by differences of functions that are known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dyncli.gradchecking.function_at_point import Evaluation, Line
from dyncli.gradchecking.numeric import coarse_derivative, fitted_slope, resolution_of
from dyncli.gradchecking.real_vectors import real


def line_of(function: Callable[[float], float]) -> Line:
    """Build the line of a function at 0."""
    return lambda step: Evaluation(np.array([function(step)]), step)


def test_slope_from_afar_of_a_smooth_function_has_eight_digits() -> None:
    """The polynomial follows the function, row by row, and the error that is stated bounds the real one."""
    found = coarse_derivative(lambda step: Evaluation(np.exp([step, 1 + step]), step), 1.0, 1e-12)
    assert found is not None
    value, error = found
    np.testing.assert_allclose(value, np.exp([0.0, 1.0]), rtol=1e-8)
    assert (np.abs(value - np.exp([0.0, 1.0])) <= error).all()


def test_standard_error_of_a_slope_is_that_of_least_squares() -> None:
    """Slope and error are those of NumPy's fit with its covariance."""
    places = np.cos(np.arange(0.5, 20) * np.pi / 20)
    values = np.exp(places) + 0.1 * np.sin(40 * places)
    coefficients, covariance = np.polyfit(places, values, 3, cov=True)
    (slope,), (deviation,) = fitted_slope(places, values[:, None], 3)
    np.testing.assert_allclose((slope, deviation), (coefficients[-2], np.sqrt(covariance[-2, -2])), rtol=1e-10)


@pytest.mark.parametrize("width", [1e-6, 1e-3, 0.03])
def test_slope_from_afar_averages_the_steps_of_a_staircase(width: float) -> None:
    """A staircase along exp, whose pieces are flat, has the slope of exp within the stated error."""
    stairs = line_of(lambda step: np.floor(np.exp(step) / width) * width)
    resolution = resolution_of(stairs, 0, 0.0, 1e-16, 1.0)
    assert resolution is not None
    assert width / 10 <= resolution <= 10 * width
    found = coarse_derivative(stairs, 1.0, resolution)
    assert found is not None
    value, error = found
    assert abs(value[0] - 1) <= 2 * error[0]
    assert error[0] <= max(3 * width, 1e-5)


@pytest.mark.parametrize("function", [np.exp, lambda step: step * step, lambda step: abs(step - 0.3)])
def test_function_without_jumps_has_no_resolution(function: Callable[[float], float]) -> None:
    """Bends and curves are no steps."""
    assert resolution_of(line_of(function), 0, float(function(1e-9) - function(-1e-9)) / 2e-9, 1e-16, 1.0) is None


def test_single_jump_is_no_resolution() -> None:
    """A function that jumps once does not move in steps."""
    assert resolution_of(line_of(lambda step: step + (step > 0.01)), 0, 1.0, 1e-16, 1.0) is None


def test_slope_within_a_piece_is_not_that_of_a_smooth_function() -> None:
    """Slopes that settle all at once lie between two jumps of many, though none of them moves any more."""
    stairs = line_of(lambda step: 2 * step - np.floor(step / 0.1 + 0.5) * 0.1)
    assert 0.1 == resolution_of(stairs, 0, 2.0, 1e-16, 1.0)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "bool", "complex128", "complex64"])
def test_real_lists_the_parts_of_each_number(dtype: str) -> None:
    """Take every dtype, in every layout."""
    array = np.arange(6).reshape(2, 3).astype(dtype)
    if dtype.startswith("complex"):
        array = array * (1 + 0.5j)
    for given in (array, array.T, array[:, ::2], array[0, 1]):
        parts = [part for z in np.ravel(given).tolist() for part in ((z.real, z.imag) if "c" in dtype else (z,))]
        assert parts == real(given).tolist()
