"""Writes through a real view of a complex tensor, and through a complex view of a real one."""

from __future__ import annotations


def parts_written(torch):
    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    y = torch.tensor([2.0, 3.0], requires_grad=True)
    w = z * 1
    w.imag.mul_(y)
    w.real.add_(y)
    (w * w).sum().abs().backward()
    return [round(each, 3) for each in torch.view_as_real(z.grad).flatten().tolist()], y.grad.round()


def pairs_written(torch):
    z = torch.tensor([[1 + 2j, 3 - 1j]], requires_grad=True)
    w = z * 1
    pairs = torch.view_as_real(w)
    pairs[..., 1].mul_(4.0)
    pairs.sum().backward()
    return z.grad


def complex_view_written(torch):
    x = torch.arange(4.0).view(2, 2).requires_grad_()
    w = x * 1
    torch.view_as_complex(w).mul_(1j)
    w[:, 0].exp_()
    w.sum().backward()
    return x.grad


def written_and_differentiated_twice(torch):
    found = []
    for kind in (torch.float64, torch.complex128):
        x = torch.ones(2, 3, dtype=kind, requires_grad=True)
        y = torch.full((2,), 3.0, dtype=torch.float64, requires_grad=True)
        base = (x * x).t()
        part = base.imag if kind.is_complex else base
        part[1].mul_(y * y)
        (grad,) = torch.autograd.grad((base * base).sum().abs(), x, create_graph=True)
        grad.abs().sum().backward()
        found += [grad.abs().round(), y.grad.round(), x.grad.abs().round()]
    return found


def graph_of_the_gradient_of_a_written_view(torch):
    def shown(node, depth):
        if node is None or not depth:
            return None
        return node.name().split(":")[-1], [shown(each, depth - 1) for each, _ in node.next_functions]

    x = torch.ones(2, 3, requires_grad=True)
    view = (x + 1).view_as(x)
    kept = torch.sigmoid(torch.nn.functional.threshold(view, 0.0, 0.0, True))
    (grad,) = torch.autograd.grad(kept, x, torch.ones(2, 3), create_graph=True)
    return shown(grad.grad_fn, 2)
