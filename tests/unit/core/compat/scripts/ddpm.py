"""A diffusion model on points, with a cosine schedule."""

import math

import torch
import torch.nn as nn

torch.manual_seed(14)
T = 10
beta = torch.linspace(0.0001, 0.02, T)
ab = torch.cumprod(1 - beta, 0)


def emb(t, d=8):
    f = torch.exp(-math.log(10000.0) * torch.arange(d // 2) / (d // 2))
    a = t[:, None].float() * f[None]
    return torch.cat([a.sin(), a.cos()], -1)


net = nn.Sequential(nn.Linear(10, 16), nn.SiLU(), nn.Linear(16, 2))
o = torch.optim.AdamW(net.parameters(), 0.001)
sch = torch.optim.lr_scheduler.CosineAnnealingLR(o, 5)
for i in range(5):
    x = torch.randn(8, 2)
    t = torch.randint(0, T, (8,))
    n = torch.randn_like(x)
    xt = ab[t].sqrt()[:, None] * x + (1 - ab[t]).sqrt()[:, None] * n
    l = (net(torch.cat([xt, emb(t)], 1)) - n).square().mean()
    o.zero_grad(set_to_none=True)
    l.backward()
    o.step()
    sch.step()
    print(i, l.item().__format__(".6f"), sch.get_last_lr())
