"""Flat beyond all orders at zero."""

import dyncore as torch


def forward(x):
    if x == 0:
        return x * 0
    return torch.exp(-1 / (x * x))


# $ -i 0.0 : right
# $ -i 0.7 : right
