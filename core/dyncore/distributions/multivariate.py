"""MultivariateNormal over vectors, and MixtureSameFamily of components."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .categorical import Categorical
from .distribution import Distribution, cached, one_matrix, standard_normal


def _times(matrix: Any, vector: Any) -> Any:
    return torch.matmul(matrix, vector.unsqueeze(-1)).squeeze(-1)


class MultivariateNormal(Distribution):
    """Normal distribution over vectors.

    One of covariance, precision or lower Cholesky factor of the covariance is given.
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        name, matrix = one_matrix(covariance_matrix, precision_matrix, scale_tril, ValueError)
        if matrix.dim() < 2:
            raise ValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
        batch = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self.loc = loc.expand((*batch, -1))
        self.__dict__[name] = matrix.expand((*batch, -1, -1))
        super().__init__(batch, self.loc.shape[-1:], validate_args)
        self._tril = torch.linalg.cholesky(self._covariance_from(name)) if name != "scale_tril" else self.scale_tril

    def _covariance_from(self, name: str) -> Any:
        return self.covariance_matrix if name == "covariance_matrix" else torch.linalg.inv(self.precision_matrix)

    @cached
    def scale_tril(self) -> Any:
        """Lower Cholesky factor of the covariance."""
        return self._tril

    @cached
    def covariance_matrix(self) -> Any:
        """Covariance of the vectors."""
        return torch.matmul(self._tril, self._tril.mT)

    @cached
    def precision_matrix(self) -> Any:
        """Inverse of the covariance."""
        return torch.linalg.inv(self.covariance_matrix)

    mean: Any = property(lambda self: self.loc)

    mode = mean

    variance: Any = property(lambda self: self._tril.pow(2).sum(-1))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.loc + _times(self._tril, standard_normal(self._extended_shape(sample_shape), self.loc.dtype))

    def _half_log_det(self) -> Any:
        return self._tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        difference = (value - self.loc).unsqueeze(-1)
        whitened = torch.linalg.solve_triangular(self._tril, difference, upper=False).squeeze(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + whitened.pow(2).sum(-1)) - self._half_log_det()

    def entropy(self) -> Any:
        return 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()

    def __repr__(self) -> str:
        names = [n for n in self.arg_constraints if n in self.__dict__]
        return f"MultivariateNormal({', '.join(f'{n}: {self.__dict__[n].size()}' for n in names)})"


class MixtureSameFamily(Distribution):
    """Mixture of components of one kind, picked by a Categorical.

    The components lie along the last batch dimension.
    """

    def __init__(
        self, mixture_distribution: Any, component_distribution: Any, validate_args: bool | None = None
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        outer, inner = mixture_distribution.batch_shape, component_distribution.batch_shape
        for i, j in zip(reversed(outer), reversed(inner[:-1]), strict=False):
            if i != 1 and j != 1 and i != j:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({outer}) is not compatible with "
                    f"`component_distribution.batch_shape`({inner[:-1]})"
                )
        count = mixture_distribution.logits.shape[-1]
        if count != inner[-1]:
            raise ValueError(
                f"`mixture_distribution component` ({count}) does not equal `component_distribution.batch_shape[-1]` "
                f"({inner[-1]})"
            )
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        event = component_distribution.event_shape
        self._event_ndims = len(event)
        super().__init__(component_distribution.batch_shape[:-1], event, validate_args)

    mixture_distribution: Any = property(lambda self: self._mixture_distribution)
    component_distribution: Any = property(lambda self: self._component_distribution)
    support: Any = property(lambda self: constraints.MixtureSameFamilyConstraint(self._component_distribution.support))

    @property
    def _weights(self) -> Any:
        probs = self._mixture_distribution.probs
        return probs.reshape(probs.shape + (1,) * self._event_ndims)

    mean: Any = property(lambda self: (self._weights * self._component_distribution.mean).sum(-1 - self._event_ndims))

    @property
    def variance(self) -> Any:
        axis = -1 - self._event_ndims
        within = (self._weights * self._component_distribution.variance).sum(axis)
        centred = self._component_distribution.mean - self.mean.unsqueeze(axis)
        return within + (self._weights * centred.pow(2)).sum(axis)

    def sample(self, sample_shape: Any = ()) -> Any:
        with torch.no_grad():
            axis = len(sample_shape) + len(self._batch_shape)
            picked = self._mixture_distribution.sample(sample_shape)
            drawn = self._component_distribution.sample(sample_shape)
            index = picked.reshape(picked.shape + (1,) * (self._event_ndims + 1))
            index = index.expand((*picked.shape, 1, *tuple(self._event_shape)))
            return torch.gather(drawn, axis, index).squeeze(axis)

    def cdf(self, value: Any) -> Any:
        inner = self._component_distribution.cdf(value.unsqueeze(-1 - self._event_ndims))
        return (inner * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        inner = self._component_distribution.log_prob(value.unsqueeze(-1 - self._event_ndims))
        return torch.logsumexp(inner + torch.log_softmax(self._mixture_distribution.logits, dim=-1), dim=-1)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
