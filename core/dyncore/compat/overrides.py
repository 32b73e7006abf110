"""`torch.overrides`: there are no overridden functions here, and who asks is told so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.errors.explain import missing_in
from dyncore.tensors.tensor import Tensor

__dyncore__ = True

__all__ = [
    "handle_torch_function", "has_torch_function", "has_torch_function_unary", "has_torch_function_variadic",
    "is_tensor_like", "is_tensor_method_or_property", "wrap_torch_function",
]  # fmt: skip


def has_torch_function(*relevant_args: Any) -> bool:
    """False."""
    return False


has_torch_function_unary = has_torch_function_variadic = has_torch_function


def handle_torch_function(public_api: Callable[..., Any], relevant_args: Any, *args: Any, **kwargs: Any) -> Any:
    """`public_api(*args, **kwargs)`."""
    return public_api(*args, **kwargs)


def wrap_torch_function(dispatcher: Any) -> Any:
    """A decorator that changes nothing."""
    return lambda function: function


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a Tensor."""
    return isinstance(inp, Tensor)


def is_tensor_method_or_property(func: Any) -> bool:
    """Whether Tensor has this function under its name."""
    return getattr(Tensor, getattr(func, "__name__", ""), None) is func


__getattr__ = missing_in(__name__)
