"""Parts of `torch._C` that programs built on autograd's internals call."""

from __future__ import annotations

import warnings
import weakref
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

from dyncore.graph.names import named

from .function import Function

_cached: dict[int, weakref.ref[Any]] = {}
_switches = {"cached": False, "mismatch": True}
_kept: ContextVar[dict[str, Any] | None] = ContextVar("dyncore_kept", default=None)


def set_cached(enabled: bool) -> None:
    """Set whether tensors can be marked as held by a replay; drop all marks if not."""
    _switches["cached"] = bool(enabled)
    if not enabled:
        _cached.clear()


def add_cached(tensor: Any) -> None:
    """Mark the tensor as held by a replay."""
    if _switches["cached"]:
        _cached[id(tensor)] = weakref.ref(tensor)


def remove_cached(tensor: Any) -> None:
    """Remove the mark of the tensor."""
    _cached.pop(id(tensor), None)


def is_cached(tensor: Any) -> bool:
    """Return True if the tensor is marked."""
    reference = _cached.get(id(tensor))
    return reference is not None and reference() is tensor


def stash(key: str, value: Any) -> None:
    """Store a value for this thread, and for the backwards it starts."""
    _kept.set({**(_kept.get() or {}), key: value})


def stashed(key: str) -> Any:
    """Return the value stored under `key`."""
    return (_kept.get() or {})[key]


def is_stashed(key: str) -> bool:
    """Return True if a value is stored under `key`."""
    return key in (_kept.get() or {})


def warn_mismatch(enabled: bool) -> None:
    """Accept PyTorch's setting for gradients from another stream of a device."""
    _switches["mismatch"] = bool(enabled)


class _Warns(Function):
    @staticmethod
    def forward(ctx: Any, input: Any) -> Any:
        return input.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        warnings.warn("Warn from backward", stacklevel=2)
        return grads[0]


class _Dispatched(Function):
    @staticmethod
    def forward(ctx: Any, input: Any) -> Any:
        return input.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0] + 1

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        return tangents[0].clone()


def _test_autograd_multiple_dispatch(input: Any, b: bool | None = None) -> Any:
    """Return a copy, whose gradient without `b` is off by one.

    PyTorch tests with it which of several derivatives is taken.
    """
    return _Dispatched.apply(input) if b is None else input.clone()


def _test_autograd_multiple_dispatch_view(input: Any) -> Any:
    """Return `input.view(-1)`."""
    return named(input.view(-1), "TestAutogradMultipleDispatchViewBackward0")


def _test_autograd_multiple_dispatch_view_copy(input: Any) -> Any:
    """Return a flat copy of `input`."""
    return named(input.reshape(-1).clone(), "TestAutogradMultipleDispatchViewCopyBackward0")


PARTS: dict[str, Any] = {
    "_set_cached_tensors_enabled": set_cached,
    "_add_cached_tensor": add_cached,
    "_remove_cached_tensor": remove_cached,
    "_is_cached_tensor": is_cached,
    "_stash_obj_in_tls": stash,
    "_get_obj_in_tls": stashed,
    "_is_key_in_tls": is_stashed,
    "_warn_on_accumulate_grad_stream_mismatch": lambda: _switches["mismatch"],
    "_set_warn_on_accumulate_grad_stream_mismatch": warn_mismatch,
    "_nn": SimpleNamespace(_test_warn_in_autograd=_Warns.apply),
}


class UndefinedGrad(Function):
    """Function that passes its input on and no gradient back."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> None:
        return None
