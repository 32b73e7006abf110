"""Reductions over segments, masked places, chunks and hashes, in numbers that can be worked out by hand."""

from __future__ import annotations

import math

import pytest

import dyncore as torch


@pytest.mark.parametrize(("reduce", "expected"), [
    ("sum", [3.0, 0.0, 12.0]), ("mean", [1.5, math.nan, 4.0]), ("max", [2.0, -math.inf, 5.0]),
    ("min", [1.0, math.inf, 3.0]), ("prod", [2.0, 1.0, 60.0]),
])  # fmt: skip
def test_segments_are_reduced(reduce: str, expected: list[float]) -> None:
    """Two, none and three numbers; what an empty segment gives is the reduction's own."""
    data, lengths = torch.tensor([1.0, 2, 3, 4, 5]), torch.tensor([2, 0, 3])
    assert torch.tensor(expected).allclose(torch.segment_reduce(data, reduce, lengths=lengths), equal_nan=True)
    found = torch.segment_reduce(data, reduce, offsets=torch.tensor([0, 2, 2, 5]))
    assert torch.tensor(expected).allclose(found, equal_nan=True)


def test_gradients_go_to_the_numbers_of_a_segment() -> None:
    """Equal largest ones share theirs."""
    data = torch.tensor([1.0, 1, 3, 4, 4], requires_grad=True)
    torch.segment_reduce(data, "max", lengths=torch.tensor([2, 3])).sum().backward()
    assert [0.5, 0.5, 0.0, 0.5, 0.5] == data.grad.tolist()


def test_lengths_that_do_not_fit_are_refused() -> None:
    """In PyTorch's words."""
    with pytest.raises(RuntimeError, match="Expected all rows of lengths along axis to sum to"):
        torch.segment_reduce(torch.ones(5), "sum", lengths=torch.tensor([2, 2]))
    with pytest.raises(RuntimeError, match="lengths contains negative value!"):
        torch.segment_reduce(torch.ones(5), "sum", lengths=torch.tensor([6, -1]))


def test_masked_places_may_lie_outside() -> None:
    """What the mask leaves out is filled, or not added."""
    x, places = torch.arange(4.0), torch.tensor([1, 9, -7])
    mask = torch.tensor([True, False, False])
    assert [1.0, 5.0, 5.0] == torch._unsafe_masked_index(x, mask, [places], 5.0).tolist()
    found = torch._unsafe_masked_index_put_accumulate(x, mask, [places], torch.ones(3))
    assert [0.0, 2.0, 2.0, 3.0] == found.tolist()


def test_chunks_are_padded_and_joined() -> None:
    """Three numbers and five, in two chunks each."""
    found = torch._chunk_cat([torch.arange(3.0), torch.arange(5.0)], 0, 2)
    assert [[0.0, 1.0, 0.0, 1.0, 2.0], [2.0, 0.0, 3.0, 4.0, 0.0]] == found.tolist()
    with pytest.raises(RuntimeError, match="_chunk_cat expects positive num_chunks"):
        torch._chunk_cat([torch.ones(2)], 0, 0)


def test_a_row_without_anything_is_no_nan() -> None:
    """Zeros, and a gradient of zeros."""
    x = torch.tensor([[-math.inf, -math.inf], [0.0, 0.0]], requires_grad=True)
    y = torch._safe_softmax(x, 1)
    y[:, 0].sum().backward()
    assert [[0.0, 0.0], [0.5, 0.5]] == y.tolist()
    assert [[0.0, 0.0], [0.25, -0.25]] == x.grad.tolist()


def test_a_hash_joins_bits() -> None:
    """Of integers, the exclusive or."""
    x = torch.tensor([[1, 2], [3, 4]])
    assert 1 ^ 2 ^ 3 ^ 4 == x.hash_tensor().item()
    assert [1 ^ 3, 2 ^ 4] == torch.hash_tensor(x, 0).tolist()


def test_the_gradient_of_a_pool_goes_to_its_maxima() -> None:
    """From the places that the pool returned."""
    x = torch.arange(16.0).reshape(1, 1, 4, 4)
    y, places = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    found = torch.ops.aten.max_pool2d_with_indices_backward(y, x, [2, 2], [2, 2], [0, 0], [1, 1], False, places)
    assert [0.0, 5, 0, 7, 0, 13, 0, 15] == found[0, 0, 1::2].flatten().tolist()
