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


# $ dyncli run growing --case line
# models/growing.py:forward · case line · float32 · seed 0 · 722 ops · 68 decisions
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  0.1265
#
# Gradients of output  backward() at line 48, the last of 60 · seeded with 1 · float32
# name            shape   values
# ───────────────────────────────────────────────────────────────
# x               [5]     norm 0.2296  accumulated over 60: 5.403
# y               [5]     norm 0.3181  accumulated over 60: 8.245
# units.0.weight  [1, 1]  [[0.005453]]
# units.0.bias    [1]     [0.8671]
# units.1.weight  [1, 1]  [[0.114]]
# units.1.bias    [1]     [0.9326]
# units.2.weight  [1, 1]  [[0.001607]]
# units.2.bias    [1]     [1.1]
# units.3.weight  [1, 1]  [[0.003929]]
# units.3.bias    [1]     [0.7973]
#
# not shown: 59 x backward() at line 48 (`--full` for all)
#
# Decisions
#     #  line  test                     because                  took              left  margin  depth
# ────────────────────────────────────────────────────────────────────────────────────────────────────
#     0    45  for _ in range(steps)    15 trips (python)        exhausted                           2
#  1…15    22    for unit in            1 trip (python)          1 trip x15                          3
#              self.units
# 16…67    36  while loss.item() >      loss.item() = 0.1888 …   True x3, False               0      1
#              good and                 0.1265 > good = 0.05
#              len(network.units) <     True,
#              most                     len(network.units) = 1
#                                       … 4 < most = 4 (scalar)
# 17…51    45    for _ in range(steps)  15 trips (python)        15 trips x3                         2
# 18…66    22      for unit in          2 to 4 trips (python)    2 trips x15, 3                      3
#              self.units                                        trips x15, 4
#                                                                trips x15
