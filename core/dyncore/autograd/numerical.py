"""Jacobians by central differences, perturbing each element in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.tensors.tensor import Tensor, storage

Function = Callable[..., tuple[Any, ...]]


def sources_of(inputs: tuple[Any, ...]) -> list[tuple[int, Tensor]]:
    """Return the inputs to check, with their positions."""
    return [(n, each) for n, each in enumerate(inputs) if isinstance(each, Tensor) and each.requires_grad]


def columns(func: Function, inputs: tuple[Any, ...], source: Tensor, eps: float) -> list[Any]:
    """Return the Jacobian of each output of `func` by `source`.

    Matrices (elements of source) x (elements of output).
    """
    array = storage(source)
    rows: list[list[Any]] = []
    for position in np.ndindex(*array.shape):
        row = differences(func, inputs, array, eps, eps, position)
        if array.dtype.kind == "c":
            by_imaginary = differences(func, inputs, array, 1j * eps, eps, position)
            row = [a + 1j * b for a, b in zip(row, by_imaginary, strict=True)]
        rows.append(row)
    if not rows:
        sizes = [out.numel() for out in func(*inputs)]
        return [np.zeros((0, size)) for size in sizes]
    return [np.stack([row[n] for row in rows]) for n in range(len(rows[0]))]


def differences(func: Function, inputs: tuple[Any, ...], array: Any, step: Any, eps: float, at: Any = ...) -> list[Any]:
    """Return the central differences of the outputs, flat.

    The elements `at` of the input in `array` move by `step`, which is `eps` times a direction.
    """
    before = np.array(array[at])
    try:
        array[at] = before - step
        low = kept_outputs(func, inputs)
        array[at] = before + step
        high = kept_outputs(func, inputs)
    finally:
        array[at] = before
    for a, b in zip(low, high, strict=True):
        check_same(a, b, eps, "" if at is ... else f"on index {at} ")
    return [((_wide(b) - _wide(a)) / (2 * eps)).reshape(-1) for a, b in zip(low, high, strict=True)]


def vector(like: Tensor, generator: Any) -> Any:
    """Return a random direction with as many elements as `like`.

    It is flat, not negative, and has length 1.
    """
    from dyncore.creation.random import rand

    drawn = np.asarray(rand(like._array.size, generator=generator)._array, np.float64)
    return drawn / (np.linalg.norm(drawn) or 1.0)


def kept_outputs(func: Function, inputs: tuple[Any, ...]) -> list[Any]:
    """Return copies of the values of the outputs."""
    return [np.array(out._array) for out in func(*inputs)]


def _wide(array: Any) -> Any:
    return array if array.dtype.kind in "fc" else array.astype(np.float64)


def check_same(low: Any, high: Any, eps: float, where: str) -> None:
    """Raise AssertionError unless two values of an output have one shape and dtype."""
    for what in ("shape", "dtype"):
        a, b = getattr(low, what), getattr(high, what)
        if a != b:
            from dyncore.dtypes import dtypes
            from dyncore.tensors.size import Size

            first, second = (Size(a), Size(b)) if what == "shape" else (dtypes.of(a), dtypes.of(b))
            raise AssertionError(
                f"Expected `func` to return outputs with the same {what} when inputs are perturbed {where}by "
                f"{eps}, but got: {what}s {first} and {second}."
            )


def same_kind(one: Tensor, other: Tensor) -> bool:
    """Return True if two tensors have the same shape and dtype."""
    return bool(one._array.shape == other._array.shape and one._array.dtype == other._array.dtype)
