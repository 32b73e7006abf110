"""Errors for saved values that were freed or written in place since."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.notes import with_notes
from dyncore.graph import versions
from dyncore.graph.modes import current
from dyncore.graph.node import Node, edge_of
from dyncore.graph.running import freed_at
from dyncore.tensors.set_data import follow, since

_SUFFIX = r"Backward\d*$"
ARRAYS = (np.ndarray, np.generic)


def second_time(node: Node) -> RuntimeError:
    """Return the error for a backward through values that an earlier one has freed."""
    first = freed_at(node)
    notes = [f"the node {node.name()} was made at {node.place}"]
    if first is not None:
        notes.append(f"its saved values were freed by the backward at {first}")
    notes.append("hint: pass `retain_graph=True` to the first backward, or compute the value anew before the second")
    return with_notes(
        RuntimeError(
            "Trying to backward through the graph a second time (or directly access saved tensors after they have "
            "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
            "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
            "you need to access saved tensors after calling backward."
        ),
        *notes,
    )


def check_unchanged(node: Node) -> None:
    """Raise RuntimeError if a value that `node` saved was written in place since."""
    follow(node)
    if node.unseen and not any(versions.was_written(each) for each in node.arrays()):
        return  # a seventh of what follows
    for name, value in node.saved().items():
        for array in value if isinstance(value, (list, tuple)) else (value,):
            if not isinstance(array, ARRAYS):
                continue
            other = versions.apart_stamps.get(id(array)) if versions.apart_stamps else None
            if other is not None:
                if other.ranks and other.ranks[-1] < node.rank:
                    raise modified(node, array, other, "")
                continue
            found = versions.stamps(array)
            if found is None:
                continue
            if found.ranks and found.ranks[-1] < since(array, node.rank):
                shown = array.T if _is_transposed(node, name) else array
                raise modified(node, shown, found, origin_of(node, name, found, array))
            if found.detached is not None and found.detached[0] < node.rank and id(array) in found.detached[1]:
                _check_attached(node, name)


def _is_transposed(node: Node, name: str) -> bool:
    """Return whether PyTorch saves a view of this operand: `linear` multiplies by its weight's transpose."""
    return name == "weight" and node.op is not None and node.op.name == "linear"


def _check_attached(node: Node, name: str) -> None:
    """Raise RuntimeError for an input of `node` that was cut off its history in place since."""
    if not name.startswith("result") and edge_of(node, name, None) is not None:
        raise RuntimeError(
            "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not "
            "supported, please use out-of-place `.detach()` instead"
        )


def modified(node: Node, array: Any, found: versions.Stamps, origin: str) -> RuntimeError:
    """Return the error for a saved value that was written in place since."""
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in question "
        "was changed in there or anywhere later. Good luck!"
        if current().anomaly
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    kind = f"torch.{dtypes.of(array.dtype).title}Tensor {list(array.shape)}"
    return with_notes(
        RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{kind}]{origin}{',' * bool(origin)} is at version {found.count()}; expected version "
            f"{found.before(node.rank)} instead. Hint: {hint}"
        ),
        f"saved by {node.name()} at {node.place}",
        f"modified at {found.last_place}",
    )


def origin_of(node: Node, name: str, found: versions.Stamps, array: Any) -> str:
    """Return `, which is output 0 of Mul` for a saved value; nothing for a leaf."""
    through_view = found.title is not None and found.title[0].endswith("CopySlices") and id(array) != found.title[1]
    if name.startswith("result") and not through_view:
        return f", which is output {name[6:] or 0} of {short_name(node)}"
    if found.title is not None:
        title, written, rank = found.title
        whole = id(array) == written or not (array.ndim or rank)
        return f", which is output 0 of {re.sub(_SUFFIX, '', title) if whole else 'AsStrided'}"
    edge = edge_of(node, name, None)
    if edge is not None and (_is_transposed(node, name) or (edge.node.op is not None and edge.node.op.view)):
        return ", which is output 0 of AsStrided"  # as views are that were written since
    return describe(edge)


def describe(edge: Any) -> str:
    """Return `, which is output 0 of Mul` for a computed tensor; nothing for a leaf."""
    if edge is None or edge.node.title == "AccumulateGrad":
        return ""
    return f", which is output {edge.index} of {short_name(edge.node)}"


def short_name(node: Node) -> str:
    """Return `Mul` for `MulBackward0`, as PyTorch writes nodes in messages."""
    return re.sub(_SUFFIX, "", node.name())
