"""Metadata of a node's outputs and gradients: `grad_fn._input_metadata`.

Nothing is stored for it while ops run. An elementwise node's output has the shape of its inputs; a leaf exists
still; for the rest the shape is stored when a tensor's `grad_fn` or gradient edge is read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dyncore.dtypes import dtypes
from dyncore.graph.elementwise import BinaryNode, UnaryNode
from dyncore.graph.node import AccumulateGrad, Output, noted_shapes
from dyncore.tensors.size import device


class Metadata(NamedTuple):
    """Shape and dtype of one output of a node."""

    dtype: Any
    shape: list[int]
    device: Any = device("cpu")
    is_nested_tensor: bool = False
    is_cpp_nested_tensor: bool = False


def input_metadata(node: Any) -> list[Metadata]:
    """Return one entry for each output of `node`; none if it is unknown."""
    outs = getattr(node, "outs", ()) or (_single(node),)
    return [Metadata(dtypes.of(out[1]), list(out[0])) for out in outs if out is not None]


def output_metadata(node: Any, number: int) -> tuple[tuple[int, ...], Any] | None:
    """Shape and dtype of output `number` of `node`, or None when nobody knows them any more."""
    outs = getattr(node, "outs", ()) or (_single(node),)
    return outs[number] if number < len(outs) else None


def _single(node: Any) -> tuple[tuple[int, ...], Any] | None:
    """Shape and dtype of the one output: noted, saved, or those of the inputs of element-wise nodes."""
    while True:
        if node in noted_shapes:
            return noted_shapes[node]
        if node.__class__ is AccumulateGrad:
            return node.memory.shape, node.memory.dtype
        if isinstance(node, Output):
            return node.parent.outs[node.number]
        result: Any = node.saved().get("result") if node.op is not None else None
        if hasattr(result, "dtype"):
            return result.shape, result.dtype
        if isinstance(node, BinaryNode) and node.outputs_known:
            shapes = getattr(node, "shapes", None)
            node = node.e1 if node.e0 is None else node.e0
            if shapes is not None:
                import numpy as np

                found = _single(node)
                return None if found is None else (np.broadcast_shapes(*shapes), found[1])
        elif isinstance(node, UnaryNode):
            node = node.e0
        else:
            return None
        if node is None:
            return None
