"""Hooks that change a gradient on its way back."""

from __future__ import annotations

import linecache
import sys
from types import CodeType
from typing import Any

import numpy as np

from dyncli.check.problem import Problem
from dyncli.load.frames import is_users
from dyncli.record.gradcheck import Place
from dyncore.tensor import Tensor


def changing(problem: Problem, rows: Any) -> Place | None:
    """The line on which the first hook gives back, or leaves, another gradient than it was given."""
    codes = _codes(problem)
    if not codes:
        return None
    watched = _Watched(codes)
    before = sys.gettrace()
    sys.settrace(watched.call)
    try:
        problem.derivatives(rows)
    finally:
        sys.settrace(before)
    if watched.found is None:
        return None
    code, line = watched.found
    text = linecache.getline(code.co_filename, line).strip()
    return Place(problem.session.shown(code.co_filename), line, text, code.co_name.strip("<>"))


def _codes(problem: Problem) -> set[CodeType]:
    """The code of the user's hooks on the way back."""
    seen: set[int] = set()
    found: set[CodeType] = set()
    stack = [tensor._edge for _, tensor in problem.outputs if tensor._edge is not None]
    while stack:
        node = stack.pop().node
        if id(node) in seen:
            continue
        seen.add(id(node))
        stack += [each for each in node.edges() if each is not None]
        extra = getattr(node, "extra", None)
        if extra is None:
            continue
        for hook in (*[pair[1] for pair in extra.tensor_pre.values()], *extra.pre.values(), *extra.post.values()):
            code = getattr(hook if hasattr(hook, "__code__") else type(hook).__call__, "__code__", None)
            if code is not None and is_users(code.co_filename):
                found.add(code)
    return found


class _Watched:
    """Traces the hooks, and compares what each is given with what it gives back."""

    def __init__(self, codes: set[CodeType]) -> None:
        # By identity: the code of a derivative holds arrays, which have no hash.
        self.codes = {id(code) for code in codes}
        self.found: tuple[CodeType, int] | None = None

    def call(self, frame: Any, event: str, more: Any) -> Any:
        if id(frame.f_code) not in self.codes or self.found is not None:
            return None
        names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
        given = [frame.f_locals[name] for name in names]
        copies = [_arrays(each) for each in given]

        def inside(frame: Any, event: str, result: Any) -> Any:
            if event == "return":
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
