"""Hooks on tensors, nodes, leaves and modules."""

from __future__ import annotations

from tests.parity.autograd.same import err


def multi_grad_all_hooks(torch):
    t1 = torch.rand(2, requires_grad=True)
    t2 = torch.rand(2, requires_grad=True)
    t3 = torch.rand(2, requires_grad=True)
    t4 = torch.rand(2, requires_grad=True)
    t1 = t1.mul(2)
    t2 = t2.mul(2)
    t3 = t3.mul(2)
    t4 = t4.mul(2)
    res = [None]
    count = [0]
    hi = [0]

    def hook(grads):
        res[0] = [g is not None for g in grads]
        count[0] += 1

    h = torch.autograd.graph.register_multi_grad_hook((t1, t2, t3, t4), hook)
    out = t2 * t3
    out.sum().backward(inputs=(t2, t3), retain_graph=True)
    r = [list(res), list(count)]
    out.sum().backward(inputs=(t1, t4), retain_graph=True)
    r += [list(res), list(count)]
    (t1 * 2).sum().backward()
    r += [list(res), list(count)]
    h.remove()
    out.sum().backward(inputs=(t2, t3), retain_graph=True)
    r += [list(res), list(count)]
    return r


def multi_grad_any_hooks(torch):

    class Boom(RuntimeError):
        pass

    def run(should_raise):
        hook_id = [0]
        log = []

        def hook(grad):
            log.append(grad.shape)
            if should_raise:
                raise Boom("x")

        t1 = torch.rand(2, requires_grad=True)
        t2 = torch.rand(2, requires_grad=True)
        t3 = torch.rand(2, requires_grad=True)
        t4 = torch.rand(2, requires_grad=True)
        t1 = t1.mul(2)
        t2 = t2.mul(2)
        t3 = t3.mul(2)
        t4 = t4.mul(2)
        h = torch.autograd.graph.register_multi_grad_hook((t1, t2, t3, t4), hook, mode="any")
        out = t2 * t3
        r = [err(lambda: out.sum().backward(inputs=(t2, t3), retain_graph=True)), len(log)]
        r += [err(lambda: out.sum().backward(inputs=(t1, t4), retain_graph=True)), len(log)]
        r += [err(lambda: out.sum().backward(inputs=(t1, t2), retain_graph=True)), len(log)]
        h.remove()
        r += [err(lambda: out.sum().backward(inputs=(t2,), retain_graph=True)), len(log)]
        return r

    return (
        run(False),
        run(True),
        err(
            lambda: torch.autograd.graph.register_multi_grad_hook(
                (torch.ones(1, requires_grad=True),), lambda g: None, mode="foo"
            )
        ),
    )


