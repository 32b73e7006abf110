"""PyTorch's older `vmap`, by its private name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.autograd.vmap import vmap as vmap

__dyncore__ = True


def _vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, allow_none_pass_through: bool = False
) -> Callable[..., Any]:
    """`vmap(func, in_dims, out_dims)`."""
    return vmap(func, in_dims, out_dims)
