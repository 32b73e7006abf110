"""Batches with in-place writes, modes, hooks, Functions, errors, random numbers and listeners."""

from __future__ import annotations

import copy
import gc
import operator
import pickle
import sys
import threading
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.batching import coroutines, scheduler
from dyncore.batching.groups import Group
from dyncore.batching.rows import Whole
from dyncore.graph import events, versions
from dyncore.nn import functional as F
from tests.unit.core.batching.models import calls_together

linear = torch.nn.Linear(4, 4)
word = torch.tensor(1)
matrix = torch.nn.Parameter(torch.randn(4, 4))
EXAMPLES = [torch.randn(4, generator=torch.Generator().manual_seed(n)) for n in range(7)]
PARAMETERS = [*linear.parameters(), matrix]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


def written(x: Any) -> Any:
    h = linear(x)
    doubled = h * 2
    h += 1
    return doubled + h


def element_written(x: Any) -> Any:
    h = linear(x)
    h[0] = 0.5
    return h


def operand_written(x: Any) -> Any:
    own = x.clone()
    h = matrix.detach() @ own + linear(x)
    own.add_(1)
    return h + own


def partly_recorded(x: Any) -> Any:
    with torch.no_grad():
        h = linear(x)
    return h + linear(x)


def hooked(x: Any) -> Any:
    h = linear(x)
    h.register_hook(lambda g: g * 3)
    return h.tanh()


def hooked_after_use(x: Any) -> Any:
    h = linear(x)
    used = h.tanh().sum() + h[0]
    h.register_hook(lambda g: g * 3)
    return used * h


def stepped_down(x: Any) -> Any:
    weight = matrix
    for _ in range(2):
        (slope,) = torch.autograd.grad((x @ weight).tanh().sum(), weight, create_graph=True)
        weight = weight - 0.1 * slope
    (last,) = torch.autograd.grad((linear(x) @ weight).sum(), linear.bias)
    return x @ weight + last + linear(x)


def pickled(x: Any) -> Any:
    return pickle.loads(pickle.dumps(x))


def halved(x: Any) -> Any:
    h, steps = linear(x), 0
    while h.norm() > 0.1 and steps < 20:
        h, steps = h * 0.5 + linear(h) * 0.01, steps + 1
    return h * steps


def average_kept(x: Any) -> Any:
    average, h = x.clone(), linear(x)
    total = h + average
    with torch.no_grad():
        average.mul_(0.9).add_(x)
    return total * 2


def weights_made(module: Any) -> Any:
    """Return a model that calls a module with weights of each example's own."""
    names = [name for name, _ in module.named_parameters()]

    def model(x: Any) -> Any:
        weights = {name: value * linear(x).mean() for name, value in zip(names, module.parameters(), strict=True)}
        made = torch.func.functional_call(module, weights, (linear(x),))
        return made[0] * made[1] if isinstance(made, tuple) else made

    return model


def weight_bound_anew(x: Any) -> Any:
    before, cell.weight_ih = cell.weight_ih, torch.nn.Parameter(cell.weight_ih.detach() * x[0])
    try:
        return cell(linear(x), linear(x))
    finally:
        cell.weight_ih = before


