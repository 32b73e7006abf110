"""Muon, averaged models and their learning rates against PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore
import dyncore.optim.swa_utils

torch = pytest.importorskip("torch")
pytest.importorskip("torch.optim.swa_utils")


@pytest.mark.parametrize("options", [{}, {"nesterov": False, "adjust_lr_fn": "match_rms_adamw", "lr": 0.1}])
def test_muon_steps_as_pytorchs(options: dict[str, Any]) -> None:
    """To the precision of bfloat16, in which its steps are made orthogonal."""
    found = []
    for engine in (torch, dyncore):
        weight = engine.nn.Parameter(engine.tensor(np.arange(12.0, dtype="float32").reshape(4, 3) / 7))
        optimizer = engine.optim.Muon([weight], **options)
        for _ in range(4):
            optimizer.zero_grad()
            ((weight - 1) ** 3).sum().backward()
            optimizer.step()
        found.append((repr(optimizer), weight.detach().numpy()))
    assert found[0][0] == found[1][0]
    np.testing.assert_allclose(found[1][1], found[0][1], rtol=2e-2, atol=2e-3)


def test_muon_takes_matrices_alone() -> None:
    message = "^Muon only supports 2D parameters whereas we found a parameter with size: torch.Size\\(\\[2\\]\\)$"
    with pytest.raises(ValueError, match=message):
        dyncore.optim.Muon([dyncore.ones(2, requires_grad=True)])


@pytest.mark.parametrize("kind", ["mean", "moving", "both"])
def test_averaged_models_follow_pytorchs(kind: str) -> None:
    """The mean of the weights, a moving average, and one of lists that covers buffers."""
    found = []
    for engine in (torch, dyncore):
        utils = engine.optim.swa_utils
        options = {
            "mean": {},
            "moving": {"avg_fn": utils.get_ema_avg_fn(0.9)},
            "both": {"multi_avg_fn": utils.get_ema_multi_avg_fn(0.8), "use_buffers": True},
        }[kind]
        engine.manual_seed(0)
        model = engine.nn.Sequential(engine.nn.Linear(2, 3), engine.nn.BatchNorm1d(3))
        averaged = utils.AveragedModel(model, **options)
        optimizer = engine.optim.SGD(model.parameters(), lr=0.1)
        schedule = utils.SWALR(optimizer, swa_lr=0.05, anneal_epochs=3)
        rates = []
        for _ in range(5):
            optimizer.zero_grad()
            (model(engine.randn(4, 2)) - 1).pow(2).mean().backward()
            optimizer.step()
            averaged.update_parameters(model)
            schedule.step()
            rates.append(schedule.get_last_lr()[0])
        utils.update_bn([engine.ones(4, 2), engine.randn(4, 2)], averaged)
        found.append((list(averaged.state_dict()), [v.numpy() for v in averaged.state_dict().values()], rates))
    assert found[0][0] == found[1][0]
    np.testing.assert_allclose(found[1][2], found[0][2])
    for expected, actual in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)
