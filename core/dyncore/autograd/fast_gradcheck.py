"""`gradcheck(fast_mode=True)`: compares v^T J u for two random vectors.

u, v are drawn from PyTorch's own stream, are not negative, and have length 1.  Finite differences and backward
take two calls and one backward for each input, however large it is.
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
    """Return what is wrong with the derivatives of real outputs; None if correct."""
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
    """Return a random vector for the real parts, and one for imaginary parts or None."""
    return vector(source, generator), vector(source, generator) if source.is_complex() else None


def _sum(pair: tuple[Any, Any]) -> float:
    """Return the factor of an absolute tolerance per element along the directions."""
    return float(sum(each.sum() for each in pair if each is not None))


def _differences(func: Any, inputs: tuple[Any, ...], source: Tensor, pair: tuple[Any, Any], eps: float) -> list[Any]:
    """Return J u of each output by a central difference.

    Of a complex input, the real part is that along the real direction, the imaginary part that along the imaginary one.
    """
    total: list[Any] = []
    for direction, unit in zip(pair, (1.0, 1j), strict=True):
        if direction is None:
            continue
        step = (eps * unit * direction).reshape(source._array.shape)
        outputs = differences(func, inputs, storage(source), step, eps)
        total = outputs if not total else [a + 1j * b for a, b in zip(total, outputs, strict=True)]
    return total


def _backward(out: Tensor, source: Tensor, pair: tuple[Any, Any], v: Any) -> complex:
    """Return v^T J u by backward.

    Of a complex input, real and imaginary part belong to those of the input.
    """
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
    """Return both Jacobians element by element, as text for the error."""
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
