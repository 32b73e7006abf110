"""Pointer network that sorts numbers: glimpses, masks that grow, greedy decode, sampling baseline."""

import torch
import torch.nn as nn


class PointerNet(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.embed = nn.Conv1d(1, d, 1)
        self.encoder = nn.LSTM(d, d, batch_first=True)
        self.decoder = nn.LSTMCell(d, d)
        self.dec_in = nn.Parameter(torch.FloatTensor(d))
        self.Wq, self.Wk = nn.Linear(d, d, bias=False), nn.Conv1d(d, d, 1)
        self.V = nn.Parameter(torch.FloatTensor(d))
        self.dec_in.data.uniform_(-0.1, 0.1)
        self.V.data.uniform_(-0.5, 0.5)

    def point(self, q, ref, mask, C=10.0):
        u = (self.V[None, :, None] * torch.tanh(self.Wq(q).unsqueeze(2) + self.Wk(ref))).sum(1)
        return (C * torch.tanh(u)).masked_fill(mask, -1e9)

    def forward(self, x, target=None, sample=False):
        B, N = x.shape
        e = self.embed(x.unsqueeze(1))
        ref, (h, c) = self.encoder(e.transpose(1, 2))
        ref = ref.transpose(1, 2).contiguous()
        h, c = h[0], c[0]
        inp = self.dec_in.repeat(B, 1)
        mask = torch.zeros(B, N, dtype=torch.bool)
        logps, picks = [], []
        for t in range(N):
            h, c = self.decoder(inp, (h, c))
            g = self.point(h, ref, mask).softmax(1)
            q = torch.bmm(ref, g.unsqueeze(2)).squeeze(2)
            logp = self.point(q, ref, mask).log_softmax(-1)
            if target is not None:
                idx = target[:, t]
            else:
                idx = logp.exp().multinomial(1).squeeze(1) if sample else logp.argmax(1)
            mask = mask.clone()
            mask[torch.arange(B), idx] = True
            logps.append(logp.gather(1, idx[:, None])[:, 0])
            picks.append(idx)
            inp = e.gather(2, idx[:, None, None].expand(-1, e.size(1), 1)).squeeze(2)
        return torch.stack(logps, 1), torch.stack(picks, 1)


torch.manual_seed(2)
net = PointerNet().double()
opt = torch.optim.NAdam(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.StepLR(opt, 5, gamma=0.7)
data = torch.rand(32, 5).double()
for it in range(20):
    x = data[(it % 4) * 8 : (it % 4) * 8 + 8]
    y = x.argsort(1)
    logp, _ = net(x, y)
    loss = -logp.sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    print("{:d} {:.9f} {:.6f}".format(it, loss.item(), opt.param_groups[0]["lr"]))
with torch.no_grad():
    _, picks = net(data[:4])
    print(picks, (picks == data[:4].argsort(1)).all(1).float().mean())
    lp, s = net(data[:4], sample=True)
    print(s.sort(1).values.eq(torch.arange(5)).all(), lp.sum().item())
