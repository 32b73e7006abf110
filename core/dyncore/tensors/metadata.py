"""What few tensors have beside their array and their edge."""

from __future__ import annotations

from typing import Any

__capture__ = "replayed"


class Meta:
    """What few tensors have: the view they are, a gradient kept while not a leaf, flags, hooks that wait for a node."""

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
    """What is noted of several views that one op made; `tensor._meta` gives one its own before it is written into."""


def own(meta: Meta | None) -> Meta:
    """A `Meta` for one tensor alone that says what `meta` says."""
    made = Meta()
    if meta is not None:
        made.__dict__.update(meta.__dict__)
    return made
