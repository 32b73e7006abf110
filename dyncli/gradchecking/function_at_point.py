"""A function of arrays with a derivative of its own: evaluated near a point, compared path by path with the point.

The same for a whole model and for one op of it.  All numbers are real here: a complex element counts as two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from math import isfinite
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking import path as paths
from dyncli.gradchecking.evaluation_limit import EvaluationTooLong
from dyncli.gradchecking.listener import Hidden, OffPath, Watch, is_comparison
from dyncli.gradchecking.real_vectors import Span, cotangent, flat, real
from dyncli.gradchecking.session import Session
from dyncli.gradchecking.subject import Source
from dyncli.recorder.engine import Tensor, autograd, events
from dyncli.records.gradcheck import Flip, Place

#: values -> (the floating outputs by name, the tensors that took the values), recorded for backward.
Function = Callable[[list[Any]], tuple[list[tuple[str, Tensor]], list[Tensor]]]

WHOLE = 64  # outputs whose Jacobian is taken row by row; of more, so many random combinations:
COMBINATIONS = 4


class Near(NamedTuple):
    """A decision near the point: a test of the script's or one hidden in an op, by its number."""

    distance: float
    margin: float
    hidden: bool
    number: int


class Evaluation(NamedTuple):
    """The function at a distance from the point.

    values: None where it raised, or has another shape.  step: the distance really gone.  same: whether it went the
    same way.  finite: whether every value is.  flip: the first decision that differed.  margin: its
    margin at the point.  path_hash: of the path.  rounds: the construct whose test ends a loop after another
    number of rounds.
    """

    values: Any
    step: float
    same: bool = True
    finite: bool = True
    error: BaseException | None = None
    flip: tuple[bool, int] | None = None
    margin: float | None = None
    path_hash: int | None = None
    near: Near | None = None
    rounds: int | None = None

    @property
    def usable(self) -> bool:
        """Return whether it can stand in a difference with the point itself."""
        return self.same and self.finite and self.values is not None


Line = Callable[..., Evaluation]


