"""A large input with rectifiers near, but not on, their corners."""

import dyncore as torch


def forward(x):
    y = torch.linspace(-1, 1, 300) * x.sum() + torch.arange(300) * 0.01 * x.repeat(100)
    return (torch.relu(y) * y).sum()


# $ -i '[0.3, 0.2, 0.1]' : right
