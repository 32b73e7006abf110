"""Memory formats of convolution weights, for PyTorch's kernels on GPUs."""

from __future__ import annotations

from typing import Any


def convert_conv2d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """Return the module as it is: no format is faster here."""
    return module


convert_conv3d_weight_memory_format = convert_conv2d_weight_memory_format
