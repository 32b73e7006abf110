"""Python numbers that come from tensors, and stay values of the path while Python computes with them.

A `Number` computes in float64 or int64, as Python does.  A comparison is a decision.  Whatever else Python does with it
needs the number itself (`__index__`, `__float__`, `__hash__`, ...): then the path holds for this number alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncli.recorder.engine import Tensor, dtypes

__dyncore__ = True  # the line that an op stands on is the script's

LARGEST = 2**53
ABOVE = f"computes with an integer above {LARGEST}"
MOST_DIGITS = 15  # up to which a power of ten has no rounding of its own


class Number:
    """An int or a float of Python whose value is a 0-d tensor, int64 or float64."""

    __slots__ = ("recording", "tensor")

    def __init__(self, recording: Any, tensor: Any) -> None:
        self.recording = recording
        self.tensor = tensor
        if not self.is_float and abs(tensor._array.item()) > LARGEST:
            recording.refuse(ABOVE)

    @property
    def is_float(self) -> bool:
        """True for a float."""
        return bool(self.tensor._array.dtype.kind == "f")

    def double(self) -> Any:
        """Return the tensor as float64."""
        return self.tensor if self.is_float else self.tensor.to(dtypes.float64)

    def integer(self) -> Number:
        """Return `int(self)`."""
        return Number(self.recording, self.tensor.trunc().to(dtypes.int64)) if self.is_float else self

    def floating(self) -> Number:
        """Return `float(self)`."""
        return Number(self.recording, self.double())

    def again(self) -> Number:
        """Return the same number as a value of its own."""
        return Number(self.recording, self.tensor.clone())

    def beside(self, tensor: Any) -> Any:
        """Return the 0-d tensor that stands for the number in an op on `tensor`."""
        dtype = tensor.dtype
        if tensor._array.dtype.kind in "biu" and self.is_float:
            dtype = dtypes.get_default_dtype()
        elif tensor._array.dtype.kind == "b":
            dtype = dtypes.int64
        return self.tensor.to(dtype)

    def exact(self) -> Any:
        """Return the number itself, for which alone the path holds; a float is refused, as rounding would change it."""
        if self.is_float:
            self.recording.refuse("needs the exact value of a float that comes from a tensor")
        return self.recording.escape(self.tensor)

    def _with(
        self, other: Any, compute: Callable[[Any, Any], Any], *, double: bool = False, swap: bool = False,
        divides: bool = False, whole: str = "",
    ) -> Any:  # fmt: skip
        given = other
        other = self._operand(given, as_float=double or self.is_float)
        if other is None:
            return NotImplemented
        first, second = (other, self) if swap else (self, other)
        if divides and not (second is other and type(given) in (int, float) and given):
            second = second.divisor()
        if double or first.is_float or second.is_float:
            return Number(self.recording, compute(first.double(), second.double()))
        if whole:
            return first.whole(whole, second, first.tensor._array.item() * second.tensor._array.item())
        return Number(self.recording, compute(first.tensor, second.tensor))

    def _operand(self, given: Any, *, as_float: bool) -> Number | None:
        """Return the other operand of Python's arithmetic; a whole number above `LARGEST` must be exact as a float."""
        if type(given) is int and abs(given) > LARGEST:
            if not as_float or int(float(given)) != given:
                self.recording.refuse(ABOVE)
            given = float(given)
        return number(self.recording, given)

    def divisor(self) -> Number:
        """Return the number, by which Python divides: for inputs where it is 0 the path does not hold."""
        if not self.tensor._array.item():
            raise ZeroDivisionError("division by zero")
        return Number(self.recording, self.recording.computed("divisor", {"input": self.tensor}, self.tensor._array))

    def whole(self, op: str, other: Number, result: int) -> Number:
        """Return the result of an op on whole numbers, which must be exact; both ops know how far that holds."""
        if abs(result) > LARGEST:
            self.recording.refuse(ABOVE)
        given = {"input": self.tensor, "other": other.tensor}
        return Number(self.recording, self.recording.computed(op, given, np.int64(result)))

    def _compared(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, Tensor):
            return compare(self.beside(other), other)
        other = number(self.recording, float(other) if type(other) is int and abs(other) > LARGEST else other)
        if other is None:
            return NotImplemented
        if self.is_float or other.is_float:
            return bool(compare(self.double(), other.double()))
        return bool(compare(self.tensor, other.tensor))

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a < b)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a <= b)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a > b)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a >= b)

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a == b)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, lambda a, b: a != b)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __neg__(self) -> Number:
        return Number(self.recording, -self.tensor)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return Number(self.recording, self.tensor.abs())

    def __round__(self, digits: Any = None) -> Any:
        if not self.is_float:
            return self if digits is None or (type(digits) is int and digits >= 0) else round(self.exact(), digits)
        if digits is None:
            return Number(self.recording, self.tensor.round().to(dtypes.int64))
        if type(digits) is int and 0 <= digits <= MOST_DIGITS:
            return Number(self.recording, _rounded(self.tensor, digits))
        return round(self.exact(), digits)

    def __trunc__(self) -> Number:
        return self.integer()

    def __floor__(self) -> Number:
        return Number(self.recording, self.tensor.floor().to(dtypes.int64))

    def __ceil__(self) -> Number:
        return Number(self.recording, self.tensor.ceil().to(dtypes.int64))

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, Tensor):
            return self.beside(other) ** other
        if type(other) is int and (other == 2 or (other == 3 and not self.is_float)):
            square: Any = self * self  # type: ignore[operator]
            return square if other == 2 else square * self
        return self._power(other, swap=False)

    def __rpow__(self, other: Any) -> Any:
        return other ** self.beside(other) if isinstance(other, Tensor) else self._power(other, swap=True)

    def _power(self, other: Any, *, swap: bool) -> Any:
        other = self._operand(other, as_float=self.is_float)
        if other is None:
            return NotImplemented
        base, exponent = (other, self) if swap else (self, other)
        result = base.tensor._array.item() ** exponent.tensor._array.item()
        if type(result) is int:
            return base.whole("whole_power", exponent, result)
        if isinstance(result, complex):
            self.recording.refuse("computes a complex number")
        given = {"input": base.double(), "other": exponent.double()}
        return Number(self.recording, self.recording.computed("real_power", given, np.float64(result)))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by many to find out what they have
            raise AttributeError(name)
        return getattr(self.exact(), name)

    def __index__(self) -> int:
        if self.is_float:
            raise TypeError("'float' object cannot be interpreted as an integer")
        return int(self.exact())

    def __int__(self) -> int:
        return int(self.exact())

    def __float__(self) -> float:
        return float(self.exact())

    def __hash__(self) -> int:
        return hash(self.exact())

    def __repr__(self) -> str:
        return repr(self.exact())

    def __format__(self, spec: str) -> str:
        return format(self.exact(), spec)


