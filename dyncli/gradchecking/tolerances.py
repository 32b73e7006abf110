"""Solvers that stop at a tolerance, as a loop or element by element, with that tolerance made tighter.

Differences show the slope of the last iterate, an implicit derivative that of the root; both are those of the root
where the solver goes on, and so is what a solver in backward returns.
A test is of a tolerance if it is small and is met at the end, and a tighter one is met too, beside the point as well.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking.evaluation_limit import EvaluationTooLong
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.listener import Watch, given, write
from dyncli.gradchecking.module_sites import users_instruction
from dyncli.gradchecking.numeric import central
from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.probes import Probe, Probes
from dyncli.recorder.engine import Tensor

LARGEST = 0.5  # of what is taken for a tolerance
LEAST = 1e-11  # to which a tolerance is tightened: rounding may keep a solver from meeting less
FACTORS = (1e-3, 1e-6, 1e-9)
STEP = 1e-4  # of the scale, for a difference where a solver goes on
ORDERS: dict[str, Callable[[Any, Any], Any]] = {"lt": np.less, "le": np.less_equal, "gt": np.greater,
                                                "ge": np.greater_equal}  # fmt: skip
SYMBOLS = ("<", "<=", ">", ">=")


class Beyond(NamedTuple):
    """analytic, numeric: the derivative along a line by backward and by differences, where a solver goes on."""

    analytic: Any
    numeric: Any


class Sides:
    """The two sides of each order comparison, by place, in the evaluation that runs.

    tightened: for each place the number of the side that is a tolerance.  factor: what it is multiplied by.
    """

    def __init__(self, tightened: dict[Any, int], factor: float) -> None:
        self.tightened = tightened
        self.factor = factor
        self.last: dict[Any, tuple[Any, Any]] = {}

    def compared(self, place: Any, left: Any, right: Any) -> tuple[Any, Any]:
        """Return the two sides, the tolerance tightened."""
        sides = [left, right]
        number = self.tightened.get(place)
        if number is not None:
            size = np.abs(sides[number])
            tighter = np.copysign(np.maximum(size * self.factor, np.minimum(size, LEAST)), sides[number])
            sides[number] = float(tighter) if type(sides[number]) in (int, float) else tighter
        self.last[place] = sides[0], sides[1]
        return sides[0], sides[1]

    def change(self, before: Probes) -> Probes:
        """Return the probes with those that compare plain numbers replaced."""
        changed = dict(before)
        for name, probe in before.items():
            if name in ("@compared", "@compared_end", "@link", "@stop_link") or name.endswith("_compared"):
                changed[name] = self._tightening(probe)
        return changed

    def _tightening(self, probe: Probe) -> Probe:
        def compared(*arguments: Any) -> Any:
            *before, left, right, how = arguments
            if how in SYMBOLS and type(left) in (float, int) and type(right) in (float, int):
                left, right = self.compared(before[-2], left, right)
            return probe(*before, left, right, how)

        return compared

    def met(self) -> dict[Any, int]:
        """Return which side of each place is a tolerance that the other side ended within."""
        found = {}
        for place, sides in self.last.items():
            left, right = (np.abs(np.asarray(side, np.float64)) for side in sides)
            for number, (tolerance, rest) in enumerate(((left, right), (right, left))):
                if any(type(side) in (int, float) for side in sides) and type(sides[number]) not in (int, float):
                    continue  # the other is the constant
                small = tolerance.size == 0 or tolerance.max() <= LARGEST
                if small and np.all(rest < tolerance):
                    found[place] = number
        return found

    def are_met(self) -> bool:
        """Return whether every tolerance that was tightened is met all the same."""
        return self.tightened.items() <= self.met().items()


class Tightening(Watch):
    """A `Watch` that has each tensor compared with a tighter tolerance."""

    sides: Sides

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        order = ORDERS.get(op.name)
        if order is not None and isinstance(result, Tensor) and "_inplace" not in kwargs:
            values = given(op, args, kwargs)
            place = users_instruction(sys._getframe(1))
            left, right = self.sides.compared(place, values["input"], values["other"])
            write(result, order(left, right), False)
        super().op(op, args, kwargs, result, started, ended)


@contextmanager
def tightened(problem: Problem, sides: Sides) -> Iterator[None]:
    """Evaluate with tighter tolerances while the context lasts."""
    session = problem.session
    ordinary = session.watch

    def watch(base: Any = None, **more: Any) -> Watch:
        made = Tightening(session.log, base, **more)
        made.sides = sides
        return made

    session.watch = watch  # type: ignore[method-assign]
    try:
        with probes.changed(sides.change):
            yield
    finally:
        session.watch = ordinary  # type: ignore[method-assign]


class Tolerances:
    """The tolerances of a problem's solvers, forward and backward, looked for when first asked for.

    rows: of the outputs.
    """

    def __init__(self, problem: Problem, rows: Any) -> None:
        self.problem = problem
        self.rows = rows
        self._levels: list[tuple[Sides, list[Any]]] | None = None

    @property
    def levels(self) -> list[tuple[Sides, list[Any]]]:
        """Ever tighter tolerances that the solvers still meet, each with the derivatives by backward."""
        if self._levels is None:
            self._levels = self._found()
        return self._levels

    def beyond(self, number: int, direction: Any, scale: float) -> Iterator[Beyond]:
        """Yield what the derivatives along a line are at ever tighter tolerances that are met on both sides.

        A test that is met at the point alone is a threshold of the model's.
        """
        line = self.problem.line(number, direction)
        for sides, derivatives in self.levels:
            samples, are_met = [], True
            for step in (STEP * scale, -STEP * scale):
                with tightened(self.problem, sides):
                    samples.append(line(step))
                if samples[-1].values is None or not samples[-1].finite:
                    return
                are_met &= sides.are_met()
            if not are_met:
                continue
            derivative = derivatives[number]
            if derivative is None:
                analytic = np.zeros(len(self.rows))
            else:
                analytic = derivative[:, direction] if isinstance(direction, int) else derivative @ direction
            yield Beyond(analytic, central(*samples))

    def _found(self) -> list[tuple[Sides, list[Any]]]:
        sides = Sides({}, 1.0)
        self._derivatives(sides)
        places = sides.met()
        levels = []
        for factor in FACTORS:
            while places:
                sides = Sides(places, factor)
                derivatives = self._derivatives(sides)
                if derivatives is not None and sides.are_met():
                    levels.append((sides, derivatives))
                    break
                met = sides.met()
                ran = {place: side for place, side in places.items() if place in sides.last}
                unmet = {place for place, side in ran.items() if met.get(place) != side}
                kept = {place: side for place, side in places.items() if place not in unmet} if unmet else ran
                places = kept if len(kept) < len(places) else {}
        return levels

    def _derivatives(self, sides: Sides) -> list[Any] | None:
        """Return the derivatives by backward at the point, with tighter tolerances; None if these are not met."""
        problem, session = self.problem, self.problem.session
        kept = dict(vars(problem))
        once, problem.once = problem.once, False
        parts = []
        with tightened(problem, sides):
            try:
                for number, row in enumerate(self.rows):
                    session.guard.begin()
                    if once or not number:
                        problem.begin()
                    with session.listening(session.watch()):
                        parts.append(problem.derivatives(row[None]))
                return [None if each[0] is None else np.concatenate(each) for each in zip(*parts)]
            except (Exception, EvaluationTooLong):  # the ordinary one ran; what a tighter one raises says nothing
                return None
            finally:
                session.guard.end()
                vars(problem).update(kept)
                problem._behind = True
