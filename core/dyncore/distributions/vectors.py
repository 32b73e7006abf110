"""Transforms of whole vectors and matrices: to the simplex, to Cholesky factors, part by part."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import dyncore as torch
from dyncore.tensors.size import Size

from . import constraints
from .distribution import sum_rightmost
from .elementwise import clipped_sigmoid
from .transform import Transform


class _OfVectors(Transform):
    """Transform of vectors of real numbers, without parameters."""

    domain = constraints.real_vector

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    __hash__ = object.__hash__

    def forward_shape(self, shape: Any) -> Any:
        return _at_least(shape, 1)

    def inverse_shape(self, shape: Any) -> Any:
        return _at_least(shape, 1)


def _at_least(shape: Any, dims: int) -> Any:
    if len(shape) < dims:
        raise ValueError("Too few dimensions on input")
    return shape


class SoftmaxTransform(_OfVectors):
    """y = exp(x) / sum(exp(x)); not invertible, since it drops the mean of x."""

    codomain = constraints.simplex

    def _call(self, x: Any) -> Any:
        raised = (x - x.max(-1, True)[0]).exp()
        return raised / raised.sum(-1, True)

    def _inverse(self, y: Any) -> Any:
        return y.log()


class StickBreakingTransform(_OfVectors):
    """n real numbers as n + 1 proportions that sum to 1.

    Each number takes its sigmoid's share of the rest that those before it left.
    """

    codomain = constraints.simplex
    bijective = True

    def _call(self, x: Any) -> Any:
        part = clipped_sigmoid(x - _pieces_left(x).log())
        one = part.new_ones((*part.shape[:-1], 1))
        return torch.cat([part, one], -1) * torch.cat([one, (1 - part).cumprod(-1)], -1)

    def _inverse(self, y: Any) -> Any:
        first = y[..., :-1]
        left = torch.clamp(1 - first.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return first.log() - left.log() + _pieces_left(first).log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        moved = x - _pieces_left(x).log()
        return (torch.nn.functional.logsigmoid(moved) - moved + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        return Size((*_at_least(shape, 1)[:-1], shape[-1] + 1))

    def inverse_shape(self, shape: Any) -> Any:
        return Size((*_at_least(shape, 1)[:-1], shape[-1] - 1))


def _pieces_left(x: Any) -> Any:
    """Return n, n - 1, ..., 1 for a vector of n elements."""
    return torch.arange(x.shape[-1], 0, -1).to(x.dtype)


class CorrCholeskyTransform(_OfVectors):
    """d (d - 1) / 2 numbers as the Cholesky factor of a d x d correlation matrix.

    tanh of the numbers, row by row, are the cosines of the angles of each row, which has length 1.
    """

    codomain = constraints.corr_cholesky
    bijective = True
    __eq__ = Transform.__eq__
    __hash__ = Transform.__hash__

    def _call(self, x: Any) -> Any:
        eps = torch.finfo(x.dtype).eps
        cosines = _lower(torch.tanh(x).clamp(min=-1 + eps, max=1 - eps))
        left = (1 - cosines**2).sqrt().cumprod(-1)
        size = cosines.shape[-1]
        before = torch.cat([left.new_ones((*left.shape[:-1], 1)), left[..., :-1]], -1)
        return (cosines + torch.eye(size, dtype=x.dtype)) * before

    def _inverse(self, y: Any) -> Any:
        left = 1 - (y * y).cumsum(-1)
        before = torch.cat([left.new_ones((*left.shape[:-1], 1)), left[..., :-1]], -1)
        cosines = _below(y, -1) / _below(before, -1).sqrt()
        return (cosines.log1p() - (-cosines).log1p()) / 2

    def log_abs_det_jacobian(self, x: Any, y: Any, intermediates: Any = None) -> Any:
        left = _below(1 - (y * y).cumsum(-1), -2)
        bent = x + torch.nn.functional.softplus(-2 * x) - math.log(2.0)
        return 0.5 * left.log().sum(-1) - 2 * bent.sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        count = _at_least(shape, 1)[-1]
        size = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size((*shape[:-1], size, size))

    def inverse_shape(self, shape: Any) -> Any:
        if _at_least(shape, 2)[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return Size((*shape[:-2], shape[-1] * (shape[-1] - 1) // 2))


def _below(matrix: Any, diagonal: int) -> Any:
    """Return the elements on and below a diagonal, row by row."""
    rows, columns = torch.tril_indices(matrix.shape[-1], matrix.shape[-1], diagonal)
    return matrix[..., rows, columns]


def _lower(vector: Any) -> Any:
    """Fill a matrix below its diagonal, row by row, with 0 elsewhere.

    Raises ValueError if the number of elements fits no matrix.
    """
    count = vector.shape[-1]
    size = round((0.25 + 2 * count) ** 0.5 + 0.5)
    if size * (size - 1) // 2 != count:
        raise ValueError(
            f"The size of last dimension is {count} which cannot be expressed as the lower triangular part of a "
            "square D x D matrix."
        )
    rows, columns = torch.tril_indices(size, size, -1)
    matrix = vector.new_zeros((*vector.shape[:-1], size, size))
    matrix[..., rows, columns] = vector
    return matrix


class LowerCholeskyTransform(_OfVectors):
    """Square matrix as the lower Cholesky factor with the same elements below.

    Its diagonal is exp of that of the matrix.
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Any) -> Any:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Any) -> Any:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()

    def forward_shape(self, shape: Any) -> Any:
        return shape

    inverse_shape = forward_shape


