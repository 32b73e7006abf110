"""`torch.distributions`: random variables with samples, log-probabilities, entropies and divergences."""

from __future__ import annotations

from ..explain import missing_in
from . import constraints, kl, transforms
from .bounded import Kumaraswamy, VonMises
from .categorical import (
    Categorical,
    Multinomial,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)
from .continuous import Cauchy, Gumbel, Laplace, Normal, StudentT, Uniform
from .discrete import Bernoulli, Binomial, Geometric, NegativeBinomial, Poisson
from .distribution import Distribution
from .kl import kl_divergence, register_kl
from .low_rank import LowRankMultivariateNormal
from .multivariate import Independent, MixtureSameFamily, MultivariateNormal
from .positive import (
    Chi2,
    Exponential,
    FisherSnedecor,
    Gamma,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    LogNormal,
    Pareto,
    Weibull,
)
from .simplex import Beta, Dirichlet
from .transforms import (
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
    Transform,
    TransformedDistribution,
)

__dyncore__ = True
__all__ = [
    "AffineTransform", "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "ComposeTransform",
    "Dirichlet", "Distribution", "ExpTransform", "Exponential", "FisherSnedecor", "Gamma", "Geometric", "Gumbel",
    "HalfCauchy", "HalfNormal", "Independent", "InverseGamma", "Kumaraswamy", "Laplace", "LogNormal",
    "LowRankMultivariateNormal", "MixtureSameFamily",
    "Multinomial", "MultivariateNormal", "NegativeBinomial", "Normal", "OneHotCategorical",
    "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "PowerTransform", "RelaxedBernoulli",
    "RelaxedOneHotCategorical", "SigmoidTransform", "SoftplusTransform", "StudentT", "TanhTransform", "Transform",
    "TransformedDistribution", "Uniform", "VonMises", "Weibull", "constraints", "kl",
    "kl_divergence", "register_kl", "transforms",
]  # fmt: skip

__getattr__ = missing_in(__name__)
