"""Element-wise writes whose operands lie partly on what is written are refused, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

PARTLY = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)


def check_apart(target: Any, operands: Any) -> None:
    """Raise RuntimeError if an operand, a Tensor, lies partly on the array `target`; all of it is no fault."""
    if target.__class__ is not np.ndarray:
        return
    for each in operands:
        array = getattr(each, "_array", None)
        if array is None or array is target or array.__class__ is not np.ndarray:
            continue
        if (target.base is not None or array.base is not None) and _partly(target, array):
            raise RuntimeError(PARTLY)


def _partly(one: Any, other: Any) -> bool:
    if not np.may_share_memory(one, other) or not (_dense(one) and _dense(other)):
        return False
    first, second = one.__array_interface__["data"][0], other.__array_interface__["data"][0]
    return not (first == second and one.size == other.size and one.strides == other.strides)


def _dense(array: Any) -> bool:
    """Return whether the elements fill their memory without gaps, in any order of the dimensions."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return True
    step = array.itemsize
    for stride, size in sorted(zip(array.strides, array.shape, strict=True)):
        if size != 1:
            if stride != step:
                return False
            step *= size
    return True
