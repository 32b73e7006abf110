"""Metric learning losses."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(25)
e = nn.Linear(3, 2)
a, p, n = [F.normalize(e(torch.randn(4, 3)), dim=1) for _ in range(3)]
l = F.triplet_margin_loss(a, p, n)
l.backward()
print(l, e.weight.grad)
s = a.detach() @ p.detach().T / 0.1
print(F.cross_entropy(s, torch.arange(4)), F.pairwise_distance(a, p), F.cosine_similarity(a, n))
print(nn.CosineEmbeddingLoss(margin=0.2)(a, p, torch.tensor([1, -1, 1, -1])))
