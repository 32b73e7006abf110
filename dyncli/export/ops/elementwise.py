"""Ops on each element: a table of those that ONNX has, then those that take several nodes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncli.export.onnx_graph import DOUBLE, INT64
from dyncli.export.ops.context import OpCall, is_operand, maps, positions_by_dimension

_SAME = {
    "abs": "Abs", "neg": "Neg", "tanh": "Tanh", "sigmoid": "Sigmoid", "exp": "Exp", "log": "Log", "sqrt": "Sqrt",
    "sin": "Sin", "cos": "Cos", "asin": "Asin", "acos": "Acos", "atan": "Atan", "reciprocal": "Reciprocal",
    "sign": "Sign", "sgn": "Sign", "erf": "Erf", "clone": "Identity", "alias": "Identity", "contiguous": "Identity",
    "detach": "Identity", "positive": "Identity", "_to_copy": "Identity", "to": "Identity", "real": "Identity",
    "conj": "Identity", "conj_physical": "Identity",
}  # fmt: skip
_ROUNDING = {"floor": "Floor", "ceil": "Ceil", "rounded": "Round"}
_BINARY = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "add_number": "Add", "mul_number": "Mul", "times": "Mul",
}  # fmt: skip
_COMPARE = {"gt": "Greater", "ge": "GreaterOrEqual", "lt": "Less", "le": "LessOrEqual", "eq": "Equal"}
_LOGICAL = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}
_BITWISE = {"bitwise_and": "BitwiseAnd", "bitwise_or": "BitwiseOr", "bitwise_xor": "BitwiseXor"}
_SCALES = {"deg2rad": math.pi / 180, "rad2deg": 180 / math.pi, "log2": 1 / math.log(2), "log10": 1 / math.log(10)}


@maps(*_SAME)
def same(x: OpCall) -> Any:
    """Write an op that ONNX has."""
    return x(_SAME[x.call.op], x.input())


@maps(*_ROUNDING)
def rounding(x: OpCall) -> Any:
    """Round floats; integers are whole already."""
    return x(_ROUNDING[x.call.op], x.input()) if x.dtype.kind == "f" else x("Identity", x.input())


@maps("round")
def round_(x: OpCall) -> Any:
    """Round to the nearest whole number, halves to even."""
    if x["decimals"]:
        x.refuse("with decimals")
    return rounding_of(x, "Round")


@maps("trunc")
def trunc(x: OpCall) -> Any:
    """Round towards zero."""
    if x.dtype.kind != "f":
        return x("Identity", x.input())
    return towards_zero(x, x.input())


@maps("frac")
def frac(x: OpCall) -> Any:
    """Subtract the whole part."""
    return x("Sub", x.input(), towards_zero(x, x.input()))


def rounding_of(x: OpCall, op: str) -> Any:
    """Round the input by an op of ONNX."""
    return x(op, x.input()) if x.dtype.kind == "f" else x("Identity", x.input())


def towards_zero(x: OpCall, name: str) -> Any:
    """Round a value towards zero."""
    return x("Where", x("Less", name, x.number(0)), x("Ceil", name), x("Floor", name))


# -- two operands


def operands(x: OpCall, dtype: Any = None) -> tuple[str, str]:
    """Return both operands in a common dtype, that of the result unless it is given."""
    second = next(each for each in ("other", "exponent", "number") if each in x.arguments)
    return x.name("input", dtype or x.dtype), x.name(second, dtype or x.dtype)


def common(x: OpCall) -> Any:
    """Return the dtype in which two operands are compared."""
    kinds = [each.dtype for each in (x["input"], x["other"]) if is_operand(each)]
    return kinds[0] if len(kinds) == 1 else np.result_type(*kinds)


@maps(*_BINARY)
def binary(x: OpCall) -> Any:
    """Write an op of two operands that ONNX has."""
    if x.dtype == np.bool_:
        names = {"Add": "Or", "Mul": "And"}
        return x(names[_BINARY[x.call.op]], *operands(x))
    return x(_BINARY[x.call.op], *operands(x))


@maps("rsub")
def rsub(x: OpCall) -> Any:
    """Subtract the other way round."""
    return x("Sub", *operands(x)[::-1])


@maps("add_scaled", "sub_scaled", "rsub_scaled")
def scaled(x: OpCall) -> Any:
    """Add or subtract alpha times the other operand."""
    first, second = operands(x)
    if x.call.op == "rsub_scaled":
        return x("Sub", second, x("Mul", first, x.named(x["alpha"], x.dtype)))
    return x("Add" if x.call.op == "add_scaled" else "Sub", first, x("Mul", second, x.named(x["alpha"], x.dtype)))


@maps("maximum", "minimum", "fmax", "fmin")
def extreme(x: OpCall) -> Any:
    """Return the larger or smaller operand; `fmax` and `fmin` prefer a number to NaN."""
    first, second = operands(x)
    op = "Max" if "max" in x.call.op else "Min"
    if x.call.op[0] == "f" and x.dtype.kind == "f":
        one = x("Where", x("IsNaN", first), second, first)
        return x(op, one, x("Where", x("IsNaN", second), first, second))
    if x.dtype == np.bool_:
        return x("Or" if op == "Max" else "And", first, second)
    if x.dtype.kind != "f":
        return x(op, first, second)
    missing = x("Or", x("IsNaN", first), x("IsNaN", second))
    return x("Where", missing, x("Add", first, second), x(op, first, second))


@maps("pow", "float_power")
def power(x: OpCall) -> Any:
    """Raise to a power; small whole powers by products, as the engine does."""
    exponent = x["exponent"]
    if not is_operand(exponent) and exponent in (2, 3) and not isinstance(exponent, bool):
        name = x.input()
        return x("Mul", name, name) if exponent == 2 else x("Mul", x("Mul", name, name), name)
    return x("Pow", *operands(x))


@maps("divisor")
def divisor(x: OpCall) -> Any:
    """Require a number that Python divides by to be none of 0, for which Python raises."""
    x.graph.required.append(x("Not", x("Equal", x.name("input"), x.number(0))))
    return x.name("input")


@maps("product", "whole_power")
def whole(x: OpCall) -> Any:
    """Compute with whole numbers of Python, as far as a double holds them."""
    first, second = (x("Cast", x.name(each), to=DOUBLE) for each in ("input", "other"))
    made = x("Mul" if x.call.op == "product" else "Pow", first, second)
    x.graph.required.append(x("LessOrEqual", x("Abs", made), np.float64(2**53)))
    if x.call.op == "whole_power":
        x.graph.required.append(x("GreaterOrEqual", second, np.float64(0)))
    return x("Cast", made, to=INT64)


@maps("real_power")
def real_power(x: OpCall) -> Any:
    """Raise a float of Python to a power, where the result is a float."""
    base, exponent = x.name("input"), x.name("other")
    is_whole = x("And", x("Equal", x("Floor", exponent), exponent), x("Not", x("Equal", base, np.float64(0))))
    is_zero = x("And", x("Equal", base, np.float64(0)), x("GreaterOrEqual", exponent, np.float64(0)))
    x.graph.required.append(x("Or", x("Or", is_whole, is_zero), x("Greater", base, np.float64(0))))
    return x("Pow", base, exponent)


def remainder_of(x: OpCall, first: str, second: str) -> Any:
    """Return the remainder with the sign of the divisor, exact as Python's."""
    if x.dtype.kind != "f":
        return x("Mod", first, second)
    rest = x("Mod", first, second, fmod=1)
    other = x("Less", x("Mul", x("Sign", rest), x("Sign", second)), x.number(0))
    return x("Where", other, x("Add", rest, second), rest)


