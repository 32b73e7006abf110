"""Views and writes in place."""

from __future__ import annotations

import gc

from tests.parity.autograd.same import err


def detach_base(torch):
    x = torch.randn(10, 10, requires_grad=True)
    v = x.narrow(0, 1, 4)
    d = x.detach()
    e = err(lambda: x.detach_())
    y = torch.randn(10, 10, requires_grad=True) * 1
    w = y.narrow(0, 0, 4)
    e2 = err(lambda: w.detach_())
    y.detach_()
    return (e, e2, v._base is x, w.grad_fn is not None, y.requires_grad, d._base, d._version, d._is_view())


def detach_then_inplace(torch):
    x = torch.randn([], requires_grad=True)
    y = torch.randn([], requires_grad=True)
    z = x * y
    a = z.detach()
    a.zero_()
    return err(lambda: torch.autograd.grad(z, x))


def detach_then_inplace2(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    y.detach().zero_()
    return err(lambda: y.backward())


def backward_error_messages(torch):
    out = []
    a = torch.ones(2, requires_grad=True)
    b = a * 2
    c = b * b
    b.add_(1)
    out.append(err(lambda: c.sum().backward()))
    b = a.exp()
    c = b.sin()
    b.mul_(2)
    out.append(err(lambda: c.sum().backward()))
    b = a * 2
    v = b[0]
    c = v * v
    b.zero_()
    out.append(err(lambda: c.backward()))
    b = a * 2
    v = b[:1]
    c = b * b
    v.zero_()
    out.append(err(lambda: c.sum().backward()))
    w = torch.ones(2, 2, requires_grad=True)
    z = torch.ones(2, 2)
    y = w @ z
    z.add_(1)
    out.append(err(lambda: y.sum().backward()))
    b = a.double()
    c = b.pow(2)
    b[0] = 3
    out.append(err(lambda: c.sum().backward()))
    b = torch.ones(2)
    c = a * b
    b += 1
    out.append(err(lambda: c.sum().backward()))
    return out


def inplace_leaf_errors(torch):
    x = torch.zeros(1, requires_grad=True)
    y = x.view_as(x)
    z = torch.ones(2, requires_grad=True)
    return [
        err(lambda: x.add_(1)),
        err(lambda: y.add_(1)),
        err(lambda: z[0].mul_(2)),
        err(lambda: z.__setitem__(0, 1.0)),
        err(lambda: z.data.add_(1)),
        err(lambda: torch.add(z, 1, out=z)),
        err(lambda: z.resize_(4)),
        err(lambda: z.t_()),
        err(lambda: z.fill_(1)),
        err(lambda: z.copy_(torch.ones(2))),
        err(lambda: z.normal_()),
        err(lambda: z.squeeze_()),
        err(lambda: torch.nn.init.ones_(z)),
        err(lambda: z.requires_grad_(False)),
        err(lambda: z.detach_()),
    ]


def multiout_base_nograd_later(torch):
    b = torch.ones(2, 2)
    vs = b.unbind(0)
    w = torch.ones(2, requires_grad=True)
    return (err(lambda: vs[0].mul_(w)), err(lambda: b))


def view_of_multi(torch):
    x = torch.randn(3, 3, requires_grad=True) * 1
    u = x.unbind(0)
    v = u[0].view(3)
    w = u[0].select(0, 0)
    return (err(lambda: v.add_(1)), err(lambda: w.add_(1)))


def inplace_on_view_of_multiple_output_view(torch):
    a = torch.rand(10, dtype=torch.double, requires_grad=True).clone()
    b = a.unbind(0)
    c = b[0].view_as(b[0])
    return err(lambda: c.mul_(2))


def inplace_mo_view_of_view(torch):
    a = torch.rand(10, dtype=torch.double, requires_grad=True).clone()
    b = a.view_as(a)
    c = b.unbind(0)
    return err(lambda: c[0].mul_(2))


def inplace_on_view_makes_base_require_grad(torch):
    a = torch.randn(4, 4, dtype=torch.double, requires_grad=False)
    b = torch.randn(4, 2, dtype=torch.double, requires_grad=True)
    v = a.narrow(1, 0, 2)
    s = a.stride()
    r = [a.requires_grad, v.requires_grad]
    v.mul_(b)
    return (
        r,
        a.requires_grad,
        v.requires_grad,
        a.grad_fn,
        v.grad_fn,
        a.grad_fn.next_functions,
        v.grad_fn.next_functions[0][0],
    )


def inplace_undefined_grad(torch):
    a = torch.tensor([1.0], requires_grad=True)
    c = a.clone()
    v = c[:]
    b = torch.tensor(1.0, requires_grad=True)

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, alpha):
            ctx.mark_dirty(x)
            ctx.save_for_backward(torch.as_tensor(alpha))
            return x.mul_(alpha)

        @staticmethod
        def backward(ctx, g):
            (a_,) = ctx.saved_tensors
            return (g * a_, None) if True else None

    F.apply(v, 3)
    c.backward()
    return (a.grad, b.grad)


