"""Elements chosen by a mask laid over their bits are those that `np.where` chooses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.ops.select import LARGE, picked, select

SIZES = (0, 3, LARGE, LARGE + 1)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, np.complex64])
@pytest.mark.parametrize("size", SIZES)
def test_bits_choose_as_where_does(dtype: Any, size: int) -> None:
    random = np.random.default_rng(size)
    one, two = (random.normal(size=(2, size)) * 100).astype(dtype)
    if size:
        one[0] = two[-1] = np.nan if one.dtype.kind in "fc" else 1
    condition = random.random(size) > 0.5
    for first, second, mask in ((one, two, condition), (one[::2], two[::-2], condition[::2])):
        np.testing.assert_array_equal(np.where(mask, first, 0), picked(mask, first))
        np.testing.assert_array_equal(np.where(mask, first, second), select(mask, first, second))
        assert picked(mask, first).dtype == select(mask, first, second).dtype == dtype


@pytest.mark.parametrize("size", SIZES[1:])
def test_flat_parts_of_a_rectifier_stop_an_infinite_gradient(size: int) -> None:
    x = torch.linspace(-1, 1, size).requires_grad_()
    y = torch.relu(x)
    y.backward(torch.full_like(y, torch.inf))
    assert (x.grad == torch.where(x > 0, torch.inf, 0.0)).all()


def test_large_choices_have_second_derivatives() -> None:
    x = torch.linspace(-1, 1, LARGE + 4).double().requires_grad_()
    (slope,) = torch.autograd.grad(torch.where(x > 0, x**3, x).clamp(max=0.5).sum(), x, create_graph=True)
    (bend,) = torch.autograd.grad(slope.sum(), x)
    inside = (x > 0) & (x**3 <= 0.5)
    assert torch.allclose(bend, torch.where(inside, 6 * x, torch.zeros_like(x)))
