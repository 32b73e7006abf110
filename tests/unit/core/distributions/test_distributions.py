"""Distributions sample, score and diverge as PyTorch's do, and their gradients reach the parameters."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore import distributions

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

# A distribution from tensors a and b of positive numbers below 1, and a value or None for its own sample.
CASES = {
    "Normal": ("d.Normal(a, b)", None),
    "Laplace": ("d.Laplace(a, b)", None),
    "Cauchy": ("d.Cauchy(a, b)", None),
    "Gumbel": ("d.Gumbel(a, b)", None),
    "StudentT": ("d.StudentT(a + 3, a, b)", None),
    "Uniform": ("d.Uniform(a, b + 1)", "a + 0.1"),
    "Exponential": ("d.Exponential(a)", None),
    "Gamma": ("d.Gamma(a * 5, b)", None),
    "small Gamma": ("d.Gamma(a * 0.5, b)", None),
    "Chi2": ("d.Chi2(a * 9)", None),
    "InverseGamma": ("d.InverseGamma(a * 5, b)", None),
    "LogNormal": ("d.LogNormal(a, b)", None),
    "HalfNormal": ("d.HalfNormal(a)", None),
    "HalfCauchy": ("d.HalfCauchy(a)", None),
    "Pareto": ("d.Pareto(a, b + 2)", None),
    "Weibull": ("d.Weibull(a, b)", None),
    "FisherSnedecor": ("d.FisherSnedecor(a + 3, b + 5)", None),
    "Beta": ("d.Beta(a, b)", "b * 0.5 + 0.1"),
    "Dirichlet": ("d.Dirichlet(t.stack([a, b, a + b], -1))", "t.tensor([0.2, 0.5, 0.3])"),
    "Bernoulli": ("d.Bernoulli(a)", None),
    "Bernoulli logits": ("d.Bernoulli(logits=a - b)", None),
    "Geometric": ("d.Geometric(a)", None),
    "Binomial": ("d.Binomial(40, a)", None),
    "NegativeBinomial": ("d.NegativeBinomial(5, a)", None),
    "Poisson": ("d.Poisson(a * 30)", None),
    "Categorical": ("d.Categorical(t.stack([a, b, a + b], -1))", None),
    "Categorical logits": ("d.Categorical(logits=t.stack([a, b, a + b], -1))", None),
    "OneHotCategorical": ("d.OneHotCategorical(t.stack([a, b, a + b], -1))", None),
    "Multinomial": ("d.Multinomial(6, t.stack([a, b, a + b], -1))", None),
    "RelaxedBernoulli": ("d.RelaxedBernoulli(t.tensor(0.7), a)", None),
    "RelaxedOneHotCategorical": ("d.RelaxedOneHotCategorical(t.tensor(0.7), t.stack([a, b, a + b], -1))", None),
    "MultivariateNormal": ("d.MultivariateNormal(a, t.diag(b) + 0.1)", None),
    "MultivariateNormal tril": ("d.MultivariateNormal(a, scale_tril=t.diag(b))", None),
    "Kumaraswamy": ("d.Kumaraswamy(a + 1, b + 1)", None),
    "VonMises": ("d.VonMises(a, b * 9)", None),
    "LowRankMultivariateNormal": ("d.LowRankMultivariateNormal(a, t.stack([a, b], -1), b)", None),
    "Independent": ("d.Independent(d.Normal(a, b), 1)", None),
    "Mixture": ("d.MixtureSameFamily(d.Categorical(a), d.Normal(a, b))", None),
    "LKJCholesky": ("d.LKJCholesky(3, a + 2)", None),
    "Wishart": ("d.Wishart(t.tensor(6.0), t.diag(b) + 0.1)", None),
    "Wishart tril": ("d.Wishart(a * 4 + 4, scale_tril=t.diag(b) + 0.1 * t.ones(4, 4).tril())", None),
    "LogisticNormal": ("d.LogisticNormal(a, b)", None),
    "ContinuousBernoulli": ("d.ContinuousBernoulli(a)", None),
    "ContinuousBernoulli logits": ("d.ContinuousBernoulli(logits=a - b)", None),
    "GeneralizedPareto": ("d.GeneralizedPareto(a, b, a - 0.5)", None),
    "Reshaped": ("d.TransformedDistribution(d.Normal(a, b), [d.ReshapeTransform((4,), (2, 2))])", None),
    "Falling": ("d.TransformedDistribution(d.Normal(a, b), [d.AffineTransform(a, -2.0), d.SigmoidTransform()])", None),
    "Correlations": (
        "d.TransformedDistribution(d.Normal(t.stack([a[:3], b[:3]]), 1.0), [d.CorrCholeskyTransform()])",
        None,
    ),
    "Powers": ("d.TransformedDistribution(d.Exponential(a), [d.PowerTransform(t.tensor(2.0))])", None),
    "Transformed": (
        "d.TransformedDistribution(d.Normal(a, b), [d.AffineTransform(1.0, 2.0), d.SigmoidTransform()])",
        None,
    ),
}
PARAMETERS = ([0.25, 0.5, 0.8, 0.35], [0.6, 0.3, 0.45, 0.9])


def made(t: Any, expression: str) -> tuple[Any, Any, Any]:
    """The distribution and its two parameter tensors, in one of the two libraries."""
    if t is dyncore:
        library = distributions
    else:
        import torch.distributions as library
    a, b = (t.tensor(each, requires_grad=True) for each in PARAMETERS)
    return eval(expression, {"t": t, "d": library, "a": a, "b": b}), a, b


@needs_torch
@pytest.mark.parametrize("name", CASES)
def test_samples_and_scores_are_those_of_pytorch(name: str) -> None:
    """Samples for a seed, log_prob and its gradients, entropy, mean, variance, mode, cdf, and repr."""
    import torch

    expression, value = CASES[name]
    found: dict[str, list[Any]] = {}
    for t in (torch, dyncore):
        distribution, a, b = made(t, expression)
        t.manual_seed(5)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Singular sample detected")  # by Wishart, of samples that are not
            sample = distribution.sample((30,))
        found.setdefault("sample", []).append(np.asarray(sample))
        at = sample if value is None else eval(value, {"t": t, "a": a.detach(), "b": b.detach()})
        scores = distribution.log_prob(at)
        found.setdefault("log_prob", []).append(np.asarray(scores.detach()))
        for parameter, grad in zip("ab", t.autograd.grad(scores.sum(), (a, b), allow_unused=True), strict=True):
            if grad is not None:
                found.setdefault(f"grad {parameter}", []).append(np.asarray(grad))
        for attribute in ("mean", "variance", "mode", "stddev", "entropy", "cdf", "icdf"):
            if (name, attribute) == ("Kumaraswamy", "mode"):
                continue  # PyTorch's is nan
            try:
                part = getattr(distribution, attribute)
                part = part(at) if attribute == "cdf" else part() if attribute == "entropy" else part
                part = part(t.full(tuple(sample.shape), 0.3)) if attribute == "icdf" else part
            except NotImplementedError:
                continue
            found.setdefault(attribute, []).append(np.asarray(part.detach()))
            found.setdefault(f"has {attribute}", []).append(attribute)
        found.setdefault("repr", []).append(repr(distribution))
        found.setdefault("support", []).append(repr(distribution.support))
        found.setdefault("shapes", []).append((tuple(distribution.batch_shape), tuple(distribution.event_shape)))
        wide = distribution.expand((2, *distribution.batch_shape))
        found.setdefault("expanded", []).append(tuple(wide.log_prob(at[0]).shape) if value is None else ())
    for part, values in found.items():
        assert 2 == len(values), part
        expected, actual = values
        if isinstance(expected, (str, tuple)):
            assert expected == actual, part
        else:
            assert expected.dtype == actual.dtype, part
            np.testing.assert_allclose(actual, expected, rtol=2e-4, atol=2e-5, err_msg=part)


PAIRS = [
    "Normal", "Laplace", "Cauchy", "Gumbel", "Exponential", "Gamma", "LogNormal", "HalfNormal", "Beta", "Dirichlet",
    "Bernoulli", "Bernoulli logits", "Geometric", "Binomial", "Poisson", "Categorical", "OneHotCategorical",
    "MultivariateNormal", "Independent", "Uniform", "Pareto",
]  # fmt: skip
REPARAMETRISED = [
    "Normal", "Laplace", "Uniform", "Exponential", "Gamma", "StudentT", "Gumbel", "LogNormal", "HalfNormal",
    "RelaxedBernoulli", "MultivariateNormal", "Weibull", "small Gamma",
]  # fmt: skip


@needs_torch
@pytest.mark.parametrize("name", PAIRS)
def test_divergences_are_those_of_pytorch(name: str) -> None:
    """KL(p || q) for two of a kind, with its gradients."""
    import torch

    results = []
    for t in (torch, dyncore):
        p, a, b = made(t, CASES[name][0])
        q, _, _ = made(t, "d.Normal(b, a)" if name == "Normal" else CASES[name][0])
        kl = (torch.distributions if t is torch else distributions).kl_divergence(p, q)
        grads = t.autograd.grad(kl.sum(), (a, b), allow_unused=True)
        results.append([np.asarray(kl.detach()), *(np.asarray(g) for g in grads if g is not None)])
    for expected, actual in zip(*results, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


TWO_KINDS = [
    "k(d.InverseGamma(a * 5, b), d.InverseGamma(b, a))",
    "k(d.HalfCauchy(a), d.HalfCauchy(b))",
    "k(d.Normal(a[:1], b[:1]), d.Beta(b, a))",
    "k(d.Normal(a[0], b[0]), d.Uniform(b, b + a))",
    "k(d.Pareto(a, b + 1.2), d.Normal(b, a))",
    "k(d.Pareto(a, b + 0.7), d.Exponential(a))",
    "k(d.Pareto(a, b + 0.7), d.Gamma(a, b))",
    "k(d.Kumaraswamy(a.detach(), b.detach()), d.Kumaraswamy(a.detach(), b.detach()))",
]


@needs_torch
@pytest.mark.parametrize("expression", TWO_KINDS)
def test_divergences_between_kinds_are_those_of_pytorch(expression: str) -> None:
    """Infinite ones have p's shape, and gradients are finite beside them."""
    import torch

    results = []
    for t, d in ((torch, torch.distributions), (dyncore, distributions)):
        a = t.tensor([0.3, 0.6, 0.9, 0.5], requires_grad=True)
        b = t.tensor([0.7, 0.2, 0.8, 0.95], requires_grad=True)
        kl = eval(expression, {"t": t, "d": d, "k": d.kl_divergence, "a": a, "b": b})
        grads = t.autograd.grad(kl.sum(), (a, b), allow_unused=True) if kl.requires_grad else ()
        results.append([np.asarray(kl.detach()), *(np.asarray(g) for g in grads if g is not None)])
    for expected, actual in zip(*results, strict=True):
        assert expected.shape == actual.shape
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


