"""A Gaussian process whose kernel is fitted with L-BFGS."""

import math

import torch

torch.manual_seed(16)
x = torch.linspace(0, 1, 8).unsqueeze(1)
y = torch.sin(6 * x).squeeze()
ls = torch.tensor(-1.0, requires_grad=True)
sf = torch.tensor(0.0, requires_grad=True)
sn = torch.tensor(-2.0, requires_grad=True)
o = torch.optim.LBFGS([ls, sf, sn], lr=0.1, max_iter=5)


def nll():
    K = sf.exp() * torch.exp(-0.5 * torch.cdist(x, x) ** 2 / ls.exp() ** 2) + sn.exp() * torch.eye(8)
    L = torch.linalg.cholesky(K)
    a = torch.cholesky_solve(y.unsqueeze(1), L)
    return 0.5 * (y @ a.squeeze()) + L.diagonal().log().sum() + 4 * math.log(2 * math.pi)


def closure():
    o.zero_grad()
    l = nll()
    l.backward()
    return l


for i in range(3):
    print(o.step(closure))
print(ls, sf, sn)
xs = torch.tensor([[0.55]])
print(torch.linalg.solve(torch.exp(-0.5 * torch.cdist(x, x) ** 2) + torch.eye(8), y))