@maps("remainder")
def remainder(x: OpCall) -> Any:
    """Write the remainder with the sign of the divisor."""
    return remainder_of(x, *operands(x))


@maps("fmod")
def fmod(x: OpCall) -> Any:
    """Write the remainder with the sign of the dividend."""
    return x("Mod", *operands(x), fmod=1)


def floored(x: OpCall, first: str, second: str) -> Any:
    """Divide and round down, from the exact remainder as Python does."""
    rest = remainder_of(x, first, second)
    exact = x("Div", x("Sub", first, rest), second)
    return x("Round", exact) if x.dtype.kind == "f" else exact


@maps("floor_divide", "div_rounded")
def divided(x: OpCall) -> Any:
    """Divide and round."""
    first, second = operands(x)
    if x.call.op == "floor_divide" or x["rounding_mode"] == "floor":
        return floored(x, first, second)
    return towards_zero(x, x("Div", first, second)) if x.dtype.kind == "f" else x("Div", first, second)


@maps(*_COMPARE)
def compare(x: OpCall) -> Any:
    """Compare in the operands' common dtype."""
    kind = common(x)
    if kind == np.bool_:
        kind = np.dtype(np.int64)
    return x(_COMPARE[x.call.op], *operands(x, kind))


@maps("ne")
def different(x: OpCall) -> Any:
    """Compare for inequality."""
    kind = common(x)
    return x("Not", x("Equal", *operands(x, np.dtype(np.int64) if kind == np.bool_ else kind)))


