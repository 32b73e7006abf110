"""`torch.cpu`: the one device there is, with streams that are all the same."""

from __future__ import annotations

import sys
from typing import Any

from dyncore.errors.explain import missing_in
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.tensors.size import check_device

from . import amp as gpu_amp
from .amp import autocast

__dyncore__ = True

__all__ = [
    "Stream", "StreamContext", "amp", "current_device", "current_stream", "device_count", "get_capabilities",
    "is_available", "is_initialized", "set_device", "stream", "synchronize",
]  # fmt: skip


class Stream:
    """The order in which things are computed anyway."""

    def __init__(self, priority: int = -1) -> None:
        self.priority = priority

    def wait_stream(self, stream: Any) -> None:
        """Nothing."""

    record_event = wait_event = wait_stream


class StreamContext:
    """A block that changes nothing."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        return None


class amp:
    """`torch.cpu.amp`."""

    autocast = autocast


def is_available() -> bool:
    """True."""
    return True


is_initialized = is_available


def device_count() -> int:
    """1."""
    return 1


def current_device() -> str:
    """ "cpu"."""
    return "cpu"


def current_stream(device: Any = None) -> Stream:
    """The one stream."""
    return Stream()


def stream(stream: Any) -> StreamContext:
    """A block that changes nothing."""
    return StreamContext(stream)


def synchronize(device: Any = None) -> None:
    """Nothing."""


set_device = synchronize


def get_capabilities() -> dict[str, Any]:
    """An empty dict: NumPy chooses what it uses of the processor."""
    return {}


@capture_as(REPLAYED)
def get_device_module(device: Any = None) -> Any:
    """Return `torch.cpu`.  Raises for a device that is not here."""
    check_device(device)
    return sys.modules[__name__]


__getattr__ = missing_in(__name__)
for _name in ("amp", "amp.autocast_mode", "amp.grad_scaler"):
    sys.modules[f"{__name__}.{_name}"] = gpu_amp
