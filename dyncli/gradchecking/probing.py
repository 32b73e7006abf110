"""The elements of one source, or directions through it: which are probed, in what pieces, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking import complex_step
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.noise import gradient_rounding
from dyncli.gradchecking.numeric import scale_of
from dyncli.gradchecking.real_vectors import real
from dyncli.gradchecking.settings import Settings
from dyncli.gradchecking.tolerances import Tolerances
from dyncli.gradchecking.verdict import Along, Finding, Judge

MOST_ELEMENTS = 4096  # of one source; of a larger one directions are probed
TOGETHER = 64  # of a source with more elements, `GROUP` are probed together
GROUP = 4
FEW = 16  # elements of a source without gradient that are probed one by one
SMALLEST_AT_ZERO = 1e-60  # steps from zero: smaller ones say nothing
PIECE = 64  # probes in one piece of work

Result = list[tuple[Any, Finding]]


class Probed(NamedTuple):
    """findings: directions, or numbers of elements, and what was found.  number: how many were probed."""

    findings: Result
    number: int


class Probing:
    """Probes the sources of a problem.  derivatives: (rows, elements) of each from backward, None where none came."""

    def __init__(self, problem: Problem, settings: Settings, judge: Judge, derivatives: list[Any], rows: Any) -> None:
        self.problem = problem
        self.settings = settings
        self.judge = judge
        self.derivatives = derivatives
        self.rows = rows
        self.tolerances = Tolerances(problem, rows)

    def pieces(self, number: int) -> list[Callable[[], Result]]:
        """Split the work on one source into independent pieces, for parallel processes."""
        array = real(self.problem.arrays[number])
        if self.derivatives[number] is None and array.size > FEW:
            return [partial(self._without_gradient, number, array)]
        if self.settings.fast or array.size > MOST_ELEMENTS:
            return [partial(self._along, number, self._random(number, array, self.settings.directions))]
        if self.derivatives[number] is not None and array.size > TOGETHER:
            return [partial(self._together, number, part) for part in _cut(self._groups(number, array))]
        return [partial(self._along, number, part) for part in _cut(list(range(array.size)))]

    def gathered(self, number: int, results: list[Result]) -> Probed:
        """Return what the pieces came to.

        Of those probed together the worst and the nearest to a flip are probed alone.
        """
        found = [pair for result in results for pair in result]
        agreed = [pair for pair in found if isinstance(pair[0], tuple)]
        findings = [pair for pair in found if not isinstance(pair[0], tuple)]
        count = len(findings) + sum(len(group) for group, _ in agreed)
        worst = sorted(agreed, key=lambda pair: -pair[1].ratio)[:1]
        near = sorted(agreed, key=lambda pair: np.inf if pair[1].near is None else pair[1].near.distance)[:2]
        closer = sorted({element for group, _ in worst + near for element in group})
        return Probed(findings + self._along(number, closer), count)

    def _without_gradient(self, number: int, array: Any) -> Result:
        """Two directions, and every element only if one of them is not right."""
        look = self._along(number, self._random(number, array, 2))
        if all(each.verdict == "right" for _, each in look):
            return look
        every = not self.settings.fast and array.size <= MOST_ELEMENTS
        return self._along(number, list(range(array.size))) if every else look

    def _along(self, number: int, directions: list[Any]) -> Result:
        problem = self.problem
        array = real(problem.arrays[number])
        derivative = self.derivatives[number]
        found = []
        for direction in directions:
            line = problem.line(number, direction)
            if derivative is None:
                analytic = np.zeros(len(self.rows))
            else:
                analytic = derivative[:, direction] if isinstance(direction, int) else derivative @ direction
            if isinstance(direction, int):
                at = abs(array[direction])
                scale, ulp = scale_of(at), float(np.spacing(at)) if at else SMALLEST_AT_ZERO
            else:
                scale, ulp = 1.0, float(np.spacing(1.0))
            pinned, exact = partial(problem.pinned, line), partial(complex_step.exact, problem, number, direction)
            doubt = partial(gradient_rounding, problem, number, direction)
            beyond = partial(self.tolerances.beyond, number, direction, scale)
            along = Along(
                line, pinned, analytic, scale, ulp, exact, doubt, beyond, problem.is_compared, derivative is None
            )
            finding = self.judge(along)
            found.append((direction, finding))
        return found

    def _random(self, number: int, array: Any, count: int) -> list[Any]:
        """Draw `count` unit vectors, each component in proportion to its element."""
        draw = np.random.Generator(np.random.PCG64((self.settings.seed, number)))
        made = []
        for _ in range(max(count, 1)):
            vector = draw.standard_normal(array.size) * np.maximum(
                np.abs(array), 1e-3 * np.abs(array).max(initial=1e-3)
            )
            made.append(vector / (np.linalg.norm(vector) or 1.0))
        return made

    # -- several elements together

    def _groups(self, number: int, array: Any) -> list[Any]:
        """Group elements of similar gradients, four by four, so that a small one is not lost beside a large one."""
        sizes = np.abs(self.derivatives[number]).max(axis=0) * np.maximum(np.abs(array), 1.0)
        order = np.argsort(sizes, kind="stable")
        return [order[start : start + GROUP] for start in range(0, array.size, GROUP)]

    def _together(self, number: int, groups: list[Any]) -> Result:
        """Check each group along one line with random weights; its elements alone where that does not agree.

        A check so takes a quarter of the time.
        """
        problem = self.problem
        array, derivative = real(problem.arrays[number]), self.derivatives[number]
        draw = np.random.Generator(np.random.PCG64((self.settings.seed, number, 3)))
        weights = draw.uniform(0.5, 1.5, array.size) * draw.choice((-1.0, 1.0), array.size)
        weights *= np.maximum(np.abs(array), 1.0)
        found: Result = []
        for group in groups:
            direction = np.zeros(array.size)
            direction[group] = weights[group]
            finding = self.judge.together(problem.line(number, direction), derivative[:, group] * weights[group])
            elements = [int(element) for element in group]
            found += self._along(number, elements) if finding is None else [(tuple(elements), finding)]
        return found


def _cut(items: list[Any]) -> list[list[Any]]:
    return [items[start : start + PIECE] for start in range(0, len(items), PIECE)]
