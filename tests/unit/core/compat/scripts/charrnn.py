"""A character model by hand."""

import torch
import torch.nn as nn

torch.manual_seed(22)
txt = "hello world"
vs = sorted(set(txt))
s2i = {c: i for i, c in enumerate(vs)}
ids = torch.tensor([s2i[c] for c in txt])
Wxh = torch.randn(len(vs), 10) * 0.1
Whh = torch.randn(10, 10) * 0.1
Why = torch.randn(10, len(vs)) * 0.1
for p in (Wxh, Whh, Why):
    p.requires_grad_(True)
for ep in range(3):
    h = torch.zeros(10)
    loss = 0
    for a, b in zip(ids[:-1], ids[1:]):
        h = torch.tanh(Wxh[a] + h @ Whh)
        loss = loss - torch.log_softmax(h @ Why, 0)[b]
    loss.backward()
    with torch.no_grad():
        for p in (Wxh, Whh, Why):
            p -= 0.1 * p.grad
            p.grad.zero_()
    print(loss)
g = torch.Generator().manual_seed(1)
p = torch.softmax(h @ Why, 0)
print("".join(vs[i] for i in torch.multinomial(p.detach(), 5, replacement=True, generator=g)))
