"""Code of the commonest calls on lazy tensors, which join the group that `calls.join` found for such a call before.

Each has a call's key without the work of `join`, and makes the lazy tensor itself: a call here costs less than two
calls of Python functions. All other calls take the way through `calls`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from dyncore.graph.modes import current, nondefault_modes

from .groups import new
from .lazy import Lazy
from .scheduler import running

_JOINED = """
    if (
        part
        and current_batch() is scheduler
        and not scheduler.paused
        and (not nondefault_modes or current() is scheduler.mode)
    ):
        part.first.append(tensor.row)
        {last}
        {several}
        made = new(*only_lazy)
        made.home = group = part.group
        made.row = row = group.count
        group.count = row + 1
        part.places.append(row)
        return made
"""
_SEVERAL = "if part.pack is not None: return part.result()"
_LAST = "if kind is Lazy: part.last.append(other.row)"
_ALONE = _JOINED.format(last="", several=_SEVERAL)
_PAIR = _JOINED.format(last=_LAST, several=_SEVERAL)
_OPERATED = _JOINED.format(last=_LAST, several="")

# The function of an op while a batch runs, with the globals of the op's own: for one lazy tensor, or one before the
# weight and bias of a layer.
_OF_ONE = """
def entry(*args, **kwargs):
    if len(args) != {count} or args[0].__class__ is not Lazy or kwargs:
        return diverted(args, kwargs)
    tensor = args[0]
    home = tensor.home
    scheduler = home.scheduler
    try:
        part = scheduler.table[{key}]
    except KeyError:
        return diverted(args, kwargs)
{joined}
    return diverted(args, kwargs)
"""

# The same for one lazy tensor alone, with another, a parameter, an integer or a slice.
_OF_TWO = f"""
def entry(*args, **kwargs):
    if not args or args[0].__class__ is not Lazy or kwargs:
        return diverted(args, kwargs)
    tensor = args[0]
    home = tensor.home
    scheduler = home.scheduler
    count = len(args)
    other = kind = None
    if count == 1:
        key = op, home
    elif count == 2:
        other = args[1]
        kind = other.__class__
        if kind is Lazy:
            key = op, home, other.home
        elif kind is int:
            key = op, home, int, other
        elif kind is slice:
            key = op, home, slice, other.start, other.stop, other.step
        else:
            key = op, home, id(other)
    else:
        return diverted(args, kwargs)
    try:
        part = scheduler.table[key]
    except (KeyError, TypeError):  # a slice of something that cannot be hashed
        return diverted(args, kwargs)
{_PAIR}
    return diverted(args, kwargs)
"""

# One step of a recurrent network, whose state is a lazy tensor.
_CELL = f"""
def step(cell, tensor, other, *weights):
    kind = other.__class__
    if tensor.__class__ is not Lazy or kind is not Lazy:
        return diverted((cell, tensor, other, *weights), {{}})
    home = tensor.home
    scheduler = home.scheduler
    part = scheduler.table.get((op, id(cell), home, other.home, *map(id, weights)))
{_PAIR}
    return diverted((cell, tensor, other, *weights), {{}})
"""

_OPERATOR = f"""
def operator(tensor, other):
    home = tensor.home
    scheduler = home.scheduler
    kind = other.__class__
    if kind is Lazy:
        key = op, home, other.home
    {{branches}}
    else:
        key = {{constant}}
    try:
        part = scheduler.table[key]
    except (KeyError, TypeError):
        return otherwise(tensor, other)
{_OPERATED}
    return otherwise(tensor, other)
"""
_NUMBER = "elif kind is float or kind is int: key = "
_OPERATORS = {
    "left": (f"{_NUMBER} op, home, kind, other or zero(other)", "op, home, id(other)"),
    "right": (f"{_NUMBER} op, kind, other or zero(other), home", "op, id(other), home"),
    "subscript": (
        "elif kind is int: key = op, home, int, other\n"
        "    elif kind is slice: key = op, home, slice, other.start, other.stop, other.step",
        "op, home, id(other)",
    ),
}  # how keys begin with a lazy tensor that stands left or right of another operand


def _code(text: str) -> Any:
    return compile(text, "<dyncore>", "exec").co_consts[0]


_UNARY = _code(_OF_ONE.format(count=1, key="op, home", joined=_ALONE))
_LAYER = _code(_OF_ONE.format(count=3, key="op, home, id(args[1]), id(args[2])", joined=_ALONE))
_OTHER = _code(_OF_TWO)
_STEP = _code(_CELL)
_CODES = {
    kind: _code(_OPERATOR.format(branches=branches, constant=constant))
    for kind, (branches, constant) in _OPERATORS.items()
}


def zero(value: Any) -> Any:
    """Return what stands in a key for a value that is false: -0.0 equals 0.0, and is another number."""
    return repr(value) if value.__class__ is float else value


def code_of(op: Any) -> CodeType:
    """Return the code of an op's function while a batch runs: a new one, which has CPython's inline caches."""
    if op.batching == "cell":
        return _STEP.replace()
    if op.batching == "linear":
        return _LAYER.replace()
    return (_UNARY if op.names == ("input",) else _OTHER).replace()


def globals_of(op: Any, **functions: Callable[..., Any]) -> dict[str, Any]:
    """Return the globals of the code of an op while a batch runs; `functions` take the other calls."""
    return {
        "op": op, "Lazy": Lazy, "new": new, "only_lazy": (Lazy,), "current_batch": running.get,
        "zero": zero, "nondefault_modes": nondefault_modes, "current": current, **functions,
    }  # fmt: skip


def operator(name: str, kind: str, op: Any, otherwise: Callable[[Any, Any], Any]) -> FunctionType:
    """Return an operator of lazy tensors.

    kind: where the lazy tensor stands, "left" or "right", or "subscript".  otherwise: takes the calls of other keys.
    """
    return FunctionType(_CODES[kind].replace(), globals_of(op, otherwise=otherwise), name)
