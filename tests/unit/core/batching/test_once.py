"""`vmap` calls its function once where all ops have rules, and once for each slice where one has none."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.batching import slices
from dyncore.nn import functional as F

linear = torch.nn.Linear(4, 3)
rows = torch.randn(5, 4, generator=torch.Generator().manual_seed(0))
matrices = torch.randn(5, 2, 4, generator=torch.Generator().manual_seed(1))
weight = torch.nn.Parameter(torch.randn(3, 4, generator=torch.Generator().manual_seed(2)))
kept: list[Any] = []

TOGETHER = {
    "elementwise": (lambda x: x.tanh() * 2 + 1, (rows,)),
    "layer": (lambda x: F.relu(linear(x)).sum(), (rows,)),
    "attention": (lambda m: (m @ m.t() / 2).softmax(-1) @ m, (matrices,)),
    "two arguments": (lambda x, m: m @ x, (rows, matrices)),
    "several results": (lambda x: {"a": x.sum(), "b": [x * 2, x.amax()]}, (rows,)),
    "loss": (lambda x, m: F.mse_loss(x, m.sum(0)), (rows, matrices)),
    "shapes": (lambda m: m.reshape(-1)[: m.shape[1]] * m.numel() + len(m), (matrices,)),
    "inner vmap": (lambda m: torch.vmap(lambda x: x.sum() * x)(m), (matrices,)),
    "argument itself": (lambda x: x, (rows,)),
    "view": (lambda m: m.t(), (matrices,)),
}
APART = {
    "value": (lambda x: x * x.sum().item(), (rows,)),
    "branch": (lambda x: x if x.sum() > 0 else -x, (rows,)),
    "in place": (lambda x: x.clone().add_(1), (rows,)),
    "op without a rule": (lambda x: F.linear(x, weight).cross(torch.ones(3), 0), (rows,)),
    "list with a constant": (lambda x: torch.cat([x, torch.ones(2)]), (rows,)),
    "gradient": (torch.func.grad(lambda x: linear(x).tanh().sum()), (rows,)),
    "backward": (lambda x: ((x * weight).sum().backward(), x)[1], (rows,)),
    "constant result": (lambda x: torch.ones(2), (rows,)),
}


@pytest.fixture(autouse=True)
def no_slices_are_few(request, monkeypatch):
    if "few" not in request.node.name:
        monkeypatch.setattr(slices, "FEW", 2)


def test_few_slices_are_computed_by_a_call_each():
    for count, calls_expected in ((slices.FEW - 1, slices.FEW - 1), (slices.FEW, 1)):
        single, calls = counted(lambda x: x.tanh() * 2)
        x = torch.randn(count, 3)
        torch.testing.assert_close(torch.vmap(single)(x), x.tanh() * 2)
        assert len(calls) == calls_expected


def counted(func: Any) -> tuple[Any, list[int]]:
    calls: list[int] = []
    return lambda *args: calls.append(1) or func(*args), calls


def each_alone(func: Any, args: Any) -> Any:
    made = [torch.utils._pytree.tree_flatten(func(*[arg[n] for arg in args])) for n in range(len(args[0]))]
    return torch.utils._pytree.tree_unflatten([torch.stack(each) for each in zip(*[m[0] for m in made])], made[0][1])


@pytest.mark.parametrize("name", TOGETHER)
def test_function_whose_ops_have_rules_is_called_once(name):
    func, args = TOGETHER[name]
    single, calls = counted(func)
    torch.testing.assert_close(torch.vmap(single)(*args), each_alone(func, args))
    assert calls == [1]


@pytest.mark.parametrize("name", APART)
def test_function_that_needs_each_slice_gives_what_it_gives_each(name):
    func, args = APART[name]
    single, calls = counted(func)
    torch.testing.assert_close(torch.vmap(single)(*args), each_alone(func, args))
    assert len(calls) == 6
    torch.vmap(single)(*args)
    assert len(calls) == 11  # it is not tried again


@pytest.mark.parametrize("name", [name for name in TOGETHER if name != "inner vmap"])
def test_gradients_are_those_of_the_slices(name):
    func, args = TOGETHER[name]
    found = []
    for run in (torch.vmap(func), lambda *args: each_alone(func, args)):
        leaves = [arg.double().requires_grad_() for arg in args]
        linear.double().zero_grad()
        total = sum((out * out.detach()).sum() for out in torch.utils._pytree.tree_leaves(run(*leaves)))
        total.backward()
        found.append(
            [leaf.grad for leaf in leaves] + [linear.weight.grad.clone() if linear.weight.grad is not None else None]
        )
    linear.float()
    for one, other in zip(*found, strict=True):
        assert one is None and other is None or torch.allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("in_dims", [0, 1, -1, (0, None), (None, 1)])
@pytest.mark.parametrize("out_dims", [0, 1, -1])
def test_dimensions_are_those_of_the_call(in_dims, out_dims):
    x, y = torch.randn(4, 4), torch.randn(4, 4)
    dims = in_dims if isinstance(in_dims, tuple) else (in_dims, in_dims)
    single, calls = counted(lambda a, b: a * 2 - b.cumsum(-1))
    found = torch.vmap(single, in_dims, out_dims)(x, y)
    wanted = [
        single(*[each if dim is None else each.select(dim, n) for each, dim in zip((x, y), dims, strict=True)])
        for n in range(4)
    ]
    torch.testing.assert_close(found, torch.stack(wanted, out_dims))
    assert len(calls) == 1 + 4


def test_function_that_draws_numbers_draws_those_of_the_slices():
    def noisy(x: Any) -> Any:
        return x + torch.randn(4)

    torch.manual_seed(1)
    found = torch.vmap(noisy, randomness="different")(rows)
    torch.manual_seed(1)
    torch.testing.assert_close(found, torch.stack([noisy(x) for x in rows]))


def test_error_of_the_function_is_the_one_of_a_slice():
    with pytest.raises(RuntimeError, match=r"size of tensor a \(4\) must match the size of tensor b \(3\)"):
        torch.vmap(lambda x: x + torch.ones(3))(rows)


def test_tensor_that_left_the_function_is_refused_after_the_call():
    kept.clear()
    torch.vmap(lambda x: (kept.append(x * 2), x.sum())[1])(rows)
    with pytest.raises(RuntimeError, match="used after the call"):
        kept[0] + 1


def test_function_under_a_listener_is_called_for_each_slice():
    from dyncore.graph import events

    single, calls = counted(lambda x: x * 2)
    with events.listen(events.Listener()):
        torch.vmap(single)(rows)
    assert len(calls) == 5


def test_mapped_parameters_of_a_model_give_each_its_results():
    """An ensemble: each slice has weights of its own."""
    models = [torch.nn.Linear(4, 2) for _ in range(3)]
    parameters, _ = torch.func.stack_module_state(models)
    found = torch.vmap(lambda p, x: torch.func.functional_call(models[0], p, (x,)), (0, None))(parameters, rows)
    torch.testing.assert_close(found, torch.stack([model(rows) for model in models]))
