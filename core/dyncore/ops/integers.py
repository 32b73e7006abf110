"""Bits of integers, and their common divisors and multiples."""

import numpy as np

from dyncore.dispatch.registry import binary, unary
from dyncore.dtypes.supported import refusal


def _whole(input, name):
    if input.dtype.kind not in "iub":
        raise refusal(name, input.dtype)
    return input


@unary()
def bitwise_not(input):
    """Each integer with its bits inverted; each boolean negated."""
    return np.invert(_whole(input, "bitwise_not_cpu"))


@binary()
def bitwise_and(input, other):
    """Bitwise and of integers or booleans."""
    return np.bitwise_and(_whole(input, "bitwise_and_cpu"), other)


@binary()
def bitwise_or(input, other):
    """Bitwise or of integers or booleans."""
    return np.bitwise_or(_whole(input, "bitwise_or_cpu"), other)


@binary()
def bitwise_xor(input, other):
    """Bitwise exclusive or of integers or booleans."""
    return np.bitwise_xor(_whole(input, "bitwise_xor_cpu"), other)


@binary()
def bitwise_left_shift(input, other):
    """Each integer with its bits moved up by `other`; 0 when all fall out."""
    return np.left_shift(_whole(input, "lshift_cpu"), other)


@binary()
def bitwise_right_shift(input, other):
    """Each integer with its bits moved down by `other`, keeping its sign."""
    return np.right_shift(_whole(input, "rshift_cpu"), other)


@binary(strict=("input", "other"))
def gcd(input, other):
    """Greatest common divisor, not negative."""
    return np.gcd(_whole(input, "gcd_cpu"), other)


@binary(strict=("input", "other"))
def lcm(input, other):
    """Least common multiple, not negative."""
    return np.lcm(_whole(input, "lcm_cpu"), other)
