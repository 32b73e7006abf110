"""Python numbers that become numbers of a dtype: PyTorch refuses those beyond it where it converts them one by one.

Promoted operands (`x + 300`) wrap instead, as arrays do; which ops ask here is theirs to say.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .dtypes import F16, F32, F64

_IN_SENTENCES = {
    "float16": "c10::Half", "float32": "float", "float64": "double", "int32": "int",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip
# By dtype, the least and the largest number; unsigned ones wrap what is negative, and booleans take everything.
_RANGES: dict[Any, tuple[Any, Any]] = {
    np.dtype(name): (-limits.max if limits.min == 0 else limits.min, limits.max)
    for name in ("u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8")
    for limits in (np.iinfo(name),)
} | {np.dtype(name): (float(np.finfo(name).min), float(np.finfo(name).max)) for name in ("f2", "f4", "f8", "c8", "c16")}


def check_fits(value: Any, dtype: np.dtype[Any]) -> None:
    """Raise RuntimeError if the dtype cannot hold a Python number; an infinity fits every float."""
    if value.__class__ is float and -65504.0 <= value <= 65504.0 and dtype.kind in "fc":
        return
    if dtype.kind == "b":
        if value.__class__ is int:
            check_parsed(value)
        return
    low, high = _RANGES[dtype]
    try:
        if low <= value <= high and (value.__class__ is not float or value >= 0 or dtype.kind != "u"):
            return
    except TypeError:
        parts = (value.real, value.imag)
        if dtype.kind == "c":
            if all(low <= each <= high or each - each != 0 for each in parts):
                return
        elif value.imag == 0:
            return check_fits(value.real, dtype)
    else:
        if value.__class__ is int:
            check_parsed(value)
        elif value - value != 0 if dtype.kind in "fc" else value == float(high) > high:  # 2**63, as a double
            return
    name = dtype.name
    raise RuntimeError(f"value cannot be converted to type {_IN_SENTENCES.get(name, f'{name}_t')} without overflow")


def check_computed(value: Any, dtype: np.dtype[Any]) -> None:
    """Return `check_fits` for what computes float16 in float32."""
    check_fits(value, F32 if dtype is F16 else dtype)


def check_scalar(value: Any, dtype: np.dtype[Any]) -> None:
    """Return `check_fits` for what makes a tensor of one number first: float16 takes it as it comes, or as infinity."""
    check_fits(value, F64 if dtype is F16 else dtype)


def check_parsed(value: int) -> None:
    """Raise OverflowError for an integer of more than 64 bits."""
    if value < -(1 << 63):
        raise OverflowError("can't convert negative int to unsigned")
    if value >= 1 << 64:
        raise OverflowError("int too big to convert")


def fitted(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a Python number as a NumPy scalar of the dtype.  Raises RuntimeError if it does not fit."""
    check_fits(value, dtype)
    if isinstance(value, complex) and dtype.kind in "iuf":
        value = value.real
    return np.asarray(value).astype(dtype)[()]


# Ops whose operands PyTorch converts one by one where they are Python numbers.
CONVERTING = frozenset(("where", "clamp", "clamp_min", "clamp_max", "isin"))


def check_operand(name: str, value: Any, dtype: np.dtype[Any]) -> None:
    """Raise RuntimeError for a Python number, operand of the op `name`, that its dtype cannot hold."""
    if name not in CONVERTING or isinstance(value, (np.ndarray, np.generic)):
        return
    if dtype.kind != "c" or name == "where":
        (check_scalar if name == "where" else check_fits)(value, dtype)


def weak_fitting(value: Any, beside: Any) -> Any:
    """Return `scalars.weak` for ops that convert their numbers.  Raises RuntimeError for one that does not fit."""
    from .numbers import weak

    made = weak(value, beside)
    if made is not None:
        check_fits(value, beside.dtype)
    return made
