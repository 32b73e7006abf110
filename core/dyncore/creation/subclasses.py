"""Tensors of a class of the user's own: `as_subclass` and `_make_subclass`."""

from __future__ import annotations

from typing import Any

from dyncore.tensors.overrides import check_overrides
from dyncore.tensors.tensor import Tensor, storage

from .copies import _rebuilt


def as_subclass(self: Tensor, cls: type) -> Any:
    """Return the same elements, with their history, as an object of `cls`, a subclass of Tensor."""
    if not isinstance(cls, type) or not issubclass(cls, Tensor):
        raise RuntimeError("cls must be a subclass of Tensor")
    check_overrides(cls)
    made = self.view_as(self)
    made.__class__ = cls
    return made


def _make_subclass(cls: type, data: Tensor, require_grad: bool = False) -> Any:
    """Return a leaf of `cls` that shares the memory of `data`."""
    check_overrides(cls)
    return _rebuilt(cls, storage(data), require_grad, None)


METHODS: dict[str, Any] = {"as_subclass": as_subclass, "_make_subclass": staticmethod(_make_subclass)}
