"""Child-sum TreeLSTM over trees of differing shape, recursion and level batching, with dynamic batching check."""

import torch
import torch.nn.functional as F
from torch import nn


class Tree:
    def __init__(self, value, *children):
        self.value, self.children = value, list(children)

    @property
    def depth(self):
        return 1 + max((c.depth for c in self.children), default=0)

    def __iter__(self):
        for c in self.children:
            yield from c
        yield self


def build(depth, seed):
    n = (seed * 7 + depth * 3) % 3 if depth else 0
    return Tree((seed * 5 + depth) % 10, *[build(depth - 1, seed * 2 + i + 1) for i in range(n)])


class ChildSum(nn.Module):
    def __init__(self, e, h):
        super().__init__()
        self.h = h
        self.W_iou, self.U_iou = nn.Linear(e, 3 * h), nn.Linear(h, 3 * h, bias=False)
        self.W_f, self.U_f = nn.Linear(e, h), nn.Linear(h, h, bias=False)

    def node(self, x, hs, cs):
        h_sum = hs.sum(0) if len(hs) else x.new_zeros(self.h)
        i, o, u = (self.W_iou(x) + self.U_iou(h_sum)).split(self.h)
        c = i.sigmoid() * u.tanh()
        if len(cs):
            f = torch.sigmoid(self.W_f(x).expand(len(cs), -1) + self.U_f(hs))
            c = c + (f * cs).sum(dim=0)
        return o.sigmoid() * c.tanh(), c

    def forward(self, tree, emb):
        below = [self(child, emb) for child in tree.children]
        hs, cs = (torch.stack(s) for s in zip(*below)) if below else (torch.empty(0), torch.empty(0))
        tree.h, tree.c = self.node(emb(torch.as_tensor(tree.value)), hs, cs)
        return tree.h, tree.c


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 6)
        self.cell = ChildSum(6, 5)
        self.cls = nn.utils.parametrizations.weight_norm(nn.Linear(5, 3))

    def forward(self, tree):
        h, _ = self.cell(tree, self.emb)
        return self.cls(torch.stack([t.h for t in tree])), h


torch.manual_seed(11)
model = Sentiment().to(torch.float64)
print([n for n, _ in model.named_parameters()])
trees = [build(4, s) for s in range(1, 7)]
print([t.depth for t in trees], [sum(1 for _ in t) for t in trees])
opt = torch.optim.Adadelta(model.parameters(), lr=1.0, rho=0.9, eps=1e-6)
for it in range(20):
    total = 0
    opt.zero_grad()
    for t in trees:
        logits, root = model(t)
        labels = torch.tensor([n.value % 3 for n in t])
        loss = F.cross_entropy(logits, labels, reduction="sum") / len(labels) + 1e-3 * root.norm(p=1)
        loss.backward()
        total += loss.detach()
    opt.step()
    print(it, f"{total.item():.9f}", f"{model.emb.weight.grad.abs().sum().item():.9f}")
