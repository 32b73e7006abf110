"""Distributions over positive numbers: Exponential, Gamma, Chi2, LogNormal, ...; StudentT, which draws a Chi2."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from ..ops.gamma_samples import sample_gamma
from . import constraints
from .continuous import Cauchy, Normal
from .distribution import Distribution, broadcast_all, standard_normal
from .elementwise import AbsTransform, ExpTransform, PowerTransform
from .exp_family import ExponentialFamily
from .transformed import TransformedDistribution


class Exponential(ExponentialFamily):
    """Exponential distribution: waiting times at rate `rate`."""

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    mean: Any = property(lambda self: self.rate.reciprocal())
    mode: Any = property(lambda self: torch.zeros_like(self.rate))
    stddev: Any = property(lambda self: self.rate.reciprocal())
    variance: Any = property(lambda self: self.rate.pow(-2))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return torch.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Any) -> Any:
        self._validate_sample(value)
        return 1 - torch.exp(-self.rate * value)

    def icdf(self, value: Any) -> Any:
        return -torch.log1p(-value) / self.rate

    def entropy(self) -> Any:
        return 1.0 - torch.log(self.rate)


class Gamma(ExponentialFamily):
    """Gamma distribution of shape `concentration` and rate `rate`."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support: Any = constraints.nonnegative
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, (), validate_args)

    mean: Any = property(lambda self: self.concentration / self.rate)
    mode: Any = property(lambda self: ((self.concentration - 1) / self.rate).clamp(min=0))
    variance: Any = property(lambda self: self.concentration / self.rate.pow(2))

    def rsample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        value = sample_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        value.detach().clamp_(min=torch.finfo(value.dtype).tiny)
        return value

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return (
            torch.xlogy(self.concentration, self.rate) + torch.xlogy(self.concentration - 1, value)
            - self.rate * value - torch.lgamma(self.concentration)
        )  # fmt: skip

    def cdf(self, value: Any) -> Any:
        self._validate_sample(value)
        return torch.special.gammainc(self.concentration, self.rate * value)

    def entropy(self) -> Any:
        c = self.concentration
        return c - torch.log(self.rate) + torch.lgamma(c) + (1.0 - c) * torch.digamma(c)


class Chi2(Gamma):
    """Distribution of the sum of the squares of `df` standard normal numbers."""

    arg_constraints = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args)
        if self._validate_args:  # `df` is a property, which the base passes over
            self._check_parameter("df", constraints.positive, self.df)

    df: Any = property(lambda self: self.concentration * 2)


class InverseGamma(TransformedDistribution):
    """Distribution of 1 / x for a gamma distributed x."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args)

    concentration: Any = property(lambda self: self.base_dist.concentration)
    rate: Any = property(lambda self: self.base_dist.rate)

    @property
    def mean(self) -> Any:
        return torch.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    mode: Any = property(lambda self: self.rate / (self.concentration + 1))

    @property
    def variance(self) -> Any:
        c = self.concentration
        return torch.where(c > 2, self.rate.square() / ((c - 1).square() * (c - 2)), math.inf)

    def entropy(self) -> Any:
        c = self.concentration
        return c + self.rate.log() + c.lgamma() - (1 + c) * c.digamma()


class LogNormal(TransformedDistribution):
    """Distribution of exp(x) for a normal x of mean `loc` and standard deviation `scale`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale, validate_args), ExpTransform(), validate_args)

    loc: Any = property(lambda self: self.base_dist.loc)
    scale: Any = property(lambda self: self.base_dist.scale)
    mean: Any = property(lambda self: (self.loc + self.scale.pow(2) / 2).exp())
    mode: Any = property(lambda self: (self.loc - self.scale.square()).exp())

    @property
    def variance(self) -> Any:
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self) -> Any:
        return self.base_dist.entropy() + self.loc


