"""`torch.cuda` where there is no GPU: questions are answered, requests raise what PyTorch raises."""

from __future__ import annotations

from typing import Any

from .legacy import CUDA_TYPES
from .size import unavailable

__dyncore__ = True


def is_available() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


def is_initialized() -> bool:
    """False."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False."""
    return False


def manual_seed(seed: int) -> None:
    """Nothing: without a GPU PyTorch keeps the seed for later."""


def manual_seed_all(seed: int) -> None:
    """Nothing: without a GPU PyTorch keeps the seed for later."""


seed = seed_all = empty_cache = ipc_collect = lambda: None


def set_device(device: Any) -> None:
    """Raises AssertionError unless the index is negative, which means no change."""
    if not (isinstance(device, int) and device < 0):
        raise unavailable("cuda")


def memory_allocated(device: Any = None) -> int:
    """0."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def reset_peak_memory_stats(device: Any = None) -> None:
    """Nothing."""


class device:
    """A block that changes nothing: without a GPU there is none to choose."""

    def __init__(self, device: Any) -> None:
        self.idx = device

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        return None


device_of = device


def is_current_stream_capturing() -> bool:
    """False."""
    return False


def get_rng_state_all() -> list[Any]:
    """An empty list: one state for each of no GPUs."""
    return []


def set_rng_state_all(new_states: Any) -> None:
    """Nothing."""


memory_cached = max_memory_cached = memory_allocated
reset_max_memory_allocated = reset_max_memory_cached = reset_accumulated_memory_stats = reset_peak_memory_stats

_REFUSED = frozenset((
    "current_device", "get_device_name", "get_device_properties", "get_device_capability", "synchronize",
    "current_stream", "default_stream", "stream", "Stream", "Event", "mem_get_info", "get_arch_list", "get_rng_state",
    "set_rng_state", "init", "memory_summary", "memory_stats", "can_device_access_peer", "utilization", "temperature",
    "power_draw", "initial_seed", "set_stream", "set_per_process_memory_fraction", "memory_snapshot",
    "list_gpu_processes", "StreamContext", "ExternalStream", "CUDAGraph", "graph", "make_graphed_callables",
))  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in CUDA_TYPES:
        return CUDA_TYPES[name]
    if name == "amp":
        from . import amp

        return amp
    if name not in _REFUSED:
        from .explain import missing_in

        return missing_in(__name__)(name)

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise unavailable("cuda")

    refused.__name__ = name
    refused.__doc__ = "Raises AssertionError: there is no GPU here."
    return refused
