"""The rounding error of a function's value: each op rounds its result, and backward says what that does to the value.

noise^2 = sum over ops of (eps v g)^2,  v an op's result, g the derivative of the value by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.real_vectors import cotangent, real
from dyncli.recorder.engine import Listener, Tensor, autograd, wrap

SAFETY = 4.0


class _Rounding(Listener):
    """Hears the ops forward and their gradients backward."""

    def __init__(self) -> None:
        self.results: dict[int, Any] = {}
        self.total = 0.0

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        if isinstance(result, Tensor) and result._edge is not None:
            self.results[result._edge.rank] = np.array(result._array)

    def node(self, node: Any, grad: Any, started: float, ended: float, result: Any) -> None:
        array = getattr(grad, "_array", grad)
        value = self.results.get(node.rank)
        if value is not None and getattr(array, "shape", None) == value.shape:
            self.add(value, array)

    def add(self, value: Any, gradient: Any) -> None:
        epsilon = float(np.finfo(value.dtype).eps)
        with np.errstate(all="ignore"):
            part = float(np.square(np.abs(value * gradient)).sum())
        if np.isfinite(part):
            self.total += epsilon * epsilon * part


def rounding(problem: Problem, row: Any) -> float:
    """Estimate the rounding error of one combination of the outputs, by backward through all ops."""
    listener = _Rounding()
    with problem.session.listening(listener):
        outputs, sources = problem.function(problem.arrays)
        live = [(span, tensor) for span, (_, tensor) in zip(problem.spans, outputs) if tensor._edge is not None]
        if not live:
            return 0.0
        cotangents = [cotangent(row[span.start : span.end], span, tensor) for span, tensor in live]
        wanted = [source for source in sources if source._edge is not None]
        try:
            gradients = (
                autograd.grad([tensor for _, tensor in live], wanted, cotangents, allow_unused=True) if wanted else ()
            )
        except RuntimeError:
            return 0.0
    for source, gradient in zip(wanted, gradients):
        if gradient is not None:
            listener.add(real(source._array), real(gradient._array))
    return SAFETY * float(np.sqrt(listener.total))


def gradient_rounding(problem: Problem, source: int, direction: Any, row: int) -> float:
    """Estimate the rounding error of a row's analytic derivative along a line; 0 without a second derivative."""
    listener = _Rounding()
    combination = np.eye(problem.raw.size)[row] if problem.combine is None else problem.combine[row]
    try:
        with problem.session.listening(listener):
            outputs, sources = problem.function(problem.arrays)
            live = [(span, tensor) for span, (_, tensor) in zip(problem.spans, outputs) if tensor._edge is not None]
            cotangents = [cotangent(combination[span.start : span.end], span, tensor) for span, tensor in live]
            roots = [tensor for _, tensor in live]
            (gradient,) = autograd.grad(roots, [sources[source]], cotangents, create_graph=True)
            listener.total = 0.0
            along = real(np.zeros_like(problem.arrays[source]))
            along[direction if isinstance(direction, int) else slice(None)] = (
                1.0 if isinstance(direction, int) else direction
            )
            weights = wrap(along.view(gradient._array.dtype).reshape(gradient._array.shape), None)
            autograd.grad(
                [gradient], [each for each in sources if each._edge is not None], [weights], allow_unused=True
            )
    except Exception:  # a function of the user's that is differentiable once, no history at all, ...
        return 0.0
    return SAFETY * float(np.sqrt(listener.total))