class Problem:
    """A function at a point.

    spans: its outputs.  combine: the rows that the values are combined by, None for each alone.
    outputs, sources: those of the evaluation at the point, from which the derivatives come.
    in_backward: a context that each backward runs in.
    """

    def __init__(self, session: Session, function: Function, start: list[Source]) -> None:
        self.session = session
        self.function = function
        self.start = start
        self.arrays = [source.array for source in start]
        self.hidden: list[Hidden] = []
        self.path = paths.Path([], [], [])
        self.log: list[Any] = []
        self.most_ops = 0
        self.spans: list[Span] = []
        self.outputs: list[tuple[str, Tensor]] = []
        self.sources: list[Tensor] = []
        self.raw: Any = np.zeros(0)
        self.combine: Any = None
        self.finite: Any = None
        self._all_finite = True
        self.strayed = False  # whether an evaluation took another path than the point
        self.in_backward: AbstractContextManager[Any] = nullcontext()
        self.once = False  # whether backward can be run through each graph once only
        self._behind = False  # whether the last evaluation may have written into the graph of the point
        self._margins: list[float | None] = []

    # -- at the point

    def begin(self) -> None:
        """Evaluate the function at the point and keep its path and values.  Exceptions of the model pass through."""
        session = self.session
        watch = session.watch()
        self._behind = False
        started = process_time()
        with session.listening(watch):
            self.outputs, self.sources = self.function(self.arrays)
        session.guard.took(process_time() - started)
        self.hidden = watch.hidden
        self.most_ops = 20 * watch.ops + 1000
        self.path = paths.read(session.program, session.log)
        self.log = list(session.log)
        self._margins = [paths.margin(session.program, test) for test in self.path.tests]
        self.spans = []
        at = 0
        for name, tensor in self.outputs:
            array = np.asarray(tensor._array)
            size = array.size * (2 if array.dtype.kind == "c" else 1)
            self.spans.append(Span(name, array.shape, at, at + size, array.dtype.kind == "c"))
            at += size
        self.raw = flat(self.outputs)
        self.finite = np.isfinite(self.raw)
        self._all_finite = bool(self.finite.all())

    def combine_outputs(self, cotangent: Any = None, most: int = WHOLE) -> Any:
        """Choose the rows to compare: the given one, every output, or random combinations of many outputs."""
        size = self.raw.size
        live = self.finite
        if cotangent is not None:
            rows = np.asarray(cotangent, np.float64).reshape(1, size) * live
        elif size <= most:
            rows = np.eye(size)[live]
        else:
            draw = np.random.Generator(np.random.PCG64(0))
            rows = np.concatenate([np.ones((1, size)), draw.standard_normal((COMBINATIONS, size))]) * live
        self.combine = None if rows.shape == (size, size) and cotangent is None and size <= most else rows
        return rows

    @property
    def base(self) -> Any:
        """The values at the point, combined."""
        return self.combined(self.raw)

    def combined(self, raw: Any) -> Any:
        """Apply the combination matrix to the flat outputs; without one the rows are the outputs themselves."""
        if self.combine is None:
            return raw
        return self.combine @ (raw if self._all_finite else np.where(self.finite, raw, 0.0))

    def output_name(self, row: int) -> str:
        """Return what a row is called: `output[2, 0]`, or `a combination of the outputs`."""
        if row < 0:
            row = int(np.argmin(self.finite))
        elif self.combine is not None:
            (places,) = np.nonzero(self.combine[row])
            if len(places) != 1:
                return "all outputs" if np.ptp(self.combine[row][places]) == 0 else "a combination of the outputs"
            row = int(places[0])
        span = next(span for span in self.spans if span.start <= row < span.end)
        place = row - span.start
        part = ""
        if span.is_complex:
            place, part = place // 2, ".imag" if place % 2 else ".real"
        index = ", ".join(map(str, np.unravel_index(place, span.shape))) if span.shape else ""
        return f"{span.name}[{index}]{part}" if index else f"{span.name}{part}"

    def derivatives(self, rows: Any) -> list[Any]:
        """Run backward for each row; one (rows, elements) array per source, None where no gradient arrived."""
        if self.once and len(rows) > 1:
            parts = zip(*(self.derivatives(row[None]) for row in rows))
            return [None if each[0] is None else np.concatenate(each) for each in parts]
        if self._behind or self.once:
            self.begin()
        outputs = [(span, tensor) for span, (_, tensor) in zip(self.spans, self.outputs) if tensor._edge is not None]
        wanted = [(number, source) for number, source in enumerate(self.sources) if source._edge is not None]
        found: list[Any] = [None] * len(self.sources)
        if not outputs or not wanted:
            return found
        for place, row in enumerate(rows):
            cotangents = [cotangent(row[span.start : span.end], span, tensor) for span, tensor in outputs]
            gradients = self._backward([tensor for _, tensor in outputs], [source for _, source in wanted], cotangents)
            for (number, _), gradient in zip(wanted, gradients):
                if gradient is not None:
                    if found[number] is None:
                        found[number] = np.zeros((len(rows), real(self.arrays[number]).size))
                    found[number][place] = real(gradient._array)
        return found

    def backward_points(self, row: Any) -> tuple[list[Any], Counter[int]]:
        """Run backward for one row; return the derivatives, and how often each point of the script ran meanwhile."""
        if self._behind or self.once:
            self.begin()
        before = len(self.session.log)
        once, self.once = self.once, False
        try:
            found = self.derivatives(row)
        finally:
            self.once = once
        key = paths.read(self.session.program, self.session.log[before:]).key
        return found, Counter(step // 2 for step in key)

    def _backward(self, roots: list[Tensor], leaves: list[Tensor], cotangents: list[Tensor]) -> Any:
        """Compute the gradients of the leaves; by `backward` where a reentrant checkpoint rules out `autograd.grad`."""
        try:
            with self.in_backward:
                return autograd.grad(roots, leaves, cotangents, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            if "use_reentrant=True" not in str(error):
                raise
        before = [leaf.grad for leaf in leaves]
        for leaf in leaves:
            leaf.grad = None
        with self.in_backward:
            autograd.backward(roots, cotangents, retain_graph=True)
        found = [leaf.grad for leaf in leaves]
        for leaf, kept in zip(leaves, before):
            leaf.grad = kept
        return found

    # -- near the point

    def line(self, source: int, direction: Any) -> Line:
        """Build the function along a line: `direction` is the number of an element, or an array of all of them."""
        array = self.arrays[source]
        whole = np.array(array)
        kept = real(array).copy()

        def at(
            t: float,
            margins: bool = False,
            hash_path: bool = False,
            pin: bool = False,
            longer: tuple[int, int] | None = None,
        ) -> Evaluation:
            moved = whole.copy()
            view = real(moved)
            if isinstance(direction, int):
                view[direction] += t
                step = float(view[direction] - kept[direction])
            else:
                view += t * direction
                step = t
            values = list(self.arrays)
            values[source] = moved
            return self.evaluate(values, step, margins=margins, hash_path=hash_path, pin=pin, longer=longer)

        return at

    def evaluate(
        self,
        values: list[Any],
        step: float,
        *,
        margins: bool = False,
        hash_path: bool = False,
        pin: bool = False,
        longer: tuple[int, int] | None = None,
    ) -> Evaluation:
        """Run the function at other values, and compare its decisions with those at the point.

        longer: a construct that ends a loop, and how many rounds more than at the point are forced on it.
        """
        session = self.session
        self._behind = True
        watch = session.watch(self.hidden, margins=margins, pin=pin, keep_keys=hash_path, most=self.most_ops)
        outcomes = paths.outcomes(session.program, self.path, self.log) if pin or longer is not None else None
        if outcomes is not None and longer is not None:
            construct, more = longer
            *before, last = outcomes[construct]
            outcomes = {construct: before + [not last] * more}
        session.guard.begin()
        try:
            if outcomes is None:  # 6 us less than `listening`
                session.begin()
                events.attach(watch)
                try:
                    outputs, _ = self.function(values)
                finally:
                    events.attach(None)
            else:
                with session.listening(watch, outcomes):
                    outputs, _ = self.function(values)
        except OffPath:
            raise
        except (Exception, EvaluationTooLong) as error:
            session.guard.end()
            return Evaluation(None, step, same=False, finite=False, error=error, **self._left(watch, None))
        finally:
            session.guard.end()
        watch.ended()
        path = paths.read(session.program, session.log)
        same = watch.flip is None and path.key == self.path.key
        self.strayed = self.strayed or not same
        left: dict[str, Any] = {} if same else {**self._left(watch, path), "rounds": self._other_rounds(path)}
        found = flat(outputs)
        hashed = hash((tuple(path.key), _path_of(watch))) if hash_path else None
        if not self._has_shape(outputs):
            return Evaluation(None, step, same=False, finite=True, path_hash=hashed, **left)
        if self._all_finite and len(found) == 1:
            finite = isfinite(found[0])
        else:
            finite = bool(np.isfinite(found if self._all_finite else found[self.finite]).all())
        near = self._nearest(watch, path, step) if margins and same else None
        return Evaluation(self.combined(found), step, same, finite, path_hash=hashed, near=near, **left)

    def _has_shape(self, outputs: list[tuple[str, Tensor]]) -> bool:
        """Return whether outputs are those of the point, in name and shape."""
        if len(outputs) != len(self.spans):
            return False
        for (name, tensor), span in zip(outputs, self.spans):
            if name != span.name or tensor._array.shape != span.shape:
                return False
        return True

    def pinned(self, line: Line) -> Line:
        """Build the line on which every decision stays as at the point; calling it raises OffPath where it cannot."""

        def at(t: float, **more: Any) -> Evaluation:
            found = line(t, pin=True)
            return found._replace(same=True, flip=None)

        return at

    # -- decisions

    def _left(self, watch: Watch, path: paths.Path | None) -> dict[str, Any]:
        """Return the first decision that differs, and its margin at the point, as fields of an Evaluation."""
        flip = self._flip(watch, path)
        if flip is None:
            return {"flip": None}
        hidden, number = flip
        if hidden:
            return {"flip": flip, "margin": watch.flip_margin if watch.flip == number else None}
        margins = (margin for test, margin in zip(self.path.tests, self._margins) if test.step == number)
        return {"flip": flip, "margin": next(margins, None)}

    def _other_rounds(self, path: paths.Path) -> int | None:
        """Return the construct that parts the paths, if a loop tests something more or less often than at the point."""
        if len(path.key) == len(self.path.key):
            return None
        here, there = (Counter(step // 2 for step in key) for key in (self.path.key, path.key))
        if not any(here[point] != there[point] and max(here[point], there[point]) > 1 for point in here | there):
            return None
        parting = next((step for step, other in zip(self.path.key, path.key) if step != other), self.path.key[-1])
        return self.session.program.points[parting // 2].key

    def _flip(self, watch: Watch, path: paths.Path | None) -> tuple[bool, int] | None:
        """Find the first decision that differs: (hidden in an op or not, its number among those or the steps)."""
        if path is None:
            path = paths.read(self.session.program, self.session.log, len(self.path.key) + 1)
        first = next((n for n, (a, b) in enumerate(zip(self.path.key, path.key)) if a != b), None)
        hidden = watch.flip
        if first is None:
            return None if hidden is None or hidden >= len(self.hidden) else (True, hidden)
        if hidden is None or hidden >= len(self.hidden):
            return False, first
        at = self.hidden[hidden].at
        if is_comparison(self.hidden[hidden].name) and self._stand_together(hidden, first):
            return False, first
        return (True, hidden) if at <= self.path.at[first] else (False, first)

    def is_compared(self, is_hidden: bool, number: int) -> bool:
        """Return whether a decision is a test of the script's or a comparison."""
        return not is_hidden or is_comparison(self.hidden[number].name)

    def _stand_together(self, hidden: int, step: int) -> bool:
        site = paths.site_of(self.session.program, self.log[self.path.at[step]])
        kept = self.hidden[hidden]
        place = self.session.place(kept.code, kept.lasti, "")
        return site is not None and place is not None and site.line <= place.line <= site.end_line

    def _nearest(self, watch: Watch, path: paths.Path, step: float) -> Near | None:
        """Extrapolate the margins linearly from this step, and return the decision that would change first."""
        best: Near | None = None
        if not step:
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            for number, margin in watch.moved:
                before = np.ravel(self.hidden[number].margin)
                change = np.ravel(margin) - before
                moved = np.flatnonzero(change)
                if not moved.size:
                    continue
                times = np.abs(before[moved] / change[moved])
                times[np.isnan(times)] = np.inf
                least = float(times.min())
                if least < np.inf and (best is None or least * abs(step) < best.distance):
                    best = Near(least * abs(step), float(before[moved[times.argmin()]]), True, number)
        for number, (test, now) in enumerate(zip(self.path.tests, path.tests)):
            margin_before = self._margins[number]
            if margin_before is None:
                continue
            after = paths.margin(self.session.program, now)
            if after is None or after == margin_before or after != after:
                continue
            distance = abs(margin_before) / abs(after - margin_before) * abs(step)
            if best is None or distance <= best.distance * (1 + 1e-6):
                best = Near(distance, margin_before, False, test.step)
        return best

    def shown(
        self, hidden: bool, number: int, margin: float | None = None, distance: float | None = None
    ) -> Flip | None:
        """Describe a decision for the report; None if its line is unknown."""
        session = self.session
        if hidden:
            kept = self.hidden[number]
            if margin is None and kept.margin is not None and np.size(kept.margin):
                margins = np.ravel(kept.margin)
                margin = float(margins[int(np.argmin(np.abs(margins)))])
            place = session.place(kept.code, kept.lasti, kept.name)
            return None if place is None else Flip(place, margin, distance)
        site = paths.site_of(session.program, self.log[self.path.at[number]])
        if site is None:
            return None
        if margin is None:
            margin = next((m for t, m in zip(self.path.tests, self._margins) if t.step == number), None)
        return Flip(Place(site.file, site.line, site.text, site.kind), margin, distance)


def _path_of(watch: Watch) -> tuple[Any, ...]:
    return (watch.flip, watch.count, *(watch.keys or ()))
