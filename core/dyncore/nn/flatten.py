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
        if not isinstance(unflattened_size, (tuple, list)):
            kind = type(unflattened_size).__name__
            raise TypeError(f"unflattened_size must be a tuple of ints, but found type {kind}")
        for number, each in enumerate(unflattened_size):
            if not isinstance(each, int):
                raise TypeError(
                    "unflattened_size must be tuple of ints, but found element of type "
                    f"{type(each).__name__} at pos {number}"
                )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Any:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
