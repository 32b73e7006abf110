"""Exponentials, logarithms, powers and roundings of one tensor, element by element."""

import math

import numpy as np

from dyncore.dispatch.registry import binary, op, unary
from dyncore.dtypes.dtypes import F32
from dyncore.dtypes.limits import check_computed
from dyncore.dtypes.supported import refusal
from dyncore.tensors.strides import usual

from .arithmetic import add_number, mul_number
from .filling import zeros_like
from .power import doubling


@unary(lambda g, result: g * result.conj(), floats=True)
def exp(input):
    """e to the power of each element.

    y = e^x,  dx = dy y.   Integers become the default float.
    """
    return np.exp(input)


@unary(lambda g, result: g * (result * math.log(2)).conj(), floats=True)
def exp2(input):
    """2 to the power of each element.

    dx = dy y log 2.
    """
    return np.exp2(input)


@unary(
    lambda g, result: g * (result + 1).conj(),
    floats=True, twice=lambda g, result: g * add_number(result, 1),
)  # fmt: skip
def expm1(input):
    """e^x - 1, accurate near 0.

    dx = dy (y + 1).
    """
    return np.expm1(input)


@unary(lambda g, input: g / input.conj(), floats=True)
def log(input):
    """Natural logarithm of each element.

    y = log x,  dx = dy / x.   -inf at 0, NaN below.
    """
    return np.log(input)


@unary(
    lambda g, input: g / (input * math.log(2)).conj(),
    floats=True, twice=lambda g, input: g / mul_number(input, math.log(2)),
)  # fmt: skip
def log2(input):
    """Logarithm to base 2 of each element.

    dx = dy / (x log 2).
    """
    return np.log2(input)


@unary(
    lambda g, input: g / (input * math.log(10)).conj(),
    floats=True, twice=lambda g, input: g / mul_number(input, math.log(10)),
)  # fmt: skip
def log10(input):
    """Logarithm to base 10 of each element.

    dx = dy / (x log 10).
    """
    if input.dtype is F32:  # NumPy's own returns 2.0000002 for 100
        return np.log10(input, dtype=np.float64).astype(F32)
    return np.log10(input)


@unary(
    lambda g, input: g / (input + 1).conj(),
    floats=True, node="Log1PBackward0", twice=lambda g, input: g / add_number(input, 1),
)  # fmt: skip
def log1p(input):
    """log(1 + x), accurate near 0.

    dx = dy / (1 + x).
    """
    return np.log1p(input)


@unary(
    lambda g, result: g / (2 * result).conj(),
    floats=True, twice=lambda g, result: g / mul_number(result, 2),
)  # fmt: skip
def sqrt(input):
    """Square root of each element.

    y = sqrt x,  dx = dy / (2 y).   NaN below 0.
    """
    return np.sqrt(input)


@unary(
    lambda g, result: g * (result * result * result * -0.5).conj(),
    floats=True, twice=lambda g, result: mul_number(g, -0.5) * result**3,
)  # fmt: skip
def rsqrt(input):
    """One over the square root of each element.

    dx = -dy y^3 / 2.
    """
    return 1 / np.sqrt(input)


@unary(doubling, node="PowBackward0")
def square(input):
    """Square of each element.

    dx = 2 x dy.
    """
    return input * input if input.dtype.kind != "b" else input.astype(np.int64)


@binary(
    input=lambda g, other: g * (other * (1 - other)),
    other=lambda g, input, other: g * input * (1 - 2 * other),
    private=True, inplace=False, node="SigmoidBackwardBackward0",
)  # fmt: skip
def sigmoid_backward(input, other):
    """Gradient `input` of y = sigmoid(x) times its slope; `other` is y."""
    return input * (other * (1 - other))


@unary(
    lambda g, result: g * (result * (1 - result)).conj(),
    floats=True, twice=lambda g, result: sigmoid_backward(g, result),
)  # fmt: skip
def sigmoid(input):
    """1 / (1 + e^-x), element by element.

    dx = dy y (1 - y).
    """
    return 1 / (1 + np.exp(-input))


def _logit_rule(g, input, eps):
    slope = g / (input * (1 - input))
    if eps is None:
        return np.where((input >= 0) & (input <= 1), slope, math.nan)
    return np.where((input >= eps) & (input <= 1 - eps), slope, 0)


@op(input=_logit_rule, floats=True, inplace=True)
def logit(input, eps: float = None):
    """log(x / (1 - x)), of x limited to [eps, 1 - eps] if `eps` is given.

    dx = dy / (x (1 - x)), 0 where limited.
    """
    if eps is not None:
        check_computed(eps, input.dtype)
        if eps >= 0:
            low, high = input.dtype.type(eps), 1 - input.dtype.type(eps)
            input = np.where(input < low, low, np.where(input > high, high, input))
    return np.log(input / (1 - input))


def _no_booleans(input, name):
    if input.dtype.kind == "b":
        raise refusal(name, input.dtype)
    return input


@unary(zeros_like)
def floor(input):
    """Largest integer not above each element; derivative 0."""
    return np.floor(_no_booleans(input, "floor_vml_cpu"))


@unary(zeros_like)
def ceil(input):
    """Smallest integer not below each element; derivative 0."""
    return np.ceil(_no_booleans(input, "ceil_vml_cpu"))


