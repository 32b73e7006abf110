"""`autograd.Function`: what `ctx` offers, what backward may return, what becomes of the outputs."""

import pytest

from .test_backward import leaf


def made(torch, forward, backward, name="Mine", **more):
    """A Function of two functions."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (torch.autograd.Function,), members | {k: staticmethod(v) for k, v in more.items()})


def test_saved_tensors_and_attributes(torch):
    """What forward saves, backward finds; inputs are the same objects."""
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)

    def forward(ctx, a, b, k):
        ctx.save_for_backward(a, b, None)
        ctx.k = k
        return a * b * k

    def backward(ctx, g):
        a, b, nothing = ctx.saved_tensors
        assert nothing is None
        assert a is x
        assert ctx.needs_input_grad == (True, True, False)
        return g * b * ctx.k, g * a * ctx.k, None

    z = made(torch, forward, backward).apply(x, y, 10)
    assert z.grad_fn.name() == "MineBackward"
    assert [node.variable is t for (node, _), t in zip(z.grad_fn.next_functions, (x, y), strict=True)] == [True, True]
    z.sum().backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([30, 40], [10, 20])
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        _ = z.grad_fn.saved_tensors


def test_double_backward(torch):
    """Operations of backward are recorded under create_graph."""
    f = made(torch, lambda ctx, a: ctx.save_for_backward(a) or a**3, lambda ctx, g: g * 3 * ctx.saved_tensors[0] ** 2)
    x = leaf(torch, 2)
    (g,) = torch.autograd.grad(f.apply(x).sum(), x, create_graph=True)
    assert torch.autograd.grad(g.sum(), x)[0].item() == 12


def test_saving_an_output(torch):
    """A saved output leads back to its node and makes no cycle."""
    f = made(torch, lambda ctx, a: (ctx.save_for_backward(r := a.exp()), r)[1], lambda ctx, g: g * ctx.saved_tensors[0])
    x = leaf(torch, 1)
    (g,) = torch.autograd.grad(f.apply(x).sum(), x, create_graph=True)
    (gg,) = torch.autograd.grad(g.sum(), x)
    assert torch.allclose(gg, x.exp())


def test_setup_context(torch):
    """forward without ctx, and a second function that saves."""

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x, times=2):
            return x**3 * times

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])
            ctx.times = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g * 3 * ctx.saved_tensors[0] ** 2 * ctx.times, None

    x = leaf(torch, 2)
    Cube.apply(x).sum().backward()
    assert x.grad.item() == 24


@pytest.mark.parametrize(
    ("backward", "kind", "sentence"),
    [
        (
            lambda ctx, g: (g, g),
            RuntimeError,
            r"function MineBackward returned an incorrect number of gradients \(expected 1, got 2\)",
        ),
        (lambda ctx, g: 3, (TypeError, RuntimeError), r"expected Variable or None \(got int\)"),
        (
            lambda ctx, g: g[:1],
            RuntimeError,
            r"returned an invalid gradient at index 0 - got \[1\] but expected shape compatible with \[2\]",
        ),
    ],
)
def test_what_backward_may_not_return(torch, backward, kind, sentence):
    """Too many, no tensors, wrong shapes."""
    f = made(torch, lambda ctx, a: a * 2, backward)
    with pytest.raises(kind, match=sentence):
        f.apply(leaf(torch, 1, 2)).sum().backward()


def test_a_gradient_for_a_number(torch):
    """Arguments that are no tensors have no gradient."""
    f = made(torch, lambda ctx, a, k: a * k, lambda ctx, g: (g, g))
    with pytest.raises(RuntimeError, match="returned a gradient different than None at position 2"):
        f.apply(leaf(torch, 1), 2).sum().backward()


def test_wide_gradients_are_summed(torch):
    """A gradient that was broadcast is brought back."""
    f = made(torch, lambda ctx, a: a * 2, lambda ctx, g: torch.ones(3, 2, dtype=torch.float64))
    x = leaf(torch, 1, 2)
    f.apply(x).sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_missing_gradients(torch):
    """Zeros by default, None with set_materialize_grads(False)."""
    seen = []

    def backward(ctx, *grads):
        seen.append([None if g is None else g.tolist() for g in grads])
        return grads[0] if grads[0] is not None else grads[1]

    x = leaf(torch, 1, 2)
    for value in (True, False):
        f = made(torch, lambda ctx, a, v=value: ctx.set_materialize_grads(v) or (a * 1, a * 2), backward)
        f.apply(x)[1].sum().backward()
    assert seen == [[[0, 0], [1, 1]], [None, [1, 1]]]


def test_outputs_that_are_no_tensors(torch):
    """They pass through; backward gets None for them."""
    f = made(torch, lambda ctx, a: (a * 2, 3, "text", None), lambda ctx, *g: g[0] * len([x for x in g if x is None]))
    x = leaf(torch, 1)
    y, three, text, nothing = f.apply(x)
    assert (three, text, nothing) == (3, "text", None)
    y.sum().backward()
    assert x.grad.item() == 3


def test_non_differentiable_outputs(torch):
    """Marked ones and integers require no grad."""

    def forward(ctx, a):
        mask = a > 1
        b = a * 2
        ctx.mark_non_differentiable(b)
        return a * 3, b, mask

    x = leaf(torch, 1, 2)
    y, b, mask = made(torch, forward, lambda ctx, g, gb, gm: g * 3).apply(x)
    assert [t.requires_grad for t in (y, b, mask)] == [True, False, False]
    y.sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_returning_an_input(torch):
    """It comes back as a view with the node as its history, and cannot be written in place."""
    x = leaf(torch, 1)
    y = made(torch, lambda ctx, a: a, lambda ctx, g: g * 7).apply(x)
    assert y is not x
    assert y._base is x
    y.sum().backward()
    assert x.grad.item() == 7
    with pytest.raises(
        RuntimeError, match="Output 0 of Mine is a view and is being modified inplace. This view was created"
    ):
        y.mul_(2)


def test_returning_the_same_tensor_twice(torch):
    """One object; all its gradient belongs to the last place."""
    f = made(torch, lambda ctx, a: (r := a * 2, r), lambda ctx, g, h: g * 2 + h * 2)
    x = leaf(torch, 1)
    a, b = f.apply(x)
    assert a is b
    (a + b).sum().backward()
    assert x.grad.item() == 4


def test_writing_an_input(torch):
    """mark_dirty: the input gets the node as its new history."""
    f = made(torch, lambda ctx, a: ctx.mark_dirty(a) or a.mul_(2), lambda ctx, g: g * 2)
    x = leaf(torch, 1, 2)
    y = x.clone()
    z = f.apply(y)
    assert z is y
    assert z.grad_fn.name() == "MineBackward"
    z.sum().backward()
    assert x.grad.tolist() == [2, 2]
    with pytest.raises(
        RuntimeError, match="a leaf Variable that requires grad has been used in an in-place operation."
    ):
        f.apply(x)


def test_writing_an_input_without_returning_it(torch):
    """It has to be an output."""
    f = made(torch, lambda ctx, a: ctx.mark_dirty(a) or a.mul_(2) * 1, lambda ctx, g: g)
    with pytest.raises(
        RuntimeError, match="Some elements marked as dirty during the forward method were not returned as output"
    ):
        f.apply(leaf(torch, 1).clone())


def test_writing_a_view(torch):
    """The base's history goes through the node."""
    f = made(torch, lambda ctx, a: ctx.mark_dirty(a) or a.mul_(2), lambda ctx, g: g * 5)
    x = leaf(torch, 1, 2)
    base = x.clone()
    f.apply(base[:1])
    base.sum().backward()
    assert x.grad.tolist() == [5, 1]


