"""Adaptive computation time and PonderNet halting: steps differ by example, remainders, KL to a geometric prior."""

import torch
from torch import nn
from torch.nn import functional as F


class ACT(nn.Module):
    def __init__(self, n_in, n_h, eps=0.01, max_steps=8):
        super().__init__()
        self.cell = nn.RNNCell(n_in + 1, n_h, nonlinearity="relu")
        self.halt = nn.Linear(n_h, 1)
        self.eps, self.max_steps = eps, max_steps
        nn.init.orthogonal_(self.cell.weight_hh)
        nn.init.constant_(self.halt.bias, -0.5)

    def forward(self, x, h):
        B = x.size(0)
        halting = torch.zeros(B, dtype=x.dtype)
        acc, remain, updates = torch.zeros_like(h), torch.zeros(B, dtype=x.dtype), torch.zeros(B, dtype=x.dtype)
        step = 0
        while bool(((halting < 1 - self.eps) & (updates < self.max_steps)).any()):
            flag = x.new_full((B, 1), float(step == 0))
            h = self.cell(torch.cat([x, flag], 1), h)
            p = torch.sigmoid(self.halt(h)).squeeze(1)
            running = (halting < 1 - self.eps).to(x.dtype)
            new_halted = ((halting + p * running) > 1 - self.eps).to(x.dtype) * running
            still = ((halting + p * running) <= 1 - self.eps).to(x.dtype) * running
            halting = halting + p * still
            remain = remain + new_halted * (1 - halting)
            halting = halting + new_halted * remain
            updates = updates + still + new_halted
            w = p * still + new_halted * remain
            acc = acc + w.unsqueeze(1) * h
            step += 1
        return acc, updates + remain, updates


class Ponder(nn.Module):
    def __init__(self, d=4, h=6, steps=6, lam=0.3):
        super().__init__()
        self.gru, self.out, self.lam = nn.GRUCell(d, h), nn.Linear(h, 1), nn.Linear(h, 1)
        prior = lam * (1 - lam) ** torch.arange(steps)
        self.register_buffer("prior", prior / prior.sum())
        self.steps = steps

    def forward(self, x):
        h = x.new_zeros(x.shape[0], self.gru.hidden_size)
        un = torch.ones(x.shape[0], dtype=x.dtype)
        ps, ys = [], []
        for n in range(self.steps):
            h = self.gru(x, h)
            l = self.lam(h)[:, 0].sigmoid() if n < self.steps - 1 else torch.ones_like(un)
            ps.append(un * l)
            ys.append(self.out(h)[:, 0])
            un = un * (1 - l)
        return torch.stack(ps), torch.stack(ys)


torch.manual_seed(9)
torch.set_default_dtype(torch.float64)
x = torch.randint(-1, 2, (10, 4)).double()
y = (x.prod(1) >= 0).double()
act, head, pn = ACT(4, 6).double(), nn.Linear(6, 1).double(), Ponder().double()
opt = torch.optim.Adam([*act.parameters(), *head.parameters(), *pn.parameters()], lr=0.02, amsgrad=True)
for it in range(20):
    acc, cost, n = act(x, torch.zeros(10, 6).double())
    l1 = (
        F.binary_cross_entropy_with_logits(head(acc).squeeze(-1), y, pos_weight=torch.tensor(0.7).double())
        + 0.01 * cost.mean()
    )
    p, yh = pn(x)
    rec = (p * F.mse_loss(yh, y.expand_as(yh), reduction="none")).sum(0).mean()
    kl = F.kl_div(p.clamp(min=1e-12).log().t(), pn.prior.expand(10, -1), reduction="batchmean")
    loss = l1 + rec + 0.05 * kl
    opt.zero_grad(True)
    loss.backward()
    opt.step()
    print(it, f"{l1.item():.9f} {rec.item():.9f} {kl.item():.9f}", n.int().tolist())
