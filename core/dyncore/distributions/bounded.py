"""Distributions over an interval and over the circle: Kumaraswamy, VonMises."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .continuous import Uniform
from .distribution import EULER, Distribution, broadcast_all, cached
from .elementwise import AffineTransform, PowerTransform
from .transformed import TransformedDistribution


class Kumaraswamy(TransformedDistribution):
    """Distribution over (0, 1), like Beta, with cdf 1 - (1 - x^a)^b."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        inner, outer = self.concentration0.reciprocal(), self.concentration1.reciprocal()
        base = Uniform(torch.zeros_like(inner), torch.ones_like(inner), validate_args)
        transforms = [PowerTransform(inner), AffineTransform(1.0, -1.0), PowerTransform(outer)]
        super().__init__(base, transforms, validate_args)

    def _moment(self, n: int) -> Any:
        a, b = self.concentration1, self.concentration0
        ratio = 1 + n / a
        return torch.exp(b.log() + torch.lgamma(ratio) + torch.lgamma(b) - torch.lgamma(ratio + b))

    mean: Any = property(lambda self: self._moment(1))

    @property
    def mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        log_mode = a.reciprocal() * ((a - 1).log() - (a * b - 1).log())
        log_mode = torch.where((a < 1) | (b < 1) | ((a == 1) & (b == 1)), torch.full_like(a, math.nan), log_mode)
        return log_mode.exp()

    variance: Any = property(lambda self: self._moment(2) - self._moment(1).pow(2))

    def entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        harmonic = torch.digamma(b + 1) + EULER
        return (1 - b.reciprocal()) + (1 - a.reciprocal()) * harmonic - a.log() - b.log()


class VonMises(Distribution):
    """Distribution of angles around `loc`, tighter with more concentration."""

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        k = self.concentration
        return k * torch.cos(value - self.loc) - math.log(2 * math.pi) - (torch.special.i0e(k).log() + k)

    @cached
    def _proposal(self) -> Any:
        """Parameter of the wrapped Cauchy distribution that samples are proposed from."""
        k = self.concentration.double()
        tau = 1 + (1 + 4 * k**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * k)
        return torch.where(k < 1e-5, 1 / k + k, (1 + rho**2) / (2 * rho))

    def sample(self, sample_shape: Any = ()) -> Any:
        with torch.no_grad():
            shape = self._extended_shape(sample_shape)
            loc, k, r = self.loc.double(), self.concentration.double(), self._proposal
            angle = torch.zeros(shape, dtype=torch.float64)
            done = torch.zeros(shape, dtype=torch.bool)
            while not done.all():
                u1, u2, u3 = torch.rand((3, *shape), dtype=torch.float64).unbind()
                z = torch.cos(math.pi * u1)
                f = (1 + r * z) / (r + z)
                c = k * (r - f)
                accepted = ((c * (2 - c) - u2) > 0) | ((c / u2).log() + 1 - c >= 0)
                angle = torch.where(accepted, (u3 - 0.5).sign() * f.acos(), angle)
                done = done | accepted
            return ((angle + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    mean: Any = property(lambda self: self.loc)

    mode = mean

    @property
    def variance(self) -> Any:
        k = self.concentration
        return 1 - torch.special.i1e(k) / torch.special.i0e(k)
