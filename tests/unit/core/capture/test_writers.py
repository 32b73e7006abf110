"""Ops that write into arrays that are there: the bits of an ordinary call, whatever the numbers are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import dyncore as torch
from tests.unit.core.capture.check import run

ROWS = [
    [0.5, -1.0, 2.0, 0.0, -0.0],
    [-200.0, -150.0, -120.0, -300.0, -110.0],
    [100.0, 90.0, 88.0, 95.0, 1.0],
    [float("inf"), 0.0, 1.0, -1.0, 2.0],
    [float("nan"), 0.0, 1.0, -1.0, 2.0],
    [float("-inf")] * 5,
]


def chosen(x: Any) -> Any:
    p = torch.softmax(x * 1, 0)
    return (p * p).sum(), p


def rectified(x: Any, scale: Any) -> Any:
    h = torch.relu(x)
    return (torch.relu(h * scale) / h).sum()


@pytest.mark.parametrize("function", [chosen, lambda x: torch.softmax(x, -1) * torch.softmax(x * 2, 0)])
def test_a_small_softmax_is_the_same_however_large_or_small_its_numbers_are(function: Any) -> None:
    """Where e^x is too large or too small for the short way, the replay takes the long one by itself."""
    compiled = torch.compile(function)
    for _ in range(3):
        for row in ROWS:
            x = torch.tensor(row, requires_grad=True)
            assert run(function, (x,), [x]) == run(compiled, (x,), [x])
    assert 1 == compiled.explain().recordings


def test_a_rectifier_lets_no_infinite_gradient_through_where_it_is_shut() -> None:
    """0 times infinity would be NaN; a gradient of -0 stays where the rectifier is open."""
    compiled = torch.compile(rectified)
    for _ in range(3):
        for row in ROWS:
            x = torch.tensor(row, requires_grad=True)
            scale = torch.tensor([float("inf"), 1.0, -1.0, 0.0, -0.0])
            assert run(rectified, (x, scale), [x]) == run(compiled, (x, scale), [x])
    assert 1 == compiled.explain().recordings


def test_a_softmax_that_is_kept_is_not_written_over() -> None:
    """What a call returned stays as it is when the next call writes its own."""
    compiled = torch.compile(lambda x: torch.softmax(x, 0))
    held = [compiled(torch.tensor([float(n), 1.0, 2.0])) for n in range(12)]
    expected = [torch.softmax(torch.tensor([float(n), 1.0, 2.0]), 0) for n in range(12)]
    assert [each.tolist() for each in expected] == [each.tolist() for each in held]


@pytest.mark.parametrize("count", [1, 2])
def test_one_element_is_not_written_over_itself(count: int) -> None:
    """NumPy takes three times as long for that; several elements go over an operand that is not needed any more."""

    def chain(x: Any) -> Any:
        for _ in range(4):
            x = x * 1.5 - 1.0
        return x.sum()

    compiled = torch.compile(chain)
    x = torch.ones(count, requires_grad=True)
    for _ in range(3):
        assert run(chain, (x,), [x]) == run(compiled, (x,), [x])
    ((root,),) = compiled._roots.values()
    tree, buffers = root.text
    places = [buffers.of[id(step)] for step in tree.steps if id(step) in buffers.of]
    over = sum(a == b for a, b in pairwise(places))
    assert (over == 0) == (count == 1), root.plan[0].text
