"""Functions with a backward of the user's own."""

from __future__ import annotations

import gc
import weakref

from tests.parity.autograd.same import err, warns


def custom_function_vmap_defaults(torch):

    class My(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g

    return (My.generate_vmap_rule, hasattr(My, "vmap"), type(err(lambda: My.vmap)).__name__)


def custom_function_setup_context_simple(torch):

    class S(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x**2

        @staticmethod
        def setup_context(ctx, inputs, output):
            (x,) = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx, gO):
            (x,) = ctx.saved_tensors
            return gO * 2 * x

    x = torch.randn([], requires_grad=True)
    y = S.apply(x)
    (gx,) = torch.autograd.grad(y, x)
    return (y, gx)


def custom_error_on_forward_with_ctx_and_setup(torch):

    class B(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g

    class C(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

    x = torch.ones(2, requires_grad=True)
    y = C.apply(x)

    class D(torch.autograd.Function):
        pass

    return (
        err(lambda: B.apply(x)),
        err(lambda: y.sum().backward()),
        err(lambda: D.apply(x)),
        err(lambda: torch.autograd.Function()),
        err(lambda: torch.autograd.Function.apply(x)),
    )


def legacy_function(torch):

    class My(torch.autograd.Function):
        def forward(self, x):
            return x

        def backward(self, g):
            return g

    return (err(lambda: My()(torch.randn(3, 4))), warns(lambda: My()))


def invalid_gradients(torch):

    class My(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return torch.randn(10, dtype=torch.float)

    i = torch.randn(5, requires_grad=True)
    return err(lambda: My.apply(i).sum().backward())


def multi_grad_counts(torch):

    class My(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return (g, g)

    class My2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g

    class My3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return (g, None, None)

    class My4(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return (g, torch.ones(3))

    class My5(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return (5, None)

    x = torch.ones(2, requires_grad=True)
    return [
        err(lambda F=F, n=n: (F.apply(*[x] + [3] * n).sum().backward(), x.grad))
        for F, n in ((My, 0), (My2, 1), (My3, 1), (My4, 1), (My5, 1))
    ]


def shape_dtype_grads(torch):

    class My(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g.double()

    x = torch.ones(2, requires_grad=True)
    My.apply(x).sum().backward()

    class B(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.expand(3, 2).clone()

        @staticmethod
        def backward(ctx, g):
            return g

    b = torch.ones(2, requires_grad=True)
    B.apply(b).sum().backward()
    return (x.grad, b.grad)


def custom_function_saving_mutated_view_no_leak(torch):

    class T(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.add_(1)
            ctx.save_for_backward(x)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            pass

    def test():
        a = torch.randn(3, requires_grad=True)
        b = a.clone()
        ref = weakref.ref(b)
        b = T.apply(b[:])
        return ref

    r = test()
    gc.collect()
    return r() is None


def set_materialize_grads(torch):

    class My(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return (x.clone(), x.clone())

        @staticmethod
        def backward(ctx, a, b):
            print(a is None, b is None)
            return a

    x = torch.ones(2, requires_grad=True)
    My.apply(x)[0].sum().backward()
    return x.grad


def set_materialize_non_diff_grads(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            o0 = x.clone()
            o1 = x.clone()
            ctx.mark_non_differentiable(o1)
            ctx._materialize_non_diff_grads = False
            return (o0, o1)

        @staticmethod
        def backward(ctx, g0, g1):
            print(g1)
            return g0

    a = torch.tensor(1.0, requires_grad=True)
    b = F.apply(a)[0]
    b.backward()
    return a.grad


def save_none_for_backward(torch):

    class M(torch.autograd.Function):
        @staticmethod
        def forward(ctx, i):
            ctx.save_for_backward(None, i, None)
            return i * i

        @staticmethod
        def backward(ctx, g):
            n1, i, n2 = ctx.saved_tensors
            print(n1, n2, ctx.needs_input_grad, ctx.saved_variables[0])
            return 2 * i * g

    x = torch.ones(5, requires_grad=True)
    M.apply(x).sum().backward()
    return x.grad


def too_many_grads(torch):

    class M(torch.autograd.Function):
        @staticmethod
        def forward(ctx, i):
            return i

        @staticmethod
        def backward(ctx, g):
            return (g, None, None)

    x = torch.ones(5, requires_grad=True)
    y = M.apply(x)
    y.sum().backward()
    return x.grad


def dep_nograd(torch):

    class F1(torch.autograd.Function):
        @staticmethod
        def forward(ctx, i):
            o = torch.randn(i.size())
            ctx.mark_non_differentiable(o)
            return (i, o)

        @staticmethod
        def backward(ctx, g, ig):
            return g

    class F2(torch.autograd.Function):
        @staticmethod
        def forward(ctx, i, ig):
            return i

        @staticmethod
        def backward(ctx, g):
            return (g, None)

    x = torch.ones(5, requires_grad=True)
    a, b = F1.apply(x)
    b = b + 1
    r = [a.requires_grad, b.requires_grad]
    c = F2.apply(a, b)
    c.backward(torch.ones(c.size()))
    return (r, x.grad)


def checkpoint_kwargs_rng(torch):
    import importlib

    ck = importlib.import_module(torch.__name__ + ".utils.checkpoint")
    x = torch.ones(6, requires_grad=True)
    y = ck.checkpoint(
        lambda a, scale=1, flag=None: torch.nn.functional.dropout(a * scale, 0.5), x, scale=3, use_reentrant=False
    )
    y.sum().backward()
    r = [(x.grad != 0).equal(y != 0)]
    x.grad = None
    y = ck.checkpoint(lambda a: torch.nn.functional.dropout(a * 2, 0.5), x, use_reentrant=True)
    y.sum().backward()
    r.append((x.grad != 0).equal(y != 0))
    y = ck.checkpoint(lambda a: {"o": (a * 2, 3)}, x, use_reentrant=False)
    r.append(y["o"][1])
    return r


def node_none_order(torch):

    class A(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            order.append("A")
            return g

    order = []
    x = torch.ones(2, requires_grad=True)
    y = A.apply(x)
    z = A.apply(y * 2) + A.apply(y * 3)
    z.sum().backward()
    return (order, x.grad)
