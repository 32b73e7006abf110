"""Optimizers and learning rates after a few steps, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("StepLR", {"step_size": 3, "gamma": 0.5}, {0: 0.8, 2: 0.8, 3: 0.4, 5: 0.4, 6: 0.2, 10: 0.1}),
        ("MultiStepLR", {"milestones": [2, 5], "gamma": 0.5}, {0: 0.8, 1: 0.8, 2: 0.4, 4: 0.4, 5: 0.2, 9: 0.2}),
        ("ExponentialLR", {"gamma": 0.5}, {0: 0.8, 1: 0.4, 3: 0.1}),
        ("ConstantLR", {"factor": 0.25, "total_iters": 3}, {0: 0.2, 2: 0.2, 3: 0.8, 7: 0.8}),
        ("LinearLR", {"start_factor": 0.5, "total_iters": 4}, {0: 0.4, 1: 0.5, 2: 0.6, 4: 0.8, 9: 0.8}),
        ("PolynomialLR", {"total_iters": 4, "power": 2.0}, {0: 0.8, 2: 0.2, 4: 0.0, 6: 0.0}),
        ("CosineAnnealingLR", {"T_max": 4, "eta_min": 0.2}, {0: 0.8, 2: 0.5, 4: 0.2, 8: 0.8}),
    ],
)
@pytest.mark.filterwarnings("ignore:The epoch parameter in `scheduler.step")
def test_step_to_an_epoch_sets_its_rate(name: str, options: dict[str, Any], expected: dict[int, float]) -> None:
    """In any order: a closed form depends on the epoch alone."""
    optimizer = dyncore.optim.SGD([dyncore.nn.Parameter(dyncore.ones(2))], lr=0.8)
    scheduler = getattr(dyncore.optim.lr_scheduler, name)(optimizer, **options)
    optimizer.step()
    for epoch in [*expected, *reversed(expected)]:
        scheduler.step(epoch)
        assert pytest.approx(expected[epoch]) == optimizer.param_groups[0]["lr"], epoch


@pytest.mark.parametrize(
    ("options", "measures", "rates"),
    [
        ({"threshold_mode": "abs", "threshold": 0.5}, [1.0, 0.6, 0.4, 0.0], [1.0, 0.5, 0.5, 0.25]),
        ({"threshold_mode": "abs", "threshold": 0.5, "mode": "max"}, [1.0, 1.4, 1.6, 2.0], [1.0, 0.5, 0.5, 0.25]),
        ({"threshold_mode": "rel", "threshold": 0.5}, [1.0, 0.6, 0.4, 0.3], [1.0, 0.5, 0.5, 0.25]),
        ({"threshold_mode": "rel", "threshold": 0.5, "mode": "max"}, [1.0, 1.4, 1.6, 2.0], [1.0, 0.5, 0.5, 0.25]),
    ],
)
def test_plateau_asks_for_more_than_the_threshold(
    options: dict[str, Any], measures: list[float], rates: list[float]
) -> None:
    """An improvement by less than the threshold is none; the next is measured from the best that counted."""
    optimizer = dyncore.optim.SGD([dyncore.nn.Parameter(dyncore.ones(2))], lr=1.0)
    scheduler = dyncore.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0, **options)
    found = []
    for measure in measures:
        scheduler.step(measure)
        found.append(optimizer.param_groups[0]["lr"])
    assert rates == found


def test_adam_steps_from_a_checkpoint_older_than_decoupled_weight_decay() -> None:
    x = dyncore.ones(1, requires_grad=True)
    optimizer = dyncore.optim.Adam([x], lr=0.5)
    saved = optimizer.state_dict()
    del saved["param_groups"][0]["decoupled_weight_decay"]
    optimizer.load_state_dict(saved)
    x.grad = dyncore.ones(1)
    optimizer.step()
    assert x.item() == pytest.approx(0.5, rel=1e-6)
