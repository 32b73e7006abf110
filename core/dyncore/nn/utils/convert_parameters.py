"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.graph import versions
from dyncore.tensors.tensor import Tensor, storage


def parameters_to_vector(parameters: Iterable[Tensor]) -> Any:
    """Flatten and join all parameters; gradients flow back to them."""
    return TABLE["cat"].entry([each.view(-1) for each in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Write the parts of a vector to the parameters."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    start = 0
    for each in parameters:
        target = storage(each)
        part = vec._array[start : start + target.size]
        if part.size != target.size:
            raise RuntimeError(f"shape '{list(target.shape)}' is invalid for input of size {part.size}")
        versions.before_write(target, silent=True)
        target[...] = part.reshape(target.shape)
        versions.bump(target)
        start += target.size
