"""Forward mode against backward: both are derivatives of the same function, so they agree in every direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.gradchecking import locate
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.real_vectors import real
from dyncli.gradchecking.session import Session
from dyncli.gradchecking.subject import Call, Source
from dyncli.recorder.engine import Tensor, autograd, wrap
from dyncli.records.gradcheck import Place

CLOSE = 1e-6


def differs(problem: Problem, call: Call, rows: Any, derivatives: list[Any]) -> bool | None:
    """Return whether forward mode gives other numbers than backward did; None where the model has no forward mode."""
    inputs = call.start[: call.inputs]
    if not inputs:
        return None
    tangents = _tangents(inputs)
    call.tangents = tangents
    try:
        forward = _forward(problem.session, call, problem.arrays, rows)
    except Exception:  # an op or a function without forward mode, `.item()` on what has a tangent, ...
        return None
    finally:
        call.tangents = None
    backward = np.zeros(len(rows))
    for tangent, derivative in zip(tangents, derivatives):
        if derivative is not None:
            backward += derivative @ real(tangent)
    return forward is not None and not _close(forward, backward)


def _tangents(start: list[Source]) -> list[Any]:
    draw = np.random.Generator(np.random.PCG64(1))
    return [np.asarray(draw.uniform(0.5, 1.5, np.shape(each.array)), np.asarray(each.array).dtype) for each in start]


def _forward(session: Session, function: Any, values: list[Any], rows: Any) -> Any:
    """Compute each row's derivative along the tangents that `function` attaches to its inputs; None if none arrives."""
    with autograd.forward_ad.dual_level(), session.listening(session.watch()):
        outputs, _ = function(values)
        tangents = [autograd.forward_ad.unpack_dual(tensor).tangent for _, tensor in outputs]
        if all(each is None for each in tangents):
            return None
        parts = [
            np.zeros(real(tensor._array).size) if each is None else real(each._array)
            for each, (_, tensor) in zip(tangents, outputs)
        ]
    return rows @ np.concatenate(parts)


def _close(one: Any, other: Any) -> bool:
    size = np.maximum(np.abs(one), np.abs(other))
    return bool((np.abs(one - other) <= CLOSE * np.maximum(size, 1e-3 * size.max(initial=0.0))).all())


def faulty(problem: Problem, steps: list[locate.Step]) -> Place | None:
    """Find the first of the user's functions whose `jvp` does not agree with its `backward`."""
    for step in steps:
        if step.function is None or not hasattr(step.function, "jvp"):
            continue
        local = locate.Local(step)
        own = Problem(problem.session, local, local.start)
        try:
            own.begin()
            rows = own.combine_outputs()
            derivatives = own.derivatives(rows)
            tangents = _tangents(local.start)
            tracer = locate.Returns(step.function, "jvp")
            with tracer:
                forward = _forward(problem.session, _Dual(local, tangents), own.arrays, rows)
        except Exception:
            continue
        backward = np.zeros(len(rows))
        for tangent, derivative in zip(tangents, derivatives):
            if derivative is not None:
                backward += derivative @ real(tangent)
        if forward is not None and not _close(forward, backward):
            return locate.place_of(problem, step, tracer)
    return None


class _Dual:
    """A step whose inputs carry tangents."""

    def __init__(self, local: locate.Local, tangents: list[Any]) -> None:
        self.local, self.tangents = local, tangents

    def __call__(self, values: list[Any]) -> tuple[list[tuple[str, Tensor]], list[Tensor]]:
        self.local.wrapped = lambda number, tensor: autograd.forward_ad.make_dual(
            tensor, wrap(np.array(self.tangents[number]), None)
        )
        return self.local(values)
