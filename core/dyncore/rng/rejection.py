"""Random numbers by rejection, one after the other, in the order PyTorch draws: Poisson, binomial, gamma."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .generator import Generator


def _uniforms(generator: Generator) -> Callable[[], float]:
    return lambda: generator.few_doubles(1)[0]


def poisson(rates: list[float], generator: Generator) -> list[float]:
    """Draw a number of events for each mean number."""
    uniform = _uniforms(generator)
    return [_poisson(rate, uniform) for rate in rates]


def _poisson(rate: float, uniform: Callable[[], float]) -> float:
    if rate == 0:
        return 0.0
    return _poisson_by_rejection(rate, uniform) if rate >= 10 else _poisson_by_product(rate, uniform)


def _poisson_by_product(rate: float, uniform: Callable[[], float]) -> float:
    """Knuth: how many uniform numbers can be multiplied before the product falls to exp(-rate)."""
    limit, product, events = math.exp(-rate), 1.0, 0
    while True:
        product *= uniform()
        if product <= limit:
            return float(events)
        events += 1


def _poisson_by_rejection(rate: float, uniform: Callable[[], float]) -> float:
    """Hörmann, "The transformed rejection method for generating Poisson random variables" (1993), PTRS."""
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    accepted = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = uniform() - 0.5
        v = uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= accepted:
            return float(k)
        if k < 0 or (us < 0.013 and v > us):
            continue
        height = math.log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b)
        if height <= -rate + k * math.log(rate) - math.lgamma(k + 1):
            return float(k)


def binomial(counts: list[float], chances: list[float], generator: Generator) -> list[float]:
    """Draw a number of successes for each number of trials and probability."""
    uniform = _uniforms(generator)
    return [_binomial(count, p, uniform) for count, p in zip(counts, chances, strict=True)]


def _binomial(count: float, p: float, uniform: Callable[[], float]) -> float:
    if count <= 0.0 or p <= 0.0:
        return 0.0
    if p >= 1.0:
        return count
    if p > 0.5:
        return count - _binomial(count, 1.0 - p, uniform)
    return _binomial_by_rejection(count, p, uniform) if count * p >= 10.0 else _binomial_by_waiting(count, p, uniform)


def _binomial_by_waiting(count: float, p: float, uniform: Callable[[], float]) -> float:
    """Return how many waits for a success fit into `count` trials."""
    total, successes, scale = 0.0, 0, math.log1p(-p)
    while True:
        total += math.ceil(math.log(uniform()) / scale)
        if total > count:
            return float(successes)
        successes += 1


def _binomial_by_rejection(count: float, p: float, uniform: Callable[[], float]) -> float:
    """Hörmann, "The generation of binomial random variates" (1993), BTRS."""
    deviation = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = count * p + 0.5
    accepted = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * deviation
    m = math.floor((count + 1) * p)
    while True:
        u = uniform() - 0.5
        v = uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + c)
        if k < 0 or k > count:
            continue
        if us >= 0.07 and v <= accepted:
            return float(k)
        bound = (
            (m + 0.5) * math.log((m + 1) / (odds * (count - m + 1)))
            + (count + 1) * math.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _stirling(m) + _stirling(count - m) - _stirling(k) - _stirling(count - k)
        )  # fmt: skip
        if math.log(v * alpha / (a / (us * us) + b)) <= bound:
            return float(k)


def _stirling(k: float) -> float:
    """log(k!) less Stirling's approximation of it: log k! = 1/2 log 2pi + (k + 1/2) log(k + 1) - (k + 1) + this."""
    if k <= 9:
        return math.lgamma(k + 1) - (0.5 * math.log(2 * math.pi) + (k + 0.5) * math.log(k + 1) - (k + 1))
    square = (k + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


def gamma(shapes: list[float], generator: Generator) -> list[float]:
    """Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), for each concentration."""
    uniform = _uniforms(generator)
    return [_gamma(shape, uniform, generator) for shape in shapes]


# PyTorch writes these as float32 constants.
_SQUEEZE = 0.033100001513957977


def _gamma(shape: float, uniform: Callable[[], float], generator: Generator) -> float:
    scale = 1.0
    if shape < 1.0:
        if shape == 0.0:
            return 0.0
        scale = (1.0 - uniform()) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        y: Any = 0.0
        while y <= 0.0:
            x = float(generator.normals(1)[0])
            y = 1.0 + c * x
        v = y * y * y
        u = 1.0 - uniform()
        square = x * x
        if u < 1.0 - _SQUEEZE * square * square:
            return float(scale * d * v)
        if math.log(u) < 0.5 * square + d * (1.0 - v + math.log(v)):
            return float(scale * d * v)
