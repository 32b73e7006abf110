"""Equal elements of `topk` come in the order that PyTorch's library leaves."""

from __future__ import annotations

import dyncore as torch

EXPECTED = [2, 4, 3, 0, 1]


def test_smallest_of_equal_elements_are_not_in_order_of_position() -> None:
    """Seen in PyTorch 2.13, along either dimension."""
    x = torch.zeros(5)
    values, indices = torch.topk(x, 5, largest=False)
    assert indices.tolist() == EXPECTED
    columns = torch.topk(x[:, None].expand(5, 2), 5, dim=0, largest=False)[1]
    assert columns.T.tolist() == [EXPECTED] * 2
    assert values.tolist() == [0.0] * 5


def test_distinct_elements_are_in_order() -> None:
    """With NaN, which counts as the largest, equal ones keep their positions."""
    assert torch.topk(torch.tensor([1.0, 3.0, 2.0]), 2)[1].tolist() == [1, 2]
    assert torch.topk(torch.tensor([1.0, float("nan"), 1.0]), 3)[1].tolist() == [1, 0, 2]


def test_gradient_goes_to_the_places_taken() -> None:
    """Of three equal elements, two are taken."""
    x = torch.ones(3, requires_grad=True)
    values, indices = torch.topk(x, 2)
    values.sum().backward()
    assert [place for place, slope in enumerate(x.grad.tolist()) if slope] == sorted(indices.tolist())
