"""`gradcheck(fast_mode=True)`: the Jacobian J between two random vectors, v^T J u, instead of each of its elements.

u, v are drawn from PyTorch's own stream, are not negative, and have length 1.  What the differences and backward say of
v^T J u takes two calls and one backward for each input, however large it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..generator import Generator
from ..tensor import Tensor, storage, wrap
from . import grad as _gradients
from .numerical import columns, kept_outputs

Vectors = list[tuple[Any, Any]]


def compare(
    func: Callable[..., tuple[Any, ...]],
    inputs: tuple[Any, ...],
    prefix: str,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
    forward: bool,
    backward: bool,
) -> str | None:
    """What is wrong with the derivatives of real outputs; None if nothing is."""
    generator = Generator()
    sources = [each for each in inputs if isinstance(each, Tensor) and each.requires_grad]
    along = [_vectors(source, generator) for source in sources]
    outputs = func(*inputs)
    across = [_vector(out._array.size, generator) for out in outputs]
    for index, (source, pair) in enumerate(zip(sources, along, strict=True)):
        numerical = _differences(func, inputs, source, pair, eps)
        if forward:
            found = _forward(func, inputs, source, pair)
            for number, (one, other) in enumerate(zip(found, numerical, strict=True)):
                if not np.allclose(one, other, rtol, atol * _sum(pair)):
                    return _mismatch(prefix, "computed with forward mode ", number, index, other, one)
        if not backward:
            continue
        for number, (v, out) in enumerate(zip(across, outputs, strict=True)):
            one, again = (_backward(out, source, pair, v) for _ in range(2))
            if not abs(one - again) <= nondet_tol:
                return (
                    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                    "gives different values, although analytical gradient matches numerical gradient."
                    f"The tolerance for nondeterminism was {nondet_tol}."
                )
            expected = float(v @ numerical[number])
            if not np.allclose(one, expected, rtol, atol * _sum(pair) * float(v.sum())):
                return _mismatch(prefix, "", number, index, expected, one) + _slowly(
                    func, inputs, source, out, number, (eps, atol, rtol)
                )
    return None


def _vector(size: int, generator: Any) -> Any:
    """A random direction without negative elements."""
    from ..random import rand

    drawn = np.asarray(rand(size, generator=generator)._array, np.float64)
    return drawn / (np.linalg.norm(drawn) or 1.0)


def _vectors(source: Tensor, generator: Any) -> tuple[Any, Any]:
    """One for the real parts, and of a complex tensor one for the imaginary parts."""
    size = source._array.size
    return _vector(size, generator), _vector(size, generator) if source.is_complex() else None


def _sum(pair: tuple[Any, Any]) -> float:
    """How much of an absolute tolerance per element the directions gather."""
    return float(sum(each.sum() for each in pair if each is not None))


def _differences(func: Any, inputs: tuple[Any, ...], source: Tensor, pair: tuple[Any, Any], eps: float) -> list[Any]:
    """J u of each output by a central difference; of a complex input both parts' together."""
    total: list[Any] = []
    for direction, unit in zip(pair, (1.0, 1j), strict=True):
        if direction is None:
            continue
        step = (eps * unit * direction).reshape(source._array.shape)
        found = _along(func, inputs, storage(source), step, eps)
        total = found if not total else [a + b for a, b in zip(total, found, strict=True)]
    return total


def _along(func: Any, inputs: tuple[Any, ...], array: Any, step: Any, eps: float) -> list[Any]:
    before = np.array(array)
    try:
        array[...] = before - step
        low = kept_outputs(func, inputs)
        array[...] = before + step
        high = kept_outputs(func, inputs)
    finally:
        array[...] = before
    return [((b - a) / (2 * eps)).reshape(-1) for a, b in zip(low, high, strict=True)]


def _backward(out: Tensor, source: Tensor, pair: tuple[Any, Any], v: Any) -> float:
    """v^T J u by backward."""
    cotangent = wrap(v.reshape(out._array.shape).astype(out._array.dtype), None)
    (gradient,) = _gradients([out], [source], [cotangent], retain_graph=True, allow_unused=True)
    if gradient is None:
        return 0.0
    array = np.asarray(gradient._array).reshape(-1)
    real, imaginary = pair
    return float(array.real @ real + (array.imag @ imaginary if imaginary is not None else 0.0))


def _forward(func: Any, inputs: tuple[Any, ...], source: Tensor, pair: tuple[Any, Any]) -> list[Any]:
    """J u by forward mode."""
    from .forward_ad import dual_level, make_dual, unpack_dual

    direction = pair[0] if pair[1] is None else pair[0] + 1j * pair[1]
    tangent = wrap(direction.reshape(source._array.shape).astype(source._array.dtype), None)
    with dual_level():
        given = [make_dual(each, tangent) if each is source else each for each in inputs]
        found = [(out, unpack_dual(out).tangent) for out in func(*given)]
        return [
            np.zeros(out.numel()) if each is None else np.asarray(each.detach()._array).reshape(-1).real
            for out, each in found
        ]


def _mismatch(prefix: str, mode: str, output: int, index: int, numerical: Any, analytical: Any) -> str:
    return (
        f"{prefix}Jacobian {mode}mismatch for output {output:d} with respect to input {index:d},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def _slowly(
    func: Any, inputs: tuple[Any, ...], source: Tensor, out: Tensor, number: int, tolerance: tuple[float, float, float]
) -> str:
    """Both Jacobians element by element, for the message."""
    from .gradcheck import analytical_jacobian

    eps, atol, rtol = tolerance
    numerical = columns(func, inputs, source, eps)[number]
    (analytical,) = analytical_jacobian(out, [source], False)
    text = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {wrap(numerical, None)}\nAnalytical:\n{wrap(analytical, None)}\n\n"
        f"The max per-element difference (slow mode) is: {np.abs(numerical - analytical).max()}.\n"
    )
    if np.allclose(analytical, numerical, rtol, atol):
        text += (
            "\nFast gradcheck failed but element-wise differences are small. This means that the\n"
            "test might've passed in slow_mode!\n"
        )
    return text
