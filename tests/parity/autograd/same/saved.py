"""Saved values: their hooks, their versions, writing into them."""

from __future__ import annotations

import gc
import weakref

from tests.parity.autograd.same import err, warns


def graph_increment_version(torch):
    a = torch.ones(2)
    v = a._version
    torch.autograd.graph.increment_version(a)
    b = torch.ones(2)
    torch.autograd.graph.increment_version([a, b])
    with torch.inference_mode():
        i = torch.ones(1)
    return (
        v,
        a._version,
        b._version,
        err(lambda: torch.autograd.graph.increment_version(i)),
        err(lambda: torch.autograd.graph.increment_version(3)),
    )


def unsafe_preserve_version(torch):
    x = torch.ones(3, requires_grad=True)
    y = x.clone()
    with torch.autograd._unsafe_preserve_version_counter(y):
        y.mul_(2)
    v = y._version
    with torch.autograd._unsafe_preserve_version_counter((y,)):
        y.add_(2)
    return (v, y._version)


def unsafe_set_version(torch):
    x = torch.ones(3)
    torch._C._autograd._unsafe_set_version_counter((x,), (4,))
    return x._version


def inplace_on_view_saved_output(torch):
    d = [0]

    def test():
        root = torch.randn(3, 3, requires_grad=True)
        copy_ = root.clone()
        copy_.register_hook(lambda g: g)

        class N:
            pass

        view = copy_.view(9)
        torch.nn.functional.relu(view, inplace=True)
        return weakref.ref(copy_)

    r = test()
    gc.collect()
    return r() is None


def anomaly(torch):
    out = []

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g * float("nan")

    x = torch.ones(2, requires_grad=True)

    def go():
        with torch.autograd.detect_anomaly():
            F.apply(x).sum().backward()

    out.append(err(go))

    def go2():
        with torch.autograd.detect_anomaly(check_nan=False):
            F.apply(x).sum().backward()

    out.append(err(go2))
    out.append((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))

    def go3():
        with torch.autograd.detect_anomaly():
            z = torch.zeros(1, requires_grad=True)
            (z.sqrt() * 0).sum().backward()

    out.append(err(go3))
    w = warns(lambda: err(go3))
    out.append([a for a, b in w])
    out.append([b.splitlines()[0][:60] for a, b in w])
    with torch.autograd.set_detect_anomaly(True):
        out.append(torch.is_anomaly_enabled())
    out.append(torch.is_anomaly_enabled())

    def go4():
        with torch.autograd.detect_anomaly():
            (g,) = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)

    out.append(err(go4))
    y = torch.ones(2, requires_grad=True)
    torch.autograd.set_detect_anomaly(True)
    (y * 2).sum().backward()
    torch.autograd.set_detect_anomaly(False)
    return out


def anomaly_assign_parent_cleanup(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.exp()
        (g,) = torch.autograd.grad(y, x, torch.ones(2), create_graph=True)
        gfn = g.grad_fn
        s = torch.autograd.grad(g, x, torch.ones(2))
    md = gfn.metadata
    return (sorted(md.keys()),)


def allow_mut(torch):
    g = torch.autograd.graph
    out = []
    with g.allow_mutation_on_saved_tensors() as ctx:
        a = torch.ones(2, requires_grad=True)
        b = a.clone()
        c = b.sin()
        b.mul_(3)
        (c * b).sum().backward()
        out.append(a.grad)
        out.append((len(ctx.cloned), len(ctx.original)))

        def nest():
            with g.allow_mutation_on_saved_tensors():
                pass

        out.append(err(nest))
    with g.allow_mutation_on_saved_tensors():
        a = torch.ones(2, requires_grad=True)
        y = (a * 1).sin().sum()
    out.append(err(lambda: y.backward()))
    return out


def mut_cases(torch):
    g = torch.autograd.graph
    out = []

    def t(f):
        with g.allow_mutation_on_saved_tensors() as ctx:
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            r = f(x)
            r.sum().backward()
            out.append((x.grad, len(ctx.cloned), len(ctx.original)))
        out.append((len(ctx.cloned), len(ctx.original)))

    def a(x):
        b = x.clone()
        c = b**2
        b.sin_()
        return c + b

    def b(x):
        y = x.clone()
        z = y.exp()
        z.mul_(2)
        return z * y

    def c(x):
        y = x.clone()
        v = y[0]
        z = y * y
        v.zero_()
        return z

    def d(x):
        y = x.clone()
        z = y * y
        y.view(-1).mul_(3)
        y.mul_(2)
        return z * y

    def e(x):
        y = x.clone()
        z = y.sin()
        w = y.cos()
        y.fill_(0)
        return z + w

    def f(x):
        y = x.clone()
        o = y * y.detach()
        y.add_(1)
        return o

    for k in (a, b, c, d, e, f):
        t(k)

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            o = x * 2
            ctx.save_for_backward(o, x)
            return o

        @staticmethod
        def backward(ctx, g):
            o, x = ctx.saved_tensors
            return g * o + x

    def h(x):
        y = x.clone()
        o = F.apply(y)
        y.mul_(5)
        o.mul_(7)
        return o

    t(h)
    return out
