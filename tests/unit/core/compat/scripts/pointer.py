"""A pointer network, and packed sequences."""

import torch
import torch.nn as nn

torch.manual_seed(13)
enc = nn.LSTM(1, 6, batch_first=True)
dec = nn.LSTMCell(1, 6)
W1 = nn.Linear(6, 6, bias=False)
W2 = nn.Linear(6, 6, bias=False)
v = nn.Linear(6, 1, bias=False)
x = torch.rand(2, 4, 1)
e, (h, c) = enc(x)
h, c = (h[0], c[0])
inp = torch.zeros(2, 1)
mask = torch.zeros(2, 4).bool()
lps = []
idx = []
for t in range(4):
    h, c = dec(inp, (h, c))
    u = v(torch.tanh(W1(e) + W2(h).unsqueeze(1))).squeeze(-1).masked_fill(mask, -1000000000.0)
    p = u.log_softmax(-1)
    i = p.argmax(-1)
    idx.append(i)
    lps.append(p.max(-1).values)
    mask = mask.scatter(1, i.unsqueeze(1), True)
    inp = x[torch.arange(2), i]
print(torch.stack(idx, 1))
(-torch.stack(lps).sum()).backward()
print(W1.weight.grad.sum(), enc.weight_ih_l0.grad.norm())
packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([4, 2]), batch_first=True)
o, _ = enc(packed)
print(nn.utils.rnn.pad_packed_sequence(o, batch_first=True)[0].shape, packed)
