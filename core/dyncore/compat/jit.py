"""`torch.jit` by name: everything runs eagerly, so what PyTorch would compile is handed back as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dyncore.errors.explain import missing_name
from dyncore.nn import Module

from .futures import Future

__dyncore__ = True
__path__: list[str] = []

__all__ = [
    "Attribute", "Error", "Final", "Future", "ScriptFunction", "ScriptModule", "annotate", "export", "fork", "freeze",
    "ignore", "interface", "is_scripting", "is_tracing", "isinstance",
    "onednn_fusion_enabled", "optimize_for_inference", "script", "script_if_tracing", "script_method",
    "set_fusion_strategy", "strict_fusion", "trace", "trace_module", "unused", "wait",
]  # fmt: skip

ScriptModule = Module
Error = RuntimeError
Final = Final
_isinstance = isinstance


class ScriptFunction:
    """PyTorch's compiled function; there are none here."""


class TracerWarning(Warning):
    """PyTorch's warning that a trace fixes a branch, which nothing here does."""


def script(obj: Any = None, *args: Any, **kwargs: Any) -> Any:
    """`obj`, a function or module, as it is."""
    return obj


def trace(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`func` as it is: no branch of it is fixed."""
    return func


def trace_module(mod: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
    """`mod` as it is."""
    return mod


def freeze(mod: Any, preserved_attrs: Any = None, optimize_numerics: bool = True) -> Any:
    """`mod` as it is."""
    return mod


def optimize_for_inference(mod: Any, other_methods: Any = None) -> Any:
    """`mod` as it is."""
    return mod


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """The function as it is, also as `ignore(drop=True)`."""
    return drop if callable(drop) else lambda function: function


export = unused = script_if_tracing = script_method = interface = script


def is_scripting() -> bool:
    """False."""
    return False


is_tracing = onednn_fusion_enabled = is_scripting


def annotate(the_type: Any, the_value: Any) -> Any:
    """The value."""
    return the_value


class Attribute(tuple[Any, Any]):
    """A value and its type."""

    def __new__(cls, value: Any, type: Any) -> Attribute:
        return super().__new__(cls, (value, type))

    value = property(lambda self: self[0])
    type = property(lambda self: self[1])


def isinstance(obj: Any, target_type: Any) -> bool:
    """Whether `obj` is of the type, whose arguments, as in `List[int]`, are not looked at."""
    import typing

    kinds = target_type if _isinstance(target_type, (tuple, list)) else (target_type,)
    return _isinstance(obj, tuple(typing.get_origin(kind) or kind for kind in kinds))


def fork(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Future:
    """The future of what `func` returns; it runs at once."""
    made = Future()
    made.set_result(func(*args, **kwargs))
    return made


def wait(future: Future) -> Any:
    """What the forked function returned."""
    return future.wait()


_fork, _wait = fork, wait


def set_fusion_strategy(strategy: Any) -> list[Any]:
    """Nothing: an empty list of what was set before."""
    return []


enable_onednn_fusion = set_fusion_strategy


class strict_fusion:
    """A block that changes nothing."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        return None


def __getattr__(name: str) -> Any:
    import sys

    error = missing_name("torch.jit", name, sys.modules[__name__])
    if name in ("save", "load"):
        error.add_note("hint: `torch.save(model.state_dict(), path)` and the script that builds the model")
    raise error
