"""Who is to blame for a gradient that is not the derivative: an op, a cut, something overwritten, a hook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking import hooks, locate, overwritten
from dyncli.gradchecking.cuts import Cut, cuts_of, frozen
from dyncli.gradchecking.elements import Found
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.listener import OffPath
from dyncli.gradchecking.locate import Local, Returns, Step, Steps, place_of
from dyncli.gradchecking.numeric import FIRST, central, scale_of
from dyncli.gradchecking.real_vectors import cotangent, real
from dyncli.gradchecking.second_order import SecondOrder
from dyncli.gradchecking.settings import Settings
from dyncli.gradchecking.verdict import Finding
from dyncli.instrument.program import Role
from dyncli.recorder.engine import Listener, Tensor, autograd, wrap
from dyncli.records.gradcheck import Place

SOLVED = 0.1  # of the largest derivative: by no more the steps of a solver keep backward off
SMOOTH = 1e-3  # of what is off: the largest error of differences that show no steps of a model
ROUNDS = 3  # of a loop that may be a solver's


class Fault(NamedTuple):
    """The function, hook or op at fault, its place, and a sentence about it.

    step, found: of a function or an op, and the verdict on its own elements.
    """

    place: Place | None
    message: str
    step: Step | None = None
    found: Found | None = None


class Blame:
    """Looks for faults at one point.  found: what the elements said.  order: of the derivatives that are wrong.

    unheld: the sources whose path is another once the cuts are held.
    """

    def __init__(self, problem: Problem, found: Found, settings: Settings, order: int) -> None:
        self.problem = problem
        self.found = found
        self.settings = settings._replace(order=order)
        self.unheld: set[int] = set()
        self._steps: list[locate.Step] | None = None

    @property
    def steps(self) -> list[locate.Step]:
        """The ops of one run."""
        if self._steps is None:
            self._steps = locate.recorded(self.problem)
        return self._steps

    def op(self, every: bool, verdict: str = "wrong") -> Fault | None:
        """Find the first op whose derivative has `verdict`.

        every: look at all ops, not at the user's own functions alone.
        """
        located = None
        if self.settings.order == 2 and isinstance(self.problem.function, SecondOrder):
            inner = locate.recorded(self.problem, backward=True)
            located = locate.first(self.problem, inner, self.settings._replace(order=1), every=False)
        located = located or locate.first(self.problem, self.steps, self.settings, every, verdict)
        if located is None:
            return None
        return Fault(located.place, f"the derivative of `{located.step.name}` is wrong", located.step, located.found)

    def hook(self) -> Place | None:
        """Find the line of a hook that changes the gradient passing it."""
        return hooks.changing(self.problem, self.found.rows)

    def other(self) -> Fault | None:
        """Look for a fault outside of any op: a hook, an overwritten value, shared state, lossy packing."""
        place = self.hook()
        if place is not None:
            return Fault(place, f"the hook `{place.what}` changes the gradient")
        return self.overwritten() or self._shared() or self._packed()

    def _packed(self) -> Fault | None:
        """Find saved-tensor hooks that do not restore what was saved."""
        place = hooks.lossy_pack(self.problem)
        return None if place is None else Fault(place, f"`{place.what}` does not keep what backward needs as it is")

    def _shared(self) -> Fault | None:
        """Find a function whose backward depends on state that other calls change."""
        found = impure_function(self.problem, self.found.rows)
        if found is None:
            return None
        return Fault(found[0], f"the backward of `{found[1]}` gives another gradient after other calls than by itself")

    def overwritten(self) -> Fault | None:
        """Find a value that backward needs and that the model overwrites."""
        # Recorded anew: the checks in between have set parameters to other values, in place.
        found = overwritten.overwritten(self.problem, locate.recorded(self.problem))
        return None if found is None else Fault(*found)

    def cut(self, number: int, cuts: list[Cut], wanted: Callable[[Finding], bool] | None = None) -> Place | None:
        """Find the cut that causes a source's mismatch; None if a mismatch remains with every cut held.

        wanted: which elements have the mismatch; those that are suspected if None.
        """
        is_suspect = wanted or (lambda each: each.suspect or each.verdict == "wrong")
        suspects = [(d, each) for d, each in self.found.findings[number] if is_suspect(each)]
        with frozen(self.problem, cuts):
            base = self.problem.evaluate(self.problem.arrays, 0.0)
            if base.values is None or not np.allclose(
                base.values, self.problem.base, rtol=1e-12, atol=0, equal_nan=True
            ):
                return None
            if not all(self._holds(number, direction, each) for direction, each in suspects):
                if all(self._slope(number, direction, each.row) is None for direction, each in suspects):
                    self.unheld.add(number)
                return None
        direction, worst = max(suspects, key=lambda pair: pair[1].ratio)
        free = self._slope(number, direction, worst.row)  # on an edge it is not the numeric derivative of both sides
        if free is None:
            free = worst.numeric
        for index, cut in enumerate(cuts):
            with frozen(self.problem, cuts, frozenset({index})):
                slope = self._slope(number, direction, worst.row)
            size = max(abs(worst.numeric), abs(worst.analytic))
            if slope is None or abs(slope - free) > 1e-4 * size:
                return self.place(cut)
        return self.place(cuts[0])

    def place(self, cut: Cut) -> Place | None:
        """Return the place of a cut."""
        return self.problem.session.place(cut.code, cut.lasti, cut.how)

    def cuts(self) -> list[Cut]:
        """List the cuts of one run at the point."""
        return cuts_of(self.problem)

    def _holds(self, number: int, direction: Any, each: Finding) -> bool:
        slope = self._slope(number, direction, each.row)
        size = max(abs(each.analytic), abs(each.numeric))
        return slope is not None and abs(slope - each.analytic) <= 1e-5 * size + 10 * each.estimated

    def _slope(self, number: int, direction: Any, row: int) -> float | None:
        """Compute d(row)/d(direction) on the point's own piece, with the cuts held that are held now."""
        line = self.problem.line(number, direction)
        scale = scale_of(real(self.problem.arrays[number])[direction]) if isinstance(direction, int) else 1.0
        for step in (FIRST * scale, FIRST * scale / 64, FIRST * scale / 4096):
            plus, minus = line(step), line(-step)
            if plus.usable and minus.usable:
                return float(central(plus, minus)[row])
        try:
            pinned = self.problem.pinned(line)
            plus, minus = pinned(FIRST * scale), pinned(-FIRST * scale)
        except OffPath:
            return None
        return float(central(plus, minus)[row]) if plus.usable and minus.usable else None

    def hint(self, fault: Fault | None) -> str | None:
        """Return what the numbers look like: those of the op at fault, else of the whole."""
        for found in ([fault.found] if fault is not None and fault.found is not None else []) + [self.found]:
            text = pattern(found)
            if text is not None:
                return text
        return SOLVES if fault is not None and self._may_solve(fault) else None

    def _may_solve(self, fault: Fault) -> bool:
        """Return whether a function or hook that is off by little has a loop, as one that solves an equation."""
        found = self.found if fault.found is None else fault.found
        for findings in found.findings.values():
            largest = max((abs(each.numeric) for _, each in findings), default=0.0)
            wrong = [each for _, each in findings if each.verdict == "wrong"]
            if any(each.error > SOLVED * largest or each.estimated > SMOOTH * each.error for each in wrong):
                return False
        if fault.step is None:
            return self._has_loop(self.problem, self.found.rows, Counter())
        if fault.step.function is None:
            return False
        local = Local(fault.step)
        own = Problem(self.problem.session, local, local.start)
        own.begin()
        return self._has_loop(own, own.combine_outputs(), Counter(step // 2 for step in own.path.key))

    def _has_loop(self, problem: Problem, rows: Any, forward: Counter[int]) -> bool:
        """Return whether a loop goes round several times in backward or forward.

        forward: how often each point of the script ran there.
        """
        program = self.problem.session.program
        _, backward = problem.backward_points(rows.sum(axis=0)[None])
        return any(
            times >= ROUNDS and program.points[point].role is Role.ITERATION
            for point, times in (forward | backward).items()
        )


class _Passed(Listener):
    """The gradients that each node of a backward pass receives and returns."""

    def __init__(self) -> None:
        self.nodes: dict[int, tuple[Any, Any]] = {}

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        self.nodes[id(node)] = grad, result


def impure_function(problem: Problem, rows: Any) -> tuple[Place | None, str] | None:
    """Find the function whose backward alone differs from that in the whole graph: its place and name."""
    listener, passed = Steps(), _Passed()
    with problem.session.listening(listener):
        outputs, sources = problem.function(problem.arrays)
    steps = [step for step in listener.steps if step.function is not None and isinstance(step.result, Tensor)]
    live = [(span, tensor) for span, (_, tensor) in zip(problem.spans, outputs) if tensor._edge is not None]
    wanted = [source for source in sources if source._edge is not None]
    if not steps or not live or not wanted:
        return None
    row = rows.sum(axis=0)
    cotangents = [cotangent(row[span.start : span.end], span, tensor) for span, tensor in live]
    with problem.session.listening(passed):
        autograd.grad([tensor for _, tensor in live], wanted, cotangents, allow_unused=True)
    for step in steps:
        if id(step.node) in passed.nodes and _differs(problem, step, *passed.nodes[id(step.node)]):
            return _backward_line(problem, step), step.name
    return None


def _differs(problem: Problem, step: Step, given: Any, handed: Any) -> bool:
    """Return whether a call alone, given the same gradient, hands on another one."""
    local = Local(step)
    if not isinstance(given, np.ndarray | np.generic | float) or not local.start:
        return False
    try:
        with problem.session.listening(Listener()):
            outputs, sources = local([source.array for source in local.start])
            if len(outputs) != 1:
                return False
            alone = autograd.grad([outputs[0][1]], sources, [wrap(np.array(given), None)], allow_unused=True)
    except Exception:  # what it raises alone says nothing of the whole
        return False
    pairs = handed if isinstance(handed, (list, tuple)) else [(None, handed)]
    together = [pair[1] for pair in pairs if pair[1] is not None]
    expected = [each for each in alone if each is not None]
    return len(together) == len(expected) and not all(map(_is_close, together, expected))


def _is_close(one: Any, other: Any) -> bool:
    a, b = real(getattr(one, "_array", one)), real(other._array)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-8, atol=1e-12 * float(np.abs(b).max(initial=0.0))))


