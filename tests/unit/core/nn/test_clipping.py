"""Gradients that are clipped, worked out by hand."""

from __future__ import annotations

import math

import pytest

import dyncore as torch
from dyncore.nn.utils import clip_grad_norm_, clip_grad_value_


def with_gradients(*gradients: list[float]) -> list[torch.Tensor]:
    """Return parameters that have these gradients."""
    parameters = [torch.zeros(len(each), requires_grad=True) for each in gradients]
    for parameter, each in zip(parameters, gradients, strict=True):
        parameter.grad = torch.tensor(each)
    return parameters


def test_norm_below_the_limit_is_left_alone() -> None:
    """The gradients are scaled down, never up."""
    parameters = with_gradients([3.0, 0.0], [4.0])
    assert 5.0 == clip_grad_norm_(parameters, 10.0).item()
    assert [[3.0, 0.0], [4.0]] == [each.grad.tolist() for each in parameters]


def test_common_norm_is_scaled_to_the_limit() -> None:
    """All by one factor, and the norm from before is returned."""
    parameters = with_gradients([3.0, 0.0], [4.0])
    assert 5.0 == clip_grad_norm_(parameters, 1.0).item()
    assert pytest.approx([0.6, 0.0, 0.8], rel=1e-5) == [g for each in parameters for g in each.grad.tolist()]


@pytest.mark.parametrize("bad", [math.inf, -math.inf, math.nan])
def test_norm_that_is_not_finite_raises_where_asked(bad: float) -> None:
    """An infinite norm and one that is no number alike."""
    with pytest.raises(RuntimeError, match=r"^The total norm of order 2\.0 for gradients from `parameters` is non-fin"):
        clip_grad_norm_(with_gradients([1.0, bad]), 1.0, error_if_nonfinite=True)
    clip_grad_norm_(with_gradients([1.0, bad]), 1.0)


def test_values_are_clipped_to_both_sides() -> None:
    (parameter,) = with_gradients([-3.0, 0.5, 2.0])
    clip_grad_value_([parameter], 1.0)
    assert [-1.0, 0.5, 1.0] == parameter.grad.tolist()
