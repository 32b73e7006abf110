"""Hooks that change a gradient on its way back: those of tensors, of nodes and of modules."""

from __future__ import annotations

import linecache
import sys
from contextlib import nullcontext
from types import CodeType
from typing import Any

import numpy as np

from dyncli.gradchecking.elements import TURNED
from dyncli.gradchecking.function_at_point import Problem
from dyncli.recorder.engine import Listener, Tensor, autograd, wrap
from dyncli.records.gradcheck import Place
from dyncli.script.frames import is_users

OWN = ("backward", "vjp", "jvp")  # methods of autograd functions, which are examined as ops


def changing(problem: Problem, rows: Any) -> Place | None:
    """Find the line on which the first hook returns, or leaves in place, another gradient than it received."""
    watched = _Watched()
    problem.in_backward = watched
    try:
        problem.derivatives(rows)
        problem.derivatives(TURNED * rows.sum(axis=0)[None])
    finally:
        problem.in_backward = nullcontext()
    if watched.found is None:
        return None
    code, line = watched.found
    text = linecache.getline(code.co_filename, line).strip()
    return Place(problem.session.shown(code.co_filename), line, text, code.co_name.strip("<>"))


def lossy_pack(problem: Problem) -> Place | None:
    """Find the `pack` of the first saved-tensor hooks whose `unpack` does not restore the packed tensor."""
    pairs: list[tuple[Any, Any]] = []
    saved_tensors_hooks = autograd.graph.saved_tensors_hooks
    enter = saved_tensors_hooks.__enter__

    def entered(self: Any) -> None:
        pairs.append((self.pack_hook, self.unpack_hook))
        enter(self)

    saved_tensors_hooks.__enter__ = entered
    try:
        with problem.session.listening(Listener()):
            problem.function(problem.arrays)
            for pack, unpack in pairs:
                given = [np.array(each) for each in problem.arrays]
                if not all(np.array_equal(_arrays(unpack(pack(wrap(each, None))))[0], each) for each in given):
                    return _first_line(problem, pack)
    except Exception:  # hooks that cannot take any tensor
        return None
    finally:
        saved_tensors_hooks.__enter__ = enter
    return None


def _first_line(problem: Problem, function: Any) -> Place | None:
    code = getattr(function, "__code__", None)
    if code is None or not is_users(code.co_filename):
        return None
    lines = [line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno]
    line = min(lines, default=code.co_firstlineno)
    text = linecache.getline(code.co_filename, line).strip()
    return Place(problem.session.shown(code.co_filename), line, text, code.co_name.strip("<>"))


class _Watched:
    """Traces what the engine calls of the user's in backward, and compares what each is given with what it gives back.

    found: the innermost, as a hook may be wrapped in another.
    """

    def __init__(self) -> None:
        self.found: tuple[CodeType, int] | None = None
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        sys.settrace(self._call)

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before)

    def _call(self, frame: Any, event: str, more: Any) -> Any:
        code, caller = frame.f_code, frame.f_back
        if self.found is not None or code.co_name in OWN or not is_users(code.co_filename):
            return None
        if caller is None or is_users(caller.f_code.co_filename):
            return None
        given = [frame.f_locals[name] for name in code.co_varnames[: code.co_argcount] if name in frame.f_locals]
        copies = [_arrays(each) for each in given]

        def inside(frame: Any, event: str, result: Any) -> Any:
            if event == "return" and self.found is None:
                spoilt = any(not _same(_arrays(each), copy) for each, copy in zip(given, copies))
                changed = result is not None and not any(_same(_arrays(result), copy) for copy in copies if copy)
                if spoilt or changed:
                    self.found = frame.f_code, frame.f_lineno
            return inside

        return inside


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, Tensor):
        return [np.array(value._array)]
    if isinstance(value, (tuple, list)):
        return [array for each in value for array in _arrays(each)]
    return []


def _same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other))