@maps(*_LOGICAL)
def logical(x: OpCall) -> Any:
    """Combine truth values."""
    return x(_LOGICAL[x.call.op], *(truth(x, x[each]) for each in ("input", "other")))


def truth(x: OpCall, value: Any) -> str:
    """Return a value as truth values."""
    return x.named(value, np.bool_)


@maps("logical_not")
def logical_not(x: OpCall) -> Any:
    """Negate truth values."""
    return x("Not", truth(x, x["input"]))


@maps(*_BITWISE)
def bitwise(x: OpCall) -> Any:
    """Combine bits; of booleans, truth values."""
    op = _BITWISE[x.call.op]
    return x(op.removeprefix("Bitwise") if x.dtype == np.bool_ else op, *operands(x))


@maps("bitwise_not")
def bitwise_not(x: OpCall) -> Any:
    """Invert bits."""
    return x("Not" if x.dtype == np.bool_ else "BitwiseNot", x.input())


@maps("where")
def where(x: OpCall) -> Any:
    """Choose by a condition; find where it holds if there is nothing to choose from."""
    if x["input"] is None:
        return positions_by_dimension(x, x["condition"])
    return x("Where", truth(x, x["condition"]), x.input(), x.name("other", x.dtype))


@maps("isclose")
def isclose(x: OpCall) -> Any:
    """Compare within tolerances."""
    if x["equal_nan"] or x["input"].dtype.kind != "f":
        x.refuse("with these options")
    kind = x["input"].dtype
    first, second = operands(x, kind)
    most = x("Add", np.asarray(x["atol"], kind), x("Mul", np.asarray(x["rtol"], kind), x("Abs", second)))
    near = x("LessOrEqual", x("Abs", x("Sub", first, second)), most)
    return x("Or", x("Equal", first, second), x("And", near, x("Not", x("IsInf", second))))


@maps("lerp")
def lerp(x: OpCall) -> Any:
    """Interpolate between two operands, from the nearer end."""
    first, last, weight = x.input(), x.name("end", x.dtype), x.name("weight", x.dtype)
    away = x("Sub", last, first)
    near = x("Add", first, x("Mul", weight, away))
    far = x("Sub", last, x("Mul", away, x("Sub", x.number(1), weight)))
    return x("Where", x("Less", x("Abs", weight), x.number(0.5)), near, far)


@maps("addcmul", "addcdiv")
def combined(x: OpCall) -> Any:
    """Add a product or quotient of two tensors."""
    both = x("Mul" if x.call.op == "addcmul" else "Div", x.name("tensor1", x.dtype), x.name("tensor2", x.dtype))
    return x("Add", x.input(), x("Mul", x.named(x["value"], x.dtype), both))


@maps("hypot")
def hypot(x: OpCall) -> Any:
    """Return the length of the hypotenuse, scaled so that no square overflows."""
    first, second = (x("Abs", each) for each in operands(x))
    large, small = x("Max", first, second), x("Min", first, second)
    ratio = x("Div", small, x("Where", x("Equal", large, x.number(0)), x.number(1), large))
    return x("Mul", large, x("Sqrt", x("Add", x.number(1), x("Mul", ratio, ratio))))


@maps("logaddexp")
def logaddexp(x: OpCall) -> Any:
    """Return log(e^a + e^b)."""
    first, second = operands(x)
    away = x("Neg", x("Abs", x("Sub", first, second)))
    return x("Add", x("Max", first, second), log1p_of(x, x("Exp", away)))


@maps("xlogy")
def xlogy(x: OpCall) -> Any:
    """Return a log b, 0 where a is 0."""
    first, second = operands(x)
    return x("Where", x("Equal", first, x.number(0)), x.number(0), x("Mul", first, x("Log", second)))