def fwd_inplace(torch):
    fwAD = torch.autograd.forward_ad
    out = []
    x = torch.rand(2, 2)
    t = torch.rand(2, 2)
    with fwAD.dual_level():
        d = fwAD.make_dual(x.clone(), t.clone())
        d.mul_(2)
        out.append(fwAD.unpack_dual(d))
        y = torch.zeros(2, 2)
        y.add_(d)
        out.append(fwAD.unpack_dual(y))
        v = torch.zeros(2, 2)
        w = v[0]
        w.copy_(d[0])
        out.append(fwAD.unpack_dual(v))
        out.append(fwAD.unpack_dual(w))
        d2 = fwAD.make_dual(x.clone(), t.clone())
        d2[0].zero_()
        out.append(fwAD.unpack_dual(d2))
        d3 = fwAD.make_dual(x.clone(), t.clone())
        d3[0] = 1.0
        out.append(fwAD.unpack_dual(d3))
        d4 = fwAD.make_dual(x.clone(), t.clone())
        vv = d4.view(-1)
        d4.mul_(2)
        out.append(fwAD.unpack_dual(vv))
        z = torch.zeros(2, 2)
        out.append(err(lambda: torch.add(d, 1, out=z)))
        d5 = fwAD.make_dual(x.clone(), t.clone())
        d5.fill_(3.0)
        out.append(fwAD.unpack_dual(d5))
        d6 = fwAD.make_dual(x.clone(), t.clone())
        d6.copy_(torch.ones(2, 2))
        out.append(fwAD.unpack_dual(d6))
        d7 = fwAD.make_dual(x.clone(), t.clone())
        d7.t_()
        out.append(fwAD.unpack_dual(d7))
        d8 = fwAD.make_dual(x.clone(), t.clone())
        d8.clamp_(min=0.5)
        out.append(fwAD.unpack_dual(d8))
    return out


def weak_grad_fn(torch):
    b = torch.arange(4.0, requires_grad=True).clone()
    v = b[1:3]
    v.mul_(2)
    g = v.grad_fn
    del b
    gc.collect()
    v.sum().backward()
    return g


def inplace_weak(torch):
    a = torch.arange(10.0, requires_grad=True)
    b = a.narrow(0, 0, 2).clone().view(-1)
    b.relu_()
    c = b.clone()
    del b
    gc.collect()
    s = c.sum()
    s.backward()
    r = [s, a.grad]
    a = torch.rand(10, requires_grad=True).narrow(0, 0, 10)
    e = err(lambda: a.relu_())
    return (r, e)


