"""Hooks on tensors and nodes: when they run, what they may change, how they go away."""

import gc
import weakref

import pytest

from .test_backward import leaf


def test_a_hook_replaces_the_gradient(torch):
    """In the order of registration, each on what the one before returned."""
    x = leaf(torch, 1, 2)
    y = x * 3
    seen = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.register_hook(lambda g: g * 10)
    handle = y.register_hook(lambda g: g * 7)
    y.register_hook(lambda g: seen.append(g.tolist()))
    handle.remove()
    handle.remove()
    y.sum().backward()
    assert seen == [[1, 1], [10, 10]]
    assert x.grad.tolist() == [30, 30]


def test_hooks_of_a_tensor_share_the_gradient_object(torch):
    """Hand what one sets on it to the next; a returned gradient takes its place."""
    y = leaf(torch, 1, 2) * 3
    seen = []
    y.register_hook(lambda g: setattr(g, "mark", "set"))
    y.register_hook(lambda g: seen.append(g.mark))
    y.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: seen.append(hasattr(g, "mark")))
    y.sum().backward()
    assert seen == ["set", False]


def test_a_hook_on_a_leaf(torch):
    """It changes what is accumulated, and what `grad` returns."""
    x = leaf(torch, 1, 2)
    x.register_hook(lambda g: g + 1)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [3, 3]
    assert torch.autograd.grad((x * 2).sum(), x)[0].tolist() == [3, 3]


def test_a_handle_is_a_context(torch):
    """Leaving the block removes the hook."""
    x = leaf(torch, 1)
    with x.register_hook(lambda g: g * 2):
        (x * 1).sum().backward()
    (x * 1).sum().backward()
    assert x.grad.item() == 3


def first(g):
    return g.float()


def second(g):
    return g[:1]


def third(g):
    return 3


@pytest.mark.parametrize(
    ("hook", "kind", "sentence"),
    [
        (
            first,
            RuntimeError,
            r"hook 'first' has changed the type of value \(was torch.DoubleTensor got torch.FloatTensor\)",
        ),
        (second, RuntimeError, "hook 'second' has changed the size of value"),
        (third, TypeError, "expected Variable, but hook returned 'int'"),
    ],
)
def test_what_a_hook_may_not_return(torch, hook, kind, sentence):
    """Other shapes, dtypes, or no tensor at all."""
    x = leaf(torch, 1, 2)
    y = x * 2
    y.register_hook(hook)
    with pytest.raises(kind, match=sentence):
        y.sum().backward()


def test_no_hook_without_gradient(torch):
    """A tensor that requires no grad takes no hook."""
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"):
        torch.ones(1).register_hook(print)


def test_hooks_belong_to_the_version(torch):
    """A hook set before an in-place operation sees the gradient of the old version."""
    seen = []
    x = leaf(torch, 1)
    y = x.clone()
    y.register_hook(lambda g: seen.append(("old", g.item())))
    y.mul_(4)
    y.register_hook(lambda g: seen.append(("new", g.item())))
    y.sum().backward()
    assert seen == [("new", 1), ("old", 4)]


def test_retained_gradients_move_with_the_tensor(torch):
    """After an in-place operation the kept gradient is the new version's."""
    x = leaf(torch, 1)
    y = x.clone()
    y.retain_grad()
    y.mul_(4)
    y.sum().backward()
    assert y.grad.item() == 1


def test_retained_gradient_sees_every_hook(torch):
    """What retains runs last, however early it was asked for."""
    x = leaf(torch, 1)
    y = x * 1
    y.retain_grad()
    y.register_hook(lambda g: g * 5)
    y.sum().backward()
    assert y.grad.item() == 5


def test_hook_of_a_chosen_leaf_runs_once_its_gradient_is_whole(torch):
    """Two ops deliver to it; the rest of the graph follows."""
    x, w = leaf(torch, 1, 2), leaf(torch, 3, 4)
    seen = []
    h = x * 2
    h.register_hook(lambda g: seen.append(("h", g.tolist())))
    w.register_hook(lambda g: seen.append(("w", g.tolist())))
    (h * w + w).sum().backward(inputs=[w, x])
    assert seen == [("w", [3, 5]), ("h", [3, 4])]


