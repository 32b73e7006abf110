"""torch.func's transforms: what they give, and what they refuse."""

from __future__ import annotations

from tests.parity.autograd.same import err


def arguments_of_gradients(torch):
    grad = torch.func.grad
    x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])

    def f(x, y):
        return (x * y**2).sum()

    chosen = [err(lambda n=n: grad(f, argnums=n)(x, y)) for n in (0, 1, -1, (0, 1), (-1,), (), (0, 0), 2, -3, "a", [0])]
    return (
        chosen,
        err(lambda: grad(lambda x: x)(x)),
        err(lambda: grad(lambda x: "a")(x)),
        err(lambda: grad(lambda x: (x.sum(), x * 2), has_aux=True)(x)),
        err(lambda: grad(lambda x: x.sum(), has_aux=True)(x)),
        err(lambda: grad(lambda d: (d["a"] * d["b"][0]).sum())({"a": x, "b": (y,)})),
        err(lambda: grad(lambda x: (x * 2).sum())(torch.tensor([1, 2]))),
        err(lambda: grad(lambda x: torch.zeros(()))(x)),
    )


def modes_of_gradients(torch):
    grad = torch.func.grad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        outside = grad(lambda a: (a**2).sum())(x)
        twice = grad(lambda b: grad(lambda a: (a**3).sum())(b).sum())(x)

    def inside(a):
        with torch.no_grad():
            kept = a**2
        return (a - kept).sum()

    return (outside, twice, grad(inside)(torch.tensor([3.0])), grad(lambda a: (a**2 * x).sum())(torch.ones(2)))


def pullbacks(torch):
    vjp = torch.func.vjp
    x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])
    out, pull = vjp(lambda x, y: (x * y, x + 1), x, y)
    tree, pull_tree = vjp(lambda x: {"a": x * 2, "b": [x.sum()]}, x)
    value, pull_aux, aux = vjp(lambda x: (x * 2, {"c": x + 1}), x, has_aux=True)
    return (
        out, [err(lambda g=g: pull(g)) for g in ((x, y), x, (x,), (x, y, y), [x, y])], tree,
        pull_tree({"a": x, "b": [torch.tensor(2.0)]}), err(lambda: pull_tree({"a": x})), value, aux, pull_aux(y),
        err(lambda: vjp(lambda x: "a", x)), err(lambda: vjp(lambda x: x.long(), x)),
        err(lambda: vjp(lambda x: x, x, has_aux=True)),
    )  # fmt: skip


def pushes(torch):
    jvp, linearize = torch.func.jvp, torch.func.linearize
    x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])
    wrong = ((x, y), ((x,), (y, y)), ((x,), (y[:2],)), ((), ()), ((x,), y), ((x.long(),), (y,)), ((x,), (y.long(),)))
    out, push = linearize(lambda x, y: (x * y, x**2), x, y)
    return (
        [err(lambda p=p, t=t: jvp(lambda x: x.sum(), p, t)) for p, t in wrong],
        jvp(lambda x, y: (x * y, x**2), (x, y), (y, x)),
        jvp(lambda x: (x * 2, x + 1), (x,), (y,), has_aux=True),
        jvp(lambda x: (x.round().long(), x * 2), (x,), (y,)),
        err(lambda: jvp(lambda x: "a", (x,), (y,))),
        out, push(y, x), err(lambda: push(x)),
    )  # fmt: skip


def jacobians(torch):
    x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])
    out = []
    for transform in (torch.func.jacrev, torch.func.jacfwd):
        out += [
            transform(lambda x, y: (x * y, x**2), argnums=(0, 1))(x, y),
            transform(lambda x: (x**2, x), has_aux=True)(x),
            transform(lambda x: {"a": x * 2, "b": x.sum()})(x),
            transform(transform(lambda x: x**3))(x),
            err(lambda transform=transform: transform(lambda x: x, argnums=1)(x)),
            err(lambda transform=transform: transform(lambda x: "a")(x)),
            err(lambda transform=transform: transform(lambda x: x.sum().long())(x)),
            err(lambda transform=transform: transform(lambda x: x)(torch.tensor([1j]))),
            err(lambda transform=transform: transform(lambda x: x * 1j)(x)),
        ]
    return (out, err(lambda: torch.func.jacrev(lambda x: x, chunk_size=0)))