cell = torch.nn.GRUCell(4, 4)
MODELS = {
    "average written under no_grad": average_kept,
    "weights of a layer made": weights_made(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh())),
    "weights of a cell made": weights_made(torch.nn.LSTMCell(4, 4)),
    "weights of a cell bound anew": weight_bound_anew,
    "in place after use": written,
    "element written": element_written,
    "operand written after use": operand_written,
    "no_grad inside": partly_recorded,
    "hook": hooked,
    "hook after use": hooked_after_use,
    "gradients by what was computed": stepped_down,
    "while on a norm": halved,
    "Function": lambda x: Square.apply(linear(x)).tanh(),
    "matrix times vector": lambda x: (matrix @ linear(x)) @ matrix,
    "vector times vector": lambda x: linear(x) @ linear(x.tanh()),
    "outer product": lambda x: (linear(x)[:, None] @ linear(x)[None, :]).softmax(-1).sum(0),
    "numbers on both sides": lambda x: 2 / (linear(x).exp() + 1) - linear(x) ** 2 + (1 - linear(x)) + 2 ** linear(x),
    "other dtype": lambda x: linear(x).double() * 2,
    "shapes as numbers": lambda x: linear(x) * linear(x).shape[0] + len(linear(x)) + linear(x).numel(),
    "item in arithmetic": lambda x: linear(x) * linear(x).sum().item(),
    "rows of a parameter": lambda x: torch.stack([linear(x), x, matrix[0], matrix[-1]]).sum(0),
    "batch norm": lambda x: F.batch_norm(linear(x)[None].expand(3, 4) * matrix[:3], None, None, training=True).sum(0),
    "einsum": lambda x: torch.einsum("i,ij->j", linear(x), matrix),
    "parameter on the left": lambda x: (
        matrix @ linear(x) + (matrix * linear(x) - linear(x)).sum(0) + matrix / (linear(x) ** 2 + 1)
    ),
    "views of a parameter": lambda x: (
        linear(x) @ matrix.T + matrix[1:3].sum(0) * x @ matrix.t() + matrix.chunk(2)[1][0]
    ),
    "iteration": lambda x: sum(each * n for n, each in enumerate(linear(x))),
    "detach": lambda x: linear(x).detach() * linear(x),
    "zeros of both signs": lambda x: (
        linear(x) + torch.copysign(matrix[0].abs() + 1, (linear(x).exp() * (0.0 if x[0] > 0 else -0.0)))
    ),
    "copies": lambda x: copy.copy(linear(x)) + copy.deepcopy(linear(x).detach()) + pickled(linear(x).detach()),
    "NumPy": lambda x: linear(x) + torch.tensor(linear(x).detach().numpy()),
    "inner batch": lambda x: torch.batched(lambda y: linear(y) * x)([x, x * 2, x * 3])[1],
}


def results(model: Any, run: Any) -> tuple[list[Any], list[Any]]:
    for p in PARAMETERS:
        p.grad = None
    made = run(model)
    torch.stack([each.float().sum() for each in made]).sum().backward()
    return made, [None if p.grad is None else p.grad.clone() for p in PARAMETERS]


def loop(model: Any) -> list[Any]:
    return [model(x) for x in EXAMPLES]


def batch(model: Any) -> list[Any]:
    return list(torch.batched(model)(EXAMPLES))


@pytest.mark.parametrize("name", MODELS)
def test_model_gives_values_and_gradients_of_the_loop(name):
    expected, found = results(MODELS[name], loop), results(MODELS[name], batch)
    for wanted, made in zip(expected[0], found[0], strict=True):
        assert type(made) is torch.Tensor and made.requires_grad == wanted.requires_grad
        torch.testing.assert_close(made, wanted, rtol=1e-5, atol=1e-5)
    for wanted, made in zip(expected[1], found[1], strict=True):
        assert (wanted is None) == (made is None)
        if wanted is not None:
            torch.testing.assert_close(made, wanted, rtol=1e-4, atol=1e-4)


def test_batch_under_no_grad_records_nothing():
    with torch.no_grad():
        made = torch.batched(lambda x: linear(x).tanh())(EXAMPLES)
    assert not any(each.requires_grad for each in made)
    torch.testing.assert_close(torch.stack(made), torch.stack([linear(x).tanh() for x in EXAMPLES]).detach())


def test_ops_with_grad_inside_a_batch_without_it_are_recorded():
    def model(x: Any) -> Any:
        with torch.enable_grad():
            return linear(x).sum()

    with torch.no_grad():
        found = torch.batched(model)(EXAMPLES)
    assert all(each.requires_grad for each in found)


def test_numbers_that_differ_between_examples_are_laid_side_by_side(monkeypatch):
    counts = calls_together(monkeypatch, "div")

    def model(scale: float) -> Any:
        h = linear(torch.ones(4))
        return (h / scale).sum() + (scale - h).tanh().sum() * scale

    scales = [0.1 * n + 0.3 for n in range(20)]
    found = torch.batched(model)(scales)
    assert max(counts) == len(scales) - scheduler.FEW
    torch.testing.assert_close(torch.stack(found), torch.stack([model(scale) for scale in scales]))


