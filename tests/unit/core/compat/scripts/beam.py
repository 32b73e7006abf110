"""Beam search over a chain."""

import torch

torch.manual_seed(10)
lp = torch.log_softmax(torch.randn(5, 6), -1)
T = torch.log_softmax(torch.randn(6, 6), -1)
beams = [([], 0.0)]
for t in range(5):
    c = []
    for seq, s in beams:
        sc = lp[t] + (T[seq[-1]] if seq else 0)
        v, i = sc.topk(3)
        for a, b in zip(v, i):
            c.append((seq + [b.item()], s + a.item()))
    beams = sorted(c, key=lambda x: -x[1])[:2]
print(beams)
v, i = torch.topk(lp.flatten(), 4)
print(v, i // 6, i % 6, torch.div(i, 6, rounding_mode="floor"))
