"""A network that makes another's weights."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(18)
hn = nn.Linear(2, 3 * 4 + 3)
z = torch.randn(2, 2)
x = torch.randn(2, 5, 4)
p = hn(z)
W, b = (p[:, :12].view(2, 3, 4), p[:, 12:])
y = torch.baddbmm(b.unsqueeze(1), x, W.transpose(1, 2))
print(y.shape, y[0, 0])
y.norm().backward()
print(hn.weight.grad[:2])
m = nn.Linear(4, 3)
print(torch.func.functional_call(m, {"weight": W[0], "bias": b[0]}, x[0])[0])