@unary(zeros_like, aliases=("fix",))
def trunc(input):
    """Each element without its fraction; derivative 0."""
    return np.trunc(_no_booleans(input, "trunc_vml_cpu"))


@unary(lambda g: g)
def frac(input):
    """Fraction of each element, with its sign.

    dx = dy.
    """
    return input - np.trunc(input)


@op(
    batching="each",
    input=zeros_like,
    inplace=True,
    node=lambda decimals: "RoundBackward0" if decimals is None else "RoundBackward1",
)
def round(input, *, decimals: int = None):
    """Each element rounded to `decimals` places, halves to even; derivative 0."""
    if input.dtype.kind in "bc" or (input.dtype.kind != "f" and decimals is not None):
        kernel = "round_cpu" if decimals else "round_vml_cpu"
        raise refusal(kernel, input.dtype)
    if input.dtype.kind != "f":
        return input.copy("K")
    if not decimals:
        return np.rint(input)
    scale = 10.0 ** abs_int(decimals)
    return np.rint(input * scale) / scale if decimals > 0 else np.rint(input / scale) * scale


def abs_int(number):
    """Return the absolute value of a Python integer; `abs` is an op here."""
    return number if number >= 0 else -number


@unary(zeros_like)
def sign(input):
    """-1, 0 or 1 by the sign of each element; derivative 0."""
    if input.dtype.kind == "c":
        raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
        )
    return _without_nan(np.sign(input)) if input.dtype.kind != "b" else input.copy()


def _without_nan(signs):
    """Return 0 for NaN, which has no sign in PyTorch."""
    return np.where(np.isnan(signs), signs.dtype.type(0), signs) if signs.dtype.kind == "f" else signs


def _sgn_rule(g, input, result):
    """Return y (dy / y - Re(dy / y)) / |x|; 0 for a real number.

    Only the rotation of the complex number counts.
    """
    if result.dtype.name[0] != "c":
        return zeros_like(g)
    length = np.abs(input)
    turned = np.real(quarter_turn(result.conj() * g))
    return np.where(length == 0, 0, quarter_turn(result) * turned / -length)


@unary(_sgn_rule)
def sgn(input):
    """x / |x| for each element, 0 at 0: the sign, also of complex numbers."""
    return _without_nan(np.sign(input)) if input.dtype.kind != "b" else input.copy()


@unary(lambda g, input: g * sgn(input), aliases=("absolute",))
def abs(input):
    """Absolute value of each element; of a complex number its length.

    y = |x|,  dx = dy sgn(x), 0 at 0.
    """
    return np.abs(_no_booleans(input, "abs_cpu"))


def _turned(g, input):
    if input.dtype.name[0] != "c":
        return zeros_like(g)
    return np.where(input == 0, 0, quarter_turn(input / (input * input.conj()) * g))


@op(input=_turned, floats=True)
def angle(input):
    """Angle of each complex number; of a real one 0, or pi where it is negative."""
    if input.dtype.kind == "c":
        return usual(np.angle(input))
    return np.where(np.isnan(input), input, np.where(input < 0, math.pi, 0)).astype(input.dtype)


@op(input=lambda g: quarter_turn(g) * -1, private=True)
def quarter_turn(input):
    """Each complex number times i; 0 for real ones."""
    return input * 1j if input.dtype.kind == "c" else zeros_like(input)


@unary(lambda g: g * (math.pi / 180), floats=True, node="Deg2RadBackward0")
def deg2rad(input):
    """Degrees as radians.

    dx = dy pi / 180.
    """
    return input * (math.pi / 180)


@unary(lambda g: g * (180 / math.pi), floats=True, node="Rad2DegBackward0")
def rad2deg(input):
    """Radians as degrees.

    dx = dy 180 / pi.
    """
    return input * (180 / math.pi)


@op(batching="each", input=lambda g, input: np.where(np.isfinite(input), g, 0), inplace=True)
def nan_to_num(input, nan: float = None, posinf: float = None, neginf: float = None):
    """NaN replaced by `nan`, infinities by given numbers or the dtype's limits.

    The gradient passes where the element was finite.
    """
    if input.dtype.kind not in "fc":
        return input.copy()
    return np.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@op(input=lambda g0, result1: g0 / np.exp2(result1), returns=("mantissa", "exponent"))
def frexp(input):
    """Each element as mantissa 2^exponent, with |mantissa| in [0.5, 1).

    The exponent is int32.
    """
    if input.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    return np.frexp(input)


@op(batching="each")
def isnan(input):
    """True where an element is NaN."""
    return np.isnan(input)


@op(batching="each")
def isinf(input):
    """True where an element is infinite."""
    return np.isinf(input)


@op(batching="each")
def isfinite(input):
    """True where an element is neither infinite nor NaN."""
    return np.isfinite(input)


@op()
def isposinf(input):
    """True where an element is positive infinity."""
    return input == np.inf


@op()
def isneginf(input):
    """True where an element is negative infinity."""
    return input == -np.inf


@op()
def isreal(input):
    """True where an element has no imaginary part."""
    return np.isreal(input)


@op()
def signbit(input):
    """True where the sign bit of an element is set, also of -0."""
    return np.signbit(input) if input.dtype.kind == "f" else input < 0
