"""The ops that decide: at a point 0.25 beside its edge each is right, and says how far away that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dyncli
import dyncore as torch

functional = torch.nn.functional


def pair(x):
    """Return two values that cross where x is 1."""
    return torch.stack([x, 2 * x - 1])


@pytest.mark.parametrize(
    ("function", "edge", "op", "margin"),
    [
        (lambda x: functional.prelu(x, torch.tensor([0.25], dtype=x.dtype)), 0.0, "prelu_kernel", 0.25),
        (lambda x: functional.threshold(x, 1.0, 5.0), 1.0, "threshold", 0.25),
        (lambda x: functional.hardtanh(x, -1.0, 2.0), 2.0, "hardtanh", 0.25),
        (lambda x: functional.softshrink(x, 0.75), -0.75, "softshrink", -0.25),
        (lambda x: x.clamp(min=1.0), 1.0, "clamp", 0.25),
        (lambda x: torch.clamp_max(x, 1.0), 1.0, "clamp_max", 0.25),
        (lambda x: (2 * x).clamp_(max=2.0), 1.0, "clamp", 0.5),
        (lambda x: (x * 1).relu_(), 0.0, "relu", 0.25),
        (lambda x: torch.max(x, 2 * x - 1), 1.0, "max", -0.25),
        (lambda x: torch.min(x, other=2 * x - 1), 1.0, "min", 0.25),
        (lambda x: torch.fmax(x, 2 * x - 1), 1.0, "fmax", -0.25),
        (lambda x: pair(x).amax(0), 1.0, "amax", 0.25),
        (lambda x: pair(x).amax(), 1.0, "amax", 0.25),
        (lambda x: torch.stack([pair(x), 4 - pair(x)]).amax((0,), keepdim=True)[0, 0], 2.0, "amax", 0.5),
        (lambda x: pair(x).aminmax(dim=0).max, 1.0, "aminmax", 0.25),
        (lambda x: pair(x).quantile(0.75), 1.0, "quantile", 0.25),
        (lambda x: pair(x).sort(dim=0, descending=True)[0][0], 1.0, "sort", 0.25),
        (lambda x: pair(x).kthvalue(2).values, 1.0, "kthvalue", 0.25),
        (lambda x: x * pair(x).argmax(dim=0), 1.0, "argmax", 0.25),
        (lambda x: x * pair(x).argmin(), 1.0, "argmin", 0.25),
        (lambda x: x * torch.ge(x, other=torch.tensor(1.0, dtype=x.dtype)), 1.0, "ge", 0.25),
        (lambda x: torch.remainder(x, 2.0), 2.0, "remainder", 0.125),
        (lambda x: torch.round(x) + x, 1.5, "round", 0.25),
    ],
)
def test_distance_to_the_edge_of_an_op(function: Callable[[Any], Any], edge: float, op: str, margin: float) -> None:
    """Take each 0.25 above its edge."""
    nearest = dyncli.gradcheck(function, torch.tensor(edge + 0.25)).data.nearest
    assert nearest is not None
    assert (op, margin) == (nearest.place.what, nearest.margin)
    assert pytest.approx(0.25) == nearest.distance


@pytest.mark.parametrize(
    ("function", "at", "verdict", "op"),
    [
        (lambda x: torch.stack([x, 3 + 0 * x]).norm(1), 0.0, "kink", "norm"),
        (lambda x: torch.stack([x, 1 + 0 * x]).norm(float("inf")), 1.0, "kink", "norm"),
        (lambda x: torch.stack([x, 1 + 0 * x]).norm(float("inf")), 1.25, "right", None),
        (lambda x: torch.linalg.vector_norm(torch.stack([x, 3 + 0 * x]), 3), 0.0, "right", None),
        (lambda x: functional.celu(x, 2.0), 0.0, "right", "celu"),
        (lambda x: torch.min(x, other=2 * x - 1), 1.0, "kink", "min"),
    ],
)
def test_verdict_on_the_edge_of_an_op(function: Callable[[Any], Any], at: float, verdict: str, op: str | None) -> None:
    """Take norms at their corners, and where there are none."""
    report = dyncli.gradcheck(function, torch.tensor(at)).data
    assert (verdict, op) == (report.verdict, report.nearest and report.nearest.place.what)
