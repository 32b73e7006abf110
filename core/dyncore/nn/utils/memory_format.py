"""Layouts of convolution weights, which PyTorch's kernels for GPUs care for."""

from __future__ import annotations

from typing import Any

__dyncore__ = True


def convert_conv2d_weight_memory_format(module: Any, memory_format: Any) -> Any:
    """The module as it is: no layout is faster here."""
    return module


convert_conv3d_weight_memory_format = convert_conv2d_weight_memory_format