def test_error_of_the_lowest_example_is_raised_after_all_have_ended():
    ended = []

    def model(n: int) -> Any:
        h = linear(EXAMPLES[n]).sum()
        if n in (2, 4):
            raise KeyError(n)
        if h > -1e9:
            ended.append(n)
        return h

    with pytest.raises(KeyError) as raised:
        torch.batched(model)(range(7))
    assert raised.value.args == (2,) and raised.value.__notes__ == ["in example 2 of batched()"]
    assert ended == [0, 1, 3, 5, 6]


def test_value_that_an_op_refuses_is_an_error_of_its_example():
    targets = [1, 2, 9, 0]
    ended = []

    def model(n: int) -> Any:
        loss = F.cross_entropy(linear(EXAMPLES[n]), torch.tensor(targets[n])) * 2
        ended.append(loss.item())
        return loss

    with pytest.raises(IndexError, match="Target 9 is out of bounds") as raised:
        torch.batched(model)(range(4))
    assert raised.value.__notes__[-1] == "in example 2 of batched()" and len(ended) == 3


def test_shapes_that_do_not_fit_raise_where_the_op_is_called():
    def model(x: Any) -> Any:
        with pytest.raises(RuntimeError, match=r"size of tensor a \(4\) must match the size of tensor b \(3\)"):
            linear(x) + torch.ones(3)
        return linear(x)

    assert len(torch.batched(model)(EXAMPLES)) == 7


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (lambda x: linear(x).sum().backward(), "backward.. inside batched"),
        (lambda x: (lambda h: (h[:2], h.add_(1)))(linear(x)), "in-place write inside batched"),
        (lambda x: linear(x).view(2, 2).mul_(2), "in-place write inside batched"),
        (lambda x: (lambda h: (h * 2, h.retain_grad()))(table(word)), "retain_grad.. inside batched"),
        (lambda x: (lambda h: (h * 2, h.register_hook(print)))(table(word)), "register_hook.. inside batched"),
    ],
    ids=["backward", "write beside a view", "write through a view", "late retain_grad", "late hook"],
)
def test_what_a_batch_cannot_do_is_refused(model, sentence):
    with pytest.raises(RuntimeError, match=sentence):
        torch.batched(model)(EXAMPLES)


def _write_to_a_mask(x: Any) -> Any:
    seen = torch.zeros(4, dtype=torch.bool)
    for step in range(3):
        seen = seen.clone()
        seen[step] = True
        x = linear(x).masked_fill(seen, 0.5)
    return x


def _write_to_what_an_op_reads(x: Any) -> Any:
    other = torch.ones(4)
    first = linear(x) * other
    other[1] = 3.0
    return first + other


def _write_to_the_base_of_what_an_op_reads(x: Any) -> Any:
    other = torch.ones(4)
    first = linear(x) * other[2]
    other[2:].mul_(3)
    return first * other[2:].sum()


def _write_to_a_forced_value(x: Any) -> Any:
    y = linear(x)
    z = torch.tanh(y)
    float(y.sum())
    y.detach().numpy()
    w = y.detach().clone()
    a = linear(w)
    w.mul_(2)
    return a + z + w


def _write_to_a_parameter(x: Any) -> Any:
    y = cell(x, torch.zeros(4))
    with torch.no_grad():
        cell.weight_ih.mul_(1.01)
        linear.weight.mul_(0.99)
    return linear(y)


def _write_to_a_table(x: Any) -> Any:
    word = torch.tensor(int(x[0] > 0))
    kept, used = table(word), table(word)
    h = linear(used)
    with torch.no_grad():
        table.weight.mul_(0.5)
        table.weight[word] += 1
    return h * kept + used + table(word)


def _bind_a_table_anew(x: Any) -> Any:
    row = table.weight[1]
    table.weight.data = table.weight.data + 1
    return row.sum() + table.weight[1] * x