def test_a_view_made_in_forward(torch):
    """It may be returned, not written."""
    y = made(torch, lambda ctx, a: a.view(2), lambda ctx, g: g).apply(leaf(torch, 1, 2).clone())
    with pytest.raises(RuntimeError, match="the autograd logic to handle view.inplace would override"):
        y.mul_(2)


def test_once_differentiable(torch):
    """A second derivative says why it cannot be had."""
    f = made(
        torch,
        lambda ctx, a: ctx.save_for_backward(a) or a * a,
        torch.autograd.function.once_differentiable(lambda ctx, g: g * 2 * ctx.saved_tensors[0]),
    )
    x = leaf(torch, 3)
    (g,) = torch.autograd.grad((f.apply(x) ** 2).sum(), x, create_graph=True)
    assert g.item() == 108
    with pytest.raises(
        RuntimeError, match="trying to differentiate twice a function that was marked with @once_differentiable"
    ):
        g.sum().backward()


def test_once_differentiable_backward_of_a_tuple_returns_each_gradient(torch):
    """One gradient or several in a tuple, each with the error behind it."""
    once = torch.autograd.function.once_differentiable
    x, y = leaf(torch, 3), leaf(torch, 5)
    one = made(torch, lambda ctx, a: a * 2, once(lambda ctx, g: (g * 2,)))
    two = made(torch, lambda ctx, a, b: a * 2 + b * 3, once(lambda ctx, g: (g * 2, g * 3)))
    (g,) = torch.autograd.grad((one.apply(x) ** 2).sum(), x, create_graph=True)
    pair = torch.autograd.grad((two.apply(x, y) ** 2).sum(), (x, y), create_graph=True)
    assert [24, 84, 126] == [each.item() for each in (g, *pair)]
    for each in (g, *pair):
        with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
            each.backward()


