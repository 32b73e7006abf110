"""Checks of roots, cotangents and inputs, with PyTorch's sentences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.notes import with_notes
from dyncore.graph.modes import current
from dyncore.graph.node import DISCARD, Node, own_edge
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor, wrap

from .edges import GradientEdge, edge_to

ONES: dict[Any, Any] = {each: each.type(1) for each in (dtypes.F32, dtypes.F64)}
ONE = ONES[dtypes.F32]


def is_one(value: Any) -> bool:
    """Return True if `value` is one tensor, node or gradient edge, not several."""
    return isinstance(value, (Tensor, Node, GradientEdge))


def starts(roots: tuple[Any, ...], grads: Any, create_graph: bool) -> list[tuple[Any, Any]]:
    """Return the pairs (edge, gradient) that backward starts from.

    Raises RuntimeError where roots and cotangents do not fit.
    """
    if grads is None and len(roots) == 1:
        root = roots[0]
        if root.__class__ is Tensor and (edge := root._edge) is not None:
            # `loss.backward()`, far sooner than the general case (tests/bench, branch).
            array = root._array
            one = ONE if array.dtype is dtypes.F32 else ONES.get(array.dtype)
            if one is not None and not array.ndim:
                return [(edge, _tensor(one) if create_graph else one)]
    given = (None,) * len(roots) if grads is None else (grads,) if isinstance(grads, Tensor) else tuple(grads)
    create_graph = create_graph or current().forward_level >= 0
    checked = [cotangent(root, grad, create_graph, i) for i, (root, grad) in enumerate(zip(roots, given, strict=False))]
    if len(given) < len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    return [(root_edge(root, i), checked[i]) for i, root in enumerate(roots)]


def root_edge(root: Any, index: int) -> Any:
    """Return the edge backward starts from.  Raise RuntimeError if `root` has no history."""
    edge = input_edge(root)
    if edge is None:
        raise _no_history(index)
    return edge


def _no_history(index: int) -> RuntimeError:
    return with_notes(
        RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn"),
        "hint: make an input require grad, or look for a `detach()`, `.item()` or `no_grad()` on the way",
    )


def input_edge(tensor: Any) -> Any:
    """Return the edge of a tensor, a `GradientEdge` or a node."""
    if isinstance(tensor, Tensor):
        return tensor._edge if tensor._edge is not DISCARD else own_edge(tensor)
    if isinstance(tensor, Node):
        return tensor
    if not isinstance(tensor, GradientEdge):
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")
    return edge_to(tensor.node, tensor.output_nr)


def wanted_edge(tensor: Any) -> Any:
    """Return the edge where a tensor's gradient arrives; that of a row arrives together with others."""
    edge = input_edge(tensor)
    return edge if edge is None or edge.node.row is None else edge.node.row[0]


def own_gradient(tensor: Any, gradient: Any) -> Any:
    """Return a tensor's part of what arrived at `wanted_edge`."""
    row = tensor._edge.node.row if isinstance(tensor, Tensor) else None
    return gradient if row is None else gradient[row[1]]


def cotangent(root: Any, grad: Any, create_graph: bool, number: int = 0) -> Any:
    """Return the gradient to start from, raw or, under create_graph, a Tensor.  Raise RuntimeError for a misfit."""
    like = known(root)
    if grad is None:
        if isinstance(root, Tensor) and root._edge is None:
            raise _no_history(number)
        if like is None or math.prod(like[0]) != 1:
            raise with_notes(
                RuntimeError("grad can be implicitly created only for scalar outputs"),
                "hint: hand backward a gradient of the output's shape, or reduce the output first, "
                "such as `output.sum().backward()`",
            )
        shape, dtype = like
        if dtype.kind != "f":
            raise RuntimeError(
                f"grad can be implicitly created only for real scalar outputs but got {dtypes.of(dtype)}"
            )
        made = np.ones(shape, dtype)
        return _tensor(made) if create_graph else (made if shape else made[()])
    if not isinstance(grad, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if like is None:
        return grad if create_graph else grad._array
    shape, dtype = like
    if grad._array.shape != shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{number}] has a shape of {Size(grad._array.shape)} and output[{number}] "
            "has a shape "
            f"of {Size(shape)}."
        )
    if (grad._array.dtype.kind == "c") != (dtype.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{number}] has a dtype of {grad.dtype} and output[{number}] has a dtype of {dtypes.of(dtype)}."
        )
    if grad._array.dtype != dtype:
        grad = grad.to(dtypes.of(dtype))
    return grad if create_graph else grad._array


def known(root: Any) -> tuple[tuple[int, ...], Any] | None:
    """Shape and dtype of what backward starts from, or None for an edge of which nobody knows them."""
    if isinstance(root, Tensor):
        return root._array.shape, root._array.dtype
    from .metadata import output_metadata  # not at a start

    return output_metadata(root.node, root.output_nr if isinstance(root, GradientEdge) else 0)


def calculate_shape(output: Any, grad: Tensor, is_grads_batched: bool = False) -> tuple[Any, Any]:
    """Return the shapes of an output and of a cotangent for it, without the dimension that counts cotangents."""
    like = known(output)
    shape = Size(grad._array.shape)
    return Size(like[0] if like else ()), Size(shape[1:]) if is_grads_batched else shape


def make_grads(outputs: Any, grads: Any, is_grads_batched: bool = False) -> tuple[Any, ...]:
    """Return the cotangents as backward starts from them, ones for those that are None."""
    found = [cotangent(out, grad, True, n) for n, (out, grad) in enumerate(zip(outputs, grads, strict=True))]
    return tuple(found)


def as_tuple(tensors: Any, length: int) -> tuple[Any, ...]:
    """Return the tensors as a tuple, `length` times None for None."""
    if tensors is None:
        return (None,) * length
    return (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)


def _tensor(array: Any) -> Tensor:
    return wrap(array, None)


def old_name(grad_tensors: Any, grad_variables: Any) -> Any:
    """Return what was given as `grad_variables`.  Raise RuntimeError if `grad_tensors` was given too."""
    from dyncore.errors.explain import warn

    warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
    if grad_tensors is not None:
        raise RuntimeError(
            "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
            "`grad_tensors`."
        )
    return grad_variables