@maps("atan2")
def atan2(x: OpCall) -> Any:
    """Return the angle of (x, y), in its quadrant."""
    up, right = operands(x)
    angle = x("Atan", x("Div", up, right))
    turned = x(
        "Where", x("Less", up, x.number(0)), x("Sub", angle, x.number(math.pi)), x("Add", angle, x.number(math.pi))
    )
    left = x("Less", right, x.number(0))
    straight = x("Mul", x("Sign", up), x.number(math.pi / 2))
    return x("Where", x("Equal", right, x.number(0)), straight, x("Where", left, turned, angle))


# -- functions of one operand


def log1p_of(x: OpCall, name: str) -> Any:
    """Return log(1 + v), accurate near 0."""
    one = x("Add", name, x.number(1))
    near = x("Equal", one, x.number(1))
    away = x("Where", near, x.number(1), x("Sub", one, x.number(1)))
    return x("Where", near, name, x("Div", x("Mul", x("Log", one), name), away))


def expm1_of(x: OpCall, name: str) -> Any:
    """Return e^v - 1, accurate near 0."""
    grown = x("Exp", name)
    less = x("Sub", grown, x.number(1))
    safe = x("Or", x("Equal", grown, x.number(1)), x("LessOrEqual", less, x.number(-1)))
    safe = x("Or", safe, x("IsInf", grown))
    divisor = x("Where", safe, x.number(1), x("Log", x("Where", safe, x.number(2), grown)))
    exact = x("Div", x("Mul", less, x("Where", safe, x.number(1), name)), divisor)
    return x("Where", x("Equal", grown, x.number(1)), name, x("Where", safe, less, exact))


@maps("log1p")
def log1p(x: OpCall) -> Any:
    """Write log(1 + x)."""
    return log1p_of(x, x.input())


@maps("expm1")
def expm1(x: OpCall) -> Any:
    """Write e^x - 1."""
    return expm1_of(x, x.input())


@maps("log2", "log10")
def logarithm(x: OpCall) -> Any:
    """Write a logarithm of another base."""
    return x("Mul", x("Log", x.input()), x.number(_SCALES[x.call.op]))


@maps("deg2rad", "rad2deg")
def turned(x: OpCall) -> Any:
    """Change the unit of an angle."""
    return x("Mul", x.input(), x.number(_SCALES[x.call.op]))


@maps("exp2")
def exp2(x: OpCall) -> Any:
    """Write 2^x."""
    return x("Pow", x.number(2), x.input())


@maps("tan")
def tan(x: OpCall) -> Any:
    """Write sin / cos."""
    return x("Div", x("Sin", x.input()), x("Cos", x.input()))


@maps("sinh", "cosh")
def hyperbolic(x: OpCall) -> Any:
    """Write (e^x -+ e^-x) / 2, the sine from e^x - 1 so that it is accurate near 0."""
    name = x.input()
    if x.call.op == "cosh":
        return x("Mul", x.number(0.5), x("Add", x("Exp", name), x("Exp", x("Neg", name))))
    grown = expm1_of(x, x("Abs", name))
    half = x("Mul", x.number(0.5), x("Add", grown, x("Div", grown, x("Add", grown, x.number(1)))))
    half = x("Where", x("IsInf", grown), grown, half)
    return x("Mul", x("Sign", name), half)


@maps("asinh", "atanh", "acosh")
def inverse_hyperbolic(x: OpCall) -> Any:
    """Write an inverse hyperbolic function by log(1 + x)."""
    name = x.input()
    one = x.number(1)
    if "cosh" in x.call.op:
        return x("Log", x("Add", name, x("Mul", x("Sqrt", x("Sub", name, one)), x("Sqrt", x("Add", name, one)))))
    size = x("Abs", name)
    if "tanh" in x.call.op:
        inner = x("Div", x("Mul", x.number(2), size), x("Sub", one, size))
        return x("Mul", x("Sign", name), x("Mul", x.number(0.5), log1p_of(x, inner)))
    square = x("Mul", size, size)
    inner = x("Add", size, x("Div", square, x("Add", one, x("Sqrt", x("Add", one, square)))))
    return x("Mul", x("Sign", name), log1p_of(x, inner))


@maps("rsqrt")
def rsqrt(x: OpCall) -> Any:
    """Write 1 / sqrt(x)."""
    return x("Div", x.number(1), x("Sqrt", x.input()))


