"""Evenly spaced numbers: `arange`, `linspace`, `logspace`.

They are rounded as PyTorch's AVX2 kernels round them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import check_fits
from dyncore.dtypes.supported import refusal
from dyncore.errors.advice import advise
from dyncore.rng.samplers import fused
from dyncore.tensors.tensor import Tensor

from .factory import factory

__capture__ = "replayed"

Array = Any
_I64 = dtypes.I64


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, (Tensor, np.generic)) else value


@factory
def arange(*args: Any, start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Return numbers from `start` (0 if one argument is given) to before `end`.

    int64 when all arguments are integers, else the default float.
    """
    if len(args) == 1 and end is None:
        end = args[0]
    elif args:
        start, end, step = (list(args) + [end, step][len(args) - 1 :])[:3]
    if end is None:
        raise TypeError('arange() missing 1 required positional arguments: "end"')
    start, end, step = _plain(start), _plain(end), _plain(step)
    whole = all(isinstance(value, int) for value in (start, end, step))
    kind = np.dtype(dtype or (_I64 if whole else dtypes.get_default_dtype().numpy))
    if kind.kind == "b":
        raise refusal("arange_cpu", kind)
    _check(start, end, step)
    if kind == _I64:
        start, end, step = int(start), int(end), int(step)
    if kind.kind in "iu" and not int(step):
        raise ValueError("step must be nonzero")
    count = -((start - end) // step) if kind == _I64 else math.ceil((end - start) / step)
    if kind.kind in "iu":
        return (int(start) + np.arange(count) * int(step)).astype(kind)
    return in_blocks(float(start), float(step), count, kind)


def _check(start: Any, end: Any, step: Any) -> None:
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


def in_blocks(start: float, step: float, count: int, dtype: np.dtype[Any]) -> Array:
    """Return start + k step, rounded as PyTorch's vector kernel rounds.

    The first of every eight float32 (four float64) is exact, the others are added to it, the tail is computed alone.
    """
    exact = fused(np.arange(count, dtype=np.float64), step, start)
    width = {4: 8, 8: 4}.get(dtype.itemsize if dtype.kind == "f" else 0)
    if width is None:
        return exact.astype(dtype)
    rounded = exact.astype(dtype)
    blocked = count // (2 * width) * 2 * width
    if blocked:
        firsts = np.repeat(rounded[:blocked:width].astype(np.float64), width)
        steps = np.tile(np.arange(width, dtype=np.float64), blocked // width)
        rounded[:blocked] = fused(steps, step, firsts)
    return rounded


@factory
def range_(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """Return numbers from `start` to `end`, both included; deprecated, see `arange`."""
    advise("range")
    start, end, step = _plain(start), _plain(end), _plain(step)
    _check(start, end, step)
    kind = np.dtype(dtype or dtypes.get_default_dtype().numpy)
    return in_blocks(float(start), float(step), int((end - start) / step) + 1, kind)


range_.__name__ = "range"


@factory
def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None) -> Any:
    """Return `steps` evenly spaced numbers from `start` to `end`, both included."""
    start, end, kind = _bounds(start, end, steps, dtype, "linspace")
    return evenly(start, end, int(steps), kind)


_NUMBERS = frozenset((int, float))


def _bounds(start: Any, end: Any, steps: int, dtype: Any, name: str) -> tuple[Any, Any, np.dtype[Any]]:
    if not hasattr(steps, "__index__"):
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got ({type(start).__name__}, "
            f"{type(end).__name__}, {type(steps).__name__}), but expected one of:\n * (Tensor start, Tensor end, int "
            "steps)\n * (Number start, Number end, int steps)"
        )
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if start.__class__ in _NUMBERS and end.__class__ in _NUMBERS:
        kind = np.dtype(dtype or dtypes.get_default_dtype().numpy)
        _check_bounds(start, end, kind, name)
        return start, end, kind
    ndims = [each.ndim if hasattr(each, "ndim") else 0 for each in (start, end)]
    if any(ndims):
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with {ndims[0]} dimension(s) "
            f"and end with {ndims[1]} dimension(s)."
        )
    start, end = _plain(start), _plain(end)
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    default = dtypes.default_complex() if is_complex else dtypes.get_default_dtype()
    kind = np.dtype(dtype or default.numpy)
    _check_bounds(start, end, kind, name)
    return start, end, kind


def _check_bounds(start: Any, end: Any, kind: np.dtype[Any], name: str) -> None:
    if kind.kind == "b":
        raise refusal(f"{name}_cpu", kind)
    check_fits(start, kind)
    check_fits(end, kind)


def evenly(start: Any, end: Any, steps: int, dtype: np.dtype[Any]) -> Array:
    """Return `steps` evenly spaced numbers, each rounded once.

    The lower half is counted up from `start`, the upper half down from `end`.
    """
    if steps == 1:
        return np.array([start], dtype)
    position = np.arange(steps)
    if dtype.kind == "c":
        return (start + (end - start) / max(steps - 1, 1) * position).astype(dtype)
    if dtype.kind in "iu":
        start, end = int(start), int(end)
    kind = dtype if dtype.kind == "f" else np.dtype(np.float64)
    first, last = float(kind.type(start)), float(kind.type(end))
    step = float(kind.type(kind.type(last) - kind.type(first)) / kind.type(max(steps - 1, 1)))
    half = steps // 2
    if kind != np.float64:
        # The product of two float32 is exact in float64, and only one of float64 needs the part that a sum has lost.
        position[half:] -= steps - 1
        numbers = position * step
        numbers[:half] += first
        numbers[half:] += last
        return numbers.astype(dtype)
    lower = position < half
    count = np.where(lower, position, steps - 1 - position).astype(np.float64)
    return np.where(lower, fused(count, step, first), fused(count, -step, last)).astype(dtype)


@factory
def logspace(start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None) -> Any:
    """Return `steps` numbers from `base**start` to `base**end` on a log scale."""
    start, end, kind = _bounds(start, end, steps, dtype, "logspace")
    wide = np.dtype(np.complex128 if kind.kind == "c" else np.float64)
    if kind.kind in "iu":
        start, end = int(start), int(end)
    powers = np.power(_plain(base), evenly(start, end, int(steps), wide if kind.kind in "ciu" else kind).astype(wide))
    return powers.astype(kind)


__all__ = ["arange", "linspace", "logspace"]
