"""The files of `torch.distributions` by PyTorch's names: `torch.distributions.normal.Normal` is `Normal`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from dyncore.errors.explain import missing_name, starred

_FILES = (
    *("bernoulli", "beta", "binomial", "cauchy", "chi2", "dirichlet", "exponential", "fishersnedecor", "gamma"),
    *(
        "generalized_pareto",
        "geometric",
        "gumbel",
        "half_cauchy",
        "half_normal",
        "independent",
        "inverse_gamma",
        "kumaraswamy",
        "laplace",
    ),
    *("lkj_cholesky", "log_normal", "logistic_normal", "lowrank_multivariate_normal", "mixture_same_family"),
    *("multinomial", "multivariate_normal", "negative_binomial", "normal", "one_hot_categorical", "pareto", "poisson"),
    *("relaxed_bernoulli", "relaxed_categorical", "studentT", "transformed_distribution", "uniform", "utils"),
    *("von_mises", "weibull", "wishart"),
)


_PRIVATE = {"lazy_property": "cached", "_sum_rightmost": "sum_rightmost"}


class _File(ModuleType):
    """Module of `torch.distributions` with the names of the package and its helpers."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return starred(f"torch.distributions.{self.__name__.rpartition('.')[2]}")
        if name.startswith("__"):
            raise AttributeError(name)
        package = sys.modules[__package__ or ""]
        places = [sys.modules[f"{__package__}.{file}"] for file in ("distribution", "relaxed")] + [package]
        own = _PRIVATE.get(name, name)
        value = next((vars(place)[own] for place in places if own in vars(place)), None)
        if value is None:
            raise missing_name(f"torch.distributions.{self.__name__.rpartition('.')[2]}", name, package)
        return value


def install() -> None:
    """Register each file as a module that can be imported."""
    package = sys.modules[__package__ or ""]
    for file in _FILES:
        module = _File(f"{__package__}.{file}", f"`torch.distributions.{file}`.")
        sys.modules[module.__name__] = module
        setattr(package, file, module)
