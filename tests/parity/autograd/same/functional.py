"""autograd.functional and torch.func."""

from __future__ import annotations

from tests.parity.autograd.same import err


def func_api(torch):
    F = torch.func
    out = []
    x = torch.tensor([1.0, 2.0, 3.0])
    f = lambda x: (x**3).sum()
    out += [
        F.grad(f)(x),
        F.grad_and_value(f)(x),
        F.vjp(f, x)[1](torch.tensor(1.0)),
        F.jvp(f, (x,), (torch.ones(3),)),
        F.jacrev(lambda x: x.sin())(x),
        F.jacfwd(lambda x: x.sin())(x),
        F.hessian(f)(x),
        F.grad(F.grad(lambda x: x**3))(torch.tensor(2.0)),
        F.grad(lambda x, y: (x * y).sum(), argnums=(0, 1))(x, x * 2),
        F.grad(lambda x: ((x * 2).sum(), x), has_aux=True)(x),
    ]
    out.append(F.vmap(lambda a: a * 2)(x))
    out.append(F.vmap(lambda a, b: (a * b).sum())(torch.ones(2, 3), torch.ones(2, 3) * 2))
    out.append(err(lambda: F.vmap(lambda a, b: a @ b, in_dims=(0, None))(torch.ones(2, 3), torch.ones(3, 4)).shape))
    out.append(err(lambda: F.vmap(F.grad(f))(torch.rand(2, 3)).shape))
    out.append(err(lambda: F.vmap(lambda a: a.sum(0), in_dims=1, out_dims=0)(torch.ones(2, 3))))
    m = torch.nn.Linear(2, 1)
    p = dict(m.named_parameters())
    out.append(F.functional_call(m, {k: torch.ones_like(v) for k, v in p.items()}, (torch.ones(1, 2),)))
    out.append(F.grad(lambda p: F.functional_call(m, p, (torch.ones(1, 2),)).sum())(p))
    out.append(err(lambda: F.functional_call(m, {"foo": 1}, (torch.ones(1, 2),))))
    out.append(err(lambda: F.grad(lambda x: x)(x)))
    out.append(err(lambda: F.grad(lambda x: 3)(x)))
    out.append(err(lambda: F.jvp(f, x, x)))
    out.append(F.linearize(f, x)[1](torch.ones(3)))
    out.append(torch.vmap(lambda a: a + 1)(x))
    return out


def jac_more(torch):
    F = torch.autograd.functional
    out = []
    x = torch.rand(2, 3)
    out.append(F.jacobian(lambda x: x.sum(1), x).shape)
    out.append(F.jacobian(lambda x: (x.sum(1), x * 2), x)[1].shape)
    out.append(F.hessian(lambda a, b: (a * b).sum(), (x[0], x[1])))
    out.append(F.jacobian(lambda x: x.sum(), x, create_graph=True).requires_grad)
    r = F.jacobian(lambda y: y.exp(), x[0].clone().requires_grad_(), create_graph=True)
    out.append(r.requires_grad)
    out.append(F.jacobian(lambda x: torch.zeros(2), x))
    out.append(err(lambda: F.jacobian(lambda x: torch.zeros(2), x, strict=True)))
    out.append(err(lambda: F.hessian(lambda x: x.sum(), x[0], strict=True)))
    out.append(F.hessian(lambda x: x.sum(), x[0]))
    out.append(err(lambda: F.vjp(lambda x: x.exp(), x[0], torch.ones(2))))
    out.append(err(lambda: F.vjp(lambda x: x.exp(), x[0], (torch.ones(3), torch.ones(3)))))
    out.append(err(lambda: F.hvp(lambda x: x.exp(), x[0], x[0])))
    out.append(err(lambda: F.vhp(lambda x: (x.sum(), x.sum()), x[0], x[0])))
    out.append(err(lambda: F.jvp(lambda x: x.detach(), x[0], x[0], strict=True)))
    out.append(err(lambda: F.vjp(lambda x: torch.ones(3), x[0], x[0], strict=True)))
    with torch.no_grad():
        out.append(F.jacobian(lambda x: x.exp(), x[0]))
        out.append(F.jvp(lambda x: x.exp(), x[0], x[0]))
        out.append(F.hvp(lambda x: x.exp().sum(), x[0], x[0], create_graph=True)[1].requires_grad)
    out.append(err(lambda: F.jacobian(3, x)))
    out.append(err(lambda: F.hessian(lambda x: x.sum(), 3)))
    out.append(err(lambda: F.hessian(lambda x: 3, x)))
    out.append(F.jacobian(lambda x: x.exp(), (x[0],)))
    out.append(F.jacobian(lambda x: (x.exp(),), x[0]))
    return out


def module_state(torch):
    m = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
    out = []
    out.append([n for n, _ in m.named_buffers()])
    m.requires_grad_(False)
    out.append([p.requires_grad for p in m.parameters()])
    m.zero_grad()
    m.double()
    out.append(m[0].weight.dtype)
    out.append(err(lambda: m[0].weight.register_hook(lambda g: g)))
    m.register_buffer("b", torch.ones(1), persistent=False)
    out.append(list(m.state_dict()))
    out.append(err(lambda: m.register_parameter("x.y", None)))
    out.append(err(lambda: m.foo))
    out.append(err(lambda: setattr(m[0], "weight", torch.ones(2, 2))))
    out.append(m.apply(lambda k: None) is m)
    out.append(err(lambda: m.get_submodule("0").extra_repr()))
    out.append(err(lambda: m.get_parameter("0.weight").shape))
    out.append(err(lambda: torch.nn.Linear(2, 3)(torch.ones(1, 4))))
    out.append(err(lambda: torch.nn.BatchNorm1d(3)(torch.ones(1, 3))))
    out.append(err(lambda: torch.nn.Conv2d(1, 1, 3)(torch.ones(1, 1, 2, 2))))
    out.append(err(lambda: torch.nn.Embedding(3, 2)(torch.tensor([5]))))
    out.append(err(lambda: torch.nn.CrossEntropyLoss()(torch.ones(2, 3), torch.tensor([0, 5]))))
    out.append(err(lambda: torch.nn.MSELoss()(torch.ones(2), torch.ones(3))))
    out.append(err(lambda: torch.nn.LSTM(2, 3)(torch.ones(2, 3, 4))))
    out.append(err(lambda: torch.nn.MultiheadAttention(3, 2)))
    out.append(err(lambda: torch.nn.Dropout(2)))
    out.append(err(lambda: torch.nn.Embedding(3, 2)(torch.ones(2))))
    return out
