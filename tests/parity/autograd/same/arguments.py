"""What backward and grad are given and refuse."""

from __future__ import annotations

from tests.parity.autograd.same import err, warns


def tensor_grad_warnings(torch):
    x = torch.randn(3, requires_grad=True)
    y = x * 2
    a = warns(lambda: x.grad)
    b = warns(lambda: y.grad)
    y.retain_grad()
    c = warns(lambda: y.grad)
    y.sum().backward()
    d = warns(lambda: y.grad)
    x.grad = None
    return (a, b, c, d)


def calculate_shape_util(torch):
    from importlib import import_module

    m = import_module(torch.__name__ + ".autograd")
    f = m._calculate_shape
    o, g = (torch.zeros(10, 5), torch.zeros(10, 5))
    return (f(o, g, False), err(lambda: f(o, torch.zeros(5, 10), True)))


def unrelated_inputs(torch):
    gc_ = torch.autograd.gradcheck
    ggc = torch.autograd.gradgradcheck

    def f(x, y):
        return x * x

    x = torch.rand(10, dtype=torch.float64, requires_grad=True)
    y = torch.rand(10, dtype=torch.float64, requires_grad=True)
    return (gc_(f, (x, y)), ggc(f, (x, y)))


def not_implemented_grad(torch):
    a = torch.rand(2, requires_grad=True)
    y = torch.nextafter(a, torch.rand(2)).sum()
    return err(lambda: y.backward())


def grad_dtype(torch):
    x = torch.ones(2, requires_grad=True)
    a = err(lambda: x.grad_dtype)
    y = x * 2
    return (
        a,
        err(lambda: y.grad_dtype),
        err(lambda: setattr(y, "grad_dtype", torch.float64)),
        err(lambda: torch.ones(2).grad_dtype),
    )


def grad_dtype2(torch):
    x = torch.ones(2, requires_grad=True)
    x.grad_dtype = torch.float64
    x.sum().backward()
    a = x.grad
    x.grad = None
    x.grad_dtype = None
    x.grad = torch.ones(2, dtype=torch.float16)
    return (a, x.grad, x.grad_dtype)


def duplicate_backward_root(torch):
    a = torch.randn(5, 5, requires_grad=True)
    b = torch.randn(5, 5, requires_grad=True)
    x = a * b
    g = torch.randn_like(x)
    torch.autograd.backward([x, x], [g, g])
    return (a.grad, b.grad)


def out_variant(torch):
    a = torch.randn(2, 2, requires_grad=True)
    b = torch.randn(2, 2, requires_grad=True)
    x = torch.zeros_like(a)
    r = [err(lambda: torch.mul(a, b, out=x))]
    with torch.no_grad():
        torch.mul(a, b, out=x)
        r.append(torch.equal(x, a * b))
    a = a.detach()
    b = b.detach()
    x = torch.zeros_like(a, requires_grad=True)
    r.append(err(lambda: torch.mul(a, b, out=x)))
    return r


def backward_badcalls(torch):
    x = torch.ones(1)
    return err(lambda: x.backward())


def grad_badcalls(torch):
    x = torch.ones(1)
    y = x**2
    out = [err(lambda: torch.autograd.grad(x, y)), err(lambda: torch.autograd.grad(y, x))]
    x = torch.ones(1, requires_grad=True)
    y = x**2
    torch.autograd.grad(y, x)
    out.append(err(lambda: torch.autograd.grad(y, torch.ones(1))))
    out.append(err(lambda: torch.autograd.grad(x * 1, [])))
    out.append(err(lambda: torch.autograd.grad((), x)))
    out.append(err(lambda: torch.autograd.backward(())))
    out.append(err(lambda: torch.autograd.grad(3, x)))
    out.append(err(lambda: torch.autograd.grad(x * 2, 3)))
    out.append(err(lambda: (x * 2).backward(3)))
    out.append(err(lambda: torch.autograd.backward([x * 2], [None, None])))
    out.append(err(lambda: torch.autograd.backward(x * 2, grad_variables=torch.ones(1))))
    out.append(err(lambda: torch.autograd.grad(x * 2, x, allow_unused=False, materialize_grads=True)))
    out.append(err(lambda: (x * 2).backward(inputs=[])))
    out.append(err(lambda: (x * 2).backward(inputs=[torch.ones(1)])))
    out.append(err(lambda: (x * 2).backward(inputs=3)))
    out.append(err(lambda: torch.autograd.backward(torch.ones(2, requires_grad=True) * 2, torch.ones(2, 2))))
    out.append(err(lambda: torch.autograd.grad(torch.ones(1, dtype=torch.complex64, requires_grad=True) * 2, x)))
    out.append(err(lambda: torch.autograd.grad(x * 2, x, grad_outputs=[torch.ones(1), torch.ones(1)])))
    out.append(err(lambda: torch.autograd.grad([x * 2, x * 3], x, grad_outputs=torch.ones(1))))
    out.append(err(lambda: torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(1, dtype=torch.complex64))))
    out.append(err(lambda: torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(1, dtype=torch.float64))))
    return out


def grad_fn_badcalls(torch):
    x = torch.randn(2, requires_grad=True)
    y = x**2
    g = torch.ones(2)
    out = []
    out.append(err(lambda: y.grad_fn(g.detach(), g.detach())))
    out.append(err(lambda: y.grad_fn()))
    y.grad_fn(g)
    out.append(err(lambda: y.grad_fn(3)))
    out.append(err(lambda: y.grad_fn(g, foo=1)))
    return out