def _backward_line(problem: Problem, step: Step) -> Place | None:
    """Find the line on which the function's own backward returns, by running it once alone."""
    tracer, local = Returns(step.function, "backward", "vjp"), Local(step)
    with tracer, problem.session.listening(Listener()):
        outputs, sources = local([source.array for source in local.start])
        root = outputs[0][1]
        autograd.grad([root], sources, [wrap(np.ones_like(root._array), None)], allow_unused=True)
    return place_of(problem, step, tracer)


SOLVES = "if its loop solves an equation, finer steps or more rounds bring backward near to what forward computes"


def pattern(found: Found) -> str | None:
    """Return a sentence on the values of the first wrong input that show a pattern, or None."""
    if not found.linear:
        return "backward's answer does not follow the gradient it is given: it leaves that out, or clips it"
    for check, (number, findings) in zip(found.checks, found.findings.items()):
        wrong = [each for _, each in findings if each.verdict == "wrong"]
        if not wrong:
            continue
        analytic = np.array([each.analytic for _, each in findings])
        numeric = np.array([each.numeric for _, each in findings])
        live = np.abs(numeric) > 1e-9 * np.abs(numeric).max(initial=0.0)
        if not np.any(analytic):
            return None
        text = _factor(analytic[live], numeric[live])
        if text is not None:
            return text
        if not _is_near(analytic, numeric) and (
            _is_mirrored(findings, check.shape)
            or _is_jacobian_transposed(findings, found.rows, found.derivatives[number])
        ):
            return "analytic is the transpose of numeric: an index or a `.T` is wrong"
    return None


