"""What a backward does for all steps at once: the bits of doing it step by step, and fewer calls."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import dyncore as torch
from tests.unit.core.capture.check import run


def made(*shape: int, dtype: Any = None) -> Any:
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(*shape, generator=generator, dtype=dtype or torch.float32).requires_grad_()


def cell(step: Any, h: Any, w: Any, u: Any, b: Any, kind: str) -> Any:
    raw = w @ step + u @ h + b
    if kind == "tanh":
        return torch.tanh(raw)
    if kind == "sigmoid":
        return torch.sigmoid(raw) - 0.5
    gate = torch.sigmoid(raw)
    return gate * h + (1 - gate) * torch.tanh(raw * 0.5)


def recurrent(kind: str, count: int) -> Any:
    def net(x: Any, w: Any, u: Any, b: Any) -> Any:
        h = torch.zeros(b.shape[0], dtype=b.dtype)
        for k in range(count):
            h = cell(x[k], h, w, u, b, kind)
        return (h * h).sum()

    return net


def backward_texts(compiled: Any) -> str:
    """The text of every planned backward."""
    paths = [path for roots in compiled._roots.values() for root in roots for path in root.paths]
    plans = [plan for path in paths for segment in path.segments for plan in segment.plans.values()]
    return "\n".join(plan.run.text for plan in plans)


@pytest.mark.whole
@settings(max_examples=25)
@given(
    kind=st.sampled_from(["tanh", "sigmoid", "gru"]),
    count=st.integers(1, 9),
    size=st.sampled_from([1, 2, 3, 4, 8, 12]),
    double=st.booleans(),
)
def test_a_recurrence_has_the_bits_of_its_steps(kind: str, count: int, size: int, double: bool) -> None:
    """Whatever the cell, the number of steps and the size are, with one loss and with a gradient that is given."""
    dtype = torch.float64 if double else torch.float32
    args = (
        made(count, 3, dtype=dtype),
        made(size, 3, dtype=dtype),
        made(size, size, dtype=dtype),
        made(size, dtype=dtype),
    )
    net = recurrent(kind, count)
    compiled = torch.compile(net)
    for _ in range(4):
        assert run(net, args, list(args)) == run(compiled, args, list(args))
    found = []
    for function in (net, compiled, compiled):
        for each in args:
            each.grad = None
        function(*args).backward()
        found.append([each.grad.numpy().tobytes() for each in args])
    assert found[0] == found[1] == found[2]


def test_the_slopes_of_all_steps_are_one_call() -> None:
    """Twelve tanh ask for 1 - y * y twelve times; it is written once, and so is the sum of the bias's gradients."""
    args = made(12, 3).detach(), made(8, 3), made(8, 8), made(8)
    compiled = torch.compile(recurrent("tanh", 12))
    for _ in range(3):
        compiled(*args).backward()
    text = backward_texts(compiled)
    assert text.count("\n") < 12 * 8
    assert 1 == text.count("None, None, False, None")


@pytest.mark.parametrize("size", [2, 8])
def test_calls_that_wait_for_their_backward_keep_their_own_rows(size: int) -> None:
    """Three forwards before the first backward, in another order, once with the graph kept."""
    net = recurrent("gru", 6)
    compiled = torch.compile(net)
    found = []
    for function in (net, compiled):
        weights = made(size, 3), made(size, size), made(size)
        inputs = [torch.randn(6, 3, generator=torch.Generator().manual_seed(k)) for k in range(3)]
        for _ in range(4):
            for each in weights:
                each.grad = None
            losses = [function(x, *weights) for x in inputs]
            losses[1].backward(retain_graph=True)
            losses[2].backward()
            losses[0].backward()
            losses[1].backward()
        found.append([each.grad.numpy().tobytes() for each in weights])
    assert found[0] == found[1]