class PositiveDefiniteTransform(LowerCholeskyTransform):
    """Square matrix as L L^T, with L its `LowerCholeskyTransform`."""

    codomain = constraints.positive_definite  # type: ignore[assignment]

    def _call(self, x: Any) -> Any:
        factor = super()._call(x)
        return factor @ factor.mT

    def _inverse(self, y: Any) -> Any:
        return super()._inverse(torch.linalg.cholesky(y))


class _OfParts(Transform):
    """One transform for each part of a value along `dim`."""

    transforms: list[Transform]
    dim: int

    def __init__(self, tseq: Sequence[Transform], dim: int, cache_size: int) -> None:
        if not all(isinstance(each, Transform) for each in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size)
        self.transforms = [each.with_cache(cache_size) for each in tseq] if cache_size else list(tseq)
        self.dim = dim

    bijective = property(lambda self: all(each.bijective for each in self.transforms))

    def _check(self, value: Any, name: str, count: int, what: str) -> None:
        if not -value.dim() <= self.dim < value.dim():
            named = "tensor" if what != "log" else name
            raise AssertionError(f"dim {self.dim} out of range for {named} with {value.dim()} dimensions")
        if value.size(self.dim) != count:
            wanted = "length" if isinstance(self, CatTransform) else "len(transforms)"
            raise AssertionError(f"{name}.size({self.dim}) = {value.size(self.dim)} must equal {wanted} {count}")


class CatTransform(_OfParts):
    """Each transform on its own slice, of length `lengths[i]`, along `dim`."""

    _given = ("transforms", "dim", "lengths")

    def __init__(
        self, tseq: Sequence[Transform], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")

    event_dim: Any = property(lambda self: max(each.event_dim for each in self.transforms))

    @property
    def length(self) -> int:
        """Size along `dim`."""
        return sum(self.lengths)

    domain = property(lambda self: constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths))
    codomain = property(lambda self: constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths))

    def _joined(self, value: Any, name: str, function: Callable[[Transform, Any], Any]) -> Any:
        self._check(value, name, self.length, "call")
        parts = torch.split(value, self.lengths, self.dim)
        return torch.cat([function(each, part) for each, part in zip(self.transforms, parts, strict=True)], self.dim)

    def _call(self, x: Any) -> Any:
        return self._joined(x, "x", lambda each, part: each(part))

    def _inverse(self, y: Any) -> Any:
        return self._joined(y, "y", lambda each, part: each.inv(part))

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        self._check(x, "x", self.length, "log")
        self._check(y, "y", self.length, "log")
        parts = [torch.split(value, self.lengths, self.dim) for value in (x, y)]
        jacobians = [
            sum_rightmost(each.log_abs_det_jacobian(a, b), self.event_dim - each.event_dim)
            for each, a, b in zip(self.transforms, *parts, strict=True)
        ]
        dim = self.event_dim + (self.dim - x.dim() if self.dim >= 0 else self.dim)
        return torch.cat(jacobians, dim) if dim < 0 else sum(jacobians)


class StackTransform(_OfParts):
    """Each transform on its own slice along `dim`; there are as many as slices."""

    _given = ("transforms", "dim")

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    domain = property(lambda self: constraints.stack([t.domain for t in self.transforms], self.dim))
    codomain = property(lambda self: constraints.stack([t.codomain for t in self.transforms], self.dim))

    def _slices(self, value: Any, name: str, what: str = "call") -> Any:
        self._check(value, name, len(self.transforms), what)
        return value.unbind(self.dim)

    def _call(self, x: Any) -> Any:
        return torch.stack([t(part) for t, part in zip(self.transforms, self._slices(x, "x"), strict=True)], self.dim)

    def _inverse(self, y: Any) -> Any:
        parts = self._slices(y, "y")
        return torch.stack([t.inv(part) for t, part in zip(self.transforms, parts, strict=True)], self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        parts = self._slices(x, "x", "log"), self._slices(y, "y", "log")
        jacobians = [t.log_abs_det_jacobian(a, b) for t, a, b in zip(self.transforms, *parts, strict=True)]
        return torch.stack(jacobians, self.dim)
