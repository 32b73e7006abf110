"""`torch.autograd.grad_mode`: grad modes under their module's name in PyTorch."""

from __future__ import annotations

from dyncore.graph.modes import (
    enable_grad as enable_grad,
    inference_mode as inference_mode,
    no_grad as no_grad,
    set_grad_enabled as set_grad_enabled,
    set_multithreading_enabled as set_multithreading_enabled,
)

from .graph import unsafe_preserve_version_counter as _unsafe_preserve_version_counter

__all__ = [
    "_unsafe_preserve_version_counter", "enable_grad", "inference_mode", "no_grad", "set_grad_enabled",
    "set_multithreading_enabled",
]  # fmt: skip
