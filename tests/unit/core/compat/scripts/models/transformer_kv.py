"""A decoder-only transformer: RoPE, RMSNorm, SwiGLU, grouped-query attention, a KV cache, and sampling with it."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    vocab: int = 17
    dim: int = 16
    layers: int = 2
    heads: int = 4
    kv_heads: int = 2
    block: int = 16


def precompute(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: dim // 2].float() / dim))
    freqs = torch.outer(torch.arange(end, dtype=torch.float32), freqs)
    return torch.polar(torch.ones_like(freqs), freqs)


def rotary(x, cis):
    xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(xc * cis[None, :, None, :]).flatten(3).type_as(x)


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps, self.weight = eps, nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x) * self.weight


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n, self.kv, self.hd = c.heads, c.kv_heads, c.dim // c.heads
        self.wq, self.wo = nn.Linear(c.dim, c.dim, bias=False), nn.Linear(c.dim, c.dim, bias=False)
        self.wk, self.wv = (nn.Linear(c.dim, self.kv * self.hd, bias=False) for _ in range(2))
        self.cache = None

    def forward(self, x, cis, mask, start):
        B, T, _ = x.shape
        q = rotary(self.wq(x).view(B, T, self.n, self.hd), cis)
        k = rotary(self.wk(x).view(B, T, self.kv, self.hd), cis)
        v = self.wv(x).view(B, T, self.kv, self.hd)
        if self.cache is not None:
            self.cache[0][:B, start : start + T], self.cache[1][:B, start : start + T] = k, v
            k, v = self.cache[0][:B, : start + T], self.cache[1][:B, : start + T]
        k, v = (z.repeat_interleave(self.n // self.kv, dim=2).transpose(1, 2) for z in (k, v))
        q = q.transpose(1, 2)
        if mask is None and self.cache is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            att = q @ k.transpose(-2, -1) / math.sqrt(self.hd)
            att = att + mask if mask is not None else att
            y = F.softmax(att.float(), dim=-1).type_as(q) @ v
        return self.wo(y.transpose(1, 2).contiguous().view(B, T, -1))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attn, self.n1, self.n2 = Attention(c), RMSNorm(c.dim), RMSNorm(c.dim)
        self.w1, self.w3 = nn.Linear(c.dim, 2 * c.dim, bias=False), nn.Linear(c.dim, 2 * c.dim, bias=False)
        self.w2 = nn.Linear(2 * c.dim, c.dim, bias=False)

    def forward(self, x, *rest):
        x = x + self.attn(self.n1(x), *rest)
        h = self.n2(x)
        return x + self.w2(F.silu(self.w1(h)) * self.w3(h))


class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.tok = nn.Embedding(c.vocab, c.dim)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm, self.head = RMSNorm(c.dim), nn.Linear(c.dim, c.vocab, bias=False)
        self.head.weight = self.tok.weight
        self.register_buffer("cis", precompute(c.dim // c.heads, c.block), persistent=False)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            torch.nn.init.normal_(m.weight, mean=0.0, std=0.2)

    def forward(self, idx, targets=None, start=0):
        T = idx.shape[1]
        mask = None
        if self.blocks[0].attn.cache is not None and T > 1:
            mask = torch.full((T, T), float("-inf")).triu_(1)
            mask = torch.hstack([torch.zeros((T, start)), mask])
        x = self.tok(idx)
        for b in self.blocks:
            x = b(x, self.cis[start : start + T], mask, start)
        logits = self.head(self.norm(x))
        loss = (
            None
            if targets is None
            else F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        )
        return logits, loss

    @torch.no_grad()
    def generate(self, idx, n, top_k=5):
        for b in self.blocks:
            b.attn.cache = tuple(torch.zeros(idx.size(0), self.c.block, b.attn.kv, b.attn.hd) for _ in range(2))
        start, cur = 0, idx
        for _ in range(n):
            logits = self(cur, start=start)[0][:, -1] / 0.8
            v, _ = torch.topk(logits, top_k)
            logits[logits < v[:, [-1]]] = -float("Inf")
            start += cur.size(1)
            cur = torch.multinomial(F.softmax(logits, -1), 1)
            idx = torch.cat((idx, cur), dim=1)
        for b in self.blocks:
            b.attn.cache = None
        return idx


torch.manual_seed(1337)
m = GPT(Config())
decay = [p for n, p in m.named_parameters() if p.dim() >= 2]
rest = [p for n, p in m.named_parameters() if p.dim() < 2]
opt = torch.optim.AdamW(
    [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=5e-3, betas=(0.9, 0.95)
)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-2, total_steps=20, pct_start=0.3)
data = (torch.arange(200) ** 2 % 17).long()
for it in range(20):
    ix = torch.randint(len(data) - 9, (4,))
    x, y = torch.stack([data[i : i + 8] for i in ix]), torch.stack([data[i + 1 : i + 9] for i in ix])
    _, loss = m(x, y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    g = torch.nn.utils.clip_grad_norm_(m.parameters(), 1.0)
    opt.step()
    sched.step()
    print(it, f"{loss.item():.5f} {g:.4f} {sched.get_last_lr()[0]:.6f}")
m.eval()
print(m.generate(torch.tensor([[1, 4], [2, 3]]), 10))
full = m(torch.arange(8)[None])[0]
for b in m.blocks:
    b.attn.cache = tuple(torch.zeros(1, 16, 2, 4) for _ in range(2))
with torch.no_grad():
    parts = torch.cat([m(torch.arange(8)[None, i : i + 1], start=i)[0] for i in range(8)], 1)
print(torch.allclose(full, parts, atol=1e-5))
