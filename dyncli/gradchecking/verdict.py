"""One element, or one direction: what its derivative is numerically, and what that says of the analytic one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking.evaluation_limit import EvaluationTooLong
from dyncli.gradchecking.function_at_point import Evaluation, Line, Near
from dyncli.gradchecking.listener import OffPath
from dyncli.gradchecking.numeric import (
    EPSILON,
    FARTHEST,
    FIRST,
    RATIO,
    Edge,
    Estimate,
    Probe,
    Side,
    bend,
    central,
    coarse_derivative,
    converged_derivative,
    one_side,
    resolution_of,
    rounds_error,
)
from dyncli.gradchecking.tolerances import STEP, Beyond


class Tolerance(NamedTuple):
    """rtol, atol, eps: as the user gave them, None for what follows from the estimated error.

    scales: for each row the size of its derivatives, which tells a zero from a small one.
    """

    scales: Any
    rtol: float | None = None
    atol: float | None = None
    eps: float | None = None


class Finding(NamedTuple):
    """A verdict along one line, with the numbers behind it.

    verdict: right, wrong, kink, jump, nan, resolution or not_measurable.  row: the one that decided it.
    suspect: the derivative of the point's own piece differs from the analytic one as well.  flip: see `Evaluation`.
    """

    verdict: str
    row: int
    analytic: float
    numeric: float
    error: float
    estimated: float
    left: float | None = None
    right: float | None = None
    jump: float | None = None
    suspect: bool = False
    flip: tuple[bool, int] | None = None
    near: Near | None = None
    failure: str | None = None
    ratio: float = 0.0


def reason_of(error: BaseException | None) -> str | None:
    """Return what an exception of the model's says, as one line."""
    if error is None:
        return None
    if isinstance(error, EvaluationTooLong):
        return "does not come to an end"
    first = (str(error).splitlines() or [""])[0]
    return f"raises {type(error).__name__}: {first}" if first else f"raises {type(error).__name__}"


RELATIVE = 1e-6
CLEAR = 0.03  # of a derivative: the largest error of one that is taken from afar
ROUGH = 0.2  # of a derivative: the largest error of one from afar by which another is wrong, if so much further off
SURE = 0.005  # of a derivative: the most that a slope from afar, or what solvers leave, may be off for a right one
SMALL = 1e-8  # a derivative so much smaller than others of the same output counts for nothing
FAR = 0.05  # of the scale
NEARBY = 0.01  # of the scale: a test so near may be one of many
COARSER = 1000  # times the rounding of float64: an op rounds to fewer digits
PINNED = 1e-13  # the least step with every decision held, where none needs to be smaller
SMALLEST = 1e-305
STOPPING = 3  # an analytic derivative where a loop stops, at most so many times what the slope there is off by
SOLVER_ERRORS = 5  # a solver's error forward and backward together, at most so many times what backward's varies by
GOING_ON = 1e-4  # of a derivative: by how much backward and differences may differ where a solver goes on
MOVED = 0.25  # of a derivative: by how much it may change as a solver goes on
MOST_DOUBTS = 16  # wrong ones that stay so, after which none is asked for the rounding of its gradient, or its loops


class Along(NamedTuple):
    """One line, and `analytic`: its derivative by backward, one number for each row.

    pinned: the same line with every decision held; raises OffPath where that cannot be.
    ulp: the least step that is one.  exact: the derivative by a complex step, or None.
    doubt: the rounding error of a row's analytic derivative.  beyond: the derivatives where a solver goes on.
    thoroughly: what looks flat from near is looked at from afar as well.
    """

    line: Line
    pinned: Callable[[], Line]
    analytic: Any
    scale: float
    ulp: float
    exact: Callable[[], Any]
    doubt: Callable[[int], float]
    beyond: Callable[[], Iterator[Beyond]]
    is_compared: Callable[[bool, int], bool]
    thoroughly: bool


