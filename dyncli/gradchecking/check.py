"""`check(settings)`: one report for each case of the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

from dyncli import errors
from dyncli.gradchecking import forward_mode, locate, nondeterminism
from dyncli.gradchecking.elements import Elements, Found
from dyncli.gradchecking.explain import at_line, explained
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.second_order import SecondOrder
from dyncli.gradchecking.session import Session
from dyncli.gradchecking.settings import Settings
from dyncli.gradchecking.subject import FLOATS, Call, Subject, mixes_floats
from dyncli.instrument.runtime.importer import versions
from dyncli.recorder.settings import Stopped, rng_state, same_rng_state
from dyncli.records.gradcheck import Report, gravest
from dyncli.script.convert import Bound
from dyncli.script.frames import user_frames

REPEATS, FEW = 30, 3  # how often the point is evaluated again in the end, at most and at least
QUICK_SECONDS = 0.02
RELOADED = "the script keeps state between calls: it is loaded anew for each evaluation"
Progress = Callable[[str, int, int], None]


def check(settings: Settings, progress: Progress | None = None) -> Iterator[Report]:
    """Check each case, from a freshly loaded script, and yield a report.  progress: called with what is checked.

    Raises the DyncliErrors of loading and of the inputs, and RunRaised where the model raises at the point itself.
    """
    subject = Subject(settings)
    for number, bound in enumerate(subject.cases()):
        if number:
            subject = Subject(settings)
        yield check_at(subject, bound, progress)


def check_at(subject: Subject, bound: Bound, progress: Progress | None = None) -> Report:
    """Check a loaded subject at one case's inputs.  Raises as `check` does."""
    try:
        return _Case(subject, bound, progress).report()
    except Stopped as stopped:
        raise errors.LimitReached(stopped.message, hint="raise `--timeout` to let it go on") from None


