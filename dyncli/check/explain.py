"""Why a check came out as it did: the line and the op at fault, what cut a gradient off, what the numbers hint at."""

from __future__ import annotations

import linecache
import sys
from traceback import walk_tb
from typing import Any

import numpy as np

from dyncli.check import damage, hints, locate
from dyncli.check.cuts import Cut, cuts_of, frozen
from dyncli.check.elements import Found
from dyncli.check.judge import Judged
from dyncli.check.numeric import FIRST, central, scale_of
from dyncli.check.problem import Problem, real
from dyncli.check.settings import Settings
from dyncli.check.watch import users_frame
from dyncli.load.frames import is_users
from dyncli.record.gradcheck import Checked, Place, Report, gravest
from dyncore.events import Listener
from dyncore.tensor import Tensor


def explained(report: Report, found: Found, problem: Problem, settings: Settings) -> Report:
    """The report with its place, its message and its hint, and a graver or milder verdict where these ask for one."""
    report = _Explaining(report, found, problem, settings).report()
    names = tuple(check.name for check in report.checks if check.verdict == report.verdict)
    nearest = report.nearest
    sitting = next((check.flip for check in report.checks if check.verdict == report.verdict and check.flip), None)
    return report._replace(inputs=names or report.inputs, nearest=sitting or nearest)


