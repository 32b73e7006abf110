"""A step size that satisfies the strong Wolfe conditions (Nocedal and Wright, algorithms 3.5 and 3.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def cubic_minimum(
    x1: float, f1: float, g1: float, x2: float, f2: float, g2: float, bounds: tuple[float, float] | None = None
) -> float:
    """Return where the cubic through two points with given slopes is smallest.

    The result lies within `bounds`, or else between the two points.
    """
    low, high = bounds if bounds is not None else (min(x1, x2), max(x1, x2))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 * d1 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    d2 = square**0.5
    minimum = (
        x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
        if x1 <= x2
        else x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    )
    return float(min(max(minimum, low), high))


Point = tuple[float, float, Any, float]  # step size, loss, gradient, slope along the direction


class _Line:
    """A loss along the direction `d`, from a point with loss `f` and `slope`."""

    def __init__(self, evaluate: Callable[[float], tuple[float, Any]], d: Any, f: float, slope: float) -> None:
        self.evaluate = evaluate
        self.d = d
        self.f = f
        self.slope = slope
        self.used = 0

    def at(self, t: float) -> Point:
        """Evaluate the loss at a step size."""
        f, g = self.evaluate(t)
        self.used += 1
        return t, f, g.copy(), float(g.dot(self.d))

    def too_high(self, point: Point, c1: float) -> bool:
        """Return True if the loss does not fall enough there, by the first Wolfe condition."""
        return point[1] > self.f + c1 * point[0] * self.slope

    def flat(self, point: Point, c2: float) -> bool:
        """Return True if the slope is small enough there, by the second Wolfe condition."""
        return abs(point[3]) <= -c2 * self.slope


def strong_wolfe(
    evaluate: Callable[[float], tuple[float, Any]],
    t: float,
    d: Any,
    f: float,
    g: Any,
    slope: float,
    limit: int,
    c1: float = 1e-4,
    c2: float = 0.9,
    tolerance: float = 1e-9,
) -> tuple[float, Any, float, int]:
    """Search along `d` for a step that meets the strong Wolfe conditions.

    Returns (loss, gradient, step size, number of evaluations).
    """
    line = _Line(evaluate, d, f, slope)
    bracket = _bracketed(line, t, (0.0, f, g.copy(), slope), c1, c2, limit)
    best = bracket[0] if len(bracket) == 1 else _zoomed(line, bracket, c1, c2, tolerance, limit)
    return best[1], best[2], best[0], line.used


def _bracketed(line: _Line, t: float, start: Point, c1: float, c2: float, limit: int) -> list[Point]:
    """Take longer steps until two points have a good step between them, or one is such a step."""
    before, here = start, line.at(t)
    while line.used <= limit:
        rises = line.too_high(here, c1) or (line.used > 2 and here[1] >= before[1])
        if line.flat(here, c2) and not rises:
            return [here]
        if rises or here[3] >= 0:
            return [before, here]
        shortest = here[0] + 0.01 * (here[0] - before[0])
        t = cubic_minimum(before[0], before[1], before[3], here[0], here[1], here[3], (shortest, here[0] * 10))
        before, here = here, line.at(t)
    return [start, here]


def _zoomed(line: _Line, bracket: list[Point], c1: float, c2: float, tolerance: float, limit: int) -> Point:
    """Shrink the bracket until a step is good or too small; return the end with the lower loss."""
    longest = float(np.abs(line.d).max())
    stalled = False
    low, high = _ordered(bracket)
    while line.used <= limit:
        (t0, f0, _, s0), (t1, f1, _, s1) = bracket
        if abs(t1 - t0) * longest < tolerance:
            break
        t, stalled = _inside(cubic_minimum(t0, f0, s0, t1, f1, s1), min(t0, t1), max(t0, t1), stalled)
        here = line.at(t)
        if line.too_high(here, c1) or here[1] >= bracket[low][1]:
            bracket[high] = here
            low, high = _ordered(bracket)
            continue
        if line.flat(here, c2):
            return here
        if here[3] * (bracket[high][0] - bracket[low][0]) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = here
    return bracket[low]


def _ordered(bracket: list[Point]) -> tuple[int, int]:
    """Return the indices of the end with the lower and of that with the higher loss."""
    return (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)


def _inside(t: float, left: float, right: float, stalled: bool) -> tuple[float, bool]:
    """Move a step that is near an end for the second time away from it; return it, and whether it was the first."""
    margin = 0.1 * (right - left)
    if min(right - t, t - left) >= margin:
        return t, False
    if not stalled and left < t < right:
        return t, True
    return (right - margin if abs(t - right) < abs(t - left) else left + margin), False
