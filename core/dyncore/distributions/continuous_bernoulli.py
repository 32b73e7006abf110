"""ContinuousBernoulli: numbers between 0 and 1 with the density of a Bernoulli's probabilities."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .distribution import broadcast_all, cached, clamp_probs, given_one, logits_to_probs, probs_to_logits
from .exp_family import ExponentialFamily


class ContinuousBernoulli(ExponentialFamily):
    """p(x) = C p^x (1 - p)^(1 - x) for x in [0, 1].

    Within `lims`, near p = 1/2, series replace the formulas.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self, probs: Any = None, logits: Any = None, lims: Any = (0.499, 0.501), validate_args: bool | None = None
    ) -> None:
        given_one("ContinuousBernoulli", probs, logits)
        if probs is not None:
            (given,) = broadcast_all(probs)
            if validate_args is not None and not constraints.unit_interval.check(given).all():
                raise ValueError("The parameter probs has invalid values")
            self.probs = parameter = clamp_probs(given)
        else:
            (self.logits,) = (parameter,) = broadcast_all(logits)
        self._lims = lims
        super().__init__(parameter.shape, (), validate_args)

    @cached
    def logits(self) -> Any:
        """Logit of p, log p / (1 - p)."""
        return probs_to_logits(self.probs, is_binary=True)

    @cached
    def probs(self) -> Any:
        """Parameter p."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    @property
    def param_shape(self) -> Any:
        """Shape of the parameter."""
        return self.probs.shape

    def _chosen(self, formula: Any, series: Any) -> Any:
        """Return `formula(p)`, or `series(p - 1/2)` near p = 1/2.

        The formula is 0 / 0 there.
        """
        low, high = self._lims
        far = (self.probs <= low) | (self.probs > high)
        safe = torch.where(far, self.probs, low * torch.ones_like(self.probs))
        return torch.where(far, formula(safe), series(self.probs - 0.5))

    def _log_norm(self) -> Any:
        def formula(p: Any) -> Any:
            below = torch.where(p <= 0.5, p, torch.zeros_like(p))
            above = torch.where(p >= 0.5, p, torch.ones_like(p))
            slope = torch.where(p <= 0.5, torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0))
            return torch.log(torch.abs(torch.log1p(-p) - torch.log(p))) - slope

        return self._chosen(formula, lambda x: math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x**2) * x**2)

    @property
    def mean(self) -> Any:
        return self._chosen(
            lambda p: p / (2.0 * p - 1.0) + 1.0 / (torch.log1p(-p) - torch.log(p)),
            lambda x: 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x**2) * x,
        )

    @property
    def variance(self) -> Any:
        return self._chosen(
            lambda p: p * (p - 1.0) / (1.0 - 2.0 * p) ** 2 + 1.0 / (torch.log1p(-p) - torch.log(p)) ** 2,
            lambda x: 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x**2) * x**2,
        )

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        score = torch.nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")
        return self._log_norm() - score

    def cdf(self, value: Any) -> Any:
        self._validate_sample(value)
        inside = self._chosen(
            lambda p: (p**value * (1.0 - p) ** (1.0 - value) + p - 1.0) / (2.0 * p - 1.0), lambda x: value
        )
        zero, one = torch.zeros_like(value), torch.ones_like(value)
        return torch.where(value <= 0.0, zero, torch.where(value >= 1.0, one, inside))

    def icdf(self, value: Any) -> Any:
        def formula(p: Any) -> Any:
            other = torch.log1p(-p)
            return (torch.log1p(-p + value * (2.0 * p - 1.0)) - other) / (torch.log(p) - other)

        return self._chosen(formula, lambda x: value)

    def entropy(self) -> Any:
        none, one = torch.log1p(-self.probs), torch.log(self.probs)
        return self.mean * (none - one) - self._log_norm() - none
