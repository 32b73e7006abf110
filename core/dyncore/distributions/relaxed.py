"""Relaxed distributions: continuous ones that near Bernoulli and one-hot as their temperature nears 0."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .categorical import _OfCategories
from .discrete import _Binary
from .distribution import broadcast_all, clamp_probs
from .elementwise import ExpTransform, SigmoidTransform
from .transformed import TransformedDistribution


class LogitRelaxedBernoulli(_Binary):
    """Distribution of the logit of a RelaxedBernoulli number."""

    support = constraints.real
    has_rsample = True

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self.temperature = temperature
        self._given(probs, logits)
        super().__init__(self._param.shape, (), validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        p = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(torch.rand(shape, dtype=p.dtype))
        return (u.log() - (-u).log1p() + p.log() - (-p).log1p()) / self.temperature

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        difference = logits - value * self.temperature
        return torch.as_tensor(self.temperature, dtype=value.dtype).log() + difference - 2 * difference.exp().log1p()


class ExpRelaxedCategorical(_OfCategories):
    """Distribution of the logarithms of RelaxedOneHotCategorical proportions."""

    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self.temperature = temperature
        super().__init__(probs, logits, validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        u = clamp_probs(torch.rand(self._extended_shape(sample_shape), dtype=self.logits.dtype))
        scores = (self.logits - (-u.log()).log()) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        count = self._event_shape[0]
        logits, value = broadcast_all(self.logits, value)
        temperature = torch.as_tensor(self.temperature, dtype=value.dtype)
        scale = math.lgamma(count) - temperature.log() * -(count - 1)
        score = logits - value * temperature
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + scale


class _Relaxed(TransformedDistribution):
    """Distribution of a relaxed base, whose parameters it shows."""

    has_rsample = True
    base: type[Any]
    transform: type[Any]

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(self.base(temperature, probs, logits, validate_args), self.transform(), validate_args)

    temperature: Any = property(lambda self: self.base_dist.temperature)
    probs: Any = property(lambda self: self.base_dist.probs)
    logits: Any = property(lambda self: self.base_dist.logits)


class RelaxedBernoulli(_Relaxed):
    """Distribution over (0, 1) that nears Bernoulli as `temperature` nears 0."""

    arg_constraints = LogitRelaxedBernoulli.arg_constraints
    support = constraints.unit_interval
    base = LogitRelaxedBernoulli
    transform = SigmoidTransform


class RelaxedOneHotCategorical(_Relaxed):
    """Distribution over proportions that nears one-hot as `temperature` nears 0."""

    arg_constraints = ExpRelaxedCategorical.arg_constraints
    support = constraints.simplex
    base = ExpRelaxedCategorical
    transform = ExpTransform
