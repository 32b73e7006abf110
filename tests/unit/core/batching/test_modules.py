"""Modules of the user's inside a batch are one lazy op where the capture finds nothing but ops in them."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore import nn
from dyncore.batching import coroutines, modules, scheduler
from dyncore.nn.calling import Calling

EXAMPLES = [torch.randn(4, generator=torch.Generator().manual_seed(n)) for n in range(7)]
seen: list[Any] = []


class Cell(nn.Module):
    """A step written by hand, with a pair of states."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.gates, self.scale, self.bias = nn.Linear(8, 12), 2.0, nn.Parameter(torch.randn(4))

    def forward(self, x: Any, state: Any) -> Any:
        h, c = state
        i, f, u = self.gates(torch.cat([x, h])).chunk(3)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(u) * self.scale
        return torch.tanh(c + self.bias), c


class Counting(Cell):
    def forward(self, x: Any, state: Any) -> Any:
        self.count = getattr(self, "count", 0) + 1
        return super().forward(x, state)


class Logging(Cell):
    def forward(self, x: Any, state: Any) -> Any:
        seen.append(len(seen))
        return super().forward(x, state)


class Noisy(Cell):
    def forward(self, x: Any, state: Any) -> Any:
        return super().forward(x + torch.randn(4), state)


class Branching(Cell):
    def forward(self, x: Any, state: Any) -> Any:
        return super().forward(x if x.sum() > 0 else -x, state)


class Writing(Cell):
    def forward(self, x: Any, state: Any) -> Any:
        h, c = super().forward(x, state)
        return (h * 1).mul_(2), c


class Derived(Cell):
    """Uses a tensor that is computed from a parameter, which a plan would keep."""

    def forward(self, x: Any, state: Any) -> Any:
        return super().forward(x * self.bias.exp(), state)


IMPURE = (Counting, Logging, Noisy, Branching, Writing, Derived)


@pytest.fixture(autouse=True)
def early(monkeypatch):
    """Judge a module when it was called a few times, also after a test that set hooks on all modules."""
    monkeypatch.setattr(modules, "WARM", 5)
    monkeypatch.setattr(Calling, "_hooked", False)


@pytest.fixture
def groups(monkeypatch) -> list[tuple[Any, int, bool]]:
    """Return the groups as they are computed: name, calls, whether together."""
    found: list[tuple[Any, int, bool]] = []

    class Seen:
        def opened(self, group: Any) -> None: ...

        def computed(self, group: Any, together: bool) -> None:
            found.append((group.signature.name, group.count, together))

    monkeypatch.setattr(scheduler, "observer", Seen())
    return found


def steps(cell: Any) -> Any:
    def model(example: Any) -> Any:
        number, x = example
        state = cell.gates(torch.cat([x, x])).chunk(3)[:2]
        for _ in range(number + 2):
            state = cell(state[0] * 0.5, tuple(state))
        return state[0].sum() + state[1].sum()

    return model


def results(cell: Any, run: Any) -> tuple[Any, list[Any]]:
    torch.manual_seed(3)
    seen.clear()
    cell.zero_grad()
    losses = torch.stack(run(steps(cell), list(enumerate(EXAMPLES))))
    losses.sum().backward()
    return losses.detach(), [p.grad.clone() for p in cell.parameters()]


def loop(model: Any, examples: Any) -> list[Any]:
    return [model(example) for example in examples]


def batch(model: Any, examples: Any) -> list[Any]:
    return list(torch.batched(model)(examples))


def assert_equal(found: Any, expected: Any) -> None:
    torch.testing.assert_close(found[0], expected[0], rtol=1e-5, atol=1e-5)
    for one, other in zip(found[1], expected[1], strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("threads", [False, True])
def test_module_that_is_nothing_but_ops_becomes_one_step(groups, threads, monkeypatch):
    if threads:
        monkeypatch.setattr(coroutines, "greenlet", None)
    cell = Cell()
    expected = results(cell, loop)
    for _ in range(3):
        assert_equal(results(cell, batch), expected)
    groups.clear()
    assert_equal(results(cell, batch), expected)
    assert {name for name, _, _ in groups} >= {"Cell"} and "sigmoid" not in {name for name, _, _ in groups}
    assert sum(count for name, count, _ in groups if name == "Cell") == sum(range(2, 9))
    assert all(together for _, _, together in groups)


@pytest.mark.parametrize("kind", IMPURE, ids=[kind.__name__ for kind in IMPURE])
def test_module_that_does_more_than_ops_stays_as_it_is(groups, kind):
    cell, apart = kind(), kind()
    for _ in range(3):
        if kind is Noisy:
            results(cell, batch)  # its numbers are the loop's until it is recorded, and after that
            continue
        expected, log = results(apart, loop), list(seen)
        assert_equal(results(cell, batch), expected)
        assert seen == log
    assert kind.__name__ not in {name for name, _, _ in groups}
    if kind is Counting:
        assert cell.count == apart.count


def test_attribute_that_changes_between_calls_is_the_one_of_the_call():
    def model(example: Any) -> Any:
        _, x = example
        h = cell.gates(torch.cat([x, x])).chunk(3)
        total = 0
        for scale in (0.5, 2.0, 3.0):
            cell.scale = scale
            total = total + cell(h[0], (h[1], h[2]))[0].sum()
        return total

    cell = Cell()
    expected = torch.stack(loop(model, list(enumerate(EXAMPLES))))
    for _ in range(4):
        torch.testing.assert_close(torch.stack(batch(model, list(enumerate(EXAMPLES)))), expected)


def test_parameters_that_a_step_of_training_changed_are_read_anew():
    cell, apart = Cell(), Cell()
    for _ in range(4):
        assert_equal(results(cell, batch), results(apart, loop))
        for each in (cell, apart):
            torch.optim.SGD(each.parameters(), 0.1).step()


def test_hook_that_is_registered_later_is_called_for_each_call():
    cell = Cell()
    for _ in range(2):
        results(cell, batch)
    calls: list[int] = []
    cell.register_forward_hook(lambda module, args, made: calls.append(1))
    results(cell, batch)
    assert len(calls) == sum(range(2, 9))
    cell.gates.register_forward_hook(lambda module, args, made: calls.append(2))
    calls.clear()
    results(cell, batch)
    assert calls.count(2) == sum(range(2, 9)) + 7


def test_module_that_was_judged_is_freed_with_its_model():
    import gc
    import weakref

    cell = Cell()
    for _ in range(2):
        results(cell, batch)
    assert cell._modules.judged.plans
    gone = weakref.ref(cell)
    del cell
    gc.collect()
    assert gone() is None
