"""What backward and grad are given, checked: roots, cotangents and inputs, with PyTorch's sentences."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import with_notes
from ..graph import Node
from ..size import Size
from ..tensor import Tensor
from .edges import GradientEdge, edge_to


def is_one(value: Any) -> bool:
    """Whether `value` is one tensor, node or gradient edge, not several."""
    return isinstance(value, (Tensor, Node, GradientEdge))


def starts(roots: tuple[Any, ...], grads: Any, create_graph: bool) -> list[tuple[Any, Any]]:
    """Pairs (edge, gradient) that backward starts from.  Raises where roots and cotangents do not fit."""
    given = (None,) * len(roots) if grads is None else (grads,) if isinstance(grads, Tensor) else tuple(grads)
    checked = [cotangent(root, grad, create_graph, i) for i, (root, grad) in enumerate(zip(roots, given, strict=False))]
    if len(given) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    return [(root_edge(root, i), checked[i]) for i, root in enumerate(roots)]


def root_edge(root: Any, index: int) -> Any:
    """The edge backward starts from.  Raises RuntimeError if `root` has no history."""
    edge = input_edge(root)
    if edge is None:
        raise with_notes(
            RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn"),
            "hint: make an input require grad, or look for a `detach()`, `.item()` or `no_grad()` on the way",
        )
    return edge


def input_edge(tensor: Any) -> Any:
    """The edge of a tensor, a `GradientEdge` or a node."""
    if isinstance(tensor, Tensor):
        return tensor._edge
    if isinstance(tensor, Node):
        return tensor
    if not isinstance(tensor, GradientEdge):
        raise TypeError(f"expected a Tensor or a GradientEdge, got {type(tensor).__name__}")
    return edge_to(tensor.node, tensor.output_nr)


def cotangent(root: Any, grad: Any, create_graph: bool, number: int = 0) -> Any:
    """The gradient to start from: raw, or a Tensor under create_graph.  Raises RuntimeError if it does not fit."""
    array = root._array if isinstance(root, Tensor) else None
    if grad is None:
        if array is None or array.size != 1:
            raise with_notes(
                RuntimeError("grad can be implicitly created only for scalar outputs"),
                "hint: hand backward a gradient of the output's shape, or reduce the output first, "
                "such as `output.sum().backward()`",
            )
        if array.dtype.kind != "f":
            from .. import dtypes

            raise RuntimeError(
                f"grad can be implicitly created only for real scalar outputs but got {dtypes.of(array.dtype)}"
            )
        made = np.ones(array.shape, array.dtype)
        return _tensor(made) if create_graph else (made if array.ndim else made[()])
    if not isinstance(grad, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if array is not None and grad._array.shape != array.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{number}] has a shape of {Size(grad._array.shape)} and output[{number}] "
            "has a shape "
            f"of {Size(array.shape)}."
        )
    if array is not None and (grad._array.dtype.kind == "c") != (array.dtype.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{number}] has a dtype of {grad.dtype} and output[{number}] has a dtype of {root.dtype}."
        )
    if array is not None and grad._array.dtype != array.dtype:
        grad = grad.to(root.dtype)
    return grad if create_graph else grad._array


def _tensor(array: Any) -> Tensor:
    from ..tensor import wrap

    return wrap(array, None)
