"""The forward algorithm of a conditional random field, with masks."""

import torch

torch.manual_seed(11)
e = torch.randn(4, 5, 3, requires_grad=True)
tr = torch.randn(3, 3, requires_grad=True)
mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 0, 0, 0, 0]]).bool()
a = e[:, 0]
for t in range(1, 5):
    n = torch.logsumexp(a.unsqueeze(2) + tr + e[:, t].unsqueeze(1), 1)
    a = torch.where(mask[:, t].unsqueeze(1), n, a)
Z = a.logsumexp(1)
tags = torch.randint(3, (4, 5))
g = e.gather(2, tags.unsqueeze(2)).squeeze(2)
s = g[:, 0]
for t in range(1, 5):
    s = s + (g[:, t] + tr[tags[:, t - 1], tags[:, t]]) * mask[:, t].float()
nll = (Z - s).mean()
nll.backward()
print(nll, tr.grad, e.grad[3])
