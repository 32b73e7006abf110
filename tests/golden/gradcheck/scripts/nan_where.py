"""The arm not taken poisons the gradient: infinity times zero."""

import dyncore as torch


def forward(x):
    return torch.where(x > 0, x.log(), x * 0 - 1).sum()  # FAULT


# $ -i '[0.0, 1.0]' : nan x
# $ -i '[0.5, 1.0]' : right
