"""Divergences of two kinds, transforms, constraints and the files of `torch.distributions` are PyTorch's."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore import distributions
from tests.unit.core.distributions.test_distributions import made

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

KINDS = {
    "Beta": "d.Beta(a + 0.2, b)",
    "ContinuousBernoulli": "d.ContinuousBernoulli(a)",
    "Exponential": "d.Exponential(a)",
    "Gamma": "d.Gamma(a, b)",
    "Gumbel": "d.Gumbel(a, b)",
    "Laplace": "d.Laplace(a, b)",
    "Normal": "d.Normal(a, b)",
    "Pareto": "d.Pareto(a, b + 2)",
    "Uniform": "d.Uniform(a * 0.1, b)",
    "Bernoulli": "d.Bernoulli(a)",
    "Poisson": "d.Poisson(a)",
    "MultivariateNormal": "d.MultivariateNormal(a, t.diag(b) + 0.1)",
    "LowRank": "d.LowRankMultivariateNormal(a, t.stack([a, b], -1), b)",
    "Wishart": "d.Wishart(t.tensor(6.0), t.diag(a))",
    "Transformed": "d.TransformedDistribution(d.Normal(a, b), [d.ExpTransform()])",
}


@needs_torch
@pytest.mark.parametrize("first", KINDS)
def test_divergences_of_two_kinds_are_those_of_pytorch(first: str) -> None:
    """KL(p || q) of every pair that PyTorch has a formula for, infinite ones too."""
    import torch

    for second in KINDS:
        found = []
        for t in (torch, dyncore):
            p, q = made(t, KINDS[first])[0], made(t, KINDS[second].replace(", b", ", 0.7 * b + 0.3"))[0]
            try:
                divergence = (torch.distributions if t is torch else distributions).kl_divergence(p, q)
                found.append(np.asarray(divergence.detach()))
            except NotImplementedError:
                found.append(None)
        if found[0] is None:
            assert found[1] is None, second
        else:
            assert found[0].shape == found[1].shape
            np.testing.assert_allclose(found[1], found[0], rtol=2e-4, atol=2e-5, err_msg=second)


TRANSFORMS = {
    "d.AbsTransform()": (4,),
    "d.AffineTransform(1.0, -2.0, event_dim=1)": (3, 4),
    "d.CatTransform([d.ExpTransform(), d.TanhTransform()], 0, [1, 2])": (3, 4),
    "d.CatTransform([d.StickBreakingTransform()] * 2, 0, [1, 2])": (3, 4),
    "d.ComposeTransform([d.ExpTransform(), d.AffineTransform(1.0, 2.0)])": (4,),
    "d.ComposeTransform([d.StickBreakingTransform(), d.StickBreakingTransform().inv], cache_size=0)": (4,),
    "d.CorrCholeskyTransform()": (2, 6),
    "d.CumulativeDistributionTransform(d.Normal(0.0, 1.0))": (4,),
    "d.ExpTransform().inv.inv": (4,),
    "d.IndependentTransform(d.ExpTransform(), 1)": (3, 4),
    "d.LowerCholeskyTransform()": (2, 3, 3),
    "d.PositiveDefiniteTransform()": (2, 3, 3),
    "d.ReshapeTransform((4,), (2, 2))": (3, 4),
    "d.SigmoidTransform()": (4,),
    "d.SoftmaxTransform()": (3, 4),
    "d.SoftplusTransform()": (4,),
    "d.StackTransform([d.ExpTransform(), d.TanhTransform()], 1)": (3, 2),
    "d.StickBreakingTransform()": (3, 4),
    "d.TanhTransform()": (4,),
    "d.transform_to(d.constraints.interval(1.0, 3.0))": (4,),
    "d.biject_to(d.constraints.simplex)": (4,),
    "d.transform_to(d.constraints.corr_cholesky)": (3,),
    "d.identity_transform": (4,),
}


@needs_torch
@pytest.mark.parametrize("expression", TRANSFORMS)
def test_transforms_are_those_of_pytorch(expression: str) -> None:
    """Values there and back, the change of volume with gradients, shapes, domains, text, equality and caches."""
    import torch

    shape = TRANSFORMS[expression]
    numbers = np.random.default_rng(3).standard_normal(shape).astype("float32")
    results: list[list[Any]] = []
    for t, library in ((torch, torch.distributions), (dyncore, distributions)):
        transform = eval(expression, {"t": t, "d": library})
        x = t.tensor(numbers, requires_grad=True)
        y = transform(x)
        found: list[Any] = [y, transform.inv(y), *t.autograd.grad((y * y).sum(), x, retain_graph=True)]
        found += [tuple(transform.forward_shape(x.shape)), tuple(transform.inverse_shape(y.shape))]
        found += [transform.bijective, repr(transform), repr(transform.inv)]
        for name in ("domain", "codomain", "sign"):
            try:
                found.append(repr(getattr(transform, name)).replace("_Cat object", ""))
            except NotImplementedError:
                found.append(NotImplementedError)
        if transform.bijective:
            change = transform.log_abs_det_jacobian(x, y)
            found.append(change)
            if change.requires_grad:
                found += t.autograd.grad(change.sum(), x)
        found.append(transform == eval(expression, {"t": t, "d": library}))
        if not expression.endswith(("inv.inv", ")])", "identity_transform")):
            cached = transform.with_cache()
            z = cached(x)
            found += [cached.inv(z) is x, cached(x) is z]
        results.append(found)
    for expected, actual in zip(*results, strict=True):
        if hasattr(expected, "detach"):
            np.testing.assert_allclose(np.asarray(actual.detach()), expected.detach().numpy(), rtol=3e-4, atol=3e-5)
        elif not (isinstance(expected, str) and " object at " in expected):
            assert expected == actual


@needs_torch
def test_constraints_are_those_of_pytorch() -> None:
    """What they allow, and their text."""
    import torch

    matrices = [[[1.0, 0.0], [0.6, 0.8]], [[1.0, 0.5], [0.5, 1.0]], [[2.0, 0.0], [0.0, -1.0]], [[1.0, 1.0], [1.0, 1.0]]]
    cases = [
        ("half_open_interval(0.0, 1.0)", [0.0, 0.5, 1.0]), ("real_vector", [[0.0, float("nan")], [1.0, 2.0]]),
        *((name, matrices) for name in (
            "lower_cholesky", "corr_cholesky", "lower_triangular", "square", "symmetric", "positive_definite",
            "positive_semidefinite",
        )),
        ("cat([d.constraints.positive, d.constraints.real], 0, [1, 2])", [-1.0, -1.0, 2.0]),
        ("stack([d.constraints.positive, d.constraints.real], 0)", [-1.0, -1.0]),
    ]  # fmt: skip
    for expression, value in cases:
        found = []
        for t, library in ((torch, torch.distributions), (dyncore, distributions)):
            constraint = eval(f"d.constraints.{expression}", {"d": library})
            text = "" if "[" in expression else repr(constraint)
            found.append([constraint.check(t.tensor(value)).tolist(), text, constraint.event_dim])
        assert found[0] == found[1], expression
    assert distributions.constraints.is_dependent(distributions.TransformedDistribution.support)


def test_files_and_errors_of_transforms() -> None:
    """`torch.distributions.normal` and its like are modules, and wrong arguments have PyTorch's sentences."""
    from importlib import import_module

    assert import_module("dyncore.distributions.normal").Normal is distributions.Normal
    assert import_module("dyncore.distributions.utils").broadcast_all
    for expression, sentence in {
        "d.ExpTransform(cache_size=2)": "cache_size must be 0 or 1",
        "d.ReshapeTransform((2,), (3,))": "in_shape, out_shape have different numbers of elements",
        "d.CorrCholeskyTransform()(t.zeros(4))": "The size of last dimension is 4 which cannot be expressed as the "
        "lower triangular part of a square D x D matrix.",
        "d.TransformedDistribution(d.Normal(0.0, 1.0), 3)": "transforms must be a Transform or list, but was 3",
        "d.TransformedDistribution(d.Normal(0.0, 1.0), d.StickBreakingTransform())": "base_distribution needs to have "
        "shape with size at least 1, but got torch.Size([]).",
        "d.LKJCholesky(1)": "Expected dim to be an integer greater than or equal to 2. Found dim=1.",
        "d.biject_to(d.constraints.boolean)": "Cannot transform _Boolean constraints",
        "d.Wishart(0.5, t.eye(2))": "Value of df=0.5 expected to be greater than ndim - 1 = 1.",
    }.items():
        with pytest.raises((ValueError, NotImplementedError)) as error:
            eval(expression, {"t": dyncore, "d": distributions})
        assert sentence == str(error.value)


def test_change_of_volume_of_parts_along_the_first_dimension_is_one_per_element() -> None:
    transform = distributions.CatTransform(
        [distributions.ExpTransform(), distributions.AffineTransform(0.0, 2.0)], 0, [1, 2]
    )
    x = dyncore.tensor([3.0, 1.0, 1.0])
    change = transform.log_abs_det_jacobian(x, transform(x))
    assert pytest.approx([3.0, np.log(2), np.log(2)]) == change.tolist()
