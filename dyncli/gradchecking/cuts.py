"""Where a gradient is cut off: `detach`, `.item()`, `.data`, `no_grad`, ops without a derivative.

A cut does not convict: many are harmless.  A mismatch is its work if the derivative is as backward says once the cut
values are held as they are at the point (`frozen`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.listener import Watch, write
from dyncli.gradchecking.module_sites import users_instruction
from dyncli.recorder.engine import Tensor, autograd, wrap

engine: Any = autograd  # `grad` calls the engine by the name it has there

ESCAPES = ("item", "tolist", "__float__", "__complex__", "numpy")


class Cut(NamedTuple):
    """One place where a value went on without its history.  how: the op or the method."""

    how: str
    value: Any
    code: CodeType
    lasti: int


class CutRecorder:
    """Record the cuts of one evaluation; given those of the point, use their values (those numbered in `only`)."""

    def __init__(self, base: list[Cut] | None = None, only: frozenset[int] | None = None) -> None:
        self.base = base
        self.only = only
        self.cuts: list[Cut] = []
        self.depth = 0

    def at_cut(self, how: str, value: Any, depth: int) -> Any:
        """Append the cut to the list, and return the value to go on with: the held one, else `value` itself."""
        number = len(self.cuts)
        self.cuts.append(Cut(how, value, *users_instruction(sys._getframe(depth))))
        if self.base is None or (self.only is not None and number not in self.only):
            return value
        if (
            number < len(self.base)
            and self.base[number].how == how
            and np.shape(self.base[number].value) == np.shape(value)
        ):
            return self.base[number].value
        return value


class Cutting(Watch):
    """A `Watch` that sees cuts as well."""

    recorder: CutRecorder

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        recorder = self.recorder
        if not recorder.depth and "_inplace" not in kwargs and isinstance(result, Tensor):
            array = result._array
            if result._edge is None and array.dtype.kind in "fc" and _any_live(args, kwargs):
                kept = recorder.at_cut(op.name, np.array(array), 2)
                if recorder.base is not None:
                    write(result, np.array(kept), False)
        super().op(op, args, kwargs, result, started, ended)

    def begin_function(self, function: Any, args: Any, node: Any) -> None:
        self.recorder.depth += 1

    def end_function(self, node: Any, result: Any) -> None:
        self.recorder.depth -= 1


def _any_live(args: Any, kwargs: Any) -> bool:
    for value in (*args, *kwargs.values()):
        if isinstance(value, Tensor):
            if value._edge is not None:
                return True
        elif isinstance(value, (list, tuple)) and _any_live(value, {}):
            return True
    return False


@contextmanager
def escapes(recorder: CutRecorder) -> Iterator[None]:
    """Intercept the exits from the graph that are no ops: `.data`, `.grad`, `autograd.grad`, ..."""
    before = {name: getattr(Tensor, name) for name in ESCAPES}
    data, gradient, walk = vars(Tensor)["data"], vars(Tensor)["grad"], engine.walk

    def seen(name: str, method: Any) -> Any:
        def escape(self: Any, *args: Any, **kwargs: Any) -> Any:
            value = method(self, *args, **kwargs)
            if self._edge is None or recorder.depth:
                return value
            return recorder.at_cut(name, np.array(value) if name == "numpy" else value, 2)

        return escape

    def get(self: Any) -> Any:
        made = data.fget(self)
        if self._edge is None or recorder.depth:
            return made
        value = recorder.at_cut("data", np.array(made._array), 2)
        return made if recorder.base is None or np.array_equal(value, made._array) else wrap(np.array(value), None)

    def get_grad(self: Any) -> Any:
        made = gradient.fget(self)
        if made is None or made._edge is not None or recorder.depth:
            return made
        value = recorder.at_cut("grad", np.array(made._array), 2)
        return made if recorder.base is None or np.array_equal(value, made._array) else wrap(np.array(value), None)

    def walked(*args: Any, **kwargs: Any) -> Any:
        found = walk(*args, **kwargs)
        if recorder.depth:
            return found
        for key, each in found.items():
            if not isinstance(each, Tensor) or each._edge is None:
                array = each._array if isinstance(each, Tensor) else each
                found[key] = wrap(np.array(recorder.at_cut("grad", np.array(array), 2)), None)
        return found

    for name, method in before.items():
        setattr(Tensor, name, seen(name, method))
    Tensor.data = property(get, data.fset, data.fdel)  # type: ignore[assignment, method-assign]
    Tensor.grad = property(get_grad, gradient.fset, gradient.fdel)  # type: ignore[assignment, method-assign]
    engine.walk = walked
    try:
        yield
    finally:
        for name in before:
            delattr(Tensor, name) if name not in _OWN else setattr(Tensor, name, before[name])
        Tensor.data = data  # type: ignore[method-assign]
        Tensor.grad = gradient  # type: ignore[method-assign]
        engine.walk = walk


_OWN = frozenset(name for name in ESCAPES if name in vars(Tensor))


def cuts_of(problem: Problem) -> list[Cut]:
    """Run the function at the point and list its cuts."""
    recorder = CutRecorder()
    watch = Cutting(problem.session.log, problem.hidden)
    watch.recorder = recorder
    with escapes(recorder), problem.session.listening(watch):
        problem.function(problem.arrays)
    return recorder.cuts


@contextmanager
def frozen(problem: Problem, cuts: list[Cut], only: frozenset[int] | None = None) -> Iterator[None]:
    """Hold the values at cuts as they are at the point, while the context lasts: all, or those numbered in `only`."""
    session = problem.session
    ordinary = session.watch

    def watch(base: Any = None, **more: Any) -> Watch:
        made = Cutting(session.log, base, **more)
        recorder.cuts.clear()
        recorder.depth = 0
        made.recorder = recorder
        return made

    recorder = CutRecorder(cuts, only)
    session.watch = watch  # type: ignore[method-assign]
    try:
        with escapes(recorder):
            yield
    finally:
        session.watch = ordinary  # type: ignore[method-assign]
