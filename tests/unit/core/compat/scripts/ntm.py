"""A neural Turing machine."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)
M = torch.zeros(5, 3) + 0.01
ctrl = nn.LSTMCell(3 + 2, 8)
head = nn.Linear(8, 3 + 1 + 1 + 3 + 1 + 3 + 3)
h = c = torch.zeros(1, 8)
w = torch.zeros(5)
w[0] = 1
read = torch.zeros(1, 3)
outs = []
for t in range(4):
    h, c = ctrl(torch.cat([torch.ones(1, 2) * t, read], 1), (h, c))
    p = head(h)[0]
    k, beta, g, s, gam, e, a = torch.split(p, [3, 1, 1, 3, 1, 3, 3])
    k = torch.tanh(k)
    wc = F.softmax(F.softplus(beta) * F.cosine_similarity(M, k.unsqueeze(0), dim=1), 0)
    wg = torch.sigmoid(g) * wc + (1 - torch.sigmoid(g)) * w
    s = F.softmax(s, 0)
    ws = sum(s[i] * torch.roll(wg, i - 1) for i in range(3))
    w = ws ** (1 + F.softplus(gam))
    w = w / (w.sum() + 1e-08)
    M = M * (1 - torch.outer(w, torch.sigmoid(e))) + torch.outer(w, a)
    read = (w @ M).unsqueeze(0)
    outs.append(read)
l = torch.cat(outs).pow(2).sum()
l.backward()
print(l, w, head.bias.grad)
