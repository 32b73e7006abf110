"""Comparisons and logic: results are booleans and have no derivative."""

import numpy as np

from dyncore.dispatch.registry import binary, op, unary
from dyncore.dtypes.supported import refusal


@binary()
def eq(input, other):
    """True where elements are equal."""
    return input == other


@binary(aliases=("not_equal",))
def ne(input, other):
    """True where elements differ."""
    return input != other


@binary(aliases=("less",))
def lt(input, other):
    """True where an element of `input` is less than that of `other`."""
    if input.dtype.kind == "c":
        raise refusal("lt_cpu", input.dtype)
    return input < other


@binary(aliases=("less_equal",))
def le(input, other):
    """True where an element of `input` is at most that of `other`."""
    if input.dtype.kind == "c":
        raise refusal("le_cpu", input.dtype)
    return input <= other


@binary(aliases=("greater",))
def gt(input, other):
    """True where an element of `input` is greater than that of `other`."""
    if input.dtype.kind == "c":
        raise refusal("gt_cpu", input.dtype)
    return input > other


@binary(aliases=("greater_equal",))
def ge(input, other):
    """True where an element of `input` is at least that of `other`."""
    if input.dtype.kind == "c":
        raise refusal("ge_cpu", input.dtype)
    return input >= other


@unary()
def logical_not(input):
    """True where an element is zero."""
    return np.logical_not(input)


@binary(strict=("input", "other"))
def logical_and(input, other):
    """True where both elements are nonzero."""
    return np.logical_and(input, other)


@binary(strict=("input", "other"))
def logical_or(input, other):
    """True where either element is nonzero."""
    return np.logical_or(input, other)


@binary(strict=("input", "other"))
def logical_xor(input, other):
    """True where exactly one element is nonzero."""
    return np.logical_xor(input, other)


@op(batching="each", promote=("input", "other"), strict=("input", "other"))
def isclose(input, other, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False):
    """True where |input - other| <= atol + rtol |other|."""
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")
    return np.isclose(input, other, rtol, atol, equal_nan)
