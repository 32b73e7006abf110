"""KL(p || q) of two kinds: minus the entropy of p, minus what p expects of log q.

Each kind of q wants a few means over p: of x, of its square, of log x, of exp(-x / s).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import dyncore as torch

from .continuous import Laplace, Normal, Uniform
from .continuous_bernoulli import ContinuousBernoulli
from .discrete import Bernoulli, Binomial, Poisson
from .distribution import EULER
from .kl import kl_divergence, register_kl
from .low_rank import LowRankMultivariateNormal
from .matrices import Wishart
from .multivariate import MultivariateNormal
from .positive import Exponential, Gamma
from .simplex import Beta
from .tails import Gumbel, Pareto
from .transformed import TransformedDistribution


def _log_mean(p: Any) -> Any:
    """Return the mean of log x."""
    if isinstance(p, Beta):
        return torch.digamma(p.concentration1) - torch.digamma(p.concentration1 + p.concentration0)
    if isinstance(p, Exponential):
        return -EULER - torch.log(p.rate)
    if isinstance(p, Gamma):
        return torch.digamma(p.concentration) - torch.log(p.rate)
    if isinstance(p, Pareto):
        return torch.log(p.scale) + p.alpha.reciprocal()
    return _x_log_x(p.low, p.high) / (p.high - p.low) - 1


def _x_log_x(low: Any, high: Any) -> Any:
    return torch.special.xlogy(high, high) - torch.special.xlogy(low, low)


def _falling_mean(p: Any, q: Any) -> Any:
    """Return the mean of exp(-(x - loc) / scale)."""
    scaled = torch.exp(q.loc / q.scale)
    if isinstance(p, Exponential):
        return scaled * p.rate / (p.rate + q.scale.reciprocal())
    if isinstance(p, Gamma):
        return scaled * (1 + (p.rate * q.scale).reciprocal()).pow(-p.concentration)
    if isinstance(p, Normal):
        return torch.exp((q.loc - p.mean) / q.scale + 0.5 * (p.stddev / q.scale).pow(2))
    ends = torch.exp(-p.low / q.scale) - torch.exp(-p.high / q.scale)
    return scaled * q.scale * ends / (p.high - p.low)


def _moments(p: Any) -> Any:
    """Return mean and variance.

    A Pareto has them without their bounds, so that gradients are finite where the mean is not.
    """
    if not isinstance(p, Pareto):
        return p.mean, p.variance
    mean = p.alpha * p.scale / (p.alpha - 1)
    return mean, mean * p.scale / ((p.alpha - 1) * (p.alpha - 2))


def _of_exponential(p: Any, q: Any) -> Any:
    return torch.log(q.rate) - q.rate * _moments(p)[0]


def _of_gamma(p: Any, q: Any) -> Any:
    power = (q.concentration - 1) * _log_mean(p)
    return q.concentration * torch.log(q.rate) - torch.lgamma(q.concentration) + power - q.rate * _moments(p)[0]


def _of_normal(p: Any, q: Any) -> Any:
    mean, variance = _moments(p)
    square = variance + (mean - q.loc).pow(2)
    return -0.5 * (torch.log(2 * math.pi * q.scale.pow(2)) + square / q.scale.pow(2))


def _of_gumbel(p: Any, q: Any) -> Any:
    return -torch.log(q.scale) - (p.mean - q.loc) / q.scale - _falling_mean(p, q)


def _of_uniform(p: Any, q: Any) -> Any:
    return -torch.log(q.high - q.low)


def _of_continuous_bernoulli(p: Any, q: Any) -> Any:
    return p.mean * q.logits + torch.log1p(-q.probs) + q._log_norm()


def _of_beta(p: Any, q: Any) -> Any:
    """Return KL(p || q) of a uniform p.

    log(1 - x) has the mean of log x on the mirrored interval.
    """
    mirrored = _x_log_x(1 - p.high, 1 - p.low) / (p.high - p.low) - 1
    a, b = q.concentration1, q.concentration0
    whole = torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b)
    return (a - 1) * _log_mean(p) + (b - 1) * mirrored - whole


def _of_pareto(p: Any, q: Any) -> Any:
    return torch.log(q.alpha) + q.alpha * torch.log(q.scale) - (q.alpha + 1) * _log_mean(p)


def _never(p: Any, q: Any) -> Any:
    return torch.zeros(p.batch_shape, dtype=torch.bool)


def _outside_unit(p: Any, q: Any) -> Any:
    return (p.high > 1) | (p.low < 0)


def _below_zero(p: Any, q: Any) -> Any:
    return p.low < 0


def _wider_than_unit(p: Any, q: Any) -> Any:
    return (q.high < 1) | (q.low > 0)


def _register(kind_p: type, kind_q: type, expected: Callable[..., Any], infinite: Callable[..., Any] = _never) -> None:
    def divergence(p: Any, q: Any) -> Any:
        return torch.where(infinite(p, q), math.inf, -p.entropy() - expected(p, q))

    register_kl(kind_p, kind_q)(divergence)


_p: type
_q: type
for _p in (Beta, Exponential, Gamma, ContinuousBernoulli, Gumbel, Laplace):
    _register(_p, Normal, _of_normal)
for _p in (Beta, Gamma, ContinuousBernoulli):
    _register(_p, Exponential, _of_exponential)
for _p in (Beta, Exponential):
    _register(_p, Gamma, _of_gamma)
_register(Pareto, Normal, _of_normal, lambda p, q: p.alpha <= 2)
_register(Pareto, Exponential, _of_exponential, lambda p, q: p.alpha <= 1)
_register(Pareto, Gamma, _of_gamma, lambda p, q: p.alpha <= 1)
for _p in (Exponential, Gamma, Normal, Uniform):
    _register(_p, Gumbel, _of_gumbel)
_register(Beta, ContinuousBernoulli, _of_continuous_bernoulli)
_register(ContinuousBernoulli, ContinuousBernoulli, _of_continuous_bernoulli)
_register(Beta, Uniform, _of_uniform, _wider_than_unit)
_register(ContinuousBernoulli, Uniform, _of_uniform, _wider_than_unit)
_register(Uniform, Normal, _of_normal)
_register(Uniform, Beta, _of_beta, _outside_unit)
_register(Uniform, ContinuousBernoulli, _of_continuous_bernoulli, _outside_unit)
_register(Uniform, Exponential, _of_exponential, _below_zero)
_register(Uniform, Gamma, _of_gamma, _below_zero)
_register(Uniform, Pareto, _of_pareto, lambda p, q: p.low < q.scale)


def _infinite(p: Any, q: Any) -> Any:
    """Return infinity in the batch shape of p: p has values where q has none."""
    return torch.full(p.batch_shape, math.inf, dtype=p.mean.dtype)


for _p in (Exponential, Gamma):
    for _q in (Beta, ContinuousBernoulli, Pareto, Uniform):
        register_kl(_p, _q)(_infinite)
for _p in (Gumbel, Laplace, Normal):
    for _q in (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform):
        register_kl(_p, _q)(_infinite)
for _q in (Beta, ContinuousBernoulli, Uniform):
    register_kl(Pareto, _q)(_infinite)
for _p in (Beta, ContinuousBernoulli):
    register_kl(_p, Pareto)(_infinite)
for _q in (Bernoulli, Binomial):
    register_kl(Poisson, _q)(_infinite)


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Any, q: Any) -> Any:
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Normal, Laplace)
def _normal_laplace(p: Any, q: Any) -> Any:
    shift = p.loc - q.loc
    far = shift / p.scale
    distance = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * far.pow(2))
    distance = distance + shift * torch.erf(math.sqrt(0.5) * far)
    return -p.entropy() + torch.log(2 * q.scale) + distance / q.scale


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
@register_kl(MultivariateNormal, LowRankMultivariateNormal)
@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _low_rank(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        low = [isinstance(each, LowRankMultivariateNormal) for each in (p, q)]
        what = "two Low Rank Multivariate Normals" if all(low) else "two (Low Rank) Multivariate Normals"
        raise ValueError(f"KL-divergence between {what} with different event shapes cannot be computed")
    pair = [MultivariateNormal(each.loc, scale_tril=each.scale_tril, validate_args=False) for each in (p, q)]
    return kl_divergence(*pair)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: Any, q: Any) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Wishart, Wishart)
def _wishart(p: Any, q: Any) -> Any:
    size, nu = p.event_shape[-1], q.df
    log_det = p._digammas() + 2 * p._half_log_det()
    trace = p.df * torch.cholesky_solve(p.covariance_matrix, q.scale_tril).diagonal(dim1=-2, dim2=-1).sum(-1)
    whole = nu * q._half_log_det() + torch.mvlgamma(nu / 2, size)
    return -p.entropy() - ((nu - size - 1) / 2 * log_det - trace / 2 - whole)
