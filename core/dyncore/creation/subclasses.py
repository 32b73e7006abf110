"""Tensors of a class of the user's own: `as_subclass` and `_make_subclass`."""

from __future__ import annotations

from typing import Any

from dyncore.tensors.tensor import Tensor, storage

from .copies import _rebuilt

_OVERRIDES = ("__torch_function__", "__torch_dispatch__")


def check_overrides(kind: type) -> None:
    """Raise NotImplementedError for a class that wants to be asked at each op: ops here do not ask."""
    for name in _OVERRIDES:
        found = getattr(kind, name, None)
        if found is not None and getattr(found, "__name__", "") != "_disabled_torch_function_impl":
            error = NotImplementedError(
                f"dyncore does not call {kind.__name__}.{name}: ops on a subclass of Tensor return plain tensors"
            )
            error.add_note("hint: keep the tensor in an attribute of a class of your own, whose methods call the ops")
            raise error


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
