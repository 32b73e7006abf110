"""Questions about values that a tape asks: do they change, do they share memory, are they the ones it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.source import caller_frame, place

from .program import Slot, same_bits

ARRAYS = (np.ndarray, np.generic)
SHAPES = frozenset(("shape", "ndim", "numel", "__len__"))
VALUES = frozenset(
    ("__bool__", "item", "__float__", "__int__", "__index__", "__complex__", "tolist", "equal", "allclose")
)
PLAIN = frozenset((int, float, bool, str, complex, type(None), np.dtype, dtypes.dtype))


def drawn(function: Any, args: Any, kwargs: Any) -> Any:
    """A fresh random array, 0-d as a scalar like the one recorded."""
    array = function(*args, **kwargs)
    return array if array.ndim else array[()]


def overlap(first: Any, second: Any) -> bool:
    return first is second or (
        first.__class__ is np.ndarray and second.__class__ is np.ndarray and np.may_share_memory(first, second)
    )


def numbers_only(tree: Any) -> bool:
    """Whether nothing in `tree` is a tensor, an array or anything else whose values may change."""
    if isinstance(tree, (tuple, list)):
        return all(numbers_only(each) for each in tree)
    if isinstance(tree, dict):
        return all(numbers_only(each) for each in tree.values())
    return type(tree) in PLAIN or isinstance(tree, np.dtype) or type(tree).__name__ == "device"


def plain_tree(tree: Any) -> bool:
    return all(plain_tree(e) for e in tree) if isinstance(tree, (tuple, list)) else type(tree) in PLAIN


def has_array(tree: Any) -> bool:
    if isinstance(tree, (tuple, list)):
        return any(has_array(each) for each in tree)
    if isinstance(tree, slice):
        return has_array((tree.start, tree.stop, tree.step))
    return isinstance(tree, ARRAYS) or not (
        type(tree) in PLAIN or tree is Ellipsis or isinstance(tree, (np.dtype, type))
    )


def matches(tree: Any, held: Any) -> bool:
    """Whether the slots of `tree` stand for the arrays of `held`."""
    if type(tree) is Slot:
        return tree.value is held or (isinstance(held, ARRAYS) and same_bits(tree.value, held))
    if isinstance(held, (tuple, list)):
        return isinstance(tree, (tuple, list)) and len(tree) == len(held) and all(map(matches, tree, held))
    return tree is held or (not isinstance(held, ARRAYS) and type(tree) in PLAIN | {slice} and tree == held)


def outcome(value: Any) -> Any:
    """A key for a value that left for Python: equal for values that Python cannot tell apart."""
    return value if value.__class__ in (bool, int) else (value.__class__.__name__, repr(value))


def site() -> str:
    """The user's line that runs now."""
    frame = caller_frame(1)
    return str(place(frame.f_code, frame.f_lasti))
