"""The derivative of a function along a line by differences, with the error of the result.

Only values on the point's own path stand in a difference.  Steps go down by factors of 4; Richardson extrapolation
takes the truncation away, and what the steps below say must not contradict what is made of the steps above: so a
small-scale kink is not stepped over.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking.evaluation_limit import EvaluationTooLong
from dyncli.gradchecking.function_at_point import Evaluation, Line
from dyncli.gradchecking.listener import OffPath

EPSILON = float(np.finfo(np.float64).eps)
FIRST = 1e-5  # the step of the first look, as a part of the scale
RATIO = 4.0
LEVELS = 5  # steps above and below the first usable one
MOST_LEVELS = 500  # down to where the slope no longer moves: beside a pole as near as 1e-300


class Estimate(NamedTuple):
    """value, error: of the derivative, one for each row.  bend: right less left slope at the smallest step of use.

    step, level: the smallest step, and its level.
    """

    value: Any
    error: Any
    bend: Any
    bends: Any
    step: float
    level: int


class Edge(NamedTuple):
    """No step was small enough to stay on the path.  nearest: the evaluation nearest to the point that left it."""

    nearest: Evaluation


def scale_of(value: float) -> float:
    """Return the unit of step sizes at `value`: its magnitude, at least 1."""
    return max(1.0, abs(value))


def central(plus: Evaluation, minus: Evaluation) -> Any:
    """Compute the central difference of two evaluations."""
    return (plus.values - minus.values) / (plus.step - minus.step)


def bend(base: Any, plus: Evaluation, minus: Evaluation) -> Any:
    """Compute the slope to the right minus the slope to the left."""
    return (plus.values - base) / plus.step - (minus.values - base) / minus.step


class Probe:
    """Differences along one line, each step evaluated once."""

    def __init__(self, line: Line, base: Any, scale: float, smallest: float, first: float | None = None) -> None:
        self.line = line
        self.base = base
        self.scale = scale
        self.smallest = smallest
        self.first = FIRST * scale if first is None else first
        self._known: dict[int, tuple[Evaluation, Evaluation]] = {}
        self.left: Evaluation | None = None

    def at(self, level: int) -> tuple[Evaluation, Evaluation]:
        """Evaluate on both sides at the step `first / RATIO**level`, once."""
        if level not in self._known:
            step = self.first * RATIO**-level
            self._known[level] = self.line(step), self.line(-step)
        return self._known[level]

    def put(self, plus: Evaluation, minus: Evaluation) -> None:
        """Store evaluations at the first step that were made elsewhere."""
        self._known[0] = plus, minus

    def usable(self, level: int) -> bool:
        """Return whether both sides of a step are on the path."""
        plus, minus = self.at(level)
        return plus.usable and minus.usable and plus.step > minus.step

    def start(self) -> int | Edge:
        """Find the first level whose step stays on the path; an Edge if there is none down to the smallest step."""
        level, stride = 0, 1
        while not self.usable(level):
            plus, minus = self.at(level)
            self.left = minus if plus.usable else plus
            if self.first * RATIO ** -(level + stride) < self.smallest:
                return Edge(minus if plus.usable else plus)
            level += stride
            stride = 1 if level < 4 else 2 if level < 16 else 8
            if isinstance(self.left.error, EvaluationTooLong):  # each of these takes its time
                stride = 8
        return level

    def levels(self, start: int) -> list[int]:
        """List the usable levels to extrapolate from, the largest step first."""
        top = start
        most = 0.1 * self.scale
        while top > start - 2 * LEVELS and self.first * RATIO ** -(top - 1) <= most and self.usable(top - 1):
            top -= 1
        bottom = start
        while (
            bottom < start + LEVELS
            and bottom - top < 2 * LEVELS
            and self.first * RATIO ** -(bottom + 1) > self.smallest
        ):
            if not self.usable(bottom + 1):
                break
            bottom += 1
        return list(range(top, bottom + 1))

    def _moving(self, levels: list[int], noise: Any) -> bool:
        """Return whether the slope still changes at the smallest steps, by more than rounding does."""
        last, before = (central(*self.at(level)) for level in (levels[-1], levels[-2]))
        plus, minus = self.at(levels[-1])
        size = np.maximum(np.abs(plus.values), np.abs(minus.values))
        part = np.minimum(size / np.maximum(np.abs(self.base), 1e-300), 1.0)  # beyond a pole values are small
        rounding = part * noise / (self.first * RATIO ** -levels[-1])
        return bool(np.any(np.abs(last - before) > 1e-3 * np.abs(last) + 20 * rounding))

    def estimate(self, start: int, noise: Any) -> Estimate:
        """Extrapolate the derivative from all usable steps; noise: the rounding error of the values."""
        levels = self.levels(start)
        while len(levels) > 1 and levels[-1] < MOST_LEVELS and self._moving(levels, noise):
            below = levels[-1] + 1
            if self.first * RATIO**-below <= self.smallest or not self.usable(below):
                break
            levels.append(below)
        levels = levels[-4 * LEVELS :]
        pairs = [self.at(level) for level in levels]
        slopes = [central(plus, minus) for plus, minus in pairs]
        steps = [(plus.step - minus.step) / 2 for plus, minus in pairs]
        bends = np.array([bend(self.base, plus, minus) for plus, minus in pairs])
        value, error = extrapolated(slopes, steps, noise)
        return Estimate(value, error, bends[-1], bends, steps[-1], levels[-1])


def extrapolated(slopes: list[Any], steps: list[float], noise: Any) -> tuple[Any, Any]:
    """Return (value, error) of the best entry of the Richardson tableau that no smaller step contradicts."""
    count = len(slopes)
    rounding = [noise / step for step in steps]
    if count == 1:
        return slopes[0], np.abs(slopes[0]) * 1e-3 + rounding[0]
    spread = [
        np.abs(slopes[i] - slopes[i - 1 if i else 1]) if i == 0 or i == count - 1
        else np.minimum(np.abs(slopes[i] - slopes[i - 1]), np.abs(slopes[i] - slopes[i + 1]))
        for i in range(count)
    ]  # fmt: skip
    best = slopes[-1].copy() if isinstance(slopes[-1], np.ndarray) else np.asarray(slopes[-1])
    least = np.full(np.shape(best), np.inf)
    row: list[Any] = []
    for i in range(count):
        new = [slopes[i]]
        errors = [spread[i] + rounding[i]]
        for j in range(1, min(i, 4) + 1):
            factor = RATIO ** (2 * j)
            new.append((factor * new[j - 1] - row[j - 1]) / (factor - 1))
            errors.append(np.maximum(np.abs(new[j] - new[j - 1]), np.abs(new[j] - row[j - 1])) + 2 * rounding[i])
        for value, error in zip(new, errors):
            better = error < least
            for k in range(i + 1, count):
                better &= np.abs(value - slopes[k]) <= error + 2 * spread[k] + 4 * rounding[k]
            best = np.where(better, value, best)
            least = np.where(better, error, least)
        row = new
    unknown = ~np.isfinite(least)
    return best, np.where(unknown, np.abs(best) + rounding[-1], least)


FARTHEST = 1.0  # of the scale: the widest window in which a function that moves in steps is judged
WINDOWS = 8  # each half as wide as the one before
SAMPLES = 32
DEGREES = (3, 5)


def coarse_derivative(line: Line, scale: float, resolution: float) -> tuple[Any, Any] | None:
    """Return the derivative from a window much wider than a function's resolution, with its error; None without one.

    A polynomial is fitted by least squares in Chebyshev's points, so that the steps of the function average out.
    The error is twice the standard error of the slope (the residuals' variance times an element of the inverse of the
    normal matrix), or what two degrees more change. For each row the window with the smallest error is taken.
    """
    places = np.cos((np.arange(SAMPLES) + 0.5) * np.pi / SAMPLES)
    best: tuple[Any, Any] | None = None
    for width in FARTHEST * scale * 0.5 ** np.arange(WINDOWS):
        samples = [line(width * place) for place in places] if width >= 2 * resolution else []
        if not samples or not all(map(_is_defined, samples)):
            continue
        values = np.array([sample.values for sample in samples])
        slopes, deviations = zip(*(fitted_slope(places, values, degree) for degree in DEGREES))
        value = slopes[0] / width
        error = np.maximum(np.abs(slopes[1] - slopes[0]), 2 * deviations[0]) / width
        if best is not None:
            better = error < best[1]
            value, error = np.where(better, value, best[0]), np.where(better, error, best[1])
        best = value, error
    return best


def fitted_slope(places: Any, values: Any, degree: int) -> tuple[Any, Any]:
    """Return the slope at 0 of the polynomial that fits best, with its standard error, for each column of `values`."""
    powers = np.vander(places, degree + 1, increasing=True)
    inverse = np.linalg.inv(powers.T @ powers)
    coefficients = inverse @ powers.T @ values
    variance = np.square(values - powers @ coefficients).sum(axis=0) / (len(places) - degree - 1)
    return coefficients[1], np.sqrt(variance * inverse[1, 1])


def _is_defined(one: Evaluation) -> bool:
    """Return whether there are finite values, on whatever path."""
    return one.values is not None and bool(one.finite)


JUMPS_WITHIN = (*(10.0**-power for power in range(8, 0, -1)), 0.25, 0.5)  # of the scale


def resolution_of(line: Line, row: int, slope: float, noise: float, scale: float) -> float | None:
    """Return the step at which the values jump again and again, as those that a solver stops at do; None without one.

    slope: of the piece at the point.  noise: the rounding error of the values.
    """
    if slope and _is_smooth(line, row, slope, noise, scale):
        return None
    for part in JUMPS_WITHIN:
        step = part * scale
        if all(_has_jump(line, row, (place * step, (place + 1) * step), slope, 20 * noise)
               for place in (0, 1, -1, -2)):  # fmt: skip
            return float(step)
    return None


LARGEST = 0.1  # of the scale: the first step from which slopes are compared
SMOOTH_LEVELS = 12


def _is_smooth(line: Line, row: int, slope: float, noise: float, scale: float) -> bool:
    """Return whether slopes over ever smaller steps come nearer to `slope` as those of a smooth function do.

    That is by half the rate of the square of the step at least, and not all at once, as within a piece between jumps.
    A jump of more than 20 times the noise is off by more than the rounding that is allowed for.
    """
    before: float | None = None
    for step in LARGEST * scale * RATIO ** -np.arange(SMOOTH_LEVELS):
        plus, minus = line(step), line(-step)
        if not (_is_defined(plus) and _is_defined(minus)):
            return False
        off = abs(float(central(plus, minus)[row]) - slope)
        rounding = 8 * noise / step
        if before is not None and not before / RATIO**8 - rounding <= off <= before / (RATIO**2 / 2) + rounding:
            return False
        before = off
    return True


NEAREST = 1e-4  # of the scale: how near a loop with another number of rounds is looked for
WIDEST = 4.0  # of the scale: how far a loop with another number of rounds is looked for
USUAL_WIDTH = 0.5  # of the scale: how far a piece goes on the side where no end of it is found
HALVINGS = 40
MORE_ROUNDS = (1, 2, 4, 8, 16, 32, 64)  # that a loop is made to take beyond its end
SETTLED = 1e-6  # of a slope: what it may move by where the loop has converged


def rounds_error(line: Line, scale: float) -> Any | None:
    """Return by how much a slope may be off because a loop stops early, one number for each row; None without one.

    A loop that stops at a tolerance makes values jump where it takes another number of rounds. Between two jumps the
    slope is that of an approximation; on average over the pieces it is off by the jump over the width of the piece.
    Where steps adapt, as in a solver of a differential equation, values go on and the slope jumps by what it is off.
    """
    width, jumps, bends = 0.0, [], []
    for sign in (1, -1):
        edge = _edge_of_rounds(line, sign, scale)
        width += USUAL_WIDTH * scale if edge is None else abs(edge[0].step)
        if edge is not None:
            jumps.append(np.abs(edge[1].values - edge[0].values))
            bends.append(_slope_jump(line, *edge, sign * FIRST * scale))
    if not jumps:
        return None
    by_jumps, by_bends = np.max(jumps, axis=0) / width, np.max(bends, axis=0)
    return np.where(by_jumps < 1e-3 * by_bends, by_bends, by_jumps)


def converged_derivative(line: Line, scale: float) -> tuple[Any, Any] | None:
    """Return the derivative once a loop that stops at a tolerance is made to go on, with what it still moves by.

    None where no loop takes another number of rounds nearby, or more of them lead nowhere.
    """
    construct = _loop_nearby(line, scale)
    found: tuple[Any, Any] | None = None
    before = None
    for rounds in MORE_ROUNDS if construct is not None else ():
        try:
            plus, minus = (line(step, longer=(construct, rounds)) for step in (FIRST * scale, -FIRST * scale))
        except OffPath:
            break
        if not (_is_defined(plus) and _is_defined(minus)):
            break
        slope = central(plus, minus)
        if before is not None:
            found = slope, np.abs(slope - before)
            if (found[1] <= SETTLED * np.abs(slope)).all():
                break
        before = slope
    return found


def _loop_nearby(line: Line, scale: float) -> int | None:
    """Find the construct that ends a loop after another number of rounds, at the smallest step that does so."""
    step = NEAREST * scale
    while step <= WIDEST * scale:
        for side in (line(step), line(-step)):
            if side.rounds is not None:
                return side.rounds
        step *= 2
    return None


def _slope_jump(line: Line, low: Evaluation, high: Evaluation, step: float) -> Any:
    """Return by how much the slopes on the two sides of an edge differ; zeros where they cannot be measured."""
    before, after = line(low.step - step), line(high.step + step)
    if not (_is_defined(before) and _is_defined(after)):
        return np.zeros_like(low.values)
    near, far = (low.values - before.values) / step, (after.values - high.values) / step
    return np.abs(far - near)


def _edge_of_rounds(line: Line, sign: int, scale: float) -> tuple[Evaluation, Evaluation] | None:
    """Find the two evaluations on one side between which a loop takes another number of rounds, close together."""
    low, step = None, NEAREST * scale
    while (high := line(sign * step)).rounds is None:
        low, step = high, 2 * step
        if step > WIDEST * scale or not _is_defined(high):
            return None
    if low is None:
        return None
    for _ in range(HALVINGS):
        middle = line((low.step + high.step) / 2)
        low, high = (low, middle) if middle.rounds is not None else (middle, high)
    return (low, high) if _is_defined(low) and _is_defined(high) else None


def _has_jump(line: Line, row: int, span: tuple[float, float], slope: float, noise: float) -> bool:
    """Return whether one value jumps within a span, found by halving where it leaves its slope."""
    low, high = span
    ends = [line(low), line(high)]
    if not all(map(_is_defined, ends)):
        return False
    first, last = (float(end.values[row]) for end in ends)
    least = 1e-6 * (high - low)
    steepest = max(abs(slope), abs(last - first) / (high - low))
    if abs(last - first - slope * (high - low)) <= noise:
        return False
    while high - low > least:
        at = (low + high) / 2
        middle = line(at)
        if not _is_defined(middle):
            return False
        value = float(middle.values[row])
        if abs(value - first - slope * (at - low)) > abs(last - value - slope * (high - at)):
            high, last = at, value
        else:
            low, first = at, value
    return abs(last - first) > noise + 100 * steepest * (high - low)


class Side(NamedTuple):
    """One side of the point.  value: the limit of the function there.  slope: its one-sided derivative, with errors."""

    value: Any
    slope: Any
    value_error: Any
    slope_error: Any


POINTS = np.array([1.0, 0.75, 0.5, 0.25, 0.125])


def one_side(line: Line, sign: int, base: Any, scale: float, smallest: float, noise: Any) -> Side | None:
    """Fit the function's limit and slope on one side of the point; None where it is not defined there.

    base: the values at the point.  Steps shrink until slope and limit have settled, a limit that is another value last.
    """
    step = 0.01 * scale
    found: list[Side] = []
    mixed: list[Side] = []
    while step > 4 * smallest:
        evaluations = [line(sign * step * point, hash_path=True) for point in POINTS[:1]]
        if isinstance(evaluations[0].error, EvaluationTooLong):
            step /= 1024
            continue
        evaluations += [line(sign * step * point, hash_path=True) for point in POINTS[1:]]
        together = len({each.path_hash for each in evaluations}) == 1
        whole = all(each.values is not None and each.finite for each in evaluations)
        if whole and together:
            found.append(_fitted(evaluations, noise))
            apart = np.abs(found[-1].value - base) > 3 * found[-1].value_error + 10 * noise + 1e-12 * np.abs(base)
            if len(found) >= 4 and not (apart | _moving_between(found[-2], found[-1])).any():
                break
            step /= 256 if len(found) >= 4 and apart.any() else 16
        else:
            if whole:
                mixed.append(_fitted(evaluations, noise))
            step /= 16 if found else 8
    found = [_limit(*found[max(i - 3, 0) : i + 1]) for i in range(len(found))]
    if not (found and mixed):
        return _settled(found or mixed) if found or mixed else None
    # Pieces so small that rounding hides their slope, as of a loop that stops at a tolerance: the slope over many.
    near, far = _settled(found), _settled(mixed)
    clearer = far.slope_error < 1e-3 * near.slope_error
    return Side(*(np.where(clearer, over_many, of_one) for over_many, of_one in zip(far, near)))


def _moving_between(before: Side, now: Side) -> Any:
    """Mark the slopes that change by more than their errors from one step to a smaller one."""
    return np.abs(now.slope - before.slope) > 3 * (now.slope_error + before.slope_error)


def _limit(*sides: Side) -> Side:
    """Extrapolate slopes that change by one factor from step to step, such as those of |x|^1.5 at 0."""
    last = sides[-1]
    if len(sides) < 4:
        return last
    limits = [_aitken(*(side.slope for side in each)) for each in (sides[:-1], sides[1:])]
    moving = _moving_between(sides[-2], last)
    error = np.where(moving, np.abs(limits[1] - limits[0]), last.slope_error)
    return last._replace(slope=np.where(moving, limits[1], last.slope), slope_error=error)


def _settled(sides: list[Side]) -> Side:
    """Return the estimate with the smallest error; one that a smaller step contradicts is that far off."""
    found = sides[-1]
    for i, side in enumerate(sides[-2::-1], 2):
        off = [np.abs(side.slope - below.slope) - below.slope_error for below in sides[1 - i :]]
        side = side._replace(slope_error=np.maximum(side.slope_error, np.max(off, axis=0)))
        better = side.slope_error <= found.slope_error
        found = Side(*(np.where(better, new, old) for new, old in zip(side, found)))
    return found


def _aitken(first: Any, second: Any, third: Any) -> Any:
    """Extrapolate a sequence by Aitken's delta-squared; its last member where differences do not shrink."""
    before, now = second - first, third - second
    shrinks = np.abs(now) < 0.9 * np.abs(before)
    return third + np.where(shrinks, now * now / np.where(shrinks, before - now, 1.0), 0.0)


def _fitted(evaluations: list[Evaluation], noise: Any) -> Side:
    """Fit a polynomial to values on one side.

    Its error is the distance to a fit of one degree less.
    """
    steps = np.array([each.step for each in evaluations])
    values = np.array([each.values for each in evaluations])
    width = np.abs(steps).max()
    full = np.linalg.solve(np.vander(steps / width, increasing=True), values)
    fewer = np.linalg.solve(np.vander(steps[1:] / width, increasing=True), values[1:])
    slope = full[1] / width
    less = fewer[1] / width if len(fewer) > 1 else slope * 1.001
    return Side(full[0], slope, np.abs(full[0] - fewer[0]) + 100 * noise, np.abs(slope - less) + 300 * noise / width)
