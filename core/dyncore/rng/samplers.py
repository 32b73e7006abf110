"""Arrays of random numbers from a generator, each distribution by PyTorch's formula on the same draws.

Every function returns a flat array of `count` numbers in `dtype`, in the order of memory.
`exponential` and `bernoulli` follow PyTorch where it does not hand over to MKL's own stream, as it does on Intel CPUs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.tensors.strides import in_order_of

from .generator import Generator, default_generator
from .normal import box_muller

Array = Any
_BLOCK = 16
_BITS21 = np.array((1 << 21) - 1, np.uint32)


def uniform(count: int, dtype: Any, low: float = 0.0, high: float = 1.0, generator: Generator | None = None) -> Array:
    """Return numbers drawn uniformly from [low, high)."""
    source = generator or default_generator
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return uniform(2 * count, real_of(dtype), low, high, source).view(dtype)
    if dtype == np.float64:
        numbers = source.doubles(count)
        return numbers if low == 0.0 and high == 1.0 else fused(numbers, high - low, low)
    numbers = source.floats(count)
    if low != 0.0 or high != 1.0:
        start = dtype.type(low)
        numbers = numbers.astype(np.float64) * float(np.float32(dtype.type(high) - start)) + float(start)
    if dtype == np.float32:
        return numbers.astype(dtype, copy=False)
    rounded = numbers.astype(dtype)
    rounded[rounded == dtype.type(high)] = low
    return rounded


def fused(first: Array, second: float, third: Any) -> Any:
    """Return first * second + third in float64, rounded once, as a fused multiply-add does (Dekker, Knuth)."""
    product = first * second
    upper, factor = _split(first), _split(second)
    lower, rest = first - upper, second - factor
    error = lower * rest - (((product - upper * factor) - lower * factor) - upper * rest)
    total = product + third
    back = total - product
    error += (product - (total - back)) + (third - back)
    return total + error


def _split(value: Any) -> Any:
    scaled = 134217729.0 * value
    return scaled - (scaled - value)


def normal(
    count: int,
    dtype: Any,
    mean: float = 0.0,
    std: float = 1.0,
    generator: Generator | None = None,
    contiguous: bool = True,
) -> Array:
    """Draw normally distributed numbers; 16 or more in a contiguous tensor are made in blocks, others one by one."""
    source = generator or default_generator
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return normal(2 * count, real_of(dtype), mean, std * math.sqrt(0.5), source, contiguous).view(dtype)
    if count < _BLOCK or not contiguous:
        numbers = source.normals(count)
        if std != 1.0 or mean != 0.0:
            numbers = numbers * std + mean
        return numbers.astype(dtype)
    draw = source.doubles if dtype == np.float64 else source.floats
    rest = count % _BLOCK
    if not rest and dtype == np.float32:
        made = source.blocks(count)
        if std != 1.0 or mean != 0.0:
            made[...] = made.astype(np.float64) * float(np.float32(std)) + float(np.float32(mean))
        return made
    # What the last block replaces is drawn all the same, except in float16.
    numbers = draw(count if dtype != np.float16 else count - rest)
    if not rest:
        return box_muller(numbers, mean, std).astype(dtype, copy=False)
    made = np.empty(count, numbers.dtype)
    found = box_muller(np.concatenate((numbers[: count - rest], draw(_BLOCK))), mean, std)
    made[: count - rest] = found[:-_BLOCK]
    made[count - _BLOCK :] = found[-_BLOCK:]
    return made.astype(dtype, copy=False)


def bernoulli(count: int, p: Any, generator: Generator | None = None) -> Array:
    """Return booleans that are True with probability `p`.

    p: a number or a flat float32 or float64 array.
    """
    source = generator or default_generator
    if not isinstance(p, np.ndarray):
        return _below(source.words(2 * count), p)
    single = p.dtype != np.float64
    return (source.floats(count) if single else source.doubles(count)) < p


def _below(words: Array, p: float) -> Array:
    """Return whether the 53 bits of each pair of words, as a number in [0, 1), are below `p`.

    The upper 21 bits of them tell but where they are those of `p`: half of what making the numbers takes (bench, calls:
    dropout).
    """
    limit = min(max(math.ceil(p * 2.0**53), 0), 2**53)
    upper = words[0::2] & _BITS21
    high, low = limit >> 32, limit & 0xFFFFFFFF
    below = upper < np.uint32(high)
    if low:
        near = upper == np.uint32(high)
        if near.any():
            below |= near & (words[1::2] < np.uint32(low))
    return below


def exponential(count: int, dtype: Any, lambd: float = 1.0, generator: Generator | None = None) -> Array:
    """Draw waiting times at rate `lambd`."""
    numbers = (generator or default_generator).doubles(count)
    return (-1.0 / lambd * np.log1p(-numbers)).astype(dtype)


def geometric(count: int, dtype: Any, p: float, generator: Generator) -> Array:
    """Return numbers of trials of probability `p` until the first success."""
    numbers = generator.doubles(count)
    with np.errstate(divide="ignore"):
        return np.ceil(np.log(numbers) / math.log1p(-p)).astype(dtype)


def cauchy(count: int, dtype: Any, median: float, sigma: float, generator: Generator) -> Array:
    """Cauchy distributed numbers."""
    numbers = generator.doubles(count)
    return (median + sigma * np.tan(math.pi * (numbers - 0.5))).astype(dtype)


def log_normal(count: int, dtype: Any, mean: float, std: float, generator: Generator) -> Array:
    """Return exponentials of normally distributed numbers."""
    return np.exp(generator.normals(count) * std + mean).astype(dtype)


def integers(count: int, dtype: Any, low: int, high: int, generator: Generator) -> Array:
    """Return integers from low to high - 1.

    A span of 2^28 or more takes 64 bits for each.
    """
    span = high - low
    if span >= 1 << 28:
        found = (generator.long_words(count) % np.uint64(span)) + np.uint64(low % 2**64)
        return found.view(np.int64).astype(dtype)
    found = (generator.words(count) % np.uint32(span)).astype(np.int64)
    if low:
        found += low
    return found.astype(dtype, copy=False)


def any_integers(count: int, dtype: Any, generator: Generator) -> Array:
    """Return integers from 0 to the largest of `dtype`.

    To 2^24 and 2^53 for float32 and float64.
    """
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        top = {2: 1 << 11, 4: 1 << 24, 8: 1 << 53}[dtype.itemsize] + 1
    else:
        top = 2 if dtype.kind == "b" else int(np.iinfo(dtype).max) + 1
    if dtype in (np.float64, np.int64):
        return (generator.long_words(count) % np.uint64(top)).astype(dtype)
    return (generator.words(count).astype(np.uint64) % np.uint64(top)).astype(dtype)


def permutation(count: int, generator: Generator | None = None) -> list[int]:
    """Return the integers below `count`, shuffled by Fisher and Yates."""
    order = list(range(count))
    if count > 1:
        draws = (generator or default_generator).words(count - 1)
        for place, step in enumerate((draws % np.arange(count, 1, -1, dtype=np.uint32)).tolist()):
            other = place + step
            order[place], order[other] = order[other], order[place]
    return order


def categories(weights: Array, count: int, replacement: bool, generator: Generator) -> Array:
    """For each row of `weights`, `count` column numbers drawn with those weights.  weights: (rows, columns)."""
    rows, columns = weights.shape
    if replacement and count > 1:
        return _with_replacement(weights, count, generator)
    waits = in_order_of(weights, exponential(rows * columns, weights.dtype, 1.0, generator))
    with np.errstate(divide="ignore", invalid="ignore"):
        races = weights / waits
    if count == 1:
        return races.argmax(1)[:, None]
    return np.argsort(-races, axis=1, kind="stable")[:, :count]


def _with_replacement(weights: Array, count: int, source: Generator) -> Array:
    rows, columns = weights.shape
    uniforms = source.doubles(rows * count).reshape(rows, count)
    sums = np.cumsum(weights, axis=1, dtype=weights.dtype)
    sums /= sums[:, -1:]
    found = np.stack([np.searchsorted(sums[row], uniforms[row]) for row in range(rows)])
    # Where rounding leaves the last sum below 1, the last category with any weight is meant.
    last = columns - 1 - np.argmax((weights > 0)[:, ::-1], axis=1)
    return np.minimum(found, last[:, None])


def real_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of the parts of a complex dtype."""
    return np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
