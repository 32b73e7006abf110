"""Where NaN and infinity come from: the first op that gave one, at the point, beside it, or on the way back."""

from __future__ import annotations

import linecache
import sys
from typing import Any

import numpy as np

from dyncli.gradchecking.elements import Found
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.module_sites import users_instruction
from dyncli.gradchecking.numeric import scale_of
from dyncli.gradchecking.real_vectors import real
from dyncli.recorder.engine import Listener, Tensor
from dyncli.records.gradcheck import Place
from dyncli.script.frames import is_users


class _NotFinite(Listener):
    """The first op with a result that is not finite."""

    def __init__(self) -> None:
        self.first: tuple[Any, int, str] | None = None

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        if self.first is not None or not isinstance(result, Tensor) or result._array.dtype.kind not in "fc":
            return
        if not np.isfinite(result._array).all():
            self.first = (*users_instruction(sys._getframe(1)), op.name)


def place(problem: Problem, found: Found) -> Place | None:
    """Find the op that first returned NaN or infinity, forward at the point or just beside it."""
    raised = _raised(problem, found)
    if raised is not None:
        return raised
    listener = _NotFinite()
    with problem.session.listening(listener):
        problem.function(problem.arrays)
    if listener.first is None:
        listener = _nearby(problem, found) or listener
    return None if listener.first is None else problem.session.place(*listener.first)


def _raised(problem: Problem, found: Found) -> Place | None:
    """Find the line of the script that raises just beside the point."""
    for number, findings in found.findings.items():
        for direction in [direction for direction, each in findings if each.failure is not None]:
            for sign in (-1.0, 1.0):
                error = problem.evaluate(_moved(problem, number, direction, sign * 1e-7), 0.0).error
                if error is not None:
                    return line_of(problem, error)
    return None


def line_of(problem: Problem, error: BaseException) -> Place | None:
    """Find the innermost line of the user's in a traceback; None if there is none."""
    from traceback import walk_tb

    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        if is_users(file):
            return Place(problem.session.shown(file), line, linecache.getline(file, line).strip(), frame.f_code.co_name)
    return None


def _nearby(problem: Problem, found: Found) -> _NotFinite | None:
    """Look for NaN and infinity just beside the point, along the elements whose verdict is `nan`."""
    for number, findings in found.findings.items():
        for direction, each in findings:
            if each.verdict != "nan" or not np.isfinite(each.analytic):
                continue
            if each.failure is not None:
                return None
            for sign in (-1.0, 1.0):
                listener = _NotFinite()
                try:
                    with problem.session.listening(listener):
                        problem.function(_moved(problem, number, direction, sign * 1e-7))
                except Exception:  # its own message says more
                    return None
                if listener.first is not None:
                    return listener
    return None


def _moved(problem: Problem, number: int, direction: Any, step: float) -> list[Any]:
    values = list(problem.arrays)
    values[number] = np.array(values[number])
    view = real(values[number])
    step *= scale_of(float(np.abs(view).max()))
    if isinstance(direction, int):
        view[direction] += step
    else:
        view += step * direction
    return values


def message(problem: Problem, found: Found) -> str:
    """Return what is not a number, and where."""
    findings = [each for all_ in found.findings.values() for _, each in all_ if each.verdict == "nan"]
    failure = next((each.failure for each in findings if each.failure is not None), None)
    if failure is not None:
        return f"just beside the point the model {failure}"
    if not problem.finite.all():
        return "the output is not finite at the point"
    if any(not np.isfinite(each.analytic) for each in findings):
        return "the gradient is not finite at the point"
    return "the output is not finite on one side of the point"
