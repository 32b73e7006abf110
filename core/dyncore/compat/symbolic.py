"""`torch.sym_int` and its relatives: PyTorch's numbers that may be symbols, which are plain numbers here."""

from __future__ import annotations

import math
from typing import Any

__dyncore__ = True

SymInt, SymFloat, SymBool = int, float, bool


def sym_int(a: Any) -> int:
    """Return the number without its fraction."""
    return int(a)


def sym_float(a: Any) -> float:
    """Return the number as a float."""
    return float(a)


def sym_max(a: Any, b: Any) -> Any:
    """Return the larger; a float if one of them is."""
    return float(max(a, b)) if isinstance(a, float) or isinstance(b, float) else max(a, b)


def sym_min(a: Any, b: Any) -> Any:
    """Return the smaller; a float if one of them is."""
    return float(min(a, b)) if isinstance(a, float) or isinstance(b, float) else min(a, b)


def sym_not(a: Any) -> bool:
    """Return whether `a` does not hold."""
    return not a


def sym_sqrt(a: Any) -> float:
    """Return the square root."""
    return math.sqrt(a)


def sym_sum(args: Any) -> Any:
    """Return the sum."""
    return sum(args)


def sym_ite(b: Any, t: Any, f: Any) -> Any:
    """Return `t` if `b` holds, else `f`."""
    return t if b else f
