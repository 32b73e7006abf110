"""Who is to blame for a gradient that is not the derivative: an op, a cut, something overwritten, a hook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking import alone, hints, hooks, locate, overwritten
from dyncli.gradchecking.cuts import Cut, cuts_of, frozen
from dyncli.gradchecking.elements import Found
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.judged import Judged
from dyncli.gradchecking.listener import Astray
from dyncli.gradchecking.numeric import FIRST, central, scale_of
from dyncli.gradchecking.real_vectors import real
from dyncli.gradchecking.second_order import SecondOrder
from dyncli.gradchecking.settings import Settings
from dyncli.records.gradcheck import Place


class Fault(NamedTuple):
    """What is to blame, where it stands, and a sentence about it.  found: what its own elements said, of an op."""

    place: Place | None
    message: str
    found: Found | None = None


class Blame:
    """Looks for faults at one point.  found: what the elements said.  order: of the derivatives that are wrong."""

    def __init__(self, problem: Problem, found: Found, settings: Settings, order: int) -> None:
        self.problem = problem
        self.found = found
        self.settings = settings._replace(order=order)
        self._steps: list[locate.Step] | None = None

    @property
    def steps(self) -> list[locate.Step]:
        """The ops of one run."""
        if self._steps is None:
            self._steps = locate.recorded(self.problem)
        return self._steps

    def op(self, every: bool, verdict: str = "wrong") -> Fault | None:
        """The first op with such a verdict on its derivative: among the user's own functions, or among all ops."""
        located = None
        if self.settings.order == 2 and isinstance(self.problem.function, SecondOrder):
            inner = locate.recorded(self.problem, backward=True)
            located = locate.first(self.problem, inner, self.settings._replace(order=1), every=False)
        located = located or locate.first(self.problem, self.steps, self.settings, every, verdict)
        if located is None:
            return None
        return Fault(located.place, f"the derivative of `{located.step.name}` is wrong", located.found)

    def hook(self) -> Place | None:
        """The line of a hook that changes what passes."""
        return hooks.changing(self.problem, self.found.rows)

    def other(self) -> Fault | None:
        """A hook that changes what passes, or a value overwritten that backward needs."""
        place = self.hook()
        if place is not None:
            return Fault(place, f"the hook `{place.what}` changes the gradient")
        return self.overwritten() or self._shared() or self._packed()

    def _packed(self) -> Fault | None:
        """Hooks of saved tensors that hand back something else than was saved."""
        place = hooks.unfaithful(self.problem)
        return None if place is None else Fault(place, f"`{place.what}` does not keep what backward needs as it is")

    def _shared(self) -> Fault | None:
        """A function whose backward depends on what another call left behind."""
        found = alone.differing(self.problem, self.found.rows)
        if found is None:
            return None
        return Fault(found[0], f"the backward of `{found[1]}` gives another gradient after other calls than by itself")

    def overwritten(self) -> Fault | None:
        """A value that backward needs and the model overwrites."""
        # Recorded anew: the checks in between have set parameters to other values, in place.
        found = overwritten.overwritten(self.problem, locate.recorded(self.problem))
        return None if found is None else Fault(*found)

    def cut(self, number: int, cuts: list[Cut], wanted: Callable[[Judged], bool] | None = None) -> Place | None:
        """The cut that a source's mismatch is the work of; None if there is a mismatch left with every cut held.

        wanted: which elements have the mismatch; those that are suspected if None.
        """
        is_suspect = wanted or (lambda each: each.suspect or each.verdict == "wrong")
        suspects = [(d, each) for d, each in self.found.judged[number] if is_suspect(each)]
        with frozen(self.problem, cuts):
            base = self.problem.evaluate(self.problem.arrays, 0.0)
            if base.values is None or not np.allclose(
                base.values, self.problem.base, rtol=1e-12, atol=0, equal_nan=True
            ):
                return None
            if not all(self._holds(number, direction, each) for direction, each in suspects):
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
                return self.problem.session.place(cut.code, cut.lasti, cut.how)
        return self.problem.session.place(cuts[0].code, cuts[0].lasti, cuts[0].how)

    def cuts(self) -> list[Cut]:
        """The cuts of one run."""
        return cuts_of(self.problem)

    def _holds(self, number: int, direction: Any, each: Judged) -> bool:
        slope = self._slope(number, direction, each.row)
        size = max(abs(each.analytic), abs(each.numeric))
        return slope is not None and abs(slope - each.analytic) <= 1e-5 * size + 10 * each.estimated

    def _slope(self, number: int, direction: Any, row: int) -> float | None:
        """The derivative of the point's own piece, in the circumstances that hold now."""
        line = self.problem.line(number, direction)
        scale = scale_of(real(self.problem.arrays[number])[direction]) if isinstance(direction, int) else 1.0
        for step in (FIRST * scale, FIRST * scale / 64, FIRST * scale / 4096):
            plus, minus = line(step), line(-step)
            if plus.usable and minus.usable:
                return float(central(plus, minus)[row])
        try:
            pinned = self.problem.pinned(line)
            plus, minus = pinned(FIRST * scale), pinned(-FIRST * scale)
        except Astray:
            return None
        return float(central(plus, minus)[row]) if plus.usable and minus.usable else None

    def hint(self, fault: Fault | None) -> str | None:
        """What the numbers look like: those of the op at fault, else of the whole."""
        for found in ([fault.found] if fault is not None and fault.found is not None else []) + [self.found]:
            text = hints.hint(found)
            if text is not None:
                return text
        return None