def test_errors_of_the_user_pass(torch):
    """What forward or backward raises comes out as it is."""

    def fails(ctx, g):
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        made(torch, lambda ctx, a: a * 2, fails).apply(leaf(torch, 1)).sum().backward()


def test_saving_what_is_no_tensor(torch):
    """save_for_backward takes tensors and None."""
    with pytest.raises(TypeError, match="save_for_backward can only save variables, but argument 0 is of type int"):
        made(torch, lambda ctx, a: ctx.save_for_backward(3) or a, lambda ctx, g: g).apply(leaf(torch, 1))


def test_functions_are_not_instances(torch):
    """The legacy form is refused."""
    f = made(torch, lambda ctx, a: a, lambda ctx, g: g)
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        old = f()
    with pytest.raises(RuntimeError, match="Legacy autograd function with non-static forward method is deprecated"):
        old(leaf(torch, 1))


def test_without_a_forward_or_backward(torch):
    """The sentences name what is missing."""

    class Empty(torch.autograd.Function):
        pass

    class Half(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

    with pytest.raises(NotImplementedError, match="You must implement the forward function"):
        Empty.apply(leaf(torch, 1))
    with pytest.raises(NotImplementedError, match="You must implement either the backward or vjp method"):
        Half.apply(leaf(torch, 1)).sum().backward()


def test_no_graph_without_gradients(torch):
    """Nothing is recorded for constants or under no_grad."""
    f = made(torch, lambda ctx, a: a * 2, lambda ctx, g: g)
    assert f.apply(torch.ones(1)).grad_fn is None
    with torch.no_grad():
        assert f.apply(leaf(torch, 1)).grad_fn is None


def test_a_returned_saved_tensor_is_not_stolen(torch):
    """`.grad` has memory of its own even when backward returns what it saved."""
    x = leaf(torch, 1, 2)
    kept = torch.tensor([5.0, 6.0], dtype=torch.float64)
    made(torch, lambda ctx, a: a * 2, lambda ctx, g: kept).apply(x).sum().backward()
    x.grad.zero_()
    assert kept.tolist() == [5, 6]


def test_a_changed_saved_tensor(torch):
    """It is noticed in backward."""
    f = made(torch, lambda ctx, a: ctx.save_for_backward(a) or a * 2, lambda ctx, g: g * ctx.saved_tensors[0])
    y = leaf(torch, 1, 2).clone()
    z = f.apply(y)
    y.add_(1)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        z.sum().backward()
