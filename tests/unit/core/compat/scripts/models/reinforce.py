"""REINFORCE with a baseline and entropy bonus, then one PPO epoch, in a hand-made corridor."""

from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical, Normal

Step = namedtuple("Step", "logp value reward entropy")


class Corridor:
    def __init__(self, n=6):
        self.n = n

    def reset(self):
        self.pos, self.t = 2, 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1.0
        return o

    def step(self, a):
        self.pos = max(0, min(self.n - 1, self.pos + (1 if a == 1 else -1)))
        self.t += 1
        done = self.pos in (0, self.n - 1) or self.t >= 15
        return self.obs(), (1.0 if self.pos == self.n - 1 else -0.05), done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(6, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        x = torch.tanh(self.affine1(x))
        return Categorical(logits=self.action_head(x)), self.value_head(x).squeeze(-1)


torch.manual_seed(543)
torch.set_default_dtype(torch.float64)
env, policy = Corridor(), Policy()
optimizer = optim.RMSprop(policy.parameters(), lr=1e-2, alpha=0.95, centered=True, momentum=0.1)
running = deque(maxlen=10)
memory = []
for ep in range(20):
    s, done, steps = env.reset(), False, []
    while not done:
        dist, v = policy(s)
        a = dist.sample()
        memory.append((s, a, dist.log_prob(a).detach()))
        s, r, done = env.step(a.item())
        steps.append(Step(dist.log_prob(a), v, r, dist.entropy()))
    R, returns = 0.0, []
    for st in reversed(steps):
        R = st.reward + 0.95 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    if len(returns) > 1:
        returns = (returns - returns.mean()) / (returns.std() + torch.finfo(torch.float64).eps)
    logp = torch.stack([st.logp for st in steps])
    values = torch.stack([st.value for st in steps])
    adv = returns - values.detach()
    loss = -(logp * adv).sum() + nn.functional.smooth_l1_loss(values, returns, reduction="sum", beta=0.5)
    loss = loss - 0.01 * torch.stack([st.entropy for st in steps]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    running.append(sum(st.reward for st in steps))
    print(f"{ep} len {len(steps)} loss {loss.item():.9f} run {sum(running) / len(running):.6f}")
S, A, L = (torch.stack(z) for z in zip(*memory))
for _ in range(3):
    dist, v = policy(S)
    ratio = (dist.log_prob(A) - L).exp()
    adv = torch.linspace(-1, 1, len(S))
    obj = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
    cont = Normal(v, policy.log_std.exp().expand_as(v)).log_prob(torch.zeros_like(v)).mean()
    optimizer.zero_grad()
    (-obj - 0.1 * cont).backward()
    optimizer.step()
    print(f"{obj.item():.9f} {cont.item():.9f} {policy.log_std.item():.9f}")
