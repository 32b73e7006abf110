"""`gradcheck(fast_mode=True)`: the Jacobian J between two random vectors, v^T J u, instead of each of its elements.

u, v are drawn from PyTorch's own stream, are not negative, and have length 1.  What the differences and backward say of
v^T J u takes two calls and one backward for each input, however large it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.rng.generator import Generator
from dyncore.tensors.tensor import Tensor, storage, wrap

from . import grad as _gradients
from .numerical import columns, differences, vector

Vectors = list[tuple[Any, Any]]


def compare(
    func: Callable[..., tuple[Any, ...]],
    inputs: tuple[Any, ...],
    prefix: str,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
) -> str | None:
    """What is wrong with the derivatives of real outputs by backward; None if nothing is."""
    generator = Generator()
    sources = [each for each in inputs if isinstance(each, Tensor) and each.requires_grad]
    along = [_vectors(source, generator) for source in sources]
    outputs = func(*inputs)
    across = [vector(out, generator) for out in outputs]
    for index, (source, pair) in enumerate(zip(sources, along, strict=True)):
        numerical = _differences(func, inputs, source, pair, eps)
        for number, (v, out) in enumerate(zip(across, outputs, strict=True)):
            one, again = (_backward(out, source, pair, v) for _ in range(2))
            if not abs(one - again) <= nondet_tol:
                return (
                    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                    "gives different values, although analytical gradient matches numerical gradient."
                    f"The tolerance for nondeterminism was {nondet_tol}."
                )
            expected = v @ numerical[number]
            if not np.allclose(one, expected, rtol, atol * _sum(pair) * float(v.sum())):
                return _mismatch(prefix, number, index, expected, one) + _slowly(
                    func, inputs, source, out, number, (eps, atol, rtol)
                )
    return None


def _vectors(source: Tensor, generator: Any) -> tuple[Any, Any]:
    """One for the real parts, and of a complex tensor one for the imaginary parts."""
    return vector(source, generator), vector(source, generator) if source.is_complex() else None


def _sum(pair: tuple[Any, Any]) -> float:
    """How much of an absolute tolerance per element the directions gather."""
    return float(sum(each.sum() for each in pair if each is not None))


def _differences(func: Any, inputs: tuple[Any, ...], source: Tensor, pair: tuple[Any, Any], eps: float) -> list[Any]:
    """J u of each output by a central difference; of a complex input both parts' as real and imaginary part."""
    total: list[Any] = []
    for direction, unit in zip(pair, (1.0, 1j), strict=True):
        if direction is None:
            continue
        step = (eps * unit * direction).reshape(source._array.shape)
        found = differences(func, inputs, storage(source), step, eps)
        total = found if not total else [a + 1j * b for a, b in zip(total, found, strict=True)]
    return total


def _backward(out: Tensor, source: Tensor, pair: tuple[Any, Any], v: Any) -> complex:
    """v^T J u by backward, the real parts' in the real and the imaginary parts' in the imaginary part."""
    cotangent = wrap(v.reshape(out._array.shape).astype(out._array.dtype), None)
    (gradient,) = _gradients([out], [source], [cotangent], retain_graph=True, allow_unused=True)
    if gradient is None:
        return 0.0
    array = np.asarray(gradient._array).reshape(-1)
    real, imaginary = pair
    by_real = float(array.real @ real)
    return by_real if imaginary is None else complex(by_real, float(array.imag @ imaginary))


def _mismatch(prefix: str, output: int, index: int, numerical: Any, analytical: Any) -> str:
    return (
        f"{prefix}Jacobian mismatch for output {output:d} with respect to input {index:d},\n"
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
