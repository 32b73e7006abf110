"""A variational autoencoder over a DataLoader."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 8)
        self.fc21 = nn.Linear(8, 3)
        self.fc22 = nn.Linear(8, 3)
        self.fc3 = nn.Linear(3, 8)
        self.fc4 = nn.Linear(8, 12)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return (self.fc21(h), self.fc22(h))

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, lv = self.encode(x.view(-1, 12))
        z = self.reparameterize(mu, lv)
        return (self.decode(z), mu, lv)


def loss_function(r, x, mu, logvar):
    return F.binary_cross_entropy(r, x.view(-1, 12), reduction="sum") - 0.5 * torch.sum(
        1 + logvar - mu.pow(2) - logvar.exp()
    )


m = VAE()
o = torch.optim.Adam(m.parameters(), lr=0.001)
data = torch.rand(16, 3, 4)
dl = DataLoader(TensorDataset(data), batch_size=5, shuffle=True)
for epoch in range(2):
    t = 0
    for b, (d,) in enumerate(dl):
        o.zero_grad()
        r, mu, lv = m(d)
        l = loss_function(r, d, mu, lv)
        l.backward()
        t += l.item()
        o.step()
    print(f"====> Epoch: {epoch} Average loss: {t / len(dl.dataset):.4f}")
with torch.no_grad():
    print(m.decode(torch.randn(2, 3)))
