"""MAML on sine waves: the gradient of a loss after three steps of gradient descent."""

import math
import random

import torch
from torch import nn
from torch.nn import functional as F

HIDDEN, SHOTS, INNER, TASKS, STEPS, RATE = 16, 8, 3, 6, 20, 0.02


class Task:
    """A sine wave with an amplitude and a phase of its own."""

    def __init__(self, chance):
        self.amplitude = chance.uniform(0.5, 3.0)
        self.phase = chance.uniform(0.0, math.pi)
        self.chance = chance

    def sample(self, count):
        """Return points of the wave."""
        xs, ys = [], []
        for _ in range(count):
            x = self.chance.uniform(-3.0, 3.0)
            xs.append([x])
            ys.append([self.amplitude * math.sin(x + self.phase)])
        return torch.tensor(xs), torch.tensor(ys)


class Regressor(nn.Module):
    """A perceptron of three layers that runs with weights from outside too."""

    def __init__(self, hidden):
        super().__init__()
        self.first = nn.Linear(1, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.third = nn.Linear(hidden, 1)

    def forward(self, x):
        """Return the wave at each point."""
        return self.functional(x, dict(self.named_parameters()))

    def functional(self, x, weights):
        """Return the wave at each point, with these weights."""
        for name in ("first", "second", "third"):
            x = F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])
            if name != "third":
                x = torch.tanh(x)
        return x


def adapt(model, task, steps, first_order):
    """Return the weights after some steps on one task."""
    weights = dict(model.named_parameters())
    x, y = task.sample(SHOTS)
    for _ in range(steps):
        loss = F.mse_loss(model.functional(x, weights), y)
        names = list(weights)
        gradients = torch.autograd.grad(loss, [weights[name] for name in names], create_graph=not first_order)
        fast = {}
        for name, gradient in zip(names, gradients):
            if gradient.abs().max() > 10.0:
                gradient = gradient / gradient.abs().max() * 10.0
            fast[name] = weights[name] - RATE * gradient
        weights = fast
    return weights


def main():
    """Train on the losses after adapting, on six tasks at a time."""
    torch.manual_seed(0)
    chance = random.Random(0)
    model = Regressor(HIDDEN)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for step in range(STEPS):
        optimizer.zero_grad()
        losses = []
        for _ in range(TASKS):
            task = Task(chance)
            weights = adapt(model, task, INNER, first_order=step < 2)
            x, y = task.sample(SHOTS)
            losses.append(F.mse_loss(model.functional(x, weights), y))
        loss = torch.stack(losses).mean()
        loss.backward()
        optimizer.step()
        if step % 4 == 0:
            worst = max(range(TASKS), key=lambda number: losses[number].item())
            print(f"step {step}  loss {loss.item():.3f}  worst task {worst}")
    test = Task(chance)
    weights = adapt(model, test, 2 * INNER, first_order=True)
    x, y = test.sample(32)
    before, after = F.mse_loss(model(x), y).item(), F.mse_loss(model.functional(x, weights), y).item()
    print("adapted", "better" if after < before else "worse")


if __name__ == "__main__":
    main()
