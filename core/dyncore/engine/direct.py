"""A node called by hand, as `grad_fn(grad)`."""

from __future__ import annotations

from typing import Any

from dyncore.graph.edges import Partial
from dyncore.graph.modes import current
from dyncore.graph.node import Node
from dyncore.tensors.tensor import Tensor, wrap


def call_node(node: Node, grads: tuple[Any, ...]) -> Any:
    """Return the gradients of the node's inputs, a Tensor when there is one input, else a tuple; no hook runs."""
    from .hooks import aligned

    for number, each in enumerate(grads):
        if each is not None and not isinstance(each, Tensor):
            raise TypeError(f"argument {number} is not a Variable")
    if len(grads) != node.outputs:
        raise TypeError(f"expected {node.outputs} arguments, got {len(grads)} instead")
    create = current().grad
    raw = [g if g is None or create else g._array for g in grads]
    grad: Any = Partial({n: g for n, g in enumerate(raw) if g is not None}) if node.outputs > 1 else raw[0]
    result = node.run_tensors(grad, True) if create else node.run(grad, True)
    found = [g for _, g in aligned(node, result)]
    made = tuple(g if g is None or isinstance(g, Tensor) else wrap(g, None) for g in found)
    return made[0] if len(made) == 1 else made
