"""A small GPT over letters: trains on one sentence, then samples until a full stop."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = "the cat sat on the mat. the dog sat on the log. the cat saw the dog. "
LETTERS = sorted(set(TEXT))
BLOCK, WIDTH, HEADS, LAYERS = 16, 32, 4, 2


class Attention(nn.Module):
    """Causal self-attention with several heads."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mask", torch.tril(torch.ones(BLOCK, BLOCK)).view(1, 1, BLOCK, BLOCK))

    def forward(self, x):
        """Each position looks at those before it."""
        rows, length, _ = x.size()
        q, k, v = (part.view(rows, length, HEADS, -1).transpose(1, 2) for part in self.qkv(x).split(WIDTH, dim=2))
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(self.mask[:, :, :length, :length] == 0, float("-inf"))
        y = F.softmax(scores, dim=-1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(rows, length, WIDTH))


class Block(nn.Module):
    """Attention and a small network, each with a shortcut."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2, self.attention = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), Attention()
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(approximate="tanh"), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        """One layer."""
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """Letters in, scores of the next letter out."""

    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(len(LETTERS), WIDTH), nn.Embedding(BLOCK, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, len(LETTERS), bias=False)
        self.apply(self.initialize)

    @staticmethod
    def initialize(module):
        """Small normal weights, as in GPT-2."""
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, index):
        """The scores at each position."""
        x = self.token(index) + self.position(torch.arange(index.size(1), device=index.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))

    @torch.no_grad()
    def generate(self, index, most, temperature=0.8, top_k=5):
        """Letters drawn one after another, until a full stop."""
        for _ in range(most):
            scores = self(index[:, -BLOCK:])[:, -1] / temperature
            least = torch.topk(scores, top_k).values[:, [-1]]
            chances = F.softmax(scores.masked_fill(scores < least, float("-inf")), dim=-1)
            index = torch.cat((index, torch.multinomial(chances, num_samples=1)), dim=1)
            if LETTERS[index[0, -1]] == ".":
                break
        return index


def main():
    """Trains with warm-up and clipping, then samples."""
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(1337)
    data = torch.tensor([LETTERS.index(letter) for letter in TEXT])
    model = GPT()
    print(f"{sum(p.numel() for p in model.parameters())} parameters")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.95), weight_decay=0.1)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 5))
    for step in range(1, 41):
        start = torch.randint(len(data) - BLOCK, (8,))
        x = torch.stack([data[i : i + BLOCK] for i in start])
        y = torch.stack([data[i + 1 : i + 1 + BLOCK] for i in start])
        loss = F.cross_entropy(model(x).view(-1, len(LETTERS)), y.view(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rate.step()
        if step % 10 == 0:
            print(f"step {step}: loss {loss.item():.6f}")
    for _ in range(3):
        index = model.generate(torch.tensor([[LETTERS.index("t")]]), most=40)
        print("".join(LETTERS[i] for i in index[0].tolist()))


if __name__ == "__main__":
    main()


# $ dyncli run samples/pytorch/gpt.py --show outputs
# 26944 parameters
# step 10: loss 1.465053
# step 20: loss 0.734892
# step 30: loss 0.477905
# step 40: loss 0.388125
# the dog dog og og on the log.
# the dog sat on the mat.
# the dog sat og on the log.
# samples/pytorch/gpt.py:__main__ · float64 · seed 0 · 10,012 ops · 604 decisions · torch: dyncore
# 0.1.0
