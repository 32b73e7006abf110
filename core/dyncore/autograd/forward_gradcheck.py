"""`gradcheck(check_forward_ad=True)`: tangents against differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.rng import generator
from dyncore.tensors.tensor import Tensor, storage, wrap

from .forward_ad import dual_level, make_dual, unpack_dual
from .numerical import differences, sources_of, vector

Function = Callable[..., tuple[Any, ...]]


def tangents(func: Function, inputs: tuple[Any, ...], position: int, tangent: Any, rest: bool = True) -> list[Any]:
    """Return the tangents of the outputs for that of one input.

    rest: the other inputs have zeros as tangents, or none.
    """
    with dual_level():
        given = list(inputs)
        for index, each in sources_of(inputs):
            if index == position or rest:
                zeros = np.zeros(each._array.shape, each._array.dtype)
                given[index] = make_dual(each.detach(), wrap(tangent if index == position else zeros, None))
            else:
                given[index] = each.detach()
        return [
            np.zeros(out._array.shape, out._array.dtype)
            if tangent_out is None
            else np.asarray(tangent_out.detach()._array)
            for out, tangent_out in ((out, unpack_dual(out).tangent) for out in func(*given))
        ]


def compare(func: Function, inputs: tuple[Any, ...], fast: bool, eps: float, atol: float, rtol: float) -> str | None:
    """Return what is wrong with the tangents; None if correct.

    fast: along one random direction instead of each element.
    """
    checked = sources_of(inputs)
    drawn = generator.Generator()
    along = [(vector(each, drawn), vector(each, drawn) if each.is_complex() else None) for _, each in checked]
    imaginary = any(each.is_complex() for _, each in checked)
    for unit in (1j, 1) if imaginary else (1,):
        part = "imaginary" if unit == 1j else "real"
        prefix = f"While considering the {part} part of complex inputs only, " if imaginary else ""
        for index, ((position, source), pair) in enumerate(zip(checked, along, strict=True)):
            if unit == 1j and not source.is_complex():
                continue
            directions: Any = [pair[unit == 1j]] if fast else np.eye(source._array.size)
            for direction in directions:
                step = (unit * direction).reshape(source._array.shape).astype(source._array.dtype)
                numerical = differences(func, inputs, storage(source), eps * step, eps)
                for number, (tangent, other) in enumerate(
                    zip(tangents(func, inputs, position, step), numerical, strict=True)
                ):
                    scale = float(sum(each.sum() for each in pair if each is not None)) if fast else 1.0
                    if not np.allclose(tangent.reshape(-1), other, rtol, atol * scale):
                        return (
                            f"{prefix}Jacobian computed with forward mode mismatch for output {number:d} with respect "
                            f"to input {index:d},\nnumerical:{other}\nanalytical:{tangent}\n"
                        )
    return None


def undefined(func: Function, inputs: tuple[Any, ...]) -> str | None:
    """Return what is wrong where a tangent is None instead of zero; None if correct.

    Checked for one input at a time.
    """
    drawn = generator.Generator()
    along = {position: random_like(source, drawn) for position, source in sources_of(inputs)}
    for position, source in sources_of(inputs):
        results = []
        for zeros in (True, False):
            with dual_level():
                given = list(inputs)
                for index, each in sources_of(inputs):
                    tangent = along[index] if index != position else wrap(np.zeros_like(each._array), None)
                    missing = index == position and not zeros
                    given[index] = each.detach() if missing else make_dual(each.detach(), tangent)
                results.append([unpack_dual(out).tangent for out in func(*given)])
        for number, (one, other) in enumerate(zip(*results, strict=True)):
            if one is not None and other is not None and not np.allclose(one._array, other._array):
                return (
                    f"Mismatch in tangent values for output with index: {number} when input: {source} has an undefined "
                    f"tangent value. Got: {one} but expected: {other}"
                )
    return None


def batched(func: Function, inputs: tuple[Any, ...]) -> str | None:
    """Return what is wrong with tangents of several directions; None if correct.

    They must be linear, and draw no random numbers.
    """
    drawn = generator.Generator()
    for position, source in sources_of(inputs):
        one, other = (random_like(source, drawn)._array for _ in range(2))
        first = tangents(func, inputs, position, one, rest=False)
        second = tangents(func, inputs, position, other, rest=False)
        try:
            with generator.refused("vmap: We do not yet support calling random operations inside of vmap. Please "
                                   "perform random operations outside of vmap as a workaround"):  # fmt: skip
                both = tangents(func, inputs, position, one + other, rest=False)
        except RuntimeError as error:
            return f"While computing batched gradients, got: {error}"
        for number, (a, b, c) in enumerate(zip(first, second, both, strict=True)):
            if not np.allclose(a + b, c):
                return (
                    f"For output {number} and input {position}: the tangents of two directions together are not the "
                    f"sum of theirs.\nGot:\n{c}\n\nExpected:\n{a + b}"
                )
    return None


def random_like(source: Tensor, drawn: Any) -> Tensor:
    """Return a random direction of the dtype and shape of the input."""
    array = vector(source, drawn)
    if source.is_complex():
        array = array + 1j * vector(source, drawn)
    return wrap(array.reshape(source._array.shape).astype(source._array.dtype), None)