class _Explaining:
    def __init__(self, report: Report, found: Found, problem: Problem, settings: Settings) -> None:
        self.given = report
        self.found = found
        self.problem = problem
        self.settings = settings
        self.numbers = list(found.judged)
        self._steps: list[locate.Step] | None = None

    @property
    def steps(self) -> list[locate.Step]:
        """The ops of one run."""
        if self._steps is None:
            self._steps = locate.recorded(self.problem)
        return self._steps

    def report(self) -> Report:
        given, found = self.given, self.found
        if found.failure is not None:
            return self._failed(found.failure)
        if not found.reentrant:
            return self._unsteady()
        if given.failing == 1 and not self._is_differentiable():
            return given._replace(verdict="not_applicable", message="no output depends on an input by way of tensors")
        suspects = [
            n for n in self.numbers if any(each.suspect or each.verdict == "wrong" for _, each in found.judged[n])
        ]
        if suspects:
            return self._suspected(suspects)
        if given.verdict == "nan":
            return given._replace(place=self._not_a_number(), message=self._nan_message())
        if self.settings.locate:
            fault = self._faulty(every=True)
            if fault is not None and fault.verdict == "wrong":
                return given._replace(
                    notes=(
                        *given.notes,
                        f"`{fault.step.name}` at line {fault.place.line} has a wrong derivative that cancels here",
                    )
                )
        return given._replace(message=self._message(given.verdict))

    def _is_differentiable(self) -> bool:
        """Whether any output has a history, or any input an influence that was cut off."""
        if any(tensor._edge is not None for _, tensor in self.problem.outputs):
            return True
        return any(
            each.verdict != "right" or each.numeric for judged in self.found.judged.values() for _, each in judged
        )

    # -- backward failed, or gives something else each time

    def _failed(self, error: Exception) -> Report:
        message = str(error).splitlines()[0] if str(error) else type(error).__name__
        given = self.given._replace(message=f"backward raised {type(error).__name__}: {message}")
        names = tuple(source.name for source in self.problem.start)
        if "inplace" in message or "in-place" in message:
            place = damage.overwritten(self.problem, self.steps) or damage.last_in_place(self.problem, self.steps)
            return given._replace(verdict="wrong", inputs=names, place=place)
        if "second time" in message and self._goes_backward_itself():
            return given._replace(
                verdict="not_applicable", inputs=names, message="the entry calls `backward` itself and leaves no graph"
            )
        if self.given.failing == 2:
            return given._replace(verdict="not_applicable", inputs=names)
        return given._replace(verdict="wrong", inputs=names, place=self._raised_at(error))

    def _goes_backward_itself(self) -> bool:
        heard = _Backwards()
        with self.problem.session.heard(heard):
            self.problem.function(self.problem.arrays)
        return heard.met

    def _raised_at(self, error: Exception) -> Place | None:
        for frame, line in reversed(list(walk_tb(error.__traceback__))):
            file = frame.f_code.co_filename
            if is_users(file):
                return Place(
                    self.problem.session.shown(file), line, linecache.getline(file, line).strip(), frame.f_code.co_name
                )
        return None

    def _unsteady(self) -> Report:
        fault = self._faulty(every=False)
        names = tuple(source.name for source in self.problem.start)
        return self.given._replace(
            verdict="nondeterministic", inputs=names, place=None if fault is None else fault.place,
            message="backward gives another gradient the second time",
        )  # fmt: skip

    # -- something is wrong

    def _suspected(self, suspects: list[int]) -> Report:
        given = self.given
        fault = self._faulty(every=False)
        cuts = cuts_of(self.problem)
        verdicts: dict[int, str] = {}
        places: dict[int, Place] = {}
        for number in suspects:
            cut = self._cut_at(number, cuts) if cuts else None
            if cut is not None:
                verdicts[number] = "detached"
                places[number] = cut
        without = [n for n in places if self.found.derivatives[n] is None]
        cut_place = places.get((without or [*places, -1])[0])
        left = [number for number in suspects if number not in verdicts]
        if left and fault is None:
            fault = self._faulty(every=True)
        place = fault.place if fault is not None else None
        if left and place is None:
            place = damage.hook(self.problem) or damage.overwritten(self.problem, self.steps)
        for number in left:
            clear = any(each.verdict == "wrong" for _, each in self.found.judged[number])
            if clear or place is not None:
                verdicts[number] = "wrong"
        checks = tuple(
            self._changed(number, check, verdicts)._replace(place=places.get(number))
            for number, check in zip(self.numbers, given.checks)
        )
        verdict = gravest([check.verdict for check in checks])
        if verdict == "detached":
            place = cut_place
        elif verdict != "wrong":
            place = None
        message = self._message(verdict, place)
        hint = self._hint(fault) if verdict == "wrong" else None
        return given._replace(checks=checks, verdict=verdict, place=place, message=message, hint=hint)

    def _changed(self, number: int, check: Checked, verdicts: dict[int, str]) -> Checked:
        verdict = verdicts.get(number)
        if verdict is None or verdict == check.verdict:
            return check
        return check._replace(verdict=verdict)

    def _faulty(self, every: bool) -> locate.Located | None:
        """The first op with a wrong derivative: among the user's own functions, or among all ops."""
        settings = self.settings._replace(order=self.given.failing)
        wanted = (lambda step: True) if every else (lambda step: step.function is not None)
        return next(locate.faults(self.problem, self.steps, settings, wanted), None)

    def _cut_at(self, number: int, cuts: list[Cut]) -> Place | None:
        """The cut that a source's mismatch is the work of; None if there is a mismatch left with every cut held."""
        with frozen(self.problem, cuts):
            base = self.problem.evaluate(self.problem.arrays, 0.0)
            if base.values is None or not np.allclose(
                base.values, self.problem.base, rtol=1e-12, atol=0, equal_nan=True
            ):
                return None
            for direction, each in self.found.judged[number]:
                if (each.suspect or each.verdict == "wrong") and not self._holds(number, direction, each):
                    return None
        moved = [(d, each) for d, each in self.found.judged[number] if each.suspect or each.verdict == "wrong"]
        direction, worst = max(moved, key=lambda pair: pair[1].ratio)
        for index, cut in enumerate(cuts):
            with frozen(self.problem, cuts, frozenset({index})):
                slope = self._slope(number, direction, worst.row)
            if slope is None or abs(slope - self._free(number, direction, worst)) > 1e-4 * max(
                abs(worst.numeric), abs(worst.analytic)
            ):
                return self.problem.session.place(cut.code, cut.lasti, cut.how)
        return self.problem.session.place(cuts[0].code, cuts[0].lasti, cuts[0].how)

    def _free(self, number: int, direction: Any, worst: Judged) -> float:
        return worst.numeric

    def _holds(self, number: int, direction: Any, each: Judged) -> bool:
        slope = self._slope(number, direction, each.row)
        size = max(abs(each.analytic), abs(each.numeric))
        return slope is not None and abs(slope - each.analytic) <= 1e-5 * size + 10 * each.estimated

    def _slope(self, number: int, direction: Any, row: int) -> float | None:
        """The derivative of the point's own piece, in the circumstances that hold now."""
        line = self.problem.line(number, direction)
        scale = scale_of(real(self.problem.arrays[number])[direction]) if isinstance(direction, int) else 1.0
        best: float | None = None
        for step in (FIRST * scale, FIRST * scale / 64, FIRST * scale / 4096):
            plus, minus = line(step), line(-step)
            if plus.usable and minus.usable:
                return float(central(plus, minus)[row])
        try:
            pinned = self.problem.pinned(line)
            plus, minus = pinned(FIRST * scale), pinned(-FIRST * scale)
            if plus.usable and minus.usable:
                best = float(central(plus, minus)[row])
        except Exception:
            return None
        return best

    def _hint(self, fault: locate.Located | None) -> str | None:
        names = [check.name for check in self.given.checks]
        for found in ([fault.found] if fault is not None else []) + [self.found]:
            text = hints.hint(found, names)
            if text is not None:
                return text
        return None

    # -- NaN

    def _not_a_number(self) -> Place | None:
        """The op that first gave NaN or infinity, forward at the point or just beside it, or backward."""
        heard = _NotFinite()
        with self.problem.session.heard(heard):
            self.problem.function(self.problem.arrays)
        if heard.first is None:
            heard = self._beside() or heard
        if heard.first is not None:
            return self.problem.session.place(*heard.first)
        fault = self._faulty(every=True)
        return fault.place if fault is not None else None

    def _beside(self) -> _NotFinite | None:
        for number in self.numbers:
            for direction, each in self.found.judged[number]:
                if each.verdict != "nan" or not np.isfinite(each.analytic):
                    continue
                for sign in (-1.0, 1.0):
                    heard = _NotFinite()
                    values = list(self.problem.arrays)
                    moved = np.array(values[number])
                    view = real(moved)
                    step = sign * 1e-7 * scale_of(float(np.abs(view).max()))
                    if isinstance(direction, int):
                        view[direction] += step
                    else:
                        view += step * direction
                    values[number] = moved
                    try:
                        with self.problem.session.heard(heard):
                            self.problem.function(values)
                    except Exception:
                        return None
                    if heard.first is not None:
                        return heard
        return None

    def _nan_message(self) -> str:
        failure = next((e.failure for j in self.found.judged.values() for _, e in j if e.failure is not None), None)
        if failure is not None:
            said = (str(failure).splitlines() or [""])[0]
            return f"just beside the point the model raises {type(failure).__name__}: {said}"
        judged = [each for all_ in self.found.judged.values() for _, each in all_ if each.verdict == "nan"]
        if not self.problem.finite.all():
            return "the output is not finite at the point"
        if any(not np.isfinite(each.analytic) for each in judged):
            return "the gradient is not finite at the point"
        return "the output is not finite on one side of the point"

    def _message(self, verdict: str, place: Place | None = None) -> str:
        where = f" at line {place.line}: `{place.text}`" if place is not None else ""
        if verdict == "detached":
            return f"the gradient is cut off{where}"
        if verdict == "wrong":
            return (
                f"the derivative of `{place.what}` is wrong{where}"
                if place is not None
                else "the gradient is not the derivative"
            )
        if verdict in ("kink", "jump"):
            return self._edge_message(verdict)
        return {
            "right": "the gradient agrees with the numeric derivative",
            "not_measurable": "rounding leaves too little of the differences to tell",
        }.get(verdict, "")

    def _edge_message(self, verdict: str) -> str:
        worst = next((check.worst for check in self.given.checks if check.verdict == verdict), None)
        if worst is None or worst.left is None or worst.right is None:
            return "the function is not the same on both sides of the point"
        left, right = shown(worst.left), shown(worst.right)
        if verdict == "kink":
            return f"the function bends at this point: its slope is {left} on the left, {right} on the right"
        by = f" by {shown(worst.jump)}" if worst.jump is not None else ""
        return f"the function jumps{by} at this point"


def shown(value: float) -> str:
    """A limit in five digits, without the rounding error of a limit that is zero."""
    return f"{value if abs(value) > 1e-9 else 0.0:.5g}"


class _Backwards(Listener):
    """Whether a backward pass was begun."""

    met = False

    def begin_backward(self, roots: Any, grads: Any) -> None:
        self.met = True


class _NotFinite(Listener):
    """The first op with a result that is not finite."""

    def __init__(self) -> None:
        self.first: tuple[Any, int, str] | None = None

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: int, ended: int) -> None:
        if self.first is not None or not isinstance(result, Tensor) or result._array.dtype.kind not in "fc":
            return
        if not np.isfinite(result._array).all():
            frame = users_frame(sys._getframe(1))
            self.first = (frame.f_code, frame.f_lasti, op.name)
