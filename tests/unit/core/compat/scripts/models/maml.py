"""MAML by functional_call, ANIL with manual fast weights, and first-order MAML; gradients through gradients."""

from collections import OrderedDict

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(7)
net = nn.Sequential(
    OrderedDict(l1=nn.Linear(1, 20), a1=nn.Tanh(), l2=nn.Linear(20, 20), a2=nn.Softplus(beta=2), l3=nn.Linear(20, 1))
).double()


def tasks(n):
    amp, phase = torch.rand(n, 1, 1).double() * 4 + 1, torch.rand(n, 1, 1).double() * 3.14
    xs = torch.rand(n, 10, 1).double() * 10 - 5
    return xs, amp * torch.sin(xs + phase)


def inner(params, x, y, lr, steps, second):
    for _ in range(steps):
        loss = (functional_call(net, params, (x,)) - y).square().mean()
        g = torch.autograd.grad(loss, list(params.values()), create_graph=second)
        params = {k: p - lr[k] * gi for (k, p), gi in zip(params.items(), g)}
    return params


lrs = nn.ParameterDict(
    {k.replace(".", "_"): nn.Parameter(torch.tensor(0.01).double()) for k, _ in net.named_parameters()}
)
opt = torch.optim.Adam(list(net.parameters()) + list(lrs.values()), lr=1e-3)
for it in range(20):
    xs, ys = tasks(4)
    losses = []
    for x, y in zip(xs, ys):
        fast = inner(
            dict(net.named_parameters()),
            x[:5],
            y[:5],
            {k: lrs[k.replace(".", "_")] for k, _ in net.named_parameters()},
            2,
            it % 3 != 2,
        )
        losses.append(nn.functional.mse_loss(functional_call(net, fast, x[5:]), y[5:]))
    loss = torch.stack(losses).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, f"{loss.item():.9f}", f"{lrs['l1_weight'].item():.9f}")
params = {k: v.detach() for k, v in net.named_parameters()}
xs, ys = tasks(3)
per = vmap(grad(lambda p, x, y: ((functional_call(net, p, (x,)) - y) ** 2).mean()), in_dims=(None, 0, 0))(
    params, xs, ys
)
print({k: tuple(v.shape) for k, v in per.items()}, per["l2.bias"].sum(1))
H = torch.autograd.functional.hessian(
    lambda b: ((functional_call(net, {**params, "l3.bias": b}, (xs[0],)) - ys[0]) ** 2).mean(), params["l3.bias"]
)
print(H)
