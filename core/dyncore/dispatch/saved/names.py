"""PyTorch's names for what nodes save, which differ from those of the ops' parameters."""

from __future__ import annotations

from typing import Any

TORCH_NAMES = {"input": "self"}
# Of single ops.
OF_OP = {
    "linalg_qr": {"result0": "Q", "result1": "R"},
    "linalg_eigh": {"result0": "eigenvalues", "result1": "eigenvectors"},
    "linalg_eig": {"result0": "eigenvalues", "result1": "eigenvectors"},
    "linalg_svd": {"result0": "U", "result1": "S", "result2": "Vh"},
    "linalg_cholesky": {"result": "L"},
    "linalg_inv": {"result": "inverse"},
    "layer_norm": {"self": "input", "input": "input"},
    "group_norm": {"input": "input", "num_groups": "group"},
    "embedding": {"input": "indices"},
    "convolution": {"input": "input"},
    "aminmax": {"result0": "min", "result1": "max"},
    "linear": {"input": "mat1", "weight": "mat2"},
}


def torch_name(node: Any, own: str) -> str:
    """PyTorch's name for what `node` saved as `own`."""
    op = node.op
    if op is not None and own in OF_OP.get(op.name, ()):
        return OF_OP[op.name][own]
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
    """Return the name under which `node` saved what PyTorch calls `name`."""
    for own in map(str, node.saved()):
        if own == name or torch_name(node, own) == name:
            return own
    return None
