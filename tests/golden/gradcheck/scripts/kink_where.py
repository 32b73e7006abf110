"""`torch.where` of two functions that meet at 0."""

import dyncore as torch


def forward(x):
    return torch.where(x > 0, x.exp() - 1, x * 3)  # NEAR


# $ -i '[0.5, 0.0]' : kink x
# $ -i '[0.5, -0.1]' : right
