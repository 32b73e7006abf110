"""Functions under `compile` inside a batch are one lazy op where the capture finds them pure."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import dyncore as torch
from dyncore.batching import scheduler
from dyncore.capture.function import CompiledFunction
from tests.unit.core.batching.test_semantics import batch, linear, loop, results

printed: list[str] = []


def mixed(x: Any, h: Any, scale: float = 2.0) -> Any:
    gate = torch.sigmoid(linear(x) + h)
    return gate * h + (1 - gate) * torch.tanh(x) * scale


def pair(x: Any) -> Any:
    return x.tanh(), linear(x)


def branching(x: Any) -> Any:
    return x * 2 if x.sum() > 0 else x.exp()


def impure(x: Any) -> Any:
    printed.append("called")
    return linear(x).tanh()


def noisy(x: Any) -> Any:
    return linear(x) + torch.zeros(4).normal_() * 0


def writing(x: Any) -> Any:
    h = linear(x)
    h.mul_(2)
    return h


class Cell(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = linear

    def forward(self, x: Any) -> Any:
        return self.inner(x).relu() + x


FUNCTIONS = {
    "pure": (lambda f: lambda x: f(linear(x), x.tanh() * linear(x)), mixed),
    "by name": (lambda f: lambda x: f(linear(x), h=linear(x), scale=0.5), mixed),
    "several results": (lambda f: lambda x: f(linear(x))[0] * f(linear(x) * 2)[1], pair),
    "branch": (lambda f: lambda x: f(linear(x)), branching),
    "state": (lambda f: lambda x: f(linear(x)), impure),
    "random numbers": (lambda f: lambda x: f(linear(x)), noisy),
    "write": (lambda f: lambda x: f(linear(x)), writing),
    "module": (lambda f: lambda x: f(linear(x)), Cell()),
    "plain tensor": (lambda f: lambda x: f(x) * linear(x), branching),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_function_gives_values_and_gradients_of_the_loop(name):
    model, function = FUNCTIONS[name]
    expected = results(model(function), loop)
    compiled = model(torch.compile(function))
    for _ in range(2):
        found = results(compiled, batch)
        torch.testing.assert_close(found[0], expected[0], rtol=1e-5, atol=1e-5)
        for one, other in zip(found[1], expected[1], strict=True):
            assert one is None and other is None or torch.allclose(one, other, rtol=1e-4, atol=1e-5)


def test_pure_function_runs_once_for_all_examples():
    calls: list[Any] = []

    class Seen:
        def opened(self, group: Any) -> None: ...

        def computed(self, group: Any, together: bool) -> None:
            calls.append((group.signature.name, group.count, together))

    model = FUNCTIONS["pure"][0](torch.compile(mixed))
    scheduler.observer = Seen()
    try:
        batch(model)
    finally:
        scheduler.observer = None
    assert ("mixed", 7, True) in calls


def test_function_that_keeps_state_is_called_for_each_example():
    model = FUNCTIONS["state"][0](torch.compile(impure))
    batch(model)
    printed.clear()
    batch(model)
    assert len(printed) >= 7


def test_calls_are_as_before_when_the_batch_is_over():
    before = CompiledFunction.__call__
    batch(FUNCTIONS["pure"][0](torch.compile(mixed)))
    assert CompiledFunction.__call__ is before


def test_compiled_function_is_freed_after_its_batches() -> None:
    """Batches keep no reference to it."""
    functions = [torch.compile(lambda x: x.tanh() * 2)]
    torch.batched(lambda x: functions[0](linear(x)))([torch.ones(4) for _ in range(4)])
    known = weakref.ref(functions.pop())
    gc.collect()
    assert known() is None


class Scaled:
    factor: Any = None


def test_function_that_reads_what_each_example_binds_anew_equals_loop():
    @torch.compile
    def scaled(x: Any) -> Any:
        return torch.tanh(x * Scaled.factor)

    def model(x: Any) -> Any:
        h = linear(x)
        Scaled.factor = x * 2
        return scaled(h)

    (expected, gradients), (found, made) = results(model, loop), results(model, batch)
    torch.testing.assert_close(torch.stack(found), torch.stack(expected))
    torch.testing.assert_close(made[0], gradients[0])
