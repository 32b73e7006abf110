"""Products by the text written for them are those of the general path, whatever the numbers of dimensions."""

from __future__ import annotations

import itertools

import pytest

import dyncore as torch
from dyncore.dispatch.specialize.cache import WARM

_SIZES = range(1, 7)


@pytest.mark.parametrize("leaf", [True, False])
def test_matmul_of_any_dimensions_is_same_once_compiled(leaf: bool) -> None:
    """A product of five dimensions was taken for one of a matrix and a vector."""
    wrong = []
    for first, second in itertools.product(_SIZES, _SIZES):
        left, right = torch.ones((2,) * first, requires_grad=True), torch.ones((2,) * second, requires_grad=True)
        shapes = set()
        for _ in range(WARM + 2 if (first, second) == (1, 1) else 1):
            result = torch.matmul(left if leaf else left * 1, right)
            shapes.add((tuple(result.shape), result.grad_fn.name()))
        result.sum().backward()
        batch = max(first, second) - 2
        expected = (2,) * (batch + (first > 1) + (second > 1) if batch >= 0 else 0)
        if {shape for shape, _ in shapes} != {expected} or left.grad.shape != left.shape:
            wrong.append((first, second, shapes))
    assert wrong == []


@pytest.mark.parametrize("shape", [(3,), (2, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_linear_layer_gives_each_parameter_its_gradient_once_compiled(shape: tuple[int, ...], bias: bool) -> None:
    layer, x = torch.nn.Linear(3, 2, bias=bias), torch.ones(shape, requires_grad=True)
    rows = x.numel() / 3
    for _ in range(WARM + 2):
        layer.zero_grad()
        layer(x).sum().backward()
        assert [[rows] * 3] * 2 == layer.weight.grad.tolist()
        assert not bias or [rows] * 2 == layer.bias.grad.tolist()
