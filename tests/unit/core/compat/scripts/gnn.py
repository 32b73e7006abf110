"""Message passing over edges by index_add, scatter_add and scatter_reduce."""

import torch
import torch.nn as nn

torch.manual_seed(5)
x = torch.randn(6, 4, requires_grad=True)
ei = torch.tensor([[0, 1, 2, 3, 4, 5, 0, 2], [1, 2, 3, 4, 5, 0, 3, 5]])
W = nn.Linear(4, 4, bias=False)
h = torch.zeros(6, 4).index_add(0, ei[1], W(x)[ei[0]])
deg = torch.zeros(6).scatter_add_(0, ei[1], torch.ones(8))
h = h / deg.clamp(min=1).unsqueeze(-1)
mx = torch.full((6, 4), -1000000000.0).scatter_reduce(0, ei[1].unsqueeze(-1).expand(-1, 4), W(x)[ei[0]], "amax")
al = torch.exp(h[ei[0]].sum(-1) - h[ei[1]].sum(-1))
al = al / torch.zeros(6).scatter_add(0, ei[1], al)[ei[1]]
out = torch.zeros(6, 4).index_add_(0, ei[1], al[:, None] * h[ei[0]])
pool = torch.cat([out.mean(0), mx.max(0)[0]])
print(pool)
pool.sum().backward()
print(x.grad, W.weight.grad)
A = torch.zeros(6, 6)
A[ei[0], ei[1]] = 1
print(A.sum(1), torch.linalg.matrix_power(A, 3).trace(), A.nonzero().shape)
