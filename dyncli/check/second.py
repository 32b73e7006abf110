"""The gradient of a model as a function of its own, so that its derivative can be checked like any other."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.check.problem import Function
from dyncore.autograd import grad
from dyncore.tensor import Tensor, wrap


class SecondOrder:
    """values -> the gradients of a fixed combination of the outputs, recorded for backward themselves."""

    def __init__(self, function: Function, seed: int) -> None:
        self.function = function
        self.seed = seed

    def __call__(self, values: list[Any]) -> tuple[list[tuple[str, Tensor]], list[Tensor]]:
        """The gradients by the names of what they are by, and the sources."""
        outputs, sources = self.function(values)
        draw = np.random.Generator(np.random.PCG64(self.seed))
        live, cotangents = [], []
        for _, tensor in outputs:
            array = np.asarray(tensor._array)
            weights = (
                np.ones(array.shape) if len(outputs) == 1 and array.size == 1 else draw.uniform(0.5, 1.5, array.shape)
            )
            if tensor._edge is not None:
                live.append(tensor)
                cotangents.append(wrap(weights.astype(array.dtype), None))
        wanted = [source for source in sources if source._edge is not None]
        gradients = grad(live, wanted, cotangents, create_graph=True, allow_unused=True) if live and wanted else ()
        found = {id(source): gradient for source, gradient in zip(wanted, gradients)}
        made = []
        for number, source in enumerate(sources):
            gradient = found.get(id(source))
            if gradient is None:
                gradient = wrap(np.zeros(np.shape(source._array), np.asarray(source._array).dtype), None)
            made.append((f"gradient {number}", gradient))
        return made, sources