def _factor(analytic: Any, numeric: Any) -> str | None:
    if not len(numeric):
        return None
    ratios = analytic / numeric
    ratio = float(np.median(ratios))
    if ratio == 0 or abs(ratio - 1) < 1e-4 or np.abs(ratios - ratio).max() > 1e-4 * abs(ratio):
        return None
    if abs(ratio + 1) < 1e-6:
        return "analytic is numeric with the other sign: a minus is missing"
    from fractions import Fraction  # 4 ms, with decimals

    shown = Fraction(ratio).limit_denominator(64)
    is_simple = abs(float(shown) - ratio) < 1e-6 * abs(ratio)
    text = str(shown) if is_simple else f"{ratio:.4g}"
    if text == "1" or (len(ratios) == 1 and not is_simple):  # one element has some ratio always
        return None
    return f"analytic is {text} times numeric throughout: a factor is missing or one too many"


def _is_mirrored(findings: list[tuple[Any, Finding]], shape: tuple[int, ...]) -> bool:
    """Compare each element with its mirror image; of a large input, only some were checked one by one."""
    if len(shape) != 2 or shape[0] != shape[1] or not all(isinstance(element, int) for element, _ in findings):
        return False
    known = {divmod(element, shape[0]): each for element, each in findings}
    pairs = [(each, known.get((column, row))) for (row, column), each in known.items()]
    if any(mirrored is None for each, mirrored in pairs if each.verdict == "wrong"):
        return False
    analytic = np.array([each.analytic for each, mirrored in pairs if mirrored is not None])
    numeric = np.array([mirrored.numeric for _, mirrored in pairs if mirrored is not None])
    return _is_near(analytic, numeric)


def _is_jacobian_transposed(findings: list[tuple[Any, Finding]], rows: Any, derivatives: Any) -> bool:
    """Compare each element with the derivative of its own output by the input that stands where the output does.

    So does a product's backward that has `grad @ w` for `grad @ w.T`.  rows: which outputs were checked, each alone.
    """
    if derivatives.shape != rows.shape or len(rows) < 2 or not np.array_equal(rows, np.eye(len(rows))):
        return False
    if not all(isinstance(element, int) for element, _ in findings):
        return False
    numeric = np.array([each.numeric for _, each in findings])
    return _is_near(np.array([derivatives[element, each.row] for element, each in findings]), numeric)


def _is_near(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, rtol=1e-4, atol=1e-7 * (np.abs(other).max(initial=0.0) + 1e-300)))
