"""`vmap` with one call of its function."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any
from weakref import WeakSet

from dyncore.creation.trees import unflatten
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor

from .once import Once, at_once
from .run import exchange, possible

FEW = 24  # slices that are sooner computed by a call each than by one for which ops are exchanged
_several: WeakSet[Any] = WeakSet()  # functions that gave up, or their code: they are not tried again


def _remembered(func: Any) -> Any:
    """Return the code of a function, which a lambda made anew shares; the function if variables are part of it."""
    func = getattr(func, "__func__", func)
    if func.__class__ is not FunctionType:
        return None
    return func if func.__closure__ else func.__code__


def once(func: Callable[..., Any], leaves: list[Any], dims: list[Any], shape: Any, kwargs: dict[str, Any]) -> Any:
    """Call `func` once for all slices.

    Returns its results as leaves with the slices first, their structure, and the arguments by dimension and id.
    leaves, dims, shape: the arguments as `vmap` has them.  NotImplemented where the slices need a call each: they are
    few, or the function asks for a value, draws numbers, writes in place, calls an op without a rule, or returns what
    is no slice.
    """
    key = _remembered(func)
    mapped = [leaf for leaf, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not possible() or key in _several or any(leaf.__class__ not in (Tensor, Parameter) for leaf in mapped):
        return NotImplemented
    rows = next(leaf._array.shape[dim] for leaf, dim in zip(leaves, dims, strict=True) if dim is not None)
    if rows < FEW:
        return NotImplemented
    scheduler = Once(rows)
    given = [
        leaf if dim is None else scheduler.slices(leaf, dim % leaf._array.ndim)
        for leaf, dim in zip(leaves, dims, strict=True)
    ]
    with exchange.on():
        made = at_once(scheduler, lambda: func(*unflatten(shape, given), **kwargs))
    if made is NotImplemented and key is not None:
        _several.add(key)
    return made if made is NotImplemented else (*made, scheduler.whole)
