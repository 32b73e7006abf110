"""The edge of a leaf whose gradients are lost.

A view made under no_grad of what requires grad is a leaf that requires grad, and what is computed from it requires
grad too; but in PyTorch no gradient arrives at it, nor at its base. All such views share one edge, until one is given
hooks or asked for as an input.
"""

from __future__ import annotations

from typing import Any

from .node import AccumulateGrad

NOWHERE: AccumulateGrad = object.__new__(AccumulateGrad)
NOWHERE.rank = 0
NOWHERE.extra = NOWHERE.grad = NOWHERE.memory = NOWHERE.known_shape = NOWHERE.product = None
NOWHERE.post_accumulate = {}  # sends the walk on its slower way, where gradients for it are dropped
NOWHERE.ref = lambda: None  # type: ignore[assignment]


def own_edge(tensor: Any) -> Any:
    """Return the edge of a tensor, which one whose gradients are lost is given now."""
    if tensor._edge is NOWHERE:
        tensor._edge = AccumulateGrad(tensor)
    return tensor._edge
