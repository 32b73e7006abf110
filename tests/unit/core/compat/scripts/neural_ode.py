"""A neural differential equation with adaptive steps."""

import torch
import torch.nn as nn

torch.manual_seed(4)
f = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))


def rk(f, y, t1, tol=0.001):
    t, h, n = (0.0, 0.1, 0)
    while t < t1:
        h = min(h, t1 - t)
        k1 = f(y)
        k2 = f(y + h * k1)
        e = (h * (k2 - k1) / 2).norm()
        if e < tol or h < 0.001:
            y = y + h * (k1 + k2) / 2
            t += h
            h *= 1.5
            n += 1
        else:
            h /= 2
    return (y, n)


y0 = torch.tensor([1.0, 0.0])
opt = torch.optim.Adam(f.parameters(), 0.01)
for i in range(4):
    y, n = rk(f, y0, 1.0)
    l = (y - torch.tensor([0.0, 1.0])).pow(2).sum()
    opt.zero_grad()
    l.backward()
    opt.step()
    print(i, n, l)
