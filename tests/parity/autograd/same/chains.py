"""Ops that PyTorch records as several nodes: what `next_functions` shows, and what hooks on these nodes see."""

from __future__ import annotations

from tests.parity.autograd.same import err


def behind_linear(torch):
    def written(node):
        if node is None:
            return "None"
        return f"{type(node).__name__}({', '.join(written(each) for each, _ in node.next_functions)})"

    out = []
    weight, bias = torch.ones(2, 3, requires_grad=True), torch.ones(2, requires_grad=True)
    for w in (weight, weight.detach(), weight * 1):
        for b in (None, bias, bias.detach()):
            for x in (torch.ones(4, 3), torch.ones(4, 3, requires_grad=True)):
                y = torch.nn.functional.linear(x, w, b)
                out.append(None if y.grad_fn is None else written(y.grad_fn))
    return out


def gradients_after_a_look(torch):
    out = []
    for look in (False, True):
        torch.manual_seed(0)
        layer = torch.nn.Linear(3, 2).double()
        x = torch.rand(4, 3, dtype=torch.float64, requires_grad=True)
        y = layer(x).tanh()
        if look:
            len(y.grad_fn.next_functions[0][0].next_functions)
        leaves = (x, layer.weight, layer.bias)
        grads = torch.autograd.grad((y * y).sum(), leaves, create_graph=True)
        second = torch.autograd.grad(sum(g.pow(2).sum() for g in grads), leaves)
        y = layer(x)
        if look:
            len(y.grad_fn.next_functions)
        y.sum().backward(inputs=[layer.weight])
        out.append(([g.detach() for g in grads], second, layer.weight.grad, err(lambda y=y: y.sum().backward())))
    return out


def order_of_hooks(torch):
    seen = []
    layer, x = torch.nn.Linear(3, 2), torch.ones(4, 3, requires_grad=True)
    named = {"weight": layer.weight, "bias": layer.bias, "x": x}

    def watch(node, depth):
        name = f"{node.name()}.{depth}"
        node.register_prehook(lambda grads: seen.append((name, [tuple(g.shape) for g in grads])))
        node.register_hook(lambda ins, outs: seen.append((name, [None if g is None else tuple(g.shape) for g in ins])))
        for each, _ in node.next_functions:
            watch(each, depth + 1)

    total = layer(x).sum()
    watch(total.grad_fn, 0)
    for name, tensor in named.items():
        tensor.register_hook(lambda g, name=name: seen.append(name))
        tensor.register_post_accumulate_grad_hook(lambda t, name=name: seen.append(name + " kept"))
    total.backward()
    return (seen, [each.grad for each in named.values()])


def a_gradient_at_the_transpose(torch):
    layer = torch.nn.Linear(3, 2, bias=False)
    y = layer(torch.arange(12.0).view(4, 3))
    (transposed, number) = y.grad_fn.next_functions[1]
    edge = torch.autograd.graph.GradientEdge(transposed, number)
    return (torch.autograd.grad(y.sum(), edge), transposed.name(), number)
