"""Lazy conjugates and negatives: views that follow what they were made of."""

from __future__ import annotations

import random

from tests.parity.autograd.same import complex_numbers, err, state, unturned


def a_conjugate_shares_memory(torch):
    z = complex_numbers(torch)
    c = z.conj()
    d = c.conj()
    out = [state(z, c, d), (c._base is z, d._base is z, c.data_ptr() == z.data_ptr(), c.stride(), c.is_contiguous())]
    z[0, 0] = 9 + 9j
    c[1, 1] = 5 - 5j
    d[0].mul_(2)
    c.data.mul_(1j)
    torch.add(z, 1, out=c)
    return (out, state(z, c, d))


def parts_of_a_conjugate(torch):
    z = complex_numbers(torch)
    c = z.conj()
    row, imaginary, real, turned = c[1], c.imag, c.real, c.t()
    row.mul_(2)
    imaginary.add_(1)
    real.sub_(3)
    turned[0, 1] = 7j
    return (state(z, c, row, imaginary, real, turned), imaginary._base is z, state(z.mH, z.H, z.adjoint()))


def what_keeps_the_bit(torch):
    c = complex_numbers(torch).conj()
    made = (
        c.clone(), c * 2, c.detach(), c.contiguous(), c.reshape(-1), c.to(torch.complex64), torch.empty_like(c),
        c.expand(2, 2, 2), torch.stack([c, c]), c[torch.tensor([0])], c.sum(), c.resolve_conj(), c.imag.resolve_neg(),
        c.imag.clone(), torch.conj_physical(c), c.data,
    )  # fmt: skip
    x = torch.ones(3)
    return ([(each.is_conj(), each.is_neg()) for each in made], x.conj() is x, torch.is_conj(c), torch.is_neg(c.imag))


def negatives(torch):
    x = torch.arange(4.0)
    n = x._neg_view()
    m = n._neg_view()
    x.add_(1)
    n[0] = 5
    m[1:].mul_(2)
    z = complex_numbers(torch)
    both = z._neg_view().conj()
    both.mul_(2)
    return (state(x, n, m), [unturned(each) for each in (z, both)], m.data_ptr() == x.data_ptr())


def what_is_refused(torch):
    c = complex_numbers(torch).conj()
    calls = (
        lambda: c.numpy(), lambda: c.imag.numpy(), lambda: torch.view_as_real(c), lambda: torch.imag(torch.ones(2)),
    )  # fmt: skip
    return [err(call) for call in calls] + [c.numpy(force=True).tolist(), c.resolve_conj().numpy().tolist()]


def histories_through_mirrors(torch):
    out = []

    def leaf():
        return torch.tensor([1 + 1j, 2 - 3j], dtype=torch.complex128, requires_grad=True)

    def written_conjugate(b):
        b.conj().mul_(torch.tensor([2j, 3.0]))
        return b

    def written_base(b):
        c = b.conj()
        b.mul_(1j)
        return c * torch.tensor([1.0, 2j])

    def written_imaginary(b):
        b.conj().imag.mul_(3.0)
        return b * (1 + 2j)

    def read_imaginary(b):
        part = b.conj().imag
        b.mul_(2 + 1j)
        return part * torch.tensor([1.0, 5.0], dtype=torch.float64)

    def written_negative(b):
        n = b._neg_view()
        n[0].mul_(3j)
        return b * n

    for use in (written_conjugate, written_base, written_imaginary, read_imaginary, written_negative):
        a = leaf()
        y = use(a * 1)
        (g,) = torch.autograd.grad((y * y).sum().abs(), a, create_graph=True)
        (h,) = torch.autograd.grad(g.abs().sum(), a)
        out.append((y.detach().resolve_conj(), g.detach().resolve_conj(), h.resolve_conj()))
    b = leaf() * 1
    kept = (b.conj() ** 2).sum()
    b.mul_(2)
    return (
        out,
        "modified by an inplace" in str(err(lambda: kept.abs().backward())),
        err(lambda: leaf().conj().mul_(2)),
    )


def tangents_of_mirrors(torch):
    forward = torch.autograd.forward_ad
    out = []
    for of_primal in (lambda x: x, lambda x: x.conj(), lambda x: x._neg_view()):
        for of_tangent in (lambda x: x, lambda x: x.conj(), lambda x: x._neg_view()):
            x, t = of_primal(complex_numbers(torch)), of_tangent(complex_numbers(torch) * (2.3 + 1.7j))
            with forward.dual_level():
                dual = forward.make_dual(x, t)
                kept = forward.unpack_dual(dual).tangent
                parts = [forward.unpack_dual(each).tangent for each in (dual.real, dual.imag, dual.conj(), dual[1:])]
                out.append(
                    (kept is t, kept.resolve_conj().resolve_neg(), [p.resolve_conj().resolve_neg() for p in parts])
                )
    return out


def many_programs(torch):
    """Programs of random views and writes: values, bits, versions and gradients."""
    out = []
    for seed in range(60):
        chance = random.Random(seed)
        leaf = torch.tensor([[1 + 2j, 3 - 1j, 0.5j], [2.0, -1j, 1 + 1j]], dtype=torch.complex128, requires_grad=True)
        made = [leaf * 1]
        for _ in range(chance.randint(3, 8)):
            step, x = chance.choice(STEPS), chance.choice(made)
            found = err(lambda step=step, x=x: step(x))
            made += [found] if isinstance(found, torch.Tensor) else []
        total = sum((each * (n + 1)).sum().abs() for n, each in enumerate(made) if each.requires_grad)
        (g,) = torch.autograd.grad(total, leaf)
        bits = [(each.is_conj(), each.is_neg(), each._version) for each in made]
        values = [unturned(each.detach()) for each in (*made, g)]
        out.append((bits, values))
    return out


STEPS = (
    lambda x: x.conj(), lambda x: x._neg_view(), lambda x: x.imag, lambda x: x.real, lambda x: x[0], lambda x: x.t(),
    lambda x: x.mul_(2) is None or None, lambda x: x.add_(x.detach().clone()) and None, lambda x: x[..., 1:], lambda x: x.clone(),
    lambda x: x.mul_(1j) is None or None, lambda x: x * (2 + 1j),
)  # fmt: skip
