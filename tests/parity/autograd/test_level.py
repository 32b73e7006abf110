"""Gradients of gradients through ops that bend nowhere but at a point: zeros as in PyTorch, not none."""

from __future__ import annotations

import pytest

import dyncore

torch = pytest.importorskip("torch")

CALLS = (
    "F.relu(x)", "F.relu6(x)", "F.leaky_relu(x, 0.1)", "F.hardtanh(x)", "F.threshold(x, 0.1, 0.0)", "F.hardshrink(x)",
    "F.softshrink(x, 0.1)", "F.rrelu(x)", "F.max_pool1d(x[None], 2)", "F.max_pool2d(x[None, None], (1, 2))",
    "F.max_pool1d(x[None], 2, return_indices=True)[0]", "F.max_pool3d(x[None, None, None], (1, 1, 2))",
    "F.adaptive_max_pool1d(x[None], 2)", "F.adaptive_max_pool2d(x[None, None], (1, 2))", "F.avg_pool1d(x[None], 2)",
    "F.avg_pool2d(x[None, None], (1, 2))", "F.adaptive_avg_pool2d(x[None, None], (1, 2))",
    "F.pad(x[None], (1, 1), mode='reflect')", "F.pad(x[None], (1, 1), mode='replicate')",
    "F.nll_loss(x[None], e.tensor([1]))", "F.huber_loss(x, 0 * x)", "F.smooth_l1_loss(x, 0 * x)",
    "F.leaky_relu_(x.clone(), 0.1)", "x.relu().square()", "x.clamp(0, 1)", "x.max()", "x * 2", "x.cumsum(0)",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_a_gradient_has_a_graph_where_pytorchs_has(call: str) -> None:
    """Whether it requires grad, the node that made it, and what flows back through it."""
    found = []
    for engine in (torch, dyncore):
        x = engine.tensor([-1.0, 0.5, 0.2, 2.0], dtype=engine.float64, requires_grad=True)
        y = eval(call, {"e": engine, "F": engine.nn.functional, "x": x})
        (g,) = engine.autograd.grad(y.sum(), x, create_graph=True)
        back = None
        if g.requires_grad:
            back = engine.autograd.grad((g * engine.arange(4)).sum(), x)[0].tolist()
        found.append((g.requires_grad, g.grad_fn and ("BackwardBackward" in g.grad_fn.name()), back))
    assert found[0] == found[1]


def test_a_penalty_on_a_slope_leaves_zeros_and_not_nothing() -> None:
    """A bias before a rectifier has no part in the slope, and Adam still counts the step for it, as in PyTorch."""
    found = []
    for engine in (torch, dyncore):
        engine.manual_seed(0)
        nn = engine.nn
        model = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1)).double()
        optimizer = engine.optim.Adam(model.parameters(), lr=0.1)
        x = engine.linspace(-1, 1, 6).reshape(3, 2).double().requires_grad_()
        for step in range(4):
            optimizer.zero_grad()
            (g,) = engine.autograd.grad(model(x).sum(), x, create_graph=True, only_inputs=True)
            loss = (g.norm(2, dim=1) - 1).square().mean()
            (loss if step % 2 == 0 else loss + model(x).sum()).backward()
            optimizer.step()
        grads = [None if p.grad is None else p.grad.abs().sum().item() for p in model.parameters()]
        found.append([p.detach().sum().item() for p in model.parameters()])
        assert 0.0 < grads[1]
    assert found[0] == pytest.approx(found[1], rel=1e-9)
