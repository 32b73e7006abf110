"""Ops that are called often get an entry of their own, written for their signature and compiled once.

The general path binds arguments by loops and dictionaries, 8 us a call. After `WARM` calls its place is taken by a
function with the op's own parameters that does the same in 1-2 us (tests/bench, `entries`). Compiling takes
about a millisecond, which a short script never pays. Whatever is unusual still goes to `general.call`.

For `sum(input, dim=None, keepdim=False, *, dtype=None)` the source is

    def sum(input, dim=_dim, keepdim=_keepdim, *, dtype=_dtype, out=None, **more):
        mode = current()
        if not isinstance(input, Tensor) or ...: return odd(op, (input, dim, keepdim), {"dtype": dtype, ...})
        a_input = input._array
        r = forward(a_input, dim, keepdim, dtype=dtype)
        ...
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from types import FunctionType
from typing import Any

import numpy as np

from . import dispatch
from .dtypes import F32, F64
from .fitting import CONVERTING, weak_fitting
from .general import call, check_savable, failure, unwrap
from .general_nodes import general_node
from .grad_mode import GRAD, NO_GRAD, current, unusual
from .graph import Output, ranks
from .hot_calls import ABSENT, lacking, odd, operator
from .kernels import check as check_kernel
from .own_code import own_code
from .registry import Kept, Op
from .scalars import weak
from .tensor import Tensor, storage
from .views import note_view, shares_memory

__capture__ = "replayed"

WARM = 30
_SIMPLE = frozenset((int, float, bool, str, type(None), slice))


_WORLD: dict[str, Any] = {
    "__name__": "dyncore.hot", "__dyncore__": True, "__builtins__": __builtins__,
    "Tensor": Tensor, "GRAD": GRAD, "NO_GRAD": NO_GRAD, "SIMPLE": _SIMPLE, "current": current, "call": call,
    "unusual": unusual, "ndarray": np.ndarray,
    "odd": odd, "ABSENT": ABSENT, "lacking": lacking, "failure": failure,
    "unwrap": unwrap, "check_savable": check_savable, "dispatch": dispatch,
    "now": perf_counter, "new": object.__new__,
    "ranks": ranks, "Output": Output, "theirs": None,
    "getframe": sys._getframe, "Kept": Kept, "storage": storage, "note_view": note_view,
    "F32": F32, "F64": F64, "float32": np.float32, "float64": np.float64,
    "check_kernel": check_kernel,
    "shares_memory": shares_memory, "np": np, "weak": weak, "NUMBERS": frozenset((int, float, bool, complex)),
}  # fmt: skip

_FIRST, _LATER = (
    compile(f"def entry(*args, **kwargs): return {call}", "<dyncore>", "exec").co_consts[0]
    for call in ("warm(args, kwargs)", "call(op, args, kwargs)")
)


def warming_entry(op: Op, within: Callable[..., Any] | None = None, dunder: bool = False) -> Callable[..., Any]:
    """The general entry of `op`, which becomes the compiled one after `WARM` calls.

    It stays the same function, whose code is exchanged: whoever holds it gets the faster one, and `f is torch.sum`
    stays true.

    dunder: whether it is an operator's, and answers NotImplemented to what it cannot take.
    within: what is called in its place, but for a tensor alone once that is warm: 0.5 us of `max` (bench, early exit).
    """
    names: dict[str, Any] = {**_WORLD, "op": op}
    call = names["call"]
    if dunder:
        names["odd"], names["call"] = operator(odd), operator(call)
        call = names["call"]
    entry = FunctionType(_FIRST, names, op.name)
    left = WARM

    def warm(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        nonlocal left
        left -= within is None or (len(args) == 1 and not kwargs)
        if not left:
            heat(entry, op, names, within is not None)
        return call(op, args, kwargs) if within is None else within(*args, **kwargs)

    def others(_: Op, values: tuple[Any, ...], more: dict[str, Any]) -> Any:
        return within(*[value for value in values if value is not ABSENT], **more)  # type: ignore[misc]

    names["warm"] = warm
    if within is not None:
        names["odd"] = others
    return entry


def heat(entry: FunctionType, op: Op, names: dict[str, Any], within: bool = False) -> None:
    """Exchanges the code of `entry` for that of its signature, where the op is of a kind that can have one."""
    from .hot_source import source_of  # when an op gets warm, not in every start

    source = source_of(op, within)
    if source is None:
        entry.__code__ = _LATER
        return
    if op.name in CONVERTING:
        names["weak"] = weak_fitting
    names["forward"] = op.forward if op.variadic else own_code(op.forward)  # which takes all by position: 0.05 us
    made = _compiled(op, source, names)
    entry.__defaults__, entry.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
    entry.__code__ = made.__code__


def _compiled(op: Op, source: str, names: dict[str, Any]) -> FunctionType:
    from . import hot_many
    from .hot_nodes import conjugates, hot_node
    from .hot_source import patterns

    names.update({f"_{name}": value for name, value in op.defaults.items()})
    if op.at_once is not None:
        names.update(op.at_once[2])
    if hot_many.takes(op):
        names["node_class"] = general_node(op)
        names["aims"] = tuple((name, None) for name in hot_many.sought(op))
        names["return_type"] = op.return_type
        names["title"] = op.default_title
    for number, given in enumerate(() if hot_many.takes(op) else patterns(op)):
        if given:
            names[f"class{number}"] = hot_node(op, given, False)
            names[f"real{number}"] = hot_node(op, given, True) if conjugates(op) else None
    space: dict[str, Any] = {}
    exec(compile(source, f"<dyncore {op.name}>", "exec"), names, space)
    return space["entry"]  # type: ignore[no-any-return]
