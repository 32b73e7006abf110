"""The greater of two functions, where they meet."""

import dyncore as torch


def forward(x):
    return torch.maximum(x * x, x)  # NEAR


# $ -i 1.0 : kink x
# $ -i 0.5 : right
