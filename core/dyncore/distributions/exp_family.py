"""ExponentialFamily: a base class for distributions given by natural parameters."""

from __future__ import annotations

from typing import Any

import dyncore as torch

from .distribution import Distribution, sum_rightmost


class ExponentialFamily(Distribution):
    """p(x) = exp(<t(x), n> - F(n) + k(x)).

    A subclass defines n, F and the mean of k; the entropy follows from them.
    """

    @property
    def _natural_params(self) -> Any:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Any:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError

    def entropy(self) -> Any:
        """Return F(n) - <n, dF/dn> less the mean of k."""
        with torch.enable_grad():
            naturals = [each.detach().requires_grad_() for each in self._natural_params]
            normalizer = self._log_normalizer(*naturals)
            slopes = torch.autograd.grad(normalizer.sum(), naturals, create_graph=True)
        total = normalizer - self._mean_carrier_measure
        for natural, slope in zip(naturals, slopes, strict=True):
            total = total - sum_rightmost(natural * slope, natural.dim() - len(self._batch_shape))
        return total
