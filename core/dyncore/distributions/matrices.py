"""Distributions over matrices: LKJCholesky, Wishart."""

from __future__ import annotations

import math
from typing import Any

import dyncore as torch
from dyncore.tensors.size import Size

from . import constraints
from .distribution import Distribution, broadcast_all, cached, one_matrix
from .exp_family import ExponentialFamily
from .positive import Chi2
from .simplex import Beta


class LKJCholesky(Distribution):
    """Lower Cholesky factors of correlation matrices of size `dim`.

    More concentration brings them nearer to the identity.
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        rows = torch.arange(dim - 1, dtype=self.concentration.dtype)
        rows = torch.cat([rows.new_zeros(1), rows])
        marginal = (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1)
        self._beta = Beta(rows + 0.5, marginal - 0.5 * rows)
        super().__init__(self.concentration.shape, (dim, dim), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        expanded = super().expand(batch_shape, _instance)
        expanded._beta = self._beta.expand((*batch_shape, self.dim))
        return expanded

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw rows of random length below 1 in random directions.

        The rest of each row's length lies on the diagonal.
        """
        with torch.no_grad():
            squares = self._beta.sample(sample_shape).unsqueeze(-1)
            normal = torch.randn(self._extended_shape(sample_shape), dtype=squares.dtype).tril(-1)
            directions = normal / torch.linalg.vector_norm(normal, dim=-1, keepdim=True)
            directions[..., 0, :] = 0.0
            rows = torch.sqrt(squares) * directions
            left = torch.clamp(1 - (rows**2).sum(-1), min=torch.finfo(rows.dtype).tiny).sqrt()
            return rows + torch.diag_embed(left)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        powers = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - torch.arange(2, self.dim + 1)
        less = self.dim - 1
        alpha = self.concentration + 0.5 * less
        whole = 0.5 * less * math.log(math.pi) + torch.mvlgamma(alpha - 0.5, less) - torch.lgamma(alpha) * less
        return (powers * diagonal.log()).sum(-1) - whole


class Wishart(ExponentialFamily):
    """Sums of `df` outer products of normal vectors; `df` may be fractional."""

    support = constraints.positive_definite
    has_rsample = True

    @property
    def arg_constraints(self) -> Any:  # type: ignore[override]
        """Constraints of the parameters; `df` must exceed the matrices' size less 1."""
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        name, matrix = one_matrix(covariance_matrix, precision_matrix, scale_tril, AssertionError)
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        number = isinstance(df, (int, float))
        batch = Size(matrix.shape[:-2]) if number else torch.broadcast_shapes(matrix.shape[:-2], df.shape)
        self.df = torch.tensor(df, dtype=matrix.dtype) if number else df.expand(batch)
        size = matrix.shape[-1]
        if self.df.le(size - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {size - 1}.")
        self.__dict__[name] = matrix.expand((*batch, -1, -1))
        if self.df.lt(size).any():
            from dyncore.errors.explain import warn

            warn("Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.")
        super().__init__(batch, matrix.shape[-2:], validate_args)
        tril = matrix if name == "scale_tril" else torch.linalg.cholesky(
            matrix if name == "covariance_matrix" else torch.linalg.inv(matrix)
        )  # fmt: skip
        self._tril = tril.expand((*batch, -1, -1))

    @cached
    def scale_tril(self) -> Any:
        """Lower Cholesky factor of the covariance."""
        return self._tril

    @cached
    def covariance_matrix(self) -> Any:
        """Covariance of the vectors."""
        return self._tril @ self._tril.mT

    @cached
    def precision_matrix(self) -> Any:
        """Inverse of the covariance."""
        return torch.cholesky_solve(torch.eye(self._event_shape[-1], dtype=self._tril.dtype), self._tril)

    _wide_df: Any = property(lambda self: self.df.reshape((*self._batch_shape, 1, 1)))
    mean: Any = property(lambda self: self._wide_df * self.covariance_matrix)

    @property
    def mode(self) -> Any:
        factor = self._wide_df - self._event_shape[-1] - 1
        return torch.where(factor > 0, factor, math.nan) * self.covariance_matrix

    @property
    def variance(self) -> Any:
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        return self._wide_df * (covariance.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _drawn(self, sample_shape: Any) -> Any:
        """Draw L A (L A)^T by Bartlett's decomposition.

        A is lower triangular: roots of chi-squared numbers on the diagonal, normal numbers below.
        """
        size = self._event_shape[-1]
        freedom = (self.df.unsqueeze(-1) - torch.arange(size, dtype=self._tril.dtype)).expand((*self._batch_shape, -1))
        roots = Chi2(freedom, validate_args=False).rsample(sample_shape).sqrt()
        factor = roots.clamp(min=torch.finfo(roots.dtype).eps).diag_embed()
        rows, columns = torch.tril_indices(size, size, -1)
        below = torch.randn((*sample_shape, *self._batch_shape, size * (size - 1) // 2), dtype=factor.dtype)
        factor[..., rows, columns] = below
        product = self._tril @ factor
        return product @ product.mT

    def rsample(self, sample_shape: Any = (), max_try_correction: int | None = None) -> Any:
        """Draw random matrices through which gradients reach the parameters.

        Like PyTorch, it draws again where the first draw is definite, so that a random seed has PyTorch's numbers.
        """
        sample = self._drawn(sample_shape)
        again = self._any_of_batch(self.support.check(sample))
        for _ in range(10 if max_try_correction is None else max_try_correction):
            if not again.any():
                break
            new = self._drawn(again[again].shape)
            sample[again] = new
            still = torch.zeros_like(again)
            still[again] = self._any_of_batch(~self.support.check(new))
            again = still
        return sample

    def _any_of_batch(self, mask: Any) -> Any:
        dims = len(self._batch_shape)
        return mask.flatten(-dims).any(-1) if dims else mask

    def _half_log_det(self) -> Any:
        size = self._event_shape[-1]
        return size * math.log(2) / 2 + self._tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        nu, size = self.df, self._event_shape[-1]
        trace = torch.cholesky_solve(value, self._tril).diagonal(dim1=-2, dim2=-1).sum(-1)
        log_det = torch.linalg.slogdet(value).logabsdet
        whole = nu * self._half_log_det() + torch.mvlgamma(nu / 2, size)
        return (nu - size - 1) / 2 * log_det - trace / 2 - whole

    def _digammas(self) -> Any:
        """Return the multivariate digamma function of df / 2."""
        rows = torch.arange(self._event_shape[-1], dtype=self.df.dtype)
        return torch.digamma((self.df.unsqueeze(-1) - rows) / 2).sum(-1)

    def entropy(self) -> Any:
        nu, size, digammas = self.df, self._event_shape[-1], self._digammas()
        constant = (size + 1) * self._half_log_det() + torch.mvlgamma(nu / 2, size)
        return constant - (nu - size - 1) / 2 * digammas + nu * size / 2