def dont_materialize_hooks(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    out = []
    y.register_hook(lambda g: out.append(g))
    y.grad_fn.register_hook(lambda gi, go: out.append((gi, go)))
    y.grad_fn.register_prehook(lambda go: out.append(go))
    y.sum().backward()
    return out


def hooks_with_no_name(torch):

    class H:
        def __call__(self, g):
            return g.clone()

    x = torch.randn(5, 5, requires_grad=True).clone()
    x.register_hook(H())
    x.sum().backward()
    f = lambda g: None
    return (
        err(lambda: x.register_hook(3)),
        err(lambda: torch.ones(2).register_hook(f)),
        err(lambda: x.register_hook(lambda: None)),
        err(lambda: x.sum().backward()),
    )


def hook_errors(torch):
    x = torch.randn(2, requires_grad=True)

    def t(ret):
        y = x * 2
        y.register_hook(lambda g: ret)
        return err(lambda: y.sum().backward())

    def n(ret):
        y = x * 2
        y.grad_fn.register_hook(lambda gi, go: ret)
        return err(lambda: y.sum().backward())

    def p(ret):
        y = x * 2
        y.grad_fn.register_prehook(lambda go: ret)
        return err(lambda: y.sum().backward())

    z = torch.randn(2)
    return [
        f(r)
        for f in (t, n, p)
        for r in (
            3,
            "a",
            (3,),
            (z, z),
            torch.zeros(3),
            (torch.zeros(3),),
            torch.zeros(2, dtype=torch.float64),
            (None,),
            torch.zeros(2),
        )
    ]


def retains_grad_order(torch):
    log = []
    a = torch.tensor(1.0, requires_grad=True)
    b = a.clone()
    b.register_hook(lambda g: log.append("t0"))
    b.retain_grad()
    b.retain_grad()
    b.register_hook(lambda g: (log.append("t1"), g * 2)[1])
    b.grad_fn.register_prehook(lambda g: (log.append("p"), (g[0] * 3,))[1])
    b.sum().backward()
    return (log, b.grad, a.grad, b.retains_grad)


def grad_fn_prehook_acc(torch):
    log = []
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    acc = a.view_as(a).grad_fn.next_functions[0][0]
    acc.register_prehook(lambda g: log.append(("pre", g)))
    acc.register_hook(lambda gi, go: log.append(("post", gi, go)))
    a.register_hook(lambda g: log.append(("tensor", g)))
    a.register_post_accumulate_grad_hook(lambda t: log.append(("pa", t.grad)))
    (a * 3).sum().backward()
    return (log, acc.variable is a, acc.name())


def acc_hooks_grad_call(torch):
    log = []
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    acc = a.view_as(a).grad_fn.next_functions[0][0]
    acc.register_prehook(lambda g: log.append(("pre", g)))
    acc.register_hook(lambda gi, go: log.append(("post", gi, go)))
    a.register_hook(lambda g: log.append(("tensor", g)))
    torch.autograd.grad((a * 3).sum(), a)
    return log


def tensor_hooks_inplace(torch):
    out = []

    def fn(inplace):
        l = []
        r = torch.tensor(2.0, requires_grad=True)
        x = r.clone()
        h1 = x.register_hook(lambda g: (l.append("a"), g * 2)[1])
        x.mul_(3) if inplace else None
        x.register_hook(lambda g: (l.append("b"), g * 5)[1])
        x.retain_grad()
        (x * 7).backward()
        out.append((l, r.grad, x.grad))

    fn(True)
    fn(False)
    return out


def tensor_hooks_view(torch):
    l = []
    a = torch.tensor([1.0, 2.0], requires_grad=True).clone()
    v = a[0]
    v.register_hook(lambda g: l.append(("v", g)))
    a.register_hook(lambda g: l.append(("a", g)))
    v.retain_grad()
    a.retain_grad()
    v.mul_(2)
    a.sum().backward()
    return (l, v.grad, a.grad)


def no_double_hooks(torch):
    x = torch.randn(2, requires_grad=True)
    n = []
    y = x * 2
    h = y.register_hook(lambda g: n.append(1))
    z = (y * y).sum()
    torch.autograd.grad(z, x, retain_graph=True)
    torch.autograd.grad(z, y, retain_graph=True)
    z.backward(inputs=[y], retain_graph=True)
    h.remove()
    z.backward()
    return (n, y.grad)


def post_acc(torch):
    l = torch.rand(2, requires_grad=True)
    nl = l * 2
    r = [
        err(lambda: nl.register_post_accumulate_grad_hook(lambda t: None)),
        err(lambda: torch.rand(2).register_post_accumulate_grad_hook(lambda t: None)),
    ]
    l.register_post_accumulate_grad_hook(lambda t: 3)
    r.append(err(lambda: (l * 2).sum().backward()))
    t = torch.rand(2, requires_grad=True)
    log = []
    h = t.register_post_accumulate_grad_hook(lambda t: log.append(1))
    h2 = t.register_post_accumulate_grad_hook(lambda t: log.append(2))
    (t * 2).sum().backward()
    h.remove()
    (t * 2).sum().backward()
    torch.autograd.grad((t * 2).sum(), t)
    (t * 2).sum().backward(inputs=[t])
    return (r, log, t._post_accumulate_grad_hooks is not None, h2.id - h.id)


def post_acc_many_uses(torch):
    t = torch.ones(2, requires_grad=True)
    log = []
    t.register_post_accumulate_grad_hook(lambda t: log.append(t.grad.clone()))
    (t * 2 + t * 3 + t.sin()).sum().backward()
    return log


def backward_hook_dicts(torch):
    x = torch.ones(2, requires_grad=True)
    b = x._backward_hooks
    h = x.register_hook(lambda g: None)
    return (b, len(x._backward_hooks), type(x._backward_hooks).__name__, h.hooks_dict_ref().__len__())


def saved_tensor_hooks_detach(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: (log.append(("p", t.requires_grad, t.is_leaf)), t)[1], lambda t: (log.append("u"), t)[1]
    ):
        y = x * x
        z = y.exp()
        w = z.sum()
    z.grad_fn._saved_result
    w.backward()
    return (log, x.grad)


def module_global_hooks(torch):
    mod = torch.nn.modules.module
    log = []
    h = mod.register_module_full_backward_hook(lambda m, gi, go: log.append(type(m).__name__))
    h2 = mod.register_module_forward_hook(lambda m, i, o: log.append("f" + type(m).__name__))
    h3 = mod.register_module_forward_pre_hook(lambda m, i: log.append("p" + type(m).__name__))
    torch.nn.Linear(1, 1)(torch.ones(1, 1, requires_grad=True)).sum().backward()
    h.remove()
    h2.remove()
    h3.remove()
    return log


def forward_hooks(torch):
    nn = torch.nn
    log = []
    m = nn.Linear(1, 1)
    m.register_forward_pre_hook(lambda m, a: log.append("a"))
    m.register_forward_pre_hook(lambda m, a: log.append("b"), prepend=True)
    m.register_forward_pre_hook(lambda m, a, k: log.append(k), with_kwargs=True)
    m.register_forward_hook(lambda m, a, k, o: log.append("kw"), with_kwargs=True)
    m.register_forward_hook(lambda m, a, o: o * 2, always_call=True)
    m.register_forward_hook(lambda m, a, o: log.append("first"), prepend=True)
    m(torch.ones(1, 1))
    return log


def disable_hooks(torch):
    out = []
    g = torch.autograd.graph
    with g.disable_saved_tensors_hooks("error message"):
        out.append(err(lambda: g.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__()))
        out.append(torch._C._autograd._saved_tensors_hooks_is_enabled())
        with g.disable_saved_tensors_hooks("inner"):
            out.append(err(lambda: g.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__()))
        out.append(err(lambda: g.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__()))
    out.append(torch._C._autograd._saved_tensors_hooks_is_enabled())

    def f():
        with g.saved_tensors_hooks(lambda x: x, lambda x: x):
            with g.disable_saved_tensors_hooks("er"):
                pass

    out.append(err(f))
    return out


def queue_cb(torch):
    out = []
    eng = torch.autograd.Variable._execution_engine

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            eng.queue_callback(lambda: out.append("a"))
            eng.queue_callback(lambda: (out.append("b"), eng.queue_callback(lambda: out.append("c"))))
            return g

    a = torch.rand(2, requires_grad=True)
    F.apply(a).sum().backward()
    out.append(err(lambda: eng.queue_callback(lambda: 1)))
    return out


def hook_edge_called(torch):
    a = torch.tensor([1.0, 1.0], requires_grad=True)
    c = a * 2
    t = []
    fn = lambda g: t.append(g)
    c.register_hook(fn)
    torch.autograd.grad(c.sum() * 3, c)
    b = c * 3
    torch.autograd.grad(b.sum(), inputs=(c,))
    return t


def posthook_during_unpack(torch):

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return ctx.saved_tensors[0]

    log = []
    a = torch.rand(3, 3, requires_grad=True)

    def unpack(x):
        log.append("unpack")
        node = torch._C._current_autograd_node()
        node.register_hook(lambda gi, go: log.append("post"))
        return x

    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, unpack):
        b = F.apply(a)
    b.sum().backward()
    return log


