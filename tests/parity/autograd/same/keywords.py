"""Custom functions called with keywords, which count by their position."""

from __future__ import annotations

from tests.parity.autograd.same import err


def arguments_by_name(torch):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y=1.0, scale=2.0):
            ctx.needed = ctx.needs_input_grad
            return x * y * scale

        @staticmethod
        def backward(ctx, grad):
            return tuple(grad * (n + 1) if needed else None for n, needed in enumerate(ctx.needed))

    x = torch.ones(2, requires_grad=True)
    y = torch.full((2,), 3.0, requires_grad=True)
    calls = (
        lambda: Scaled.apply(x, y=y), lambda: Scaled.apply(x, y=y, scale=5.0), lambda: Scaled.apply(x=x, y=y),
        lambda: Scaled.apply(x, y, scale=y), lambda: Scaled.apply(x, scale=3.0), lambda: Scaled.apply(scale=3.0, x=x),
        lambda: Scaled.apply(x, x=y), lambda: Scaled.apply(x, other=y),
    )  # fmt: skip
    found = []
    for call in calls:
        x.grad = y.grad = None
        out = err(call)
        if isinstance(out, torch.Tensor):
            out.sum().backward()
        found.append((out, x.grad, y.grad))
    return found


def what_backward_refuses(torch):
    x = torch.ones(2, requires_grad=True)
    return [
        err(lambda: (x * 2).sum().backward(inputs=[3])),
        err(lambda: torch.autograd.grad((x * 2).sum(), [3])),
        err(lambda: torch.autograd.grad((x * 2).sum(), 3)),
    ]
