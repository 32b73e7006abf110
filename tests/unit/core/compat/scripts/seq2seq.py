"""A sequence to sequence network with teacher forcing."""

import random

import torch
import torch.nn as nn

torch.manual_seed(3)
random.seed(0)


class Enc(nn.Module):
    def __init__(s, v, h):
        super().__init__()
        s.e = nn.Embedding(v, h)
        s.g = nn.GRU(h, h, batch_first=True)

    def forward(s, x):
        return s.g(s.e(x))


class Dec(nn.Module):
    def __init__(s, v, h):
        super().__init__()
        s.e = nn.Embedding(v, h)
        s.g = nn.GRUCell(h, h)
        s.o = nn.Linear(h, v)

    def forward(s, tok, h):
        h = s.g(s.e(tok), h)
        return (s.o(h), h)


enc, dec = (Enc(7, 6), Dec(7, 6))
opt = torch.optim.RMSprop(list(enc.parameters()) + list(dec.parameters()), lr=0.01)
crit = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
src = torch.randint(1, 7, (3, 4))
tgt = src.flip(1)
for it in range(4):
    _, h = enc(src)
    h = h[0]
    tok = torch.zeros(3, dtype=torch.long)
    loss = 0
    for t in range(4):
        lo, h = dec(tok, h)
        loss = loss + crit(lo, tgt[:, t])
        tok = tgt[:, t] if random.random() < 0.5 else lo.argmax(-1).detach()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, f"{loss.item():.5f}", tok.tolist())
