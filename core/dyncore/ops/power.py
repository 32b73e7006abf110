"""Powers, element by element."""

import cmath
import math

import numpy as np

from dyncore.dispatch.registry import op, unary
from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import check_fits
from dyncore.dtypes.supported import refusal

from .arithmetic import times
from .filling import zeros_like


def doubling(g, input):
    """Return the gradient of x^2: 2 x dy."""
    return g * (input + input).conj()  # the bits of 2 x, without a number to convert


def _doubling_recorded(g, input):
    return g * twice(input).conj()


doubling.recorded = _doubling_recorded


def _slope(g, input):
    return g * 2


_slope.recorded = lambda g, input: g * twos(input)


@unary(_slope, private=True, inplace=False, node="MulBackward1")
def twice(input):
    """2 x as the slope of x^2; its own slope, 2, has the slope zeros, not none."""
    return input * 2


@op(input=lambda g: zeros_like(g), private=True, node="PowBackward0")
def twos(input):
    """2 for each element."""
    return np.full_like(input, 2)


def _power_input(g, input, exponent):
    """Return d/da a^b = b a^(b-1), and zero where b is zero, also at a = 0."""
    if isinstance(exponent, (int, float, complex)):
        if exponent == 0:
            return zeros_like(g)
        if exponent == 2:
            return doubling(g, input)  # without `input ** 1`, an op under `create_graph`
        return g * (exponent * input ** (exponent - 1)).conj()
    return np.where(exponent == 0, 0, g * (exponent * input ** (exponent - 1)).conj())


def _power_recorded(g, input, exponent):
    if not isinstance(exponent, (int, float, complex)):
        return np.where(exponent == 0, 0, g * (exponent * input ** (exponent - 1)).conj())
    if exponent == 0:
        return zeros_like(g)
    return doubling(g, input) if exponent == 2 else g * times(input ** (exponent - 1), exponent).conj()


_power_input.recorded = _power_recorded


def _power_exponent(g, input, exponent, result):
    """Return d/db a^b = a^b log a, and zero at a = 0 where b >= 0."""
    if isinstance(input, (int, float, complex)):
        if input == 0:
            return g * np.where(exponent.real >= 0, result * 0, result * -np.inf)
        slope = cmath.log(input)
        if not isinstance(input, complex) and exponent.dtype.name[0] != "c":
            slope = slope.real if input > 0 else math.nan
        return g * (result * slope).conj()
    base = input * (1 + 0j) if exponent.dtype.name[0] == "c" else input
    return g * np.where((input == 0) & (exponent.real >= 0), result * 0, result * np.log(base)).conj()


def _some_tensor(name, input, exponent):
    """Raise TypeError if both are Python numbers."""
    if not hasattr(input, "dtype") and not hasattr(exponent, "dtype"):
        kinds = f"({type(input).__name__}, {type(exponent).__name__})"
        raise TypeError(f"{name}() received an invalid combination of arguments - got {kinds}")


def _power_title(input, exponent):
    if not hasattr(input, "dtype"):
        return "PowBackward2"
    return "PowBackward1" if hasattr(exponent, "dtype") else "PowBackward0"


@op(batching="each", input=_power_input, exponent=_power_exponent, inplace=True, node=_power_title)
def pow(input, exponent):
    """`input` to the power of `exponent`, element by element; either may be a number.

    y = a^b,  da = dy b a^(b-1) (0 where b = 0),  db = dy a^b log a (0 at a = 0, b >= 0).
    Raises RuntimeError for integers to negative integer powers.
    """
    kind = exponent.__class__
    if (kind is int or kind is float) and (exponent == 2 or exponent == 3):
        dtype = getattr(input, "dtype", None)
        if dtype is dtypes.F32 or dtype is dtypes.F64:  # as below, but nothing to promote
            return input * input if exponent == 2 else input * input * input
    _some_tensor("pow", input, exponent)
    target = dtypes.result_type(input, exponent)
    kinds = [getattr(each, "dtype", None) for each in (input, exponent)]
    if target.kind == "b":
        raise refusal("pow", target)
    if target.kind in "iub" and isinstance(exponent, int) and exponent < 0 and kinds[0] is not None:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    base, power = (
        each.astype(target) if hasattr(each, "astype") else _typed(each, target) for each in (input, exponent)
    )
    if target.kind == "f" and isinstance(exponent, (int, float)):
        if exponent == 2:
            return base * base
        if exponent == 1:
            return base.copy()
        if exponent == 0.5:
            return np.sqrt(base)
        if exponent == 3:
            return base * base * base
        if exponent == -0.5:
            return 1 / np.sqrt(base)
        if exponent == -1:
            return 1 / base
        if exponent == -2:
            return 1 / (base * base)
    if target.kind in "iu":
        if not hasattr(exponent, "dtype"):
            check_fits(exponent, target)
        return _integer_power(base, power)
    return np.power(base, power)


def _typed(number, target):
    """Return a number in the dtype `target`; integers wrap."""
    return target.type(number) if target.kind in "fc" else np.asarray(number).astype(target)[()]


def _integer_power(base, power):
    """Return integer powers that wrap like C's.

    1 / a for negative exponents is rounded to zero.
    """
    negative = power < 0
    if np.any(negative):
        whole = np.power(base, np.where(negative, 0, power))
        fraction = np.where(base == 1, 1, np.where(base == -1, np.where(power % 2 == 0, 1, -1), 0))
        return np.where(negative, fraction, whole).astype(base.dtype)
    return np.power(base, power)


def _doubled(input, exponent):
    """Return both in float64, or in complex128 when either is complex."""
    wide = dtypes.C128 if dtypes.result_type(input, exponent).kind == "c" else dtypes.F64
    return [each if isinstance(each, (int, float, complex)) else each.astype(wide) for each in (input, exponent)]


def _wide(g, *given):
    """Return numbers as they are, tensors in the dtype of `g`.

    A float16 to a power soon ends at 65504.
    """
    return [
        each if isinstance(each, (int, float, complex)) else
        each.astype(g.dtype) if hasattr(each, "astype") else each.to(g.dtype)
        for each in given
    ]  # fmt: skip


def _float_power_input(g, input, exponent):
    return _power_input(g, *_wide(g, input, exponent))


_float_power_input.recorded = lambda g, input, exponent: _power_recorded(g, *_wide(g, input, exponent))


def _float_power_exponent(g, input, exponent, result):
    return _power_exponent(g, *_wide(g, input, exponent), result)


@op(input=_float_power_input, exponent=_float_power_exponent, inplace=True, node=_power_title)
def float_power(input, exponent):
    """`pow` in float64, or in complex128 when either is complex."""
    _some_tensor("float_power", input, exponent)
    input, exponent = _doubled(input, exponent)
    return np.power(input, exponent)


@op(
    input=lambda g, other: g * 2.0 ** other.conj(),
    other=lambda g, result: g * (result * math.log(2)).conj(),
    inplace=True,
    back={"other": "MulBackward1"},
)
def ldexp(input, other):
    """input 2^other, element by element."""
    if not hasattr(other, "dtype"):
        raise TypeError(f"ldexp(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}")
    if input.dtype.kind == "f" and other.dtype.kind in "iu":
        return np.ldexp(input, other.astype(np.int32)).astype(input.dtype)
    if input.dtype.kind == "f" and other.dtype.kind == "b":
        raise refusal("ldexp_cpu_exp", other.dtype)
    return np.multiply(*dtypes.promote(input, np.exp2(dtypes.as_float(other))))
