"""Quantile regression with Adagrad, and order statistics."""

import torch

torch.manual_seed(15)
x = torch.randn(50, 1)
y = 2 * x + torch.randn(50, 1)
w = torch.zeros(1, 3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
q = torch.tensor([0.1, 0.5, 0.9])
o = torch.optim.Adagrad([w, b], lr=0.5)
for i in range(20):
    e = y - (x @ w + b)
    l = torch.max(q * e, (q - 1) * e).mean()
    o.zero_grad()
    l.backward()
    o.step()
print(l, w, b)
print(torch.quantile(y, q, dim=0), y.kthvalue(5, dim=0), torch.histc(y, 5), y.median())
