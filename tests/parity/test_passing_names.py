"""Names that scripts use in passing: samplers of several processes, random tensors for tests, switches, questions."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")
KINDS = ("float32", "float64", "complex64", "int64", "uint8", "bool")


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("options", [{}, {"low": 1, "high": 5}, {"exclude_zero": True}, {"noncontiguous": True}])
def test_made_tensors_are_pytorchs(dtype: str, options: dict[str, Any]) -> None:
    """The same numbers for a seed, in the same layout."""
    if dtype == "bool" and "low" in options:
        options = {"low": 0, "high": 2}
    found = []
    for engine in (torch, dyncore):
        make = importlib.import_module(f"{engine.__name__}.testing").make_tensor
        engine.manual_seed(5)
        made = make((3, 4), dtype=getattr(engine, dtype), device="cpu", **options)
        found.append((made.numpy(), made.stride(), str(made.dtype)))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-6)
    assert found[0][1:] == found[1][1:]


@pytest.mark.parametrize("options", [{}, {"shuffle": False}, {"drop_last": True}, {"seed": 3}])
@pytest.mark.parametrize("size", [1, 7, 8])
def test_distributed_samplers_share_the_indices_as_pytorchs(size: int, options: dict[str, Any]) -> None:
    """The same indices for each of three processes, in two epochs."""
    lists = []
    for engine in (torch, dyncore):
        data = importlib.import_module(f"{engine.__name__}.utils.data")
        found = []
        for rank in range(3):
            sampler = data.DistributedSampler(range(size), num_replicas=3, rank=rank, **options)
            for epoch in range(2):
                sampler.set_epoch(epoch)
                found.append((list(sampler), len(sampler)))
        lists.append(found)
    assert lists[0] == lists[1]


def test_questions_have_pytorchs_answers() -> None:
    """Autocast is off, nothing is distributed, algorithms are what was asked for, old files are where they were."""
    for engine in (torch, dyncore):
        assert not engine.is_autocast_enabled() and not engine.is_autocast_enabled("cpu")
        assert engine.get_autocast_dtype("cuda") is engine.float16
        engine.set_deterministic_debug_mode("warn")
        assert 1 == engine.get_deterministic_debug_mode() and engine.are_deterministic_algorithms_enabled()
        engine.set_deterministic_debug_mode(0)
        assert 0 == engine.get_deterministic_debug_mode()
        with pytest.raises(RuntimeError, match="invalid value of debug_mode, expected 0, 1, or 2, but got 7"):
            engine.set_deterministic_debug_mode(7)
        t = engine.ones(2, 3, 4).permute(2, 0, 1)
        assert ((1, 2, 0), 3, 0) == (t.dim_order(), t.dense_dim(), t.sparse_dim())
        assert not (t.is_xla or t.is_xpu or t.is_sparse_csr)
        assert importlib.import_module(f"{engine.__name__}.utils.data.dataloader").DataLoader
        assert importlib.import_module(f"{engine.__name__}.autograd.variable").Variable
        with engine.cuda.device(-1):
            assert 0 == engine.cuda.memory_allocated()
    assert not dyncore.distributed.is_available() and not dyncore.distributed.is_initialized()
    with pytest.raises(ValueError, match="^Default process group has not been initialized") as error:
        dyncore.distributed.get_rank()
    hint = "hint: everything runs in one process here; ask `torch.distributed.is_available()` first"
    assert [hint] == error.value.__notes__


def test_states_of_several_models_are_stacked() -> None:
    """For `vmap` over an ensemble, as in PyTorch."""
    results = []
    for engine in (torch, dyncore):
        engine.manual_seed(2)
        models = [engine.nn.Sequential(engine.nn.Linear(2, 3), engine.nn.BatchNorm1d(3)) for _ in range(4)]
        for model in models:
            model.eval()
        parameters, buffers = engine.func.stack_module_state(models)

        def call(p: Any, b: Any, x: Any, engine: Any = engine, model: Any = models[0]) -> Any:
            return engine.func.functional_call(model, (p, b), (x,))

        found = engine.vmap(call, in_dims=(0, 0, None))(parameters, buffers, engine.ones(5, 2))
        results.append(({k: (tuple(v.shape), v.requires_grad) for k, v in parameters.items()}, list(buffers), found))
        with pytest.raises(RuntimeError, match="Expected at least one model, got 0"):
            engine.func.stack_module_state([])
    assert results[0][:2] == results[1][:2]
    np.testing.assert_allclose(results[1][2].detach().numpy(), results[0][2].detach().numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    "expression",
    [
        "e.add(2, x)", "e.add(2, x, alpha=3)", "e.sub(2, x)", "e.div(2, x)", "e.div(2, x, rounding_mode='floor')",
        "e.mul(2, e.tensor(3))", "e.sub(2.5, i)", "e.mul(2.5, i)", "e.bitwise_and(1, i)", "e.bitwise_left_shift(1, i)",
        "e.floor_divide(7, i)", "e.mul(2j, x)", "e.true_divide(1, i)", "e.autograd.grad(e.div(2, x).sum(), x)",
        "e.autograd.grad(e.sub(2, x).sum(), x, create_graph=True)",
    ],
)  # fmt: skip
def test_a_number_may_come_first(expression: str) -> None:
    """`torch.mul(2, x)` is what PyTorch makes of it."""
    found = []
    for engine in (torch, dyncore):
        x, i = engine.tensor([1.0, 2.0], requires_grad=True), engine.tensor([3, 1])
        found.append(repr(eval(expression, {"e": engine, "x": x, "i": i})))
    assert found[0] == found[1]
    with pytest.raises(TypeError, match="argument 'input' \\(position 1\\) must be Tensor, not int"):
        dyncore.maximum(2, dyncore.ones(1))
