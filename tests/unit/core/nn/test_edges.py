"""Losses and softmax at the edges of what they are defined on, worked out by hand."""

from __future__ import annotations

import math

import pytest

import dyncore as torch
from dyncore.nn import functional


@pytest.mark.parametrize(
    ("delta", "away", "expected"),
    [(1.0, 0.5, 0.125), (1.0, 3.0, 2.5), (0.5, 2.0, 0.875), (2.0, 1.0, 0.5), (2.0, 5.0, 8.0)],
)
def test_huber_loss_is_linear_beyond_delta(delta: float, away: float, expected: float) -> None:
    """Half the square within delta, delta (|x - t| - delta / 2) beyond it, with slope delta there."""
    x = torch.tensor([away], requires_grad=True)
    loss = functional.huber_loss(x, torch.zeros(1), delta=delta)
    loss.backward()
    assert (expected, min(away, delta)) == (loss.item(), x.grad.item())


def test_binary_cross_entropy_of_certain_answers_has_gradient_zero() -> None:
    """Where the input is 0 or 1 and right, the quotient of its gradient is kept from being 0 / 0."""
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    functional.binary_cross_entropy(x, torch.tensor([0.0, 1.0])).backward()
    assert [0.0, 0.0] == x.grad.tolist()


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_softmax_of_one_number_that_is_not_finite_is_nan(value: float) -> None:
    """A softmax over no dimension is 1, but inf - inf is NaN."""
    assert math.isnan(torch.softmax(torch.tensor(value), 0).item())
    assert 1.0 == torch.softmax(torch.tensor(3.0), 0).item()


def test_batch_norm_subclass_without_check_takes_any_number_of_dimensions() -> None:
    class AnyNorm(torch.nn.modules.batchnorm._BatchNorm):
        """A base that users subclass without saying how many dimensions it takes."""

    assert AnyNorm(3)(torch.ones(2, 3, 1, 1)).shape == (2, 3, 1, 1)


def test_packed_projection_of_attention_takes_thirds_of_weight_and_bias() -> None:
    x, weight, bias = torch.eye(2), torch.arange(12.0).reshape(6, 2), torch.arange(6.0)
    for given in (bias, None):
        expected = functional.linear(x, weight, given).chunk(3, -1)
        projected = functional._in_projection_packed(x, x, x, weight, given)
        assert [each.tolist() for each in expected] == [each.tolist() for each in projected]


def test_decoder_layer_without_dropout_runs_both_attentions_as_one_op() -> None:
    """It asks neither for its weights."""
    layer = torch.nn.TransformerDecoderLayer(4, 2, 8, 0.0, batch_first=True)
    waiting, names = [layer(torch.ones(1, 2, 4), torch.ones(1, 3, 4)).grad_fn], {}
    while waiting:
        node = waiting.pop()
        names[node] = node.name()
        waiting += [each for each, _ in node.next_functions if each is not None and each not in names]
    assert 2 == sum(name.startswith("ScaledDotProduct") for name in names.values())


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_unpooling_of_too_few_dimensions_names_those_it_takes(rank: int) -> None:
    unpool = getattr(functional, f"max_unpool{rank}d")
    with pytest.raises(RuntimeError, match=f"should be a {rank + 1}d or {rank + 2}d Tensor, but got .* 1 dimensions"):
        unpool(torch.ones(2), torch.zeros(2, dtype=torch.long), 2)


def test_instance_norm_that_tracks_statistics_uses_these_in_evaluation() -> None:
    layer = torch.nn.InstanceNorm1d(1, eps=0.0, track_running_stats=True).eval()
    assert [[[3.0, 5.0]]] == layer(torch.tensor([[[3.0, 5.0]]])).tolist()


def test_reflected_grid_of_one_pixel_is_that_pixel() -> None:
    """Its edges are one position, and there is nothing to reflect by."""
    grid = torch.tensor([[[[-3.0, 0.5]]]])
    sampled = functional.grid_sample(torch.full((1, 1, 1, 1), 7.0), grid, padding_mode="reflection", align_corners=True)
    assert [[[[7.0]]]] == sampled.tolist()
