"""Nodes with another number in the sequence of ops."""

from __future__ import annotations

from tests.parity.autograd.same import err


def order_of_backward(torch):
    out = []
    for first, second in ((7, 8), (8, 7)):
        x = torch.ones(2, requires_grad=True)
        a, b = x * 2, x * 3
        a.grad_fn._set_sequence_nr(first)
        b.grad_fn._set_sequence_nr(second)
        seen = []
        a.register_hook(lambda g, seen=seen: seen.append("a"))
        b.register_hook(lambda g, seen=seen: seen.append("b"))
        (a * b).sum().backward()
        out.append((seen, x.grad, a.grad_fn._sequence_nr(), b.grad_fn._sequence_nr()))
    return out


def only_when_ready(torch):
    x = torch.full((2,), 3.0, requires_grad=True)
    y = x * x
    y.grad_fn._set_sequence_nr(2**63)
    seen = []
    y.register_hook(seen.append)
    z = (y * y).exp().log()
    (z + y).sum().backward(retain_graph=True)
    (z + y).sum().backward()
    return (seen, x.grad)


def written_values_are_still_found(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    a, b = y.exp(), y * y
    a.grad_fn._set_sequence_nr(1)
    total = (a + b).sum()
    with torch.no_grad():
        y.mul_(2)
    return str(err(lambda: total.backward()))[:120]


def numbers_that_are_none(torch):
    node = (torch.ones(2, requires_grad=True) * 2).grad_fn
    return [err(lambda value=value: node._set_sequence_nr(value)) for value in (-1, 2**64, 1.5, "a", None, 2**64 - 1)]


def leaves_come_last_in_number(torch):
    x = torch.ones(2, requires_grad=True)
    return torch.autograd.graph.get_gradient_edge(x).node._sequence_nr()
