"""Distributions over whole numbers: Bernoulli, Geometric, Binomial, NegativeBinomial, Poisson."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .distribution import Distribution, broadcast_all, cached, given_one, logits_to_probs, probs_to_logits
from .exp_family import ExponentialFamily


class _Binary(Distribution):
    """Distribution with a probability: `probs`, or `logits` = log p / (1 - p)."""

    arg_constraints: dict[str, Any] = {"probs": constraints.unit_interval, "logits": constraints.real}

    def _given(self, probs: Any, logits: Any, *others: Any) -> tuple[Any, ...]:
        given_one(type(self).__name__, probs, logits)
        name = "probs" if logits is None else "logits"
        values = broadcast_all(probs if logits is None else logits, *others)
        self.__dict__[name] = values[0]
        return tuple(values)

    @cached
    def logits(self) -> Any:
        """Logit of p, log p / (1 - p)."""
        return probs_to_logits(self.probs, is_binary=True)

    @cached
    def probs(self) -> Any:
        """Probability p."""
        return logits_to_probs(self.logits, is_binary=True)

    param_shape: Any = property(lambda self: self._param.shape)

    _param: Any = property(lambda self: self.probs if "probs" in self.__dict__ else self.logits)


class Bernoulli(_Binary, ExponentialFamily):
    """Distribution of 1 with probability `probs`, else 0."""

    support = constraints.boolean
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._given(probs, logits)
        super().__init__(self._param.shape, (), validate_args)

    mean: Any = property(lambda self: self.probs)

    @property
    def mode(self) -> Any:
        mode = (self.probs >= 0.5).to(self.probs)
        return torch.where(self.probs == 0.5, math.nan, mode)

    variance: Any = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape: Any = ()) -> Any:
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -torch.nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        return torch.nn.functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Any:
        values = torch.arange(2, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


class Geometric(_Binary):
    """Distribution of the number of failures before the first success."""

    support = constraints.nonnegative_integer

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._given(probs, logits)
        super().__init__(self._param.shape, (), validate_args)
        if self._validate_args and probs is not None:
            self._check_parameter("probs", constraints.greater_than(0), self.probs)

    mean: Any = property(lambda self: 1.0 / self.probs - 1.0)
    mode: Any = property(lambda self: torch.zeros_like(self.probs))
    variance: Any = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            u = torch.empty(shape, dtype=self.probs.dtype).uniform_(torch.finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = torch.where((probs == 1) & (value == 0), 0.0, probs)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self) -> Any:
        return (
            torch.nn.functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs
        )


def _positive_part_sum(logits: Any, count: Any) -> Any:
    """Return count * log(1 + exp(logits)) without overflow.

    The two clamps share the gradient at 0.
    """
    positive = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
    return count * positive + count * torch.log1p(torch.exp(-torch.abs(logits)))


class Binomial(_Binary):
    """Distribution of the number of successes in `total_count` trials."""

    arg_constraints: dict[str, Any] = {"total_count": constraints.nonnegative_integer, **_Binary.arg_constraints}
    has_enumerate_support = True

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        param, count = self._given(probs, logits, total_count)
        self.total_count = count.type_as(param)
        super().__init__(param.shape, (), validate_args)

    support: Any = property(lambda self: constraints.integer_interval(0, self.total_count))
    mean: Any = property(lambda self: self.total_count * self.probs)
    mode: Any = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance: Any = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        n = self.total_count
        choices = torch.lgamma(n + 1) - torch.lgamma(value + 1) - torch.lgamma(n - value + 1)
        return choices + value * self.logits - _positive_part_sum(self.logits, n)

    def entropy(self) -> Any:
        top = int(self.total_count.max().item())
        if self.total_count.min().item() != top:
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Any:
        top = int(self.total_count.max().item())
        if self.total_count.min().item() != top:
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        values = torch.arange(1 + top, dtype=self._param.dtype).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


class NegativeBinomial(_Binary):
    """Distribution of the number of successes before `total_count` failures."""

    arg_constraints: dict[str, Any] = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        param, count = self._given(probs, logits, total_count)
        self.total_count = count.type_as(param)
        super().__init__(param.shape, (), validate_args)

    mean: Any = property(lambda self: self.total_count * torch.exp(self.logits))
    mode: Any = property(lambda self: ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0))
    variance: Any = property(lambda self: self.mean / torch.sigmoid(-self.logits))

    def sample(self, sample_shape: Any = ()) -> Any:
        from .positive import Gamma

        with torch.no_grad():
            rate = Gamma(self.total_count, torch.exp(-self.logits), validate_args=False).sample(sample_shape)
            return torch.poisson(rate)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        n, logsigmoid = self.total_count, torch.nn.functional.logsigmoid
        plain = n * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        normaliser = -torch.lgamma(n + value) + torch.lgamma(1.0 + value) + torch.lgamma(n)
        return plain - normaliser.masked_fill(n + value == 0.0, 0.0)


class Poisson(ExponentialFamily):
    """Distribution of the number of events of which `rate` are expected."""

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    mean: Any = property(lambda self: self.rate)
    mode: Any = property(lambda self: self.rate.floor())
    variance: Any = property(lambda self: self.rate)

    def sample(self, sample_shape: Any = ()) -> Any:
        with torch.no_grad():
            return torch.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()
