"""Every element of every input and parameter, or random directions through the large ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from dyncli import errors
from dyncli.check.judge import Judge, Judged, Tolerance
from dyncli.check.noise import rounding
from dyncli.check.numeric import scale_of
from dyncli.check.problem import Near, Problem, real
from dyncli.check.settings import Settings
from dyncli.load.literal import parse
from dyncli.record.gradcheck import Checked, Flip, Worst, gravest

MOST_ELEMENTS = 2000  # of one input; of a larger one directions are checked
SMALLEST_AT_ZERO = 1e-60  # steps from zero: smaller ones say nothing
TOGETHER = 64  # elements of one input; of a larger one some are probed together
GROUP = 4
FEW = 16  # elements of an input without gradient that are checked one by one


class Found(NamedTuple):
    """What the elements said.  judged: for each checked source, by its number, the direction and what was found.

    rows, derivatives: the rows of the outputs that were compared and their derivatives from backward.
    failure: what backward raised instead.
    """

    checks: tuple[Checked, ...]
    nearest: Flip | None
    outputs: str
    judged: dict[int, list[tuple[Any, Judged]]]
    rows: Any
    derivatives: list[Any]
    failure: Exception | None = None
    reentrant: bool = True


class Elements:
    """The loop over a problem's sources."""

    def __init__(self, problem: Problem, settings: Settings, progress: Callable[[str, int, int], None] | None) -> None:
        self.problem = problem
        self.settings = settings
        self.progress = progress
        self.agreed: dict[int, int] = {}

    def checked(self) -> Found:
        """What every element says."""
        problem, settings = self.problem, self.settings
        rows = problem.combine_outputs(self._cotangent())
        wanted = [n for n, source in enumerate(problem.start) if not settings.wrt or source.name in settings.wrt]
        outputs = self._outputs_text(rows)
        try:
            derivatives = problem.derivatives(rows)
            mixed = np.random.Generator(np.random.PCG64(2)).uniform(0.5, 1.5, len(rows)) @ rows
            once, again = (problem.derivatives(mixed[None]) for _ in range(2))
        except Exception as error:
            return Found((), None, outputs, {}, rows, [None] * len(problem.start), error)
        reentrant = all(
            (a is None and b is None) or (a is not None and b is not None and np.array_equal(a, b, equal_nan=True))
            for a, b in zip(once, again)
        )
        judge = Judge(
            problem.base, self._tolerance(rows, derivatives), lru_cache(None)(lambda row: rounding(problem, rows[row]))
        )
        judged: dict[int, list[tuple[Any, Judged]]] = {}
        for number in wanted:
            judged[number] = list(self._source(number, judge, derivatives[number], len(rows))) if len(rows) else []
        if not problem.finite.all():
            self._not_finite(wanted, judged)
        checks = tuple(self._summary(number, judged[number], derivatives[number]) for number in wanted)
        nearest = [check.nearest for check in checks if check.nearest is not None]
        near = min(nearest, key=lambda flip: flip.distance if flip.distance is not None else np.inf, default=None)
        return Found(checks, near, outputs, judged, rows, derivatives, None, reentrant)

    def _not_finite(self, wanted: list[int], judged: dict[int, list[tuple[Any, Judged]]]) -> None:
        """Adds a verdict for every source that an output depends on which is not finite; for all if there is none."""
        problem = self.problem
        derivatives = problem.derivatives(np.where(problem.finite, 0.0, 1.0)[None])
        reached = [n for n in wanted if derivatives[n] is not None and (derivatives[n] != 0).any()]
        value = float(problem.raw[~problem.finite][0])
        for number in reached or wanted:
            derivative = derivatives[number]
            place = int(np.argmax(derivative[0] != 0)) if number in reached else 0
            analytic = float(derivative[0][place]) if number in reached else 0.0
            judged[number].append((place, Judged("nan", -1, analytic, value, np.nan, np.nan)))

    # -- what is compared

    def _cotangent(self) -> Any:
        """`--cotangent` as one array over all outputs, None if it was not given."""
        if not self.settings.cotangent:
            return None
        parts = []
        for span, text in zip(self.problem.spans, self.settings.cotangent):
            value = text.partition("=")[2] if text.partition("=")[0].strip() == span.name else text
            array = np.asarray(parse(value.strip(), "--cotangent"), np.complex128 if span.is_complex else np.float64)
            if array.shape != span.shape:
                raise errors.InputError(
                    f"`--cotangent` has shape {list(array.shape)}, `{span.name}` has shape {list(span.shape)}",
                    hint="a cotangent has the shape of its output",
                )
            parts.append(real(array))
        parts += [np.ones(span.end - span.start) for span in self.problem.spans[len(parts) :]]
        return np.concatenate(parts)

    def _outputs_text(self, rows: Any) -> str:
        size = self.problem.raw.size
        if self.settings.cotangent:
            return "the given cotangent"
        if len(rows) == size or len(rows) == int(self.problem.finite.sum()):
            return f"each of {size} output elements" if size > 1 else "the output"
        return f"{len(rows)} combinations of {size} output elements"

    def _tolerance(self, rows: Any, derivatives: list[Any]) -> Tolerance:
        scales = np.abs(self.problem.base) * 1e-3 + 1e-30
        for derivative in derivatives:
            if derivative is not None and derivative.size:
                finite = np.where(np.isfinite(derivative), np.abs(derivative), 0.0)
                scales = np.maximum(scales, finite.max(axis=1))
        scales = np.maximum(scales, 1e-6 * scales.max(initial=0.0))
        settings = self.settings
        return Tolerance(scales, settings.rtol, settings.atol, settings.eps)

    # -- one source

    def _source(self, number: int, judge: Judge, derivative: Any, count: int) -> Any:
        problem = self.problem
        array = real(problem.arrays[number])
        if derivative is None and array.size > FEW:
            look = list(self._along(self._random(number, array, 2), number, judge, derivative, count))
            if all(each.verdict == "right" for _, each in look):
                yield from look
                return
        directions = self._directions(number, array)
        if derivative is not None and len(directions) > TOGETHER and isinstance(directions[0], int):
            yield from self._grouped(number, judge, derivative, count)
        else:
            yield from self._along(directions, number, judge, derivative, count)

    def _grouped(self, number: int, judge: Judge, derivative: Any, count: int) -> Any:
        """Every element of a large source, four at a time with random weights; one by one where they do not agree.

        Elements with gradients of like size go together, so that a small one is not lost beside a large one, and the
        errors of several cannot cancel out but by chance.  So a check takes a quarter of the time.
        """
        problem = self.problem
        array = real(problem.arrays[number])
        scales = np.maximum(np.abs(array), 1.0)
        draw = np.random.Generator(np.random.PCG64((self.settings.seed, number, 3)))
        weights = draw.uniform(0.5, 1.5, array.size) * draw.choice((-1.0, 1.0), array.size) * scales
        order = np.argsort(np.abs(derivative).max(axis=0) * scales, kind="stable")
        groups = [order[start : start + GROUP] for start in range(0, array.size, GROUP)]
        agreeing: list[tuple[Judged, Any]] = []
        for done, group in enumerate(groups):
            if self.progress is not None and done % 16 == 0:
                self.progress(problem.start[number].name, done * GROUP, array.size)
            direction = np.zeros(array.size)
            direction[group] = weights[group]
            found = judge.together(problem.line(number, direction), derivative[:, group] * weights[group])
            if found is None:
                yield from self._along([int(n) for n in group], number, judge, derivative, count)
            else:
                agreeing.append((found, group))
        agreeing.sort(key=lambda pair: -pair[0].ratio)
        near = sorted(agreeing, key=lambda pair: np.inf if pair[0].near is None else pair[0].near.distance)
        closer = {int(n) for _, group in agreeing[:1] + near[:2] for n in group}
        yield from self._along(sorted(closer), number, judge, derivative, count)
        self.agreed[number] = sum(len(group) for _, group in agreeing) - len(closer)

    def _along(self, directions: list[Any], number: int, judge: Judge, derivative: Any, count: int) -> Any:
        problem = self.problem
        array = real(problem.arrays[number])
        for done, direction in enumerate(directions):
            if self.progress is not None and done % 16 == 0:
                self.progress(problem.start[number].name, done, len(directions))
            line = problem.line(number, direction)
            if isinstance(direction, int):
                analytic = np.zeros(count) if derivative is None else derivative[:, direction]
                at = abs(array[direction])
                scale, ulp = scale_of(at), float(np.spacing(at)) if at else SMALLEST_AT_ZERO
            else:
                analytic = np.zeros(count) if derivative is None else derivative @ direction
                scale, ulp = 1.0, float(np.spacing(1.0))
            yield direction, judge(line, partial(problem.pinned, line), analytic, scale, ulp, True)

    def _directions(self, number: int, array: Any) -> list[Any]:
        """Numbers of elements, or unit vectors."""
        if not self.settings.fast and array.size <= MOST_ELEMENTS:
            return list(range(array.size))
        return self._random(number, array, self.settings.directions)

    def _random(self, number: int, array: Any, count: int) -> list[Any]:
        draw = np.random.Generator(np.random.PCG64((self.settings.seed, number)))
        made = []
        for _ in range(max(count, 1)):
            vector = draw.standard_normal(array.size) * np.maximum(
                np.abs(array), 1e-3 * np.abs(array).max(initial=1e-3)
            )
            made.append(vector / (np.linalg.norm(vector) or 1.0))
        return made

    def _summary(self, number: int, judged: list[tuple[Any, Judged]], derivative: Any) -> Checked:
        problem, source = self.problem, self.problem.start[number]
        verdict = gravest([each.verdict for _, each in judged]) if judged else "right"
        decisive = [(direction, each) for direction, each in judged if each.verdict == verdict]
        worst = max(decisive, key=lambda pair: pair[1].ratio, default=None)
        near = min((each.near for _, each in judged if each.near is not None), key=lambda n: n.distance, default=None)
        where = next((direction for direction, each in judged if each.near is near), None)
        return Checked(
            name=source.name,
            role=source.role,
            shape=np.shape(source.array),
            verdict=verdict,
            elements=np.size(source.array),
            checked=len(judged) + self.agreed.get(number, 0),
            directions=bool(judged) and not isinstance(judged[0][0], int),
            worst=None if worst is None else self._worst(number, *worst),
            flip=None if worst is None or worst[1].flip is None else problem.shown(*worst[1].flip),
            nearest=self._flip(number, near, where),
            note="unused" if derivative is None and verdict == "right" else None,
        )

    def _worst(self, number: int, direction: Any, found: Judged) -> Worst:
        return Worst(
            self.element(number, direction), self.problem.output_name(found.row), found.analytic, found.numeric,
            found.error, found.estimated, found.left, found.right, found.jump,
        )  # fmt: skip

    def element(self, number: int, direction: Any) -> tuple[int, ...] | None:
        """The index of an element, from its number among the real ones."""
        if not isinstance(direction, int):
            return None
        array = np.asarray(self.problem.arrays[number])
        place = direction // 2 if array.dtype.kind == "c" else direction
        return tuple(int(n) for n in np.unravel_index(place, array.shape))

    def _flip(self, number: int, near: Near | None, direction: Any) -> Flip | None:
        if near is None:
            return None
        shown = self.problem.shown(near.hidden, near.number, near.margin, near.distance)
        return None if shown is None else shown._replace(element=self.element(number, direction) or ())
