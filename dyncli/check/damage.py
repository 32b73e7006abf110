"""Values that backward needs and the model overwrites, whichever way: in place, by `.data`, through a NumPy view."""

from __future__ import annotations

import linecache
import sys
from types import CodeType
from typing import Any

import numpy as np

from dyncli.check.locate import Step, Steps
from dyncli.check.problem import Problem
from dyncli.load.frames import is_users
from dyncli.record.gradcheck import Place


def overwritten(problem: Problem, steps: list[Step]) -> tuple[Place | None, str] | None:
    """The line that overwrites what an op keeps for backward, and the name of that op."""
    for number, step in enumerate(steps):
        for name, kept in step.saved.items():
            if kept is not None and _changed(step, name, kept):
                return _writer(problem, number, name, kept), step.name
    return None


def _changed(step: Step, name: str, kept: Any) -> bool:
    now = step.node.saved().get(name) if step.node is not None else None
    return isinstance(now, np.ndarray) and not np.array_equal(kept, now, equal_nan=kept.dtype.kind in "fc")


def _writer(problem: Problem, number: int, name: str, kept: Any) -> Place | None:
    """Runs the model once more, and looks at the value after every line of the user's."""
    heard = Steps()
    writes = _Writes(heard, number, name, kept)
    before = sys.gettrace()
    with problem.session.heard(heard):
        sys.settrace(writes.call)
        try:
            problem.function(problem.arrays)
        finally:
            sys.settrace(before)
    if writes.found is None:
        return None
    code, line = writes.found
    inplace = [step.name for step in heard.steps if step.inplace and step.code is code]
    text = linecache.getline(code.co_filename, line).strip()
    what = next((f"{each.rstrip('_')}_" for each in inplace if each.rstrip("_") in text), "write")
    return Place(problem.session.shown(code.co_filename), line, text, what)


class _Writes:
    """Traces the user's lines until a kept value has changed.  found: the line that ran before."""

    def __init__(self, heard: Steps, number: int, name: str, kept: Any) -> None:
        self.heard, self.number, self.name, self.kept = heard, number, name, kept
        self.last: tuple[CodeType, int] | None = None
        self.found: tuple[CodeType, int] | None = None

    def call(self, frame: Any, event: str, more: Any) -> Any:
        if not is_users(frame.f_code.co_filename):
            return None
        self.last = frame.f_code, frame.f_lineno
        return self.inside

    def inside(self, frame: Any, event: str, more: Any) -> Any:
        steps = self.heard.steps
        if self.found is None and len(steps) > self.number and _changed(steps[self.number], self.name, self.kept):
            self.found = self.last
        self.last = frame.f_code, frame.f_lineno
        return self.inside
