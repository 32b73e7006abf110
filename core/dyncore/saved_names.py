"""PyTorch's names for what nodes save, which differ from those of the ops' parameters."""

from __future__ import annotations

from typing import Any

TORCH_NAMES = {"input": "self"}


def torch_name(node: Any, own: str) -> str:
    """PyTorch's name for what `node` saved as `own`."""
    op = node.op
    if own == "result1" and op is not None and op.returns[1:] == ("indices",):
        return "indices"
    if own == "other" and node.name() in PRODUCTS:
        return PRODUCTS[node.name()]
    if own.endswith("_shape"):
        own = own[:-6]
        return TORCH_NAMES.get(own, own) + "_sym_sizes"
    return TORCH_NAMES.get(own, own)


PRODUCTS = {"MmBackward0": "mat2", "BmmBackward0": "mat2", "MvBackward0": "vec", "DotBackward0": "tensor"}


def own_name(node: Any, name: str) -> str | None:
    """The name under which `node` saved what PyTorch calls `name`."""
    for own in map(str, node.saved()):
        if own == name or torch_name(node, own) == name:
            return own
    return None