def hooks_and_inplace(torch):
    log = []
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: log.append(("y", g)))
    z = y.view(3)
    z.register_hook(lambda g: log.append(("z", g)))
    y.add_(1)
    y.register_hook(lambda g: log.append(("y2", g)))
    (y * y).sum().backward()
    return (log, x.grad)


def linear_node_hooks(torch):
    """The gradients that a hook of the node sees, and that the weight keeps its own."""
    out = []
    for biased in (True, False):
        for needs in (True, False):
            layer = torch.nn.Linear(2, 3, bias=biased)
            y = layer(torch.ones(4, 2, requires_grad=needs))
            y.grad_fn.register_hook(lambda inputs, outputs: out.append([g is not None and g.shape for g in inputs]))
            y.sum().backward()
            out.append(layer.weight.grad)
    return out


def old_module_hooks(torch):
    """Layers with their bias in a module of its own, as K-FAC has them."""
    out = []
    model = torch.nn.Sequential(torch.nn.Linear(2, 3, bias=False), torch.nn.Tanh(), torch.nn.Linear(3, 1, bias=False))
    for layer in (model[0], model[2]):
        layer.register_backward_hook(lambda module, inputs, outputs: out.append(outputs[0]))
    model(torch.ones(4, 2)).sum().backward()
    return [*out, model[0].weight.grad, model[2].weight.grad]
