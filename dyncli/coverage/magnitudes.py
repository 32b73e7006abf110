"""Outputs and gradients looked at: are they finite, how large are they."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dyncli.recorder import naming
from dyncli.recorder.engine import AccumulateGrad, Tensor

SMALL = 64  # elements up to which Python is quicker than NumPy


def outputs_of(value: Any) -> list[Tensor]:
    """List the tensors in an entry's return value."""
    return [tensor for _, tensor in naming.leaves(value, "")]


def is_finite(array: Any) -> bool:
    """Return whether an array holds neither NaN nor Inf."""
    if array.dtype.kind not in "fc":
        return True
    if array.dtype.kind == "f" and array.size <= SMALL:
        return all(map(math.isfinite, _flat(array)))
    return bool(np.isfinite(array).all())


def gradient_norm(tensors: Sequence[Tensor]) -> float | None:
    """Compute the joint norm of the leaves' gradients; NaN if any is NaN, None if no leaf has one."""
    parts: list[float] = []
    for tensor in tensors:
        edge = tensor._edge
        grad = edge.grad if edge.__class__ is AccumulateGrad else None
        if grad is not None:
            parts.append(_norm(grad._array))
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else math.nan if any(map(math.isnan, parts)) else math.hypot(*parts)


def _norm(array: Any) -> float:
    if array.dtype.kind == "f" and array.size <= SMALL:
        values = _flat(array)
        norm = math.hypot(*values)
        return norm if norm < math.inf or not any(map(math.isnan, values)) else math.nan
    if array.dtype.kind == "f":
        flat = array.ravel().astype(np.float64)
        square = float(np.dot(flat, flat))
        if 1e-200 < square < 1e300:  # neither lost nor overflowed
            return math.sqrt(square)
    with np.errstate(over="ignore", invalid="ignore"):
        wide = np.abs(array).astype(np.float64)
        largest = float(wide.max(initial=0.0))
        if not 0 < largest < math.inf:
            return math.nan if np.isnan(wide).any() else largest
        return float(np.sqrt(np.square(wide / largest).sum())) * largest


def _flat(array: Any) -> list[float]:
    return [array.item()] if array.ndim == 0 else array.ravel().tolist()
