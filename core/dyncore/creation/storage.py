"""`torch.storage`: objects for the memory of tensors.

`tensor.storage()` and `tensor.untyped_storage()` return them.
"""

from __future__ import annotations

from typing import Any

from dyncore.errors.explain import missing_in

from .interop import UntypedStorage as UntypedStorage
from .memory import TypedStorage as TypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]

_missing = missing_in(__name__)


def __getattr__(name: str) -> Any:
    return _missing(name)
