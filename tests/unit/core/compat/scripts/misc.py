"""Printing, sorting, indexing and sampling."""

import numpy as np
import torch

torch.manual_seed(31)
torch.set_printoptions(precision=3, sci_mode=False)
x = torch.randn(3, 4)
print(x, x.std(dim=0), x.var(1, unbiased=False))
print(torch.from_numpy(np.arange(6).reshape(2, 3)).float().t(), x.numpy().shape)
print(torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"))
print(x.sort(1, descending=True))
print(torch.unique(torch.tensor([3, 1, 3, 2]), return_inverse=True, return_counts=True))
print(x[x > 0], x[:, -1], x[..., None].shape, x[[0, 2]][:, [1, 3]])
print(torch.cat([x, x], 1).shape, torch.stack([x, x]).shape, x.repeat(2, 1).shape, x.unfold(1, 2, 1).shape)
print(torch.einsum("ij,ij->i", x, x), torch.tril(torch.ones(3, 3)), torch.cumsum(x, 1)[0])
print(x.to(torch.int32).dtype, x.half().dtype, x.bool().any())
print(
    torch.randperm(5),
    torch.randint(0, 9, (2, 2)),
    torch.bernoulli(torch.full((3,), 0.5)),
    torch.multinomial(torch.tensor([0.1, 0.9]), 1),
)
torch.set_printoptions(profile="default")
print(torch.tensor(1e-08), torch.tensor([10000000000.0, 1.0]), torch.tensor([True]), torch.arange(1001))
