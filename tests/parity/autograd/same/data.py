"""`.data`: the same memory, whose writes count apart."""

from __future__ import annotations

from tests.parity.autograd.same import err


def counts(torch):
    x = torch.ones(3, 4, requires_grad=True)
    first = x.data
    row, flat, same, again, pieces = first[0], first.view(-1), first.detach(), first.data, first.unbind()
    first.add_(1)
    row.mul_(2)
    same.add_(1)
    pieces[0].add_(1)
    again.add_(1)
    y = x * 1
    part = y.data
    part.add_(1)
    y.add_(1)
    return ([each._version for each in (x, first, row, flat, same, again, pieces[0], y, part, part[0], y[0])], x, y)


def values_saved_from_data(torch):
    """A write through it is noticed by what saved it or its views, not by what saved the tensor itself."""
    out = []
    writes = (
        lambda x, d: d.add_(1), lambda x, d: d[0].add_(1), lambda x, d: d.view(-1).mul_(2), lambda x, d: x.data.add_(1),
        lambda x, d: x.add_(1), lambda x, d: d.detach().add_(1),
    )  # fmt: skip
    saved = (
        lambda x, d, w: w * d,
        lambda x, d, w: w * d[0],
        lambda x, d, w: w * x,
        lambda x, d, w: (w * d.view(2, 3)).exp(),
    )
    for write in writes:
        for use in saved:
            x, w = torch.ones(2, 3), torch.full((3,), 2.0, requires_grad=True)
            d = x.data
            y = use(x, d, w)
            write(x, d)
            found = err(lambda y=y: y.sum().backward())
            out.append((None if found is None else "modified by an inplace" in str(found), w.grad))
    return out


def replaced_between_forward_and_backward(torch):
    """What was saved of a tensor is the tensor, so backward computes with its new data."""
    uses = (
        lambda x, w: x * w, lambda x, w: x * x, lambda x, w: x[0] * w, lambda x, w: x @ w.t(), lambda x, w: w @ x.t(),
        lambda x, w: x.sin() * w, lambda x, w: x.exp() / w, lambda x, w: torch.nn.functional.linear(w, x),
        lambda x, w: torch.where(w > 0, x**2, x) * w, lambda x, w: torch.addcmul(x, w, x), lambda x, w: x.exp() * x,
    )  # fmt: skip
    out = []
    for use in uses:
        for which in (0, 1):
            pair = [torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=n == 0) for n in range(2)]
            y = use(*pair).sum()
            pair[which].data = torch.tensor([[5.0, 6.0], [7.0, 8.0]])
            out.append(torch.autograd.grad(y, pair[0], retain_graph=True))
            pair[which].data = torch.full((2, 2), 3.0)
            y.backward()
            out.append(pair[0].grad)
    return out


def replaced_and_put_back(torch):
    """As networks with rounded weights do it."""
    x, weight = torch.ones(2, 2), torch.tensor([[0.5, -0.5], [1.5, 2.0]], requires_grad=True)
    exact = weight.data
    weight.data = exact.sign()
    y = (x @ weight).pow(2).sum() + (weight * weight).sum()
    weight.data = exact
    y.backward()
    return (weight.grad, weight, weight._version)


def replaced_numbers_and_computed_ones(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    x.data = torch.tensor(5.0)
    y.backward()
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = a.exp()
    c, d = b * b, b.detach() * a
    b.data = torch.tensor([5.0, 6.0])
    shown = c.grad_fn._saved_self
    (c + d).sum().backward()
    return (x.grad, shown, a.grad)


def replaced_by_what_was_written(torch):
    """Writes into the new memory count from when it came."""
    out = []
    for write in (lambda x, new: None, lambda x, new: x.data.mul_(2), lambda x, new: x.detach().mul_(2)):
        x, w = torch.ones(3, requires_grad=True), torch.full((3,), 2.0)
        y = (x * w * x).sum()
        new = torch.empty(3).fill_(4.0)
        x.data = new
        write(x, new)
        out.append(err(lambda y=y, x=x: torch.autograd.grad(y, x, retain_graph=True)))
        out.append(err(lambda y=y, x=x: torch.autograd.grad(y, x)))
    return [str(each)[:90] for each in out]


def replaced_under_a_graph_of_the_gradient(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x * x).sum()
    x.data = torch.tensor([5.0, 6.0])
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    return (g, torch.autograd.grad(g.sum(), x))
