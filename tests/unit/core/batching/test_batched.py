"""`batched(model)(examples)` is `[model(example) for example in examples]`, gradients included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.batching import calls, coroutines, modules, run, scheduler
from tests.unit.core.batching.models import MODELS, calls_together, data

BOUNDS = {torch.float32: 1e-5, torch.float64: 1e-12}


def gradients(model: Any, losses: list[Any]) -> dict[str, Any]:
    model.zero_grad()
    torch.stack(losses).sum().backward()
    return {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


def assert_equals_loop(model: Any, examples: list[Any], bound: float, batch: Any = None) -> None:
    losses = [model(example) for example in examples]
    expected = gradients(model, losses)
    found = (batch or torch.batched(model))(examples)
    torch.testing.assert_close(torch.stack(found), torch.stack(losses), rtol=bound, atol=bound)
    actual = gradients(model, found)
    assert actual.keys() == expected.keys()
    size = max(float(gradient.abs().max()) for gradient in expected.values())  # some are zero but for rounding
    for name, gradient in expected.items():
        assert float((actual[name] - gradient).abs().max()) <= bound * size, name


@pytest.mark.parametrize("dtype", BOUNDS, ids=str)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", MODELS)
def test_batch_equals_loop_in_values_and_gradients(name, seed, dtype):
    torch.manual_seed(seed)
    model = MODELS[name](6).to(dtype)
    assert_equals_loop(model, data(5 + 4 * seed, seed), BOUNDS[dtype])


@pytest.mark.parametrize("name", MODELS)
def test_batch_on_threads_equals_loop(name, monkeypatch):
    monkeypatch.setattr(coroutines, "greenlet", None)
    torch.manual_seed(0)
    assert_equals_loop(MODELS[name](6), data(9, 1), 1e-5)


@pytest.mark.parametrize("size", [1, 4, 9, 100])
def test_chunks_equal_loop(size):
    torch.manual_seed(0)
    model = MODELS["tree"](4)
    assert_equals_loop(model, data(9, 2), 1e-5, torch.batched(model, chunk_size=size))


@pytest.mark.parametrize("name", ["tree", "gru", "router"])
def test_equal_ops_run_together(name, monkeypatch):
    """A batch of 16 needs less than a fifth of the ops of the loop; none is computed alone."""
    counts = calls_together(monkeypatch)
    monkeypatch.setattr(scheduler.Scheduler, "apart", lambda *args: pytest.fail("computed alone"))
    torch.batched(MODELS[name](4))(data(16, 3))
    assert len(counts) * 5 < sum(counts)


def test_step_that_nothing_waits_for_runs_once_for_examples_that_end_one_after_the_other(monkeypatch):
    counts = calls_together(monkeypatch, "exp")

    def model(steps: int) -> Any:
        x = torch.ones(2)
        for _ in range(steps):
            x = torch.nn.functional.softplus(linear(x))
            assert x.sum() > 0
        return torch.exp(x)

    linear = torch.nn.Linear(2, 2)
    found = torch.batched(model)([1, 2, 3, 4])
    assert counts == [4]
    torch.testing.assert_close(torch.stack(found), torch.stack([model(steps) for steps in (1, 2, 3, 4)]))


@pytest.mark.parametrize("name", ["tree", "gru"])
def test_second_derivatives_equal_loop(name):
    torch.manual_seed(0)
    model, examples = MODELS[name](3).double(), data(6, 5)

    def penalty(losses: list[Any]) -> list[Any]:
        parameters = list(model.parameters())
        first = torch.autograd.grad(torch.stack(losses).sum(), parameters, create_graph=True, allow_unused=True)
        total = sum((g * g).sum() for g in first if g is not None)
        return [g for g in torch.autograd.grad(total, parameters, allow_unused=True) if g is not None]

    expected = penalty([model(example) for example in examples])
    for found, wanted in zip(penalty(torch.batched(model)(examples)), expected, strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-9, atol=1e-12)


def test_results_keep_their_structure():
    linear = torch.nn.Linear(2, 2)

    def model(example: Any) -> Any:
        h = linear(example)
        return {"h": [h, 3], "s": (h.sum(), "text")}

    examples = [torch.randn(2) for _ in range(4)]
    for example, found in zip(examples, torch.batched(model)(examples), strict=True):
        wanted = model(example)
        assert type(found["h"][0]) is torch.Tensor and found["h"][1] == 3 and found["s"][1] == "text"
        torch.testing.assert_close(found["h"][0], wanted["h"][0])
        torch.testing.assert_close(found["s"][0], wanted["s"][0])


@pytest.mark.parametrize(("name", "most"), [("tree", 1), ("router", 9)])
def test_examples_share_a_coroutine_until_one_waits(name, most, monkeypatch):
    begun = []
    made = scheduler.coroutine
    monkeypatch.setattr(scheduler, "coroutine", lambda body: (begun.append(body), made(body))[1])
    torch.batched(MODELS[name](4))(data(9, 3))
    assert len(begun) == most


def test_greenlet_is_used_again_after_an_example_raised():
    def model(example: Any) -> Any:
        return (example * weight).sum().item() / (example.shape[0] - 2)

    weight = torch.nn.Parameter(torch.ones(1))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            torch.batched(model)([torch.ones(n) for n in (1, 2, 3)])
        assert torch.batched(model)([torch.ones(n) for n in (1, 3, 4)]) == [-1.0, 3.0, 2.0]


def test_few_examples_run_one_after_the_other(monkeypatch):
    monkeypatch.setattr(run, "FEW", 4)
    counts = calls_together(monkeypatch)
    for count in (3, 4):
        assert counts == []
        torch.batched(MODELS["tree"](4))(data(count, 3))
    assert counts != []


def test_search_for_groups_does_not_grow_with_the_number_of_examples(monkeypatch):
    weight, layer, cell = torch.nn.Parameter(torch.randn(4, 4)), torch.nn.Linear(4, 4), torch.nn.GRUCell(4, 4)
    searched = []
    search = calls.join

    def counted(scheduler: Any, op: Any, *args: Any) -> Any:
        searched.append(op.name)
        return search(scheduler, op, *args)

    def model(number: int) -> Any:
        h = torch.sigmoid(layer(weight[number % 4]))
        for _ in range(3):
            h = cell(h @ weight.t(), h) + 1.0 / h - h[:2].sum()
        return h.sum()

    monkeypatch.setattr(calls, "join", counted)
    torch.batched(model)(range(4))
    of_four = len(searched)
    searched.clear()
    torch.batched(model)(range(40))
    assert 20 < of_four and len(searched) <= 2 * of_four, searched  # groups may run once before their time


def test_batch_of_nothing_is_empty():
    assert torch.batched(lambda example: example)([]) == []


@pytest.mark.parametrize("size", [0, -1, 1.5])
def test_chunk_size_that_is_no_positive_integer_is_refused(size):
    with pytest.raises(ValueError, match="chunk_size should be None or greater than 0"):
        torch.batched(lambda example: example, chunk_size=size)


SEEDS = [*range(16), *[pytest.param(seed, marks=pytest.mark.whole) for seed in range(16, 160)]]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_batch_equals_loop(seed, monkeypatch):
    """Each seed is a family in turn, then the other dtype, with a random size and a random number of examples.

    Every other seed has modules that become one step after a few calls.
    """
    monkeypatch.setattr(modules, "WARM", 5 if seed % 2 else modules.WARM)
    name, dtype = list(MODELS)[seed % len(MODELS)], list(BOUNDS)[seed // len(MODELS) % 2]
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    model = MODELS[name](int(random.integers(2, 20))).to(dtype)
    assert_equals_loop(model, data(int(random.integers(3, 25)), seed), BOUNDS[dtype])


@pytest.mark.parametrize("kind", ["RNNCell", "GRUCell", "LSTMCell"])
def test_cell_on_rows_of_each_example_runs_once_for_all_examples(kind, monkeypatch):
    counts = calls_together(monkeypatch, "step")
    monkeypatch.setattr(scheduler.Scheduler, "apart", lambda *args: pytest.fail("computed alone"))
    cell, examples = getattr(torch.nn, kind)(2, 3), [torch.randn(4, 2) for _ in range(5)]

    def model(example: Any) -> Any:
        made = cell(example * 2)
        return made[0] if isinstance(made, tuple) else made

    found = torch.batched(model)(examples)
    assert counts == [5]
    torch.testing.assert_close(found, [model(example) for example in examples])
