"""Edges of the graph handed to users: `GradientEdge` and what makes one."""

from __future__ import annotations

from typing import Any, NamedTuple

from dyncore.graph.names import titled
from dyncore.graph.node import Node, Output
from dyncore.tensors.tensor import Tensor


class GradientEdge(NamedTuple):
    """A node and the number of one of its outputs: stands for a tensor in `backward` and `grad`."""

    node: Node
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Return the edge that leads to `tensor`'s gradient.  Raise RuntimeError if it requires none."""
    if tensor._edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    node = titled(tensor._edge.node)
    from dyncore.graph.node import note_shape

    from .metadata import output_metadata  # not at a start

    if not node.outputs_known or output_metadata(node, tensor._edge.index) is None:
        note_shape(node, tensor._array)
    return GradientEdge(node, tensor._edge.index)


def edge_to(node: Node, number: int) -> Any:
    """Return the edge to output `number` of `node`."""
    if node.outputs < 2:
        return node
    return Output(node, number)
