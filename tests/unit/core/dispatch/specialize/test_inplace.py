"""Specialised writes in place do what the general path does: numbers, versions, errors."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.dispatch.specialize.cache import WARM

OPERATORS = {"add_": 2.5, "sub_": -0.5, "mul_": 1.5, "div_": 2.0 / 3.0}


@pytest.fixture(autouse=True)
def specialised() -> None:
    """Call every form until it runs its own text."""
    x = torch.ones(2)
    for name in OPERATORS:
        for _ in range(WARM):
            getattr(x, name)(1.0)
            getattr(x, f"__i{'truediv' if name == 'div_' else name[:-1]}__")(1.0)
        assert "warm" not in getattr(torch.Tensor, name).__code__.co_names


@pytest.mark.parametrize("name", sorted(OPERATORS))
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("of_tensor", [True, False])
def test_a_parameter_is_written_under_no_grad(name: str, dtype: Any, of_tensor: bool) -> None:
    """The numbers of the ordinary op, the same memory, one version more, and it is still a leaf."""
    leaf = torch.tensor([1.0, -2.0, 0.0], dtype=dtype, requires_grad=True)
    other = torch.tensor([0.5, 3.0, -1.5], dtype=dtype) if of_tensor else 1.5
    expected = getattr(leaf.detach(), name[:-1])(other)
    memory = leaf.data_ptr()
    with torch.no_grad():
        assert getattr(leaf, name)(other) is leaf
    assert expected.tolist() == leaf.tolist()
    assert (dtype, memory, 1, True) == (leaf.dtype, leaf.data_ptr(), leaf._version, leaf.is_leaf)


def test_backward_refuses_what_was_written_meanwhile() -> None:
    """The product saved the leaf, and `leaf -= step` came before its backward."""
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (leaf * leaf).sum()
    with torch.no_grad():
        leaf -= torch.tensor([0.1, 0.1])
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_leaf_is_not_written_while_recording() -> None:
    """PyTorch's sentence, as on the long way."""
    leaf = torch.tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
        leaf -= 1.0


def test_a_constant_that_takes_a_tensor_with_history_has_it_too() -> None:
    """`total += loss` is recorded, though `total` needed no gradient before."""
    leaf, total = torch.tensor([1.0, 2.0], requires_grad=True), torch.zeros(2)
    total += leaf * 3.0
    total.sum().backward()
    assert [3.0, 3.0] == leaf.grad.tolist()


def test_parts_of_the_same_memory_are_refused_and_the_whole_is_not() -> None:
    """x[1:] += x[:-1] could not tell what it reads; x += x can."""
    x = torch.tensor([1.0, 2.0, 3.0])
    with pytest.raises(RuntimeError, match="some elements of the input tensor"):
        x[1:] += x[:-1]
    x += x
    x += x.detach()
    assert [4.0, 8.0, 12.0] == x.tolist()


def test_a_stretched_tensor_is_not_written() -> None:
    """Several elements lie at one place."""
    wide = torch.tensor([1.0]).expand(3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        wide += 1.0


@pytest.mark.parametrize("first", [0.3, 90.0, float("nan")])
def test_cross_entropy_of_one_row_is_that_of_its_row_among_others(first: float) -> None:
    """One row has ways of its own, forward and backward; an unknown class is refused on both."""
    row = [first, -1.0, 2.0, 0.5]
    one, two = torch.tensor([row], requires_grad=True), torch.tensor([row, row], requires_grad=True)
    losses = [
        torch.nn.functional.cross_entropy(x, torch.tensor([2] * len(x))) for x in (one, two) for _ in range(2)
    ]  # fmt: skip
    assert torch.allclose(losses[0], losses[2], rtol=1e-6, equal_nan=True)
    for loss in losses:
        loss.backward()
    assert torch.allclose(one.grad[0], two.grad.sum(0), rtol=1e-5, equal_nan=True)
    for x in (one, two):
        with pytest.raises(IndexError, match="Target 4 is out of bounds"):
            torch.nn.functional.cross_entropy(x, torch.tensor([4] * len(x)))


def test_gradients_of_all_leaves_are_those_of_some() -> None:
    """`grad` for every leaf walks without pruning; for one, with it; both leave the other leaves alone."""
    w, x = torch.tensor([[1.0, 2.0], [3.0, -1.0]], requires_grad=True), torch.tensor([0.5, -2.0], requires_grad=True)

    def loss() -> Any:
        first, second = (w @ x).tanh().split(1)
        return (first * second + x.sum()).sum()

    both = torch.autograd.grad(loss(), [x, w])
    apart = [torch.autograd.grad(loss(), each)[0] for each in (x, w)]
    assert [each.tolist() for each in apart] == [each.tolist() for each in both]
    assert (None, None) == (x.grad, w.grad)
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad(loss(), [x, w, torch.zeros(2, requires_grad=True)])
    kept = loss()
    torch.autograd.grad(kept, [x, w])
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(kept, [x, w])