def grad_unreachable(torch):
    x = torch.ones(1, requires_grad=True)
    y = torch.ones(1, requires_grad=True)
    z = x * 2
    w = y * 2
    gx, gy = torch.autograd.grad(x * 2, [x, y], allow_unused=True)
    t = torch.ones(1, requires_grad=True)
    g2 = torch.autograd.grad(x * 2, [x, t], allow_unused=True)
    e = err(lambda: torch.autograd.grad(x * 2, [x, y], allow_unused=False))
    return (gx, gy, g2, e)


def unreachable_discovery(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            raise AssertionError("unreachable")

    x = torch.randn(1, requires_grad=True)
    y = torch.randn(1, requires_grad=True)
    torch.autograd.grad(F.apply(x) + y, y)
    out = []
    gY = torch.autograd.grad(F.apply(x) * 2 + y, (y,))
    out.append(gY)
    out.append(err(lambda: (F.apply(x) + y).backward(inputs=y)))
    out.append(y.grad)
    out.append(x.grad)
    return out


def backward_with_inputs(torch):
    x = torch.ones(2, 2, requires_grad=True, dtype=torch.double)
    y = torch.ones(2, 2, requires_grad=True, dtype=torch.double)
    f = lambda: x**2 + y * x + y**2
    out = []
    g = torch.ones(2, 2, dtype=torch.double)
    f().backward(g, inputs=[x, y])
    out.append((x.grad, y.grad))
    x.grad = y.grad = None
    f().backward(g, inputs=[x])
    out.append((x.grad, y.grad))
    x.grad = None
    f().backward(g, inputs=y)
    out.append((x.grad, y.grad))
    x.grad = y.grad = None
    f().backward(g, inputs=[x, x, x, y, y, y])
    out.append((x.grad, y.grad))
    z = x * 2
    z2 = z + y
    z2.sum().backward(inputs=[z])
    out.append((z.grad, z.retains_grad, x.grad))
    return out


def nonleaf_inputs(torch):
    x = torch.randn(2, 2, dtype=torch.double)
    xn = torch.randn(2, 2, dtype=torch.double)
    y = torch.randn(2, 2, dtype=torch.double, requires_grad=True)
    z = torch.ones(2, 2, dtype=torch.double)
    x.requires_grad_()
    xn = x * 2
    out = xn**2 + y * x
    g = torch.ones(2, 2, dtype=torch.double)
    out.backward(g, inputs=[x, y, xn], retain_graph=True)
    r = [x.grad, y.grad, xn.grad]
    r.append(err(lambda: out.backward(g, inputs=[z])))
    x.grad = None
    return r


def unused_output(torch):
    x = torch.randn(10, 10, requires_grad=True)
    o = x.chunk(5)
    o = o[2]
    s = o * 4 + 2
    s.sum().backward()
    r = [x.grad]
    x.grad = None
    g = torch.randn(2, 10)
    o = x.chunk(5)[0]
    o.backward(g)
    return (r, x.grad)


def mul_out_req(torch):
    a = torch.randn(2, 2)
    b = torch.randn(2, 2)
    x = torch.zeros(2, 2, requires_grad=True)
    return err(lambda: torch.mul(a, b, out=x))


def grad_materialize(torch):
    x = torch.tensor(0.5, requires_grad=True)
    a = torch.tensor(1.0, requires_grad=True)
    y = x * a
    dydx = torch.autograd.grad(y, x, create_graph=True)
    d2 = torch.autograd.grad(dydx, x, create_graph=True, materialize_grads=True)
    return (
        d2,
        err(lambda: torch.autograd.grad(d2[0], x, create_graph=True, materialize_grads=True)),
        err(lambda: torch.autograd.grad(d2[0], x, create_graph=True)),
        err(lambda: torch.autograd.grad(y, (x,), allow_unused=False, materialize_grads=True)),
    )


def requires_grad_errors(torch):
    out = []
    x = torch.randn(5, 5)
    y = torch.randn(5, 5, requires_grad=True)
    z = x + y

    def s(t, v):

        def f():
            t.requires_grad = v

        return f

    out += [
        err(s(z, False)),
        err(s(z, True)),
        err(s(x, True)),
        err(s(torch.ones(2, dtype=torch.int32), True)),
        err(s(x, 3)),
        err(lambda: torch.ones(2, dtype=torch.long, requires_grad=True)),
        err(lambda: torch.randint(3, (2,), requires_grad=True)),
        err(lambda: torch.tensor([1], requires_grad=True)),
        err(lambda: torch.arange(3, requires_grad=True)),
        err(lambda: torch.ones(2, dtype=torch.int).requires_grad_()),
        err(lambda: torch.ones(2, dtype=torch.bool).requires_grad_(False).requires_grad),
        err(lambda: torch.nn.Parameter(torch.ones(2, dtype=torch.long))),
    ]
    return out


def grad_assign(torch):
    x = torch.randn(5, 5, requires_grad=True)
    out = []

    def s(v):

        def f():
            x.grad = v

        return f

    out += [
        err(s(torch.randn(2, 2))),
        err(s(torch.randn(5, 5, dtype=torch.double))),
        err(s(x)),
        err(s(0)),
        err(s("a")),
        err(s(None)),
        err(s(torch.ones(5, 5, dtype=torch.long))),
        err(s(torch.ones(5, 5))),
    ]
    out.append(x.grad.sum())
    y = torch.ones(2)
    y.grad = torch.ones(2)
    out.append(y.grad)
    z = x * 2
    z.grad = torch.ones(5, 5)
    out.append(z.grad.sum())
    return out
