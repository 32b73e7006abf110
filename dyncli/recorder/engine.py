"""The one module of the tool that imports the engine.

Listening: `Listener`, `listen`, `not_recorded` and the constants of the compact form of events.
Queries: the owner of an array's memory, the edge of a leaf, the tables of ops and dtypes.
Calls: `backward` and `grad`, the default dtype, the random generators, the conversion of arrays to tensors.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dyncore import autograd, process, random
from dyncore.creation import interop as exchange
from dyncore.dispatch.outer import Outer
from dyncore.dispatch.registry import TABLE, Op
from dyncore.dispatch.saved.hooks import Packed
from dyncore.dtypes import dtypes
from dyncore.engine.api import walk
from dyncore.engine.hooks import RemovableHandle
from dyncore.errors.source import Place, caller_frame, is_engine, place as place_of, spanned
from dyncore.graph import events, modes as grad_mode
from dyncore.graph.edges import Partial
from dyncore.graph.elementwise import UnaryNode
from dyncore.graph.events import (
    AGAIN,
    MOST,
    QUIET,
    ROWS,
    SMALL,
    Listener,
    few,
    listen,
    not_recorded,
    pack_after,
)
from dyncore.graph.modes import is_grad_enabled, nondefault_modes
from dyncore.graph.node import AccumulateGrad, next_rank
from dyncore.graph.versions import owner
from dyncore.rng.generator import Generator, drawn as draws
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor, storage, wrap
from dyncore.tensors.views import shares_memory

__all__ = [
    "AGAIN",
    "MOST",
    "QUIET",
    "ROWS",
    "SMALL",
    "TABLE",
    "AccumulateGrad",
    "Generator",
    "Listener",
    "MetaArray",
    "Op",
    "Outer",
    "Packed",
    "Parameter",
    "Partial",
    "Place",
    "RemovableHandle",
    "Size",
    "Tensor",
    "UnaryNode",
    "autograd",
    "batching",
    "caller_frame",
    "draws",
    "dtypes",
    "events",
    "exchange",
    "few",
    "grad_mode",
    "is_engine",
    "is_grad_enabled",
    "listen",
    "next_rank",
    "nondefault_modes",
    "not_recorded",
    "observe_groups",
    "owner",
    "pack_after",
    "place_of",
    "process",
    "random",
    "shares_memory",
    "spanned",
    "storage",
    "walk",
    "wrap",
]  # fmt: skip


def batching() -> tuple[type[Tensor], Any]:
    """Import the class of the tensors of a batch, and what runs examples together; few commands need it."""
    from dyncore.batching.lazy import Lazy
    from dyncore.batching.run import together

    return Lazy, together


@contextmanager
def observe_groups(observer: Any) -> Iterator[None]:
    """Report the groups of batches to `observer` inside the block (`batching/scheduler.py`)."""
    from dyncore.batching import scheduler

    scheduler.observer = observer
    try:
        yield
    finally:
        scheduler.observer = None
