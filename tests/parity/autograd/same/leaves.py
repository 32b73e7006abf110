"""Leaves: accumulation, assignment, copies, data."""

from __future__ import annotations

import copy
import gc
import weakref

from tests.parity.autograd.same import err


def copy_grad_fn(torch):
    a = torch.ones(2, requires_grad=True) + 1
    return (err(lambda: copy.copy(a).grad_fn is None), err(lambda: copy.deepcopy(a)))


def accumulate_grad(torch):
    grad_output = torch.ones(5, 5)

    def compute(create_graph):
        x = torch.randn(5, 5, requires_grad=True)
        y = x + 2
        y.backward(grad_output, retain_graph=True)
        x_grad = x.grad
        x_grad_clone = x.grad.clone()
        y.backward(grad_output, create_graph=create_graph)
        return (x_grad is x.grad, torch.equal(x_grad, x_grad_clone), torch.equal(x_grad, x_grad_clone * 2))

    return (compute(False), compute(True))


def accumulate_grad_tensor_reference(torch):
    out = []

    def _test(params_grad, backward_grad, should_preserve, create_graph):
        params = torch.tensor([1.5, 1.5]).requires_grad_()
        params.grad = params_grad
        saved = params.grad
        params.backward(backward_grad, create_graph=create_graph)
        out.append((id(saved) == id(params.grad), should_preserve))

    for cg in (False, True):
        _test(torch.tensor([1.5, 1.5]), torch.tensor([1.5, 1.5]), not cg, cg)
    return out


def legacy_reflect(torch):
    return (
        err(lambda: torch.rand(2) ** torch.autograd.Variable(torch.ones(2))),
        torch.autograd.Variable(torch.ones(2), requires_grad=True),
        isinstance(torch.ones(2), torch.autograd.Variable),
        0,
    )


def pickle_variable(torch):
    import pickle

    x = torch.randn(3, requires_grad=True)
    y = torch.randn(3)
    return [err(lambda p=p: pickle.loads(pickle.dumps(v, protocol=p)).requires_grad) for p in (0, 1, 2) for v in (x, y)]


def isolated_node(torch):
    x = torch.randn(2, 2, requires_grad=True)
    y = torch.randn(2, 2, requires_grad=True)
    a = x + y
    b = torch.max(a, 1, True)[1].repeat(1, 2).double()
    o = (b + a).sum()
    o.backward()
    return (x.grad, b)


def leaf_assignment(torch):
    x = torch.randn(5, 5)
    y = torch.ones(5, requires_grad=True)
    z = torch.ones(5, requires_grad=True)
    x[0] = y
    x[1] = 2 * z
    r = [x.requires_grad, x.grad_fn]
    x.sum().backward()
    return (r, y.grad, z.grad)


def backward_copy(torch):
    x = torch.ones(5, 5, requires_grad=True)
    y = torch.ones(5, 5, requires_grad=True)
    a = x * 2
    b = y * 3
    c = x + y
    q = a + b + c
    w = torch.zeros(5, 5)
    w.copy_(q)
    w.sum().backward()
    return (x.grad, y.grad, w.grad_fn)


def set_data(torch):
    x = torch.randn(1, 2)
    y = torch.randn(1, 2, requires_grad=True)

    class Foo:
        pass

    y.data = x
    a = [y.data.equal(x), y.requires_grad]

    def f():
        y.data = torch.randn(1, 2, dtype=torch.int64)

    def g():
        y.data = 3

    def h():
        y.data = torch.randn(3, 3)
        return y

    return (a, err(f), err(g), err(h), y._version)


def set_data_self_requires_grad(torch):
    a = torch.tensor(1.0, requires_grad=True)
    b = torch.tensor(2.0)
    c = torch.tensor(3, dtype=torch.int64)
    a.data = b

    def f():
        a.data = c

    return (err(f), a)


def accumulate_grad_posthooks(torch):

    def t(set_to):
        x = torch.tensor(1.0, requires_grad=True)
        acc = x.clone().grad_fn.next_functions[0][0]
        log = []
        acc.register_hook(lambda i, o: log.append(x.grad))
        x.register_hook(lambda g: log.append("h"))
        err(lambda: torch.autograd.backward(x.exp(), inputs=None))
        return log

    return t(0)


