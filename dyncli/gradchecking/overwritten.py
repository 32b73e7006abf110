"""Values that backward needs and the model overwrites, whichever way: in place, by `.data`, through a NumPy view."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import Any

import numpy as np

from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.locate import Step, Steps
from dyncli.gradchecking.subject import Call
from dyncli.records.gradcheck import Place
from dyncli.script.frames import is_users


def overwritten(problem: Problem, steps: list[Step]) -> tuple[Place | None, str] | None:
    """Find the line that overwrites a value saved for backward, a result or an input; with a sentence about it."""
    for number, step in enumerate(steps):
        for name, kept in step.saved.items():
            if kept is not None and _changed(step, name, kept):
                listener = Steps()
                place = _writer(problem, listener, partial(_is_overwritten, listener.steps, number, name, kept))
                return place, f"`{step.name}` needs a value for backward that is overwritten"
    for number, step in enumerate(steps):
        if _hidden(step):
            listener = Steps()
            place = _writer(problem, listener, partial(_hidden_at, listener.steps, number))
            return place, f"what `{step.name}` gave is overwritten in a way that autograd does not see"
    for step in steps:
        if step.unrecorded:
            place = problem.session.place(step.code, step.lasti, step.name)
            return place, f"`{step.name}` changes a tensor in place while gradients are off"
    if isinstance(problem.function, Call):
        call = problem.function
        for number, (tensor, given) in enumerate(zip(problem.sources, problem.arrays)):
            if not np.array_equal(tensor._array, given, equal_nan=True):
                place = _writer(problem, Steps(), partial(_differs, call, number, given))
                return place, f"`{problem.start[number].name}` is overwritten in a way that autograd does not see"
    return None


def _changed(step: Step, name: str, kept: Any) -> bool:
    now = step.node.saved().get(name) if step.node is not None else None
    return isinstance(now, np.ndarray) and not np.array_equal(kept, now, equal_nan=kept.dtype.kind in "fc")


def _hidden(step: Step) -> bool:
    """Return whether a result was overwritten in a way that no version counts and no graph records."""
    if step.made is None:
        return False
    kept, version = step.made
    now = step.result
    return now._version == version and not np.array_equal(kept, now._array, equal_nan=kept.dtype.kind in "fc")


def _hidden_at(steps: list[Step], number: int) -> bool:
    return len(steps) > number and _hidden(steps[number])


def _is_overwritten(steps: list[Step], number: int, name: str, kept: Any) -> bool:
    return len(steps) > number and _changed(steps[number], name, kept)


def _differs(call: Call, number: int, given: Any) -> bool:
    taken = call.taken
    return len(taken) > number and not np.array_equal(taken[number]._array, given, equal_nan=True)


def _writer(problem: Problem, listener: Steps, spoilt: Callable[[], bool]) -> Place | None:
    """Run the model again, and find the first line of the user's after which `spoilt()` is true."""
    writes = _Writes(spoilt)
    before = sys.gettrace()
    with problem.session.listening(listener):
        sys.settrace(writes.call)
        try:
            problem.function(problem.arrays)
        finally:
            sys.settrace(before)
    if writes.found is None:
        return None
    code, line = writes.found
    inplace = [step.name for step in listener.steps if step.inplace and step.code is code]
    text = linecache.getline(code.co_filename, line).strip()
    what = next((f"{each.rstrip('_')}_" for each in inplace if each.rstrip("_") in text), "write")
    return Place(problem.session.shown(code.co_filename), line, text, what)


class _Writes:
    """Traces the user's lines until a value is spoilt.  found: the line that ran before."""

    def __init__(self, spoilt: Callable[[], bool]) -> None:
        self.spoilt = spoilt
        self.last: tuple[CodeType, int] | None = None
        self.found: tuple[CodeType, int] | None = None

    def call(self, frame: Any, event: str, more: Any) -> Any:
        if not is_users(frame.f_code.co_filename):
            return None
        self.last = frame.f_code, frame.f_lineno
        return self.inside

    def inside(self, frame: Any, event: str, more: Any) -> Any:
        if self.found is None and self.spoilt():
            self.found = self.last
        self.last = frame.f_code, frame.f_lineno
        return self.inside
