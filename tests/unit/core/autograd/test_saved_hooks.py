"""Hooks on saved tensors, and writing into what was saved."""

import pytest

from .test_backward import leaf


def hooks(torch, pack, unpack):
    return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


def test_every_saved_tensor_is_packed_and_unpacked(torch):
    """Inputs and results; numbers are left alone."""
    packed, unpacked = [], []
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)
    with hooks(torch, lambda t: packed.append(t.tolist()) or t, lambda t: unpacked.append(t.tolist()) or t):
        z = (x * y).exp() * 3
    assert sorted(packed) == sorted([[1, 2], [3, 4], (x * y).exp().tolist()])
    z.sum().backward()
    assert sorted(map(str, unpacked)) == sorted(map(str, packed))
    assert torch.allclose(x.grad, 3 * y * (x * y).exp())


def test_packing_may_change_the_form(torch):
    """What pack returns is kept as it is; what unpack returns is used."""
    x = leaf(torch, 1, 2)
    with hooks(torch, lambda t: t.tolist(), lambda kept: torch.tensor(kept, dtype=torch.float64) * 10):
        y = x * x
    y.sum().backward()
    assert x.grad.tolist() == [20, 40]


def test_the_innermost_hooks_count(torch):
    """Blocks nest."""
    x = leaf(torch, 1)
    seen = []
    with hooks(torch, lambda t: seen.append("outer") or t, lambda t: t):
        with hooks(torch, lambda t: seen.append("inner") or t, lambda t: t):
            x.exp()
        x.exp()
    assert seen == ["inner", "outer"]


def test_saved_attributes_unpack(torch):
    """`_saved_*` shows the unpacked value with its history."""
    x = leaf(torch, 1, 2)
    with hooks(torch, lambda t: t * 2, lambda t: t / 2):
        y = x.exp()
    assert torch.allclose(y.grad_fn._saved_result, x.exp())
    assert y.grad_fn._saved_result.grad_fn is y.grad_fn


def test_second_order_through_hooks(torch):
    """What is unpacked keeps its place in the graph."""
    x = leaf(torch, 2)
    with hooks(torch, lambda t: t.clone(), lambda t: t):
        y = (x**3).sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert torch.autograd.grad(g.sum(), x)[0].item() == 12


def test_custom_functions_are_packed_too(torch):
    """Whatever save_for_backward was given."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, x * 2)
            return x * x

        @staticmethod
        def backward(ctx, g):
            x, double = ctx.saved_tensors
            return g * (x + double)

    x = leaf(torch, 3)
    packed = []
    with hooks(torch, lambda t: packed.append(t.item()) or t, lambda t: t * 10):
        y = Square.apply(x)
    y.sum().backward()
    assert packed == [3, 6]
    assert x.grad.item() == 90


def test_pack_may_not_write(torch):
    """Its argument is the value itself."""
    x = leaf(torch, 1, 2)
    with (
        pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input in place"),
        hooks(torch, lambda t: t.mul_(2), lambda t: t),
    ):
        x.exp()


def test_errors_in_hooks_pass(torch):
    """At once for pack, in backward for unpack."""

    def fails(_):
        raise KeyError("mine")

    x = leaf(torch, 1)
    with pytest.raises(KeyError, match="mine"), hooks(torch, fails, lambda t: t):
        x.exp()
    with hooks(torch, lambda t: t, fails):
        y = x.exp()
    with pytest.raises(KeyError, match="mine"):
        y.backward()


def test_hooks_can_be_disabled(torch):
    """With a sentence of one's own."""
    x = leaf(torch, 1)
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        with pytest.raises(RuntimeError, match="not here"), hooks(torch, lambda t: t, lambda t: t):
            pass
        x.exp()
    with hooks(torch, lambda t: t, lambda t: t):
        x.exp()


def test_save_on_cpu(torch):
    """Gradients are the same."""
    x = leaf(torch, 1, 2)
    with torch.autograd.graph.save_on_cpu():
        y = (x * x).exp()
    y.sum().backward()
    assert torch.allclose(x.grad, 2 * x * (x * x).exp())


def test_writing_is_not_noticed_with_hooks(torch):
    """With hooks there is no version to compare; what was packed is used."""
    x = leaf(torch, 1, 2)
    y = x.clone()
    with hooks(torch, lambda t: t.clone(), lambda t: t):
        z = y * y
    y.mul_(10)
    z.sum().backward()
    assert x.grad.tolist() == [2, 4]


def test_mutation_on_saved_tensors(torch):
    """Inside the block, saved tensors may be written; backward sees the old values."""
    x = leaf(torch, 1, 2)
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as kept:
        y = x.clone()
        z = y * y
        w = y.sin()
        assert (len(kept.original), len(kept.cloned)) == (1, 0)
        y.mul_(10)
        y[0] = 3
        assert len(kept.cloned) >= 1
        (z + w).sum().backward()
    assert torch.allclose(x.grad, 2 * x + x.cos())


def test_mutation_blocks_do_not_nest(torch):
    """One at a time, and backward has to run inside."""
    allow = torch.autograd.graph.allow_mutation_on_saved_tensors
    x = leaf(torch, 1)
    with allow():
        y = x * x
        with pytest.raises(RuntimeError, match="allow_mutation_on_saved_tensors contexts cannot be nested"), allow():
            pass
    with pytest.raises(
        AssertionError, match="Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
    ):
        y.backward()


def test_extra_exit_in_backward(torch):
    """A hook that unbalances the blocks does not disturb what comes after."""
    context = hooks(torch, lambda t: t, lambda t: t)
    x = leaf(torch, 1)
    y = x.exp()
    y.register_hook(lambda g: context.__enter__())
    y.backward()
    x.exp().backward()
    assert x.grad is not None
