"""Distributions with heavy tails and of extremes: Gumbel, Pareto, Weibull, GeneralizedPareto."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .continuous import Uniform
from .distribution import EULER, Distribution, broadcast_all
from .elementwise import AffineTransform, ExpTransform, PowerTransform
from .positive import Exponential
from .transformed import TransformedDistribution


class Gumbel(TransformedDistribution):
    """Gumbel distribution, of the largest of many: loc - scale log(-log u)."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = torch.finfo(self.loc.dtype)
        low, high = torch.full_like(self.loc, limits.tiny), torch.full_like(self.loc, 1 - limits.eps)
        log, negative = ExpTransform().inv, AffineTransform(0, -torch.ones_like(self.scale))
        transforms = [log, negative, log, AffineTransform(loc, -self.scale)]
        super().__init__(Uniform(low, high, validate_args), transforms, validate_args)

    mean: Any = property(lambda self: self.loc + self.scale * EULER)
    mode: Any = property(lambda self: self.loc)
    stddev: Any = property(lambda self: (math.pi / math.sqrt(6)) * self.scale)
    variance: Any = property(lambda self: self.stddev.pow(2))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    def entropy(self) -> Any:
        return self.scale.log() + (1 + EULER)


class Pareto(TransformedDistribution):
    """Pareto distribution: scale exp(x / alpha) for an exponential x."""

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        transforms = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(Exponential(self.alpha, validate_args), transforms, validate_args)

    support: Any = property(lambda self: constraints.greater_than_eq(self.scale))

    @property
    def mean(self) -> Any:
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    mode: Any = property(lambda self: self.scale)

    @property
    def variance(self) -> Any:
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def entropy(self) -> Any:
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class Weibull(TransformedDistribution):
    """Weibull distribution: scale x^(1 / concentration) for an exponential x."""

    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        transforms = [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)]
        super().__init__(Exponential(torch.ones_like(self.scale), validate_args), transforms, validate_args)

    concentration_reciprocal: Any = property(lambda self: self.concentration.reciprocal())
    mean: Any = property(lambda self: self.scale * torch.exp(torch.lgamma(1 + self.concentration_reciprocal)))

    @property
    def mode(self) -> Any:
        c = self.concentration
        return self.scale * ((c - 1) / c) ** c.reciprocal()

    @property
    def variance(self) -> Any:
        inverse = self.concentration_reciprocal
        return self.scale.pow(2) * (torch.exp(torch.lgamma(1 + 2 * inverse)) - torch.exp(2 * torch.lgamma(1 + inverse)))

    def entropy(self) -> Any:
        inverse = self.concentration_reciprocal
        return EULER * (1 - inverse) + torch.log(self.scale * inverse) + 1


class GeneralizedPareto(Distribution):
    """P(X > x) = (1 + k z)^(-1/k) for z = (x - loc) / scale and concentration k.

    Exponential for k = 0.
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.shape, (), validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """Values from `loc` on, up to loc - scale / k for negative k."""
        end = torch.where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, end)

    def _concentrations(self) -> tuple[Any, Any]:
        """Return the mask where k is 0, and k with 1 in its place there."""
        k = self.concentration
        flat = torch.isclose(k, torch.zeros_like(k))
        return flat, torch.where(flat, torch.ones_like(k), k)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        z = (value - self.loc) / self.scale
        flat, k = self._concentrations()
        power = 1 / k + torch.ones_like(z)
        curved = torch.where(power == 0, power, power * torch.log1p(k * z))
        return -self.scale.log() - torch.where(flat, z, curved)

    def log_survival_function(self, value: Any) -> Any:
        """Return log P(X > x)."""
        self._validate_sample(value)
        z = (value - self.loc) / self.scale
        flat, k = self._concentrations()
        return torch.where(flat, -z, -torch.log1p(k * z) / k)

    def log_cdf(self, value: Any) -> Any:
        """Return log P(X <= x)."""
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Any) -> Any:
        return torch.exp(self.log_cdf(value))

    def icdf(self, value: Any) -> Any:
        flat, k = self._concentrations()
        left = torch.log1p(-value)
        curved = self.loc + self.scale / k * torch.expm1(-k * left)
        return torch.where(flat, self.loc - self.scale * left, curved)

    @property
    def mean(self) -> Any:
        k = self.concentration
        safe = torch.where(k < 1, k, 0.5)
        return torch.where(k < 1, self.loc + self.scale / (1 - safe), math.nan)

    @property
    def variance(self) -> Any:
        k = self.concentration
        safe = torch.where(k < 0.5, k, 0.25)
        return torch.where(k < 0.5, self.scale**2 / ((1 - safe) ** 2 * (1 - 2 * safe)), math.nan)

    mode: Any = property(lambda self: self.loc)

    def entropy(self) -> Any:
        return torch.log(self.scale) + self.concentration + 1
