"""LowRankMultivariateNormal: a normal distribution whose covariance is W W^T + D, with few columns in W."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch

from . import constraints
from .distribution import Distribution, cached, standard_normal


class LowRankMultivariateNormal(Distribution):
    """Normal distribution over vectors with covariance W W^T + D.

    cov_factor: W, (*, n, rank).  cov_diag: the diagonal D, (*, n).
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: bool | None = None) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event[0]} x m")
        if cov_diag.shape[-1:] != event:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event}")
        batch = torch.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        self.loc = loc.expand((*batch, -1))
        self.cov_factor = cov_factor.expand((*batch, -1, -1))
        self.cov_diag = cov_diag.expand((*batch, -1))
        self._scaled = (self.cov_factor / self.cov_diag.unsqueeze(-1)).mT
        capacitance = self._scaled @ self.cov_factor + torch.eye(cov_factor.shape[-1], dtype=loc.dtype)
        self._capacitance_tril = torch.linalg.cholesky(capacitance)
        super().__init__(batch, event, validate_args)

    mean: Any = property(lambda self: self.loc)

    mode = mean

    @cached
    def variance(self) -> Any:
        """Diagonal of the covariance."""
        return self.cov_factor.pow(2).sum(-1) + self.cov_diag

    @cached
    def covariance_matrix(self) -> Any:
        """W W^T + D."""
        return self.cov_factor @ self.cov_factor.mT + torch.diag_embed(self.cov_diag)

    @cached
    def scale_tril(self) -> Any:
        """Lower Cholesky factor of the covariance."""
        return torch.linalg.cholesky(self.covariance_matrix)

    @cached
    def precision_matrix(self) -> Any:
        """Inverse of the covariance."""
        return torch.linalg.inv(self.covariance_matrix)

    def rsample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        narrow = standard_normal((*shape[:-1], self.cov_factor.shape[-1]), self.loc.dtype)
        wide = standard_normal(shape, self.loc.dtype)
        return self.loc + (self.cov_factor @ narrow.unsqueeze(-1)).squeeze(-1) + self.cov_diag.sqrt() * wide

    def _log_det(self) -> Any:
        tril = self._capacitance_tril.diagonal(dim1=-2, dim2=-1)
        return 2 * tril.log().sum(-1) + self.cov_diag.log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        difference = value - self.loc
        projected = self._scaled @ difference.unsqueeze(-1)
        whitened = torch.linalg.solve_triangular(self._capacitance_tril, projected, upper=False).squeeze(-1)
        distance = (difference.pow(2) / self.cov_diag).sum(-1) - whitened.pow(2).sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + distance)

    def entropy(self) -> Any:
        return 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
