"""State that few tensors have beside array and edge: flags, views, shared arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.graph.node import DISCARD, AccumulateGrad

from .meta_array import MetaArray

__capture__ = "replayed"


class Meta:
    """State of a tensor: its view, a retained gradient, flags, hooks without a node."""

    base: Any = None
    creation: str | None = None
    seen: int | None = None  # of a view made under no_grad: when, so that later writes into its memory are known
    views: Any = None
    grad: Any = None
    retains = False
    inference = False
    untracked: Any = None  # of what `.data` gave and its views: the writes through them, which count apart
    name: str | None = None
    hooks: dict[int, Any] | None = None
    tangent: Any = None
    dual = False  # whether `make_dual` made it: a view of the primal, but not of its tangent
    grad_dtype: Any = False


class Shared(Meta):
    """State that several views of one op share.

    `tensor._meta` is replaced by one of its own before a write to it.
    """


def own(meta: Meta | None) -> Meta:
    """Return a `Meta` for one tensor alone that says what `meta` says."""
    made = Meta()
    if meta is not None:
        made.__dict__.update(meta.__dict__)
    return made


def storage(tensor: Any) -> Any:
    """Return the tensor's array, as an array that others may share, also when it is 0-d."""
    array = tensor._array
    if array.__class__ is not np.ndarray:
        if array.__class__ is MetaArray:
            return array
        scalar = array
        array = tensor._array = np.asarray(scalar)
        versions.replaced(scalar, array)
        if tensor._edge.__class__ is AccumulateGrad and tensor._edge is not DISCARD:
            tensor._edge.memory = array
    return array


def live_views(base: Any) -> list[Any]:
    """Return the views of `base` that are still alive."""
    if base._meta is None or base._meta.views is None:
        return []
    return [view for view in (each() for each in base._meta.views) if view is not None]


def follow_base(base: Any) -> None:
    """Make the views without a history require grad if `base` does.

    In PyTorch the gradients of such views are lost.
    """
    for view in live_views(base):
        if (view._edge is None or view._edge is DISCARD) and view._array.dtype.kind in "fc":
            view._edge = None if base._edge is None else DISCARD