class _Half(TransformedDistribution):
    """Distribution of |x| for an x symmetric about 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    base: type[Any]

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(self.base(0, scale, validate_args=False), AbsTransform(), validate_args)
        if self._validate_args:
            self._check_parameter("scale", constraints.positive, self.scale)

    scale: Any = property(lambda self: self.base_dist.scale)
    mode: Any = property(lambda self: torch.zeros_like(self.scale))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        result = self.base_dist.log_prob(value) + math.log(2)
        return torch.where(value >= 0, result, -math.inf)

    def cdf(self, value: Any) -> Any:
        self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob: Any) -> Any:
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self) -> Any:
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    """Distribution of |x| for a normal x of mean 0."""

    base = Normal

    mean: Any = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance: Any = property(lambda self: self.scale.pow(2) * (1 - 2 / math.pi))


class HalfCauchy(_Half):
    """Distribution of |x| for a Cauchy distributed x of median 0."""

    base = Cauchy

    mean: Any = property(lambda self: torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype))
    variance: Any = property(lambda self: self.base_dist.variance)


class FisherSnedecor(Distribution):
    """Distribution of the ratio of two chi-squared numbers, each divided by its degrees of freedom."""

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1, self._gamma2 = Gamma(self.df1 * 0.5, self.df1), Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.shape, (), validate_args)

    @property
    def mean(self) -> Any:
        second = torch.where(self.df2 > 2, self.df2, math.nan)
        return second / (second - 2)

    @property
    def mode(self) -> Any:
        return torch.where(self.df1 > 2, (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2), math.nan)

    @property
    def variance(self) -> Any:
        second = torch.where(self.df2 > 4, self.df2, math.nan)
        below = self.df1 * (second - 2).pow(2) * (second - 4)
        return 2 * second.pow(2) * (self.df1 + second - 2) / below

    def rsample(self, sample_shape: Any = ()) -> Any:
        first, second = self._gamma1.rsample(sample_shape), self._gamma2.rsample(sample_shape)
        second.detach().clamp_(min=torch.finfo(second.dtype).tiny)
        return first / second

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        ratio, first, second = self.df1 / self.df2, self.df1 * 0.5, self.df2 * 0.5
        return (
            (first + second).lgamma() - first.lgamma() - second.lgamma() + first * ratio.log()
            + (first - 1) * torch.log(value) - (first + second) * torch.log1p(ratio * value)
        )  # fmt: skip


class StudentT(Distribution):
    """Student's t distribution with `df` degrees of freedom, moved and stretched."""

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.shape, (), validate_args)

    mean: Any = property(lambda self: torch.where(self.df <= 1, math.nan, self.loc))
    mode: Any = property(lambda self: self.loc)

    @property
    def variance(self) -> Any:
        df = torch.where(self.df > 2, self.df, 3)  # so that no gradient is nan where the result does not depend on it
        finite = self.scale.pow(2) * df / (df - 2)
        return torch.where(self.df > 2, finite, torch.where(self.df > 1, math.inf, torch.full_like(self.df, math.nan)))

    def rsample(self, sample_shape: Any = ()) -> Any:
        x = standard_normal(self._extended_shape(sample_shape), self.df.dtype)
        z = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (x * torch.rsqrt(z / self.df))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        y = (value - self.loc) / self.scale
        normaliser = (
            self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi)
            + torch.lgamma(0.5 * self.df) - torch.lgamma(0.5 * (self.df + 1.0))
        )  # fmt: skip
        return -0.5 * (self.df + 1.0) * torch.log1p(y**2.0 / self.df) - normaliser

    def entropy(self) -> Any:
        log_beta = torch.lgamma(0.5 * self.df) + math.lgamma(0.5) - torch.lgamma(0.5 * (self.df + 1))
        slope = torch.digamma(0.5 * (self.df + 1)) - torch.digamma(0.5 * self.df)
        return self.scale.log() + 0.5 * (self.df + 1) * slope + 0.5 * self.df.log() + log_beta
