"""A network that adds a unit to itself while it trains, until it fits.

Training is part of the run: dyncli shows each decision to grow, and the last gradients.
"""

import dyncore as torch
from dyncore import Tensor, nn

torch.manual_seed(3)


class Growing(nn.Module):
    """tanh units whose outputs add up; `grow` adds one."""

    def __init__(self) -> None:
        super().__init__()
        self.units = nn.ModuleList([nn.Linear(1, 1)])

    def forward(self, x: Tensor) -> Tensor:
        """x: (n, 1) -> (n, 1)."""
        total = torch.zeros_like(x)
        for unit in self.units:
            total = total + torch.tanh(unit(x)) * 2
        return total

    def grow(self) -> None:
        """Adds a unit with fresh weights."""
        self.units.append(nn.Linear(1, 1))


def train(x: Tensor, y: Tensor, good: float = 0.05, most: int = 4, steps: int = 15) -> Tensor:
    """The loss after training on points (x, y), growing whenever `steps` steps did not bring it below `good`."""
    network = Growing()
    x, y = x.reshape(-1, 1), y.reshape(-1, 1)
    loss = fit(network, x, y, steps)
    while loss.item() > good and len(network.units) < most:
        network.grow()
        loss = fit(network, x, y, steps)
    return loss


def fit(network: Growing, x: Tensor, y: Tensor, steps: int) -> Tensor:
    """The loss after some steps of gradient descent."""
    optimizer = torch.optim.Adam(network.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(network(x), y)
        loss.backward()
        optimizer.step()
    return loss


forward = train
