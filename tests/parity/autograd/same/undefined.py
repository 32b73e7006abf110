"""Gradients that are not there: what runs without one, and what custom functions and hooks are given."""

from __future__ import annotations

from tests.parity.autograd.same import err


def hook_behind_a_function_without_gradient(torch):
    """A tensor's hook is called with None; what lies behind gets nothing."""

    class Dead(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return None

    seen = []
    x = torch.ones(2, requires_grad=True)
    y = x.clone()
    y.register_hook(lambda grad: seen.append(grad))
    Dead.apply(y).sum().backward()
    return seen, x.grad


def hook_that_makes_up_a_gradient(torch):
    class Dead(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return None

    x = torch.ones(2, requires_grad=True)
    y = x.clone()
    y.register_hook(lambda grad: torch.ones(2))
    return err(lambda: Dead.apply(y).sum().backward())


def one_branch_without_gradient(torch):
    """The other branch's gradient arrives, and hooks see that alone."""

    class Dead(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return None

    seen = []
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.register_hook(lambda grad: seen.append(grad.clone()))
    (Dead.apply(y) + y).sum().backward()
    return seen, x.grad


def functions_one_behind_the_other(torch):
    """Zeros are made for the function that wants them, None is given to the one that does not."""
    seen = []

    def made(materialize):
        class Node(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(materialize)
                return x.clone()

            @staticmethod
            def backward(ctx, grad):
                seen.append(None if grad is None else grad.clone())
                return grad

        return Node

    x = torch.ones(2, requires_grad=True)
    for first, second in ((True, False), (False, True), (False, False)):
        y = made(second).apply(made(first).apply(x))
        torch._C._functions.UndefinedGrad()(y).sum().backward()
    return seen, x.grad


def gradients_of_one_that_was_marked_once(torch):
    """A second derivative raises; the graph of the first names one error for all."""

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * y, None, grad * x

    x = torch.tensor([2.0], requires_grad=True)
    y = torch.tensor([3.0], requires_grad=True)
    first = torch.autograd.grad(Product.apply(x, 1, y).sum(), (x, y), create_graph=True)
    plain = torch.autograd.grad(Product.apply(x, 1, y), (x, y), torch.ones(1, requires_grad=True), create_graph=True)
    node = plain[0].grad_fn
    names = [None if each is None else each.name() for each, _ in node.next_functions]
    same = node is plain[1].grad_fn
    return first, type(node).__name__, names, same, err(lambda: plain[0].sum().backward())


def gradient_kept_with_a_graph(torch):
    """`.grad` is a copy that remembers where it came from."""
    x = torch.tensor([2.0], requires_grad=True)
    seed = torch.tensor([1.0], requires_grad=True)
    (x * x).backward(seed, create_graph=True)
    copied = x.grad.grad_fn.name().split(":")[-1]
    behind = [None if each is None else each.name() for each, _ in x.grad.grad_fn.next_functions]
    x.grad = None
    x.backward(seed, create_graph=True)
    x.grad.add_(5)
    return copied, behind, seed
