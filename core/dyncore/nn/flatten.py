"""Shapes changed between layers: Flatten, Unflatten."""

from __future__ import annotations

from typing import Any

from dyncore.nn.module import Module
from dyncore.tensors.tensor import Tensor


class Flatten(Module):
    """Dimensions from `start_dim` to `end_dim` joined into one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Any:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Dimension `dim` split into several of the given sizes."""

    def __init__(self, dim: Any, unflattened_size: Any) -> None:
        super().__init__()
        if not isinstance(dim, (int, str)):
            raise TypeError("invalid argument type for dim parameter")
        if isinstance(unflattened_size, int) or not all(isinstance(n, int) for n in unflattened_size):
            raise TypeError(
                "unflattened_size must be tuple of ints, but found element of type "
                + type(unflattened_size if isinstance(unflattened_size, int) else unflattened_size[0]).__name__
            )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Any:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
