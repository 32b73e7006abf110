"""`torch.nn.attention`: choices of kernels in PyTorch; here there is one kernel."""

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
    """Accept PyTorch's choice of kernels for a block; nothing changes.

    Raises AssertionError for anything but an `SDPBackend`.
    """
    for each in backends if isinstance(backends, (list, tuple)) else [backends]:
        if not isinstance(each, SDPBackend):
            raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances")
    yield
