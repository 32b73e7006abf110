"""`torch.utils.dlpack`: memory shared with other libraries."""

from __future__ import annotations

from typing import Any

from dyncore.creation.interop import from_dlpack
from dyncore.errors.explain import missing_in


def to_dlpack(tensor: Any) -> Any:
    """Return a DLPack capsule of the tensor's memory."""
    return tensor.__dlpack__()


__all__ = ["from_dlpack", "to_dlpack"]


__getattr__ = missing_in(__name__)