def _write_to_a_row(x: Any) -> Any:
    row = table(torch.tensor(2))
    return row.add_(1) + linear(x)


def _bind_weights_anew(x: Any) -> Any:
    y = cell(linear(x), x)
    linear.weight.data = linear.weight.data * 0.9
    cell.weight_ih.data = cell.weight_ih.data * 0.5
    linear.weight.data.add_(0.1)
    return linear(y)


def _update_by_a_value_of_the_parameter(x: Any) -> Any:
    y = linear(x)
    linear.bias -= 0.1 * linear.bias.sign()
    return linear(x) + y


cell, table = torch.nn.GRUCell(4, 4), torch.nn.Embedding(3, 4)
WRITES = [
    _bind_weights_anew, _update_by_a_value_of_the_parameter,
    _write_to_a_mask, _write_to_what_an_op_reads, _write_to_the_base_of_what_an_op_reads, _write_to_a_forced_value,
    _write_to_a_parameter, _write_to_a_table, _bind_a_table_anew, _write_to_a_row,
]  # fmt: skip


@pytest.mark.parametrize("model", WRITES, ids=lambda model: model.__name__)
def test_write_to_an_ordinary_tensor_equals_loop(model):
    modules = torch.nn.ModuleList([linear, cell, table])
    before = {name: value.clone() for name, value in modules.state_dict().items()}
    with torch.no_grad():
        expected = torch.stack(loop(model))
        modules.load_state_dict(before)
        found = torch.stack(batch(model))
        modules.load_state_dict(before)
    torch.testing.assert_close(found, expected)


def test_parameter_that_requires_no_grad_for_some_ops_gets_the_gradient_of_the_loop():
    def model(x: Any) -> Any:
        linear.weight.requires_grad_(False)
        y = linear(x)
        linear.weight.requires_grad_(True)
        return (linear(y) * y).sum()

    found, wanted = results(model, batch)[1], results(model, loop)[1]
    torch.testing.assert_close(found[:2], wanted[:2])


def test_write_to_a_mask_lets_equal_ops_run_together(monkeypatch):
    flushes = []
    flush = scheduler.Scheduler.flush
    monkeypatch.setattr(scheduler.Scheduler, "flush", lambda self: (flushes.append(self), flush(self))[1])
    batch(_write_to_a_mask)
    assert len(flushes) == 1


def test_elements_at_integers_are_a_copy_that_can_be_written():
    def model(x: Any) -> Any:
        return linear(x)[torch.tensor([2, 0])].mul_(2)

    torch.testing.assert_close(torch.stack(batch(model)), torch.stack(loop(model)))


def test_model_that_never_waits_draws_the_numbers_of_the_loop():
    def model(x: Any) -> Any:
        return linear(x) + torch.randn(4)

    torch.manual_seed(3)
    expected = loop(model)
    torch.manual_seed(3)
    torch.testing.assert_close(torch.stack(batch(model)), torch.stack(expected))


def test_listener_hears_every_op_of_the_loop():
    class Names(events.Listener):
        def __init__(self) -> None:
            self.names: list[str] = []

        def op(self, op, args, kwargs, result, started, ended):
            self.names.append(op.name)

    heard = []
    for run in (loop, batch):
        with events.listen(Names()) as names:
            run(lambda x: linear(x).tanh())
        heard.append(names.names)
    assert heard[0] == heard[1] and len(heard[0]) == 14


def test_functions_are_as_before_when_the_batch_is_over():
    for _ in range(40):
        torch.tanh(EXAMPLES[0])  # from then on its code stays
    before = torch.tanh.__code__, torch.nn.GRUCell.forward, F.cross_entropy, torch.autograd.Function.__dict__["apply"]
    batch(lambda x: linear(x).tanh())
    with pytest.raises(ZeroDivisionError):
        torch.batched(lambda x: 1 / 0)(EXAMPLES)
    after = torch.tanh.__code__, torch.nn.GRUCell.forward, F.cross_entropy, torch.autograd.Function.__dict__["apply"]
    assert before == after