def test_hooks_of_outputs_without_gradient_get_none(torch):
    """The node of several outputs calls the hooks of all of them."""
    seen = []
    a, b = leaf(torch, 1, 2).unbind()
    a.register_hook(seen.append)
    b.backward()
    assert seen == [None]


def test_node_hooks(torch):
    """Pre-hooks get the gradients of the outputs, post-hooks also those of the inputs, and may replace them."""
    x, c = leaf(torch, 1, 2), torch.tensor([3.0, 4.0], dtype=torch.float64)
    y = x * c
    seen = []
    y.grad_fn.register_prehook(lambda g: (g[0] * 2,))

    def post(inputs, outputs):
        seen.append(([None if g is None else g.tolist() for g in inputs], [g.tolist() for g in outputs]))
        return (inputs[0] * 10, None)

    handle = y.grad_fn.register_hook(post)
    y.sum().backward(retain_graph=True)
    assert seen == [([[6, 8], None], [[2, 2]])]
    assert x.grad.tolist() == [60, 80]
    handle.remove()
    y.sum().backward()
    assert x.grad.tolist() == [66, 88]


def test_node_pre_hook_of_several_outputs(torch):
    """It gets one gradient for each output, None where none came."""
    seen = []
    x = leaf(torch, 1, 2)
    a, b = x.unbind()
    a.grad_fn.register_prehook(lambda grads: seen.append([None if g is None else g.item() for g in grads]))
    b.backward()
    assert seen == [[None, 1]]


def test_order_around_a_leaf(torch):
    """Tensor hook, node pre-hook, accumulation, post-accumulate hook, node post-hook."""
    x = leaf(torch, 1)
    order = []
    node = x.view_as(x).grad_fn.next_functions[0][0]
    node.register_hook(lambda inputs, outputs: order.append(("post", x.grad.item())))
    node.register_prehook(lambda grads: order.append(("pre", grads[0].item())) or (grads[0] + 1,))
    x.register_post_accumulate_grad_hook(lambda t: order.append(("accumulated", t.grad.item())))
    x.register_hook(lambda g: order.append(("tensor", g.item())) or g * 5)
    x.sum().backward()
    assert order == [("tensor", 1), ("pre", 5), ("accumulated", 6), ("post", 6)]


def test_post_accumulate_hook(torch):
    """Runs after each accumulation, returns None, and only on leaves."""
    x = leaf(torch, 1, 2)
    count = []

    def hook(tensor):
        count.append(tensor is x)
        with torch.no_grad():
            tensor -= tensor.grad
        tensor.grad = None

    handle = x.register_post_accumulate_grad_hook(hook)
    (x * 2).sum().backward()
    assert (x.tolist(), x.grad, count) == ([-1, 0], None, [True])
    handle.remove()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="post accumulate grad hooks cannot be registered on non-leaf tensors"):
        (x * 2).register_post_accumulate_grad_hook(hook)


def test_post_accumulate_hook_returning_a_value(torch):
    """It is refused, and so is a leaf without grad."""
    x = leaf(torch, 1)
    x.register_post_accumulate_grad_hook(lambda t: t * 2)
    with pytest.raises(RuntimeError, match="hooks should return None."):
        (x * 2).sum().backward()
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"):
        torch.ones(1).register_post_accumulate_grad_hook(print)


def test_hooks_do_not_keep_their_tensor(torch):
    """A leaf with a hook on itself is collected."""
    x = leaf(torch, 1)
    gone = weakref.ref(x)

    x.register_post_accumulate_grad_hook(lambda t: None)
    (x * 2).sum().backward()
    del x
    gc.collect()
    assert gone() is None


def test_multi_grad_hook_waits_for_all(torch):
    """Once for each backward, with None for tensors it does not reach."""
    x, y, z = leaf(torch, 1), leaf(torch, 2), leaf(torch, 3)
    seen = []
    handle = torch.autograd.graph.register_multi_grad_hook(
        (x, y, z), lambda grads: seen.append([None if g is None else g.item() for g in grads])
    )
    (x * 2 + y * 3).sum().backward()
    (x * z).sum().backward()
    assert seen == [[2, 3, None], [3, None, 1]]
    handle.remove()
    (x * z).sum().backward()
    assert len(seen) == 2


