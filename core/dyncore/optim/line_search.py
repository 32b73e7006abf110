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


def strong_wolfe(
    evaluate: Callable[[float], tuple[float, Any]],
    t: float,
    d: Any,
    f: float,
    g: Any,
    slope: float,
    c1: float = 1e-4,
    c2: float = 0.9,
    tolerance: float = 1e-9,
    limit: int = 25,
) -> tuple[float, Any, float, int]:
    """Search along `d` for a step that meets the strong Wolfe conditions.

    Returns (loss, gradient, step size, number of evaluations).
    """
    longest = float(np.abs(d).max())
    g = g.copy()
    f_new, g_new = evaluate(t)
    used, slope_new = 1, float(g_new.dot(d))
    t_prev, f_prev, g_prev, slope_prev = 0.0, f, g, slope
    done, count = False, 0
    bracket: list[tuple[float, float, Any, float]] = []
    while count < limit:
        here, before = (t, f_new, g_new.copy(), slope_new), (t_prev, f_prev, g_prev, slope_prev)
        if f_new > f + c1 * t * slope or (count > 1 and f_new >= f_prev) or slope_new >= 0:
            wide = abs(slope_new) <= -c2 * slope and not (f_new > f + c1 * t * slope or (count > 1 and f_new >= f_prev))
            bracket, done = ([here], True) if wide else ([before, here], False)
            break
        if abs(slope_new) <= -c2 * slope:
            bracket, done = [here], True
            break
        shortest = t + 0.01 * (t - t_prev)
        t_next = cubic_minimum(t_prev, f_prev, slope_prev, t, f_new, slope_new, (shortest, t * 10))
        t_prev, f_prev, g_prev, slope_prev = t, f_new, g_new.copy(), slope_new
        t = t_next
        f_new, g_new = evaluate(t)
        used, slope_new, count = used + 1, float(g_new.dot(d)), count + 1
    if count == limit:
        bracket = [(0.0, f, g, slope), (t, f_new, g_new, slope_new)]
    stalled = False
    low, high = (0, 1) if bracket[0][1] <= bracket[-1][1] else (1, 0)
    while not done and count < limit:
        (t0, f0, _, s0), (t1, f1, _, s1) = bracket
        if abs(t1 - t0) * longest < tolerance:
            break
        t = cubic_minimum(t0, f0, s0, t1, f1, s1)
        left, right = min(t0, t1), max(t0, t1)
        margin = 0.1 * (right - left)
        if min(right - t, t - left) < margin:
            if stalled or t >= right or t <= left:
                t = right - margin if abs(t - right) < abs(t - left) else left + margin
                stalled = False
            else:
                stalled = True
        else:
            stalled = False
        f_new, g_new = evaluate(t)
        used, slope_new, count = used + 1, float(g_new.dot(d)), count + 1
        here = (t, f_new, g_new.copy(), slope_new)
        if f_new > f + c1 * t * slope or f_new >= bracket[low][1]:
            bracket[high] = here
            low, high = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
            continue
        if abs(slope_new) <= -c2 * slope:
            done = True
        elif slope_new * (bracket[high][0] - bracket[low][0]) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = here
    best = bracket[low if len(bracket) == 2 else 0]
    return best[1], best[2], best[0], used
