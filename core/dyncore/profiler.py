"""`torch.profiler` by name; see `autograd.profiler`."""

from __future__ import annotations

from enum import Enum
from typing import Any

from .autograd.profiler import profile as profile
from .autograd.profiler import record_function as record_function
from .explain import missing_in

__dyncore__ = True

__all__ = ["ProfilerActivity", "profile", "record_function", "schedule"]

__getattr__ = missing_in(__name__)


class ProfilerActivity(Enum):
    """What PyTorch can be asked to profile."""

    CPU = 0
    CUDA = 2


def schedule(*, wait: int = 0, warmup: int = 0, active: int = 1, repeat: int = 0, skip_first: int = 0) -> Any:
    """A plan of which steps to profile: here, none."""
    return lambda step: None
