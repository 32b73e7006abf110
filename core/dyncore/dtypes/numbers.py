"""Python numbers as operands: turned once into a 0-d array of the tensor's dtype, and kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dtypes import BOOL, F32, F64, I64

ndarray = np.ndarray
_LIMIT = 4096


def known_numbers(kind: Any) -> dict[Any, Any]:
    """Return the operands already made of Python numbers, for arrays or for scalars of a dtype; none where they differ.

    Zeros are found by their types, as 0, 0.0 and -0.0 would be one key; that of `float` is for comparisons alone, to
    which its sign does not matter.
    """
    if kind is None:
        return {}
    dtype, scalar = kind
    return (_scalars if scalar else _arrays)[dtype]


def weak(value: Any, beside: Any) -> Any:
    """Return `value` in the dtype of the array `beside`, or None.

    None when PyTorch would compute in another dtype.  A cached 0-d operand is faster in a ufunc than a Python float
    (tests/bench, chain).
    """
    kind = type(value)
    dtype = beside.dtype
    if kind is float:
        if dtype is not F32 and dtype is not F64:
            return None if dtype.kind not in "fc" else _made(value, dtype, beside.__class__ is not ndarray)
    elif kind is int:
        if dtype.kind == "b":
            return None
        if dtype is not F32 and dtype is not F64 and dtype is not I64:
            return _made(value, dtype, beside.__class__ is not ndarray)
    elif kind is bool:
        return _made(value, dtype, beside.__class__ is not ndarray)
    elif kind is complex:
        return _made(value, dtype, beside.__class__ is not ndarray) if dtype.kind == "c" else None
    else:
        return None
    table = (_arrays if beside.__class__ is ndarray else _scalars)[dtype]
    key = value or (int if kind is int else None)  # as `known_numbers` says
    found = table.get(key)
    if found is not None:
        return found
    made = _made(value, dtype, beside.__class__ is not ndarray)
    # Large tables are not worth keeping.
    if key is not None and len(table) < _LIMIT and value == value:
        table[key] = made
    return made


def weak_unless_bool(value: Any, beside: Any) -> Any:
    """Return `weak`, but None for True and False, which PyTorch does not subtract."""
    return None if value.__class__ is bool else weak(value, beside)


def _made(value: Any, dtype: np.dtype[Any], scalar: bool) -> Any:
    if dtype is not BOOL and dtype.kind in "iu":
        made = np.asarray(value).astype(dtype)
    else:
        made = np.array(value, dtype)
    made.flags.writeable = False
    return made[()] if scalar else made


def _zeros(scalar: bool) -> dict[Any, dict[Any, Any]]:
    """Return the tables of known numbers as they begin."""
    return {dtype: dict.fromkeys((int, float), _made(0, dtype, scalar)) for dtype in (F32, F64, I64)}


_arrays, _scalars = _zeros(False), _zeros(True)
