"""Python's numbers, indexing and dtypes around tensors."""

from __future__ import annotations

import math

from tests.parity.autograd.same import err


def indexing_tests(torch):
    out = []

    def run(idx, sh=(4, 4)):
        x = torch.arange(1.0, 17).view(sh).requires_grad_()
        y = x[idx]
        y.sum().backward()
        out.append(x.grad)
        x2 = torch.arange(1.0, 17).view(sh).requires_grad_()
        z = x2.clone()
        z[idx] = 2
        z.sum().backward()
        out.append(x2.grad)

    for i in (
        1,
        (1, 2),
        slice(1, 3),
        (slice(1, None), slice(None, 2)),
        torch.tensor([0, 2]),
        ([1, 1], [2, 2]),
        (slice(None), [1, 3]),
        None,
        Ellipsis,
        (Ellipsis, 1),
        torch.tensor([True, False, True, False]),
        (None, slice(1, 2)),
        [0, 0, 1],
        (torch.tensor([[1, 2], [0, 1]]),),
    ):
        run(i)
    return out


def type_conversions(torch):
    x = torch.randn(5, 5)
    r = [
        x.float().dtype,
        x.int().dtype,
        x.long().dtype,
        x.double().dtype,
        isinstance(x.float(), torch.FloatTensor),
        isinstance(x.int(), torch.IntTensor),
        x.type(),
        x.type(torch.DoubleTensor).dtype,
        x.type("torch.LongTensor").dtype,
        x.double().type(),
    ]
    y = torch.randn(5, 5, requires_grad=True)
    z = y.type(torch.DoubleTensor)
    z.sum().backward()
    r.append(y.grad.dtype)
    a = torch.randn(1)
    b = torch.randn(2, dtype=torch.double)
    r.append(a.type_as(b).dtype)
    r.append(err(lambda: x.type("foo")))
    return r


def expanded_v(torch):
    o = torch.rand([])
    v = o.expand(10)
    out = []
    for f in (lambda r: r.diagonal(), lambda r: r[0], lambda r: r[:, 1:2]):
        r = torch.rand(10, 10, requires_grad=True)
        y = f(r)
        (g,) = torch.autograd.grad(y, r, torch.rand([]).expand(y.shape))
        out.append(g)
    return out


def tensor_as_bool_hash(torch):
    x = torch.ones(1, requires_grad=True)
    d = {x: 1}
    return (d[x], x in {x}, bool(x), err(lambda: bool(torch.ones(2))), err(lambda: bool(torch.ones(0))))


def pyscalar(torch):
    out = []

    def t(f, *a):
        out.append(err(lambda: f(*a)))

    l = torch.zeros(1, 1, dtype=torch.long)
    f = torch.ones(1, requires_grad=True)
    for v in (l, f, torch.tensor(0.1, requires_grad=True), torch.tensor(True)):
        for g in (int, float, complex, bool):
            t(g, v)
    t(lambda: int(torch.tensor(float("nan"))))
    t(lambda: int(torch.tensor(float("inf"))))
    t(lambda: [1, 2, 3][torch.tensor(1)])
    t(lambda: [1][f])
    t(lambda: range(torch.tensor(3)))
    t(lambda: hex(torch.tensor(255)))
    t(lambda: f"{torch.tensor(1.5):.2f}")
    t(lambda: f"{torch.ones(2):.2f}")
    t(lambda: round(torch.tensor(1.5)))
    t(lambda: math.sqrt(torch.tensor(4.0)))
    t(lambda: math.floor(torch.tensor(1.5)))
    t(lambda: abs(torch.tensor(-1.0)))
    t(lambda: divmod(torch.tensor(7), 2))
    t(lambda: len(torch.tensor(1)))
    t(lambda: list(torch.tensor(1)))
    t(lambda: reversed(torch.tensor([1, 2])).tolist())
    t(lambda: 3 in torch.tensor([1, 3]))
    t(lambda: "a" in torch.tensor([1]))
    t(lambda: torch.tensor([1.0]) == None)
    t(lambda: sum(torch.ones(3)))
    t(lambda: max(torch.tensor([1, 3])))
    t(lambda: torch.tensor(2) ** torch.tensor(3))
    t(lambda: 2 ** torch.tensor([1.0, 2.0]))
    t(lambda: torch.tensor(7) // 2)
    t(lambda: torch.tensor(-7) // 2)
    t(lambda: 7 // torch.tensor(2))
    t(lambda: 7 % torch.tensor(-2))
    t(lambda: ~torch.tensor([True]))
    t(lambda: torch.tensor([1]) & torch.tensor([3]))
    t(lambda: torch.tensor(1) << 2)
    return out


def bincount_nondiff(torch):
    x = torch.tensor([1, 1, 1], dtype=torch.long)
    return [
        err(lambda: torch.ones(3, requires_grad=True).argmax().requires_grad),
        torch.ones(3, requires_grad=True).sort()[1].requires_grad,
        (torch.ones(2, requires_grad=True) > 0).requires_grad,
        torch.ones(2, requires_grad=True).sign().requires_grad,
        torch.ones(2, requires_grad=True).round().grad_fn,
        torch.ones(2, requires_grad=True).floor().requires_grad,
        torch.ones(2, requires_grad=True).int().requires_grad,
        torch.zeros_like(torch.ones(2, requires_grad=True)).requires_grad,
        torch.ones(2, requires_grad=True).new_ones(2).requires_grad,
        torch.isnan(torch.ones(1, requires_grad=True)).requires_grad,
        torch.bucketize(torch.ones(1, requires_grad=True), torch.ones(2)).requires_grad,
    ]


def grids_of_identity(torch):
    """Spatial transformers start with points on the elements, where the last digit decides the neighbours."""
    functional, out = torch.nn.functional, []
    for n in (5, 7, 12, 28):
        for dtype in (torch.float32, torch.float64):
            theta = torch.eye(2, 3, dtype=dtype)[None].requires_grad_()
            for corners in (False, True):
                grid = functional.affine_grid(theta, (1, 1, n, n), align_corners=corners)
                image = torch.arange(n * n, dtype=dtype).reshape(1, 1, n, n) ** 2
                for mode in ("zeros", "border", "reflection"):
                    sampled = functional.grid_sample(image, grid, padding_mode=mode, align_corners=corners)
                    (grad,) = torch.autograd.grad(sampled.sum(), grid, retain_graph=True)
                    out.append(grad[0, :2].round(decimals=1).tolist())
    return out
