"""Every element of every input and parameter, or random directions through the large ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from dyncli import errors
from dyncli.gradchecking.function_at_point import Near, Problem
from dyncli.gradchecking.noise import rounding
from dyncli.gradchecking.probing import Probed, Probing
from dyncli.gradchecking.processes import spread
from dyncli.gradchecking.real_vectors import Span, real
from dyncli.gradchecking.settings import Settings
from dyncli.gradchecking.verdict import CLEAR, Finding, Judge, Tolerance
from dyncli.recorder.engine import RemovableHandle
from dyncli.records.gradcheck import Checked, Flip, Worst, gravest
from dyncli.script.readers import parse

SOLVER = (-1024.0, 0.25)  # times a cotangent: an adaptive solver in backward takes other steps for these
TURNED = -1024.0  # times a cotangent: the gradient is so many times the gradient to the last digit


class Found(NamedTuple):
    """The verdicts on the elements.

    findings: for each checked source, by its number, the direction and what was found.
    rows, derivatives: the rows of the outputs that were compared and their derivatives from backward.
    failure: what backward raised instead.  reentrant: whether it gives the same twice.
    linear: whether it gives so many times the gradient for so many times the cotangent.
    """

    checks: tuple[Checked, ...]
    nearest: Flip | None
    outputs: str
    findings: dict[int, list[tuple[Any, Finding]]]
    rows: Any
    derivatives: list[Any]
    failure: Exception | None = None
    reentrant: bool = True
    linear: bool = True


def _nonlinear(once: Any, turned: Any) -> tuple[int, Finding] | None:
    """Find an element whose gradient is not linear in the cotangent; None if all are."""
    if once is None or turned is None or not np.isfinite(once).all() or not once.size:
        return None
    expected, found = once[0], turned[0] / TURNED
    off = np.abs(found - expected)
    if (off <= 1e-6 * np.abs(expected)).all():
        return None
    at = int(np.argmax(off))
    return at, Finding(
        "wrong", 0, float(found[at]), float(expected[at]), float(off[at]), 0.0, suspect=True, ratio=np.inf
    )


def solver_error(problem: Problem, mixed: Any) -> float:
    """Return the error of gradients that an adaptive solver in backward computes, as a part of the largest; else 0.

    Such a solver makes its tests more or less often for a multiple of the cotangent, and its answer is then another.
    mixed: one row of the outputs.
    """
    once, tests = problem.backward_points(mixed)
    found = [problem.backward_points(factor * mixed) for factor in SOLVER]
    if all(other == tests for _, other in found) or max(tests.values(), default=0) < 2:
        return 0.0
    live = [array for array in once if array is not None and array.size]
    largest = max((float(np.abs(array).max()) for array in live), default=0.0)
    off = [
        float(np.abs(a / factor - b).max())
        for (other, _), factor in zip(found, SOLVER)
        for a, b in zip(other, once)
        if a is not None and b is not None and b.size
    ]
    return max(off, default=0.0) / largest if largest and np.isfinite(largest) else 0.0


@contextmanager
def hooks_removed() -> Iterator[list[Any]]:
    """Yield a list of the hooks that are removed in the block, as one that runs once removes itself."""
    removed: list[Any] = []
    remove = RemovableHandle.remove

    def noted(self: Any) -> None:
        removed.append(self)
        remove(self)

    RemovableHandle.remove = noted  # type: ignore[method-assign]
    try:
        yield removed
    finally:
        RemovableHandle.remove = remove  # type: ignore[method-assign]


class Elements:
    """The loop over a problem's sources."""

    def __init__(self, problem: Problem, settings: Settings, progress: Callable[[str, int, int], None] | None) -> None:
        self.problem = problem
        self.settings = settings
        self.progress = progress

    def checked(self) -> Found:
        """Return what every element says."""
        problem, settings = self.problem, self.settings
        rows = problem.combine_outputs(self._cotangent())
        wanted = [n for n, source in enumerate(problem.start) if not settings.wrt or source.name in settings.wrt]
        outputs = self._outputs_text(rows)
        mixed = (np.random.Generator(np.random.PCG64(2)).uniform(0.5, 1.5, len(rows)) @ rows)[None]
        try:
            with hooks_removed() as removed:
                derivatives = problem.derivatives(rows)
            if removed and not problem.once:
                problem.once = True  # the next backward would run without them
                return self.checked()
            once, again, turned = (problem.derivatives(factor * mixed) for factor in (1.0, 1.0, TURNED))
        except Exception as error:
            if "second time" in str(error) and not problem.once:
                problem.once = True  # backward of the user's own frees what it goes through
                return self.checked()
            return Found((), None, outputs, {}, rows, [None] * len(problem.start), error)
        reentrant = all(
            (a is None and b is None) or (a is not None and b is not None and np.array_equal(a, b, equal_nan=True))
            for a, b in zip(once, again)
        )
        solved = lru_cache(None)(lambda: solver_error(problem, mixed))
        noise = lru_cache(None)(lambda row: rounding(problem, rows[row]))
        judge = Judge(problem.base, self._tolerance(rows, derivatives), noise, solved)
        probed = self._probed(Probing(problem, settings, judge, derivatives, rows), wanted if len(rows) else [])
        findings = {number: list(probed[number].findings) if number in probed else [] for number in wanted}
        nonlinear: dict[int, tuple[int, Finding] | None] = {}
        if reentrant and all(each.verdict == "right" for found in findings.values() for _, each in found):
            nonlinear = {number: _nonlinear(once[number], turned[number]) for number in wanted}
            if any(nonlinear.values()) and 0 < solved() < CLEAR:
                nonlinear = {}
            for number, found in nonlinear.items():
                findings[number] += [] if found is None else [found]
        if not problem.finite.all():
            self._not_finite(wanted, findings)
        checks = tuple(
            self._summary(
                number, findings[number], derivatives[number], probed[number].number if number in probed else 0
            )
            for number in wanted
        )
        nearest = [check.nearest for check in checks if check.nearest is not None]
        near = min(nearest, key=lambda flip: flip.distance if flip.distance is not None else np.inf, default=None)
        return Found(checks, near, outputs, findings, rows, derivatives, None, reentrant, not any(nonlinear.values()))

    def _probed(self, probing: Probing, wanted: list[int]) -> dict[int, Probed]:
        """Return what the probes of each source say, in as many processes as are asked for."""
        owners: list[int] = []
        pieces: list[Callable[[], Any]] = []
        for number in wanted:
            work = probing.pieces(number)
            owners += [number] * len(work)
            pieces += [partial(self._counted, piece) for piece in work]

        def done(count: int) -> None:
            if self.progress is not None:
                self.progress(self.problem.start[owners[count]].name, count, len(pieces))

        results: dict[int, list[Any]] = {number: [] for number in wanted}
        before = self.problem.session.evaluations
        spent = 0
        for number, (result, evaluations) in zip(owners, spread(pieces, self.settings.jobs, done)):
            results[number].append(result)
            spent += evaluations
        self.problem.session.evaluations = before + spent
        return {number: probing.gathered(number, found) for number, found in results.items()}

    def _counted(self, piece: Callable[[], Any]) -> tuple[Any, int]:
        """Call `piece`; return its result and the number of evaluations it took."""
        before = self.problem.session.evaluations
        self.problem.session.guard.wake()
        return piece(), self.problem.session.evaluations - before

    def _not_finite(self, wanted: list[int], findings: dict[int, list[tuple[Any, Finding]]]) -> None:
        """Add a verdict `nan` for every source on which a non-finite output depends; for all if none is reached."""
        problem = self.problem
        derivatives = problem.derivatives(np.where(problem.finite, 0.0, 1.0)[None])
        reached = [n for n in wanted if derivatives[n] is not None and (derivatives[n] != 0).any()]
        value = float(problem.raw[~problem.finite][0])
        for number in reached or wanted:
            derivative = derivatives[number]
            place = int(np.argmax(derivative[0] != 0)) if number in reached else 0
            analytic = float(derivative[0][place]) if number in reached else 0.0
            findings[number].append((place, Finding("nan", -1, analytic, value, np.nan, np.nan)))

    # -- what is compared

    def _cotangent(self) -> Any:
        """Parse `--cotangent` as one array over all outputs; None if it was not given."""
        if not self.settings.cotangent:
            return None
        spans = {span.name: span for span in self.problem.spans}
        given: dict[str, str] = {}
        for text in self.settings.cotangent:
            name, equals, value = text.partition("=")
            if equals and name.strip() in spans:
                given[name.strip()] = value
                continue
            free = next((each for each in spans if each not in given), None)
            if free is None or (equals and name.strip().isidentifier()):
                raise errors.UnknownCotangent(text, list(spans))
            given[free] = text
        return np.concatenate([self._part(span, given.get(name)) for name, span in spans.items()])

    def _part(self, span: Span, text: str | None) -> Any:
        """Parse the cotangent of one output, in float64 and flat; ones if none is given."""
        if text is None:
            return np.ones(span.end - span.start)
        kind = np.complex128 if span.is_complex else np.float64
        try:
            array = np.asarray(parse(text.strip(), "--cotangent"))
            if array.dtype.kind == "c" and not span.is_complex:
                raise errors.ComplexCotangent(span.name)
            array = array.astype(kind)
        except (TypeError, ValueError):
            raise errors.BadCotangent(span.name, span.shape, None) from None
        if array.shape != span.shape:
            raise errors.BadCotangent(span.name, span.shape, array.shape)
        return real(array)

    def _outputs_text(self, rows: Any) -> str:
        size = self.problem.raw.size
        if self.settings.cotangent:
            return "the given cotangent"
        if len(rows) == size or len(rows) == int(self.problem.finite.sum()):
            return f"each of {size} output elements" if size > 1 else "the output"
        return f"{len(rows)} combinations of {size} output elements"

    def _tolerance(self, rows: Any, derivatives: list[Any]) -> Tolerance:
        """Build tolerances from each row's largest derivative; if all are zero, from a part of its value."""
        scales = np.zeros(len(rows))
        for derivative in derivatives:
            if derivative is not None and derivative.size:
                finite = np.where(np.isfinite(derivative), np.abs(derivative), 0.0)
                scales = np.maximum(scales, finite.max(axis=1))
        scales = np.where(scales > 0, scales, np.abs(self.problem.base) * 1e-3 + 1e-30)
        scales = np.maximum(scales, 1e-6 * scales.max(initial=0.0))
        settings = self.settings
        return Tolerance(scales, settings.rtol, settings.atol, settings.eps)

    def _summary(self, number: int, findings: list[tuple[Any, Finding]], derivative: Any, count: int) -> Checked:
        problem, source = self.problem, self.problem.start[number]
        directions = bool(findings) and not isinstance(findings[0][0], int)
        if not directions and np.asarray(source.array).dtype.kind == "c":
            count = (count + 1) // 2  # two parts of an element are one
        verdict = gravest([each.verdict for _, each in findings]) if findings else "right"
        decisive = [(direction, each) for direction, each in findings if each.verdict == verdict]
        worst = max(decisive, key=lambda pair: pair[1].ratio, default=None)
        near = min((each.near for _, each in findings if each.near is not None), key=lambda n: n.distance, default=None)
        where = next((direction for direction, each in findings if each.near is near), None)
        return Checked(
            name=source.name,
            role=source.role,
            shape=np.shape(source.array),
            verdict=verdict,
            elements=np.size(source.array),
            checked=count,
            directions=directions,
            worst=None if worst is None else self._worst(number, *worst),
            flip=None if worst is None or worst[1].flip is None else problem.shown(*worst[1].flip),
            nearest=self._flip(number, near, where),
            note="unused" if derivative is None and verdict == "right" else None,
        )

    def _worst(self, number: int, direction: Any, found: Finding) -> Worst:
        return Worst(
            self.element(number, direction), self.problem.output_name(found.row), found.analytic, found.numeric,
            found.error, found.estimated, found.left, found.right, found.jump,
        )  # fmt: skip

    def element(self, number: int, direction: Any) -> tuple[int, ...] | None:
        """Convert the number of a real element to an index; of a complex array two numbers share one."""
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
