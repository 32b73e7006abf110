"""Refuse subclasses of Tensor that want to be asked at each op."""

from __future__ import annotations

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