@needs_torch
@pytest.mark.parametrize("name", REPARAMETRISED)
def test_gradients_pass_through_rsample(name: str) -> None:
    """The sample moves with the parameters as PyTorch's does."""
    import torch

    results = []
    for t in (torch, dyncore):
        distribution, a, b = made(t, CASES[name][0])
        t.manual_seed(2)
        sample = distribution.rsample((7,))
        grads = t.autograd.grad(sample.sum(), (a, b), allow_unused=True)
        results.append([np.asarray(sample.detach()), *(np.asarray(g) for g in grads if g is not None)])
    assert len(results[0]) == len(results[1]) > 1
    for expected, actual in zip(*results, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=5e-4, atol=1e-5)


TRANSFORMED = [
    "LogNormal", "HalfNormal", "HalfCauchy", "Gumbel", "Pareto", "Weibull", "Kumaraswamy", "InverseGamma",
    "LogisticNormal", "RelaxedBernoulli", "RelaxedOneHotCategorical",
]  # fmt: skip


@needs_torch
@pytest.mark.parametrize("name", TRANSFORMED)
def test_transformed_distribution_shows_base_and_transforms_of_pytorch(name: str) -> None:
    """`isinstance`, `.base_dist` and `.transforms`, and the shapes of all of them once expanded."""
    import torch

    shown = []
    for t, library in ((torch, torch.distributions), (dyncore, distributions)):
        distribution = made(t, CASES[name][0])[0]
        assert isinstance(distribution, library.TransformedDistribution)
        wide = distribution.expand((3, *distribution.batch_shape))
        kinds = [type(distribution.base_dist).__name__, repr(distribution.transforms), repr(wide)]
        shown.append((kinds, tuple(wide.base_dist.batch_shape), tuple(wide.sample().shape)))
    assert shown[0] == shown[1]


