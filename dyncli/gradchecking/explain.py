"""Why a check came out as it did: the line and the op at fault, what cut a gradient off, what the numbers hint at."""

from __future__ import annotations

from dyncli.analysis.values import place_text
from dyncli.gradchecking import nonfinite
from dyncli.gradchecking.blame import Blame, Fault
from dyncli.gradchecking.elements import Found
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.settings import Settings
from dyncli.recorder.engine import Listener
from dyncli.records.gradcheck import Checked, Flip, Place, Report, gravest


def explained(report: Report, found: Found, problem: Problem, settings: Settings) -> Report:
    """Add the place, message and hint to a report, and correct its verdict where these show another."""
    report = _Explaining(report, found, problem, settings).report()
    concerned = [check for check in report.checks if check.verdict == report.verdict]
    concerned = [check for check in concerned if check.role != "cotangent"] or concerned
    names = tuple(check.name for check in concerned)
    sitting = next((check.flip for check in report.checks if check.verdict == report.verdict and check.flip), None)
    return report._replace(inputs=names or report.inputs, nearest=sitting or report.nearest)


WRITABLE = ("data", "numpy", "detach")  # ways to a tensor's memory, by which it is read or written


SLIGHT = 1e-5  # of a gradient: less than this of it cut off is no fault


class _Explaining:
    def __init__(self, report: Report, found: Found, problem: Problem, settings: Settings) -> None:
        self.given = report
        self.found = found
        self.problem = problem
        self.settings = settings
        self.numbers = list(found.findings)
        self.chosen: Place | None = None
        self.blame = Blame(problem, found, settings, report.failing)

    def report(self) -> Report:
        given, found = self.given, self.found
        if found.failure is not None:
            return self._failed(found.failure)
        if not found.reentrant:
            return self._unsteady()
        if given.failing == 1 and not self._is_differentiable():
            return given._replace(
                verdict="not_applicable",
                inputs=self._names(),
                message="no output depends on an input by way of tensors",
                hint="at this point every output is a constant; another input may take another arm",
            )
        suspects = [
            n for n in self.numbers if any(each.suspect or each.verdict == "wrong" for _, each in found.findings[n])
        ]
        if suspects:
            return self._suspected(suspects)
        if given.verdict == "nan" or not self.problem.finite.all():
            place = nonfinite.place(self.problem, found)
            if place is None:
                fault = self.blame.op(every=True, verdict="nan")
                place = fault.place if fault is not None else None
            return given._replace(
                verdict="nan",
                place=place,
                message=_first_at(nonfinite.message(self.problem, found), place, given.model),
            )
        if self.settings.locate:
            fault = self.blame.op(every=True)
            if fault is not None:
                message = at_line(fault.message, fault.place, self.given.model) + ", though the whole comes out right"
                return given._replace(
                    verdict="wrong", inputs=self._names(), place=fault.place, message=message,
                    hint=self.blame.hint(fault),
                )  # fmt: skip
        return self._edge(given._replace(message=_message(given.verdict, given.checks)))

    def _names(self) -> tuple[str, ...]:
        return tuple(self.problem.start[number].name for number in self.numbers)

    def _is_differentiable(self) -> bool:
        """Return whether any output has a history, or any input an influence that was cut off."""
        if any(tensor._edge is not None for _, tensor in self.problem.outputs) or not self.problem.finite.all():
            return True
        return any(
            each.verdict != "right" or each.numeric for findings in self.found.findings.values() for _, each in findings
        )

    # -- backward failed, or gives something else each time

    def _failed(self, error: Exception) -> Report:
        message = (str(error).splitlines() or [""])[0]
        given = self.given._replace(
            message=f"backward raises {type(error).__name__}: {message}",
            inputs=tuple(source.name for source in self.problem.start),
        )
        if "inplace" in message or "in-place" in message:
            fault = self.blame.overwritten()
            if fault is not None:
                return given._replace(
                    verdict="wrong", place=fault.place, message=at_line(fault.message, fault.place, self.given.model)
                )
        if "second time" in message and self._goes_backward_itself():
            return given._replace(
                verdict="not_applicable",
                message="the entry calls `backward` itself and leaves no graph",
                hint="check the function that returns the loss, before `backward()` is called on it",
            )
        if self.given.failing == 2:
            return given._replace(verdict="not_applicable")
        fault = self.blame.op(every=False, verdict="raises")
        place = fault.place if fault is not None else nonfinite.line_of(self.problem, error)
        return given._replace(verdict="wrong", place=place, message=at_line(given.message, place, self.given.model))

    def _goes_backward_itself(self) -> bool:
        listener = _Backwards()
        with self.problem.session.listening(listener):
            self.problem.function(self.problem.arrays)
        return listener.met

    def _unsteady(self) -> Report:
        fault = self.blame.op(every=False, verdict="nondeterministic")
        place = None if fault is None else fault.place
        return self.given._replace(
            verdict="nondeterministic", place=place, inputs=self._names(),
            message=at_line("backward gives another gradient the second time", place, self.given.model),
        )  # fmt: skip

    # -- something is wrong

    def _is_one_sided(self, number: int) -> bool:
        """Return whether a cut value only chose the side.

        All is a jump, or a kink with the slope of one side as gradient.
        """
        return all(
            each.verdict == "jump"
            or each.verdict == "kink"
            and any(
                side is not None and abs(side - each.analytic) <= 1e-5 * abs(each.analytic) + 10 * each.estimated
                for side in (each.left, each.right)
            )
            for _, each in self.found.findings[number]
            if each.suspect or each.verdict == "wrong"
        )

    def _is_slight(self, number: int) -> bool:
        """Return whether all that is off with an input is less than a solver that stops early leaves."""
        if self.settings.rtol is not None or self.settings.atol is not None:
            return False
        found = [each for _, each in self.found.findings[number] if each.verdict != "right"]
        return all(
            each.verdict == "wrong" and each.error <= SLIGHT * max(abs(each.analytic), abs(each.numeric))
            for each in found
        )

    def _slight(self, place: Place) -> Report:
        """Return what is right but for what is cut off, as where a solver stops early before a step with a gradient."""
        checks = tuple(check._replace(verdict="right") for check in self.given.checks)
        note = at_line("it agrees to the digits shown; the rest is cut off", place, self.given.model)
        return self.given._replace(
            checks=checks, verdict="right", message=_message("right", checks), notes=(*self.given.notes, note)
        )

    def _suspected(self, suspects: list[int]) -> Report:
        """Say of every suspect whether it is cut off, wrong, or as it was judged."""
        blame = self.blame
        fault = blame.op(every=False)
        if not self.found.linear and fault is None:
            place = blame.hook()
            if place is not None:  # at the point itself the gradient is the derivative
                note = at_line(f"the hook `{place.what}` changes greater gradients than these", place, self.given.model)
                checks = tuple(check._replace(verdict="right") for check in self.given.checks)
                return self.given._replace(
                    checks=checks, verdict="right", message=_message("right", checks),
                    notes=(*self.given.notes, note),
                )  # fmt: skip
        cuts = blame.cuts()
        places = {number: blame.cut(number, cuts) for number in suspects} if cuts else {}
        cut_off = {number: place for number, place in places.items() if place is not None}
        if fault is None and cut_off.keys() == set(suspects) and all(map(self._is_slight, suspects)):
            return self._slight(next(iter(cut_off.values())))
        for number in [n for n in cut_off if self._is_one_sided(n)]:
            self.chosen = cut_off.pop(number)
            suspects.remove(number)
        if cut_off and fault is None and all(place.what in WRITABLE for place in cut_off.values()):
            written = blame.overwritten()
            if written is not None and written.place in [_plain(place, written) for place in cut_off.values()]:
                fault, cut_off = written, {}
        left = [number for number in suspects if number not in cut_off]
        if left and fault is None:
            fault = blame.other() or blame.op(every=True)
            place = blame.place(cuts[0]) if fault is None and blame.unheld.issuperset(left) else None
            if place is not None:  # every op is right
                cut_off |= dict.fromkeys(left, place)
        for number in left:
            if self.found.derivatives[number] is None and fault is not None and fault.place is not None:
                cut_off[number] = fault.place
        verdicts = dict.fromkeys(cut_off, "detached")
        for number in left:
            if number in cut_off:
                continue
            if fault is not None or any(each.verdict == "wrong" for _, each in self.found.findings[number]):
                verdicts[number] = "wrong"
        checks = tuple(
            check._replace(verdict=verdicts.get(number, check.verdict), place=cut_off.get(number))
            for number, check in zip(self.numbers, self.given.checks)
        )
        verdict = gravest([check.verdict for check in checks])
        if verdict == "wrong":
            return self._wrong(checks, fault)
        if verdict == "detached":
            without = next((n for n in cut_off if self.found.derivatives[n] is None), next(iter(cut_off)))
            place = cut_off[without]
            return self.given._replace(
                checks=checks,
                verdict=verdict,
                place=place,
                message=at_line("the gradient is cut off", place, self.given.model),
            )
        return self._edge(self.given._replace(checks=checks, verdict=verdict, message=_message(verdict, checks)))

    def _edge(self, report: Report) -> Report:
        """Name the op or the cut that decides a kink or jump, where no decision is known."""
        if report.verdict not in ("kink", "jump"):
            return report
        known = any(check.flip for check in report.checks if check.verdict == report.verdict)
        if known:
            return report
        place = self.chosen or self._edge_place(report.verdict)
        if place is None:
            return report
        message = f"{report.message}; {place_text(place.file, place.line, report.model)} decides: `{place.text}`"
        return report._replace(nearest=Flip(place, 0.0, 0.0), message=message)

    def _edge_place(self, verdict: str) -> Place | None:
        """Find the op that bends or jumps by itself, else the cut without which nothing does."""
        for kind in (verdict, "kink" if verdict == "jump" else "jump"):
            fault = self.blame.op(every=True, verdict=kind)
            if fault is not None:
                return fault.place
        numbers = [n for n in self.numbers if any(each.verdict == verdict for _, each in self.found.findings[n])]
        cuts = self.blame.cuts()
        return self.blame.cut(numbers[0], cuts, lambda each: each.verdict == verdict) if cuts and numbers else None

    def _wrong(self, checks: tuple[Checked, ...], fault: Fault | None) -> Report:
        if fault is None:
            fault = self._one_sided(checks)
        place = fault.place if fault is not None else None
        message = fault.message if fault is not None else "the gradient is not the derivative"
        return self.given._replace(
            checks=checks,
            verdict="wrong",
            place=place,
            message=at_line(message, place, self.given.model),
            hint=self.blame.hint(fault),
        )

    def _one_sided(self, checks: tuple[Checked, ...]) -> Fault | None:
        """Find the decision at which a smooth function gets the gradient of one side only."""
        flip = next((check.flip for check in checks if check.verdict == "wrong" and check.flip is not None), None)
        if flip is None:
            return None
        return Fault(flip.place, "the function is smooth here, but the gradient is that of one side of the edge")