def set_data_version(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    v = y._version
    y.data = torch.zeros(2)
    return (v, y._version, y.grad_fn)


def no_grad_copy(torch):

    class F(torch.autograd.Function):
        static_grad_ptr = None

        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, g):
            F.static_grad_ptr = g.data_ptr()
            return (g, g)

    class N(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return torch.sum(a)

        @staticmethod
        def backward(ctx, g):
            return torch.ones(1).expand(5, 5)

    a = torch.randn(5, 6, requires_grad=True)
    b = torch.randn(5, 6, requires_grad=True)
    N.apply(torch.randn(5, 5, requires_grad=True)).backward()
    a.grad = b.grad = None
    F.apply(a, b)[1][0].backward()
    pa = a.grad.data_ptr()
    pb = b.grad.data_ptr()
    return (pa == pb, True)


def gc_in_destructor(torch):

    class C(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g

        def __del__(self):
            gc.collect()

    for _ in range(3):
        C.apply(torch.randn(2, requires_grad=True)).sum().backward()
    return True


def no_unnecessary_save(torch):
    mu = torch.ones(1, requires_grad=True)
    x = torch.empty(1)
    loss = 0
    for i in range(3):
        x.detach_()
        x.copy_(mu + i)
        ft = torch.tensor([float(i)])
        m = x * ft
        s = m.sum()
        loss += s
    loss.backward()
    return mu.grad


def diag_deriv(torch):
    a = torch.randn(5, 6, requires_grad=True)
    b = torch.diagonal(a) ** 2
    c = b.sum()
    (d,) = torch.autograd.grad(c, a, retain_graph=True, create_graph=True)
    return d.requires_grad


def cycle_full_backward_hook(torch):

    class T(torch.nn.Module):
        def forward(self, x):
            return x**2

    def get():
        i = torch.tensor([1.0], requires_grad=True)
        m = T()
        m.register_full_backward_hook(lambda m, a, b: None)
        o = m(i)
        (g,) = torch.autograd.grad(o, i, create_graph=True)
        return (weakref.ref(g), g.item())

    r, v = get()
    gc.collect()
    return (v, r() is None)


def retain_cycle(torch):
    x = torch.ones(5, 5, requires_grad=True)

    def run():
        y = x * 2
        y.retain_grad()
        return (y / 2, weakref.ref(y))

    z, r = run()
    gc.collect()
    return (r() is None, err(lambda: z.sum().backward()))


def variable_traverse(torch):

    def get():
        leaf = torch.autograd.Variable(torch.randn(10), requires_grad=True)
        o = leaf + 1

        def hook(g):
            return g * leaf

        o.register_hook(hook)
        return o

    o = get()
    s = o.sum()
    o.requires_grad_()
    gc.collect()
    return str(s.grad_fn.name())


def accumulate_zero_numel(torch):
    a = torch.rand(4, 0, requires_grad=True)
    b = torch.rand(4, 0, requires_grad=True)
    c = a + b
    c.backward(torch.rand(4, 0))
    return (a.grad.shape, b.grad.shape)


def print_tensor(torch):
    a = torch.ones(1, requires_grad=True)
    p = torch.nn.Parameter(a)
    r = [repr(p), repr(a)]
    b = a * 2
    r.append(repr(b))

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, x):
            return x

    c = F.apply(a)
    r.append(repr(c))
    d = torch.zeros(2)

    class S(torch.Tensor):
        pass

    r.append(repr(torch.nn.Parameter(torch.ones(2, 2))))
    return r


def private_grad(torch):
    """A3C writes the gradients of its workers to `_grad`."""
    shared, own = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2))
    (own * own).sum().backward()
    shared._grad = own.grad
    torch.optim.SGD([shared], lr=0.25).step()
    return [shared, shared.grad is own.grad, own._grad]


def swapped(torch):
    """An optimizer that refers to one of two tensors finds what the other was."""
    p, q = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([p], lr=0.5)
    p.tag = "first"
    torch.utils.swap_tensors(p, q)
    (p * 2).sum().backward()
    optimizer.step()
    out = [p, q, p.grad, q.grad, q.tag, hasattr(p, "tag")]
    plain = torch.ones(2)
    torch.utils.swap_tensors(plain, q)
    return [*out, plain, q, type(plain) is torch.nn.Parameter, q.requires_grad]
