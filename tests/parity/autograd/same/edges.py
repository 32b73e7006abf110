"""Nodes and edges of the graph."""

from __future__ import annotations

from tests.parity.autograd.same import err


def grad_to_node_inplace(torch):
    x = torch.tensor(1.0, requires_grad=True).clone()
    edge = torch.autograd.graph.get_gradient_edge(x)
    x *= 2
    g, e = torch.autograd.grad(x, (x, edge))
    return (g, e)


def grad_to_node_multi(torch):
    x = [torch.tensor(float(i), requires_grad=True).clone() for i in range(2)]
    res = torch.stack(x)
    edges = [torch.autograd.graph.GradientEdge(*f) for f in res.grad_fn.next_functions]
    return (torch.autograd.grad(res.sum(), edges), torch.autograd.grad(torch.stack(x).sum(), x))


def grad_to_node_materialize(torch):
    x = torch.tensor(1.0, requires_grad=True).clone()
    eg = torch.autograd.graph.get_gradient_edge(x)
    y = torch.tensor(1.0, requires_grad=True).clone()
    eu = torch.autograd.graph.get_gradient_edge(y)
    out = x * 2
    r = [torch.autograd.grad(out.clone(), (eg, y), allow_unused=True, retain_graph=True)]
    r.append(err(lambda: torch.autograd.grad(out.clone(), (eg, y), retain_graph=True)))
    r.append(torch.autograd.grad(out.clone(), (x, y), allow_unused=True, materialize_grads=True, retain_graph=True))
    r.append(torch.autograd.grad(out.clone(), (eg, y), allow_unused=True, materialize_grads=True, retain_graph=True))
    r.append(
        err(
            lambda: torch.autograd.grad(
                out.clone(), (x, eu), allow_unused=True, materialize_grads=True, retain_graph=True
            )
        )
    )
    return r


def backward_to_node(torch):
    x = torch.tensor(1.0, requires_grad=True).clone()
    edge = torch.autograd.graph.get_gradient_edge(x)
    out = x.clone()
    r = [err(lambda: torch.autograd.backward(out.sum(), inputs=(edge,)))]
    a = torch.tensor(1.0, requires_grad=True)
    ea = torch.autograd.graph.get_gradient_edge(a)
    o = a * 3
    r.append(err(lambda: torch.autograd.backward(o, inputs=[ea])))
    return (r, a.grad)


def grad_fn_input_metadata(torch):
    x = torch.rand(2, requires_grad=True)
    y = x.exp()
    m = y.grad_fn._input_metadata
    z = x.sum()
    md = m[0]
    return (
        len(m),
        md.dtype,
        md.device,
        md.shape,
        md.is_nested_tensor,
        torch.ones(2, 3, requires_grad=True).max(1)[0].grad_fn._input_metadata[0].shape,
    )


def grad_fn_input_metadata_many(torch):
    a = torch.rand(2, 3, 4, requires_grad=True)
    u = a.unbind(0)
    m = u[0].grad_fn._input_metadata

    class D(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x.double(), x[0] * 1)

        @staticmethod
        def backward(ctx, g, h):
            return g

    d = D.apply(a)
    leaf = a.clone().grad_fn.next_functions[0][0]
    return (
        [(x.dtype, x.shape) for x in m],
        [(x.dtype, x.shape) for x in d[0].grad_fn._input_metadata],
        [x.shape for x in leaf._input_metadata],
        hasattr(m[0], "is_cpp_nested_tensor"),
    )


def gradient_edge_output(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def fn(x, reduce=True):
        tmp = x.sin().cos()
        if reduce:
            tmp = tmp.sum()
        out = tmp.exp().clone().sin().sum()
        te = torch.autograd.graph.get_gradient_edge(tmp)
        return (out, te)

    out, te = fn(x)
    g = torch.autograd.grad(te, x)
    out, te = fn(x)
    g2 = torch.autograd.grad((te,), x)
    out, te = fn(x, False)
    e1 = err(lambda: torch.autograd.grad(te, x))
    out, te = fn(x, False)
    g3 = torch.autograd.grad(te, x, grad_outputs=torch.tensor([1.0, 1.0]))
    out, te = fn(x, False)
    e2 = err(lambda: torch.autograd.grad(te, x, grad_outputs=torch.tensor([1.0, 1.0, 1.0])))
    out, te = fn(x)
    torch.autograd.backward(te)
    out, te = fn(x)
    torch.autograd.backward((te, out))
    return (g, g2, e1, g3, e2, x.grad)


def graph_save_on_cpu(torch):
    g = torch.autograd.graph
    x = torch.randn(5, requires_grad=True)
    with g.save_on_cpu():
        y = x * x
        z = y.sin()
    z.sum().backward()
    with g.save_on_cpu(pin_memory=False):
        y = (x * x).sum()
    return (torch.autograd.grad(y, x), x.grad)


def seq_nr(torch):
    x = torch.ones(2, requires_grad=True)
    a = x * 2
    b = a * 2
    s = (a.grad_fn._sequence_nr(), b.grad_fn._sequence_nr())
    return (s[1] - s[0], type(a.grad_fn.next_functions[0][0]._sequence_nr()).__name__)


def node_meta(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.grad_fn.metadata["a"] = 3
    return (
        y.grad_fn.metadata,
        y.grad_fn.metadata is y.grad_fn.metadata,
        err(lambda: setattr(y.grad_fn, "foo", 3)),
        y.grad_fn.name(),
    )


def grad_fn_after_view_write(torch):
    a = torch.randn(4, requires_grad=True).clone()
    v = a[:2]
    v.mul_(2)
    return (a.grad_fn.name(), v.grad_fn.name(), v.grad_fn.next_functions, a.grad_fn.next_functions)


def next_functions(torch):
    x = torch.randn(5, 5, requires_grad=True)
    y = torch.randn(5, 5, requires_grad=True)
    a = x + y
    b = a + 5
    n = a.grad_fn.next_functions
    return (
        len(n),
        n[0][0].name(),
        isinstance(n[0][0], torch._C._functions.AccumulateGrad),
        n[0][1],
        n[1][0].name(),
        b.grad_fn.next_functions[0][0] is a.grad_fn,
        b.grad_fn.next_functions[0][1],
        len(b.grad_fn.next_functions),
        n[0][0].variable is x,
    )


def written_weights(torch):
    """`linear` multiplies by the transpose of its weight, which is what the error names."""
    out = []
    for biased in (True, False):
        for shape in ((3,), (4, 3), (2, 4, 3)):
            layer = torch.nn.Linear(3, 2, bias=biased)
            y = layer(torch.ones(shape, requires_grad=True))
            with torch.no_grad():
                layer.weight.add_(1)
            out.append(err(lambda y=y: y.sum().backward()))
    return out
