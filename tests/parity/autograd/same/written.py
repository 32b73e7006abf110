"""Custom functions that write their inputs or make views."""

from __future__ import annotations

from tests.parity.autograd.same import err


def custom_view_inplace(torch):

    class V(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view_as(x)

        @staticmethod
        def backward(ctx, g):
            return g

    class V2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x[0], x[1])

        @staticmethod
        def backward(ctx, g, h):
            return torch.stack([g, h])

    a = torch.ones(2, 2, requires_grad=True)
    b = a.clone()
    o = V.apply(b)
    e1 = err(lambda: o.mul_(2))
    p = V2.apply(b)
    e2 = err(lambda: p[0].mul_(2))
    return (e1, e2, o._is_view(), o._base is b, err(lambda: o.sum()))


def custom_inplace_on_view(torch):

    class I(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    a = torch.ones(2, 2, requires_grad=True)
    b = a.clone()
    v = b[0]
    r = I.apply(v)
    b.sum().backward()
    b2 = a.clone()
    u = b2.unbind(0)
    return (
        a.grad,
        r is v,
        v.grad_fn,
        b.grad_fn,
        err(lambda: I.apply(u[0])),
        err(lambda: I.apply(a)),
        err(lambda: I.apply(a[0])),
    )


def custom_inplace_return_other(torch):

    class I(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.mul_(2)
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class J(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.mul_(2)
            return (x + 1, x)

        @staticmethod
        def backward(ctx, g, h):
            return g * 2

    a = torch.ones(2, requires_grad=True).clone()

    class K(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.mark_dirty(y)
            return (x * y,)

        @staticmethod
        def backward(ctx, g):
            return (g * 2, g)

    class L(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x[0])
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return (
        err(lambda: I.apply(a)),
        err(lambda: J.apply(a)),
        err(lambda: K.apply(a, torch.ones(2))),
        err(lambda: L.apply(a)),
    )


def autograd_multiple_views_python(torch):
    r = []

    class ComplexView(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, idx):
            res = a.narrow(0, idx, 1)
            res = a.select(0, idx)
            ctx.save_for_backward(a)
            ctx.idx = idx
            return res

        @staticmethod
        def backward(ctx, g):
            r.append(1)
            (a,) = ctx.saved_tensors
            res = torch.zeros_like(a)
            res[ctx.idx] = g
            return (res, None)

    a = torch.ones(2, requires_grad=True)
    b = a.clone()
    out = ComplexView.apply(b, 0)
    e1 = err(lambda: (out + 1).sum().backward())
    a2 = torch.ones(2, requires_grad=True)
    b2 = a2.clone()
    o2 = ComplexView.apply(b2, 0)
    e2 = err(lambda: o2.mul_(3))
    e3 = err(lambda: b2.sum().backward())
    return (e1, e2, e3, len(r), a.grad)


def autograd_python_custom_function_inplace(torch):

    class MyAdder(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            a.add_(b)
            ctx.mark_dirty(a)
            return a

        @staticmethod
        def backward(ctx, g):
            return (g, g)

    out = []
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    c = MyAdder.apply(a.clone(), b)
    c.sum().backward()
    out.append((a.grad, b.grad))
    bw = [0]

    class MyBad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            a = a * 2
            ctx.mark_dirty(a)
            return a

        @staticmethod
        def backward(ctx, g):
            return (g, g)

    out.append(err(lambda: MyBad.apply(a.clone(), b)))

    class MyBad2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            a = a.add_(b)
            c_ = a.clone()
            ctx.mark_dirty(a)
            return c_

        @staticmethod
        def backward(ctx, g):
            return (g, g)

    out.append(err(lambda: MyBad2.apply(a.clone(), b)))
    v = a.clone()
    n = v.narrow(0, 0, 1)
    out.append(err(lambda: MyAdder.apply(n, torch.ones(1, requires_grad=True))))
    out.append(v.grad_fn)

    class Dup(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            a.add_(b)
            ctx.mark_dirty(a)
            return (a, a)

        @staticmethod
        def backward(ctx, g, h):
            return (g + h, g + h)

    out.append(err(lambda: Dup.apply(a.clone(), b)))
    return out


def written_without_grad_beside_several_views(torch):
    """Views of one op that gives several cannot follow a base that was written; a single view can."""
    out = []
    for write in (lambda base, views: base.mul_(2), lambda base, views: views[1].mul_(2)):
        for split in (lambda x: x.split(1), lambda x: x.unbind(), lambda x: x.chunk(2), lambda x: (x[0], x[1])):
            base = torch.ones(2, 3, requires_grad=True) * 1
            views = split(base)
            with torch.no_grad():
                write(base, views)
            found = err(lambda views=views: views[0].grad_fn is None)
            out.append(
                (
                    found,
                    err(lambda views=views: (views[0] * 3).sum().backward()),
                    err(lambda base=base: base.sum().backward()),
                )
            )
    return str(out)


def written_after_layers(torch):
    """What pools and distances gave, and what they were given, may be written afterwards where PyTorch allows it."""
    functional = torch.nn.functional
    x = torch.arange(16.0).view(1, 1, 4, 4).requires_grad_()
    out = []
    for pool in (functional.max_pool2d, functional.avg_pool2d, lambda x, n: functional.adaptive_max_pool2d(x, (n, n))):
        pool(x * 1, 2).sub_(6).relu_().sum().backward()
        out.append(x.grad.clone())
    a, b = (torch.rand(2, 3, requires_grad=True) * 1 for _ in range(2))
    distance = functional.pairwise_distance(a, b)
    a.mul_(2)
    return (out, err(lambda: distance.sum().backward()))


def gradients_through_views_that_cannot_follow(torch):
    """They raise, also where only the gradient of the leaf behind them is asked for."""
    out = []
    for split in (lambda x: x.split(1), lambda x: x.unbind()):
        leaf = torch.ones(2, 3, requires_grad=True)
        base = leaf * 1
        views = split(base)
        base.add_(1)
        out.append(err(lambda views=views, leaf=leaf: torch.autograd.grad(views[0].sum(), leaf, allow_unused=True)))
    return out
