"""A generative adversarial network, and a gradient penalty."""

import torch
import torch.nn as nn

torch.manual_seed(9)
G = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.LeakyReLU(0.2), nn.Linear(8, 2))
D = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2, inplace=True), nn.Dropout(0.3), nn.Linear(8, 1))
og = torch.optim.Adam(G.parameters(), 0.0002, betas=(0.5, 0.999))
od = torch.optim.Adam(D.parameters(), 0.0002)
bce = nn.BCEWithLogitsLoss()
for i in range(3):
    real = torch.randn(6, 2) + 2
    z = torch.randn(6, 2)
    fake = G(z)
    od.zero_grad()
    ld = bce(D(real), torch.ones(6, 1)) + bce(D(fake.detach()), torch.zeros(6, 1))
    ld.backward()
    od.step()
    og.zero_grad()
    lg = bce(D(fake), torch.ones(6, 1))
    lg.backward()
    og.step()
    print(f"{ld:.5f} {lg:.5f}")
x = torch.randn(4, 2, requires_grad=True)
gp = torch.autograd.grad(D(x).sum(), x, create_graph=True)[0]
((gp.norm(2, dim=1) - 1) ** 2).mean().backward()
print(D[0].weight.grad.sum())
print(G.state_dict().keys())
print(G[1].running_mean, G[1].num_batches_tracked)
