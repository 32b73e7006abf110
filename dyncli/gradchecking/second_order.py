"""The gradient of a model as a function of its own, so that its derivative can be checked like any other."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.gradchecking.function_at_point import Function
from dyncli.gradchecking.subject import Source
from dyncli.recorder.engine import Tensor, autograd, wrap


class SecondOrder:
    """(values, cotangents) -> the gradients of the outputs so combined, recorded for backward themselves.

    start: the given sources, then a cotangent for each differentiable output: gradients are linear in these.
    """

    def __init__(self, function: Function, start: list[Source], outputs: list[tuple[str, Tensor]], seed: int) -> None:
        self.function = function
        self.count = len(start)
        draw = np.random.Generator(np.random.PCG64(seed))
        self.start = list(start)
        for name, tensor in outputs:
            if tensor._edge is not None:
                array = np.asarray(tensor._array)
                weights = draw.uniform(0.5, 1.5, array.shape).astype(array.dtype)
                self.start.append(Source(f"cotangent of {name}", "cotangent", weights))

    def forward(self, values: list[Any]) -> tuple[list[tuple[str, Tensor]], list[Tensor]]:
        """Evaluate the function itself at the sources' part of the values."""
        return self.function(values[: self.count])

    def __call__(self, values: list[Any]) -> tuple[list[tuple[str, Tensor]], list[Tensor]]:
        """Return the gradients, zero where none arrived, and their sources: the function's and the cotangents."""
        outputs, sources = self.function(values[: self.count])
        live = [tensor for _, tensor in outputs if tensor._edge is not None]
        cotangents = [wrap(np.array(value), None).requires_grad_() for value in values[self.count :]]
        wanted = [source for source in sources if source._edge is not None]
        gradients = (
            autograd.grad(live, wanted, cotangents, create_graph=True, allow_unused=True) if live and wanted else ()
        )
        found = {id(source): gradient for source, gradient in zip(wanted, gradients)}
        made = []
        for number, source in enumerate(sources):
            gradient = found.get(id(source))
            if gradient is None:
                gradient = wrap(np.zeros(np.shape(source._array), np.asarray(source._array).dtype), None)
            made.append((f"gradient {number}", gradient))
        return made, [*sources, *cotangents]