@maps("square")
def square(x: OpCall) -> Any:
    """Write x x."""
    return x("Mul", x.input(), x.input())


@maps("erfc")
def erfc(x: OpCall) -> Any:
    """Write 1 - erf."""
    return x("Sub", x.number(1), x("Erf", x.input()))


@maps("logit")
def logit(x: OpCall) -> Any:
    """Write log(x / (1 - x))."""
    name = x.input()
    if x["eps"] is not None:
        name = x("Clip", name, x.number(x["eps"]), x.number(1 - x["eps"]))
    return x("Log", x("Div", name, x("Sub", x.number(1), name)))


@maps("sinc")
def sinc(x: OpCall) -> Any:
    """Write sin(pi x) / (pi x), 1 at 0."""
    name = x("Mul", x.input(), x.number(math.pi))
    zero = x("Equal", name, x.number(0))
    return x("Where", zero, x.number(1), x("Div", x("Sin", name), x("Where", zero, x.number(1), name)))


@maps("isnan", "isinf", "isfinite", "isposinf", "isneginf")
def special(x: OpCall) -> Any:
    """Tell NaN and infinities; integers have none."""
    name, op = x.name("input"), x.call.op
    if x["input"].dtype.kind != "f":
        same_ = x("Equal", name, name)
        return same_ if op == "isfinite" else x("Not", same_)
    if op == "isnan":
        return x("IsNaN", name)
    if op == "isfinite":
        return x("Not", x("Or", x("IsNaN", name), x("IsInf", name)))
    return x("IsInf", name, detect_negative=int(op != "isposinf"), detect_positive=int(op != "isneginf"))


@maps("signbit")
def signbit(x: OpCall) -> Any:
    """Tell negative numbers."""
    if x["input"].dtype.kind == "f":
        x.refuse("on floats")
    return x("Less", x.name("input"), np.asarray(0, x["input"].dtype))


@maps("nan_to_num")
def nan_to_num(x: OpCall) -> Any:
    """Replace NaN and infinities."""
    name = x.input()
    if x.dtype.kind != "f":
        return x("Identity", name)
    info = np.finfo(x.dtype)
    high, low = (
        x[each] if x[each] is not None else value for each, value in (("posinf", info.max), ("neginf", info.min))
    )
    made = x("Where", x("IsNaN", name), x.number(x["nan"] or 0), name)
    made = x("Where", x("IsInf", name, detect_negative=0), x.number(high), made)
    return x("Where", x("IsInf", name, detect_positive=0), x.number(low), made)


@maps("heaviside")
def heaviside(x: OpCall) -> Any:
    """Write the step function."""
    name = x.input()
    step = x("Where", x("Equal", name, x.number(0)), x.name("values", x.dtype), x.number(1))
    step = x("Where", x("Less", name, x.number(0)), x.number(0), step)
    return x("Where", x("IsNaN", name), x.number(0), step) if x.dtype.kind == "f" else step


@maps("clamp", "hardtanh", "clamp_min", "clamp_max", "at_least")
def clamp(x: OpCall) -> Any:
    """Keep within bounds; NaN stays."""
    low = next((x[each] for each in ("min", "min_val", "low") if x[each] is not None), None)
    high = next((x[each] for each in ("max", "max_val") if x[each] is not None), None)
    name = made = x.input()
    if low is not None:
        bound = x.named(low, x.dtype)
        made = x("Where", x("Less", made, bound), bound, made)
    if high is not None:
        bound = x.named(high, x.dtype)
        made = x("Where", x("Greater", made, bound), bound, made)
    return made if made != name else x("Identity", name)


@maps("masked_fill", "fill")
def filled(x: OpCall) -> Any:
    """Put a number where a mask is True, or everywhere."""
    value = x.named(x["value"], x.dtype)
    if x.call.op == "masked_fill":
        return x("Where", x.name("mask"), value, x.input())
    return x("Expand", value, x.shape_of(x.name("input")))


@maps("zero", "zeros_like")
def zero(x: OpCall) -> Any:
    """Make zeros."""
    return x("Expand", x.number(0), x.shape_of(x.name("input" if "input" in x.arguments else "g")))


# -- activations


@maps("relu")
def relu(x: OpCall) -> Any:
    """Write max(x, 0); NaN stays."""
    name = x.input()
    return x("Relu", name) if x.dtype.kind == "f" else x("Max", name, x.number(0))