@needs_torch
def test_members_of_exponential_family_are_those_of_pytorch() -> None:
    import torch.distributions

    members = [
        {name for name in distributions.__all__
         if isinstance(kind := getattr(library, name), type) and issubclass(kind, library.ExponentialFamily)}
        for library in (torch.distributions, distributions)
    ]  # fmt: skip
    assert members[0] == members[1]


def test_expand_fills_the_given_instance() -> None:
    """A subclass with another `__init__` makes its object itself, and has what it sets of its own."""

    class Labelled(distributions.Normal):
        def __init__(self, label: str) -> None:
            self.label = label
            super().__init__(0.0, 1.0)

        def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
            new = self._get_checked_instance(Labelled, _instance)
            new.label = self.label + "s"
            return super().expand(batch_shape, _instance=new)

    wide = Labelled("number").expand((3,))
    assert ("numbers", (3,), (3,)) == (wide.label, tuple(wide.loc.shape), tuple(wide.batch_shape))
    with pytest.raises(NotImplementedError, match="must also define a custom .expand"):
        Labelled("number")._get_checked_instance(distributions.Normal)


def test_gamma_slope_agrees_with_the_exponential() -> None:
    """For concentration 1 a gamma number is -log(1 - u): the slope has to leave the place in the distribution alone."""
    from dyncore.ops.gamma_samples import _standard_gamma_grad

    a, step = np.array([0.3, 1.0, 4.0, 60.0]), 1e-6
    x = np.array([0.2, 0.7, 5.0, 55.0])
    slope = _standard_gamma_grad(a, x)
    below = below_x(a + step, x + slope * step) - below_x(a - step, x - slope * step)
    np.testing.assert_allclose(below, 0.0, atol=1e-11)


