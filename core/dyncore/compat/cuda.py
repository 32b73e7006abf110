"""`torch.cuda` where there is no GPU: questions are answered, requests raise what PyTorch raises."""

from __future__ import annotations

from typing import Any

from dyncore.binding.imports import also, files
from dyncore.creation.legacy import CUDA_TYPES
from dyncore.tensors.size import unavailable

__dyncore__ = True
__path__: list[str] = []


class OutOfMemoryError(RuntimeError):
    """What PyTorch raises when a GPU is full; never raised here."""


class AcceleratorError(RuntimeError):
    """What PyTorch raises for the faults of a GPU; never raised here."""


CudaError = DeferredCudaCallError = AcceleratorError
default_generators: tuple[Any, ...] = ()
has_half, has_magma = True, False


def is_available() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


def is_initialized() -> bool:
    """False."""
    return False


def is_tf32_supported() -> bool:
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
    "CUDAGraph", "Event", "ExternalStream", "Stream", "StreamContext", "can_device_access_peer", "check_error",
    "clock_rate", "cudart", "current_blas_handle", "current_device", "current_stream", "default_stream",
    "device_memory_used", "get_arch_list", "get_device_capability", "get_device_name", "get_device_properties",
    "get_per_process_memory_fraction", "get_rng_state", "get_stream_from_external", "get_sync_debug_mode", "graph",
    "graph_pool_handle", "host_memory_stats", "init", "initial_seed", "list_gpu_processes",
    "make_graphed_callables", "mem_get_info", "memory_snapshot", "memory_stats", "memory_stats_as_nested_dict",
    "memory_summary", "memory_usage", "power_draw", "set_per_process_memory_fraction", "set_rng_state",
    "set_stream", "set_sync_debug_mode", "stream", "synchronize", "temperature", "utilization",
))  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in CUDA_TYPES:
        return CUDA_TYPES[name]
    if name not in _REFUSED:
        from dyncore.errors.explain import missing_in

        return missing_in(__name__)(name)

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise unavailable("cuda")

    refused.__name__ = name
    refused.__doc__ = "Raises AssertionError: there is no GPU here."
    return refused


from . import amp  # noqa: E402

also(__name__, "amp", amp)
for _file in ("autocast_mode", "grad_scaler", "common"):
    also(f"{__name__}.amp", _file, amp)
files(__name__, ("memory", "random", "streams", "graphs"))
