"""Distributions over proportions: Beta and Dirichlet."""

from __future__ import annotations

from typing import Any

import dyncore as torch

from ..ops.gamma_samples import sample_dirichlet
from . import constraints
from .distribution import broadcast_all, is_number
from .exp_family import ExponentialFamily


class Dirichlet(ExponentialFamily):
    """Dirichlet distribution over vectors of positive numbers that sum to 1."""

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Any, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)

    mean: Any = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @property
    def mode(self) -> Any:
        """Most likely vector: the corner of the largest concentration if all are below 1."""
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        corner = torch.nn.functional.one_hot(mode.argmax(-1), mode.shape[-1]).to(mode.dtype)
        return torch.where((self.concentration < 1).all(-1, True), corner, mode)

    @property
    def variance(self) -> Any:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return sample_dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        c = self.concentration
        return torch.xlogy(c - 1.0, value).sum(-1) + torch.lgamma(c.sum(-1)) - torch.lgamma(c).sum(-1)

    def entropy(self) -> Any:
        c = self.concentration
        total = c.sum(-1)
        return (
            torch.lgamma(c).sum(-1) - torch.lgamma(total) - (c.size(-1) - total) * torch.digamma(total)
            - ((c - 1.0) * torch.digamma(c)).sum(-1)
        )  # fmt: skip


class Beta(ExponentialFamily):
    """Beta distribution over (0, 1)."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        if is_number(concentration1, concentration0):
            both = torch.tensor([float(concentration1), float(concentration0)])
        else:
            both = torch.stack(list(broadcast_all(concentration1, concentration0)), -1)
        self._dirichlet = Dirichlet(both, validate_args)
        super().__init__(self._dirichlet._batch_shape, (), validate_args)

    concentration1: Any = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0: Any = property(lambda self: self._dirichlet.concentration[..., 1])
    mean: Any = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode: Any = property(lambda self: self._dirichlet.mode[..., 0])

    @property
    def variance(self) -> Any:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return self._dirichlet.log_prob(torch.stack([value, 1.0 - value], -1))

    def entropy(self) -> Any:
        return self._dirichlet.entropy()
