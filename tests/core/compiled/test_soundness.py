"""A replayed call is never observably another call: memory, effects, errors, threads."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore import nn
from tests.core.compiled.check import bits, leaves_in, run, same

SCALE = 2.0


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def test_outputs_kept_across_calls_do_not_change() -> None:
    """Each call's result has memory of its own."""
    compiled = torch.compile(lambda x: (x * 2 + 1).tanh())
    kept = [compiled(torch.tensor([float(k), 1.0])) for k in range(6)]
    expected = [bits((torch.tensor([float(k), 1.0]) * 2 + 1).tanh()) for k in range(6)]
    assert expected == [bits(each) for each in kept]
    assert compiled.explain().hits == 5


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


def test_writing_an_input_after_the_call_leaves_the_result_alone() -> None:
    """Results share no memory with arguments."""
    compiled = torch.compile(lambda x: x * 1.0)
    for _ in range(3):
        x = torch.tensor([1.0, 2.0])
        y = compiled(x)
        x.zero_()
        assert [1.0, 2.0] == y.tolist()


def test_an_output_written_in_place_is_not_seen_by_the_next_call() -> None:
    """Also constants made inside the function are made anew."""
    compiled = torch.compile(lambda x: (torch.zeros(2), x + 1))
    for _ in range(4):
        zeros, y = compiled(torch.tensor([1.0, 2.0]))
        assert [0.0, 0.0] == zeros.tolist() and [2.0, 3.0] == y.tolist()
        zeros.add_(5.0)
        y.add_(5.0)
        assert 1 == zeros._version


def test_writes_into_outside_tensors_happen_at_every_call() -> None:
    """A buffer moved in place under `no_grad`, with its version counter."""
    total = torch.zeros(2)

    def follow(x: Any) -> Any:
        with torch.no_grad():
            total.mul_(0.5).add_(x)
        return x * total

    compiled = torch.compile(follow)
    expected = []
    for k in range(5):
        expected.append(bits(follow(torch.tensor([1.0, float(k)]))))
    last, version = bits(total), total._version
    total.zero_()
    before = total._version
    assert expected == [bits(compiled(torch.tensor([1.0, float(k)]))) for k in range(5)]
    assert last == bits(total)
    assert version == total._version - before
    assert compiled.explain().hits == 4


def test_a_write_before_an_unseen_decision_happens_once() -> None:
    """The replay is given up after it wrote; the ordinary call starts from the old memory."""
    seen = torch.zeros(1)

    def count(x: Any) -> Any:
        seen.add_(1.0)
        return x + 1 if x.sum() > 0 else x - 1

    compiled = torch.compile(count)
    for k, sign in enumerate([1, 1, -1, 1, -1, -1]):
        assert [sign * 2.0] == compiled(torch.tensor([float(sign)])).tolist()
        assert [k + 1.0] == seen.tolist()


def test_random_numbers_come_from_the_same_stream() -> None:
    """Dropout and randn are drawn at every replay, in order, also when a replay is given up."""

    def noisy(x: Any) -> Any:
        y = nn.functional.dropout(x, 0.5) + torch.randn(4)
        return y * 2 if y.sum() > 0 else y * 3

    compiled = torch.compile(noisy)
    x = torch.ones(4)
    torch.manual_seed(3)
    expected = [bits(noisy(x)) for _ in range(12)]
    torch.manual_seed(3)
    assert expected == [bits(compiled(x)) for _ in range(12)]
    assert compiled.explain().hits > 6


def test_prints_happen_at_every_call(capsys: pytest.CaptureFixture[str]) -> None:
    """What is no op cannot be replayed, so the call stays ordinary."""

    def talk(x: Any) -> Any:
        print("here")
        return x + 1

    compiled = torch.compile(talk)
    for _ in range(4):
        compiled(torch.tensor([1.0]))
    assert "here\n" * 4 == capsys.readouterr().out
    assert "calls `print`" in str(compiled.explain())


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return x * self.calls


def test_state_of_python_is_kept() -> None:
    """A counter in the module counts, and its value is used."""
    model = Counter()
    compiled = torch.compile(model)
    assert [1.0, 2.0, 3.0, 4.0, 5.0] == [compiled(torch.ones(1)).item() for _ in range(5)]
    assert 5 == model.calls
    assert "`Counter.calls` while it runs" in str(compiled.explain())


def test_lists_outside_are_filled() -> None:
    """Appending to a list of the user's is an effect."""
    log: list[float] = []

    def noted(x: Any) -> Any:
        log.append(x.sum().item())
        return x + 1

    compiled = torch.compile(noted)
    for k in range(4):
        compiled(torch.tensor([float(k)]))
    assert [0.0, 1.0, 2.0, 3.0] == log


def test_python_random_numbers_and_clocks_are_not_replayed() -> None:
    """Neither can be seen by the recorder."""
    import random
    import time

    for source in (random.random, time.perf_counter, np.random.rand):
        compiled = torch.compile(lambda x, draw=source: x * draw())
        assert 4 == len({compiled(torch.ones(1, dtype=torch.float64)).item() for _ in range(4)})


