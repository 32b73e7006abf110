"""`torch.profiler` by name; see `autograd.profiler`."""

from __future__ import annotations

from enum import Enum
from typing import Any

from dyncore.autograd.profiler import profile as profile
from dyncore.autograd.profiler import record_function as record_function
from dyncore.errors.explain import missing_in

__dyncore__ = True

__all__ = [
    "ProfilerAction",
    "ProfilerActivity",
    "itt",
    "profile",
    "record_function",
    "schedule",
    "supported_activities",
    "tensorboard_trace_handler",
]

__getattr__ = missing_in(__name__)


class ProfilerActivity(Enum):
    """What PyTorch can be asked to profile."""

    CPU = 0
    CUDA = 2


class ProfilerAction(Enum):
    """What a schedule may ask for at a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class itt:
    """Intel's tools, which nothing here is marked for."""

    @staticmethod
    def is_available() -> bool:
        """False."""
        return False


def supported_activities() -> set[ProfilerActivity]:
    """The CPU."""
    return {ProfilerActivity.CPU}


def kineto_available() -> bool:
    """False."""
    return False


def tensorboard_trace_handler(dir_name: str, worker_name: str | None = None, use_gzip: bool = False) -> Any:
    """What writes no file: `dyncli trace` shows where time goes."""
    return lambda profile: None


def schedule(*, wait: int = 0, warmup: int = 0, active: int = 1, repeat: int = 0, skip_first: int = 0) -> Any:
    """A plan of which steps to profile: here, none."""
    return lambda step: None
