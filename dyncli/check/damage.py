"""What else can spoil a gradient: values overwritten that backward needs, and hooks that change what passes."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np

from dyncli.check.locate import Step
from dyncli.check.problem import Problem
from dyncli.record.gradcheck import Place
from dyncore.tensor import Tensor


def overwritten(problem: Problem, steps: list[Step]) -> Place | None:
    """The op in place that overwrote what another op keeps for backward; else the op whose kept value changed."""
    for number, step in enumerate(steps):
        node = _node(step.result)
        if node is None or not step.saved:
            continue
        for name, now in node.saved().items():
            kept = step.saved.get(name)
            if (
                kept is None
                or not isinstance(now, np.ndarray)
                or np.array_equal(kept, now, equal_nan=kept.dtype.kind == "f")
            ):
                continue
            for later in steps[number + 1 :]:
                if later.inplace and _writes(later, now):
                    return problem.session.place(later.code, later.lasti, f"{later.name.rstrip('_')}_")
            return problem.session.place(step.code, step.lasti, step.name)
    return None


def last_in_place(problem: Problem, steps: list[Step]) -> Place | None:
    """The last op in place of the run."""
    for step in reversed(steps):
        if step.inplace:
            return problem.session.place(step.code, step.lasti, f"{step.name.rstrip('_')}_")
    return None


def _node(result: Any) -> Any:
    edge = getattr(result, "_edge", None)
    return None if edge is None else edge.node


def _writes(step: Step, array: Any) -> bool:
    written = step.result._array if isinstance(step.result, Tensor) else None
    return isinstance(written, np.ndarray) and np.shares_memory(written, array)


def hook(problem: Problem) -> Place | None:
    """The first hook on the way back, by the line of its function."""
    seen: set[int] = set()
    stack = [tensor._edge for _, tensor in problem.outputs if tensor._edge is not None]
    while stack:
        edge = stack.pop()
        node = edge.node
        if id(node) in seen:
            continue
        seen.add(id(node))
        stack += [each for each in node.edges() if each is not None]
        extra = getattr(node, "extra", None)
        if extra is None:
            continue
        for each in (*[pair[1] for pair in extra.tensor_pre.values()], *extra.pre.values(), *extra.post.values()):
            code = getattr(each, "__code__", None)
            if code is not None and "__dyncore__" not in getattr(each, "__globals__", {}):
                line = code.co_firstlineno
                text = linecache.getline(code.co_filename, line).strip()
                return Place(problem.session.shown(code.co_filename), line, text, "hook")
    return None
