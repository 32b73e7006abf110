"""REINFORCE with a policy that ends episodes early."""

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(2)
pi = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 3))
opt = torch.optim.SGD(pi.parameters(), lr=0.05)
for ep in range(3):
    s = torch.zeros(2)
    lp = []
    rew = []
    for t in range(6):
        d = Categorical(logits=pi(s))
        a = d.sample()
        lp.append(d.log_prob(a))
        s = s + torch.tensor([0.1, -0.1]) * (a.item() - 1)
        rew.append(float(s[0]))
        if s.abs().max() > 0.35:
            break
    R = 0
    G = []
    for r in rew[::-1]:
        R = r + 0.9 * R
        G.insert(0, R)
    G = torch.tensor(G)
    G = (G - G.mean()) / (G.std() + 1e-07)
    loss = torch.stack([-l * g for l, g in zip(lp, G)]).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(ep, len(rew), round(loss.item(), 5), d.entropy())
