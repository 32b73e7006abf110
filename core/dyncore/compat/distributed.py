"""`torch.distributed` of a build without it: scripts that ask are told that there is one process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.errors.explain import missing_name
from dyncore.errors.instead import ONE_PROCESS, no_group

__dyncore__ = True
__path__: list[str] = []

# Called by scripts that were meant for several processes; there PyTorch says that there is no group yet.
_OF_A_GROUP = frozenset((
    "get_rank", "get_world_size", "get_backend", "barrier", "monitored_barrier", "all_reduce", "all_gather",
    "all_gather_into_tensor", "all_gather_object", "all_to_all", "all_to_all_single", "broadcast",
    "broadcast_object_list", "gather", "gather_object", "reduce", "reduce_scatter", "reduce_scatter_tensor", "scatter",
    "scatter_object_list", "send", "recv", "isend", "irecv", "new_group", "destroy_process_group",
))  # fmt: skip


def is_available() -> bool:
    """False."""
    return False


def is_initialized() -> bool:
    """False: there is no process group."""
    return False


is_nccl_available = is_gloo_available = is_mpi_available = is_torchelastic_launched = is_initialized


class ReduceOp:
    """What several processes can do with their tensors, by name."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = ("SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR")


def init_process_group(*args: Any, **kwargs: Any) -> None:
    """Raises RuntimeError: there is one process."""
    error = RuntimeError("dyncore has no process groups")
    error.add_note(ONE_PROCESS)
    raise error


def _refused(name: str) -> Callable[..., Any]:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise no_group()

    refused.__name__ = name
    refused.__doc__ = "Raises ValueError: there is no process group."
    return refused


def __getattr__(name: str) -> Any:
    if name in _OF_A_GROUP:
        return _refused(name)
    import sys

    error = missing_name("torch.distributed", name, sys.modules[__name__])
    if not name.startswith("_") and ONE_PROCESS not in getattr(error, "__notes__", ()):
        error.add_note(ONE_PROCESS)
    raise error
