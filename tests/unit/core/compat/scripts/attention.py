"""Attention from scratch, trained with AdamW and clipped gradients."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class MHA(nn.Module):
    def __init__(s, d, h):
        super().__init__()
        s.h = h
        s.d = d // h
        s.qkv = nn.Linear(d, 3 * d)
        s.out = nn.Linear(d, d)

    def forward(s, x, mask=None):
        B, T, C = x.shape
        q, k, v = s.qkv(x).chunk(3, dim=-1)
        q, k, v = [t.view(B, T, s.h, s.d).transpose(1, 2) for t in (q, k, v)]
        a = q @ k.transpose(-2, -1) / math.sqrt(s.d)
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        a = F.softmax(a, dim=-1)
        return s.out((a @ v).transpose(1, 2).contiguous().view(B, T, C))


m = MHA(8, 2)
x = torch.randn(2, 5, 8)
mask = torch.tril(torch.ones(5, 5))
y = m(x, mask)
print(y[0, 0])
y.pow(2).mean().backward()
print(m.qkv.weight.grad.norm(), m.out.bias.grad)
opt = torch.optim.AdamW(m.parameters(), lr=0.01)
for i in range(5):
    opt.zero_grad()
    l = F.mse_loss(m(x, mask), x)
    l.backward()
    nn.utils.clip_grad_norm_(m.parameters(), 1.0)
    opt.step()
    print(i, f"{l.item():.6f}")
print(m)
