"""Optimizers and schedules against PyTorch's of the same name: text, steps, state, learning rates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore
from tests.parity.optim.schedules import SCHEDULES

torch = pytest.importorskip("torch")

OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "maximize": True}),
    ("Adam", {}),
    ("Adam", {"amsgrad": True, "weight_decay": 0.1, "lr": 0.1}),
    ("AdamW", {"lr": 0.1, "betas": (0.8, 0.9)}),
    ("RMSprop", {}),
    ("RMSprop", {"centered": True, "momentum": 0.5, "weight_decay": 0.1}),
    ("Adagrad", {"lr_decay": 0.1, "initial_accumulator_value": 0.2}),
    ("Adadelta", {"weight_decay": 0.1}),
    ("Adamax", {"weight_decay": 0.1}),
    ("NAdam", {"weight_decay": 0.1}),
    ("NAdam", {"decoupled_weight_decay": True, "weight_decay": 0.1}),
    ("RAdam", {"weight_decay": 0.1}),
    ("ASGD", {"t0": 3, "weight_decay": 0.1}),
    ("Rprop", {}),
    ("Adafactor", {"weight_decay": 0.1}),
    ("Adafactor", {"lr": 0.1, "d": 1.5, "eps": (1e-8, 1e-2), "maximize": True}),
    ("LBFGS", {"max_iter": 4}),
    ("LBFGS", {"line_search_fn": "strong_wolfe", "history_size": 3}),
]


def fitted(engine: Any, name: str, options: dict[str, Any], steps: int) -> tuple[Any, Any]:
    """An optimizer after some steps on a bent valley, and its parameter."""
    start = np.array([[-1.2, 1.0], [0.7, -0.4], [2.0, 0.1]], "float32")
    weight = engine.nn.Parameter(engine.tensor(start))
    optimizer = getattr(engine.optim, name)([weight], **options)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = ((1 - weight[:, 0]) ** 2 + 3 * (weight[:, 1] - weight[:, 0] ** 2) ** 2).sum()
        loss.backward()
        return loss

    for _ in range(steps):
        optimizer.step(closure)
    return optimizer, weight


@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
def test_an_optimizer_steps_as_pytorchs(name: str, options: dict[str, Any]) -> None:
    """Same text, same weights after some steps, same state under the same names."""
    theirs, expected = fitted(torch, name, options, 6)
    ours, found = fitted(dyncore, name, options, 6)
    assert repr(theirs) == repr(ours)
    np.testing.assert_allclose(found.detach().numpy(), expected.detach().numpy(), rtol=1e-4, atol=1e-5)
    wanted, given = theirs.state_dict(), ours.state_dict()
    assert wanted["param_groups"] == given["param_groups"]
    assert {key: list(value) for key, value in wanted["state"].items()} == {
        key: list(value) for key, value in given["state"].items()
    }
    for key, value in wanted["state"].get(0, {}).items():
        if isinstance(value, torch.Tensor) and value.ndim:
            # Near the minimum the gradients that L-BFGS keeps are mostly rounding.
            close = 1e-3 if name == "LBFGS" else 1e-5
            np.testing.assert_allclose(given["state"][0][key].numpy(), value.numpy(), rtol=2e-3, atol=close)


@pytest.mark.parametrize(("name", "options"), [each for each in OPTIMIZERS if each[0] != "LBFGS"])
def test_a_loaded_state_goes_on_as_before(name: str, options: dict[str, Any]) -> None:
    """Six steps are three steps, a saved and loaded state, and three more."""
    _, expected = fitted(dyncore, name, options, 6)
    first, weight = fitted(dyncore, name, options, 3)
    other = dyncore.nn.Parameter(weight.detach().clone())
    second = getattr(dyncore.optim, name)([other], **options)
    second.load_state_dict(first.state_dict())
    for _ in range(3):
        second.zero_grad()
        ((1 - other[:, 0]) ** 2 + 3 * (other[:, 1] - other[:, 0] ** 2) ** 2).sum().backward()
        second.step()
    np.testing.assert_array_equal(expected.detach().numpy(), other.detach().numpy())


def rates(engine: Any, build: Any, steps: int = 11) -> list[Any]:
    """Learning rate and momentum at every step."""
    optimizer = engine.optim.SGD([engine.nn.Parameter(engine.ones(2))], lr=0.2, momentum=0.9)
    scheduler = build(engine.optim.lr_scheduler, optimizer)
    seen = []
    for number in range(steps):
        optimizer.step()
        group = optimizer.param_groups[0]
        seen.append((float(group["lr"]), group["momentum"], *map(float, scheduler.get_last_lr())))
        if type(scheduler).__name__ == "ReduceLROnPlateau":
            scheduler.step([5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3][number])
        else:
            scheduler.step()
    return seen


@pytest.mark.parametrize(("name", "options"), SCHEDULES)
def test_a_schedule_is_pytorchs(name: str, options: dict[str, Any]) -> None:
    """Same learning rates and momenta, step by step."""

    def build(module: Any, optimizer: Any) -> Any:
        return getattr(module, name)(optimizer, **options)

    np.testing.assert_allclose(rates(dyncore, build), rates(torch, build), rtol=1e-12)


@pytest.mark.parametrize(("name", "options"), SCHEDULES)
@pytest.mark.filterwarnings("ignore:The epoch parameter in `scheduler.step")
def test_schedule_that_jumps_to_an_epoch_is_pytorchs(name: str, options: dict[str, Any]) -> None:
    """Same learning rates after `step(epoch)`, forwards and backwards: the closed forms where there are any."""
    found: list[list[Any]] = []
    for engine in (torch, dyncore):
        optimizer = engine.optim.SGD([engine.nn.Parameter(engine.ones(2))], lr=0.2, momentum=0.9)
        scheduler = getattr(engine.optim.lr_scheduler, name)(optimizer, **options)
        optimizer.step()
        seen = []
        for epoch in (1, 6, 3, 9, 4, 2):
            scheduler.step(epoch)
            seen.append((scheduler.last_epoch, float(optimizer.param_groups[0]["lr"])))
        found.append(seen)
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)


def test_a_plateau_lowers_the_rate_as_pytorchs() -> None:
    """Two epochs without progress halve the rate, one epoch of cooldown does not count."""

    def build(module: Any, optimizer: Any) -> Any:
        return module.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, cooldown=1, min_lr=0.06)

    np.testing.assert_allclose(rates(dyncore, build), rates(torch, build), rtol=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_schedules_made_of_others_are_pytorchs() -> None:
    """SequentialLR and ChainedScheduler."""

    def sequential(module: Any, optimizer: Any) -> Any:
        first = module.ConstantLR(optimizer, 0.1, 3)
        return module.SequentialLR(optimizer, [first, module.ExponentialLR(optimizer, 0.9)], [4])

    def chained(module: Any, optimizer: Any) -> Any:
        return module.ChainedScheduler([module.ConstantLR(optimizer, 0.1, 3), module.ExponentialLR(optimizer, 0.9)])

    for build in (sequential, chained):
        np.testing.assert_allclose(rates(dyncore, build), rates(torch, build), rtol=1e-12)


@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_parameter_may_be_one_number_or_none(name: str, options: dict[str, Any], dtype: str) -> None:
    """A temperature, a threshold: parameters without dimensions, with one element and with no element."""
    found = []
    for engine in (torch, dyncore):
        kind = getattr(engine, dtype)
        shapes = [0.5, [1.5], [[1.0, 2.0], [3.0, 0.25]]] + [[]] * (name != "Adafactor")  # which divides by the size
        weights = [engine.nn.Parameter(engine.tensor(value, dtype=kind)) for value in shapes]
        optimizer = getattr(engine.optim, name)(weights, **options)

        def closure(engine: Any = engine, weights: Any = weights, optimizer: Any = optimizer) -> Any:
            optimizer.zero_grad()
            loss = sum(((each - 1).square().sum() + 1).log() * (number + 1) for number, each in enumerate(weights))
            loss.backward()
            return loss

        for _ in range(4):
            optimizer.step(closure)
        found.append([each.detach().numpy() for each in weights])
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-6)
