"""The causal masks of `torch.nn.attention.bias`."""

from __future__ import annotations

import pytest
from dyncore.nn.attention.bias import CausalBias, causal_lower_right, causal_upper_left

import dyncore as torch


def test_corner_says_which_keys_are_seen() -> None:
    """Of two queries and three keys, the last query sees two keys or all."""
    upper, lower = causal_upper_left(2, 3), causal_lower_right(2, 3)
    assert isinstance(upper, CausalBias)
    assert upper.tolist() == [[True, False, False], [True, True, False]]
    assert lower.tolist() == [[True, True, False], [True, True, True]]


def test_mask_of_upper_left_corner_is_causal_attention() -> None:
    """In `scaled_dot_product_attention`."""
    attend = torch.nn.functional.scaled_dot_product_attention
    query, key, value = torch.randn(3, 2, 4, 5).unbind(0)
    assert torch.equal(attend(query, key, value, causal_upper_left(4, 4)), attend(query, key, value, is_causal=True))


def test_mask_of_three_sizes_is_refused() -> None:
    """As PyTorch does."""
    with pytest.raises(AssertionError, match="causal_upper_left only supports 2D tensors"):
        causal_upper_left(2, 2, 2)