def at_line(message: str, place: Place | None, model: str) -> str:
    """Append the place to a message, with the file's name if it is not the model script."""
    if place is None:
        return message
    return f"{message} at {place_text(place.file, place.line, model)}: `{place.text}`"


def _plain(place: Place, fault: Fault) -> Place:
    """Replace the text and name of a cut's place by those of a fault, so that the two compare equal."""
    return place if fault.place is None else place._replace(text=fault.place.text, what=fault.place.what)


def _first_at(message: str, place: Place | None, model: str) -> str:
    """Append the line where a NaN first appeared to a message."""
    return at_line(message if place is None else f"{message}; it came up", place, model)


def _message(verdict: str, checks: tuple[Checked, ...]) -> str:
    if verdict in ("kink", "jump"):
        return _edge_message(verdict, checks)
    return {
        "right": "the gradient agrees with the numeric derivative",
        "resolution": "a solver in the model stops too early to tell: a tighter tolerance or more steps would",
        "not_measurable": "rounding leaves too little of the differences to tell",
    }.get(verdict, "")


def _edge_message(verdict: str, checks: tuple[Checked, ...]) -> str:
    worst = next((check.worst for check in checks if check.verdict == verdict), None)
    if worst is None or worst.left is None or worst.right is None:
        return "the outputs have another shape on one side of the point"
    left, right = _limit(worst.left), _limit(worst.right)
    if verdict == "kink":
        return f"the function bends at this point: its slope is {left} on the left, {right} on the right"
    by = f" by {_limit(worst.jump)}" if worst.jump is not None else ""
    return f"the function jumps{by} at this point"


def _limit(value: float) -> str:
    """Format a limit in five digits; rounding errors around zero become 0."""
    return f"{value if abs(value) > 1e-9 else 0.0:.5g}"


class _Backwards(Listener):
    """A listener that knows if a backward pass began."""

    met = False

    def begin_backward(self, roots: object, grads: object) -> None:
        self.met = True