def fw_views(torch):
    fwAD = torch.autograd.forward_ad
    out = []

    def isview(t, b):
        return t._base is b

    base = torch.ones(2)
    t1 = torch.ones(2)
    t2 = torch.ones(2)
    with fwAD.dual_level():
        foo = torch.rand(2)
        primal = torch.rand(3)
        tan = torch.rand(3)
        d = fwAD.make_dual(primal, tan)
        v = d[:2]
        v.mul_(2)
        out.append(fwAD.unpack_dual(d))
        out.append(fwAD.unpack_dual(v))
        out.append((d._base is primal, v._base is primal, fwAD.unpack_dual(d).tangent._base is None))
        b = torch.zeros(3)
        vb = b[:2]
        vb.copy_(d[:2])
        out.append(fwAD.unpack_dual(b))
        out.append(fwAD.unpack_dual(vb))
        vb.mul_(3)
        out.append(fwAD.unpack_dual(b))
        b.mul_(2)
        out.append(fwAD.unpack_dual(vb))
        c = torch.zeros(2, 2)
        c.view(-1).add_(fwAD.make_dual(torch.ones(4), torch.arange(4.0)))
        out.append(fwAD.unpack_dual(c))
        e = torch.zeros(3)
        e[1] = d[0]
        out.append(fwAD.unpack_dual(e))
        e[0:2] = d[1:]
        out.append(fwAD.unpack_dual(e))
        e[torch.tensor([2])] = d[:1]
        out.append(fwAD.unpack_dual(e))
        f = torch.zeros(3)
        g = f.detach()
        g.add_(d)
        out.append((fwAD.unpack_dual(f).tangent, fwAD.unpack_dual(g).tangent))
        with torch.no_grad():
            h = torch.zeros(3)
            k = h.view(3)
        k.add_(d)
        out.append((fwAD.unpack_dual(h).tangent, fwAD.unpack_dual(k).tangent))
        d2 = fwAD.make_dual(torch.rand(2), torch.rand(2))
        x = d2.detach()
        out.append(fwAD.unpack_dual(x).tangent)
        z = torch.zeros(2)
        z.index_add_(0, torch.tensor([0, 1]), d2)
        out.append(fwAD.unpack_dual(z))
        z.masked_fill_(torch.tensor([True, False]), 0)
        out.append(fwAD.unpack_dual(z))
        z.zero_()
        out.append(fwAD.unpack_dual(z))
        m = torch.zeros(2, 2)
        m[0].copy_(d2)
        out.append(fwAD.unpack_dual(m.t()).tangent)
        out.append(fwAD.unpack_dual(m[1]).tangent)
    return out


def made_before_their_base_requires_grad(torch):
    """They require grad as it does, and their gradients are lost."""
    base = torch.ones(2, 3)
    row, flat, whole = base[0], base.view(-1), torch.ones(2, 3, dtype=torch.int64).view(-1)
    base.requires_grad_()
    y = row * 2
    z = (row.exp() * flat[:3]).sum() + base.sum()
    z.backward()
    found = [row.requires_grad, row.is_leaf, y.requires_grad, y.grad_fn.name(), base.grad, whole.requires_grad]
    base.requires_grad_(False)
    return [*found, row.requires_grad, (row * 2).requires_grad, err(lambda: y.sum().backward())]


def slices_of_all_there_is(torch):
    """They make no node of their own beside others."""
    x = torch.ones(3, 4, requires_grad=True)
    whole, rest = slice(0, 4), slice(1, 3)
    indices = (
        (slice(None), whole), (slice(0, 3), whole), (0, whole), (rest, whole), (..., whole), (slice(0, 3),), slice(0, 3),
        (slice(None), slice(None, 10)), (slice(None), slice(-4, None)), (slice(0, 3), None), (None, slice(0, 3)), (whole, 0),
    )  # fmt: skip
    return [(x[each].grad_fn.name(), x[each].shape) for each in indices]


def pieces_whose_base_was_written(torch):
    """Asked whether they are leaves, they say as little of their history as otherwise."""
    x = torch.ones(2, 2, requires_grad=True) * 1
    piece = x.unbind()[0]
    x.mul_(2)
    with torch.no_grad():
        leaf = torch.ones(2, requires_grad=True)
        view = leaf.view(-1)
    leaf.detach_()
    return (err(lambda: piece.is_leaf), err(lambda: piece.grad_fn), piece.requires_grad, view.requires_grad)
