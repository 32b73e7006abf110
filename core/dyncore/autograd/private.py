"""Small parts of `torch._C` that programs built upon autograd's insides reach for."""

from __future__ import annotations

import warnings
import weakref
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

from dyncore.graph.titles import named

from .function import Function

__dyncore__ = True

_cached: dict[int, weakref.ref[Any]] = {}
_switches = {"cached": False, "mismatch": True}
_kept: ContextVar[dict[str, Any] | None] = ContextVar("dyncore_kept", default=None)


def set_cached(enabled: bool) -> None:
    """Whether tensors may be named that a replay holds on to; without it none are."""
    _switches["cached"] = bool(enabled)
    if not enabled:
        _cached.clear()


def add_cached(tensor: Any) -> None:
    """Remembers the tensor as one that a replay holds on to, however often it is named."""
    if _switches["cached"]:
        _cached[id(tensor)] = weakref.ref(tensor)


def remove_cached(tensor: Any) -> None:
    """Forgets it."""
    _cached.pop(id(tensor), None)


def is_cached(tensor: Any) -> bool:
    """Whether it was named and is not forgotten."""
    found = _cached.get(id(tensor))
    return found is not None and found() is tensor


def stash(key: str, value: Any) -> None:
    """Keeps a value for this thread, and for what a backward started from it runs."""
    _kept.set({**(_kept.get() or {}), key: value})


def stashed(key: str) -> Any:
    """The value kept under `key`."""
    return (_kept.get() or {})[key]


def is_stashed(key: str) -> bool:
    """Whether one is."""
    return key in (_kept.get() or {})


def warn_mismatch(enabled: bool) -> None:
    """Whether PyTorch would warn of gradients that come in on another stream of a device: there are none here."""
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
    """A copy, whose gradient without `b` is off by one: so PyTorch tests which of several derivatives is taken."""
    return _Dispatched.apply(input) if b is None else input.clone()


def _test_autograd_multiple_dispatch_view(input: Any) -> Any:
    """`input.view(-1)`."""
    return named(input.view(-1), "TestAutogradMultipleDispatchViewBackward0")


def _test_autograd_multiple_dispatch_view_copy(input: Any) -> Any:
    """A copy of it."""
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
    """Passes its input on and no gradient back."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> None:
        return None
