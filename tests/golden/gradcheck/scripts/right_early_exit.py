"""Exits as soon as it is sure, close to the place where it would go on."""

import dyncore as torch


def forward(x):
    for step in range(10):
        x = torch.tanh(x * 1.3)
        if x.max() > 0.7:  # NEAR
            return x * step
    return x


# $ -i '[0.5, 0.4]' : right
