"""Numbers of a class of the user's, such as an `IntEnum`'s, are numbers to tensors as Python's own are."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import pytest

import dyncore as torch


class Label(enum.IntEnum):
    CAT = 1
    DOG = 2


class Metres(float):
    pass


CALLS: list[Callable[[Any, Any], Any]] = [
    lambda x, n: x == n, lambda x, n: n < x, lambda x, n: x * n, lambda x, n: n / x, lambda x, n: x**n,
    lambda x, n: x.clamp(max=n), lambda x, n: torch.where(x > 1, x, n), lambda x, n: x.detach().clone().add_(n),
    lambda x, n: torch.full((2,), n), lambda x, n: torch.tensor([[n, n]]),
    lambda x, n: torch.maximum(x, torch.tensor(n)),
]  # fmt: skip


@pytest.mark.parametrize(("number", "plain"), [(Label.DOG, 2), (Metres(2.5), 2.5)], ids=["int", "float"])
@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_as_the_number_it_is(call: Callable[[Any, Any], Any], number: Any, plain: Any) -> None:
    """The same values, dtypes and gradients."""
    found = []
    for each in (number, plain):
        x = torch.tensor([1.0, 3.0], requires_grad=True)
        made = call(x, each)
        if made.requires_grad:
            made.sum().backward()
        found.append((made.tolist(), made.dtype, None if x.grad is None else x.grad.tolist()))
    assert found[0] == found[1]
