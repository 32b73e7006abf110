"""A script in PyTorch's style prints the same characters when only the import line changes."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from typing import Any

import dyncore.utils.data
import pytest

import dyncore
import dyncore.distributions

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

DRAWING = """
torch.manual_seed(0)
x = torch.randn(64, 10)
print(x[:2], x.mean(), x.std(), x.var(0)[:3])
print(torch.rand(2, 3), torch.randint(0, 10, (3, 4)), torch.randperm(8))
print(torch.bernoulli(torch.full((2, 3), 0.3)), torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 2))
print(torch.max(x[:3], 1), torch.sort(x[0]))
print((x @ x.T)[:2, :3], x.softmax(1)[:1])
d = torch.distributions.Categorical(logits=torch.randn(5))
a = d.sample()
print(a, d.log_prob(a), d.entropy())
"""

TRAINING = """
nn = torch.nn
torch.manual_seed(0)
x = torch.randn(64, 10)
y = (x.sum(1, keepdim=True) > 0).float()
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))
for parameter in model.parameters():
    print(parameter.shape, parameter.flatten()[:3])
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16, shuffle=True)
for epoch in range(3):
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss, f"{loss.item():.4f}")
print(model)
model.eval()
print(model(x[:3]))
"""

LAYERS = """
nn = torch.nn
torch.manual_seed(1)
o, (h, c) = nn.LSTM(4, 6, batch_first=True)(torch.randn(2, 5, 4))
print(o[0, :2], h.shape)
embedding = nn.Embedding(10, 3)
print(embedding(torch.tensor([1, 2])), embedding.weight[:2])
print(nn.Conv2d(1, 2, 3)(torch.randn(1, 1, 5, 5)))
q = torch.randn(1, 3, 8)
print(nn.MultiheadAttention(8, 2, batch_first=True)(q, q, q)[0])
w = torch.empty(3, 4)
for name in ("xavier_uniform_", "kaiming_normal_", "orthogonal_", "trunc_normal_"):
    print(name, getattr(nn.init, name)(w))
"""


def printed(torch: Any, script: str) -> str:
    """What the script prints with this library under the name `torch`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(script, {"torch": torch})
    return out.getvalue()


@needs_torch
@pytest.mark.parametrize("script", [DRAWING, TRAINING, LAYERS], ids=["drawing", "training", "layers"])
def test_the_same_characters_are_printed(script: str) -> None:
    """Random numbers, initial weights, dropout, shuffled batches, losses, layers."""
    import torch
    import torch.utils.data

    assert printed(torch, script) == printed(dyncore, script)
