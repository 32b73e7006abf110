"""Old custom functions in PyTorch's module of this name."""

from __future__ import annotations

import math
from typing import Any

from .function import Function

__all__ = ["Resize"]


class Resize(Function):
    """Reshape a tensor to sizes of as many elements."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: tuple[int, ...]) -> Any:
        ctx.sizes = tuple(sizes)
        ctx.count = math.prod(ctx.sizes)
        if tensor.numel() != ctx.count:
            raise RuntimeError(
                f"requested resize to {'x'.join(map(str, sizes))} ({ctx.count} elements in total), but the given "
                f"tensor has a size of {'x'.join(map(str, tensor.size()))} ({tensor.numel()} elements). autograd's "
                "resize can only change the shape of a given tensor, while preserving the number of elements. "
            )
        ctx.before = tensor.size()
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad.contiguous().view(ctx.before), None
