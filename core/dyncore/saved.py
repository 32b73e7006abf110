"""Saved values seen from outside: the errors for freed and changed ones, and `grad_fn._saved_*`."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import versions
from .errors import with_notes
from .graph import FREED, Node

_TORCH_NAMES = {"input": "self"}


def second_time(node: Node) -> RuntimeError:
    """The error for a backward through values that an earlier one has freed."""
    return with_notes(
        RuntimeError(
            "Trying to backward through the graph a second time (or directly access saved tensors after they have "
            "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
            "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
            "you need to access saved tensors after calling backward."
        ),
        f"the node {node.name()} was made at {node.place}",
    )


def check_unchanged(node: Node) -> None:
    """Raises RuntimeError if a value that `node` saved was written in place since."""
    for value in node.saved().values():
        for array in value if isinstance(value, (list, tuple)) else (value,):
            if not isinstance(array, (np.ndarray, np.generic)):
                continue
            found = versions.stamps(array)
            if found is not None and found.ranks and found.ranks[-1] < node.rank:
                raise _modified(node, array, found)


def _modified(node: Node, array: Any, found: versions.Stamps) -> RuntimeError:
    from . import dtypes

    kind = f"torch.{dtypes.of(array.dtype).title}Tensor {list(array.shape)}"
    made_by = _origin(node, array)
    return with_notes(
        RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{kind}]{made_by}, is at version {found.count()}; expected version {found.before(node.rank)} instead. "
            "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True)."
        ),
        f"saved by {node.name()} at {node.place}",
        f"modified at {found.last_place}",
    )


def _origin(node: Node, array: Any) -> str:
    for name, value in node.saved().items():
        if value is not array:
            continue
        if name == "result":
            return f", which is output 0 of {short_name(node)}"
        for parameter, edge in zip(node.op.tensor_names, node.edges(), strict=False):
            if parameter == name and edge is not None and edge.node.op is not None:
                return f", which is output {edge.index} of {short_name(edge.node)}"
    return ""


def short_name(node: Node) -> str:
    """`MulBackward0` as PyTorch 2.13 writes it in messages: `MulBackward0`, leaves as `AccumulateGrad`."""
    return node.name()


def saved_attribute(node: Node, name: str) -> Any:
    """The value of `grad_fn._saved_NAME`: a Tensor for an array, else what was given."""
    from .replay import wrap_saved

    for own, value in node.saved().items():
        if _TORCH_NAMES.get(own, own) == name or own == name:
            if value is FREED:
                raise second_time(node)
            return wrap_saved(node, own, value)
    raise AttributeError(f"'{node.name()}' object has no attribute '_saved_{name}'")


def raw_saved_attribute(node: Node, name: str) -> Any:
    """The `SavedTensor` behind `grad_fn._raw_saved_NAME`."""
    raise AttributeError(f"'{node.name()}' object has no attribute '_raw_saved_{name}'")
