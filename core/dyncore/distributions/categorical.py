"""Distributions over categories: Categorical, OneHotCategorical, Multinomial."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .discrete import Binomial
from .distribution import Distribution, broadcast_all, cached, given_one, logits_to_probs, probs_to_logits


class Categorical(Distribution):
    """Distribution of a category number.

    `probs` are normalized over the last dimension; or `logits` are given.
    """

    arg_constraints: dict[str, Any] = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        given_one("Categorical", probs, logits)
        param = probs if logits is None else logits
        if param.dim() < 1:
            raise ValueError(f"`{'probs' if logits is None else 'logits'}` parameter must be at least one-dimensional.")
        if logits is None:
            self.__dict__["probs"] = probs / probs.sum(-1, keepdim=True)
        else:
            self.__dict__["logits"] = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = param.size()[-1]
        super().__init__(param.shape[:-1], (), validate_args)

    @cached
    def logits(self) -> Any:
        """Logarithms of the probabilities."""
        return probs_to_logits(self.probs)

    @cached
    def probs(self) -> Any:
        """Probabilities of the categories."""
        return logits_to_probs(self.logits)

    _param: Any = property(lambda self: self.probs if "probs" in self.__dict__ else self.logits)

    param_shape: Any = property(lambda self: self._param.shape)
    support: Any = property(lambda self: constraints.integer_interval(0, self._num_events - 1))
    mean: Any = property(lambda self: torch.full(self._extended_shape(), math.nan, dtype=self.probs.dtype))
    mode: Any = property(lambda self: self.probs.argmax(dim=-1))
    variance: Any = property(lambda self: self.mean)

    def sample(self, sample_shape: Any = ()) -> Any:
        rows = self.probs.detach().reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, torch.Size(sample_shape).numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        value, logits = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        logits = self.logits.clamp(min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        values = torch.arange(self._num_events).view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


class _OfCategories(Distribution):
    """Distribution over vectors with an entry for each category."""

    arg_constraints: dict[str, Any] = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)
        if self._validate_args:
            name = "probs" if logits is None else "logits"
            self._check_parameter(name, self.arg_constraints[name], getattr(self, name))

    @property
    def probs(self) -> Any:
        """Probabilities of the categories."""
        return self._categorical.probs

    @property
    def logits(self) -> Any:
        """Logarithms of the probabilities."""
        return self._categorical.logits

    param_shape: Any = property(lambda self: self._categorical.param_shape)


class OneHotCategorical(_OfCategories):
    """Distribution of a category as a vector with a single 1."""

    support = constraints.one_hot
    has_enumerate_support = True

    mean: Any = property(lambda self: self.probs)

    @property
    def mode(self) -> Any:
        return torch.nn.functional.one_hot(self.probs.argmax(-1), self._event_shape[0]).to(self.probs)

    variance: Any = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape: Any = ()) -> Any:
        indices = self._categorical.sample(sample_shape)
        return torch.nn.functional.one_hot(indices, self._event_shape[0]).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        _, indices = value.max(-1)
        return self._categorical.log_prob(indices)

    def entropy(self) -> Any:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Any:
        n = self._event_shape[0]
        values = torch.eye(n, dtype=self.probs.dtype).view((n,) + (1,) * len(self._batch_shape) + (n,))
        return values.expand((n, *self._batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical whose samples pass gradients straight to the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Multinomial(_OfCategories):
    """Distribution of the counts of each category among `total_count` draws."""

    def __init__(
        self, total_count: int = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        super().__init__(probs, logits, validate_args)

    support: Any = property(lambda self: constraints.multinomial(self.total_count))
    mean: Any = property(lambda self: self.probs * self.total_count)
    variance: Any = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape: Any = ()) -> Any:
        drawn = self._categorical.sample((self.total_count, *sample_shape)).movedim(0, -1)
        counts = torch.zeros(self._extended_shape(sample_shape), dtype=drawn.dtype)
        return counts.scatter_add(-1, drawn, torch.ones_like(drawn)).type_as(self.probs)

    def entropy(self) -> Any:
        n = torch.tensor(self.total_count)
        counts = Binomial(self.total_count, self.probs)
        some = counts.enumerate_support(expand=False)[1:]
        spread = (torch.exp(counts.log_prob(some)) * torch.lgamma(some + 1)).sum([0, -1])
        return n * self._categorical.entropy() - torch.lgamma(n + 1) + spread

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -math.inf), 0)
        ways = torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1)
        return ways + (logits * value).sum(-1)
