"""`torch.compiler`: questions of scripts that PyTorch may compile; here nothing is compiled but by `torch.compile`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.capture import compile as compile
from dyncore.errors.explain import missing_in

__dyncore__ = True

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "cudagraph_mark_step_begin", "disable", "is_compiling",
    "is_dynamo_compiling", "is_exporting", "list_backends", "reset", "set_stance", "substitute_in_graph", "wrap_numpy",
]  # fmt: skip


def is_compiling() -> bool:
    """False."""
    return False


is_dynamo_compiling = is_exporting = is_compiling


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """`fn` as it is, also as `@disable(recursive=False)`."""
    return fn if fn is not None else lambda function: function


def allow_in_graph(fn: Any) -> Any:
    """`fn` as it is."""
    return fn


assume_constant_result = wrap_numpy = allow_in_graph


def substitute_in_graph(original_fn: Any, **options: Any) -> Callable[[Any], Any]:
    """A decorator that changes nothing."""
    return allow_in_graph


def reset() -> None:
    """Nothing."""


cudagraph_mark_step_begin = reset


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """["dyncore"]: there is one way to compile."""
    return ["dyncore"]


class set_stance:
    """A call, a block or a decorator that changes nothing."""

    def __init__(self, stance: str = "default", **options: Any) -> None:
        self.stance = stance

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        return None

    def __call__(self, function: Any) -> Any:
        return function


__getattr__ = missing_in(__name__)