def _rounded(x: Any, digits: int) -> Any:
    """Return `round(x, digits)` of a float64 tensor, to the last bit.

    The product with the power of ten is rounded: what it lost decides where it seems to lie between two whole numbers.
    Where no product is below `LARGEST`, floats are farther apart than the decimals are.
    """
    if not digits:
        return x.round()
    scale = 10.0**digits
    product = x * scale
    (high, low), (upper, lower) = _halves(x), _halves(scale)
    lost = ((high * upper - product) + high * lower + low * upper) + low * lower
    whole = product.round()
    rest = product - whole
    up, down = (rest == 0.5) & (lost > 0), (rest == -0.5) & (lost < 0)
    whole = (whole + 1).where(up, (whole - 1).where(down, whole))
    return (whole / scale).where(product.abs() < LARGEST, x)


def _halves(x: Any) -> tuple[Any, Any]:
    """Return two float64 of half as many digits whose sum is `x`."""
    spread = x * (2.0**27 + 1)
    high = spread - (spread - x)
    return high, x - high


def _operator(name: str, compute: Callable[[Any, Any], Any], beside: Callable[[Any, Any], Any], **options: Any) -> None:
    """Give `Number` a binary operator and its reflection.

    compute: of two 0-d tensors.  beside: of two operands of which one is any tensor.  options: those of `_with`.
    """

    def forward(self: Number, other: Any) -> Any:
        if isinstance(other, Tensor):
            return beside(self.beside(other), other)
        return self._with(other, compute, **options)

    def reflected(self: Number, other: Any) -> Any:
        if isinstance(other, Tensor):
            return compute(other, self.beside(other))
        return self._with(other, compute, swap=True, **options)

    setattr(Number, f"__{name}__", forward)
    setattr(Number, f"__r{name}__", reflected)


_operator("add", lambda a, b: a + b, lambda a, b: a + b)
_operator("sub", lambda a, b: a - b, lambda a, b: a - b)
_operator("mul", lambda a, b: a * b, lambda a, b: a * b, whole="product")
_operator("truediv", lambda a, b: a / b, lambda a, b: b.reciprocal() * a, double=True, divides=True)
_operator("floordiv", lambda a, b: a // b, lambda a, b: a // b, divides=True)
_operator("mod", lambda a, b: a % b, lambda a, b: a % b, divides=True)


def number(recording: Any, value: Any) -> Number | None:
    """Return a number of Python as a `Number`, a constant of the path; None for anything else."""
    if isinstance(value, Number):
        return value
    if type(value) is bool:
        value = int(value)
    if type(value) is float or (type(value) is int and abs(value) <= LARGEST):
        return Number(recording, recording.constant(value))
    return None


def _inexact(name: str) -> Callable[[Number], Number]:
    return lambda each: Number(each.recording, getattr(each.double(), name)())


#: Functions of `math` whose value in float64 is that of an op, to the last bit or nearly.
MATH: dict[Any, Callable[[Number], Any]] = {
    math.sqrt: _inexact("sqrt"), math.exp: _inexact("exp"), math.log: _inexact("log"), math.sin: _inexact("sin"),
    math.cos: _inexact("cos"), math.tan: _inexact("tan"), math.tanh: _inexact("tanh"), math.fabs: _inexact("abs"),
    math.atan: _inexact("atan"), math.asin: _inexact("asin"), math.acos: _inexact("acos"),
    math.sinh: _inexact("sinh"), math.cosh: _inexact("cosh"), math.floor: Number.__floor__, math.ceil: Number.__ceil__,
    math.trunc: Number.integer,
}  # fmt: skip
