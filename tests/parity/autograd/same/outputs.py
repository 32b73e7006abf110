"""What a custom function returns, from forward and from backward."""

from __future__ import annotations

import gc

from tests.parity.autograd.same import err


def return_leaf(torch):

    class Id(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return (a, a + b)

        @staticmethod
        def backward(ctx, ga, gb):
            return (ga + gb, gb)

    hook = [False]
    x = torch.randn(5, 5, requires_grad=True)
    y = torch.randn(5, 5, requires_grad=True)
    q, p = Id.apply(x, y)

    def h(g):
        hook[0] = True

    q.register_hook(h)
    (q + p).sum().backward()
    return (x.grad, y.grad, hook, q is x)


def return_leaf_inplace(torch):

    class I(torch.autograd.function.InplaceFunction):
        @staticmethod
        def forward(ctx, a, b):
            ctx.mark_dirty(a)
            return (a.add_(b), b + 2)

        @staticmethod
        def backward(ctx, ga, gb):
            return (ga, ga + gb)

    x = torch.ones(5, 5)
    y = torch.ones(5, 5, requires_grad=True)
    q, p = I.apply(x, y)
    r = [q is x, q.grad_fn, q.requires_grad, x.grad_fn]
    q.sum().backward()
    return (r, y.grad)


def nondiff_inplace(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            ctx.mark_non_differentiable(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.ones(2, requires_grad=True).clone()
    return (err(lambda: F.apply(x)), err(lambda: F.apply(torch.ones(2))))


def mark_nondiff_not_output(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_non_differentiable(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    return err(lambda: F.apply(torch.ones(2, requires_grad=True)))


def return_nontensor(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x * 2, "a", None, 3, [x])

        @staticmethod
        def backward(ctx, *g):
            print([type(a).__name__ for a in g])
            return g[0]

    class G(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return [x * 2, x * 3]

        @staticmethod
        def backward(ctx, *g):
            return g[0]

    class H(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return None

        @staticmethod
        def backward(ctx, *g):
            return g[0]

    x = torch.ones(2, requires_grad=True)
    o = F.apply(x)
    o[0].sum().backward()
    return (o, err(lambda: G.apply(x)), err(lambda: H.apply(x)), x.grad)


def once_diff(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g):
            print(torch.is_grad_enabled())
            (x,) = ctx.saved_tensors
            return g * 2 * x

    x = torch.ones(2, requires_grad=True)
    (g,) = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)
    return (g, g.grad_fn, err(lambda: g.sum().backward()), g.requires_grad)


def stash_ctx(torch):
    s = []

    class Id(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            s.append(ctx)
            return ctx.saved_tensors[0]

    x = torch.tensor(0.0, requires_grad=True)
    y = Id.apply(x)
    y.backward(retain_graph=True)
    a = err(lambda: s[0].saved_tensors)
    del y
    b = err(lambda: s[0].saved_tensors)
    return (a, b)


def stash_ctx2(torch):
    s = []

    class Id(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            s.append(ctx)
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.ones(2, requires_grad=True)
    y = Id.apply(x)
    del y
    gc.collect()

    class Id2(Id):
        pass

    with torch.no_grad():
        Id.apply(x)
    return (
        err(lambda: s[0].saved_tensors),
        err(lambda: s[1].saved_tensors),
        err(lambda: s[0].next_functions),
        err(lambda: s[0].needs_input_grad),
        err(lambda: s[0].name()),
    )


def none_grads(torch):

    class N(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return None

    out = []
    for f in (
        lambda x: x.exp(),
        lambda x: x * 2 + x.sin(),
        lambda x: x.sum(),
        lambda x: x.view(2, 1),
        lambda x: x.max(0)[0],
        lambda x: torch.stack([x, x]).unbind(0)[0],
        lambda x: x.clone(),
    ):
        x = torch.ones(2, requires_grad=True)
        y = f(x)
        log = []
        y.register_hook(lambda g: log.append(("t", g)))
        if y.grad_fn:
            y.grad_fn.register_prehook(lambda g: log.append(("p", g)))
            y.grad_fn.register_hook(lambda a, b: log.append(("h", a, b)))
        z = N.apply(y)
        out.append(err(lambda: z.sum().backward()))
        out.append((x.grad, log))
        x.grad = None
        log.clear()
        z = N.apply(f(x))
        out.append(err(lambda: torch.autograd.grad(z.sum(), x, allow_unused=True)))
        out.append(err(lambda: torch.autograd.grad(N.apply(f(x)).sum(), x)))
    return out


def undefined_multi(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x.clone(), x.clone())

        @staticmethod
        def backward(ctx, a, b):
            print(a, b)
            return a

    x = torch.ones(2, requires_grad=True)
    a, b = F.apply(x)
    b.sum().backward()
    return x.grad


def function_returns_undefined(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return None

    x = torch.ones(1, requires_grad=True)
    F.apply(x).backward()
    a = x.grad
    F.apply(x**2).backward()
    b = x.grad
    F.apply(x).sum().backward()
    c = x.grad
    return (a, b, c, torch.autograd.grad(F.apply(x), x, allow_unused=True)[0])


def save_output_nr(torch):

    class M(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x[:1], x[1:])

        @staticmethod
        def backward(ctx, a, b):
            return torch.cat([a, b])

    x = torch.randn(10, requires_grad=True)
    a, b = M.apply(x)
    r = [b.output_nr]

    class T(torch.autograd.Function):
        @staticmethod
        def forward(ctx, b):
            ctx.save_for_backward(b)
            return b * 1

        @staticmethod
        def backward(ctx, g):
            (b,) = ctx.saved_tensors
            r.append(b.output_nr)
            return g

    T.apply(b).sum().backward()
    return r


def return_duplicate(torch):

    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            o = x * 2
            return (o, o)

        @staticmethod
        def backward(ctx, a, b):
            return a * 2 + b * 2

    x = torch.randn(3, requires_grad=True, dtype=torch.double)
    a, b = D.apply(x)
    return (a is b, err(lambda: torch.autograd.gradcheck(D.apply, (x,))), a.output_nr)


def return_duplicate_inplace(torch):

    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return (x, x)

        @staticmethod
        def backward(ctx, a, b):
            return a * 2 + b * 2

    def f(x):
        return D.apply(x + 2)

    x = torch.randn(3, requires_grad=True, dtype=torch.double)
    torch.autograd.gradcheck(f, (x,))
    e = err(lambda: D.apply(x))
    v = torch.randn(3, requires_grad=True) + 0
    return (e, err(lambda: D.apply(v[0])))
