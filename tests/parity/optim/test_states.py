"""State dicts of schedules, groups in the text, hooks around loading, and SparseAdam, against PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore
from tests.parity.optim.schedules import SCHEDULES

torch = pytest.importorskip("torch")


def two_groups(engine: Any) -> Any:
    """SGD with a group of its own rate."""
    parameters = [engine.nn.Parameter(engine.ones(2)) for _ in range(2)]
    return engine.optim.SGD([{"params": parameters[:1]}, {"params": parameters[1:], "lr": 0.3}], lr=0.1, momentum=0.9)


def test_the_text_of_several_groups_is_pytorchs() -> None:
    """A blank line between groups."""
    assert repr(two_groups(torch)) == repr(two_groups(dyncore))


def scheduled(engine: Any, name: str, options: dict[str, Any]) -> list[Any]:
    optimizer = two_groups(engine)
    schedules = engine.optim.lr_scheduler
    if name == "SequentialLR":
        parts = [schedules.ConstantLR(optimizer, 0.5), schedules.ExponentialLR(optimizer, 0.9)]
        scheduler = schedules.SequentialLR(optimizer, parts, [2])
    else:
        scheduler = getattr(schedules, name)(optimizer, **options)
    for _ in range(5):
        optimizer.step()
        scheduler.step(*([1.0] if name == "ReduceLROnPlateau" else []))
    return list(scheduler.state_dict().items())


@pytest.mark.parametrize(
    ("name", "options"),
    [*SCHEDULES, ("ReduceLROnPlateau", {"patience": 1, "mode": "max", "min_lr": 0.01}), ("SequentialLR", {})],
)
def test_the_state_of_a_schedule_is_pytorchs(name: str, options: dict[str, Any]) -> None:
    """The same keys in the same order, the same values, so that either loads the other's."""
    assert scheduled(torch, name, options) == scheduled(dyncore, name, options)


def test_rates_asked_for_by_the_wrong_name_are_warned_of() -> None:
    """`get_lr()` is for `step`; `step(epoch)` is the old way."""
    optimizer = two_groups(dyncore)
    scheduler = dyncore.optim.lr_scheduler.StepLR(optimizer, 3)
    optimizer.step()
    with pytest.warns(UserWarning, match="please use `get_last_lr\\(\\)`"):
        scheduler.get_lr()
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step\\(\\)` was not necessary"):
        scheduler.step(4)


def test_hooks_around_state_dicts() -> None:
    """Before and after saving and loading, the first one first."""
    optimizer = two_groups(dyncore)
    seen: list[str] = []
    optimizer.register_state_dict_pre_hook(lambda which: seen.append("second"))
    optimizer.register_state_dict_pre_hook(lambda which: seen.append("first"), prepend=True)
    handle = optimizer.register_state_dict_post_hook(lambda which, state: {**state, "more": 1})
    optimizer.register_load_state_dict_pre_hook(lambda which, state: seen.append(f"loads {state['more']}"))
    optimizer.register_load_state_dict_post_hook(lambda which: seen.append("loaded"))
    optimizer.load_state_dict(optimizer.state_dict())
    assert ["first", "second", "loads 1", "loaded"] == seen
    handle.remove()
    assert "more" not in optimizer.state_dict()


@pytest.mark.parametrize("maximize", [False, True])
def test_sparse_adam_moves_the_rows_that_were_used(maximize: bool) -> None:
    """The same table as PyTorch's after steps that touch other rows each time."""
    tables = []
    for engine in (torch, dyncore):
        table = engine.nn.Embedding(6, 3, sparse=True)
        with engine.no_grad():
            table.weight.copy_(engine.tensor(np.sin(np.arange(18.0)).reshape(6, 3)))
        optimizer = engine.optim.SparseAdam(table.parameters(), lr=0.1, maximize=maximize)
        for rows in ([0, 1, 1], [4], [1, 4, 5], [0]):
            optimizer.zero_grad()
            (table(engine.tensor(rows)) ** 2).sum().backward()
            optimizer.step()
        state = optimizer.state_dict()["state"][0]
        tables.append([table.weight.detach().numpy(), state["exp_avg"].numpy(), list(state), state["step"]])
    np.testing.assert_allclose(tables[1][0], tables[0][0], rtol=1e-5)
    np.testing.assert_allclose(tables[1][1], tables[0][1], rtol=1e-5)
    assert tables[0][2:] == tables[1][2:]
    assert repr(torch.optim.SparseAdam([torch.ones(1)])) == repr(dyncore.optim.SparseAdam([dyncore.ones(1)]))


def carried_on(engine: Any) -> Any:
    """The velocity in a state dict after the optimizer that loaded it has gone on."""
    optimizer = two_groups(engine)
    for turn in range(2):
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.grad = engine.ones(2)
        optimizer.step()
        if not turn:
            given, optimizer = optimizer.state_dict(), two_groups(engine)
            optimizer.load_state_dict(given)
    return [entry["momentum_buffer"].tolist() for entry in given["state"].values()]


def test_a_loaded_state_is_the_one_that_was_given() -> None:
    """No copy: an optimizer that goes on writes into the state dict it was loaded from."""
    assert carried_on(torch) == carried_on(dyncore)


def test_a_cycle_keeps_its_momenta_in_the_groups() -> None:
    """`base_momentum` and `max_momentum`, as other schedules keep theirs."""

    def kept(engine: Any) -> Any:
        optimizer = two_groups(engine)
        engine.optim.lr_scheduler.CyclicLR(optimizer, 0.1, 0.2)
        return [(group["base_momentum"], group["max_momentum"]) for group in optimizer.param_groups]

    assert kept(torch) == kept(dyncore)


@pytest.mark.parametrize("name", ["Adam", "ASGD", "NAdam", "RAdam", "Rprop", "Adagrad", "Adafactor"])
def test_step_counts_have_the_default_dtype(name: str) -> None:
    """Where float64 is the default, the count of steps is float64, as PyTorch keeps it."""
    found = []
    for engine in (torch, dyncore):
        before = engine.get_default_dtype()
        engine.set_default_dtype(engine.float64)
        try:
            parameter = engine.nn.Parameter(engine.ones(2))
            optimizer = getattr(engine.optim, name)([parameter], lr=0.1)
            for _ in range(2):
                parameter.grad = engine.full((2,), 0.5)
                optimizer.step()
        finally:
            engine.set_default_dtype(before)
        state = optimizer.state_dict()["state"][0]
        found.append({key: repr(value) for key, value in state.items()})
    assert found[0] == found[1]
