"""A neural ODE with an adaptive solver: the error decides each step, so each input has its own number of them."""

import math

import torch
import torch.nn as nn


class Field(nn.Module):
    """How fast the state changes."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        self.calls = 0
        for layer in self.net:
            if isinstance(layer, nn.Linear):
                nn.init.normal_(layer.weight, mean=0.0, std=0.5)
                nn.init.zeros_(layer.bias)

    def forward(self, t, y):
        """dy/dt."""
        self.calls += 1
        return self.net(y)


def solve(field, y, start, end, rtol=1e-3, atol=1e-3):
    """The state at `end`, by the embedded pair of Bogacki and Shampine; also how many steps were taken and refused."""
    t, h, taken, refused = start, 0.1, 0, 0
    k1 = field(t, y)
    while t < end:
        h = min(h, end - t)
        k2 = field(t + h / 2, y + h / 2 * k1)
        k3 = field(t + 3 * h / 4, y + 3 * h / 4 * k2)
        new = y + h * (2 / 9 * k1 + 1 / 3 * k2 + 4 / 9 * k3)
        k4 = field(t + h, new)
        error = h * (-5 / 72 * k1 + 1 / 12 * k2 + 1 / 9 * k3 - 1 / 8 * k4)
        scale = atol + rtol * torch.maximum(y.abs(), new.abs())
        ratio = (error / scale).detach().pow(2).mean().sqrt().item()
        if ratio <= 1:
            t, y, k1, taken = t + h, new, k4, taken + 1
        else:
            refused += 1
        h *= min(5.0, max(0.2, 0.9 * (ratio + 1e-12) ** (-1 / 3)))
    return y, taken, refused


def main():
    """Fits the flow of a rotation that shrinks."""
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    field = Field()
    optimizer = torch.optim.RMSprop(field.parameters(), lr=5e-3)
    points = torch.randn(16, 2)
    turn = 1.5
    spin = torch.tensor([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    goal = math.exp(-0.3) * points @ spin
    for step in range(1, 41):
        field.calls = 0
        found, taken, refused = solve(field, points, 0.0, 1.0)
        loss = (found - goal).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"step {step}: loss {loss.item():.6f}, {taken} steps, {refused} refused, {field.calls} calls")


if __name__ == "__main__":
    main()


# $ dyncli run samples/pytorch/neural_ode.py --show outputs
# step 10: loss 0.180013, 5 steps, 0 refused, 16 calls
# step 20: loss 0.125333, 5 steps, 0 refused, 16 calls
# step 30: loss 0.099728, 5 steps, 0 refused, 16 calls
# step 40: loss 0.086618, 5 steps, 0 refused, 16 calls
# samples/pytorch/neural_ode.py:__main__ · float64 · seed 0 · 7,578 ops · 472 decisions · torch:
# dyncore 0.1.0