class Judge:
    """Judges lines through one point.

    base: the values there.  noise: gives the rounding error of the values, worked out when it matters.
    solved: gives the error of a backward that solves adaptively, as a part of its largest gradient; 0 for any other.
    """

    def __init__(
        self, base: Any, tolerance: Tolerance, noise: Callable[[int], float], solved: Callable[[], float]
    ) -> None:
        self.base = base
        self.solved = solved
        self.tolerance = tolerance
        self.quick = 4 * EPSILON * np.maximum(np.abs(base), np.abs(base).max(initial=0.0) * 1e-3)
        self.refine = noise
        self._blamed = 0
        self._stopped = 0
        self._given = tolerance.rtol is not None or tolerance.atol is not None
        if len(base) == 1:
            self._base, self._quick, self._scale = float(base[0]), float(self.quick[0]), float(tolerance.scales[0])

    def __call__(self, along: Along) -> Finding:
        """Return what a line says of its analytic derivative."""
        line, analytic, scale = along.line, along.analytic, along.scale
        first = FIRST * scale if self.tolerance.eps is None else self.tolerance.eps
        plus, minus = line(first, margins=True), line(-first)
        if not np.isfinite(analytic).all():
            return self._infinite(plus, minus, analytic)
        probe = Probe(line, self.base, scale, max(4 * along.ulp, SMALLEST), first)
        probe.put(plus, minus)
        if along.thoroughly and self._moves(line(FAR * scale)):
            return self._closely(probe, line, along.pinned, analytic, scale)._replace(near=plus.near)
        found = self._from_near(plus, minus, line, analytic, first)
        if found is None:
            found = self._closely(probe, line, along.pinned, analytic, scale)
        if found.verdict in ("wrong", "not_measurable"):
            found = self._acquitted(found, along, plus, minus)
        elif found.verdict == "right" and self.tolerance.eps is None:
            found = self._unless_below_resolution(found, along, probe)
        return found._replace(near=plus.near)

    def _from_near(
        self, plus: Evaluation, minus: Evaluation, line: Line, analytic: Any, first: float
    ) -> Finding | None:
        """Judge as right by the first step alone; None if that takes a closer look."""
        if len(self.base) == 1:
            found = self._at_once(plus, minus, float(analytic[0]), first)
            if found is not None:
                return found
        if not (plus.usable and minus.usable):
            return None
        value, error = central(plus, minus), 5 * self.quick / first
        agrees = np.abs(value - analytic) <= self._quick_tolerance(analytic, first)
        clear = self._is_clear(np.maximum(np.abs(value), np.abs(analytic)), error, plus, minus)
        if agrees.all() and clear and not self._bends(plus, minus, line, first):
            return self._best(value, analytic, error)
        return None

    def _acquitted(self, found: Finding, along: Along, plus: Evaluation, minus: Evaluation) -> Finding:
        """Return what else can explain a difference, one after the other; the finding itself if nothing does."""
        if found.flip is None:
            found = self._exactly(found, along.exact, along.analytic)
            if found.verdict != "right":
                found = self._doubted(found, along.doubt)
        if found.verdict == "right" or self._given or self.tolerance.eps is not None:
            return found
        value = central(plus, minus) if plus.values is not None and minus.values is not None else None
        found, is_sure = self._going_on(found, along, value)
        if is_sure:
            return found
        found = self._above_resolution(found, along)
        if found.verdict == "wrong" and value is not None:
            found = self._beyond_its_rounds(found, along, value)
        return found

    def _moves(self, far: Evaluation) -> bool:
        """Return whether the function is another number there, by more than rounding."""
        return far.usable and bool((np.abs(far.values - self.base) > 50 * self.quick).any())

    def _going_on(self, found: Finding, along: Along, ordinary: Any) -> tuple[Finding, bool]:
        """Judge by backward and differences where a solver meets tighter tolerances; with whether that is sure.

        ordinary: the difference with the tolerances as they are. Where neither moves, that was no solver's tolerance.
        """
        before, analytic = None, along.analytic
        for there, numeric in along.beyond():
            size = np.maximum(np.maximum(np.abs(numeric), np.abs(there)), 1e-3 * self.tolerance.scales)
            moves, off = np.abs(analytic - there), np.abs(numeric - analytic)
            error = GOING_ON * size + self._noise() / (STEP * along.scale)
            if (np.abs(numeric - there) <= GOING_ON * size).all() and (moves <= MOVED * size).all():
                return self._best(numeric, analytic, moves), True
            if before is not None and (np.abs(numeric - before) <= error).all():
                is_same = ordinary is not None and (np.maximum(moves, np.abs(numeric - ordinary)) <= error).all()
                if is_same or (off <= 3 * error).all():
                    return found, False
                row = int(np.argmax(off / size))
                return found._replace(
                    verdict="wrong", row=row, analytic=float(analytic[row]), numeric=float(numeric[row]),
                    error=float(off[row]), estimated=float(error[row]), suspect=True,
                ), True  # fmt: skip
            before = numeric
        return found, False

    def _unless_below_resolution(self, found: Finding, along: Along, probe: Probe) -> Finding:
        """Judge again what only steps below the model's resolution say: a zero, or the slope of one of many pieces."""
        if found.analytic or found.numeric:
            return self._above_resolution(found, along) if self._is_one_of_many(along, *probe.at(0)) else found
        is_still = not self._moves(along.line(FAR * along.scale)._replace(same=True))
        if not is_still and self.refine(found.row) > COARSER * self.quick[found.row]:
            again = self._above_rounding(probe, along.analytic)
            if again is not None and again.verdict == "wrong":
                return again
        moved = self._zero_going_on(found, along)
        if moved is not None:
            return moved
        return found if is_still else self._above_resolution(found, along)

    def _zero_going_on(self, found: Finding, along: Along) -> Finding | None:
        """Judge a zero by the slope once a solver goes on: wrong if backward is zero there too; None without a slope.

        Where backward is not, the solver had no need of any round: that is below the resolution.
        """
        before, least = 0.0, SMALL * max(1.0, abs(float(self.base[found.row])))
        for there, numeric in along.beyond():
            slope = float(numeric[found.row])
            moved = found._replace(verdict="resolution", numeric=slope, error=abs(slope))
            if abs(slope) > least and there[found.row]:
                return moved
            if abs(slope) > least and abs(slope - before) <= CLEAR * abs(slope):
                return moved._replace(verdict="wrong", suspect=True)
            before = slope
        return moved if abs(before) > least else None

    def _is_one_of_many(self, along: Along, plus: Evaluation, minus: Evaluation) -> bool:
        """Return whether the piece at the point ends nearby on both sides."""
        is_near = plus.near is not None and plus.near.distance < NEARBY * along.scale
        flips = plus.flip is not None or minus.flip is not None
        return (flips or is_near) and self._ends_on_both_sides(along, 2 * NEARBY * along.scale)

    def _ends_on_both_sides(self, along: Along, *distances: float) -> bool:
        """Return whether a comparison turns out otherwise that far to both sides, or nothing known does.

        Steps that an op makes, as `round`, are what the model is meant to do; a single test ends a piece on one side.
        At one of several distances all may chance to be as at the point, where a bracket moves with the input.
        """
        sides = ((along.line(sign * distance).flip for distance in distances) for sign in (1, -1))
        flips = [next((flip for flip in side if flip is not None), None) for side in sides]
        return flips == [None, None] or all(flip is not None and along.is_compared(*flip) for flip in flips)

    def _above_rounding(self, probe: Probe, analytic: Any) -> Finding | None:
        """Judge by steps that the rounding of all ops allows, float32 among them; None where none stays on the path."""
        start = probe.start()
        if isinstance(start, Edge):
            return None
        estimate = probe.estimate(start, self._noise())
        return self._compare(estimate.value, estimate.error, analytic)

    def _noise(self) -> Any:
        """Return the rounding error of the values, by backward through all ops."""
        return np.maximum(self.quick, np.array([self.refine(row) for row in range(len(self.base))]))

    def _above_resolution(self, found: Finding, along: Along) -> Finding:
        """Judge a function that moves in steps, as a solver that stops does, by a slope over many of them.

        Where these are not stable either, a plateau of one value says nothing: it is below the model's resolution.
        """
        line, analytic = along.line, along.analytic
        ends = (line(sign * FARTHEST / 2 * along.scale)._replace(same=True) for sign in (1, -1))
        if not found.numeric and not all(map(self._moves, ends)):  # as a unit that is off: saves the search for steps
            return found
        noise = max(float(self.quick[found.row]), self.refine(found.row))
        resolution = resolution_of(line, found.row, found.numeric, noise, along.scale)
        if resolution is None or not self._ends_on_both_sides(along, resolution, 2 * resolution):
            return found
        afar = coarse_derivative(line, along.scale, resolution)
        if afar is not None:
            value, error = afar
            size = np.maximum(np.abs(value), np.abs(analytic))
            off = np.abs(value - analytic)
            agrees = bool((off <= self._limits(value, error, analytic)).all())
            if agrees and (error <= np.maximum(SURE * size, RELATIVE * self.tolerance.scales)).all():
                return self._best(value, analytic, error)
            if not agrees and (error <= np.maximum(ROUGH * size, RELATIVE * self.tolerance.scales)).all():
                row = int(np.argmax(off / (size + 1e-300)))
                return Finding(
                    "wrong", row, float(analytic[row]), float(value[row]), float(off[row]), float(error[row]),
                    suspect=True, ratio=float(off[row] / (error[row] + 1e-300)),
                )  # fmt: skip
            if agrees:
                return found._replace(
                    verdict="resolution", numeric=float(value[found.row]), suspect=False,
                    error=abs(float(value[found.row]) - found.analytic), estimated=float(error[found.row]),
                )  # fmt: skip
        return found if found.numeric else found._replace(verdict="resolution", suspect=False)

    def _beyond_its_rounds(self, found: Finding, along: Along, value: Any) -> Finding:
        """Judge by a loop that is made to go on beyond its tolerance, else by what solvers leave.  value: the slope."""
        converged = converged_derivative(along.line, along.scale) if self._stopped < MOST_DOUBTS else None
        if converged is not None:
            judged = self._beside_converged(found, value, *converged, along.analytic)
            if judged is not None and judged.verdict != "wrong":
                return judged
            found = judged or found
        self._stopped += 1
        return self._within_solvers(found, along, value)

    def _within_solvers(self, found: Finding, along: Along, value: Any) -> Finding:
        """Acquit where the gradient is off by little, and by no more than solvers forward and backward leave."""
        analytic, scales = along.analytic, self.tolerance.scales
        size = np.maximum(np.abs(value), np.abs(analytic))
        most = np.maximum(CLEAR * size, RELATIVE * scales)
        off = np.abs(value - analytic)
        off[found.row] = max(found.error - 3 * found.estimated, 0.0)
        if (off > most).any():
            return found
        forward, backward = rounds_error(along.line, along.scale), SOLVER_ERRORS * self.solved() * scales
        error = np.where(backward <= CLEAR * scales, backward, 0.0)
        if forward is not None:
            error += np.where(forward <= most, forward, 0.0)
        if not error.any() or (off > self._limits(value, error / 3, analytic)).any():
            return found
        return self._if_near(found._replace(suspect=False, estimated=float(error[found.row])), off, size)

    def _beside_converged(self, found: Finding, value: Any, best: Any, moves: Any, analytic: Any) -> Finding | None:
        """Judge by the derivative of the loop that goes on; None where that moves too much to tell.

        An analytic derivative at the loop's last iterate is off by about as much as the slope there (`value`).
        """
        size = np.maximum(np.maximum(np.abs(best), np.abs(analytic)), self.tolerance.scales)
        if (moves > CLEAR * size).any():
            return None
        error = moves + np.minimum(STOPPING * np.abs(value - best), CLEAR * size)
        if (np.abs(best - analytic) <= self._limits(best, error / 3, analytic)).all():
            return self._if_near(self._best(best, analytic, error), np.abs(best - analytic), size)
        row = found.row
        if value[row] or not best[row]:
            return None
        return found._replace(
            numeric=float(best[row]), error=abs(float(best[row] - analytic[row])), estimated=float(error[row])
        )

    def _if_near(self, found: Finding, off: Any, size: Any) -> Finding:
        """Judge what a solver's error explains: as right if it is little, else as below the model's resolution."""
        return found._replace(verdict="right" if (off <= SURE * size).all() else "resolution")

    def _exactly(self, found: Finding, exact: Callable[[], Any], analytic: Any) -> Finding:
        """Acquit by a complex step where differences are too coarse to measure the derivative."""
        size = max(abs(found.numeric), abs(found.analytic))
        least = max(0.5 * size, 1e-3 * float(self.tolerance.scales[found.row]))
        if not max(found.error, found.estimated) < least:
            return found
        value = exact()
        if value is None:
            return found
        sizes = np.maximum(np.abs(value), np.abs(analytic))
        if (np.abs(value - analytic) > 1e-9 * np.maximum(sizes, 1e-6 * sizes.max(initial=0.0))).any():
            return found
        return self._best(value, analytic, 10 * EPSILON * np.abs(value))

    def _doubted(self, found: Finding, doubt: Callable[[int], float]) -> Finding:
        """Acquit where backward's rounding explains the difference: `not_measurable`, or `right` if all is rounding."""
        if self._blamed >= MOST_DOUBTS:
            return found
        error = doubt(found.row)
        if found.verdict == "not_measurable":
            little = 1e-9 * abs(float(self.base[found.row]))
            is_zero = abs(found.analytic) <= error and abs(found.numeric) <= 3 * found.estimated <= little
            self._blamed += not is_zero
            return found._replace(verdict="right") if is_zero else found
        if found.error > error + 3 * found.estimated:
            self._blamed += 1
            return found
        return found._replace(verdict="not_measurable", suspect=False, estimated=max(error, found.estimated))

    def together(self, line: Line, parts: Any) -> Finding | None:
        """Return what a line through several elements says; None if it takes a closer look.

        parts: (rows, elements).
        """
        first = FIRST if self.tolerance.eps is None else self.tolerance.eps
        plus, minus = line(first, margins=True), line(-first)
        if not (plus.usable and minus.usable) or self._given or not np.isfinite(parts).all():
            return None
        analytic, value = parts.sum(axis=1), central(plus, minus)
        error = 5 * self.quick / first
        if (np.abs(value - analytic) > RELATIVE * np.abs(parts).max(axis=1) + error).any():
            return None
        if not self._is_clear(np.abs(parts).max(axis=1), error, plus, minus):
            return None
        if (np.abs(bend(self.base, plus, minus)) > 1e-3 * self.tolerance.scales + 2 * error).any():
            return None
        return self._best(value, analytic, error)._replace(near=plus.near)

    def _is_clear(self, size: Any, error: Any, plus: Evaluation, minus: Evaluation) -> bool:
        """Return whether a difference tells derivatives of that size, or nothing changes at all."""
        if self._given:
            return True
        still = (size == 0) & (plus.values == self.base) & (minus.values == self.base)
        return bool((still | (error <= np.maximum(1e-3 * size, SMALL * self.tolerance.scales))).all())

    def _at_once(self, plus: Evaluation, minus: Evaluation, analytic: float, first: float) -> Finding | None:
        """Judge a single output as right in plain floats; None if that takes a closer look."""
        if not (plus.usable and minus.usable) or self._given:
            return None
        high, low, base, quick = float(plus.values[0]), float(minus.values[0]), self._base, self._quick
        value = (high - low) / (plus.step - minus.step)
        error = 5 * quick / first
        off = abs(value - analytic)
        if off > RELATIVE * abs(analytic) + error:
            return None
        size = max(abs(value), abs(analytic))
        if error > max(1e-3 * size, SMALL * self._scale) and (size or high != base or low != base):
            return None
        bend = abs((high - base) / plus.step - (low - base) / minus.step)
        if bend > 1e-3 * self._scale + 2 * error:
            return None
        ratio = off / (max(abs(value), abs(analytic)) + error + 1e-300)
        return Finding("right", 0, analytic, value, off, error, near=plus.near, ratio=ratio)

    def _quick_tolerance(self, analytic: Any, step: float) -> Any:
        given = self.tolerance
        if given.rtol is not None or given.atol is not None:
            return (given.atol or 0.0) + (given.rtol or 0.0) * np.abs(analytic)
        return RELATIVE * np.abs(analytic) + 5 * self.quick / step

    def _bends(self, plus: Evaluation, minus: Evaluation, line: Line, first: float) -> bool:
        """Return whether the slopes on both sides differ, and go on differing nearer to the point."""
        there = np.abs(bend(self.base, plus, minus))
        allowed = 1e-3 * self.tolerance.scales + 10 * self.quick / first
        if (there <= allowed).all():
            return False
        plus, minus = line(first / 16), line(-first / 16)
        if not (plus.usable and minus.usable and plus.step > minus.step):
            return True
        nearer = np.abs(bend(self.base, plus, minus))
        return bool((nearer > np.maximum(there / 4, allowed + 160 * self.quick / first)).any())

    # -- a closer look

    def _closely(
        self, probe: Probe, line: Line, pinned: Callable[[], Line], analytic: Any, scale: float
    ) -> Finding:  # fmt: skip
        start = probe.start()
        if isinstance(start, Edge):
            return self._edge(start.nearest, probe, line, pinned, analytic, scale)
        if probe.left is not None and probe.left.margin == 0:
            # Steps that stay on the path are smaller than what the tested value can tell.
            probe.smallest = max(probe.smallest, 8 * EPSILON * scale)
            return self._edge(probe.left, probe, line, pinned, analytic, scale)
        noise = self.quick
        estimate = probe.estimate(start, noise)
        if self._doubtful(estimate, analytic):
            noise = self._noise()
            estimate = probe.estimate(start, noise)
            if start > 0 and self._is_lost(estimate, analytic, probe.first * RATIO**-start, scale):
                own = self._own_slope(pinned, scale, noise)
                found = None if own is None else self._compare(*own, analytic)
                if probe.left is None or (found is not None and found.verdict == "right"):
                    return found or self._compare(estimate.value, estimate.error, analytic)
                probe.smallest = max(probe.smallest, 8 * EPSILON * scale)
                return self._edge(probe.left, probe, line, pinned, analytic, scale)
            if start > 0 and self._doubtful(estimate, analytic):
                estimate = self._on_the_piece(estimate, pinned, scale, noise)
        verdict = self._compare(estimate.value, estimate.error, analytic)
        if self._is_corner(probe, estimate, noise):
            sides = [one_side(line, sign, self.base, scale, probe.smallest, noise) for sign in (-1, 1)]
            if sides[0] is not None and sides[1] is not None:
                # Where the point's value is another than on either side, the slopes there say nothing of its gradient.
                alone = self._is_alone(sides[0], sides[1])
                own = np.where(alone, analytic, estimate.value), np.where(alone, 0.0, estimate.error)
                corner = self._sides(sides[0], sides[1], analytic, *own, None)
                if corner.verdict in ("kink", "jump"):
                    return corner
        return verdict

    def _doubtful(self, estimate: Estimate, analytic: Any) -> bool:
        return self._compare(estimate.value, estimate.error, analytic).verdict != "right"

    def _is_lost(self, estimate: Estimate, analytic: Any, step: float, scale: float) -> bool:
        """Return whether the first step on the path is so small that rounding leaves nothing of the difference."""
        size = np.maximum(np.maximum(np.abs(estimate.value), np.abs(analytic)), self.tolerance.scales)
        return step < 1e4 * EPSILON * scale and bool((estimate.error > 0.1 * size).any())

    def _on_the_piece(self, estimate: Estimate, pinned: Callable[[], Line], scale: float, noise: Any) -> Estimate:
        """Estimate on the point's own piece, from steps that would otherwise leave it; keep the better of the two."""
        own = self._own_slope(pinned, scale, noise)
        if own is None:
            return estimate
        value, error = own
        agrees = np.abs(value - estimate.value) <= 3 * (error + estimate.error)
        better = agrees & (error < estimate.error)
        return estimate._replace(
            value=np.where(better, value, estimate.value), error=np.where(better, error, estimate.error)
        )

    def _is_corner(self, probe: Probe, estimate: Estimate, noise: Any) -> bool:
        """Return whether left and right slope differ at the point, on one path: an op bends that nothing is known of.

        They must go on differing down to where rounding hides it.
        """
        if len(estimate.bends) < 3:
            return False
        last, before = estimate.bends[-1], estimate.bends[-3]
        level = estimate.level
        suspected = self._differs(last, before, noise / estimate.step)
        while suspected.any():
            level += 1
            step = probe.first * RATIO**-level
            if step <= probe.smallest or not probe.usable(level):
                return True
            found = bend(self.base, *probe.at(level))
            if (noise / step > 0.03 * np.abs(found))[suspected].any():
                return True
            suspected &= self._differs(found, last, noise / step)
            last = found
        return False

    def _differs(self, now: Any, before: Any, rounding: Any) -> Any:
        """Mark the rows whose slopes differ on the two sides, and hardly less than at a larger step."""
        size = np.abs(now)
        return (size > 0.5 * np.abs(before)) & (size > 1e-4 * self.tolerance.scales + 30 * rounding)

    # -- verdicts

    def _limits(self, value: Any, error: Any, analytic: Any) -> Any:
        given = self.tolerance
        if given.rtol is not None or given.atol is not None:
            return (given.atol or 0.0) + (given.rtol or 0.0) * np.abs(value)
        return RELATIVE * np.maximum(np.abs(value), np.abs(analytic)) + 3 * error

    def _compare(self, value: Any, error: Any, analytic: Any) -> Finding:
        off = np.abs(value - analytic)
        limits = self._limits(value, error, analytic)
        wrong = off > limits
        unclear = error > np.maximum(1e-3 * np.maximum(np.abs(value), np.abs(analytic)), 1e-6 * self.tolerance.scales)
        unclear &= (value != 0) | (analytic != 0)
        if self.tolerance.rtol is not None or self.tolerance.atol is not None:
            unclear &= error > limits
        if wrong.any():
            row = int(np.argmax(np.where(wrong, off / (limits + 1e-300), -1.0)))
            verdict = "wrong"
        elif unclear.any():
            row = int(np.argmax(np.where(unclear, error, -1.0)))
            verdict = "not_measurable"
        else:
            return self._best(value, analytic, error)
        return Finding(
            verdict, row, float(analytic[row]), float(value[row]), float(off[row]), float(error[row]),
            suspect=verdict == "wrong", ratio=float(off[row] / (limits[row] + 1e-300)),
        )  # fmt: skip

    def _best(self, value: Any, analytic: Any, error: Any) -> Finding:
        """Judge as right, and report the row with the largest relative error."""
        off = np.abs(value - analytic)
        relative = off / (np.maximum(np.abs(value), np.abs(analytic)) + error + 1e-300)
        row = int(np.argmax(relative)) if relative.size else 0
        if not relative.size:
            return Finding("right", 0, 0.0, 0.0, 0.0, 0.0)
        estimated = error if np.ndim(error) == 0 else error[row]
        return Finding(
            "right", row, float(analytic[row]), float(value[row]), float(off[row]), float(estimated),
            ratio=float(relative[row]),
        )  # fmt: skip

    def _infinite(self, plus: Evaluation, minus: Evaluation, analytic: Any) -> Finding:
        row = int(np.argmax(~np.isfinite(analytic)))
        numeric = float(central(plus, minus)[row]) if plus.usable and minus.usable else float("nan")
        flip = next((each.flip for each in (plus, minus) if each.flip is not None), None)
        return Finding("nan", row, float(analytic[row]), numeric, float("nan"), float("nan"), flip=flip)

    # -- at an edge

    def _edge(
        self, beyond: Evaluation, probe: Probe, line: Line, pinned: Callable[[], Line], analytic: Any, scale: float
    ) -> Finding:
        """Judge a point at which the path changes, by the function on either side of it."""
        flip, failure = beyond.flip, reason_of(beyond.error)
        noise = self.quick
        sides = [one_side(line, sign, self.base, scale, probe.smallest, noise) for sign in (-1, 1)]
        own = self._own_slope(pinned, scale, noise)
        if sides[0] is None or sides[1] is None:
            return self._half(sides, beyond, analytic)._replace(flip=flip, failure=failure)
        value, error = own if own is not None else (None, None)
        return self._sides(sides[0], sides[1], analytic, value, error, flip)

    def _own_slope(self, pinned: Callable[[], Line], scale: float, noise: Any) -> tuple[Any, Any] | None:
        """Estimate the derivative of the piece that the point itself is on, decisions pinned; None if it cannot be."""
        try:
            probe = Probe(pinned(), self.base, scale, PINNED * scale)
            start = probe.start()
            if isinstance(start, Edge):
                return None
            found = probe.estimate(start, noise)
        except OffPath:
            return None
        return found.value, found.error

    def _half(self, sides: list[Side | None], beyond: Evaluation, analytic: Any) -> Finding:
        """Judge a point beside which the function is undefined on one side, or has another shape there."""
        whole = next((side for side in sides if side is not None), None)
        slope = whole.slope if whole is not None else np.full(len(self.base), np.nan)
        left, right = (None if side is None else float(side.slope[0]) for side in sides)
        shape = beyond.values is None and beyond.error is None
        verdict = "jump" if shape else "nan"
        error = float(whole.slope_error[0]) if whole is not None else float("nan")
        return Finding(
            verdict, 0, float(analytic[0]), float(slope[0]), abs(float(slope[0] - analytic[0])), error, left, right
        )

    def _is_alone(self, left: Side, right: Side) -> Any:
        """Mark the rows with one limit from both sides and another value at the point."""
        error = 3 * (left.value_error + right.value_error) + 10 * self.quick + 1e-7 * np.abs(self.base)
        return (np.abs(left.value - right.value) <= error) & (np.abs(left.value - self.base) > error)

    def _sides(
        self, left: Side, right: Side, analytic: Any, own: Any, own_error: Any, flip: tuple[bool, int] | None
    ) -> Finding:
        """Return what two one-sided derivatives say.  own: the derivative of the piece that the point itself is on."""
        error = left.slope_error + right.slope_error
        size = np.maximum(np.maximum(np.abs(left.slope), np.abs(right.slope)), np.abs(analytic))
        small = 1e-7 * np.abs(self.base) + 1e-9 * self.tolerance.scales
        gaps = np.maximum(np.abs(left.value - self.base), np.abs(right.value - self.base))
        jumps = gaps > 3 * (left.value_error + right.value_error) + 10 * self.quick + np.minimum(small, 1e-12 + small)
        bends = ~jumps & (np.abs(right.slope - left.slope) > 3 * error + 1e-5 * size)
        middle = (left.slope + right.slope) / 2
        limits = self._limits(middle, error, analytic)
        smooth_off = ~jumps & ~bends & (np.abs(middle - analytic) > limits)
        if own is not None:
            suspect = np.abs(own - analytic) > self._limits(own, own_error, analytic)
        else:
            suspect = ~self._is_alone(left, right)
        low, high = np.minimum(left.slope, right.slope), np.maximum(left.slope, right.slope)
        outside = (analytic < low - limits) | (analytic > high + limits)
        outside = np.where(jumps, (np.abs(analytic - low) > limits) & (np.abs(analytic - high) > limits), outside)
        fault = smooth_off | ((jumps | bends) & suspect & outside)
        for verdict, rows in (("wrong", fault), ("jump", jumps), ("kink", bends)):
            if rows.any():
                gap = (
                    gaps
                    if verdict == "jump"
                    else np.abs(middle - analytic)
                    if verdict == "wrong"
                    else np.abs(right.slope - left.slope)
                )
                row = int(np.argmax(np.where(rows, gap, -1.0)))
                break
        else:
            return self._compare(middle, error, analytic)._replace(flip=flip)
        # Across a jump that no decision is known of, differences say nothing of the point's own piece.
        numeric = middle if own is None or verdict == "wrong" or (verdict == "jump" and flip is None) else own
        return Finding(
            verdict, row, float(analytic[row]), float(numeric[row]), abs(float(numeric[row] - analytic[row])),
            float(error[row]), float(left.slope[row]), float(right.slope[row]),
            float((self.base if self._is_alone(left, right)[row] else right.value)[row] - left.value[row])
            if verdict == "jump"
            else None,
            suspect=bool((suspect & (jumps | bends | smooth_off)).any()), flip=flip, ratio=1.0,
        )  # fmt: skip