def test_multi_grad_hook_for_the_first(torch):
    """With mode="any", the first gradient alone."""
    x, y = leaf(torch, 1), leaf(torch, 2)
    seen = []
    torch.autograd.graph.register_multi_grad_hook((x, y), lambda g: seen.append(g.item()), mode="any")
    (x * 2 + y * 2).sum().backward()
    assert seen == [2]
    with pytest.raises(ValueError, match="Expects mode to be one of"):
        torch.autograd.graph.register_multi_grad_hook((x, y), print, mode="foo")


def test_a_hook_may_record(torch):
    """Under create_graph what a hook computes is differentiable."""
    x = leaf(torch, 2)
    y = x * 3
    y.register_hook(lambda g: g * x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert g.item() == 6
    assert torch.autograd.grad(g.sum(), x)[0].item() == 3


def test_a_post_hook_sees_none_for_accumulators(torch):
    """`autograd.grad` does not run accumulators, so their post-hooks stay silent."""
    x = leaf(torch, 1)
    ran = []
    node = x.view_as(x).grad_fn.next_functions[0][0]
    node.register_hook(lambda *_: ran.append(1))
    torch.autograd.grad((x * 2).sum(), x)
    assert ran == []
    (x * 2).sum().backward()
    assert ran == [1]


def test_leaf_hooks_run_as_soon_as_the_leaf_is_complete(torch):
    """A leaf's gradient is accumulated before older nodes run, so that a hook can let it go early."""
    order = []
    a, b = leaf(torch, 1), leaf(torch, 2)
    a.register_hook(lambda g: order.append("a"))
    b.register_post_accumulate_grad_hook(lambda p: order.append("b"))
    c = a * b
    c.register_hook(lambda g: order.append("c"))
    d = c * 3
    d.register_hook(lambda g: order.append("d"))
    (d * b + a * 0).sum().backward()
    assert order == ["d", "c", "a", "b"]
    order.clear()
    e = a * 2
    e.register_hook(lambda g: order.append("e"))
    (e * b).sum().backward()
    assert order == ["b", "e", "a"]


@pytest.mark.parametrize("where", ["tensor", "node", "leaf", "after", "saved", "function"])
def test_what_runs_within_a_backward_is_not_recorded(torch, where):
    """Nor does the backward after it, which runs none of the user's code, leave anything behind."""
    x = leaf(torch, 1, 2)
    seen = []

    def told(*given):
        seen.append((torch.is_grad_enabled(), (x * 2).requires_grad))

    class Tells(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a.clone()

        @staticmethod
        def backward(ctx, g):
            told()
            return g

    y = Tells.apply(x) * x if where == "function" else x * x
    if where == "tensor":
        y.register_hook(told)
    elif where == "node":
        y.grad_fn.register_hook(told)
    elif where == "leaf":
        x.register_hook(told)
    elif where == "after":
        x.register_post_accumulate_grad_hook(told)
    elif where == "saved":
        y.grad_fn._raw_saved_other.register_hooks(lambda a: a.detach(), lambda a: (told(), a)[1])
    y.sum().backward()
    assert [(False, False)] == seen
    (x.detach().requires_grad_() * 2).sum().backward()
    assert torch.is_grad_enabled() and (x * 2).requires_grad


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("way", ["grad", "backward"])
@pytest.mark.filterwarnings("ignore:Using backward\\(\\) with create_graph=True")
def test_hook_that_is_registered_while_its_node_runs_is_called(torch, create_graph, way):
    """A backward that registers a hook on its own node: the hook sees what the node returned."""
    seen = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            ctx.register_hook(lambda inputs, outputs: seen.append(inputs[0].tolist()))
            return grad * 2

    x = leaf(torch, 1, 2)
    y = Double.apply(x).sum()
    if way == "grad":
        torch.autograd.grad(y, x, create_graph=create_graph)
    else:
        y.backward(create_graph=create_graph)
        x.grad = None
    assert [[2, 2]] == seen