@maps("leaky_relu", "threshold", "prelu_kernel")
def bent(x: OpCall) -> Any:
    """Write another slope, or value, below a threshold."""
    name = x.input()
    if x.call.op == "threshold":
        return x("Where", x("LessOrEqual", name, x.number(x["threshold"])), x.number(x["value"]), name)
    slope = x.named(x["negative_slope"] if x.call.op == "leaky_relu" else x["weight"], x.dtype)
    return x("Where", x("Greater", name, x.number(0)), name, x("Mul", name, slope))


def elu_of(x: OpCall, alpha: float, scale: float = 1.0, inner: float = 1.0) -> Any:
    """Write scale x above 0, scale alpha (e^(inner x) - 1) below."""
    name = x.input()
    low = expm1_of(x, x("Mul", x("Min", name, x.number(0)), x.number(inner)))
    return x(
        "Where",
        x("LessOrEqual", name, x.number(0)),
        x("Mul", low, x.number(alpha * scale)),
        x("Mul", name, x.number(scale)),
    )


@maps("elu")
def elu(x: OpCall) -> Any:
    """Write ELU."""
    return elu_of(x, x["alpha"], x["scale"], x["input_scale"])


@maps("celu")
def celu(x: OpCall) -> Any:
    """Write CELU."""
    return elu_of(x, x["alpha"], 1.0, 1.0 / x["alpha"])


@maps("selu")
def selu(x: OpCall) -> Any:
    """Write SELU."""
    return elu_of(x, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946)


def softplus_of(x: OpCall, name: str) -> Any:
    """Return log(1 + e^v), without overflow."""
    return x("Add", x("Max", name, x.number(0)), log1p_of(x, x("Exp", x("Neg", x("Abs", name)))))


@maps("softplus")
def softplus(x: OpCall) -> Any:
    """Write log(1 + e^(beta x)) / beta, x itself above the threshold."""
    scaled_ = x("Mul", x.input(), x.number(x["beta"]))
    soft = x("Div", softplus_of(x, scaled_), x.number(x["beta"]))
    return x("Where", x("Greater", scaled_, x.number(x["threshold"])), x.input(), soft)


@maps("logsigmoid")
def logsigmoid(x: OpCall) -> Any:
    """Write -log(1 + e^-x)."""
    return x("Neg", softplus_of(x, x("Neg", x.input())))


@maps("silu", "mish")
def gated(x: OpCall) -> Any:
    """Write x times a gate of x."""
    name = x.input()
    return x("Mul", name, x("Sigmoid", name) if x.call.op == "silu" else x("Tanh", softplus_of(x, name)))


@maps("gelu")
def gelu(x: OpCall) -> Any:
    """Write GELU, exact or by tanh."""
    name, half = x.input(), x.number(0.5)
    if x["approximate"] == "tanh":
        cube = x("Mul", x("Mul", x("Mul", name, name), name), x.number(0.044715))
        bend = x("Tanh", x("Mul", x.number(math.sqrt(2 / math.pi)), x("Add", name, cube)))
    else:
        bend = x("Erf", x("Mul", name, x.number(math.sqrt(0.5))))
    return x("Mul", x("Mul", half, name), x("Add", x.number(1), bend))


@maps("hardswish", "hardsigmoid")
def hard(x: OpCall) -> Any:
    """Write the piecewise linear gates."""
    gate = x("Clip", x("Add", x.input(), x.number(3)), x.number(0), x.number(6))
    if x.call.op == "hardswish":
        gate = x("Mul", x.input(), gate)
    return x("Div", gate, x.number(6))


@maps("hardshrink", "softshrink")
def shrunk(x: OpCall) -> Any:
    """Write 0 near 0."""
    name, edge = x.input(), x.number(x["lambd"])
    inside = x("LessOrEqual", x("Abs", name), edge)
    far = name if x.call.op == "hardshrink" else x("Sub", name, x("Mul", x("Sign", name), edge))
    return x("Where", inside, x.number(0), far)


@maps("glu")
def glu(x: OpCall) -> Any:
    """Write the first half times the sigmoid of the second."""
    first, second = x("Split", x.input(), axis=x["dim"], num_outputs=2, outputs=2)
    return x("Mul", first, x("Sigmoid", second))
