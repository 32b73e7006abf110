"""`torch.nn.attention`: which kernel PyTorch may take for attention; here there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

__dyncore__ = True


class SDPBackend(Enum):
    """PyTorch's kernels for `scaled_dot_product_attention`."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[None]:
    """A block in which PyTorch would use these kernels; nothing changes.  Raises AssertionError for anything else."""
    for each in backends if isinstance(backends, (list, tuple)) else [backends]:
        if not isinstance(each, SDPBackend):
            raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")
    yield
