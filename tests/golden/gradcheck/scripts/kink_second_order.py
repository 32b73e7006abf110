"""Smooth once, not twice: half a parabola."""

import dyncore as torch


def forward(x):
    return torch.relu(x) ** 2  # NEAR


# $ -i '[0.0, 1.0]' : right
# $ -i '[0.0, 1.0]' --order 2 : kink x
# $ -i '[2.0, 1.0]' --order 2 : right
