"""Gradients of replayed calls: shared, kept, hooked, partial, accumulated over many steps."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore import nn
from dyncore.engine import sequence
from tests.unit.core.capture.check import bits, run


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def test_gradients_kept_across_calls_do_not_change() -> None:
    """Gradients handed out belong to the leaf alone."""
    compiled = torch.compile(lambda x, y: (x * y).tanh() + y)
    kept, expected = [], []
    for k in range(6):
        for function, into in ((compiled, kept), (lambda x, y: (x * y).tanh() + y, expected)):
            x, y = leaf(float(k), 2.0), leaf(0.5, -float(k))
            function(x, y).sum().backward()
            into += [x.grad, y.grad]
    assert [bits(each) for each in expected] == [bits(each) for each in kept]


def test_two_leaves_never_share_a_gradient() -> None:
    """The gradient of a sum goes to both; writing one leaves the other alone."""
    compiled = torch.compile(lambda x, y: ((x + y) * 3).sum())
    for _ in range(3):
        x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
        compiled(x, y).backward()
        x.grad.mul_(100.0)
        assert [3.0, 3.0] == y.grad.tolist()


def test_two_forwards_before_their_backwards() -> None:
    """Each call keeps what its own backward wants."""
    compiled = torch.compile(lambda x: (x.exp() * x).sin().sum())
    for _ in range(3):
        x, z = leaf(0.3, 0.7), leaf(1.3, 1.7)
        first, second = compiled(x), compiled(z)
        first.backward()
        second.backward()
        x2, z2 = leaf(0.3, 0.7), leaf(1.3, 1.7)
        (x2.exp() * x2).sin().sum().backward()
        (z2.exp() * z2).sin().sum().backward()
        assert [bits(x2.grad), bits(z2.grad)] == [bits(x.grad), bits(z.grad)]


def test_calls_in_one_graph_add_up_as_without_compile() -> None:
    """A cell called at every step: its weight's gradients meet in the ordinary order."""
    torch.manual_seed(0)
    w = torch.randn(5, 5).requires_grad_()

    def cell(h: Any, x: Any) -> Any:
        return torch.tanh(w @ h + (w * x).sum(0)) * w.sum()

    def roll(step: Any) -> Any:
        h = torch.ones(5)
        for k in range(7):
            h = step(h, torch.full((5,), 0.1 * k))
        return h

    expected = run(lambda: roll(cell), (), [w])
    compiled = torch.compile(cell)
    for _ in range(3):
        assert expected == run(lambda: roll(compiled), (), [w])


def test_a_second_backward_fails_as_without_compile() -> None:
    """What was saved is freed; `retain_graph` keeps it."""
    compiled = torch.compile(lambda x: (x * x).sum())
    for _ in range(2):
        y = compiled(leaf(1.0, 2.0))
        y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()
    x = leaf(3.0)
    y = torch.compile(lambda x: (x * x).sum())
    y(x)
    z = y(x)
    z.backward(retain_graph=True)
    z.backward()
    assert [12.0] == x.grad.tolist()


@pytest.mark.parametrize("which", ["input", "weight", "output"])
def test_writing_over_what_backward_needs_is_an_error(which: str) -> None:
    """In place between forward and backward, on whatever the graph saved."""
    w = leaf(2.0, 3.0)
    compiled = torch.compile(lambda x: (x * w).exp())
    x = leaf(0.1, 0.2)
    for _ in range(2):
        compiled(x)
    out = compiled(x)
    with torch.no_grad():
        {"input": x, "weight": w, "output": out}[which].add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()


