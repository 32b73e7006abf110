"""Subscripts of `x[...]`, split as PyTorch does.

First integers, slices, None and ..., then tensors.
NumPy counts an integer beside an index array as one more array, which puts dimensions elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.errors.advice import advise

__capture__ = "replayed"

WHOLE = slice(None)
_BASIC = frozenset((int, slice, type(None), type(Ellipsis)))


def in_order(array: Any) -> Any:
    """Return the array in C order, itself where it is."""
    return array if array.flags.c_contiguous else np.ascontiguousarray(array)


def in_steps_of_one(index: Any) -> bool:
    """Return True for integers and slices without steps, which NumPy takes alike.

    Faster than `split` (tests/bench, calls: x[:, 0]).
    """
    for part in index if index.__class__ is tuple else (index,):
        kind = part.__class__
        if kind is not int and (kind is not slice or part.step is not None):
            return False
    return True


def parts_of(index: Any) -> Any:
    """Return the parts of an index, one for a number or an array.

    A list in which anything else than numbers stands is a tuple, as in PyTorch, where such lists are out of favour.
    """
    if index.__class__ is list and len(index) < 32 and any(_is_part(each) for each in index):
        return tuple(index)
    return index if index.__class__ is tuple else (index,)


def _is_part(each: Any) -> bool:
    if each is None or isinstance(each, (list, tuple, range, str, slice, type(Ellipsis))):
        return True
    return getattr(getattr(each, "_array", each), "ndim", 0) > 0


def split(index: Any, shape: Any) -> tuple[Any, Any]:
    """Return (basic, advanced): an index of integers, slices and None, and one of arrays for what it gives, or None.

    Raises IndexError for too many indices, masks of another shape or what is no index, ValueError for steps below 1.
    """
    parts = parts_of(index)
    simple = True
    for part in parts:
        if part.__class__ not in _BASIC:
            simple = False
    if not simple:
        parts = [_normal(part) for part in parts]
    used = 0
    for part in parts:
        used += part.ndim if part.__class__ is np.ndarray and part.dtype.kind == "b" else _uses(part)
    if used > len(shape):
        raise _too_many(parts, shape)
    basic: list[Any] = []
    advanced: list[Any] = []
    dim = 0
    for part in parts:
        kind = part.__class__
        if kind is int:
            if not -shape[dim] <= part < shape[dim]:
                place = dim + basic.count(None)  # dimensions that the index makes count, too
                raise IndexError(f"index {part} is out of bounds for dimension {place} with size {shape[dim]}")
            basic.append(part)
            dim += 1
        elif kind is slice:
            if part.step is not None and part.step.__index__() <= 0:
                raise ValueError("step must be greater than zero")
            basic.append(part)
            advanced.append(WHOLE)
            dim += 1
        elif part is None:
            basic.append(None)
            advanced.append(WHOLE)
        elif part is Ellipsis:
            rest = len(shape) - used
            basic.extend([WHOLE] * rest)
            advanced.extend([WHOLE] * rest)
            dim += rest
        elif kind is bool:
            basic.append(None)
            advanced.append(np.array([part]))
        else:
            dim = _array_part(part, shape, dim, basic, advanced)
    basic.append(Ellipsis)
    return tuple(basic), None if simple else _none_if_basic(advanced)


def _none_if_basic(advanced: Any) -> Any:
    return tuple(advanced) if any(each.__class__ is not slice for each in advanced) else None


def _uses(part: Any) -> int:
    return 0 if part is None or part is Ellipsis or part.__class__ is bool else 1


def _normal(part: Any) -> Any:
    """Normalize one part of an index.

    An int, a slice, None, ..., a bool, or an array of integers or booleans.
    """
    if part.__class__ in _BASIC or part.__class__ is bool:
        return part
    if isinstance(part, (list, range, tuple)):
        array = np.asarray(part)
        part = array if array.size else array.astype(np.int64)
    if isinstance(part, (np.ndarray, np.generic)):
        if part.dtype.kind == "u" and part.dtype.itemsize == 1:
            advise("uint8")
            part = part.astype(bool)
        whole = part.dtype.kind in "iu" and (part.dtype.itemsize > 3 or not part.ndim)
        if not whole and part.dtype.kind != "b":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if not part.ndim:
            return part.item()
        return np.asarray(part)
    if isinstance(part, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(part, (float, complex)) or not hasattr(part, "__index__"):
        raise IndexError(
            f"only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
            f"{type(part).__name__})"
        )
    return part.__index__()


def _array_part(part: Any, shape: Any, dim: Any, basic: Any, advanced: Any) -> Any:
    if part.dtype.kind == "b":
        for each, size in enumerate(part.shape):
            if size != shape[dim + each]:
                raise IndexError(
                    f"The shape of the mask {list(part.shape)} at index {each} does not match the shape of the indexed "
                    f"tensor {list(shape)} at index {dim + each}"
                )
        basic.extend([WHOLE] * part.ndim)
        advanced.append(part)
        return dim + part.ndim
    basic.append(WHOLE)
    advanced.append(part)
    return dim + 1


def out_of_bounds(advanced: Any, shape: Any, number: int = 0) -> IndexError:
    """Return the IndexError that names the place outside `shape`, or says that the index arrays do not broadcast.

    number: PyTorch's for the first dimension that a tensor reads; it counts no others.
    """
    dim = 0
    for part in advanced:
        if part.__class__ is slice:
            dim += 1
            continue
        if part.dtype.kind != "b":
            bad = part[(part < -shape[dim]) | (part >= shape[dim])]
            if bad.size:
                return IndexError(f"index {bad.flat[0]} is out of bounds for dimension {number} with size {shape[dim]}")
        count = part.ndim if part.dtype.kind == "b" else 1
        dim, number = dim + count, number + count
    shapes = ", ".join(str(list(part.shape)) for part in advanced if part.__class__ is not slice)
    return IndexError(f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}")


def _too_many(parts: Any, shape: Any) -> IndexError:
    if not shape and not any(isinstance(each, np.ndarray) for each in parts):
        return IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
            "0-dim tensor to a number"
        )
    return IndexError(f"too many indices for tensor of dimension {len(shape)}")


def _cutting(parts: Any, shape: Any) -> list[Any]:
    """Return the parts that take less than all there is along a dimension, or make one."""
    found: list[Any] = []
    dim = 0
    for number, part in enumerate(parts):
        if part is Ellipsis:
            dim = len(shape) - sum(_uses(each) for each in parts[number + 1 :])
            continue
        if part.__class__ is not slice or not _is_whole(part, shape[dim]):
            found.append(part)
        dim += _uses(part)
    return found


def _is_whole(part: Any, size: Any) -> bool:
    return not part.start and (part.stop is None or part.stop >= size) and part.step in (None, 1)


def _is_number(part: Any) -> bool:
    return part.ndim == 0 and part.dtype.kind in "iu"


def title(index: Any, input_shape: Any, first: bool = False) -> str:
    """Return the name of the last or first node that PyTorch makes for `x[index]`: one for each part that cuts."""
    parts = parts_of(index)
    advanced = split(index, input_shape)[1] is not None
    if advanced and not first:
        return "IndexBackward0"
    if index.__class__ is slice:
        return "SliceBackward0"
    cutting = [
        part
        for part in _cutting(parts, input_shape)
        if part is None or part.__class__ in (int, slice) or (hasattr(part, "dtype") and _is_number(part))
    ]
    if not cutting:
        return "IndexBackward0" if advanced else "AliasBackward0"
    part = cutting[0 if first else -1]
    if isinstance(part, slice):
        return "SliceBackward0"
    return "UnsqueezeBackward0" if part is None else "SelectBackward0"
