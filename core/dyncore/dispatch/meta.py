"""Results of ops on meta tensors: shapes and dtypes.

An op that says `shape=` in its block is not run, an elementwise op runs on one element, others on zeros that take no
memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.tensors.meta_array import MetaArray, no_elements

from .registry import Kept, Op

MOST = 1 << 28  # elements of an operand that a forward runs on


def result_of(op: Op, raws: list[Any], named: dict[str, Any]) -> Any:
    """Return what `op` makes of arguments with meta arrays among them, with meta arrays for all arrays.

    Raises RuntimeError for an array that has elements and dimensions, but as an index, and NotImplementedError for an
    op that would take too long.
    """
    if op.name in SIZED_BY_DATA or op.name == "repeated_places" or (op.name == "__getitem__" and _masks(*raws[1:])):
        error = no_elements(f"aten::{op.name}: attempted to run this operator with Meta tensors")
        error.add_note("the elements of the input decide the shape of the result")
        raise error
    if op.name == "copy" and raws[0].__class__ is not MetaArray:
        raise no_elements()
    if op.name not in _INDEXING and any(isinstance(each, np.ndarray) and each.ndim for each in raws):
        other, first = ("cpu", "meta") if raws[0].__class__ is MetaArray else ("meta", "cpu")
        raise RuntimeError(f"Tensor on device {other} is not on the expected device {first}!")
    if op.shape is not None and (shape := op.shape(*raws, **named)) is not None:
        return MetaArray(shape, raws[0].dtype)
    if op.kind in ("unary", "binary"):
        shape = np.broadcast_shapes(*[each.shape for each in raws if hasattr(each, "shape")])
        return _without(op.forward(*_replaced(raws, _one), **_replaced(named, _one)), shape)
    if not op.view and max((getattr(each, "size", 0) for each in raws), default=0) > MOST:
        error = NotImplementedError(f"aten::{op.name}: too many elements of a Meta tensor for a run on zeros")
        error.add_note("hint: the shapes follow from a smaller batch as well")
        raise error
    return _without(op.forward(*_replaced(raws, _zeros), **_replaced(named, _zeros)))


def holds_meta(*values: Any) -> bool:
    """Return True if there is a meta array, or a tensor with one, among the values or in their lists."""
    for value in values:
        kind = value.__class__
        if kind is list or kind is tuple:
            if holds_meta(*value):
                return True
        elif kind is MetaArray or getattr(value, "_array", None).__class__ is MetaArray:
            return True
    return False


_INDEXING = frozenset(("__getitem__", "index_put", "index_select", "copy"))
# Ops whose results have a size that the elements of their inputs decide.
SIZED_BY_DATA = frozenset(("nonzero", "argwhere", "masked_select", "unique", "unique_consecutive", "bincount"))


def _masks(*index: Any) -> bool:
    """Return True if there is a mask without elements in an index."""
    return any(
        _masks(*each) if each.__class__ in (tuple, list) else each.__class__ is MetaArray and each.dtype.kind == "b"
        for each in index
    )


def _one(array: MetaArray) -> Any:
    return array.dtype.type(0)


def _zeros(array: MetaArray) -> Any:
    return np.broadcast_to(np.zeros((), array.dtype), array.shape)


def _replaced(value: Any, make: Callable[[MetaArray], Any]) -> Any:
    if value.__class__ is MetaArray:
        return make(value)
    if isinstance(value, dict):
        return {name: _replaced(each, make) for name, each in value.items()}
    return value.__class__([_replaced(each, make) for each in value]) if value.__class__ in (list, tuple) else value


def _without(result: Any, shape: Any = None) -> Any:
    """Return a forward's result without elements.

    shape: that of all arrays in it, if not their own.
    """
    if result.__class__ is Kept:
        return Kept((_without(result[0], shape), _without(result[1], shape)))
    if isinstance(result, dict):
        return {name: _without(each, shape) for name, each in result.items()}
    if result.__class__ in (list, tuple):
        return result.__class__([_without(each, shape) for each in result])
    if isinstance(result, (np.ndarray, np.generic)):
        return MetaArray(result.shape if shape is None else shape, result.dtype)
    return result