def test_gamma_has_a_first_derivative_alone() -> None:
    """Asked for a second, it says that there is none, as PyTorch does."""
    a = dyncore.tensor([0.7, 3.0], requires_grad=True)
    sample = distributions.Gamma(a, 1.0).rsample()
    (slope,) = dyncore.autograd.grad(sample.sum(), a, create_graph=True)
    assert (slope > 0).all()
    with pytest.raises(NotImplementedError, match="derivative for aten::_standard_gamma_grad is not implemented"):
        slope.sum().backward()


def below_x(a: Any, x: Any) -> Any:
    """The regularised incomplete gamma function by its series."""
    import math

    def one(s: float, v: float) -> float:
        return sum(math.exp((s + n) * math.log(v) - v - math.lgamma(s + n + 1)) for n in range(400))

    return np.array([one(s, v) for s, v in zip(a, x, strict=True)])


ERRORS = [
    "d.Normal(0.0, -1.0)",
    "d.Normal(t.zeros(2), t.ones(2)).log_prob(t.tensor([float('nan'), 1.0]))",
    "d.Normal(t.zeros(2), t.ones(2)).log_prob(t.zeros(3))",
    "d.Bernoulli(1.5)",
    "d.Bernoulli(0.5).log_prob(t.tensor(0.3))",
    "d.Bernoulli()",
    "d.Bernoulli(0.5, 0.5)",
    "d.Categorical(t.tensor(1.0))",
    "d.Categorical(t.tensor([0.5, 0.5])).log_prob(t.tensor(2))",
    "d.Uniform(1.0, 0.0)",
    "d.Exponential(0.0)",
    "d.Dirichlet(t.tensor([1.0, -1.0]))",
    "d.MultivariateNormal(t.zeros(2))",
    "d.Independent(d.Normal(0.0, 1.0), 1)",
    "d.kl_divergence(d.Laplace(0.0, 1.0), d.Poisson(1.0))",
    "d.Normal('a', 1.0)",
    "d.Chi2(t.tensor([-1.0, 2.0]))",
    "d.StudentT(t.tensor([-1.0, 2.0]))",
    "d.Gamma(1.0, 1.0).log_prob(t.tensor(-1.0))",
]


