"""What ops make lies in memory as PyTorch's lies, so that `.view` works where it works there."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

import dyncore

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

# Of x, which lies transposed, and y, which lies so too.
MADE = [
    "x.erf()", "x.erfinv()", "x.erfc()", "t.polygamma(1, x)", "x.digamma()", "x.flip(0)", "x.fliplr()",
    "x.flip((0, 1))", "x.sort(0).values", "x.sort(1).indices", "x.msort()", "t.complex(x, y)", "t.igamma(x, y)",
    "t.igammac(x, y)", "t.igamma(x[0], y)", "t.nn.functional.gelu(x)", "t.nn.functional.gelu(x, approximate='tanh')",
    "x.int().round()", "x.index_fill(0, t.tensor([1]), 2.0)", "x.put(t.tensor([1, 3]), t.tensor([5.0, 6.0]))",
    "t.complex(x, y).angle()", "t.view_as_complex(t.stack([x, y], -1)).angle()",
]  # fmt: skip


@needs_torch
@pytest.mark.parametrize("expression", MADE)
def test_results_lie_as_those_of_pytorch(expression: str) -> None:
    """Strides of what is made from transposed tensors, and the values."""
    import torch

    found: list[Any] = []
    for t in (torch, dyncore):
        x = (t.arange(12.0).reshape(3, 4) / 13 + 0.02).t()
        made = eval(expression, {"t": t, "x": x, "y": x * 1.5})
        found.append((made.stride(), tuple(made.shape), made.tolist()))
    assert found[0][:2] == found[1][:2]
    assert dyncore.tensor(found[0][2]).allclose(dyncore.tensor(found[1][2]), 1e-4, 1e-5)


def test_flipped_columns_can_be_viewed_as_they_lie() -> None:
    """A flip keeps the order of the dimensions in memory."""
    flipped = dyncore.arange(6.0).reshape(2, 3).t().flip(0)
    assert [2.0, 1.0, 0.0, 5.0, 4.0, 3.0] == flipped.t().view(-1).tolist()
