"""Around training: checkpointing, data loading."""

from __future__ import annotations

import importlib
import weakref
from typing import TYPE_CHECKING, Any

from dyncore.errors.explain import missing_in

if TYPE_CHECKING:
    from dyncore.tensors.tensor import Tensor

_FILES = ("_pytree", "checkpoint", "data", "dlpack", "hooks")
_missing = missing_in(__name__)


def __getattr__(name: str) -> Any:
    """Return a submodule, imported when first asked for."""
    return importlib.import_module(f"{__name__}.{name}") if name in _FILES else _missing(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_FILES})


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Let each of two tensors have what the other is: elements, history, class and attributes."""
    from dyncore.graph.node import AccumulateGrad

    recorded = hasattr(t1, "_trace") and hasattr(t2, "_trace")
    for name in ("_array", "_edge", "_meta", "__class__", "__dict__", *["_trace"] * recorded):
        first, second = getattr(t1, name), getattr(t2, name)
        setattr(t1, name, second)
        setattr(t2, name, first)
    for tensor in (t1, t2):
        if isinstance(tensor._edge, AccumulateGrad):
            tensor._edge.ref = weakref.ref(tensor)