class _Case:
    """One case."""

    def __init__(self, subject: Subject, bound: Bound, progress: Progress | None) -> None:
        self.subject = subject
        self.settings = subject.settings
        self.bound = bound
        self.progress = progress
        self.session = Session(subject)
        self.notes: list[str] = []

    def report(self) -> Report:
        """Return what the check found."""
        with self.session.open():
            call = Call(self.subject, self.bound)
            if not call.start:
                return self._unfit(
                    "no input and no parameter is a floating tensor",
                    "derivatives are by real or complex numbers: write `1.0` or `[1]`, annotated `Tensor` or not",
                )
            unknown = [name for name in self.settings.wrt if name not in [source.name for source in call.start]]
            if unknown:
                raise errors.UnknownSource(unknown[0], [source.name for source in call.start])
            problem = Problem(self.session, call, call.start)
            if not self._settled(problem, call):
                return self._unsteady(problem)
            if not problem.spans:
                return self._unfit(
                    "the entry returns no floating tensor",
                    "return the tensor that is to be differentiated, not its `.item()`, a comparison or a text",
                )
            report = self._checked(problem, 1)
            if not self._repeats_often(problem):
                return self._unsteady(problem)
            if self.settings.order == 2 and report.verdict == "right":
                gradient = SecondOrder(call, call.start, problem.outputs, self.settings.seed)
                second = Problem(self.session, gradient, gradient.start)
                second.begin()
                report = self._checked(second, 2)
            return report

    # -- before anything is compared

    def _settled(self, problem: Problem, call: Call) -> bool:
        """Evaluate the point until two runs agree; False if they never do."""
        subject = self.subject
        before = subject.state()
        self._begin(problem)
        call.uses_rng = subject.rng_state is None or not same_rng_state(subject.rng_state, rng_state())
        if subject.state() != before:
            writes = _writes_sources(problem)
            call.upkeep = "tensors"
            call.renew()
            if writes or subject.state() != before:
                call.upkeep = subject.most_upkeep
            self._begin(problem)
        if not self._repeats(problem):
            call.upkeep = subject.most_upkeep
            self._begin(problem)
            if not self._repeats(problem):
                return False
        if call.upkeep == "reload":
            self.notes.append(RELOADED)
        return True

    def _begin(self, problem: Problem) -> None:
        try:
            problem.begin()
        except Exception as error:
            raise raised(error, self.session) from error

    def _repeats(self, problem: Problem) -> bool:
        again = problem.evaluate(problem.arrays, 0.0)
        return again.values is not None and again.same and np.array_equal(again.values, problem.base, equal_nan=True)

    def _repeats_often(self, problem: Problem) -> bool:
        """Return whether the point gives the same many times.

        A few where that takes long and no probe took another path.
        """
        until = process_time() + QUICK_SECONDS
        least = REPEATS if problem.strayed or self.settings.jobs > 1 else FEW
        for number in range(REPEATS):
            if not self._repeats(problem):
                return False
            if number >= least and process_time() > until:
                break
        return True

    # -- the check itself

    def _checked(self, problem: Problem, order: int) -> Report:
        settings = self.settings
        elements = Elements(problem, settings, self.progress)
        found: Found = elements.checked()
        report = Report(
            model=self.subject.display,
            entry=self.subject.loaded.entry,
            case=self.bound.case,
            verdict=gravest([each.verdict for each in found.checks]),
            inputs=(),
            place=None,
            nearest=found.nearest,
            checks=found.checks,
            notes=tuple(self.notes),
            order=settings.order,
            failing=order,
            outputs=found.outputs,
            seed=settings.seed,
            evaluations=self.session.evaluations,
            versions=versions(torch=self.subject.importer.imports_torch),
        )
        report = explained(report, found, problem, settings)
        if report.verdict == "right" and order == 1 and isinstance(problem.function, Call):
            report = self._forward(report, problem, problem.function, found)
        return report._replace(evaluations=self.session.evaluations)

    def _forward(self, report: Report, problem: Problem, call: Call, found: Found) -> Report:
        """Compare forward mode with backward and put the outcome into the report."""
        differs = forward_mode.differs(problem, call, found.rows, found.derivatives)
        if differs is None:
            return report
        if not differs:
            return report._replace(forward_mode="agrees")
        place = forward_mode.faulty(problem, locate.recorded(problem))
        if place is None:  # none of the user's doing
            note = "forward mode gives another derivative than backward, though no `jvp` of the script's is wrong"
            return report._replace(forward_mode="differs", notes=(*report.notes, note))
        return report._replace(
            verdict="wrong", inputs=tuple(each.name for each in call.start[: call.inputs]), place=place,
            forward_mode="differs",
            message=at_line("forward mode gives another derivative than backward", place, report.model),
        )  # fmt: skip

    def _unsteady(self, problem: Problem) -> Report:
        place = nondeterminism.place(problem)
        message = at_line("the same call with the same seed gives another result", place, self.subject.display)
        hint = (
            "`--seed` governs the engine's, NumPy's global and Python's numbers: give any other generator a seed itself"
        )
        return self._plain("nondeterministic", message)._replace(place=place, hint=hint)

    def _plain(self, verdict: str, message: str) -> Report:
        return Report(
            model=self.subject.display, entry=self.subject.loaded.entry, case=self.bound.case, verdict=verdict,
            inputs=tuple(leaf.name for leaf in self.bound.leaves()), place=None, nearest=None, checks=(),
            message=message, notes=tuple(self.notes), order=self.settings.order, seed=self.settings.seed,
            evaluations=self.session.evaluations, versions=versions(torch=self.subject.importer.imports_torch),
        )  # fmt: skip

    def _unfit(self, why: str, hint: str) -> Report:
        return self._plain("not_applicable", why)._replace(hint=hint)


def _writes_sources(problem: Problem) -> bool:
    """Return whether the call wrote into what it is differentiated by.

    To put that back in place would spoil its graph.
    """
    return any(
        not np.array_equal(tensor._array, given, equal_nan=True)
        for tensor, given in zip(problem.sources, problem.arrays)
    )


def raised(error: Exception, session: Session) -> errors.DyncliError:
    """Turn an exception of the model into a DyncliError that names the line which raised it."""
    if isinstance(error, errors.DyncliError):
        return error
    frames = user_frames(error.__traceback__, {str(session.subject.loaded.target.path): session.subject.display})
    place = f"{frames[-1].file}:{frames[-1].line}" if frames else None
    hints, _ = errors.parted(errors.notes(error))
    otherwise = FLOATS if mixes_floats(error) else "`dyncli run` shows the run up to that line"
    hint = hints[0] if hints else otherwise
    return errors.RunRaised(type(error).__name__, errors.first_line(error), place, hint)