class Keeping(torch.nn.Module):
    def __init__(self, asks: bool) -> None:
        super().__init__()
        self.linear, self.asks, self.state = linear, asks, torch.zeros(4)

    def forward(self, x: Any) -> Any:
        self.state = self.state * 0.5 + self.linear(x)
        return self.state * 2 if self.asks and self.state.sum() > 0 else self.state * 1


@pytest.mark.parametrize("wrapped", [False, True])
def test_module_that_keeps_state_while_examples_take_turns_warns(wrapped):
    module = Keeping(asks=True)
    model = (lambda x: module(x)) if wrapped else module
    with pytest.warns(UserWarning, match=r"batched\(\): `Keeping` stores `state` while it runs") as caught:
        torch.batched(model)(EXAMPLES)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("kind", ["buffer", "parameter"])
def test_tensor_that_is_written_while_examples_take_turns_warns_and_gets_every_write(kind):
    class Counting(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            if kind == "buffer":
                self.register_buffer("total", torch.zeros(4))
            else:
                self.total = torch.nn.Parameter(torch.zeros(4))

        def forward(self, x: Any) -> Any:
            y = linear(x).detach()
            with torch.no_grad():
                self.total += y
            return y

    module = Counting()
    with pytest.warns(UserWarning, match=r"batched\(\): `Counting` stores `total` while it runs"):
        found = torch.batched(module)(EXAMPLES)
    torch.testing.assert_close(module.total, torch.stack(found).sum(0))


def test_module_that_keeps_state_where_nothing_waits_is_the_loop():
    one, other = Keeping(asks=False), Keeping(asks=False)
    torch.testing.assert_close(torch.batched(one)(EXAMPLES), [other(x) for x in EXAMPLES])


def test_batches_on_several_threads_leave_each_other_alone():
    wrong: list[Any] = []

    def work() -> None:
        try:
            for _ in range(20):
                torch.testing.assert_close(batch(halved), expected)
        except BaseException as error:
            wrong.append(error)

    expected, interval = loop(halved), sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == [] and versions.guard is None


def test_lazy_tensor_that_outlives_the_batch_has_its_value():
    kept = []
    made = torch.batched(lambda x: kept.append(linear(x)) or kept[-1] * 2)(EXAMPLES)
    torch.testing.assert_close(torch.stack(kept) * 2, torch.stack(made))
    assert all(type(each) is torch.Tensor for each in kept)


def test_row_that_outlives_the_batch_has_its_value_after_a_step():
    kept = []
    torch.batched(lambda number: kept.append(table(torch.tensor(number))) or linear(kept[-1]))([0, 2, 1])
    before = table.weight.detach().clone()
    with torch.no_grad():
        table.weight.mul_(2)
    torch.testing.assert_close(torch.stack(kept).detach(), before[torch.tensor([0, 2, 1])])


def test_hook_on_a_row_that_only_others_were_given_equals_loop():
    def model(step: int) -> Any:
        row = table(torch.tensor(1))
        if step > 1:
            row.register_hook(lambda gradient: gradient * step)
        return linear(row).sum()

    def gradient(losses: list[Any]) -> Any:
        return torch.autograd.grad(torch.stack(losses).sum(), table.weight)[0]

    steps = [1, 2, 3, 1]
    expected = gradient([model(step) for step in steps])
    torch.testing.assert_close(gradient(torch.batched(model)(steps)), expected)


def test_gradients_by_results_that_the_model_used_equal_loop():
    def model(x: Any) -> Any:
        h = linear(x).tanh()
        return h, (h * h).sum() * h[0]

    def by_results(run: Any) -> list[Any]:
        linear.zero_grad()
        hidden, losses = zip(*run(model), strict=True)
        seen: list[Any] = []
        hidden[1].register_hook(seen.append)
        hidden[2].retain_grad()
        slopes = torch.autograd.grad(sum(losses), hidden, create_graph=True)
        sum(each.square().sum() for each in slopes).backward()
        return [*slopes, *seen, hidden[2].grad, linear.weight.grad]

    found = by_results(batch)
    for one, other in zip(found, by_results(loop), strict=True):
        torch.testing.assert_close(one, other)


def test_groups_are_freed_without_the_collector_when_the_batch_is_over():
    def groups() -> int:
        return sum(type(each) is Group for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = groups()
        with torch.no_grad():
            made = torch.batched(halved)(EXAMPLES)
        assert len(made) == 7 and groups() == before
    finally:
        gc.enable()


def test_model_that_waits_draws_the_same_numbers_from_the_same_seed():
    def model(x: Any) -> Any:
        h = linear(x) + torch.randn(4)
        return h + torch.rand(4) if h.sum() > 0 else h

    made = []
    for _ in range(2):
        torch.manual_seed(3)
        made.append(torch.stack(batch(model)))
    torch.testing.assert_close(made[0], made[1], rtol=0, atol=0)
    assert not torch.equal(made[0], torch.stack(batch(model)))


def drawn(waits: list[int]) -> list[list[float]]:
    """Return the numbers that each example draws, one after each of its waits."""

    def model(n: int) -> list[float]:
        h, numbers = linear(EXAMPLES[n]), []
        for _ in range(waits[n]):
            h = h * 2 if h.sum() > 0 else h * 3
            numbers.append(torch.randn(1).item())
        return numbers

    torch.manual_seed(3)
    return torch.batched(model)(range(len(waits)))


@pytest.mark.parametrize("threads", [False, True])
def test_numbers_of_an_example_that_waits_depend_on_no_other_example(threads, monkeypatch):
    if threads:
        monkeypatch.setattr(coroutines, "greenlet", None)
    found, other = drawn([2, 3, 1, 4, 2, 2, 2]), drawn([5, 3, 2, 1, 2, 7, 1])
    for one, two in zip(found, other, strict=True):
        assert one[: len(two)] == two[: len(one)]
    assert len({number for numbers in found for number in numbers}) == 16


def test_batch_that_waits_and_draws_nothing_leaves_the_random_numbers_alone():
    torch.manual_seed(3)
    expected = torch.randn(4)
    torch.manual_seed(3)
    batch(halved)
    assert torch.equal(torch.randn(4), expected)


def test_batches_that_wait_draw_other_numbers_each_time():
    def model(x: Any) -> Any:
        return torch.rand(1).item() if linear(x).sum() > -1e9 else None

    assert not set(batch(model)) & set(batch(model))


def test_sample_of_a_choice_waits_for_no_value_and_equals_loop():
    def model(x: Any) -> Any:
        return F.gumbel_softmax(linear(x), tau=0.5)

    torch.manual_seed(3)
    expected = loop(model)
    torch.manual_seed(3)
    torch.testing.assert_close(batch(model), expected)


def test_values_are_printed_as_tensors():
    def model(x: Any) -> str:
        return repr(linear(x).detach())

    assert batch(model) == loop(model)


def test_dropout_runs_together_with_the_numbers_of_the_loop():
    names: list[str] = []

    def model(x: Any) -> Any:
        h = linear(F.dropout(linear(x), 0.5))
        names.append(type(h).__name__)
        return drop(h.tanh())

    drop = torch.nn.Dropout(0.25)
    torch.manual_seed(3)
    expected = results(model, loop)
    torch.manual_seed(3)
    found = results(model, batch)
    torch.testing.assert_close(found[0], expected[0])
    torch.testing.assert_close(found[1][:2], expected[1][:2])
    assert names == ["Tensor"] * 7 + ["Lazy"] * 7


def test_values_of_former_steps_are_freed_while_the_batch_runs_under_no_grad():
    def model(x: Any) -> int:
        h = linear(x)
        for _ in range(30):
            h = torch.where(h > 0, linear(h).tanh(), linear(h)) if h.sum() > -1e9 else h
        return sum(type(each) is Whole for each in gc.get_objects())

    with torch.no_grad():
        assert max(torch.batched(model)(EXAMPLES)) < 20


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "randn_like"])
def test_tensor_like_a_lazy_one_waits_for_no_value(name):
    kinds: list[str] = []

    def model(x: Any) -> Any:
        h = linear(x)
        made = getattr(torch, name)(h)
        kinds.append(type(h).__name__)
        return made + h

    torch.manual_seed(3)
    expected = torch.stack(loop(model))
    torch.manual_seed(3)
    torch.testing.assert_close(torch.stack(batch(model)), expected)
    assert kinds == ["Tensor"] * 7 + ["Lazy"] * 7


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "matmul", "pow", "lt"])
def test_operator_with_a_parameter_on_the_left_waits_for_no_value(name):
    kinds: list[str] = []

    def model(x: Any) -> Any:
        made = getattr(operator, name)(matrix, linear(x))
        kinds.append(type(made).__name__)
        return made

    batch(model)
    assert kinds == ["Lazy"] * 7 and name not in vars(torch.nn.Parameter)


