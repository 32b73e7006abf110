"""Distributions around a base distribution: Independent, TransformedDistribution."""

from __future__ import annotations

from typing import Any

import dyncore as torch
from dyncore.tensors.size import Size

from . import constraints
from .continuous import Normal
from .distribution import Distribution, sum_rightmost
from .transforms import ComposeTransform, StickBreakingTransform, Transform


class Independent(Distribution):
    """Distribution whose last batch dimensions count as part of one event.

    reinterpreted_batch_ndims: the number of these dimensions.
    """

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        batch, event = base_distribution.batch_shape, base_distribution.event_shape
        if reinterpreted_batch_ndims > len(batch):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch)}"
            )
        cut = len(batch) - reinterpreted_batch_ndims
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(batch[:cut], batch[cut:] + event, validate_args)

    has_rsample: Any = property(lambda self: bool(self.base_dist.has_rsample))

    @property
    def support(self) -> Any:
        base = self.base_dist.support
        return constraints.independent(base, self.reinterpreted_batch_ndims) if self.reinterpreted_batch_ndims else base

    mean: Any = property(lambda self: self.base_dist.mean)
    mode: Any = property(lambda self: self.base_dist.mode)
    variance: Any = property(lambda self: self.base_dist.variance)

    def sample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Any:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    @property
    def has_enumerate_support(self) -> bool:  # type: ignore[override]
        return not self.reinterpreted_batch_ndims and bool(self.base_dist.has_enumerate_support)

    def enumerate_support(self, expand: bool = True) -> Any:
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """y = f(x) for x of a base distribution: log p(y) = log p(x) - log |dy/dx|."""

    arg_constraints = {}

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: bool | None = None) -> None:
        self.transforms = _listed(transforms)
        whole = ComposeTransform(self.transforms)
        shape = base_distribution.batch_shape + base_distribution.event_shape
        dims, needed = len(base_distribution.event_shape), whole.domain.event_dim
        if len(shape) < needed:
            raise ValueError(f"base_distribution needs to have shape with size at least {needed}, but got {shape}.")
        after = whole.forward_shape(shape)
        before = whole.inverse_shape(after)
        if tuple(before) != tuple(shape):  # parameters of the transforms are wider
            base_distribution = base_distribution.expand(before[: len(before) - dims])
        if needed > dims:
            base_distribution = Independent(base_distribution, needed - dims)
        self.base_dist = base_distribution
        cut = len(after) - max(whole.codomain.event_dim, dims + whole.codomain.event_dim - needed)
        super().__init__(Size(after[:cut]), Size(after[cut:]), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        expanded = self._get_checked_instance(type(self), _instance)
        shape = ComposeTransform(self.transforms).inverse_shape(Size((*batch_shape, *self.event_shape)))
        expanded.base_dist = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        expanded.transforms = self.transforms
        for name in self.arg_constraints.keys() & self.__dict__.keys():
            expanded.__dict__[name] = self.__dict__[name].expand(Size(batch_shape))
        Distribution.__init__(expanded, batch_shape, self.event_shape, validate_args=False)
        expanded._validate_args = self._validate_args
        return expanded

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        """Codomain of the last transform."""
        if not self.transforms:
            return self.base_dist.support
        codomain = self.transforms[-1].codomain
        more = len(self.event_shape) - codomain.event_dim
        return constraints.independent(codomain, more) if more > 0 else codomain

    has_rsample: Any = property(lambda self: bool(self.base_dist.has_rsample))

    def sample(self, sample_shape: Any = ()) -> Any:
        with torch.no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self._forward(self.base_dist.rsample(sample_shape))

    def _forward(self, x: Any) -> Any:
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        dims, total, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            dims += transform.domain.event_dim - transform.codomain.event_dim
            change = transform.log_abs_det_jacobian(x, y)
            total = total - sum_rightmost(change, dims - transform.domain.event_dim)
            y = x
        return total + sum_rightmost(self.base_dist.log_prob(y), dims - len(self.base_dist.event_shape))

    def _rising(self, probability: Any) -> Any:
        """Return a probability, or 1 minus it under decreasing transforms."""
        sign: Any = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        return probability if isinstance(sign, int) and sign == 1 else sign * (probability - 0.5) + 0.5

    def cdf(self, value: Any) -> Any:
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        self.base_dist._validate_sample(value)
        return self._rising(self.base_dist.cdf(value))

    def icdf(self, value: Any) -> Any:
        return self._forward(self.base_dist.icdf(self._rising(value)))


def _listed(transforms: Any) -> list[Transform]:
    if isinstance(transforms, Transform):
        return [transforms]
    if not isinstance(transforms, list):
        raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
    if not all(isinstance(each, Transform) for each in transforms):
        raise ValueError("transforms must be a Transform or a list of Transforms")
    return transforms


class LogisticNormal(TransformedDistribution):
    """Normal numbers as proportions that sum to 1, by breaking a stick."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        base = base if base.batch_shape else base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args)

    @property
    def loc(self) -> Any:
        """Means of the normal numbers."""
        return self.base_dist.base_dist.loc

    @property
    def scale(self) -> Any:
        """Standard deviations of the normal numbers."""
        return self.base_dist.base_dist.scale
