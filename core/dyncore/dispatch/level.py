"""Gradients that are level: PyTorch's derivative of some gradients by the op's input is zeros, where it might be none.

`relu(x)` bends nowhere but at 0, yet in PyTorch the gradient of a gradient through it reaches `x` as zeros.  So does it
here: a leaf that is told zeros has a `.grad`, which optimizers count as a step, and a gradient always has a graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.tensors.tensor import wrap

from .registry import TABLE, Op

# The ops whose gradients are level.
LEVEL = frozenset((
    "relu", "leaky_relu", "hardtanh", "hardshrink", "softshrink", "rrelu_with_noise", "max_windows",
    "max_windows_with_indices", "adaptive_max", "fractional_max", "avg_windows", "adaptive_avg", "reflection_pad",
    "replication_pad",
))  # fmt: skip


# The ops of gradients that lead to the input of their own.
_LEADING = frozenset(("threshold_backward", "leaky_relu_backward", "hardtanh_backward"))


def levelled(op: Op, node: Any) -> Any:
    """Return the node class, whose gradients under `create_graph` lead to the input too if the op is one of these."""
    if op.name not in LEVEL:
        return node
    run = node.run_tensors

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        found = run(self, grad, keep)
        if self.single:
            return _level(self, found, self.e0)
        return [(edge, _level(self, g, edge)) for edge, g in found]

    node.run_tensors = run_tensors
    return node


def _level(node: Any, gradient: Any, edge: Any) -> Any:
    """Return the gradient as a function of what the edge leads to as well."""
    if gradient is None or edge is None:
        return gradient
    if node.op.name == "adaptive_avg" and set(node.saved()["output_size"]) == {1}:
        return gradient  # one mean over everything, which is PyTorch's `mean`
    made = gradient._edge
    if made is not None and made.node.op is not None and made.node.op.name in _LEADING:
        return gradient
    array = gradient._array
    there = wrap(np.broadcast_to(array.dtype.type(0), array.shape) if array.ndim else array.dtype.type(0), edge)
    title = "ThresholdBackwardBackward0" if node.op.name == "relu" else f"{node.name()[:-1]}Backward0"
    if title == "SqueezeBackwardBackward0":  # pools along one dimension are those of images of height 1
        title = "SqueezeBackward1"
    return TABLE["level"].entry(gradient, there, title)
