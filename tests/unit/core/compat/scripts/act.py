"""Adaptive computation time: a loop that decides when to halt."""

import torch
import torch.nn as nn

torch.manual_seed(24)
cell = nn.RNNCell(3, 4)
halt = nn.Linear(4, 1)
x = torch.randn(1, 3)
h = torch.zeros(1, 4)
tot = torch.zeros(1)
out = 0
n = 0
while tot.item() < 0.99 and n < 10:
    h = cell(x, h)
    p = torch.sigmoid(halt(h)).squeeze()
    p = torch.where(tot + p > 0.99, 1 - tot, p)
    out = out + p * h
    tot = tot + p.detach()
    n += 1
print(n, out)
(out.sum() + 0.01 * n).backward()
print(halt.weight.grad, cell.bias_hh.grad)
