"""After an error inside backward: the leaves whose gradients were complete have them."""

from __future__ import annotations

from tests.parity.autograd.same import err


def _bad(torch, kind=ValueError):
    class Bad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise kind("not today")

    return Bad.apply


def complete_leaves_have_their_gradients(torch):
    p = [torch.ones(2, requires_grad=True) for _ in range(4)]
    h = _bad(torch)(p[0] * p[3]) * p[1]
    h = h * p[2] * p[3]
    error = err(lambda: h.sum().backward())
    return (error, [each.grad for each in p])


def what_was_there_is_added_to(torch):
    p = [torch.ones(2, requires_grad=True) for _ in range(3)]
    (p[0] * p[1] * p[2]).sum().backward()
    h = _bad(torch)(p[0] * 3) * p[1] + p[2]
    error = err(lambda: h.sum().backward(create_graph=True))
    return (error, [each.grad.detach() for each in p])


def a_hook_that_raises(torch):
    p = [torch.ones(2, requires_grad=True) for _ in range(3)]
    middle = p[0] * p[1]
    middle.register_hook(lambda g: 1 / 0)
    h = middle * p[2]
    error = err(lambda: h.sum().backward())
    return (error, [each.grad for each in p])


def inputs_alone(torch):
    p = [torch.ones(2, requires_grad=True) for _ in range(3)]
    h = _bad(torch)(p[0]) * p[1] * p[2]
    error = err(lambda: h.sum().backward(inputs=[p[0], p[1]]))
    return (error, [each.grad for each in p])


def nothing_is_left_for_grad(torch):
    p = [torch.ones(2, requires_grad=True) for _ in range(2)]
    h = _bad(torch)(p[0]) * p[1]
    error = err(lambda: torch.autograd.grad(h.sum(), p))
    return (error, [each.grad for each in p])
