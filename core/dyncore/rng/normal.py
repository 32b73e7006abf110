"""Normal numbers from uniform ones in blocks of sixteen, bit for bit as PyTorch's AVX2 kernel makes them in float32.

PyTorch computes there with the polynomials of S. L. Moshier's Cephes library (logf, sinf, cosf) and fused
multiply-adds. A fused multiply-add of float32 is done here in float64, where the product is exact, and rounded once.
Where PyTorch finds no AVX2 it differs from itself in the last bits, and so from this.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
F = np.float32
_LOG = tuple(
    float(F(c))
    for c in (
        7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
        2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
    )
)  # fmt: skip
_LN2_LOW, _LN2_HIGH = F(-2.12194440e-4), float(F(0.693359375))
_SIN = tuple(float(F(c)) for c in (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1))
_COS = tuple(float(F(c)) for c in (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2))
_QUARTER_PI = tuple(float(F(c)) for c in (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8))
_CHUNK = 4096


def box_muller(uniforms: Array, mean: float, std: float) -> Array:
    """Draw normal numbers from as many uniform ones, a multiple of 16: numbers k and k + 8 of a block make a pair."""
    blocks = uniforms.reshape(-1, 2, 8)
    if uniforms.dtype != np.float32:
        return _double(blocks, mean, std).reshape(-1)
    made = np.empty(blocks.shape, F)
    spread, centre = float(F(std)), float(F(mean))
    for start in range(0, len(blocks), _CHUNK):
        part = blocks[start : start + _CHUNK]
        radius = np.sqrt(F(-2) * log(F(1) - part[:, 0]))
        sine, cosine = sincos(F(2.0 * math.pi) * part[:, 1])
        for column, wave in enumerate((cosine, sine)):
            target = made[start : start + _CHUNK, column]
            np.multiply(radius, wave, out=target)
            if spread != 1.0 or centre != 0.0:
                target[...] = target.astype(np.float64) * spread + centre
    return made.reshape(-1)


def _double(blocks: Array, mean: float, std: float) -> Array:
    radius = np.sqrt(-2.0 * np.log(1.0 - blocks[:, 0]))
    angle = (2.0 * math.pi) * blocks[:, 1]
    return np.stack((radius * np.cos(angle) * std + mean, radius * np.sin(angle) * std + mean), 1)


def log(x: Array) -> Array:
    """Natural logarithm of positive float32 numbers: ln(m 2^e) = ln m + e ln 2 with m in [sqrt(1/2), sqrt(2))."""
    mantissa, exponent = np.frexp(x)
    low = mantissa < F(math.sqrt(0.5))
    power = exponent.astype(F)
    power -= low
    x = mantissa - F(1)
    x += mantissa * low
    square = x * x
    y = _polynomial(_LOG, x)
    y *= x
    wide = y.astype(np.float64)
    wide *= square
    wide += power * _LN2_LOW
    y = wide.astype(F)
    wide = square * -0.5
    wide = wide.astype(np.float64)
    wide += y
    x += wide.astype(F)
    wide = power.astype(np.float64)
    wide *= _LN2_HIGH
    wide += x
    return wide.astype(F)


def sincos(x: Array) -> tuple[Array, Array]:
    """Sine and cosine of float32 angles >= 0, reduced to the nearest even multiple of pi/4."""
    octant = (x * F(4.0 / math.pi)).astype(np.int32)
    octant += 1
    octant &= -2
    multiple = octant.astype(np.float64)
    for part in _QUARTER_PI:
        x = (multiple * part + x).astype(F)
    square = x * x
    wide = square.astype(np.float64)
    cosine = _polynomial(_COS, square, wide)
    cosine *= square
    cosine = (cosine * wide - square * F(0.5)).astype(F)
    cosine += F(1)
    sine = _polynomial(_SIN, square, wide)
    sine *= square
    sine = (sine * x.astype(np.float64) + x).astype(F)
    swapped = (octant & 2) != 0
    first, second = np.where(swapped, cosine, sine), np.where(swapped, sine, cosine)
    np.negative(first, out=first, where=(octant & 4) != 0)
    np.negative(second, out=second, where=((octant + 2) & 4) != 0)
    return first, second


def _polynomial(coefficients: tuple[float, ...], x: Array, wide: Array | None = None) -> Array:
    """Return a polynomial by Horner's rule, each step one fused multiply-add."""
    if wide is None:
        wide = x.astype(np.float64)
    y = np.full(x.shape, coefficients[0], F)
    product = np.empty_like(wide)
    for coefficient in coefficients[1:]:
        np.multiply(y, wide, out=product)
        product += coefficient
        y[...] = product
    return y
