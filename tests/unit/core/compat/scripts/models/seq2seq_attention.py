"""Translation of digits to reversed digits: packed bidirectional encoder, Bahdanau attention, scheduled sampling."""

import math
import random

import torch
from torch import Tensor, nn, optim
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

torch.set_default_dtype(torch.float64)
PAD, BOS, EOS = 0, 1, 2


def det_init(module: nn.Module) -> None:
    with torch.no_grad():
        for k, (name, p) in enumerate(sorted(module.named_parameters())):
            p.copy_((torch.arange(p.numel(), dtype=p.dtype) * 0.7 + k).sin().view_as(p) * 0.3)


class Pairs(Dataset):
    def __init__(self, n: int) -> None:
        rng = random.Random(0)
        self.items = [[rng.randint(3, 11) for _ in range(rng.randint(2, 6))] for _ in range(n)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        src = torch.LongTensor(self.items[i])
        return src, torch.cat([torch.tensor([BOS]), src.flip(0), torch.tensor([EOS])])


def collate(batch: list[tuple[Tensor, Tensor]]):
    batch = sorted(batch, key=lambda p: -len(p[0]))
    src, tgt = zip(*batch)
    lengths = torch.tensor([len(s) for s in src])
    return pad_sequence(src, batch_first=True, padding_value=PAD), lengths, pad_sequence(tgt, batch_first=True)


class Encoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.embed = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.rnn = nn.LSTM(emb, hid, num_layers=2, bidirectional=True, batch_first=True, dropout=0.0)
        self.bridge = nn.ModuleDict({k: nn.Linear(2 * hid, hid) for k in ("h", "c")})

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embed(src), lengths.cpu(), batch_first=True)
        out, (h, c) = self.rnn(packed)
        memory, _ = pad_packed_sequence(out, batch_first=True)
        h, c = (torch.cat([s[-2], s[-1]], dim=-1) for s in (h, c))
        return memory, (self.bridge["h"](h).tanh(), self.bridge["c"](c).tanh())


class Attention(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.W = nn.Linear(3 * hid, hid, bias=False)
        self.v = nn.Parameter(torch.empty(hid))

    def forward(self, query, memory, mask):
        q = query.unsqueeze(1).expand(-1, memory.size(1), -1)
        e = torch.einsum("bth,h->bt", torch.tanh(self.W(torch.cat((q, memory), -1))), self.v)
        return e.masked_fill(~mask, float("-inf")).softmax(dim=1)


class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.embed = nn.Embedding(vocab, emb)
        self.cell = nn.LSTMCell(emb + 2 * hid, hid)
        self.attn = Attention(hid)
        self.out = nn.Sequential(nn.Linear(3 * hid, hid), nn.Tanh(), nn.Linear(hid, vocab))

    def forward(self, memory, mask, state, tgt: Tensor | None, steps: int, ratio: float):
        tok = torch.full((memory.size(0),), BOS, dtype=torch.long)
        logits, alphas = [], []
        for t in range(steps):
            a = self.attn(state[0], memory, mask)
            ctx = torch.bmm(a.unsqueeze(1), memory).squeeze(1)
            state = self.cell(torch.cat([self.embed(tok), ctx], 1), state)
            step = self.out(torch.cat([state[0], ctx], 1))
            logits.append(step)
            alphas.append(a)
            tok = tgt[:, t + 1] if tgt is not None and random.random() < ratio else step.argmax(-1)
        return torch.stack(logits, 1), torch.stack(alphas, 1)


random.seed(1)
enc, dec = Encoder(12, 5, 4), Decoder(12, 5, 4)
det_init(enc), det_init(dec)
params = [p for m in (enc, dec) for p in m.parameters()]
opt = optim.Adam(params, lr=3e-2, betas=(0.9, 0.98), eps=1e-9)
sched = optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) ** -0.5, (s + 1) * 4**-1.5))
crit = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.05)
loader = DataLoader(Pairs(32), batch_size=8, shuffle=False, collate_fn=collate, drop_last=True)
step = 0
while step < 20:
    for src, lengths, tgt in loader:
        memory, state = enc(src, lengths)
        mask = torch.arange(src.size(1))[None, :] < lengths[:, None]
        logits, alphas = dec(memory, mask, state, tgt, tgt.size(1) - 1, ratio=0.7)
        loss = crit(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(params, 0.5)
        opt.step()
        sched.step()
        print(f"{step:2d} loss {loss.item():.9f} norm {norm.item():.9f} lr {sched.get_last_lr()[0]:.9f}")
        step += 1
with torch.inference_mode():
    memory, state = enc(src, lengths)
    out, alphas = dec(memory, mask, state, None, 7, 0.0)
    print(out.argmax(-1).tolist(), alphas.sum(-1).mean().item(), math.exp(loss.item()))