def hessians_by_strategy(torch):
    hessian = torch.autograd.functional.hessian
    x = torch.tensor([1.0, 2.0])
    options = ({}, {"vectorize": True}, {"outer_jacobian_strategy": "forward-mode"}, {"outer_jacobian_strategy": "a"})
    return [err(lambda kept=kept: hessian(lambda x: (x**3).sum(), x, **kept)) for kept in options]


def mapped(torch):
    vmap = torch.vmap
    x, y = torch.arange(6.0).view(2, 3), torch.arange(6.0).view(3, 2) + 1
    return [
        vmap(torch.dot)(x, x),
        vmap(lambda a, b: a * b, in_dims=(0, 1))(x, y),
        vmap(lambda a, b: a + b, in_dims=(0, None))(x, x[0]),
        vmap(lambda a: (a, a * 2), out_dims=(0, 1))(x),
        vmap(lambda a: a, in_dims=1, out_dims=-1)(x),
        vmap(lambda a: a * 2, out_dims=(1,))(x),
        vmap(vmap(lambda a: a * 2))(x),
        vmap(lambda d: d["a"] * 2, in_dims=({"a": 1},))({"a": x}),
        vmap(lambda d, k: d[0] * d[1] + k, in_dims=((0, None), None))((x, 2.0), 1.0),
        vmap(lambda a: {"o": a, "p": (a.sum(),)}, out_dims={"o": 1, "p": (0,)})(x),
        vmap(torch.func.grad(lambda a: (a**2).sum()))(x),
        vmap(lambda a, k=1: a * k)(x, k=2),
        vmap(lambda a: 3, out_dims=None)(x),
        vmap(lambda a: a.sum(), chunk_size=1)(x),
        vmap(lambda a: a * 2)(torch.zeros(0, 3)),
        vmap(lambda a: a.sum(), in_dims=1, out_dims=0)(torch.zeros(3, 0)),
    ]


def what_is_not_mapped(torch):
    vmap = torch.vmap
    x = torch.arange(6.0).view(2, 3)

    def f(*given):
        return given[0]

    calls = (
        lambda: vmap(f)(1), lambda: vmap(f)(torch.tensor(1.0)), lambda: vmap(f, in_dims=(0,))(x, x),
        lambda: vmap(f, in_dims=None)(x), lambda: vmap(f)(x, x.t()), lambda: vmap(f, in_dims=3)(x),
        lambda: vmap(lambda a: 1)(x), lambda: vmap(f, out_dims=(0, 0))(x), lambda: vmap(f)(),
        lambda: vmap(f, in_dims="a")(x), lambda: vmap(f, in_dims=("a",))(x), lambda: vmap(f, in_dims=(None,))(x),
        lambda: vmap(f, in_dims=((0, 0),))((x,)), lambda: vmap(f, chunk_size=0), lambda: vmap(f, randomness="a")(x),
        lambda: vmap(f, in_dims=({"b": 0},))({"a": x}), lambda: vmap(lambda a: (a, a), out_dims=(0,))(x),
    )  # fmt: skip
    return [str(err(call)).replace(" at 0x", "@")[:400] for call in calls]


def modules_called_strictly(torch):
    call = torch.func.functional_call
    module = torch.nn.Linear(2, 1)
    x = torch.ones(1, 2)
    whole = {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}
    some = ({"weight": whole["weight"]}, {**whole, "other": x}, {"other": x})
    return [err(lambda given=given: call(module, given, (x,), strict=True)) for given in (whole, *some)]
