"""Infinite elements reach what they have a part in, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")

CALLS = (
    "F.adaptive_avg_pool1d(x[0], 3)", "F.adaptive_avg_pool2d(x, (3, 2))", "F.interpolate(x, (7, 9), mode='bilinear')",
    "F.interpolate(x[0], 11, mode='linear')", "F.interpolate(x, (3, 5), mode='area')",
    "F.interpolate(x, (7, 9), mode='bicubic')", "F.avg_pool2d(x, 2)", "F.interpolate(x, (7, 9))",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_an_infinite_element_and_an_infinite_cotangent_stay_where_they_are(call: str) -> None:
    """The finite elements of results and gradients are PyTorch's, wherever PyTorch's are finite."""
    found = []
    for engine in (torch, dyncore):
        x = engine.arange(80).double().reshape(1, 2, 8, 5).sin()
        x[0, 0, 3, 2] = float("inf")
        x.requires_grad_()
        made = eval(call, {"F": engine.nn.functional, "x": x})
        back = engine.ones(made.shape).double()
        back[(0,) * made.dim()] = float("inf")
        (gradient,) = engine.autograd.grad(made, x, back)
        found.append([each.detach().numpy() for each in (made, gradient)])
    for theirs, ours in zip(*found, strict=True):
        finite = np.isfinite(theirs)
        assert finite.any() and not finite.all()
        np.testing.assert_allclose(ours[finite], theirs[finite], rtol=1e-6, atol=1e-9)
