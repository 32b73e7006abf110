"""What a node knows of its result's shape holds no longer once the tensor has another array."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch

START = [1.0, -2.0, 3.0, 0.5]


def leaf() -> Any:
    """Four elements that require grad."""
    return torch.tensor(START, requires_grad=True)


def new_data(parameter: Any) -> None:
    """`data` of another shape."""
    parameter.data = torch.tensor([START, START])


def viewed_in_place(parameter: Any) -> None:
    """The shape changed under no_grad."""
    with torch.no_grad():
        parameter.unsqueeze_(0)


def emptied_and_set(parameter: Any) -> None:
    """Other memory under no_grad."""
    with torch.no_grad():
        parameter.set_(torch.tensor([START]))


@pytest.mark.parametrize("change", [new_data, viewed_in_place, emptied_and_set])
@pytest.mark.parametrize("operator", ["__add__", "__sub__", "__mul__"])
def test_a_leaf_with_another_shape_broadcasts(change: Any, operator: str) -> None:
    """The other operand's gradient is summed over the new rows, and the changed one's has the new shape."""
    changed, other = leaf(), leaf()
    for _ in range(2):
        assert (4,) == getattr(changed, operator)(other).shape
    change(changed)
    result = getattr(changed, operator)(other)
    back = torch.autograd.grad(result.sum(), [changed, other])
    assert [changed.shape, changed.shape, other.shape] == [result.shape, *(each.shape for each in back)]


def test_a_computed_tensor_with_other_data_broadcasts() -> None:
    """`data` of one element: a sum with the leaf has the leaf's shape, and so has the leaf's gradient."""
    x = leaf()
    y = x * 2.0
    y = y * 2.0
    y.data = torch.tensor([5.0])
    x.grad = None
    (x + y.detach()).sum().backward()
    assert [1.0] * 4 == x.grad.tolist()
    assert [6.0, 3.0, 8.0, 5.5] == (x + y).tolist()


def test_a_layer_in_double_precision_is_promoted_with() -> None:
    """`module.double()` leaves the parameter, whose products with float32 are float64 from then on."""
    layer = torch.nn.Linear(4, 4)
    x = leaf()
    for _ in range(2):
        assert torch.float32 == (layer.weight @ x + layer.bias).dtype
    layer.double()
    assert torch.float64 == (layer.bias * x).dtype
    assert torch.float64 == (layer.bias + layer.bias).dtype
    assert torch.float64 == (layer.weight @ x.double() + layer.bias).dtype
    with pytest.raises(RuntimeError):
        layer.weight @ x


@pytest.mark.parametrize("sizes", [2, [1, 3], 3])
def test_pieces_of_unlike_lengths_do_not_add_up(sizes: Any) -> None:
    """Pieces cut unevenly have their own shapes: gradients come back to all elements."""
    x = leaf()
    for _ in range(2):
        pieces = torch.split(x, sizes)
        first, last = torch.sigmoid(pieces[0]) * 2.0, torch.sigmoid(pieces[-1]) * 2.0
        if first.shape == last.shape:
            assert first.shape == (first + last).shape
        elif 1 not in (len(first), len(last)):
            with pytest.raises(RuntimeError):
                first + last
        (back,) = torch.autograd.grad((first * first).sum() + (last * last).sum(), x)
        assert all(back.tolist())


def test_a_softmax_that_would_overflow_is_still_one() -> None:
    """Large, small and infinite elements take the way of softmax that looks for the largest first."""
    for _ in range(40):
        assert [0.0, 1.0] == torch.softmax(torch.tensor([-200.0, 200.0], requires_grad=True), 0).tolist()
        assert [0.5, 0.5] == torch.softmax(torch.tensor([-200.0, -200.0]), -1).tolist()
        assert torch.softmax(torch.tensor([float("inf"), 1.0]), 0).isnan().any()
        with pytest.raises(IndexError):
            torch.softmax(torch.tensor([1.0, 2.0]), 1)
