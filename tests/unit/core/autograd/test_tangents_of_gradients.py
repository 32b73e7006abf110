"""Forward mode through a backward, for every op that has samples: the tangent of a gradient is a Hessian's product.

The other way to that product is a gradient of the gradient, which `test_gradients.py` checks against differences.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore.autograd.forward_ad import dual_level, make_dual, unpack_dual
from dyncore.dispatch.registry import TABLE
from tests.unit.core.ops.samples import calls_of, collect
from tests.unit.core.ops.test_gradients import direction, floats, fresh, leaves, rebuilt

# Ops without forward mode, here as in PyTorch.
WITHOUT = ("igamma", "igammac")
SAMPLES = collect()[0]


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - set(WITHOUT)))
def test_tangent_of_a_gradient_is_the_product_with_the_hessian(name: str) -> None:
    """For the first sample of each op."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        check(name, calls_of(name, SAMPLES[name])[0])


def check(name: str, call: tuple[Any, ...]) -> None:
    *args, kwargs = call
    places = leaves(args)

    def gradients(inputs: list[Any], create: bool) -> tuple[Any, ...]:
        outs = floats(TABLE[name].entry(*rebuilt(args, inputs), **kwargs))
        seeds = [dyncore.tensor(direction(out, 3 + number)) for number, out in enumerate(outs)]
        pairs = [(out, seed) for out, seed in zip(outs, seeds, strict=True) if out.requires_grad]
        ends, starts = [out for out, _ in pairs], [seed for _, seed in pairs]
        return dyncore.autograd.grad(ends, inputs, starts, allow_unused=True, create_graph=create)

    along = [dyncore.tensor(direction(each, 23 + number)) for number, each in enumerate(places)]
    inputs = fresh(places)
    recorded = gradients(inputs, True)
    pairs = [(g, v) for g, v in zip(recorded, along, strict=True) if g is not None and g.requires_grad]
    expected: Any = [None] * len(inputs)
    if pairs:
        expected = dyncore.autograd.grad([g for g, _ in pairs], inputs, [v for _, v in pairs], allow_unused=True)
    with dual_level():
        duals = [make_dual(each, v) for each, v in zip(fresh(places), along, strict=True)]
        found = [None if g is None else unpack_dual(g).tangent for g in gradients(duals, False)]
    for product, tangent in zip(expected, found, strict=True):
        wanted, given = (np.zeros(1) if each is None else each.detach().numpy() for each in (product, tangent))
        assert np.allclose(wanted, given, rtol=1e-6, atol=1e-8), f"{name}: {wanted} and {given}"


@pytest.mark.parametrize("ord", [0.5, 1.5, 2, 3, 4])
def test_the_tangent_of_a_norm_at_zero_is_zero(ord: float) -> None:
    """As in PyTorch, whatever the order."""
    from dyncore.autograd import forward_ad

    with forward_ad.dual_level():
        x = forward_ad.make_dual(dyncore.zeros(3), dyncore.tensor([0.5, -1.0, 2.0]))
        assert 0.0 == forward_ad.unpack_dual(dyncore.linalg.vector_norm(x, ord)).tangent.item()
