"""Forward mode."""

from __future__ import annotations

import gc
import weakref

from tests.parity.autograd.same import err


def fwd_level_cleanup(torch):
    fwAD = torch.autograd.forward_ad
    out = []
    x = torch.rand(1)
    t = torch.rand(1)
    with fwAD.dual_level():
        d = fwAD.make_dual(x, t)
        tr = fwAD.unpack_dual(d)[1]
    out.append(err(lambda: fwAD.unpack_dual(d)))
    out.append(err(lambda: fwAD.make_dual(x, t)))
    out.append(err(lambda: fwAD.exit_dual_level()))

    def nested():
        with fwAD.dual_level():
            with fwAD.dual_level():
                pass

    out.append(err(nested))
    with fwAD.dual_level():
        out.append(err(lambda: fwAD.make_dual(torch.ones(2, dtype=torch.long), torch.ones(2))))
        out.append(err(lambda: fwAD.make_dual(torch.ones(2), torch.ones(2, dtype=torch.long))))
        out.append(err(lambda: fwAD.make_dual(torch.ones(2), torch.ones(3))))
        out.append(err(lambda: fwAD.make_dual(torch.ones(2), torch.ones(2).double())))
        out.append(err(lambda: fwAD.make_dual(torch.ones(2), 3)))
        d = fwAD.make_dual(x, t)
        out.append(err(lambda: fwAD.make_dual(d, t)))
        out.append(fwAD.unpack_dual(torch.ones(1)))
        u = fwAD.unpack_dual(d)
        out.append((u.primal, u.tangent, type(u).__name__, u.tangent is t, u.primal is x))
    return out


def fwd_basic(torch):
    fwAD = torch.autograd.forward_ad
    out = []
    a = torch.rand(3)
    b = torch.rand(3)
    t = torch.rand(3)
    with fwAD.dual_level():
        d = fwAD.make_dual(a, t)
        for f in (
            lambda d: d + 1,
            lambda d: d * b,
            lambda d: b / d,
            lambda d: d.sin().exp(),
            lambda d: d.sum(),
            lambda d: d[0],
            lambda d: d.view(3, 1),
            lambda d: torch.stack([d, b]),
            lambda d: torch.cat([b, d]),
            lambda d: d.max(),
            lambda d: torch.where(b > 0.5, d, b),
            lambda d: d @ b,
            lambda d: d.norm(),
            lambda d: d.softmax(0),
            lambda d: d.detach(),
            lambda d: d.clone(),
            lambda d: d.unbind()[1],
            lambda d: d.cumsum(0),
            lambda d: torch.nn.functional.linear(d, torch.ones(2, 3)),
            lambda d: d.std(),
            lambda d: d.double(),
            lambda d: d.to(torch.complex64),
            lambda d: torch.logsumexp(d, 0),
            lambda d: d.prod(),
            lambda d: d.sort()[0],
            lambda d: d.round(),
            lambda d: d.argmax(),
            lambda d: d > 0,
            lambda d: torch.zeros(3).copy_(d),
            lambda d: d.expand(2, 3).clone(),
            lambda d: torch.zeros_like(d),
        ):
            r = f(d)
            p, q = fwAD.unpack_dual(r)
            out.append((p, q))
        out.append(repr(d))
    return out


def fwd_metadata_check(torch):
    fwAD = torch.autograd.forward_ad
    out = []
    foo = torch.rand(2, 3).t()
    bar = torch.rand(3, 2)
    with fwAD.dual_level():
        d = fwAD.make_dual(foo, bar)
        out.append(fwAD.unpack_dual(d).tangent.stride())
        e = fwAD.make_dual(bar, torch.ones(1).expand(3, 2))
        out.append(fwAD.unpack_dual(e).tangent.stride())
        b = torch.rand(4, 4)
        v = b[1:3, 1:3]
        f = fwAD.make_dual(v, torch.rand(2, 2))
        out.append((fwAD.unpack_dual(f).tangent.stride(), fwAD.unpack_dual(f).tangent.storage_offset()))
    return out


def fwd_non_diff(torch):
    fwAD = torch.autograd.forward_ad
    out = []

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            a = x * 2
            b = x * 3
            ctx.mark_non_differentiable(b)
            return (a, b)

        @staticmethod
        def jvp(ctx, t):
            return (t * 2, None)

    with fwAD.dual_level():
        a, b = F.apply(fwAD.make_dual(torch.ones(2), torch.ones(2)))
        out = [fwAD.unpack_dual(a), fwAD.unpack_dual(b)]
    return out


def fw_cleanup(torch):
    fwAD = torch.autograd.forward_ad
    foo = torch.rand(2)
    bar = torch.rand(2)
    out = []
    with fwAD.dual_level():
        d = fwAD.make_dual(foo, bar)
        out.append(fwAD.unpack_dual(foo)[1])
        r = weakref.ref(d)
        del d
        gc.collect()
        out.append(r() is None)
    with fwAD.dual_level():
        out.append(fwAD.unpack_dual(foo)[1])
        n = fwAD.make_dual(foo, bar)
        out.append(fwAD.unpack_dual(n))
    return out


def fw_conj(torch):
    fwAD = torch.autograd.forward_ad
    out = []
    a = torch.randn(2, 2, dtype=torch.complex64).conj()
    t = torch.rand_like(a)
    with fwAD.dual_level():
        d = fwAD.make_dual(a, t)
        out.append(fwAD.unpack_dual(d))
        out.append(fwAD.unpack_dual(d.conj()))
        out.append(fwAD.unpack_dual(d.real))
        out.append(fwAD.unpack_dual(d.imag))
        out.append(fwAD.unpack_dual(torch.view_as_real(d.clone())))
        out.append(fwAD.unpack_dual(d.abs()))
        out.append(fwAD.unpack_dual(d.angle()))
        z = fwAD.make_dual(torch.rand(0, 2), torch.rand(0, 2))
        out.append(fwAD.unpack_dual(z * 2))
        s = fwAD.make_dual(torch.tensor(2.0), torch.tensor(3.0))
        out.append(fwAD.unpack_dual(s**2))
        out.append(fwAD.unpack_dual(2**s))
        out.append(float(s))
        out.append(err(lambda: s.item()))
    return out
