"""A mixture of experts with top-k routing."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(26)
g = nn.Linear(4, 3)
ex = nn.ModuleList(nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 4)) for _ in range(3))
x = torch.randn(6, 4)
w, i = torch.topk(F.softmax(g(x), -1), 2)
w = w / w.sum(-1, keepdim=True)
y = torch.zeros_like(x)
for k, m in enumerate(ex):
    r, c = torch.where(i == k)
    if r.numel() == 0:
        continue
    y[r] += w[r, c, None] * m(x[r])
print(y)
(y**2).mean().backward()
print(g.weight.grad, [None if m[0].weight.grad is None else m[0].weight.grad.norm() for m in ex])
