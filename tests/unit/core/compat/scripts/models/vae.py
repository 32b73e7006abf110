"""Convolutional VAE with a beta schedule, distributions and KL from torch.distributions."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Bernoulli, Independent, Normal, kl_divergence

torch.manual_seed(0)


class Reshape(nn.Module):
    def __init__(self, *shape):
        super().__init__()
        self.shape = shape

    def forward(self, x):
        return x.view(x.shape[0], *self.shape)

    def extra_repr(self):
        return f"shape={self.shape}"


class VAE(nn.Module):
    def __init__(self, z=3):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 4, 4, 2, 1),
            nn.BatchNorm2d(4),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(4, 8, 4, 2, 1),
            nn.GroupNorm(2, 8),
            nn.SiLU(),
            nn.Flatten(),
            nn.Linear(8 * 4, 2 * z),
        )
        self.decoder = nn.Sequential(
            nn.Linear(z, 32),
            nn.ELU(),
            Reshape(8, 2, 2),
            nn.ConvTranspose2d(8, 4, 4, 2, 1, bias=False),
            nn.InstanceNorm2d(4, affine=True),
            nn.PReLU(4),
            nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False),
            nn.ReflectionPad2d(1),
            nn.Conv2d(4, 1, 3),
        )

    def forward(self, x):
        mu, logvar = self.encoder(x).chunk(2, dim=-1)
        q = Independent(Normal(mu, F.softplus(logvar) + 1e-4), 1)
        z = q.rsample()
        return q, Independent(Bernoulli(logits=self.decoder(z)), 3)


model = VAE().double()
for i, (n, p) in enumerate(model.named_parameters()):
    p.data = (torch.linspace(-1, 1, p.numel(), dtype=torch.double) * (7 + i)).cos().reshape(p.shape) * 0.2
prior = Independent(Normal(torch.zeros(3).double(), torch.ones(3).double()), 1)
print(model)
print(sum(p.numel() for p in model.parameters() if p.requires_grad))
data = (torch.rand(64, 1, 8, 8, dtype=torch.float64) > 0.6).double()
opt = torch.optim.AdamW(
    [{"params": model.encoder.parameters()}, {"params": model.decoder.parameters(), "lr": 5e-3}],
    lr=1e-2,
    weight_decay=1e-2,
)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=20)
for it in range(20):
    x = data[torch.randperm(64)[:16]]
    q, px = model(x)
    rec = -px.log_prob(x).mean()
    kl = kl_divergence(q, prior).mean()
    beta = min(1.0, it / 10)
    loss = rec + beta * kl
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    print(f"{it} {rec.item():.9f} {kl.item():.9f} {sched.get_last_lr()[1]:.9f}")
model.eval()
with torch.no_grad():
    sample = torch.sigmoid(model.decoder(prior.sample((4,))))
    print(sample.mean((1, 2, 3)), model.encoder[1].running_var)
sd = model.state_dict()
print(list(sd.keys()))
