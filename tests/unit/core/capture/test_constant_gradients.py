"""Gradients that are one number everywhere are computed once: the same bits, spread out where arrays are wanted."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.engine import sequence
from tests.unit.core.capture.check import run, same

COUNT = 1 << 18  # a megabyte of float32, from where on steps are done together


def leaf(*shape: int) -> Any:
    values = torch.randn(*shape, generator=torch.Generator().manual_seed(3))
    return values.requires_grad_()


def chain(x: Any) -> Any:
    y = x
    for _ in range(3):
        y = y * 1.01 + x
    return (-y).sum()


def mean(x: Any) -> Any:
    return (x * 3 - x / 7).mean() * 2


def meets_values(x: Any) -> Any:
    y = (x * 2).tanh() * 1.5
    return (y + x * 3).sum()


def broadcast(x: Any) -> Any:
    rows = x.reshape(4, -1)
    return (rows * 2 + rows[:1] * torch.tensor([[1.0], [2.0], [-0.0], [4.0]])).sum()


def several(x: Any, w: Any) -> Any:
    y = x * 2
    return (y @ w).sum() + (y * 1.5).sum() + y.abs().mean()


def two_results(x: Any) -> Any:
    return (x * 2).sum(), (x * 3 + x).sum()


def infinite(x: Any) -> Any:
    return ((x * 1e38) * 1e38 * 0.0).sum() + (x * -0.0).sum()


CASES = {
    "chain": (chain, [(COUNT,)]),
    "mean": (mean, [(COUNT,)]),
    "meets values": (meets_values, [(COUNT,)]),
    "broadcast": (broadcast, [(COUNT,)]),
    "several": (several, [(512, 512), (512, 2)]),
    "two results": (two_results, [(COUNT,)]),
    "infinite": (infinite, [(COUNT,)]),
}


@pytest.mark.parametrize("name", CASES)
def test_same_bits(name: str) -> None:
    """Forward and backward, for gradients of one and of other values that come in."""
    function, shapes = CASES[name]
    args = [leaf(*shape) for shape in shapes]
    compiled = same(function, *args, calls=2)
    result = compiled(*args)
    for value in (2.5, -0.0, float("nan"), float("inf")):
        grads = []
        for each in (function, compiled):
            args[0].grad = None
            result = each(*args)
            results = result if isinstance(result, tuple) else (result,)
            torch.autograd.backward(results, [torch.tensor(value)] * len(results))
            grads.append(args[0].grad.numpy().tobytes())
        assert grads[0] == grads[1]
    assert run(function, tuple(args), args) == run(compiled, tuple(args), args)


def test_a_gradient_is_memory_of_its_own() -> None:
    """Of the leaf alone: what is done to it changes no later gradient."""
    x = leaf(COUNT)
    compiled = torch.compile(chain)
    expected = None
    for _ in range(4):
        x.grad = None
        compiled(x).backward()
        expected = x.grad[0].item() if expected is None else expected
        assert {expected} == set(x.grad[::1000].tolist())
        x.grad.mul_(3)


@pytest.mark.parametrize("numbered", [False, True])
def test_one_loop_is_left(numbered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that goes backward through a chain, on a million elements, the fill; also once nodes have numbers."""
    monkeypatch.setattr(sequence, "used", numbered)
    x = leaf(COUNT)
    compiled = torch.compile(chain)
    for _ in range(2):
        compiled(x).backward()
    (root,) = (root for roots in compiled._roots.values() for root in roots)
    (plan,) = root.paths[0].segments[0].plans.values()
    assert "for " not in plan.run.text


def test_gradients_that_pass_through_are_handed_over() -> None:
    """A difference gives one gradient on as it came; what the leaves hold stays theirs when the next call has run."""
    x, y = leaf(COUNT), leaf(COUNT).detach().mul(2).requires_grad_()
    compiled = torch.compile(lambda a, b: ((a - b) ** 2).mean())
    held = []
    for _ in range(4):
        x.grad = y.grad = None
        compiled(x, y).backward()
        assert not held or (x.grad.tolist()[:5], y.grad.tolist()[:5]) == held[0][2:]
        held.append((x.grad, y.grad, x.grad.tolist()[:5], y.grad.tolist()[:5]))
    assert all((a.tolist()[:5], b.tolist()[:5]) == (c, d) for a, b, c, d in held)
    held[-1][0].zero_()
    assert held[-1][1].tolist()[:5] == held[-1][3] and held[-2][0].tolist()[:5] == held[-2][2]
