"""A backward inside a backward, and threads."""

from __future__ import annotations

import threading

from tests.parity.autograd.same import err


def threads(torch):
    out = []
    x = torch.ones(5, 5, requires_grad=True)

    def run():
        ((x + 3) * (x + 4) * 0.5).sum().backward()

    ts = [threading.Thread(target=run) for _ in range(5)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    out.append(x.grad)
    res = []

    def mode():
        res.append(torch.is_grad_enabled())

    with torch.no_grad():
        t = threading.Thread(target=mode)
        t.start()
        t.join()
    return (out, res)


def thread_exc(torch):
    e = []

    def f():
        try:
            torch.autograd.Function.apply
        except Exception:
            pass

        class B(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, g):
                raise ValueError("something")

        x = torch.ones(2, requires_grad=True)
        try:
            B.apply(x).sum().backward()
        except Exception as ex:
            e.append(ex)

    t = threading.Thread(target=f)
    t.start()
    t.join()
    return e


def reentrant_graph(torch):
    out = []
    y_data = torch.randn(2, 2)

    class R(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.x = torch.autograd.Variable(x, requires_grad=True)
                ctx.y = torch.autograd.Variable(y_data, requires_grad=True)
                ctx.o = ctx.x * ctx.y
            return ctx.o.detach()

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                ctx.o.sum().backward()
            return ctx.x.grad * g

    x = torch.randn(2, 2, requires_grad=True)
    R.apply(x).sum().backward()
    return (x.grad, y_data)


def deep_reentrant(torch):

    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.x = torch.autograd.Variable(x.detach(), requires_grad=True)
                ctx.x = ctx.x - 1
            return ctx.x.detach()

        @staticmethod
        def backward(ctx, x):
            if ctx.x < 0:
                return x
            with torch.enable_grad():
                D.apply(ctx.x).sum().backward()
            return x

    v = torch.tensor(2000.0, requires_grad=True)
    D.apply(v).sum().backward()
    return v.grad


def reentrant_priority(torch):
    order = []

    class M(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, x):
            order.append("M")
            return x

    class R(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.x = torch.autograd.Variable(x.detach(), requires_grad=True)
                ctx.x = ctx.x - 1
            return ctx.x.detach()

        @staticmethod
        def backward(ctx, x):
            order.append("R")
            if ctx.x < 0:
                return x
            with torch.enable_grad():
                R.apply(ctx.x).backward()
            return x

    a = M.apply(torch.tensor(6.0, requires_grad=True))
    b = R.apply(torch.tensor(9.0, requires_grad=True))
    (a * b).backward()
    return order


def child_error(torch):
    a = torch.rand(3, 3, requires_grad=True)
    c = torch.rand(3, 3, requires_grad=True)
    d = torch.rand(3, 3, requires_grad=True)

    class P(torch.autograd.Function):
        @staticmethod
        def forward(ctx, i):
            return i.clone()

        @staticmethod
        def backward(ctx, g):
            raise Exception("Simulate error")

    class R(torch.autograd.Function):
        @staticmethod
        def forward(ctx, i):
            return i.clone()

        @staticmethod
        def backward(ctx, g):
            P.apply(c * d).sum().backward()
            return g

    return err(lambda: R.apply(a).sum().backward())


def grad_mode_restored(torch):
    out = []

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, i):
            return i.clone()

        @staticmethod
        def backward(ctx, g):
            o = torch.is_grad_enabled()
            with torch.enable_grad():
                x = torch.ones(1, requires_grad=True)
                (x * 2).sum().backward()
            out.append((o, torch.is_grad_enabled()))
            return g

    F.apply(torch.ones(2, requires_grad=True)).sum().backward()
    x = torch.ones(2, requires_grad=True)
    torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)
    return (out, torch.is_grad_enabled())


def sets(torch):
    out = []
    with torch.autograd.set_multithreading_enabled(False):
        out.append(
            torch.autograd.is_multithreading_enabled() if hasattr(torch.autograd, "is_multithreading_enabled") else None
        )
    out.append(torch._C._is_multithreading_enabled())
    torch.autograd.set_multithreading_enabled(False)
    out.append(torch._C._is_multithreading_enabled())
    torch.autograd.set_multithreading_enabled(True)
    out.append(torch._C._is_multithreading_enabled())
    with torch.autograd._force_original_view_tracking(True):
        out.append(torch.autograd.is_view_replay_enabled())
    out.append(torch.autograd.is_view_replay_enabled())
    return out
