"""Invertible transforms, and distributions seen through them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dyncore as torch

from .distribution import Distribution, sum_rightmost

__dyncore__ = True


class Transform:
    """y = f(x) with its inverse and the logarithm of |dy/dx|."""

    bijective = True
    sign = 1

    def __call__(self, x: Any) -> Any:
        raise NotImplementedError

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        raise NotImplementedError

    @property
    def inv(self) -> Transform:
        """The transform the other way round."""
        return _Inverse(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _Inverse(Transform):
    def __init__(self, transform: Transform) -> None:
        self._transform = transform

    def __call__(self, x: Any) -> Any:
        return self._transform._inverse(x)

    def _inverse(self, y: Any) -> Any:
        return self._transform(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -self._transform.log_abs_det_jacobian(y, x)

    @property
    def inv(self) -> Transform:
        return self._transform


class ComposeTransform(Transform):
    """Several transforms one after the other."""

    def __init__(self, parts: Sequence[Transform]) -> None:
        self.parts = list(parts)

    def __call__(self, x: Any) -> Any:
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for part in reversed(self.parts):
            y = part._inverse(y)
        return y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        total: Any = 0.0
        for part in self.parts:
            after = part(x)
            total = total + part.log_abs_det_jacobian(x, after)
            x = after
        return total


class ExpTransform(Transform):
    """y = exp(x)."""

    def __call__(self, x: Any) -> Any:
        return x.exp()

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x


class PowerTransform(Transform):
    """y = x^exponent."""

    def __init__(self, exponent: Any) -> None:
        self.exponent = exponent

    def __call__(self, x: Any) -> Any:
        return x.pow(self.exponent)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return (self.exponent * y / x).abs().log()


class SigmoidTransform(Transform):
    """y = 1 / (1 + exp(-x))."""

    def __call__(self, x: Any) -> Any:
        return torch.sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -torch.nn.functional.softplus(-x) - torch.nn.functional.softplus(x)


class SoftplusTransform(Transform):
    """y = log(1 + exp(x))."""

    def __call__(self, x: Any) -> Any:
        return torch.nn.functional.softplus(x)

    def _inverse(self, y: Any) -> Any:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -torch.nn.functional.softplus(-x)


class TanhTransform(Transform):
    """y = tanh(x)."""

    def __call__(self, x: Any) -> Any:
        return x.tanh()

    def _inverse(self, y: Any) -> Any:
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return 2.0 * (math.log(2.0) - x - torch.nn.functional.softplus(-2.0 * x))


class AffineTransform(Transform):
    """y = loc + scale x; the last `event_dim` dimensions make one event."""

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0) -> None:
        self.loc, self.scale, self.event_dim = loc, scale, event_dim

    def __call__(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        scale = torch.as_tensor(self.scale, dtype=x.dtype)
        return sum_rightmost(scale.abs().log().expand(x.shape), self.event_dim)


class TransformedDistribution(Distribution):
    """The distribution of transforms of what another distribution gives."""

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: bool | None = None) -> None:
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        self.base_dist = base_distribution
        super().__init__(base_distribution.batch_shape, base_distribution.event_shape, validate_args)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return bool(self.base_dist.has_rsample)

    def sample(self, sample_shape: Any = ()) -> Any:
        with torch.no_grad():
            return ComposeTransform(self.transforms)(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return ComposeTransform(self.transforms)(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Any) -> Any:
        x = ComposeTransform(self.transforms)._inverse(value)
        change = ComposeTransform(self.transforms).log_abs_det_jacobian(x, value)
        if self._event_shape and getattr(change, "ndim", 0) > len(self._batch_shape):
            change = sum_rightmost(change, len(self._event_shape))
        return self.base_dist.log_prob(x) - change

    def __repr__(self) -> str:
        return "TransformedDistribution()"