@pytest.mark.parametrize("expression", ERRORS)
def test_errors_are_those_of_pytorch(expression: str) -> None:
    """The same kind and sentence."""
    with pytest.raises((ValueError, NotImplementedError)) as found:
        eval(expression, {"t": dyncore, "d": distributions})
    if importlib.util.find_spec("torch") is not None:
        import torch

        with pytest.raises(found.type) as expected:
            eval(expression, {"t": torch, "d": torch.distributions})
        assert str(expected.value) == str(found.value)


def test_golden_samples() -> None:
    """Known numbers, where PyTorch is not installed."""
    dyncore.manual_seed(0)
    assert 1.5410 == round(distributions.Normal(0.0, 1.0).sample().item(), 4)
    assert -0.9189 == round(distributions.Normal(0.0, 1.0).log_prob(dyncore.tensor(0.0)).item(), 4)
    assert 0.6931 == round(distributions.Bernoulli(0.5).entropy().item(), 4)
    assert "Normal(loc: 0.0, scale: 1.0)" == repr(distributions.Normal(0.0, 1.0))


def test_unknown_distribution_names_the_nearest() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Norml'") as error:
        _ = distributions.Norml
    assert ["hint: did you mean `Normal`?"] == error.value.__notes__


def test_proportions_move_with_their_concentration() -> None:
    """A Beta(a, 1) number is u^(1/a): it moves by -x log x / a, and b's way mirrors a's."""
    for concentration in (0.02, 0.7, 3.0, 400.0):
        for flipped in (False, True):
            moving = dyncore.tensor(concentration, dtype=dyncore.float64, requires_grad=True)
            one = dyncore.tensor(1.0, dtype=dyncore.float64)
            dyncore.manual_seed(4)
            both = (one, moving) if flipped else (moving, one)
            x = distributions.Beta(*both).rsample((40,))
            (slope,) = dyncore.autograd.grad(x.sum(), moving)
            values = np.maximum(1 - x.detach().numpy() if flipped else x.detach().numpy(), 1e-300)
            expected = np.sum(-values * np.log(values) / concentration) * (-1 if flipped else 1)
            np.testing.assert_allclose(slope.item(), expected, rtol=1e-6)


@needs_torch
@pytest.mark.parametrize("concentration", [[0.3, 0.7, 2.0], [100.0, 200.0, 30.0], [1.0, 1.0], [0.01, 0.02, 0.5]])
def test_gradients_of_proportions_are_those_of_pytorch(concentration: list[float]) -> None:
    """As near as PyTorch's approximation comes to the exact gradient; and a first derivative alone."""
    import torch

    slopes = []
    for t in (torch, dyncore):
        parameter = t.tensor(concentration, dtype=t.float64, requires_grad=True)
        t.manual_seed(3)
        library = torch.distributions if t is torch else distributions
        sample = library.Dirichlet(parameter).rsample((20,))
        weights = t.tensor(np.cos(np.arange(sample.numel())).reshape(tuple(sample.shape)))
        (slope,) = t.autograd.grad((sample * weights).sum(), parameter, create_graph=True)
        slopes.append(slope.detach().numpy())
    np.testing.assert_allclose(slopes[1], slopes[0], rtol=5e-3, atol=1e-4)
    with pytest.raises(NotImplementedError, match="derivative for aten::_dirichlet_grad is not implemented"):
        slope.sum().backward()


def test_instance_for_expand_of_a_base_is_of_the_subclass() -> None:
    class Own(distributions.Normal):
        """Has the `__init__` of its base, so that the base's `expand` can fill it."""

    assert Own is type(Own(0.0, 1.0)._get_checked_instance(distributions.Normal))


def test_kumaraswamy_mode_is_where_its_density_is_greatest() -> None:
    """PyTorch's is nan here; below 1, or at 1 and 1, there is none."""
    tensor = dyncore.tensor
    peaked = distributions.Kumaraswamy(tensor([2.0, 3.0, 1.0]), tensor([1.5, 4.0, 2.0]))
    places = dyncore.arange(1, 2000).view(-1, 1) / 2000
    assert (peaked.mode - places[peaked.log_prob(places).argmax(0), 0]).abs().max() < 6e-4
    flat = distributions.Kumaraswamy(tensor([0.5, 2.0, 1.0]), tensor([2.0, 0.5, 1.0]))
    assert flat.mode.isnan().all()
