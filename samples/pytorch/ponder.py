"""PonderNet on parity: at each step the network says how likely it is to stop, and learns to say it."""

import torch
import torch.nn as nn
import torch.nn.functional as F

BITS, MOST = 6, 8


class Ponder(nn.Module):
    """A cell that runs again and again; `forward` samples where it stops, `steps` weighs every step."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.cell = nn.GRUCell(BITS, width)
        self.answer, self.stop = nn.Linear(width, 1), nn.Linear(width, 1)

    def steps(self, x):
        """The probability that each step is the last one, and its answer: (steps, rows)."""
        h, left, chances, answers = x.new_zeros(len(x), self.width), x.new_ones(len(x)), [], []
        for step in range(MOST):
            h = self.cell(x, h)
            halt = torch.sigmoid(self.stop(h))[:, 0] if step < MOST - 1 else torch.ones_like(left)
            chances.append(left * halt)
            answers.append(self.answer(h)[:, 0])
            left = left * (1 - halt)
        return torch.stack(chances), torch.stack(answers)

    def forward(self, x):
        """The answer for one row, and the number of steps it took."""
        h = x.new_zeros(1, self.width)
        for step in range(1, MOST + 1):
            h = self.cell(x[None], h)
            if step == MOST or torch.bernoulli(torch.sigmoid(self.stop(h))).item() == 1:
                break
        return self.answer(h)[0, 0], step


def rows(count):
    """Rows of -1, 0 and 1, and whether the number of ones is odd."""
    filled = torch.arange(BITS) < torch.randint(1, BITS + 1, (count, 1))
    x = torch.where(filled, torch.randint(0, 2, (count, BITS)) * 2 - 1, 0).to(torch.get_default_dtype())
    return x, ((x == 1).sum(1) % 2).to(x.dtype)


def main():
    """Trains, then runs single rows."""
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    model = Ponder(24)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    prior = 0.25 * 0.75 ** torch.arange(MOST)
    prior[-1] += 1 - prior.sum()
    for step in range(1, 121):
        x, y = rows(64)
        chances, answers = model.steps(x)
        each = F.binary_cross_entropy_with_logits(answers, y.expand_as(answers), reduction="none")
        far = F.kl_div(prior.log()[:, None].expand_as(chances), chances, reduction="batchmean") / chances.shape[1]
        loss = (chances * each).sum(0).mean() + 0.01 * far
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 30 == 0:
            right = ((answers > 0) == (y > 0)).double().mul(chances.detach()).sum(0).mean()
            print(f"step {step}: loss {loss.item():.6f}, {right.item():.1%} right")
    with torch.no_grad():
        for row, label in zip(*rows(4)):
            answer, steps = model(row)
            print(f"{row.int().tolist()}: odd {bool(label)}, said {bool(answer > 0)} after {steps} steps")


if __name__ == "__main__":
    main()


# $ dyncli run samples/pytorch/ponder.py --show outputs
# step 30: loss 0.679048, 54.4% right
# step 60: loss 0.700089, 53.7% right
# step 90: loss 0.381367, 87.9% right
# step 120: loss 0.234823, 90.5% right
# [-1, 1, -1, -1, -1, 1]: odd False, said True after 3 steps
# [-1, 1, 1, -1, 0, 0]: odd False, said False after 8 steps
# [1, -1, 0, 0, 0, 0]: odd True, said True after 8 steps
# [1, 1, -1, -1, 1, 0]: odd True, said True after 8 steps
# samples/pytorch/ponder.py:__main__ · float64 · seed 0 · 14,055 ops · 1,234 decisions · torch:
# dyncore 0.1.0