def test_view_of_a_parameter_is_one_for_all_examples():
    views: list[Any] = []
    batch(lambda x: linear(x) @ (views.append(matrix.T) or views[-1]))
    assert len({id(view) for view in views}) == 1


def test_view_of_a_parameter_that_each_example_writes_to_is_as_in_the_loop():
    def writing(x: Any) -> Any:
        matrix.add_(1)
        return linear(x) @ matrix.T

    with torch.no_grad():
        before, found = matrix.clone(), []
        for run in (loop, batch):
            matrix.copy_(before)
            found.append(torch.stack(run(writing)))
        matrix.copy_(before)
    torch.testing.assert_close(*found, rtol=1e-5, atol=1e-5)


LOOKS = [
    "(h.size(), h.size(0), h.shape, len(h), h.sum().dim(), h.numel(), h.dtype, h.is_leaf, torch.is_tensor(h))",
    "h.size(5)",
    "len(h.sum())",
    "bool(h)",
    "float(h)",
    "int(h)",
    "(bool(h.sum() > 0), int(h.sum() > 0), 1.5 in h.detach(), h.argmax().item(), h.detach().requires_grad)",
    "h.item()",
    "h[9]",
    "h + None",
    "h + True + (True + h) - 2 ** h",
    "h.sum().detach() * F.embedding(word.where(h.sum() > 0, word * 0), matrix) + F.embedding(h.argmax(), matrix)",
    "torch.cat([h, h[:0]]) * torch.add(h, 2, alpha=h.shape[0]).where(h > 0, h * h.shape[0])",
    "max(h) + min(h, key=lambda v: -v.item()) + sum(h) + [*reversed(h)][0]",
    "(h, {'a': [h * 2, None, 3]}, 's')",
    "(lambda z: (z.copy_(h), z.__setitem__(0, h[1]), z)[2])(torch.zeros(4))",
    "linear.weight @ h + linear.weight.t()[0] * h + linear.weight.sum() * h + linear.bias.view(2, 2).sum()",
    "copy.deepcopy(h.detach()) * 2 + pickle.loads(pickle.dumps(h.detach()))",
    "torch.vmap(lambda row: row * 2)(h.view(2, 2))",
]


@pytest.mark.parametrize("body", LOOKS)
def test_looks_at_a_lazy_tensor_give_those_of_the_loop(body):
    """Sizes, numbers, errors, containers and copies."""

    def shown(value: Any) -> Any:
        if isinstance(value, (tuple, list, dict)):
            return [shown(each) for each in (value.values() if isinstance(value, dict) else value)]
        return value.detach().double().numpy() if isinstance(value, torch.Tensor) else value

    def outcome(run: Any) -> Any:
        try:
            return shown(run(lambda x: eval(body, {**globals(), "h": linear(x)})))
        except Exception as error:
            return [type(error), str(error)]

    def alike(found: Any, wanted: Any) -> bool:
        if isinstance(wanted, list):
            return len(found) == len(wanted) and all(map(alike, found, wanted))
        is_number = isinstance(wanted, (float, np.ndarray))
        return np.allclose(found, wanted, 1e-4, 1e-5) if is_number else found == wanted

    wanted = outcome(lambda model: [model(each) for each in EXAMPLES])
    assert alike(outcome(lambda model: torch.batched(model)(EXAMPLES)), wanted), wanted
