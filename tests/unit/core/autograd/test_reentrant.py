"""Backward inside backward, callbacks at its end, threads, errors."""

import threading

import pytest

from .test_backward import leaf


def nested(torch, inner):
    """A Function whose backward runs `inner(x)` and a backward through it."""

    class Nested(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 1

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                inner(x).sum().backward()
            return g * x.grad

    return Nested


def test_backward_inside_backward(torch):
    """It has its own heap and leaves the outer one alone."""
    x = leaf(torch, 2, 3)
    y = nested(torch, lambda x: x**3).apply(x) + x
    y.sum().backward()
    assert x.grad.tolist() == [13, 28]


def test_an_error_inside(torch):
    """It comes out of the outer backward."""

    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise ValueError("child")

    x = leaf(torch, 1)
    with pytest.raises(Exception, match="child"):
        nested(torch, Fails.apply).apply(x).sum().backward()
    (x * 2).sum().backward()
    assert x.grad.item() == 2


def test_two_thousand_levels(torch):
    """Deeper than Python's stack."""
    count = []

    class Deep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.left = x.detach() - 1
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            count.append(1)
            if ctx.left.item() > 0:
                with torch.enable_grad():
                    Deep.apply(ctx.left.requires_grad_()).sum().backward()
            return g

    Deep.apply(leaf(torch, 2000)).sum().backward()
    assert len(count) == 2000


def test_the_mode_is_restored(torch):
    """After a nested backward or grad the mode is what it was."""
    seen = []

    class Asks(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            before = torch.is_grad_enabled()
            with torch.enable_grad():
                y = torch.ones(1, dtype=torch.float64, requires_grad=True)
                torch.autograd.grad(y**3, y)
                assert torch.is_grad_enabled()
            seen.append((before, torch.is_grad_enabled()))
            return g

    x = leaf(torch, 1)
    Asks.apply(x).sum().backward()
    torch.autograd.grad(Asks.apply(x).sum(), x, create_graph=True)
    assert seen == [(False, False), (True, True)]


def test_callbacks_run_at_the_end(torch):
    """After the leaves have their gradients; one may queue another."""
    x = leaf(torch, 1)
    order = []
    queue = torch.autograd.Variable._execution_engine.queue_callback

    def last():
        order.append(("first", x.grad.item()))
        queue(lambda: order.append("second"))

    y = x * 2
    y.register_hook(lambda g: queue(last))
    y.sum().backward()
    assert order == [("first", 2), "second"]
    with pytest.raises(RuntimeError, match="Final callbacks can only be installed during backward pass."):
        queue(last)


def test_threads_share_a_leaf(torch):
    """No gradient is lost."""
    x = torch.ones(1000, dtype=torch.float64, requires_grad=True)

    def work():
        for _ in range(20):
            (x * 2).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.grad.tolist() == [160.0] * 1000


def test_threads_share_a_graph(torch):
    """With retain_graph, several may walk it."""
    x = leaf(torch, 1, 2)
    y = (x * x).exp().sum()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(torch.autograd.grad(y, x, retain_graph=True)[0].tolist()))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 4


def test_an_error_leaves_a_clean_state(torch):
    """The next backward is not disturbed."""
    x = leaf(torch, 1)
    y = x * 2

    def fails(g):
        raise ValueError("hook")

    handle = y.register_hook(fails)
    with pytest.raises(ValueError, match="hook"):
        y.sum().backward()
    handle.remove()
    assert torch.is_grad_enabled()
    (x * 3).sum().backward()
    assert x.grad.item() == 3
