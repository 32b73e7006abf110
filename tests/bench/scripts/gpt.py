"""A small GPT learns to sort digits: attention, mixed schedules, evaluation and greedy decoding."""

import math
import random

import torch
from torch import nn
from torch.nn import functional as F

DIGITS, LENGTH, WIDTH, HEADS, LAYERS, BATCH, STEPS = 6, 6, 24, 3, 3, 8, 120


class Attention(nn.Module):
    """Causal attention with several heads."""

    def __init__(self, width, heads, block):
        super().__init__()
        assert width % heads == 0
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.register_buffer("mask", torch.tril(torch.ones(block, block)).view(1, 1, block, block))

    def forward(self, x):
        """Mix each place with those before it."""
        batch, length, width = x.size()
        q, k, v = self.qkv(x).split(width, dim=2)
        q = q.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        k = k.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = v.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(self.mask[:, :, :length, :length] == 0, float("-inf"))
        mixed = F.softmax(scores, dim=-1) @ v
        return self.project(mixed.transpose(1, 2).contiguous().view(batch, length, width))


class Block(nn.Module):
    """Attention and a perceptron, each beside a shortcut."""

    def __init__(self, width, heads, block):
        super().__init__()
        self.first = nn.LayerNorm(width)
        self.attention = Attention(width, heads, block)
        self.second = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 4 * width)
        self.shrink = nn.Linear(4 * width, width)

    def forward(self, x):
        """Return a batch of the same shape."""
        x = x + self.attention(self.first(x))
        return x + self.shrink(F.gelu(self.expand(self.second(x))))


class GPT(nn.Module):
    """A decoder that shares its embedding with its output."""

    def __init__(self, words, block, width, heads, layers):
        super().__init__()
        self.block = block
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(block, width)
        self.layers = nn.ModuleList([Block(width, heads, block) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.apply(self.initialize)

    def initialize(self, module):
        """Draw small weights."""
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)

    def groups(self, decay):
        """Return the parameters with and without weight decay."""
        heavy, light = [], []
        for name, parameter in self.named_parameters():
            if parameter.dim() >= 2 and "words" not in name:
                heavy.append(parameter)
            else:
                light.append(parameter)
        return [{"params": heavy, "weight_decay": decay}, {"params": light, "weight_decay": 0.0}]

    def forward(self, tokens, targets=None):
        """Return scores, and the loss if there are targets."""
        length = tokens.size(1)
        if length > self.block:
            raise ValueError(f"{length} tokens are more than {self.block}")
        x = self.words(tokens) + self.places(torch.arange(length))
        for layer in self.layers:
            x = layer(x)
        scores = self.head(self.norm(x))
        if targets is None:
            return scores, None
        return scores, F.cross_entropy(scores.view(-1, scores.size(-1)), targets.reshape(-1), ignore_index=-1)

    @torch.no_grad()
    def generate(self, tokens, count):
        """Append the likeliest token several times."""
        for _ in range(count):
            seen = tokens if tokens.size(1) <= self.block else tokens[:, -self.block :]
            scores, _ = self(seen)
            tokens = torch.cat([tokens, scores[:, -1].argmax(-1, keepdim=True)], dim=1)
        return tokens


def example(chance):
    """Return digits followed by the same digits sorted, and what is to be learnt of them."""
    digits = [chance.randrange(DIGITS) for _ in range(LENGTH)]
    whole = digits + sorted(digits)
    targets = whole[1:]
    for place in range(LENGTH - 1):
        targets[place] = -1
    return whole[:-1], targets


def rate(step, warm=10, highest=3e-3, lowest=3e-4):
    """Return the learning rate: a ramp, then a cosine."""
    if step < warm:
        return highest * (step + 1) / warm
    if step > STEPS:
        return lowest
    part = (step - warm) / (STEPS - warm)
    return lowest + 0.5 * (1.0 + math.cos(math.pi * part)) * (highest - lowest)


def main():
    """Train, then sort two sequences."""
    torch.manual_seed(0)
    chance = random.Random(0)
    model = GPT(DIGITS, 2 * LENGTH - 1, WIDTH, HEADS, LAYERS)
    optimizer = torch.optim.AdamW(model.groups(0.1), lr=1e-3, betas=(0.9, 0.95))
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        rows = [example(chance) for _ in range(BATCH)]
        tokens = torch.tensor([tokens for tokens, _ in rows])
        targets = torch.tensor([targets for _, targets in rows])
        _, loss = model(tokens, targets)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step}  rate {rate(step):.5f}  loss {loss.item():.2f}")
    model.eval()
    sorted_rows = model.generate(torch.tensor([example(chance)[0][:LENGTH] for _ in range(2)]), LENGTH)
    print(tuple(sorted_rows.shape))


if __name__ == "__main__":
    main()
