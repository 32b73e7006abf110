"""A replayed call is never observably another call: memory, effects, errors, threads."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore import nn
from tests.unit.core.capture.check import bits, leaves_in, same

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
    assert compiled.explain().hits >= 99  # of the thread that recorded; the other's calls may all fall into that while


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


def test_writes_through_lazy_conjugates_are_refused() -> None:
    """A plan does not copy a write from one to the other; one that only reads is played."""

    def written(x: Any) -> Any:
        made = x.clone()
        made.conj().mul_(2)
        return (made * x.conj()).real

    def read(x: Any) -> Any:
        return (x.conj() * x).real.sum()

    for function, played in ((written, False), (read, True)):
        compiled = torch.compile(function)
        for k in range(4):
            x = torch.tensor([k + 1j, 2.0 - 3j])
            assert bits(function(x)) == bits(compiled(x))
        assert (compiled.explain().hits > 0) is played


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


def test_views_of_repeated_steps_keep_the_memory_they_look_at() -> None:
    """The second `abs` is the first; its flattened view, read last, must not lose that memory to `x * 0.5`."""

    def function(x: Any) -> Any:
        first = x.abs()
        if x.abs().sum() > 4:
            x = x * 0.5
        if x.abs().sum() > 4:
            x = x * 0.5
        return first.sum(), x * 2

    same(function, torch.tensor([[1.0, -2.0], [3.0, 1.0]]))


def test_no_leaves_in_helpers() -> None:
    """The helper finds leaves in trees."""
    x = leaf(1.0)
    assert [x] == [each for each in leaves_in([x, {"a": torch.ones(1)}]) if each is x]
    same(lambda t: t["a"] * SCALE, {"a": x})


@pytest.mark.parametrize("outside", [{"a": 1}, [1]])
def test_container_from_outside_is_returned_itself(outside: Any) -> None:
    function = torch.compile(lambda x: (x * 2, outside)[1])
    assert all(function(torch.ones(2)) is outside for _ in range(4))
