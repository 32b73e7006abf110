"""Parametrizations: weight_norm, spectral_norm, orthogonal."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.errors.explain import missing_in
from dyncore.nn import functional as F
from dyncore.nn.module import Module
from dyncore.nn.utils.orthogonal import orthogonal as orthogonal
from dyncore.nn.utils.parametrize import register_parametrization
from dyncore.rng.initial import normal
from dyncore.tensors.tensor import Tensor, wrap

__capture__ = "refused"


def norm_except(value: Any, dim: int | None) -> Any:
    """Return the 2-norm over all dimensions but `dim`, which are kept.

    None or -1: over all dimensions.
    """
    ndim = value._array.ndim
    square = value * value
    if dim is None or dim == -1:
        return square.sum().sqrt()
    axes = tuple(axis for axis in range(ndim) if axis != dim % ndim)
    return (square.sum(axes, keepdim=True) if axes else square).sqrt()


class _WeightNorm(Module):
    """weight = g v / |v|: original0 is g, original1 is v."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return weight_v * (weight_g / norm_except(weight_v, self.dim))

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        return norm_except(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Any:
    """Make a weight the product of a length and a direction, both learned."""
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


def check_power_iterations(count: int) -> None:
    """Raise ValueError unless there is an iteration to find the largest singular value."""
    if count <= 0:
        raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={count}")


class _SpectralNorm(Module):
    """weight / its largest singular value, by power iteration on _u and _v."""

    _u: Any
    _v: Any

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        check_power_iterations(n_power_iterations)
        ndim = weight._array.ndim
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        self.n_power_iterations = n_power_iterations
        if ndim > 1:
            matrix = self._matrix(weight)._array
            for name, size in zip(("_u", "_v"), matrix.shape):
                self.register_buffer(name, wrap(_unit(normal((size,), 0.0, 1.0, dtype=matrix.dtype), eps), None))
            self._iterate(matrix, 15)

    def _matrix(self, weight: Any) -> Any:
        if self.dim:
            order = [self.dim, *(axis for axis in range(weight._array.ndim) if axis != self.dim)]
            weight = weight.permute(*order)
        return weight.flatten(1)

    def _iterate(self, matrix: Any, count: int) -> None:
        u, v = self._u._array, self._v._array
        for _ in range(count):
            u = _unit(matrix.dot(v), self.eps)
            v = _unit(matrix.T.dot(u), self.eps)
        self._u._array[...] = u
        self._v._array[...] = v

    def forward(self, weight: Any) -> Any:
        if weight._array.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix._array, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / u.dot(matrix.mv(v))

    def right_inverse(self, value: Any) -> Any:
        return value


def _unit(vector: Any, eps: float) -> Any:
    return vector / max(float(np.linalg.norm(vector)), eps)


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divide a weight by its largest singular value."""
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))


__getattr__ = missing_in(__name__)
