"""What few nodes of the graph have beside what all have."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary


class Extra:
    """What few nodes have: hooks, metadata, retained gradients, the traceback of anomaly mode.

    tensor_pre: hooks of the tensors this node made, as (output number, hook).  retain: by output number, what keeps
    the gradient.  pre, post: the node's own hooks.  parent: under anomaly mode, the node whose backward made this one.
    cast: the dtype a leaf keeps its gradient in where that was set, None for any; False where it was not.
    tangents: in forward mode, the level and the tangents of what was saved.
    instead: while a view that this node wrote is differentiated, the node that now leads to the view: what was saved of
    the result is the view.
    reshaped: whether a leaf's data got another shape, so that gradients of what it was before may not fit.
    """

    __slots__ = (
        "pre", "tensor_pre", "retain", "post", "metadata", "parent", "traceback", "cast", "tangents", "instead",
        "reshaped",
    )  # fmt: skip

    def __init__(self) -> None:
        self.pre: dict[int, Any] = {}
        self.tensor_pre: dict[int, tuple[int, Any]] = {}
        self.retain: dict[int, Any] | None = None
        self.post: dict[int, Any] = {}
        self.metadata: dict[Any, Any] = {}
        self.parent: Any = None
        self.traceback: list[str] | None = None
        self.cast: Any = False
        self.tangents: tuple[Any, dict[tuple[str, int | None], Any]] | None = None
        self.instead: Any = None
        self.reshaped = False


# Shape and dtype of the only output of a node whose `grad_fn` or gradient edge was asked for.
noted_shapes: WeakKeyDictionary[Any, tuple[tuple[int, ...], Any]] = WeakKeyDictionary()


def note_shape(node: Any, array: Any) -> None:
    """Keep the shape and dtype of the only output of `node`."""
    noted_shapes[node] = array.shape, array.dtype
