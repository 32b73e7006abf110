"""Hooks around a leaf's gradient and around the nodes a backward ends at."""

from __future__ import annotations

from collections import OrderedDict

from tests.parity.autograd.same import err


def hooks_of_a_leaf_each_see_the_one_before(torch):
    leaf = torch.zeros(2, requires_grad=True)
    node = leaf.view_as(leaf).grad_fn.next_functions[0][0]
    seen = []

    def before(grads):
        seen.append(grads[0].clone())
        return (grads[0] / 5,)

    def added(tensor):
        tensor.grad.add_(0.5)

    def after(given, taken):
        seen.append((given, taken[0].clone()))

    leaf.register_hook(lambda grad: grad - 2)
    node.register_prehook(before)
    leaf.register_post_accumulate_grad_hook(added)
    node.register_hook(after)
    for _ in range(2):
        leaf.sum().backward()
        seen.append(leaf.grad.clone())
    return seen


def hooks_of_the_node_a_backward_ends_at(torch):
    """`backward(inputs=)` of a computed tensor runs its node with all its hooks; `grad` calls those of the tensor."""
    log = []
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.grad_fn.register_prehook(lambda grads: log.append("node before"))
    y.grad_fn.register_hook(lambda given, taken: log.append("node after"))
    y.register_hook(lambda grad: log.append("tensor"))
    z = y * 3
    z.sum().backward(inputs=(y,), retain_graph=True)
    log.append("|")
    torch.autograd.grad(z.sum(), y, retain_graph=True)
    log.append("|")
    z.sum().backward(inputs=(x, y))
    return log, x.grad, y.grad


def assigned_hooks(torch):
    """A leaf's dictionary of hooks is called as it is when backward comes; a computed tensor's once it is told."""
    hooks = OrderedDict(one=lambda grad: grad * 10)
    found = []
    for told in (False, True):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        plain = torch.ones(2)
        for each in (x, y, plain):
            each._backward_hooks = hooks
        if told:
            y.grad_fn._register_hook_dict(y)
        hooks["two"] = lambda grad: grad + 1
        (y * plain).sum().backward()
        found += [x.grad, y._backward_hooks is hooks, plain._backward_hooks is hooks]
        y._backward_hooks = None
        found.append(y._backward_hooks)
    return found


def leaf_that_looks_at_other_memory(torch):
    """What was computed before `set_` no longer leads to the leaf; its gradient and hooks stay."""
    x = torch.ones(2, requires_grad=True)
    seen = []
    x.register_hook(lambda grad: seen.append(1))
    edge = torch.autograd.graph.get_gradient_edge(x)
    before = x * 2
    with torch.no_grad():
        x.set_(torch.full((2,), 5.0))
    gone = err(lambda: torch.autograd.grad(before.sum(), x, retain_graph=True))
    by_edge = torch.autograd.grad(before.sum(), edge)
    (x * 3).sum().backward()
    return gone, by_edge, x, x.grad, seen


def memory_of_a_leaf_without_recording(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        inside = x.numpy().tolist()
    return inside, err(x.numpy)


def gradient_of_any_dtype(torch):
    """A leaf that takes any dtype keeps what a custom function gives; another has it cast."""

    class Wide(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad.to(torch.float64)

    found = []
    for wanted in (None, torch.float16, torch.float32):
        x = torch.ones(2, requires_grad=True)
        x.grad_dtype = wanted
        Wide.apply(x).sum().backward()
        found.append(str(x.grad.dtype))
    return found


def instance_of_a_function(torch):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

    return err(lambda: Same()(torch.ones(1))), Same.apply(torch.ones(1, requires_grad=True)).grad_fn.name()