def test_an_error_inside_is_the_ordinary_error() -> None:
    """Raised by an op, while recording and when it would have been replayed."""

    def pick(x: Any, index: Any) -> Any:
        return x[index] * 2

    compiled = torch.compile(pick)
    x = torch.tensor([1.0, 2.0, 3.0])
    for _ in range(3):
        assert [4.0] == compiled(x, torch.tensor([1])).tolist()
    with pytest.raises(IndexError) as ordinary:
        pick(x, torch.tensor([7]))
    with pytest.raises(IndexError) as replayed:
        compiled(x, torch.tensor([7]))
    assert str(ordinary.value) == str(replayed.value)
    assert [6.0] == compiled(x, torch.tensor([2])).tolist()


def test_an_error_of_the_users_own_is_raised_at_every_call() -> None:
    """And nothing is recorded of such a call."""

    def guarded(x: Any) -> Any:
        if x.sum() < 0:
            raise ValueError("negative")
        return x * 2

    compiled = torch.compile(guarded)
    for _ in range(2):
        assert [2.0] == compiled(torch.tensor([1.0])).tolist()
        with pytest.raises(ValueError, match="negative"):
            compiled(torch.tensor([-1.0]))


def test_two_threads() -> None:
    """Calls at the same time have workspaces of their own."""
    compiled = torch.compile(lambda x: ((x * 1.5).tanh() @ x.T).sum())
    inputs = [np.random.default_rng(k).standard_normal((8, 8)) for k in range(2)]
    expected = []
    for values in inputs:
        x = torch.tensor(values, requires_grad=True)
        ((x * 1.5).tanh() @ x.T).sum().backward()
        expected.append(bits(x.grad))
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(100):
            x = torch.tensor(inputs[number], requires_grad=True)
            compiled(x).backward()
            if bits(x.grad) != expected[number]:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [] == wrong
    assert compiled.explain().hits > 100


def test_recursion_and_nesting() -> None:
    """A compiled function that calls itself, and one that calls another."""

    @torch.compile
    def power(x: Any, n: int) -> Any:
        return x if n == 0 else power(x, n - 1) * x

    @torch.compile
    def outer(x: Any) -> Any:
        return power(x, 3) + power(x, 2)

    for _ in range(3):
        assert [24.0] == outer(torch.tensor([2.0])).tolist()
    assert outer.explain().hits == 2


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


def test_tensors_made_elsewhere_are_not_guessed() -> None:
    """A tensor that the recorder cannot place keeps the call ordinary."""
    values = np.ones(2, np.float32)

    def hidden(x: Any) -> Any:
        return x * torch.from_numpy(values)

    compiled = torch.compile(hidden)
    compiled(torch.ones(2))
    values[:] = 7
    for _ in range(3):
        assert [7.0, 7.0] == compiled(torch.ones(2)).tolist()


def test_items_are_compared() -> None:
    """`.item()` used in arithmetic: another value is another path."""

    def scaled(x: Any) -> Any:
        return x * x.max().item()

    compiled = torch.compile(scaled)
    for top in (2.0, 3.0, 2.0, float("nan"), -0.0, 0.0, 2.0):
        x = torch.tensor([top, top])
        assert bits(scaled(x)) == bits(compiled(x))


def test_shapes_that_depend_on_values() -> None:
    """Masks and `nonzero` give other shapes for other values."""

    def masked(x: Any) -> Any:
        return (x[x > 0] * 2).sum() + x.nonzero().shape[0]

    compiled = torch.compile(masked)
    for row in ([1.0, -1.0], [2.0, -3.0], [1.0, 2.0], [-1.0, -2.0], [1.0, -2.0]):
        x = torch.tensor(row)
        assert bits(masked(x)) == bits(compiled(x))


def test_data_and_numpy_are_refused() -> None:
    """Ways around the tape."""

    def around(x: Any) -> Any:
        return x + float(x.detach().numpy()[0])

    def through(x: Any) -> Any:
        return x * x.data

    for function in (around, through):
        compiled = torch.compile(function)
        for k in range(4):
            x = torch.tensor([float(k), 2.0])
            assert bits(function(x)) == bits(compiled(x))
        assert compiled.explain().hits == 0


def test_arguments_that_share_memory() -> None:
    """Views of one memory, with a write in place."""

    def shift(x: Any, y: Any) -> Any:
        x.add_(1.0)
        return x + y

    compiled = torch.compile(shift)
    for _ in range(3):
        found = []
        for function in (shift, compiled):
            base = torch.zeros(4)
            function(base[:2], torch.ones(2))
            function(base[1:3], base[2:4])
            found.append(bits(base))
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


def test_no_leaves_in_helpers() -> None:
    """The helper finds leaves in trees."""
    x = leaf(1.0)
    assert [x] == [each for each in leaves_in([x, {"a": torch.ones(1)}]) if each is x]
    same(lambda t: t["a"] * SCALE, {"a": x})
