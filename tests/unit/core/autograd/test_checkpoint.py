"""Checkpointing, both kinds: same gradients, run again, errors; and less memory held."""

import importlib
import warnings

import pytest

from .test_backward import leaf


def tools(torch):
    return importlib.import_module(torch.__name__ + ".utils.checkpoint")


def body(calls):
    def run(x, y=None, scale=1.0):
        calls.append(1)
        z = (x.exp() * x).sin() * scale
        return z if y is None else z * y

    return run


@pytest.mark.parametrize("reentrant", [True, False])
def test_gradients_are_the_same(torch, reentrant):
    """The part runs twice."""
    calls = []
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)
    tools(torch).checkpoint(body(calls), x, y, use_reentrant=reentrant).sum().backward()
    assert len(calls) == 2
    found = x.grad, y.grad
    x.grad = y.grad = None
    body(calls)(x, y).sum().backward()
    assert torch.allclose(found[0], x.grad)
    assert torch.allclose(found[1], y.grad)


def test_keyword_arguments(torch):
    """The kind that is not re-entrant takes them."""
    x = leaf(torch, 1, 2)
    tools(torch).checkpoint(body([]), x, scale=3.0, use_reentrant=False).sum().backward()
    found = x.grad
    x.grad = None
    (body([])(x) * 3).sum().backward()
    assert torch.allclose(found, x.grad)
    with pytest.raises(ValueError, match="Unexpected keyword arguments: scale"):
        tools(torch).checkpoint(body([]), x, scale=3.0, use_reentrant=True)


def test_nested(torch):
    """A checkpoint inside a checkpoint runs its part again, and no more than needed."""
    checkpoint = tools(torch).checkpoint
    calls = []
    f = body(calls)
    x = leaf(torch, 0.1, 0.2)

    def outer(a):
        return checkpoint(f, checkpoint(f, a, use_reentrant=False) * 2, use_reentrant=False).exp()

    checkpoint(outer, x, use_reentrant=False).sum().backward()
    found = x.grad
    x.grad = None
    f(f(x) * 2).exp().sum().backward()
    assert torch.allclose(found, x.grad)


def test_grad_and_inputs(torch):
    """Only the kind that is not re-entrant can be used with them."""
    checkpoint = tools(torch).checkpoint
    x = leaf(torch, 1, 2)
    with pytest.raises(RuntimeError, match="When use_reentrant=True, torch.utils.checkpoint is incompatible"):
        torch.autograd.grad(checkpoint(torch.exp, x, use_reentrant=True).sum(), x)
    (g,) = torch.autograd.grad(checkpoint(torch.exp, x, use_reentrant=False).sum(), x)
    assert torch.allclose(g, x.exp())
    checkpoint(torch.exp, x, use_reentrant=True).sum().backward()
    assert torch.allclose(x.grad, x.exp())


def test_saved_values_outside_backward(torch):
    """Each look computes the part again; after backward they are freed."""
    calls = []
    x = leaf(torch, 1)

    def f(a):
        calls.append(1)
        return a.exp()

    y = tools(torch).checkpoint(f, x, use_reentrant=False)
    _ = y.grad_fn._saved_result
    _ = y.grad_fn._saved_result
    assert len(calls) == 3
    y.backward()
    assert len(calls) == 4
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        _ = y.grad_fn._saved_result


def test_the_graph_can_be_walked_again(torch):
    """With retain_graph, each backward runs the part again."""
    calls = []
    x = leaf(torch, 1, 2)
    y = tools(torch).checkpoint(body(calls), x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    first = x.grad.clone()
    y.backward()
    assert torch.allclose(x.grad, first * 2)
    assert len(calls) == 3


def test_a_part_that_changes_is_noticed(torch):
    """Another shape, or another number of values."""
    checkpoint = tools(torch).checkpoint
    for change in (lambda a, n: a[: 2 - n].exp().sum(), lambda a, n: a.exp().sum() if n else a.exp().exp().sum()):
        count = []

        def f(a, change=change, count=count):
            count.append(1)
            return change(a, len(count) - 1)

        x = leaf(torch, 1, 2)
        with tools(torch).set_checkpoint_early_stop(False):
            y = checkpoint(f, x, use_reentrant=False)
        with pytest.raises(
            RuntimeError, match="torch.utils.checkpoint: (Recomputed values|A different number of tensors)"
        ):
            y.backward()


def test_early_stop(torch):
    """What comes after the last saved value is not run again, unless told to."""
    after = []

    def f(a):
        b = a.exp()
        after.append(1)
        return b

    for stop, expected in ((True, 1), (False, 2)):
        after.clear()
        with tools(torch).set_checkpoint_early_stop(stop):
            y = tools(torch).checkpoint(f, leaf(torch, 1), use_reentrant=False)
        y.backward()
        assert len(after) == expected


def test_random_numbers_are_drawn_again(torch):
    """The state of the generator is restored for the part and put back afterwards."""
    x = torch.ones(100, dtype=torch.float64, requires_grad=True)
    for reentrant in (True, False):
        x.grad = None
        torch.manual_seed(0)
        y = tools(torch).checkpoint(lambda a: a * torch.rand(100, dtype=torch.float64), x, use_reentrant=reentrant)
        y.sum().backward()
        assert torch.allclose(x.grad, y)
        following = torch.rand(1).item()
        torch.manual_seed(0)
        torch.rand(100, dtype=torch.float64)
        assert torch.rand(1).item() == following


def test_sequences(torch):
    """Segments of a list of functions."""
    x = leaf(torch, 0.1, 0.2)
    parts = [torch.exp, torch.sin, torch.cos, torch.tanh, torch.sigmoid]
    for reentrant in (True, False):
        x.grad = None
        tools(torch).checkpoint_sequential(parts, 2, x, use_reentrant=reentrant).sum().backward()
        found = x.grad
        x.grad = None
        y = x
        for part in parts:
            y = part(y)
        y.sum().backward()
        assert torch.allclose(found, x.grad)


def test_warnings(torch):
    """The kind should be named, and an input should require grad for the re-entrant one."""
    x = leaf(torch, 1)
    with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
        tools(torch).checkpoint(torch.exp, x)
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True. Gradients will be None"):
        tools(torch).checkpoint(torch.exp, torch.ones(1), use_reentrant=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tools(torch).checkpoint(torch.exp, x, use_reentrant=False)


def test_memory_falls():
    """Between forward and backward, the saved values of a checkpointed part are not held."""
    import tracemalloc

    import dyncore

    def part(a):
        for _ in range(20):
            a = a.exp().tanh()
        return a

    def held(run):
        x = dyncore.ones(10_000, dtype=dyncore.float64, requires_grad=True)
        tracemalloc.start()
        y = run(x)
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        y.sum().backward()
        return size

    plain = held(part)
    kept = held(lambda x: tools(dyncore).checkpoint(part, x, use_reentrant=False))
    assert kept < plain / 10
