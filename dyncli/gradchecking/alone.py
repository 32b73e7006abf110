"""The user's functions in the whole graph and by themselves: one that shares state between calls differs."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.locate import Local, Returns, Step, Steps, place_of
from dyncli.gradchecking.real_vectors import cotangent, real
from dyncli.records.gradcheck import Place
from dyncore.autograd import grad
from dyncore.graph.events import Listener
from dyncore.tensors.tensor import Tensor, wrap


class _Passed(Listener):
    """What each node of a backward pass is given and hands on."""

    def __init__(self) -> None:
        self.nodes: dict[int, tuple[Any, Any]] = {}

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        self.nodes[id(node)] = grad, result


def differing(problem: Problem, rows: Any) -> tuple[Place | None, str] | None:
    """Where the function stands whose backward is another in the whole graph than alone; its name."""
    heard, passed = Steps(), _Passed()
    with problem.session.heard(heard):
        outputs, sources = problem.function(problem.arrays)
    steps = [step for step in heard.steps if step.function is not None and isinstance(step.result, Tensor)]
    live = [(span, tensor) for span, (_, tensor) in zip(problem.spans, outputs) if tensor._edge is not None]
    wanted = [source for source in sources if source._edge is not None]
    if not steps or not live or not wanted:
        return None
    row = rows.sum(axis=0)
    cotangents = [cotangent(row[span.start : span.end], span, tensor) for span, tensor in live]
    with problem.session.heard(passed):
        grad([tensor for _, tensor in live], wanted, cotangents, allow_unused=True)
    for step in steps:
        if id(step.node) in passed.nodes and _differs(problem, step, *passed.nodes[id(step.node)]):
            return _where(problem, step), step.name
    return None


def _differs(problem: Problem, step: Step, given: Any, handed: Any) -> bool:
    """Whether a call alone, given the same gradient, hands on another one."""
    local = Local(step)
    if not isinstance(given, np.ndarray | np.generic | float) or not local.start:
        return False
    try:
        with problem.session.heard(Listener()):
            outputs, sources = local([source.array for source in local.start])
            if len(outputs) != 1:
                return False
            alone = grad([outputs[0][1]], sources, [wrap(np.array(given), None)], allow_unused=True)
    except Exception:  # what it raises alone says nothing of the whole
        return False
    pairs = handed if isinstance(handed, (list, tuple)) else [(None, handed)]
    together = [pair[1] for pair in pairs if pair[1] is not None]
    expected = [each for each in alone if each is not None]
    return len(together) == len(expected) and not all(map(_close, together, expected))


def _close(one: Any, other: Any) -> bool:
    a, b = real(getattr(one, "_array", one)), real(other._array)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-8, atol=1e-12 * float(np.abs(b).max(initial=0.0))))


def _where(problem: Problem, step: Step) -> Place | None:
    """The line on which the function's backward returns."""
    tracer, local = Returns(step.function, "backward", "vjp"), Local(step)
    with tracer, problem.session.heard(Listener()):
        outputs, sources = local([source.array for source in local.start])
        root = outputs[0][1]
        grad([root], sources, [wrap(np.ones_like(root._array), None)], allow_unused=True)
    return place_of(problem, step, tracer)