def test_hooks_listeners_and_modes_see_an_ordinary_call() -> None:
    """Anomaly mode, saved tensor hooks, inference mode and `create_graph`."""
    compiled = torch.compile(lambda x: (x * x * x).sum())
    for _ in range(3):
        compiled(leaf(2.0)).backward()
    packed: list[Any] = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        compiled(leaf(2.0)).backward()
    assert packed
    with torch.inference_mode():
        assert compiled(torch.tensor([2.0])).is_inference()
    x = leaf(2.0)
    (first,) = torch.autograd.grad(compiled(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert [12.0] == first.tolist() and [12.0] == second.tolist()


def halves(x: Any) -> Any:
    first, second = x.split(2)
    return first * first.sin() + second.exp() * first


def sorted_twice(x: Any) -> Any:
    values, places = x.sort()
    return values.pow(3) * values.exp() + places


def norms(x: Any) -> Any:
    spread, mean = torch.std_mean(x)
    return x * spread * mean + spread * spread + mean.sin()


def columns(x: Any) -> Any:
    first, second = (x.view(2, 2) ** 2).unbind(1)
    return torch.stack([first * second, first * first]).sum() * second + first


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize("function", [halves, sorted_twice, norms, columns])
def test_higher_gradients_through_ops_of_several_outputs(function: Any, general: bool, monkeypatch: Any) -> None:
    """Use each output more than once; the gradients are those of the ordinary call, by the general walk, too."""
    monkeypatch.setattr(sequence, "used", general)
    found = []
    for model in (function, torch.compile(function)):
        for _ in range(3):
            x = leaf(0.3, -1.2, 0.7, 2.0)
            (first,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
            (second,) = torch.autograd.grad((first * first).sum(), x, retain_graph=True)
            (again,) = torch.autograd.grad((first * first).sum(), x, create_graph=True)
            (third,) = torch.autograd.grad(again.sum(), x)
        found.append([bits(each) for each in (first, second, again, third)])
    assert found[0] == found[1]


def test_hooks_on_leaves_and_on_the_result() -> None:
    """A hook on an argument or the output runs once and may change the gradient."""
    compiled = torch.compile(lambda x: (x * 2).exp())
    for _ in range(3):
        x = leaf(0.5)
        x.register_hook(lambda g: g * 10)
        y = compiled(x)
        y.register_hook(lambda g: g * 3)
        y.sum().backward()
        z = leaf(0.5)
        (z * 2).exp().sum().backward()
        assert torch.allclose(x.grad, z.grad * 30)


def test_retained_and_partial_gradients() -> None:
    """Only one of two outputs gets a gradient; `retain_grad` on an output."""

    def two(x: Any) -> Any:
        h = (x * 3).tanh()
        return h, (h * x).sum()

    compiled = torch.compile(two)
    for use in (0, 1, 2, 0, 1, 2):
        found = []
        for function in (two, compiled):
            x = leaf(0.2, 0.4)
            h, s = function(x)
            h.retain_grad()
            (h.sum() if use == 0 else s if use == 1 else s + h.prod()).backward()
            found.append((bits(x.grad), bits(h.grad)))
        assert found[0] == found[1]


def test_gradients_of_the_same_tensor_twice() -> None:
    """One tensor given as two arguments is one leaf."""
    compiled = torch.compile(lambda x, y: (x * y).sum())
    for _ in range(3):
        x = leaf(2.0, 3.0)
        compiled(x, x).backward()
        assert [4.0, 6.0] == x.grad.tolist()
        a, b = leaf(2.0, 3.0), leaf(5.0, 7.0)
        compiled(a, b).backward()
        assert [5.0, 7.0] == a.grad.tolist() and [2.0, 3.0] == b.grad.tolist()


@pytest.mark.whole
def test_training_with_accumulation_is_bit_equal() -> None:
    """Fifty steps with SGD and Adam, gradients accumulated over two batches."""
    for make in (lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), lambda p: torch.optim.Adam(p, lr=0.01)):
        states = []
        for compiling in (False, True):
            torch.manual_seed(0)
            model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.2), nn.BatchNorm1d(8), nn.Linear(8, 3))
            call = torch.compile(model) if compiling else model
            optimizer = make(model.parameters())
            for _ in range(50):
                optimizer.zero_grad()
                for _ in range(2):
                    x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
                    nn.functional.cross_entropy(call(x), y).backward()
                optimizer.step()
            states.append([bits(each) for each in model.state_dict().values()])
            if compiling:
                assert call.explain().hits > 90, str(call.explain())
        assert states[0] == states[1]
