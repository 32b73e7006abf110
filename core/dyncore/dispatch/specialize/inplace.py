"""The functions of `add_`, `sub_`, `mul_` and `div_`: `signature - mode - operands - memory - compute`.

They write sums, products and quotients of floats under `no_grad`, or of tensors that need no gradient, in arrays that
nobody else looks at.  Everything else, and every write with a listener attached, takes the general path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.dtypes.numbers import weak
from dyncore.graph import versions

from ..registry import Op
from .cache import Names, Specialized
from .fragments import WORLD, block, lines_of, mode, text

UFUNCS: dict[str, Any] = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide}

TARGET = """
if (type(input) is not Parameter and type(input) is not Tensor) or input._meta is not None: return $general
if recorded and input._edge is not None: return $general
if versions.callback is not None or versions.guard is not None: return $general
a = input._array
if type(a) is not ndarray or (a.dtype is not F32 and a.dtype is not F64): return $general
memory = memory_of(a)
if memory is None: return $general
"""

OTHER = """
kind = type(other)
if kind is Tensor:
    b = other._array
    if b.dtype is not a.dtype or b.shape != a.shape or (recorded and other._edge is not None): return $general
    if b is not a and type(b) is ndarray:
        memory_of_other = memory_of(b)
        if memory_of_other is None or memory_of_other is memory: return $general
elif kind is not float and kind is not int:
    return $general
else:
    b = weak(other, a)
    if b is None: return $general
"""

WRITE = """
try:
    ufunc(a, b, a)
except ValueError:  # an array that may not be written
    return $general
bump(a)
return input
"""


def memory_of(array: Any) -> Any:
    """Return the array that holds what this one looks at; None where that is not found at once, or not all of it."""
    base = array.base
    if base is None:
        return array
    return base if type(base) is np.ndarray and base.base is None and array.flags.c_contiguous else None


def inplace_function(op: Op, general: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of an op's in-place form, specialised for the ops of `UFUNCS` once it is called often."""
    if op.name not in UFUNCS:
        return general

    def bind() -> Names:
        own = {"versions": versions, "bump": versions.bump, "weak": weak, "memory_of": memory_of}
        return {**WORLD, **own, "general": general, "ufunc": UFUNCS[op.name]}

    made = Specialized(op, general, write, bind).function
    made.__name__, made.__qualname__, made.__doc__ = general.__name__, general.__qualname__, general.__doc__
    return made


def write(listening: bool) -> str | None:
    """Write the function of an in-place form; None for a listener, for which the general path runs."""
    if listening:
        return None
    general = "general(input, other)"
    return text(
        block(
            "def entry(input, *args, **kwargs):",
            ["if kwargs or len(args) != 1: return general(input, *args, **kwargs)", "other, = args"],
            mode(general),
            lines_of(TARGET, general=general),
            lines_of(OTHER, general=general),
            lines_of(WRITE, general=general),
        )
    )
