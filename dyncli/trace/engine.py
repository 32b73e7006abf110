"""The one module of recording that imports the engine.

Listening: `Listener`, `listen`, `not_recorded` and the constants of the compact form of events.
Queries: the owner of an array's memory, the edge of a leaf, the tables of ops and dtypes.
Calls: `backward` and `grad`, the default dtype, the random generators, the conversion of arrays to tensors.
"""

from dyncore import autograd, dtypes, exchange, grad_mode, process, random
from dyncore.events import AGAIN, MOST, QUIET, ROWS, SMALL, Listener, few, listen, pack_after
from dyncore.events import unheard as not_recorded
from dyncore.grad_mode import is_grad_enabled
from dyncore.graph import AccumulateGrad, next_rank
from dyncore.outer import Outer
from dyncore.parameter import Parameter
from dyncore.partial import Partial
from dyncore.registry import TABLE, Op
from dyncore.sites import Place, spanned
from dyncore.size import Size
from dyncore.swift import SwiftSingle
from dyncore.tensor import Tensor, storage, wrap
from dyncore.versions import owner
from dyncore.views import shares_memory

__all__ = [
    "AGAIN", "MOST", "QUIET", "ROWS", "SMALL", "TABLE", "AccumulateGrad", "Listener", "Op", "Outer", "Parameter",
    "Partial", "Place", "Size", "SwiftSingle", "Tensor", "autograd", "dtypes", "exchange", "few", "grad_mode",
    "is_grad_enabled", "listen", "next_rank", "not_recorded", "owner", "pack_after", "process", "random",
    "shares_memory", "spanned", "storage", "wrap",
]  # fmt: skip
