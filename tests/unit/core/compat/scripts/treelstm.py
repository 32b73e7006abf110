"""A tree LSTM that recurses over nested tuples."""

import torch
import torch.nn as nn

torch.manual_seed(23)


class T(nn.Module):
    def __init__(s, d):
        super().__init__()
        s.iou = nn.Linear(2 * d, 3 * d)
        s.f = nn.ModuleList([nn.Linear(2 * d, d) for _ in range(2)])
        s.emb = nn.Embedding(5, d)

    def forward(s, t):
        if isinstance(t, int):
            h = s.emb(torch.tensor(t))
            return (h, h)
        (h1, c1), (h2, c2) = [s(k) for k in t]
        h = torch.cat([h1, h2])
        i, o, u = s.iou(h).chunk(3)
        c = i.sigmoid() * u.tanh() + sum((f(h).sigmoid() * cc for f, cc in zip(s.f, (c1, c2))))
        return (o.sigmoid() * c.tanh(), c)


m = T(4)
h, _ = m(((1, (2, 3)), (4, 0)))
print(h)
h.sum().backward()
print(m.emb.weight.grad)
print(m.f[1].bias.grad)
