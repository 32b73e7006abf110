"""Methods that take their operands in another order than the function.

`1 / x`, `2 ** x`, `7 % x`, `x.where(mask, y)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.graph.names import named
from dyncore.tensors.tensor import Tensor, steady

__capture__ = "replayed"

_NUMBERS = (int, float, complex, np.generic, np.ndarray)


def _first(name: str) -> Callable[..., Any]:
    """Make the method that passes `other` as the first operand of op `name`."""

    def reflected(self: Tensor, other: Any) -> Any:
        if isinstance(other, Tensor):
            return TABLE[name].entry(other, self)
        if not isinstance(other, np.ndarray if name == "matmul" else _NUMBERS):
            return NotImplemented
        number = other.item() if isinstance(other, np.generic) else other
        dtype = dtypes.result_type(number, self._array)
        return TABLE[name].entry(steady(np.asarray(number).astype(dtype)), self)

    return reflected


def divided(self: Tensor, other: Any) -> Any:
    """Return `other / self`, as `other` times the reciprocal."""
    if not isinstance(other, (Tensor, *_NUMBERS)):
        return NotImplemented
    return TABLE["mul"].entry(TABLE["reciprocal"].entry(self), other)


def raised(self: Tensor, other: Any) -> Any:
    """Return `other ** self`."""
    return TABLE["pow"].entry(other, self) if isinstance(other, (Tensor, *_NUMBERS)) else NotImplemented


def modulo(self: Tensor, other: Any) -> Any:
    """Return `other % self`."""
    return TABLE["remainder"].entry(other, self) if isinstance(other, (Tensor, *_NUMBERS)) else NotImplemented


def inverted(self: Tensor) -> Any:
    """Return `~self`.

    Raises TypeError for a float or complex dtype.
    """
    if self.dtype.numpy.kind in "fc":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return TABLE["bitwise_not"].entry(self)


def where(self: Tensor, condition: Tensor, other: Any) -> Any:
    """Return elements of this tensor where `condition` holds, else of `other`."""
    return TABLE["where"].entry(condition, self, other)


def polygamma(self: Tensor, n: int) -> Any:
    """Return the n-th derivative of digamma."""
    return TABLE["polygamma"].entry(n, self)


def polygamma_(self: Tensor, n: int) -> Tensor:
    """Compute `polygamma` in place."""
    from dyncore.mutation.out_dtypes import check_inplace

    values = polygamma(self.clone(), n)
    check_inplace("polygamma_", values._array.dtype, self._array.dtype)
    return named(self.copy_(values), "PolygammaBackward1")


METHODS: dict[str, Callable[..., Any]] = {
    "__invert__": inverted, "__rtruediv__": divided, "__rdiv__": divided, "__rpow__": raised, "__rmod__": modulo,
    "__rfloordiv__": _first("floor_divide"), "__rmatmul__": _first("matmul"),
    "__rlshift__": _first("bitwise_left_shift"), "__rrshift__": _first("bitwise_right_shift"), "where": where,
    "polygamma": polygamma, "polygamma_": polygamma_,
}  # fmt: skip
