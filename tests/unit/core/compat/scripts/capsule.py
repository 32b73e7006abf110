"""Capsules with routing by agreement."""

import torch
import torch.nn.functional as F

torch.manual_seed(6)


def squash(v, dim=-1):
    n = (v**2).sum(dim, keepdim=True)
    return n / (1 + n) * v / torch.sqrt(n + 1e-08)


u = torch.randn(2, 5, 4, requires_grad=True)
W = torch.randn(5, 3, 6, 4, requires_grad=True)
uh = torch.einsum("ijkl,bil->bijk", W, u)
b = torch.zeros(2, 5, 3)
for r in range(3):
    c = F.softmax(b, dim=2)
    s = (c.unsqueeze(-1) * uh).sum(1)
    v = squash(s)
    if r < 2:
        b = b + (uh.detach() * v.detach().unsqueeze(1)).sum(-1)
print(v.norm(dim=-1))
v.norm(dim=-1).sum().backward()
print(u.grad[0, 0], W.grad.abs().mean(), c.argmax(-1))
