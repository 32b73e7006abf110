"""A mixture of experts: a gate sends each row to two of them, and the others do not run for it."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Experts(nn.Module):
    """Small networks, and a gate with noise that chooses among them."""

    def __init__(self, width, count, chosen=2):
        super().__init__()
        self.chosen = chosen
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 16), nn.GELU(), nn.Linear(16, 3)) for _ in range(count)
        )
        self.gate = nn.Linear(width, count, bias=False)
        self.register_buffer("used", torch.zeros(count, dtype=torch.long))

    def forward(self, x):
        """The weighted answers of the chosen experts, and how unevenly the experts were used."""
        scores = self.gate(x)
        if self.training:
            scores = scores + 0.1 * torch.randn_like(scores)
        top, which = scores.topk(self.chosen, dim=-1)
        weights = torch.zeros_like(scores).scatter(-1, which, F.softmax(top, dim=-1))
        result = x.new_zeros(len(x), 3)
        for number, expert in enumerate(self.experts):
            rows = torch.where(weights[:, number] > 0)[0]
            if len(rows) == 0:
                continue
            self.used[number] += len(rows)
            result = result.index_add(0, rows, weights[rows, number, None] * expert(x[rows]))
        importance = weights.sum(0)
        return result, importance.var() / importance.mean() ** 2


def data(count):
    """Points of three rings."""
    label = torch.arange(count) % 3
    angle = torch.rand(count) * 6.283185307179586
    radius = 1.0 + label + 0.1 * torch.randn(count)
    return TensorDataset(torch.stack((radius * angle.cos(), radius * angle.sin()), dim=1), label)


def main():
    """Trains in batches, then counts."""
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    points = data(192)
    loader = DataLoader(points, batch_size=32, shuffle=True)
    model = Experts(width=2, count=6).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    for epoch in range(1, 9):
        model.train()
        total = 0.0
        for x, y in loader:
            scores, uneven = model(x.to(device))
            loss = F.cross_entropy(scores, y.to(device)) + 0.01 * uneven
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        if epoch % 2 == 0:
            print(f"epoch {epoch}: loss {total / len(points):.6f}")
    model.eval()
    model.used.zero_()
    with torch.no_grad():
        x, y = points.tensors
        right = (model(x)[0].argmax(-1) == y).double().mean()
    print(f"{right:.1%} right; rows of each expert: {model.used.tolist()}")


if __name__ == "__main__":
    main()


# $ dyncli run samples/pytorch/experts.py --show outputs
# epoch 2: loss 0.872690
# epoch 4: loss 0.663125
# epoch 6: loss 0.493472
# epoch 8: loss 0.341171
# 99.5% right; rows of each expert: [87, 85, 94, 34, 84, 0]
# samples/pytorch/experts.py:__main__ · float64 · seed 0 · 8,116 ops · 412 decisions · torch: dyncore
# 0.1.0
