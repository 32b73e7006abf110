"""DCGAN-like in 1d with spectral norm, WGAN-GP penalty, hinge loss, EMA of the generator, two optimizers."""

import copy

import torch
import torch.autograd as autograd
import torch.nn as nn
from torch.autograd import Variable
from torch.nn.utils import spectral_norm

torch.manual_seed(4)
torch.set_default_dtype(torch.float64)


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        m.weight.data.normal_(0.0, 0.2)
    elif classname.find("BatchNorm") != -1:
        m.weight.data.normal_(1.0, 0.02)
        m.bias.data.fill_(0)


class G(nn.Module):
    def __init__(self, nz=4, ngf=4):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose1d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm1d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose1d(ngf * 2, ngf, 4, 2, 1, bias=False),
            nn.BatchNorm1d(ngf),
            nn.ReLU(True),
            nn.ConvTranspose1d(ngf, 1, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class D(nn.Module):
    def __init__(self, ndf=4):
        super().__init__()
        self.c1 = spectral_norm(nn.Conv1d(1, ndf, 4, 2, 1), n_power_iterations=2)
        self.c2 = nn.utils.parametrizations.spectral_norm(nn.Conv1d(ndf, ndf * 2, 4, 2, 1))
        self.fc = nn.Linear(ndf * 2 * 4, 1)

    def forward(self, x):
        h = nn.functional.leaky_relu(self.c1(x), 0.2, inplace=True)
        h = nn.functional.leaky_relu(self.c2(h), 0.2)
        return self.fc(h.view(h.size(0), -1)).view(-1)


def gradient_penalty(netD, real, fake):
    alpha = torch.rand(real.size(0), 1, 1).expand(real.size()).double()
    inter = autograd.Variable(alpha * real + (1 - alpha) * fake, requires_grad=True)
    out = netD(inter)
    g = autograd.grad(
        outputs=out,
        inputs=inter,
        grad_outputs=torch.ones(out.size()).double(),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    return ((g.view(g.size(0), -1).norm(2, dim=1) - 1) ** 2).mean() * 10


netG, netD = G(), D()
netG.apply(weights_init)
netD.apply(weights_init)
netG, netD = netG.double(), netD.double()
ema = copy.deepcopy(netG)
for p in ema.parameters():
    p.requires_grad = False
optD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.0, 0.9))
optG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.999))
t = torch.linspace(0, 6.28, 16).double()
for it in range(20):
    real = Variable(torch.sin(t[None, None] + torch.rand(8, 1, 1).double() * 6))
    for p in netD.parameters():
        p.requires_grad_(True)
    for _ in range(2):
        netD.zero_grad()
        fake = netG(torch.randn(8, 4, 1).double()).detach()
        gp = gradient_penalty(netD, real.data, fake.data)
        lossD = nn.functional.relu(1 - netD(real)).mean() + nn.functional.relu(1 + netD(fake)).mean() + gp
        lossD.backward()
        optD.step()
    for p in netD.parameters():
        p.requires_grad_(False)
    netG.zero_grad()
    lossG = -netD(netG(torch.randn(8, 4, 1).double())).mean()
    lossG.backward()
    optG.step()
    with torch.no_grad():
        for a, b in zip(ema.parameters(), netG.parameters()):
            a.lerp_(b, 0.1)
        for a, b in zip(ema.buffers(), netG.buffers()):
            a.copy_(b)
    print(f"[{it}/20] D {lossD.item():.8f} G {lossG.item():.8f} gp {gp.item():.8f}")
ema.eval()
print(ema(torch.ones(1, 4, 1).double()).squeeze()[:4], sorted(netD.state_dict()))
