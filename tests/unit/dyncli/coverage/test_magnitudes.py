"""Norms and finiteness of gradients, small and large, by Python and by NumPy."""

import math

import numpy as np
import pytest

import dyncore as torch
from dyncli.coverage.magnitudes import SMALL, gradient_norm, is_finite


@pytest.mark.parametrize("count", [1, SMALL, SMALL + 1, 1000])
@pytest.mark.parametrize("size", [1.0, 1e-170, 1e170, 1e-320])
def test_norm_of_gradients_neither_vanishes_nor_overflows(count: int, size: float) -> None:
    """Squares of 1e-170 are zero, and those of 1e170 infinite."""
    leaf = torch.zeros(count, dtype=torch.float64, requires_grad=True)
    (leaf * size).sum().backward()
    assert math.sqrt(count) * size == pytest.approx(gradient_norm([leaf]), rel=1e-2 if size < 1e-300 else 1e-12)


@pytest.mark.parametrize("count", [3, 1000])
def test_norm_of_gradients_with_nan_is_nan_and_with_infinity_infinite(count: int) -> None:
    """Whatever else is among them."""
    for values, expected in (([math.inf, math.nan], math.nan), ([math.inf, -math.inf], math.inf)):
        leaf = torch.zeros(count, requires_grad=True)
        leaf.grad = torch.tensor([*values, *[1.0] * (count - 2)])
        assert expected == pytest.approx(gradient_norm([leaf]), nan_ok=True)
        assert not is_finite(np.asarray(leaf.grad))


def test_norm_over_several_leaves_is_joint_and_without_gradients_none() -> None:
    """3 and 4 make 5; a leaf without a gradient adds nothing."""
    leaves = [torch.zeros(1, requires_grad=True) for _ in range(3)]
    assert gradient_norm(leaves) is None
    leaves[0].grad, leaves[1].grad = torch.tensor([3.0]), torch.tensor([4.0])
    assert 5.0 == gradient_norm(leaves)


@pytest.mark.parametrize("count", [2, 1000])
def test_finiteness_is_of_each_element_not_of_their_sum(count: int) -> None:
    """Infinities of both signs have no sum, and that of large numbers overflows."""
    assert not is_finite(np.array([math.inf, -math.inf] * count))
    assert is_finite(np.array([1e308] * count))
